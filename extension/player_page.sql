-- player_page(): an account over days on one page: for a complaint, a request of a person, an inspector.

-- The seal of the entries of the period.
CREATE FUNCTION casino_internal.page_player_seal(words jsonb, player_id bigint, since timestamptz,
                                                 until timestamptz)
RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.page_seal(page_player_seal.words, max(p.seal_no), count(*), count(p.seal_no))
      FROM (SELECT (SELECT s.seal_no FROM casino.sealed_player s
                     WHERE s.player_id = l.player_id AND l.entry_no BETWEEN s.first_entry_no
                         AND s.last_entry_no)
                       AS seal_no
              FROM casino.ledger l
             WHERE l.player_id = page_player_seal.player_id AND l.posted_at >= page_player_seal.since
               AND l.posted_at < page_player_seal.until) p
$fn$;
COMMENT ON FUNCTION casino_internal.page_player_seal(jsonb, bigint, timestamptz, timestamptz)
    IS 'Part of player_page(): the seal of the entries shown';

-- R9.27: the appendix can be cut out of the page as it stands there: what HTML writes otherwise is written in
-- JSON's own way.
CREATE FUNCTION casino_internal.page_proof(words jsonb, player_id bigint, since timestamptz,
    until timestamptz) RETURNS xml
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    proof text;
BEGIN
    BEGIN
        proof := casino.statement_proof(player_id, since, until);
    -- the entries are missing, or they are not sealed yet; changed evidence is an error of the page, too
    EXCEPTION WHEN invalid_parameter_value OR object_not_in_prerequisite_state THEN
        RETURN xmlelement(name p, xmlattributes('none' AS class), words ->> 'no_proof');
    END;
    RETURN xmlconcat(xmlelement(name p, words ->> 'proof_how'),
                     xmlelement(name pre, xmlattributes('proof' AS id),
                                replace(replace(replace(proof, '&', '\u0026'), '<', '\u003c'), '>',
                                    '\u003e')));
END
$fn$;
COMMENT ON FUNCTION casino_internal.page_proof(jsonb, bigint, timestamptz, timestamptz)
    IS 'Part of player_page(): statement_proof() as it can be cut out of the page';

-- The rounds of the statement, folded.
CREATE FUNCTION casino_internal.page_rounds(words jsonb, player_id bigint, from_day date, to_day date)
    RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(xmlagg(r.part ORDER BY r.n),
                    xmlelement(name p, xmlattributes('none' AS class), page_rounds.words ->> 'no_activity'))
      FROM (SELECT min(s.line_no) AS n,
                   xmlelement(name details,
                       xmlelement(name summary,
                           xmlelement(name bdi,
                                      casino_internal.page_text(format(page_rounds.words ->> 'round_line',
                               page_rounds.words ->> ('game.' || s.game), s.table_name, s.round_ref))),
                           ' ', xmlelement(name span, format(page_rounds.words ->> 'round_sum',
                               casino_internal.page_money(page_rounds.words,
                                                          coalesce(sum(-s.change) FILTER (WHERE s.kind
                                                                                          = 'stake'),
                                                              0.00)),
                               casino_internal.page_money(page_rounds.words,
                                                          coalesce(sum(s.change) FILTER (WHERE s.kind
                                                                                         <> 'stake'),
                                                              0.00))))),
                       casino_internal.page_table(page_rounds.words, NULL,
                           jsonb_agg(to_jsonb(s) || jsonb_build_object('status', s.result)
                                     -- R9.30: a stake in a pot is neither won nor lost by itself
                                     || CASE WHEN s.result <> 'refunded' AND f.between_players
                                                 THEN '{"status": "pooled", "grade": null}'
                                             ELSE '{}' END::jsonb
                               ORDER BY s.line_no),
                           '{time:at,entry:kind,bet:bet,money:change,money:balance,status:status,'
                           'grade:grade,back:reason,number:entry_no}',
                           jsonb_build_object('change', sum(s.change)))) AS part
              FROM casino.player_statement(page_rounds.player_id, page_rounds.from_day, page_rounds.to_day) s
              JOIN casino.game g ON g.game = s.game
              LEFT JOIN casino.families() f ON f.family = g.family
             WHERE s.round_ref IS NOT NULL
             GROUP BY s.game, s.table_name, s.round_ref) r
$fn$;
COMMENT ON FUNCTION casino_internal.page_rounds(jsonb, bigint, date, date)
    IS 'Part of player_page(): rounds, folded';

CREATE FUNCTION casino_internal.page_spans(words jsonb, player_id bigint, lang text, since timestamptz,
    until timestamptz)
RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(jsonb_agg(to_jsonb(x)), '[]')
      FROM (SELECT 'play' AS lane, s.started_at AS "from", coalesce(s.last_evaluated_at, s.started_at)
          AS "to",
                   casino_internal.page_time(page_spans.words, s.started_at) AS said
              FROM casino.betting_sequence s
             WHERE s.player_id = page_spans.player_id
               AND s.started_at < page_spans.until
               AND coalesce(s.last_evaluated_at, s.started_at) >= page_spans.since
            UNION ALL
            -- the break that the law asks for after a sequence (D4 §8.3)
            SELECT 'break', b.last_evaluated_at, b.ends_at,
                casino_internal.page_time(page_spans.words, b.ends_at)
              FROM casino.betting_sequence b
             WHERE b.player_id = page_spans.player_id
               AND b.break_due
               AND b.last_evaluated_at < page_spans.until
               AND b.ends_at > page_spans.since
            UNION ALL
            SELECT 'exclusion', e.excluded_from, coalesce(e.ended_at, e.excluded_until),
                   casino_internal.page_word(page_spans.words, 'source', e.source)
              FROM casino.exclusion_period e
             WHERE e.player_id = page_spans.player_id
            UNION ALL
            SELECT 'limit', l.effective_from, NULL,
                casino_internal.page_word(page_spans.words, 'measure', l.measure)
              FROM casino.player_limit l
             WHERE l.player_id = page_spans.player_id AND l.amount IS NOT NULL
            UNION ALL
            SELECT 'refused', f.refused_at, f.refused_at,
                   coalesce(casino.message_for_player(f.reason, f.data, page_spans.lang), f.message)
              FROM casino.refusal f
             WHERE f.player_id = page_spans.player_id
               AND f.refused_at >= page_spans.since
               AND f.refused_at < page_spans.until) x
$fn$;
COMMENT ON FUNCTION casino_internal.page_spans(jsonb, bigint, text, timestamptz, timestamptz)
    IS 'Part of player_page(): spans of the timeline';

CREATE FUNCTION casino.player_page(player_id bigint, from_day date, to_day date,
    lang text DEFAULT 'cs') RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.player_page(bigint, date, date, text)
    IS 'A player''s account over Prague days as one self-contained page in Czech (cs) or English (en): '
        'balances, '
       'rounds, deposits and withdrawals with deadlines, limits, exclusions, breaks, refusals, and the '
       'proof of '
       'the statement that casino-verify takes';

CREATE FUNCTION casino_internal.player_page_impl(player_id bigint, from_day date, to_day date, lang text)
    RETURNS text
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp SET timezone = 'Europe/Prague' AS $fn$
DECLARE
    w CONSTANT jsonb := casino_internal.page_words(lang);
    since CONSTANT timestamptz := from_day::timestamp AT TIME ZONE 'Europe/Prague';
    until CONSTANT timestamptz := (to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague';
    lines jsonb;
    of_money jsonb;
    p casino.player;
    body xml;
BEGIN
    PERFORM casino_internal.require_days(from_day, to_day);
    lines := (SELECT jsonb_agg(to_jsonb(s) ORDER BY s.line_no)
                FROM casino.player_statement(player_id, from_day, to_day) s);
    of_money := (SELECT coalesce(jsonb_agg(l || jsonb_build_object('method', e.method)
        ORDER BY (l ->> 'line_no')::bigint), '[]')
                   FROM jsonb_array_elements(lines) l
                   JOIN casino.ledger e ON e.player_id = player_page_impl.player_id
                                       AND e.entry_no = (l ->> 'entry_no')::bigint
                  WHERE l -> 'round_ref' = 'null');
    SELECT o.* INTO p FROM casino.player o WHERE o.player_id = player_page_impl.player_id;
    SELECT xmlconcat(
        (SELECT xmlelement(name div, xmlattributes('figures' AS class),
                    xmlagg(xmlelement(name div, xmlelement(name small, w ->> f.name),
                                      xmlelement(name b,
                                                 casino_internal.page_money(w, coalesce(f.amount, 0))))
                                          ORDER BY f.n))
           FROM (SELECT 1 AS n, 'opening' AS name, (lines #>> '{0,balance}')::numeric AS amount
                 UNION ALL SELECT 2, 'line.in', sum((l ->> 'change')::numeric)
                             FROM jsonb_array_elements(lines) l WHERE l ->> 'kind' = 'deposit'
                 UNION ALL SELECT 3, 'line.out', sum(-(l ->> 'change')::numeric)
                             FROM jsonb_array_elements(lines) l WHERE l ->> 'kind' LIKE 'withdrawal%'
                 UNION ALL SELECT 4, 'line.stakes', sum(-(l ->> 'change')::numeric)
                             FROM jsonb_array_elements(lines) l WHERE l ->> 'kind' = 'stake'
                 UNION ALL SELECT 5, 'line.payouts', sum((l ->> 'change')::numeric)
                             FROM jsonb_array_elements(lines) l
                            WHERE l ->> 'kind' IN ('payout', 'refund', 'correction', 'adjustment')
                 UNION ALL SELECT 6, 'closing', (lines #>> '{-1,balance}')::numeric) f),
        xmlelement(name section, xmlelement(name h2, w ->> 'timeline'),
                   casino_internal.page_timeline(w,
                                                 casino_internal.page_spans(w, player_id, lang, since,
                                                                            until), since,
                       until)),
        casino_internal.page_table(w, w ->> 'money', of_money,
            '{time:at,entry:kind,method:method,money:change,money:balance,reason,number:entry_no}',
                                   jsonb_build_object('change', (SELECT sum((l ->> 'change')::numeric)
                                                                   FROM jsonb_array_elements(of_money) l))),
        casino_internal.page_table(w, w ->> 'owed',
            (SELECT jsonb_agg(to_jsonb(d) ORDER BY d.due_at, d.entry_no)
               FROM casino.payment_deadline(least(until - interval '1 microsecond', statement_timestamp())) d
              WHERE d.player_id = player_page_impl.player_id),
            '{what:what,money:amount,time:since,time:due_at,flag:overdue,number:entry_no}'),
        xmlelement(name section, xmlelement(name h2, w ->> 'rounds'),
                   casino_internal.page_rounds(w, player_id,
            from_day, to_day)),
        casino_internal.page_table(w, w ->> 'limits',
            (SELECT jsonb_agg(to_jsonb(l) || jsonb_build_object('span', l.period) ORDER BY l.limit_no)
               FROM casino.player_limit l
              WHERE l.player_id = player_page_impl.player_id AND l.requested_at < until),
            '{measure:measure,span:span,money:amount,time:requested_at,time:effective_from}'),
        casino_internal.page_table(w, w ->> 'exclusions',
            (SELECT jsonb_agg(jsonb_build_object('source', e.source, 'since', e.excluded_from, 'until',
                e.excluded_until,
                                                 'ended_at', e.ended_at, 'reason', e.end_reason)
                                                     ORDER BY e.exclusion_no)
               FROM casino.exclusion_period e
              WHERE e.player_id = player_page_impl.player_id AND e.excluded_from < until),
            '{source:source,time:since,time:until,time:ended_at,reason}'),
        casino_internal.page_table(w, w ->> 'sequences',
            (SELECT jsonb_agg(jsonb_build_object('since', s.started_at, 'until', s.last_evaluated_at,
                                                 'length', to_char(s.length, 'HH24:MI:SS'), 'rounds',
                                                     s.rounds)
                              ORDER BY s.started_at)
               FROM casino.betting_sequence s
              WHERE s.player_id = player_page_impl.player_id AND s.started_at < until
                AND coalesce(s.last_evaluated_at, s.started_at) >= since),
            '{time:since,time:until,number:length,number:rounds}'),
        casino_internal.page_table(w, w ->> 'refused',
                                   casino_internal.page_refusals(lang, NULL, player_id, since, until),
                                   '{time:at,action:action,bet,money:amount,message,code}'),
        xmlelement(name section, xmlelement(name h2, w ->> 'proof'),
                   casino_internal.page_proof(w, player_id, since, until))) INTO body;
    RETURN casino_internal.page_frame(w, format('%s %s', w ->> 'player', p.external_ref), ARRAY[
        'period', casino_internal.page_day(w, from_day) || ' – ' || casino_internal.page_day(w, to_day),
        'registered', casino_internal.page_time(w, p.registered_at),
        'filters', format(w ->> 'filter_player', player_id, casino_internal.page_day(w, from_day),
                          casino_internal.page_day(w, to_day)),
        'seal', casino_internal.page_player_seal(w, player_id, since, until)], body);
END
$fn$;
COMMENT ON FUNCTION casino_internal.player_page_impl(bigint, date, date, text)
    IS 'Body of player_page(), run as the owner of the ledger';
