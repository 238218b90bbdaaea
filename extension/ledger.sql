-- The ledger's functions in C, and the trigger functions.

CREATE TYPE casino.settlement AS (
    round_id     bigint,
    status       text,
    wagers       bigint,
    players      bigint,
    staked       numeric,
    paid         numeric,
    house_result numeric,
    at           timestamptz
);
COMMENT ON TYPE casino.settlement IS 'How a round ended: settled, withheld or voided, wagers, players, CZK staked, paid (or to be paid) and the house''s result';

CREATE TYPE casino.limit_usage AS (
    player_id    bigint,
    day          date,
    staked_day   numeric,
    lost_day     numeric,
    month        date,
    staked_month numeric,
    lost_month   numeric,
    open_staked  numeric
);
COMMENT ON TYPE casino.limit_usage IS 'What a player staked and lost on a Prague day and in its month, and his open stakes, in CZK';

CREATE FUNCTION casino.entry_kinds(OUT kind text, OUT debit_account text, OUT credit_account text,
                                   OUT wallet_sign integer, OUT meaning text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_entry_kinds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 9;
COMMENT ON FUNCTION casino.entry_kinds() IS 'Kinds of ledger entries with the accounts a positive amount is debited and credited to, and its sign in the wallet';

CREATE FUNCTION casino.bounded(value text, name text, bytes integer) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_bounded' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bounded(text, text, integer) IS 'Part of the functions that keep texts: the value itself, 22001 naming it when it has more bytes';

CREATE FUNCTION casino.event_time(at timestamptz, not_before timestamptz DEFAULT NULL) RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'casino_sql_event_time' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.event_time(timestamptz, timestamptz) IS 'The time itself if an event may be dated so: finite and within casino.clock_skew of the clock when the call came, else KL005; of NULL the clock''s, or not_before if that is later';

CREATE FUNCTION casino.await_round(round_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_await_round' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.await_round(bigint) IS 'Part of open_round(): waits for whoever closes or evaluates the round, and keeps it as it is until the transaction ends';

CREATE FUNCTION casino.place_bets(round_id bigint, player_id bigint, bets casino.bet[], request_id text DEFAULT NULL,
                                  seat integer DEFAULT NULL, hand integer DEFAULT NULL,
                                  at timestamptz DEFAULT NULL) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_place_bets' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.place_bets(bigint, bigint, casino.bet[], text, integer, integer, timestamptz) IS 'Places all bets or none and returns their entry numbers in order; the same request again returns the same numbers';

CREATE FUNCTION casino.place_bet(round_id bigint, player_id bigint, bet casino.bet, request_id text DEFAULT NULL,
                                 seat integer DEFAULT NULL, hand integer DEFAULT NULL,
                                 at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_place_bet' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.place_bet(bigint, bigint, casino.bet, text, integer, integer, timestamptz) IS 'Places one bet and returns its entry number; the same request again returns the same number';

CREATE FUNCTION casino.cancel_bet(round_id bigint, player_id bigint, request_id text,
                                  at timestamptz DEFAULT NULL) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_cancel_bet' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.cancel_bet(bigint, bigint, text, timestamptz) IS 'Returns the stakes of a request before betting closes, with those that cannot stand without them, and gives the refunds'' entry numbers; a request that has not arrived is refused when it does';

CREATE FUNCTION casino.disconnect(round_id bigint, player_id bigint, at timestamptz DEFAULT NULL) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_disconnect' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.disconnect(bigint, bigint, timestamptz) IS 'Returns a player''s stakes while betting is open; afterwards they stay and casino.disconnection records it (D4 §9.3 and the games'' paragraphs on disconnection). Gives the refunds'' entry numbers';

CREATE FUNCTION casino.close_betting(round_id bigint, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_close_betting' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.close_betting(bigint, timestamptz) IS 'No bet is taken or cancelled any more; waits for those being placed. Stakes dated after it go back (reason late), with what cannot stand without them; a NOTICE says how many';

CREATE FUNCTION casino.deal(round_id bigint, partial_outcome jsonb, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_deal' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.deal(bigint, jsonb, timestamptz) IS 'Keeps the cards that lie on the table so far, each time all of them; in-play wagers are judged by them from then on (KB005)';

CREATE FUNCTION casino.close_actions(round_id bigint, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_close_actions' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.close_actions(bigint, timestamptz) IS 'The players'' decisions are over: no in-play wager is taken any more (KB005)';

CREATE FUNCTION casino.hand_over_box(round_id bigint, seat integer, player_id bigint, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_hand_over_box' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.hand_over_box(bigint, integer, bigint, timestamptz) IS 'The owner of the box is absent: from here on the second player on it decides (D3 §1), or the owner again when he is back. Who takes over has followed what was decided before. The same again changes nothing';

CREATE FUNCTION casino.settle_round(round_id bigint, outcome jsonb, at timestamptz DEFAULT NULL,
                                    withhold boolean DEFAULT false, withhold_reason text DEFAULT NULL) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_settle_round' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.settle_round(bigint, jsonb, timestamptz, boolean, text) IS 'Grades every wager of the round and posts the payouts, or withholds them; the same outcome again returns the same settlement. Of a round still open it closes betting, as close_betting() does';

CREATE FUNCTION casino.void_round(round_id bigint, reason text, at timestamptz DEFAULT NULL) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_void_round' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.void_round(bigint, text, timestamptz) IS 'Returns every stake of the round';

CREATE FUNCTION casino.pay_withheld(round_id bigint, at timestamptz DEFAULT NULL, player_id bigint DEFAULT NULL) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_pay_withheld' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.pay_withheld(bigint, timestamptz, bigint) IS 'Posts the payouts that were withheld: of one player, or all that the round''s own withholding holds back (where only single players are withheld, theirs)';

CREATE FUNCTION casino.withhold_winnings(round_id bigint, player_id bigint, reason text, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_withhold_winnings' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.withhold_winnings(bigint, bigint, text, timestamptz) IS 'Holds back what a player wins in a round (NULL: what all win) when it is settled; the others are paid (D4 §11.1, D0)';

CREATE FUNCTION casino.void_wagers(round_id bigint, player_id bigint, reason text, at timestamptz DEFAULT NULL) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_void_wagers' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.void_wagers(bigint, bigint, text, timestamptz) IS 'Returns the stakes of a player whose winnings are withheld: his wagers are void (D0). The round''s figures stay those of its evaluation';

CREATE FUNCTION casino.withheld_winnings(round_id bigint, OUT player_id bigint, OUT entry_no bigint, OUT bet casino.bet,
                                         OUT grade text, OUT payout numeric) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_withheld_winnings' LANGUAGE C STABLE STRICT PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION casino.withheld_winnings(bigint) IS 'Part of casino.unpaid_winnings: wagers of a withheld round that won and are not paid';

CREATE FUNCTION casino.evaluated_wager(round_id bigint, player_id bigint, entry_no bigint, OUT grade text, OUT payout numeric,
                                       OUT capped boolean, OUT breach text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_evaluated_wager' LANGUAGE C STABLE STRICT PARALLEL UNSAFE ROWS 1;
COMMENT ON FUNCTION casino.evaluated_wager(bigint, bigint, bigint) IS 'Part of casino.evaluation and casino.wager: what the rules give a wager of an evaluated round; no row for one that was returned';

CREATE FUNCTION casino.store_in_use() RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_store_in_use' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.store_in_use() IS 'Are the ledger and the players read and written beside the executor; false where something was added to them that an INSERT or UPDATE must honour, above READ COMMITTED, and with casino.store = off';

CREATE FUNCTION casino.ledger_post() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_ledger_post' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.ledger_post() IS 'Trigger of casino.ledger: checks, numbers and books every entry';

CREATE FUNCTION casino.refuse_change() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_refuse_change' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.refuse_change() IS 'Trigger of append-only tables: KL001';

CREATE FUNCTION casino.player_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_player_guard' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.player_guard() IS 'Trigger of casino.player: only the ledger changes players';

CREATE FUNCTION casino.record_who() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_record_who' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.record_who() IS 'Trigger of evidence: fills in who did it, by pairs of columns (who, when)';

CREATE FUNCTION casino.recorder_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_recorder_guard' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.recorder_guard() IS 'Trigger of casino.recorder: only the ledger''s own code enters rows';

CREATE FUNCTION casino.recorded_by() RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_recorded_by' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.recorded_by() IS 'Part of functions that record: number in casino.recorder of who called';

CREATE FUNCTION casino.round_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'round % is not deleted', OLD.round_id
            USING ERRCODE = 'KR002', DETAIL = 'Rounds are evidence.';
    END IF;
    IF (OLD.round_id, OLD.table_id, OLD.table_version, OLD.round_ref, OLD.plan_id, OLD.opened_at)
       IS DISTINCT FROM (NEW.round_id, NEW.table_id, NEW.table_version, NEW.round_ref, NEW.plan_id, NEW.opened_at) THEN
        RAISE EXCEPTION 'what round % was opened as does not change', OLD.round_id
            USING ERRCODE = 'KR002', DETAIL = 'That is its number, table and its version, round_ref, plan version and time of opening.';
    END IF;
    IF OLD.withheld_at IS NOT NULL AND (OLD.withheld_at, OLD.withheld_reason) IS DISTINCT FROM (NEW.withheld_at, NEW.withheld_reason) THEN
        RAISE EXCEPTION 'why round % is withheld does not change', OLD.round_id
            USING ERRCODE = 'KR002', DETAIL = format('It is: %s', OLD.withheld_reason);
    END IF;
    -- once evaluated: the figures are filled in once, and what is withheld is paid once, or voided
    IF OLD.status IN ('withheld', 'settled', 'voided')
       AND ((OLD.outcome, OLD.outcome_document, OLD.evaluated_at, OLD.evaluation_recorded_at, OLD.betting_closed_at, OLD.actions_closed_at, OLD.withheld_at)
            IS DISTINCT FROM (NEW.outcome, NEW.outcome_document, NEW.evaluated_at, NEW.evaluation_recorded_at, NEW.betting_closed_at, NEW.actions_closed_at,
                              NEW.withheld_at)
            OR ((OLD.void_reason, OLD.voided_at) IS DISTINCT FROM (NEW.void_reason, NEW.voided_at)
                OR (OLD.wagers IS NOT NULL AND (OLD.wagers, OLD.players, OLD.staked, OLD.paid)
                    IS DISTINCT FROM (NEW.wagers, NEW.players, NEW.staked, NEW.paid))) AND (OLD.status, NEW.status) <> ('withheld', 'voided')
            OR (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN (('withheld', 'settled'), ('withheld', 'voided')))) THEN
        RAISE EXCEPTION 'round % is %', OLD.round_id, OLD.status
            USING ERRCODE = 'KR002', DETAIL = 'An evaluated round does not change.';
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino.round_guard() IS 'Trigger of casino.round: evaluated rounds do not change, none is deleted';

CREATE FUNCTION casino.table_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF TG_OP = 'DELETE' OR (OLD.table_id, OLD.game, OLD.name) IS DISTINCT FROM (NEW.table_id, NEW.game, NEW.name)
       OR NEW.versions NOT IN (OLD.versions, OLD.versions + 1) THEN
        RAISE EXCEPTION 'table "%" of % does not change', OLD.name, OLD.game
            USING ERRCODE = 'KL001', DETAIL = 'Rounds were played at it as what it is.',
                  HINT = 'casino.set_table_limits() changes limits and switches; another game is another table.';
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino.table_guard() IS 'Trigger of casino.game_table: number, game and name of a table never change, none is deleted';

CREATE FUNCTION casino.dealt_hand_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    affected bigint[] := ARRAY[]::bigint[];
    evaluated casino.round;
BEGIN
    IF TG_OP IN ('UPDATE', 'DELETE') THEN
        affected := affected || OLD.round_id;
    END IF;
    IF TG_OP IN ('UPDATE', 'INSERT') THEN
        affected := affected || NEW.round_id;
    END IF;
    SELECT r.* INTO evaluated FROM casino.round r
     WHERE r.round_id = ANY (affected) AND r.status IN ('withheld', 'settled', 'voided') LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'round % is %', evaluated.round_id, evaluated.status
            USING ERRCODE = 'KR002', DETAIL = 'The cards of an evaluated round do not change.';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino.dealt_hand_guard() IS 'Trigger of casino.dealt_hand: the cards of an evaluated round do not change';
