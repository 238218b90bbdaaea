-- round_page(): a round on one page, as a person who settles a dispute reads it.  It says what game_recall()
-- says, in words (R9.26): nothing of it is reckoned anew but what hands are worth.

-- The wagers of a player in the round, with the odds of the plan.
CREATE FUNCTION casino_internal.page_wagers(words jsonb, recall jsonb, player_id bigint) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.page_table(page_wagers.words, NULL,
               jsonb_agg(w.wager ORDER BY w.n),
               ARRAY['time:at', 'bet:bet', 'number:seat', 'number:hand', 'money:staked', 'status:status',
                   'grade:grade',
                     'number:odds', 'money:profit', 'money:payout', 'paragraph', 'number:entry_no'],
               jsonb_build_object('bet', NULL, 'staked', sum((w.wager ->> 'staked')::numeric),
                                  'payout', sum((w.wager ->> 'payout')::numeric),
                                  'profit', sum((w.wager ->> 'profit')::numeric)))
      FROM (SELECT x.n, x.wager || jsonb_strip_nulls(jsonb_build_object(
                       'profit', CASE WHEN x.wager ->> 'status' IN ('won', 'lost', 'pushed', 'withheld')
                            THEN (x.wager ->> 'payout')::numeric - (x.wager ->> 'staked')::numeric END,
                       'odds', replace(b.pays ->> 'odds', ':', U&'\200A:\200A'),
                       'paragraph', coalesce(b.pays ->> 'paragraph', b.rule ->> 'paragraph'))) AS wager
              FROM jsonb_array_elements(page_wagers.recall -> 'wagers') WITH ORDINALITY x (wager, n)
             CROSS JOIN LATERAL (SELECT page_wagers.recall #> ARRAY['plan', 'bets', k.kind] AS rule,
                                        page_wagers.recall #> ARRAY['plan', 'bets', k.kind, 'pays',
                                                                    x.wager ->> 'grade'] AS pays
                                   FROM (SELECT casino.kind((x.wager ->> 'bet')::casino.bet) AS kind) k) b
             WHERE (x.wager ->> 'player_id')::bigint = page_wagers.player_id) w
$fn$;
COMMENT ON FUNCTION casino_internal.page_wagers(jsonb, jsonb, bigint)
    IS 'Part of round_page(): wagers of a player';

-- The seal of a round covers its last state, and each entry that names the round, or those of one player.
CREATE FUNCTION casino_internal.page_round_seal(words jsonb, round_id bigint, only_player bigint) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT casino_internal.page_seal(page_round_seal.words, max(p.seal_no), count(*), count(p.seal_no))
      FROM (SELECT (SELECT s.seal_no FROM casino.sealed_row s
                     WHERE s.section = 'round_end' AND s.row_key = page_round_seal.round_id::text) AS seal_no
            UNION ALL
            SELECT (SELECT s.seal_no FROM casino.sealed_player s
                     WHERE s.player_id = l.player_id AND l.entry_no BETWEEN s.first_entry_no
                         AND s.last_entry_no)
              FROM casino.ledger l
             WHERE l.round_id = page_round_seal.round_id
               AND (page_round_seal.only_player IS NULL OR l.player_id = page_round_seal.only_player)) p
$fn$;
COMMENT ON FUNCTION casino_internal.page_round_seal(jsonb, bigint, bigint)
    IS 'Part of round_page(): the seal of the round';

-- Rows with the reference of the player instead of the number.
CREATE FUNCTION casino_internal.page_named(rows jsonb) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(jsonb_agg(r.value || jsonb_build_object('player', p.external_ref)
        ORDER BY r.ordinality), '[]')
      FROM jsonb_array_elements(page_named.rows) WITH ORDINALITY r
      LEFT JOIN casino.player p ON p.player_id = (r.value ->> 'player_id')::bigint
$fn$;
COMMENT ON FUNCTION casino_internal.page_named(jsonb)
    IS 'Part of the pages: rows with the player''s reference';

CREATE FUNCTION casino_internal.page_refusals(lang text, round_id bigint, player_id bigint,
                                              since timestamptz, until timestamptz) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'at', f.refused_at, 'action', f.action, 'player', p.external_ref, 'code', f.code,
               'amount', coalesce(f.amount, (SELECT sum(casino.stake(b)) FROM unnest(f.bets) b)),
               'bet', (SELECT string_agg(casino_internal.page_bet(w.words, b::text), ', ')
                       FROM unnest(f.bets) b),
               'message', coalesce(casino.message_for_player(f.reason, f.data, page_refusals.lang),
                   f.message))
                              ORDER BY f.refused_at, f.player_id, f.refusal_no), '[]')
      FROM casino.refusal f
      JOIN casino.player p ON p.player_id = f.player_id
     CROSS JOIN (SELECT casino_internal.page_words(page_refusals.lang) AS words) w
     WHERE f.round_id = page_refusals.round_id
           AND (page_refusals.player_id IS NULL OR f.player_id = page_refusals.player_id)
        OR page_refusals.round_id IS NULL
           AND f.player_id = page_refusals.player_id
           AND f.refused_at >= page_refusals.since AND f.refused_at < page_refusals.until
$fn$;
COMMENT ON FUNCTION casino_internal.page_refusals(text, bigint, bigint, timestamptz, timestamptz)
    IS 'Part of the pages: refusals of a round, of a player in it, or of a player in a period, in the words '
       'for players';

CREATE FUNCTION casino.round_page(round_id bigint, lang text DEFAULT 'cs') RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.round_page(bigint, text)
    IS 'A round as one self-contained page in Czech (cs) or English (en): result, cards, wagers with odds '
        'and '
       'paragraphs, refusals, corrections, who did each step, the result as received, the seal';

-- recall: of game_recall(), or of player_recall(), which names its player
CREATE FUNCTION casino_internal.page_of_round(recall jsonb, lang text) RETURNS text
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp SET timezone = 'Europe/Prague' AS $fn$
DECLARE
    w CONSTANT jsonb := casino_internal.page_words(lang);
    r CONSTANT jsonb := recall;
    round_id CONSTANT bigint := r #>> '{round,round_id}';
    only_player CONSTANT bigint := r ->> 'player_id';
    family text;
    pooled boolean;
    refusals CONSTANT jsonb := casino_internal.page_refusals(lang, round_id, only_player, NULL, NULL);
    ended CONSTANT boolean := r #>> '{round,status}' = 'voided';
    title CONSTANT text := format('%s %s', w ->> 'round', r #>> '{round,round_ref}');
    body xml;
BEGIN
    SELECT g.family, f.between_players
      INTO family, pooled
      FROM casino.game g
      JOIN casino.families() f ON f.family = g.family
     WHERE g.game = r #>> '{table,game}';
    SELECT xmlconcat(
        xmlelement(name section, xmlelement(name h2, w ->> 'result'),
            CASE WHEN ended
                     THEN xmlelement(name p, xmlattributes('bad' AS class),
                                     xmlelement(name strong, w ->> 'round_void'), ': ',
                                     xmlelement(name bdi,
                                                casino_internal.page_text(r #>> '{round,void_reason}'))) END,
            CASE WHEN family = 'roulette' AND r #> '{outcome,number}' IS NOT NULL
                     THEN xmlconcat(casino_internal.page_wheel(w, (r #>> '{outcome,number}')::integer),
                          xmlelement(name p, format(w ->> 'wheel', r #>> '{outcome,number}',
                              w ->> ('colour.' || CASE WHEN r #>> '{outcome,number}' = '0' THEN 'zero'
                                  WHEN casino.grade_roulette('red@1',
                                      (r #>> '{outcome,number}')::integer) = 'win'
                                      THEN 'red' ELSE 'black' END))))
                 WHEN jsonb_array_length(r -> 'cards') > 0
                     THEN xmlconcat(casino_internal.page_hands(w, r, family),
                                    xmlelement(name p, xmlattributes('soft' AS class), w ->> 'cards_order'))
                 WHEN NOT ended THEN xmlelement(name p, xmlattributes('none' AS class),
                     w ->> 'round_none') END),
        CASE WHEN pooled AND NOT ended AND only_player IS NULL
                 THEN casino_internal.page_pots(w, round_id) END,
        xmlelement(name section, xmlelement(name h2, w ->> 'wagers'),
            coalesce((SELECT xmlagg(xmlconcat(xmlelement(name h3, xmlelement(name bdi,
                casino_internal.page_text(p.external_ref))),
                                              CASE WHEN pooled
                                                  THEN casino_internal.page_position(w, r, p.player_id)
                                                   ELSE casino_internal.page_wagers(w, r, p.player_id) END)
                                              ORDER BY p.player_id)
                        FROM casino.player p
                       WHERE p.player_id IN (SELECT (x ->> 'player_id')::bigint
                                               FROM jsonb_array_elements(r -> 'wagers') x)),
                     xmlelement(name p, xmlattributes('none' AS class), w ->> 'no_activity')),
            casino_internal.page_list(w, 'total', format(w ->> 'round_sum', casino_internal.page_money(w,
                (r #>> '{round,staked}')::numeric),
                                                         casino_internal.page_money(w,
                                                                          (r #>> '{round,paid}')::numeric)))),
        casino_internal.page_table(w, w ->> 'refused', refusals,
                                   CASE WHEN only_player IS NULL THEN
                                       '{time:at,player,action:action,bet,money:amount,message,code}'
                                        ELSE '{time:at,action:action,bet,money:amount,message,code}'
                                   END::text[]),
        casino_internal.page_table(w, w ->> 'corrections', casino_internal.page_named(r -> 'corrections')
            || (SELECT coalesce(jsonb_agg(v || jsonb_build_object('at', coalesce(v ->> 'decided',
                v ->> 'proposed'),
                                                                  'amount', v -> 'posted')), '[]')
                  FROM jsonb_array_elements(r -> 'versions') v)
            || (SELECT coalesce(jsonb_agg(d || (d -> 'corrects') || jsonb_build_object('who',
                d #>> '{corrects,actor}')),
                                '[]')
                  FROM jsonb_array_elements(r -> 'deals') d WHERE d ? 'corrects'),
            '{time:at,player,money:amount,decision:decision,reason}'),
        casino_internal.page_table(w, w ->> 'withholdings', casino_internal.page_named(r -> 'withholdings'),
                                   '{time:at,player,reason,how:ended,time:ended_at}'),
        CASE WHEN jsonb_array_length(r -> 'claims') > 0
                 THEN casino_internal.page_table(w, w ->> 'claims', casino_internal.page_named(r -> 'claims'),
                                                 '{time:at,player,money:amount,how:ended,time:ended_at}') END,
        CASE WHEN jsonb_array_length(r -> 'disconnections') > 0
                 THEN casino_internal.page_table(w, w ->> 'disconnections',
                                                 casino_internal.page_named(r -> 'disconnections'),
                                                 '{time:at,player}') END,
        CASE WHEN jsonb_array_length(r -> 'reconnections') > 0
                 THEN casino_internal.page_table(w, w ->> 'reconnections',
                                                 casino_internal.page_named(r -> 'reconnections'),
                                                 '{time:at,player}') END,
        CASE WHEN jsonb_array_length(r -> 'breaches') > 0
                 THEN casino_internal.page_table(w, w ->> 'breaches',
                                                 casino_internal.page_named(r -> 'breaches'),
                                                 '{time:at,player,about:rule,number:entry_no}') END,
        casino_internal.page_table(w, w ->> CASE WHEN only_player IS NULL THEN 'steps' ELSE 'own_steps' END,
            (SELECT jsonb_agg(jsonb_build_object('step', w ->> s.act, 'at', r #>> ARRAY['times', s.act],
                                                 'role', r #>> ARRAY['recorded_by', s.act, 'role'],
                                                 'who', r #>> ARRAY['recorded_by', s.act, 'actor'])
                                                     ORDER BY s.n)
               FROM unnest(ARRAY['opened', 'betting_until', 'betting_closed', 'actions_closed', 'evaluated',
                                 'withheld', 'withheld_paid', 'voided']) WITH ORDINALITY s (act, n)
              WHERE r #>> ARRAY['times', s.act] IS NOT NULL),
            '{step,time:at,role,who}'),
        xmlelement(name section, xmlelement(name h2, w ->> 'document'),
            CASE WHEN r -> 'document' = 'null' THEN xmlelement(name p, xmlattributes('none' AS class),
                w ->> 'none')
                 ELSE xmlelement(name pre, casino_internal.page_text(jsonb_pretty(r -> 'document'))) END,
            CASE WHEN jsonb_array_length(r -> 'deals') > 0
                     THEN xmlelement(name details, xmlelement(name summary, w ->> 'deals'),
                                     xmlelement(name pre,
                                                casino_internal.page_text(jsonb_pretty(r -> 'deals')))) END),
        xmlelement(name section, xmlelement(name details, xmlelement(name summary, w ->> 'rules'),
            casino_internal.page_table(w, NULL,
                (SELECT jsonb_agg(jsonb_build_object('rule', x.key, 'value', x.value ->> 'value',
                                                     'paragraph', x.value ->> 'paragraph') ORDER BY x.key)
                   FROM jsonb_each(r #> '{plan,rules}') x), '{rule,value,paragraph}')))) INTO body;
    RETURN casino_internal.page_frame(w, title, ARRAY[
        'player', (SELECT casino_internal.page_text(p.external_ref)
                     FROM casino.player p
                    WHERE p.player_id = only_player),
        'game', w ->> ('game.' || (r #>> '{table,game}')), 'table', r #>> '{table,name}',
        'plan', format(w ->> 'plan_words', r #>> '{plan,document}', r #>> '{plan,version}'),
        'status', w ->> ('state.' || (r #>> '{round,status}')),
        'period', concat_ws(' – ', casino_internal.page_time(w, (r #>> '{times,opened}')::timestamptz),
            casino_internal.page_time(w,
                                      coalesce(r #>> '{times,voided}',
                                               r #>> '{times,evaluated}')::timestamptz)),
        'limits_of_table', casino_internal.page_money(w, (r #>> '{table,min_stake}')::numeric) || ' – '
            || casino_internal.page_money(w, (r #>> '{table,max_stake}')::numeric),
        'floor', (SELECT string_agg(format('%s: %s', w ->> ('fact.' || f.key), f.value), ', ' ORDER BY f.key)
                    FROM jsonb_each_text(r -> 'facts') f),
        'ground', r #>> ARRAY['plan', 'rules',
                                       'ground_' || coalesce(r #>> '{round,void_ground}',
                                                             r #>> '{round,withheld_ground}'),
                                       'value'],
        'filters', format(w ->> 'filter_round', round_id),
        'seal', casino_internal.page_round_seal(w, round_id, only_player)], body);
END
$fn$;
COMMENT ON FUNCTION casino_internal.page_of_round(jsonb, text)
    IS 'Part of round_page() and player_round_page(): the page of a recall of a round';

CREATE FUNCTION casino_internal.round_page_impl(round_id bigint, lang text) RETURNS text
    LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp
    RETURN casino_internal.page_of_round(casino.game_recall(round_id), lang);
COMMENT ON FUNCTION casino_internal.round_page_impl(bigint, text)
    IS 'Body of round_page(), run as the owner of the ledger';

-- R9.70: what may be given away
CREATE FUNCTION casino.player_round_page(player_id bigint, round_id bigint, lang text DEFAULT 'cs')
    RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.player_round_page(bigint, bigint, text)
    IS 'The part of round_page() that is of one player, which may be given to the player: result, cards of '
       'the table and of the player, wagers with odds and paragraphs, refusals, corrections, the seal; no '
       'other player, nobody of the staff';

CREATE FUNCTION casino_internal.player_round_page_impl(player_id bigint, round_id bigint, lang text)
    RETURNS text
    LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp
    RETURN casino_internal.page_of_round(casino.player_recall(player_id, round_id), lang);
COMMENT ON FUNCTION casino_internal.player_round_page_impl(bigint, bigint, text)
    IS 'Body of player_round_page(), run as the owner of the ledger';
