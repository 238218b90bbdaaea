-- period_page(): days on one page, for the tax office and the regulator.  Its sums are those of the nights.

-- The tax base by game, with its sums.
CREATE FUNCTION casino_internal.page_tax(words jsonb, rows jsonb) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.page_table(page_tax.words, page_tax.words ->> 'tax_by_game',
        (SELECT jsonb_agg(to_jsonb(g) ORDER BY g.game)
           FROM (SELECT t ->> 'game' AS game, sum((t ->> 'stakes')::numeric) AS stakes,
                        sum((t ->> 'returned')::numeric) AS returned,
                        sum((t ->> 'winnings')::numeric) AS winnings,
                        sum((t ->> 'corrected')::numeric) AS corrected, sum((t ->> 'base')::numeric) AS base
                   FROM jsonb_array_elements(page_tax.rows) t
                  GROUP BY 1) g),
        '{game:game,money:stakes,money:returned,money:winnings,money:corrected,money:base}',
        (SELECT jsonb_build_object('stakes', sum((t ->> 'stakes')::numeric),
                    'returned', sum((t ->> 'returned')::numeric),
                    'winnings', sum((t ->> 'winnings')::numeric),
                    'corrected', sum((t ->> 'corrected')::numeric), 'base', sum((t ->> 'base')::numeric))
           FROM jsonb_array_elements(page_tax.rows) t))
$fn$;
COMMENT ON FUNCTION casino_internal.page_tax(jsonb, jsonb) IS 'Part of the pages: tax base by game';

-- R9.35: a negative base of a calendar quarter lowers that of the next quarters until it is used up; live
-- games and others each have their own.
CREATE FUNCTION casino_internal.tax_carry(before date, OUT live boolean, OUT carried numeric)
    RETURNS SETOF record
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    q record;
    -- of books that were put away the kept days tell
    first CONSTANT date := least((SELECT casino.prague_day(min(l.posted_at))
                                    FROM casino.ledger l
                                   WHERE l.book > (SELECT casino.last_book_away())),
                                 (SELECT min(d.day) FROM casino.kept_day d));
    last CONSTANT date := date_trunc('quarter', before)::date - 1;
    of_live numeric := 0.00;
    of_other numeric := 0.00;
BEGIN
    IF first <= last THEN
        FOR q IN SELECT date_trunc('quarter', t.day) AS quarter,
                        coalesce(sum(t.base) FILTER (WHERE t.live), 0.00) AS of_live,
                        coalesce(sum(t.base) FILTER (WHERE NOT t.live), 0.00) AS of_other
                   FROM casino.tax_base(first, last) t
                  GROUP BY 1
                  ORDER BY 1 LOOP
            of_live := least(of_live + q.of_live, 0.00);
            of_other := least(of_other + q.of_other, 0.00);
        END LOOP;
    END IF;
    RETURN QUERY VALUES (true, of_live), (false, of_other);
END
$fn$;
COMMENT ON FUNCTION casino_internal.tax_carry(date)
    IS 'Part of period_page(): the negative base that the calendar quarters ended before a day leave to the '
       'next ones, 0 or less; live games and others';

CREATE FUNCTION casino_internal.page_carry(words jsonb, from_day date, to_day date) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.page_table(page_carry.words, page_carry.words ->> 'carry',
               jsonb_agg(jsonb_build_object('item', page_carry.words ->> CASE WHEN c.live THEN 'games_live'
                                                                              ELSE 'games_other' END,
                                            'carried', c.carried, 'base', c.base,
                                            'taxable', greatest(c.base + c.carried, 0.00),
                                            'left', least(c.base + c.carried, 0.00))
                         ORDER BY c.live DESC),
               '{item,money:carried,money:base,money:taxable,money:left}')
      FROM (SELECT k.live, k.carried, coalesce(sum(t.base), 0.00) AS base
              FROM casino_internal.tax_carry(page_carry.from_day) k
              LEFT JOIN casino.tax_base(page_carry.from_day, page_carry.to_day) t ON t.live = k.live
             GROUP BY k.live, k.carried
            HAVING k.live OR k.carried <> 0 OR count(t.base) > 0) c
$fn$;
COMMENT ON FUNCTION casino_internal.page_carry(jsonb, date, date)
    IS 'Part of period_page(): base, the rest of earlier quarters, the taxable part and the new rest';

-- Day by day what each night says, and week by week.
CREATE FUNCTION casino_internal.page_nights(words jsonb, from_day date, to_day date) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH night AS MATERIALIZED (
        SELECT t.day, sum(t.staked) AS staked, sum(t.won) AS won, sum(t.returned) AS returned,
               sum(t.corrected) AS corrected, sum(t.ggr) AS ggr, sum(t.rounds_settled) AS rounds_settled,
               sum(t.rounds_voided) AS rounds_voided
          FROM casino.daily_table(page_nights.from_day, page_nights.to_day) t
         GROUP BY t.day
    ), total AS (
        SELECT jsonb_build_object('staked', sum(n.staked), 'won', sum(n.won), 'returned', sum(n.returned),
                                  'corrected', sum(n.corrected), 'ggr', sum(n.ggr),
                                  'rounds_settled', sum(n.rounds_settled),
                                  'rounds_voided', sum(n.rounds_voided)) AS of_all
          FROM night n
    )
    SELECT xmlconcat(
        casino_internal.page_table(page_nights.words, page_nights.words ->> 'ggr_by_week',
            (SELECT jsonb_agg(to_jsonb(k) ORDER BY k.week)
               FROM (SELECT date_trunc('week', n.day)::date AS week, sum(n.staked) AS staked,
                            sum(n.won) AS won, sum(n.corrected) AS corrected, sum(n.ggr) AS ggr,
                            sum(n.rounds_settled) AS rounds_settled
                       FROM night n GROUP BY 1) k),
            '{day:week,number:rounds_settled,money:staked,money:won,money:corrected,money:ggr}',
            (SELECT t.of_all FROM total t)),
        casino_internal.page_table(page_nights.words, page_nights.words ->> 'nights',
            (SELECT jsonb_agg(to_jsonb(n) || jsonb_build_object('reconciled',
                        CASE WHEN x.status IS NULL THEN 'none' ELSE x.status END) ORDER BY n.day)
               FROM night n
               LEFT JOIN LATERAL (SELECT y.status FROM casino.reconciliation y
                                   WHERE n.day BETWEEN y.from_day AND y.to_day
                                   ORDER BY y.run_no DESC LIMIT 1) x ON true),
            '{day:day,number:rounds_settled,number:rounds_voided,money:staked,money:won,money:returned,'
            'money:corrected,money:ggr,run:reconciled}',
            (SELECT t.of_all FROM total t)))
$fn$;
COMMENT ON FUNCTION casino_internal.page_nights(jsonb, date, date)
    IS 'Part of period_page(): GGR by week and by day, with the same sums as the nights';

-- Payments that were not prompt, ended in the period or not ended at its end, each with its reason.
CREATE FUNCTION casino_internal.page_late(since timestamptz, until timestamptz) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(jsonb_agg(jsonb_build_object('what', p.what, 'player', o.external_ref, 'amount', p.amount,
                                                 'since', p.asked_at, 'paid_at', p.ended_at,
                                                 'reason', p.reason)
                              ORDER BY p.asked_at, p.player_id, p.entry_no), '[]')
      FROM casino_internal.payments_since(casino_internal.payments_begin(page_late.since), page_late.until) p
      JOIN casino.player o ON o.player_id = p.player_id
     WHERE coalesce(p.ended_at, 'infinity') >= page_late.since
       AND casino.prompt_until(p.asked_at) < least(page_late.until, statement_timestamp())
       AND (p.ended_at IS NULL OR p.judged_at >= casino.prompt_until(p.asked_at))
$fn$;
COMMENT ON FUNCTION casino_internal.page_late(timestamptz, timestamptz)
    IS 'Part of period_page(): late payments with their reasons';

CREATE FUNCTION casino.period_page(from_day date, to_day date, lang text DEFAULT 'cs') RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.period_page(date, date, text)
    IS 'Prague days as one self-contained page in Czech (cs) or English (en): tax base by game and its '
       'carry-forward, GGR by week and day, late payments with reasons, exclusions, voided rounds, '
       'corrections';

CREATE FUNCTION casino_internal.period_page_impl(from_day date, to_day date, lang text) RETURNS text
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp SET timezone = 'Europe/Prague'
    SET datestyle = 'ISO' AS $fn$
DECLARE
    w CONSTANT jsonb := casino_internal.page_words(lang);
    since CONSTANT timestamptz := from_day::timestamp AT TIME ZONE 'Europe/Prague';
    until CONSTANT timestamptz := (to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague';
    body xml;
BEGIN
    PERFORM casino_internal.require_days(from_day, to_day);
    SELECT xmlconcat(
        casino_internal.page_tax(w, (SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]')
                                       FROM casino.tax_base(from_day, to_day) t)),
        casino_internal.page_carry(w, from_day, to_day),
        casino_internal.page_nights(w, from_day, to_day),
        casino_internal.page_cage_period(w, from_day, to_day),
        casino_internal.page_few(w, w ->> 'late', casino_internal.page_late(since, until),
                                 '{what:what,player,money:amount,time:since,time:paid_at,reason}'),
        casino_internal.page_few(w, w ->> 'exclusions',
            (SELECT coalesce(jsonb_agg(jsonb_build_object('player', p.external_ref, 'source', e.source,
                         'since', e.excluded_from, 'until', e.excluded_until, 'ended_at', e.ended_at,
                         'reason', e.end_reason) ORDER BY e.excluded_from, e.exclusion_no), '[]')
               FROM casino.exclusion_period e
               JOIN casino.player p ON p.player_id = e.player_id
              WHERE e.excluded_from < until AND e.excluded_from >= since),
            '{player,source:source,time:since,time:until,time:ended_at,reason}'),
        casino_internal.page_few(w, w ->> 'voids',
            (SELECT coalesce(jsonb_agg(jsonb_build_object('at', r.voided_at, 'game', t.game,
                         'table_name', t.name, 'round_ref', r.round_ref, 'returned', r.staked,
                         'reason', r.void_reason) ORDER BY r.voided_at, r.round_id), '[]')
               FROM casino.round r
               JOIN casino.game_table t ON t.table_id = r.table_id
              WHERE r.voided_at < until AND r.voided_at >= since),
            '{time:at,game:game,table_name,round_ref,money:returned,reason}'),
        casino_internal.page_few(w, w ->> 'corrections',
            (SELECT coalesce(jsonb_agg(jsonb_build_object('at', l.posted_at, 'player', p.external_ref,
                         'kind', l.kind, 'round_ref', r.round_ref,
                         'amount', l.amount * k.wallet_sign, 'reason', l.reason)
                         ORDER BY l.posted_at, l.player_id, l.entry_no), '[]')
               FROM casino.ledger l
               JOIN casino.entry_kinds() k ON k.kind = l.kind
               JOIN casino.player p ON p.player_id = l.player_id
               LEFT JOIN casino.round r ON r.round_id = l.round_id
              WHERE l.kind IN ('correction', 'adjustment') AND l.posted_at < until AND l.posted_at >= since),
            '{time:at,player,entry:kind,round_ref,money:amount,reason}')) INTO body;
    RETURN casino_internal.page_frame(w,
                                      format('%s %s – %s', w ->> 'period_title',
                                             casino_internal.page_day(w, from_day),
                                                casino_internal.page_day(w, to_day)), ARRAY[
        'period', format('%s – %s', casino_internal.page_time(w, since), casino_internal.page_time(w, until)),
        'filters',
            format(w ->> 'filter_days', casino_internal.page_day(w, from_day),
                   casino_internal.page_day(w, to_day)),
        'seal', casino_internal.page_days_seal(w, from_day, to_day)], body, 'landscape');
END
$fn$;
COMMENT ON FUNCTION casino_internal.period_page_impl(date, date, text)
    IS 'Body of period_page(), run as the owner of the ledger';
