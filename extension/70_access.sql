-- Privileges: what each kind of work needs, in one list.

CREATE FUNCTION casino.access_profiles(OUT profile text, OUT object_type text, OUT object_name text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 100 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT p.profile, p.object_type, n.object_name
      FROM (VALUES
        -- rounds, stakes, money in; exclusions and limits the player asks for
        ('backend', 'function', 'register_player deposit open_round place_bet place_bets try_place_bets announced_bets cancel_bet
                                 disconnect close_betting deal close_actions settle_round void_round pay_withheld quote max_win explain_break
                                 exclude_player set_limit limits_in_force request_withdrawal plan_in_force withheld_wager'),
        ('backend', 'table',    'game game_plan plan_rule bet_rule paytable announced_rule game_table table_limit round dealt_hand
                                 player wager statement player_limit exclusion'),
        -- reads everything, writes nothing
        ('compliance', 'function', 'quote max_win announced_bets explain_break plan_in_force limits_in_force limit_usage withheld_winnings withheld_wager'),
        ('compliance', 'table',    '*'),
        -- reads, reconciliation
        ('nightly', 'function', 'quote max_win plan_in_force limits_in_force limit_usage withheld_winnings withheld_wager'),
        ('nightly', 'table',    '*'),
        -- withdrawals and withheld winnings
        ('cashier', 'function', 'request_withdrawal pay_withdrawal cancel_withdrawal set_payment_account pay_withheld withheld_winnings'),
        ('cashier', 'table',    'player statement pending_withdrawals unpaid_winnings payment_account')
      ) p (profile, object_type, names)
     CROSS JOIN LATERAL regexp_split_to_table(p.names, '\s+') n (object_name)

$fn$;
COMMENT ON FUNCTION casino.access_profiles() IS 'What grant_access() grants: functions to execute and tables or views to read (* for all), by profile';

CREATE FUNCTION casino.grant_access(role name, profile text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    object record;
BEGIN
    IF role IS NULL OR NOT EXISTS (SELECT FROM casino.access_profiles() a WHERE a.profile = grant_access.profile) THEN
        RAISE EXCEPTION 'unknown profile "%"', profile
            USING ERRCODE = 'invalid_parameter_value', HINT = 'Profiles are backend, compliance, nightly and cashier.';
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA casino TO %I', role);
    -- types, and the pure functions behind their operators, views and questions
    FOR object IN SELECT t.oid::regtype AS name FROM pg_type t
                   WHERE t.typnamespace = 'casino'::regnamespace AND t.typname IN ('card', 'hand', 'bet') LOOP
        EXECUTE format('GRANT USAGE ON TYPE %s TO %I', object.name, role);
    END LOOP;
    FOR object IN SELECT p.oid::regprocedure AS name FROM pg_proc p
                   WHERE p.pronamespace = 'casino'::regnamespace
                     AND (p.provolatile = 'i'
                          OR p.proname IN (SELECT a.object_name FROM casino.access_profiles() a
                                            WHERE a.profile = grant_access.profile AND a.object_type = 'function')) LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', object.name, role);
    END LOOP;
    FOR object IN SELECT c.oid::regclass AS name FROM pg_class c
                   WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v')
                     AND EXISTS (SELECT FROM casino.access_profiles() a
                                  WHERE a.profile = grant_access.profile AND a.object_type = 'table'
                                    AND a.object_name IN ('*', c.relname)) LOOP
        EXECUTE format('GRANT SELECT ON %s TO %I', object.name, role);
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.grant_access(name, text) IS 'Gives an existing role what its work needs: backend, compliance, nightly or cashier';

CREATE FUNCTION casino.revoke_access(role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA casino FROM %I', role);
    EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA casino FROM %I', role);
    EXECUTE format('REVOKE ALL ON TYPE casino.card, casino.hand, casino.bet FROM %I', role);
    EXECUTE format('REVOKE ALL ON SCHEMA casino FROM %I', role);
END
$fn$;
COMMENT ON FUNCTION casino.revoke_access(name) IS 'Takes from a role all that grant_access() gave it';
