-- tampers with the books: it drops them
-- An owner of the tables who is no superuser: set up as doc/operations.md says it, granted, used, revoked;
-- what cannot be granted or taken is said.
SET client_min_messages = warning;
SELECT no_plan();
\set part `sed -n '/^## May an ordinary role/,/^## Who may/p' doc/operations.md`
\setenv PART :part
\set superuser `printf %s "$PART" | awk '/^...psql$/ { n++; on = 1; next } /^...$/ { on = 0 } on && n == 1'`
\set theirs `printf %s "$PART" | awk '/^...psql$/ { n++; on = 1; next } /^...$/ { on = 0 } on && n == 2'`
SELECT isnt(:'superuser'::text, '', 'the guide has lines for the superuser');
SELECT isnt(:'theirs'::text, '', 'and for the owner');
CREATE ROLE game_server LOGIN; CREATE ROLE owner_bystander LOGIN;
CREATE FUNCTION public.told(command text, OUT code text, OUT message text,
                            OUT detail text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE command;
    code := 'done';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
END $$;
CREATE FUNCTION public.as_role(role text, command text, OUT code text, OUT message text,
                               OUT detail text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SET LOCAL ROLE %I', role);
    SELECT t.* INTO code, message, detail FROM public.told(command) t;
    RESET ROLE;
END $$;

-- without give_to(): what the owner may not do is an error, and nothing is half done
DROP SCHEMA casino CASCADE;
CREATE EXTENSION casino;
CREATE ROLE owner_poor;
GRANT USAGE, CREATE ON SCHEMA casino, casino_internal TO owner_poor;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA casino, casino_internal TO owner_poor;
GRANT USAGE ON TYPE casino.card, casino.hand, casino.bet TO owner_poor;
SELECT is((as_role('owner_poor', 'SELECT casino.install()')).code, 'done',
          'without grant options: install() works');
SELECT is(a.code, '42501', 'grant_access() does not say that it worked')
  FROM as_role('owner_poor', 'SELECT casino.grant_access(''game_server'', ''backend'')') a;
SELECT matches(a.message,
               '^role "game_server" could not be given profile "backend": '
               '[1-9][0-9]* privileges are missing$', 'but what is missing')
  FROM as_role('owner_poor', 'SELECT casino.grant_access(''game_server'', ''backend'')') a;
SELECT is_empty($$SELECT FROM casino_internal.granted_objects() g
                WHERE g.grantee = 'game_server'::regrole$$, 'and nothing is granted');
SELECT casino.grant_access('game_server', 'backend');
SELECT is(a.code, '42501', 'revoke_access() of what a superuser granted does not say that it worked')
  FROM as_role('owner_poor', 'SELECT casino.revoke_access(''game_server'')') a;
SELECT matches(a.detail, 'EXECUTE on ROUTINE .*, granted by ' || current_user,
               'it names what is left and who granted it')
                   FROM as_role('owner_poor', 'SELECT casino.revoke_access(''game_server'')') a;
SELECT is((as_role('game_server', 'SELECT casino.bet_kinds()')).code, 'done', 'and nothing was taken');
SELECT is((told('SELECT casino.revoke_access(''game_server'')')).code, 'done', 'the superuser takes it');
SELECT is_empty($$SELECT FROM casino_internal.granted_objects() g
                WHERE g.grantee = 'game_server'::regrole$$, 'all of it');
SELECT is((as_role('owner_poor', 'SELECT casino.give_to(''owner_poor'')')).code, '42501',
          'nobody gives himself what he needs');
SELECT is((told('SELECT casino.give_to(NULL)')).code, '22004', 'give_to(NULL)');
SELECT is((told('SELECT casino.give_to(''owner_nobody'')')).code, '42704',
          'give_to() somebody who is not there');
SELECT is((told('SELECT casino.revoke_access(NULL)')).code, '22004', 'revoke_access(NULL)');
SELECT is((told('SELECT casino.revoke_access(''owner_nobody'')')).code, '42704',
          'revoke_access() of somebody who is not there');
SELECT is((told('SELECT casino.grant_access(''owner_nobody'', ''backend'')')).code, '42704',
          'grant_access() to somebody who is not there');

-- as the guide says it
DROP SCHEMA casino CASCADE;
:superuser
:theirs
SELECT is((told('SELECT casino.grant_access(''game_server'', ''backend'')')).code, 'done',
          'the owner grants, again too');
SELECT is((told('SELECT casino.add_game_table(''roulette_synot'', ''R'', 10, 1000)')).code, 'done',
          'he has tables');
SELECT is((told(format('SELECT casino.grant_access(''owner_bystander'', %L)', p))).code, 'done',
          'he grants the profile ' || p) FROM (SELECT DISTINCT a.profile AS p FROM casino.access_profiles() a
                                               ORDER BY 1) x;
SELECT is((told('SELECT casino.revoke_access(''owner_bystander'')')).code, 'done', 'and takes all of them');
SELECT is_empty($$SELECT FROM casino_internal.granted_objects() g
                WHERE g.grantee = 'owner_bystander'::regrole$$, 'whole');
RESET ROLE;
SELECT is((as_role('game_server', 'SELECT casino.deposit(casino.register_player(''x''), 1000, ''d'')')).code,
          'done', 'the profile is used');
SELECT is((as_role('game_server',
                   'SELECT casino.place_bet(casino.open_round(1, ''r''), 1, ''red@10'')')).code, 'done',
                       'a round, too');
SELECT is((as_role('casino_owner', 'SELECT casino.install()')).code, 'done', 'the owner installs again');
SELECT casino.give_to('casino_owner');
SELECT is((as_role('casino_owner', 'SELECT casino.install()')).code, 'done',
          'given once more it is the same');
SELECT is((as_role('casino_owner', 'SELECT casino.verify(), casino.daily_report(current_date - 1)')).code,
          'done', 'he verifies and reports');
SET ROLE casino_owner;
CALL casino.reconcile(current_date - 1, current_date - 1);
RESET ROLE;
SELECT is_empty('SELECT * FROM casino.difference',
                'he reconciles, and the guard has nothing to say of what give_to() gave');
SELECT is((told('SELECT casino.revoke_access(''game_server'')')).code, '42501',
          'somebody else, a superuser too, does not take what the owner granted without saying so');
SELECT is((as_role('game_server', 'SELECT casino.deposit(1, 10, ''d2'')')).code, 'done',
          'then nothing is taken');
SELECT is((as_role('casino_owner', 'SELECT casino.revoke_access(''game_server'')')).code, 'done',
          'the owner revokes');
SELECT is((as_role('game_server', 'SELECT casino.deposit(1, 1000000, ''d3'')')).code, '42501',
          'and what was revoked is not to be used');
SELECT is_empty($$SELECT FROM casino_internal.granted_objects() g
                WHERE g.grantee = 'game_server'::regrole$$, 'nothing is left');

-- R12.170: DROP OWNED would take all evidence without a question
SELECT throws_ok('DROP OWNED BY ' || roles, 'KL001', 'DROP OWNED BY the owner of the ledger is refused',
                 'R12.170: DROP OWNED BY ' || roles || ' is refused')
  FROM unnest(ARRAY['casino_owner', 'owner_bystander, casino_owner CASCADE', 'casino_owner RESTRICT']) roles;
SELECT is((as_role('casino_owner', 'DROP OWNED BY ' || role)).code, 'KL001',
          'R12.170: the owner is refused, too, by the name ' || role)
  FROM unnest(ARRAY['casino_owner', 'CURRENT_USER']) role;
SET session_replication_role = replica;
SELECT throws_ok('DROP OWNED BY casino_owner', 'KL001', NULL, 'R12.170: also on a replica');
RESET session_replication_role;
SELECT is((SELECT count(*) FROM casino.player), 1::bigint, 'nothing was dropped');
CREATE TABLE owned_by_bystander ();
ALTER TABLE owned_by_bystander OWNER TO owner_bystander;
SELECT is((as_role('casino_owner', 'SELECT casino.grant_access(''owner_bystander'', ''cashier'')')).code,
          'done', 'another role gets a profile');
DROP OWNED BY owner_bystander;
SELECT is(to_regclass('owned_by_bystander'), NULL,
          'R12.170: DROP OWNED BY another role goes on, which has a profile');
SELECT throws_ok('SELECT casino_internal.refuse_drop_owned()', '39P03', NULL,
                 'it is an event trigger and nothing else');

DROP SCHEMA casino CASCADE;
SELECT is_empty('SELECT FROM pg_event_trigger WHERE evtname = ''casino_drop_owned''',
                'the event trigger goes with the extension');
DROP OWNED BY casino_owner, owner_poor, game_server, owner_bystander;
DROP ROLE casino_owner, owner_poor, game_server, owner_bystander;
SELECT * FROM finish();
