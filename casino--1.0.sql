-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION casino" to load this file. \quit

-- While this script runs PostgreSQL has schema casino on the search path, where others may have put an operator or a function:
-- what fits its arguments better than that of pg_catalog would be called, as the superuser. Every script begins with this line.
SET LOCAL search_path = pg_catalog, pg_temp;

DO $do$
DECLARE
    trusted CONSTANT oid[] := ARRAY[10::oid, (SELECT r.oid FROM pg_roles r WHERE r.rolname = current_user)];
    odd text;
BEGIN
    IF getdatabaseencoding() <> 'UTF8' THEN
        RAISE EXCEPTION 'casino needs a database with the encoding UTF8'
            USING ERRCODE = 'feature_not_supported', DETAIL = format('This one has %s.', getdatabaseencoding()),
                  HINT = 'CREATE DATABASE ... ENCODING ''UTF8'' TEMPLATE template0';
    END IF;
    -- whoever owns the schema can replace what is in it (10 is the role that initdb made)
    SELECT n.nspowner::regrole::text INTO odd FROM pg_namespace n WHERE n.nspname = 'casino' AND n.nspowner <> ALL (trusted);
    IF FOUND THEN
        RAISE EXCEPTION 'schema casino belongs to %', odd
            USING ERRCODE = 'insufficient_privilege', DETAIL = 'Its owner could replace whatever the extension puts there.',
                  HINT = 'Drop the schema, CREATE EXTENSION makes it; or, if you trust all that is in it, change its owner.';
    END IF;
    -- tables and views of a former installation may be there; owners that initdb made are not in pg_shdepend
    SELECT string_agg(pg_describe_object(d.classid, d.objid, 0), ', ' ORDER BY d.classid, d.objid) INTO odd
      FROM pg_depend d
     WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = 'casino'::regnamespace
       AND d.classid <> ALL (ARRAY['pg_extension'::regclass, 'pg_default_acl'::regclass])
       AND (d.classid <> 'pg_class'::regclass
            OR EXISTS (SELECT FROM pg_shdepend o
                        WHERE o.dbid = (SELECT b.oid FROM pg_database b WHERE b.datname = current_database())
                          AND o.classid = d.classid AND o.objid = d.objid AND o.deptype = 'o' AND o.refobjid <> ALL (trusted)));
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION 'schema casino contains objects that the extension did not create'
            USING ERRCODE = 'insufficient_privilege', DETAIL = left(format('That is: %s.', odd), 1000),
                  HINT = 'Drop it first.';
    END IF;
END
$do$;
--
-- Types: card, hand and bet, with their functions, operators, casts and
-- operator classes.  What is granted to whom is decided in a later part.
--

--
-- card
--
CREATE TYPE casino.card;

CREATE FUNCTION casino.card_in(pg_catalog.cstring) RETURNS casino.card
	AS 'MODULE_PATHNAME', 'casino_sql_card_in'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_in(pg_catalog.cstring) IS 'text input of card';

CREATE FUNCTION casino.card_out(casino.card) RETURNS pg_catalog.cstring
	AS 'MODULE_PATHNAME', 'casino_sql_card_out'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_out(casino.card) IS 'text output of card';

CREATE FUNCTION casino.card_recv(pg_catalog.internal) RETURNS casino.card
	AS 'MODULE_PATHNAME', 'casino_sql_card_recv'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_recv(pg_catalog.internal) IS 'binary input of card';

CREATE FUNCTION casino.card_send(casino.card) RETURNS pg_catalog.bytea
	AS 'MODULE_PATHNAME', 'casino_sql_card_send'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_send(casino.card) IS 'binary output of card';

CREATE TYPE casino.card (
	INPUT = casino.card_in,
	OUTPUT = casino.card_out,
	RECEIVE = casino.card_recv,
	SEND = casino.card_send,
	INTERNALLENGTH = 1,
	PASSEDBYVALUE,
	ALIGNMENT = char,
	STORAGE = plain
);
COMMENT ON TYPE casino.card IS 'a playing card: rank 23456789TJQKA and suit cdhs, as As or Td; sorts by rank, then suit';

-- comparison of card: by rank (2 lowest, ace highest), then suit (c, d, h, s)
CREATE FUNCTION casino.card_lt(casino.card, casino.card) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_card_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_lt(casino.card, casino.card) IS 'implementation of < operator';

CREATE FUNCTION casino.card_le(casino.card, casino.card) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_card_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_le(casino.card, casino.card) IS 'implementation of <= operator';

CREATE FUNCTION casino.card_eq(casino.card, casino.card) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_card_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_eq(casino.card, casino.card) IS 'implementation of = operator';

CREATE FUNCTION casino.card_ne(casino.card, casino.card) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_card_ne'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_ne(casino.card, casino.card) IS 'implementation of <> operator';

CREATE FUNCTION casino.card_ge(casino.card, casino.card) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_card_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_ge(casino.card, casino.card) IS 'implementation of >= operator';

CREATE FUNCTION casino.card_gt(casino.card, casino.card) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_card_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_gt(casino.card, casino.card) IS 'implementation of > operator';

CREATE FUNCTION casino.card_cmp(casino.card, casino.card) RETURNS pg_catalog.int4
	AS 'MODULE_PATHNAME', 'casino_sql_card_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_cmp(casino.card, casino.card) IS 'less-equal-greater: by rank (2 lowest, ace highest), then suit (c, d, h, s)';

CREATE FUNCTION casino.card_sortsupport(pg_catalog.internal) RETURNS pg_catalog.void
	AS 'MODULE_PATHNAME', 'casino_sql_card_sortsupport'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_sortsupport(pg_catalog.internal) IS 'sort support of card';

CREATE FUNCTION casino.card_hash(casino.card) RETURNS pg_catalog.int4
	AS 'MODULE_PATHNAME', 'casino_sql_card_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_hash(casino.card) IS 'hash';

CREATE FUNCTION casino.card_hash_extended(casino.card, pg_catalog.int8) RETURNS pg_catalog.int8
	AS 'MODULE_PATHNAME', 'casino_sql_card_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_hash_extended(casino.card, pg_catalog.int8) IS '64 bit hash with a seed';

CREATE OPERATOR casino.< (
	LEFTARG = casino.card,
	RIGHTARG = casino.card,
	FUNCTION = casino.card_lt,
	COMMUTATOR = OPERATOR(casino.>),
	NEGATOR = OPERATOR(casino.>=),
	RESTRICT = pg_catalog.scalarltsel,
	JOIN = pg_catalog.scalarltjoinsel
);
COMMENT ON OPERATOR casino.< (casino.card, casino.card) IS 'less than';

CREATE OPERATOR casino.<= (
	LEFTARG = casino.card,
	RIGHTARG = casino.card,
	FUNCTION = casino.card_le,
	COMMUTATOR = OPERATOR(casino.>=),
	NEGATOR = OPERATOR(casino.>),
	RESTRICT = pg_catalog.scalarlesel,
	JOIN = pg_catalog.scalarlejoinsel
);
COMMENT ON OPERATOR casino.<= (casino.card, casino.card) IS 'less than or equal';

CREATE OPERATOR casino.= (
	LEFTARG = casino.card,
	RIGHTARG = casino.card,
	FUNCTION = casino.card_eq,
	COMMUTATOR = OPERATOR(casino.=),
	NEGATOR = OPERATOR(casino.<>),
	RESTRICT = pg_catalog.eqsel,
	JOIN = pg_catalog.eqjoinsel,
	HASHES,
	MERGES
);
COMMENT ON OPERATOR casino.= (casino.card, casino.card) IS 'equal';

CREATE OPERATOR casino.<> (
	LEFTARG = casino.card,
	RIGHTARG = casino.card,
	FUNCTION = casino.card_ne,
	COMMUTATOR = OPERATOR(casino.<>),
	NEGATOR = OPERATOR(casino.=),
	RESTRICT = pg_catalog.neqsel,
	JOIN = pg_catalog.neqjoinsel
);
COMMENT ON OPERATOR casino.<> (casino.card, casino.card) IS 'not equal';

CREATE OPERATOR casino.>= (
	LEFTARG = casino.card,
	RIGHTARG = casino.card,
	FUNCTION = casino.card_ge,
	COMMUTATOR = OPERATOR(casino.<=),
	NEGATOR = OPERATOR(casino.<),
	RESTRICT = pg_catalog.scalargesel,
	JOIN = pg_catalog.scalargejoinsel
);
COMMENT ON OPERATOR casino.>= (casino.card, casino.card) IS 'greater than or equal';

CREATE OPERATOR casino.> (
	LEFTARG = casino.card,
	RIGHTARG = casino.card,
	FUNCTION = casino.card_gt,
	COMMUTATOR = OPERATOR(casino.<),
	NEGATOR = OPERATOR(casino.<=),
	RESTRICT = pg_catalog.scalargtsel,
	JOIN = pg_catalog.scalargtjoinsel
);
COMMENT ON OPERATOR casino.> (casino.card, casino.card) IS 'greater than';

CREATE OPERATOR CLASS casino.card_ops
	DEFAULT FOR TYPE casino.card USING btree AS
	OPERATOR 1 casino.<,
	OPERATOR 2 casino.<=,
	OPERATOR 3 casino.=,
	OPERATOR 4 casino.>=,
	OPERATOR 5 casino.>,
	FUNCTION 1 casino.card_cmp(casino.card, casino.card),
	FUNCTION 2 casino.card_sortsupport(pg_catalog.internal),
	FUNCTION 4 pg_catalog.btequalimage(pg_catalog.oid);
COMMENT ON OPERATOR FAMILY casino.card_ops USING btree IS 'order of card: by rank (2 lowest, ace highest), then suit (c, d, h, s)';
COMMENT ON OPERATOR CLASS casino.card_ops USING btree IS 'order of card: by rank (2 lowest, ace highest), then suit (c, d, h, s)';

CREATE OPERATOR CLASS casino.card_ops
	DEFAULT FOR TYPE casino.card USING hash AS
	OPERATOR 1 casino.=,
	FUNCTION 1 casino.card_hash(casino.card),
	FUNCTION 2 casino.card_hash_extended(casino.card, pg_catalog.int8);
COMMENT ON OPERATOR FAMILY casino.card_ops USING hash IS 'hashing of card, also for hash partitions';
COMMENT ON OPERATOR CLASS casino.card_ops USING hash IS 'hashing of card, also for hash partitions';

--
-- hand
--
CREATE TYPE casino.hand;

CREATE FUNCTION casino.hand_in(pg_catalog.cstring) RETURNS casino.hand
	AS 'MODULE_PATHNAME', 'casino_sql_hand_in'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_in(pg_catalog.cstring) IS 'text input of hand';

CREATE FUNCTION casino.hand_out(casino.hand) RETURNS pg_catalog.cstring
	AS 'MODULE_PATHNAME', 'casino_sql_hand_out'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_out(casino.hand) IS 'text output of hand';

CREATE FUNCTION casino.hand_recv(pg_catalog.internal) RETURNS casino.hand
	AS 'MODULE_PATHNAME', 'casino_sql_hand_recv'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_recv(pg_catalog.internal) IS 'binary input of hand';

CREATE FUNCTION casino.hand_send(casino.hand) RETURNS pg_catalog.bytea
	AS 'MODULE_PATHNAME', 'casino_sql_hand_send'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_send(casino.hand) IS 'binary output of hand';

CREATE FUNCTION casino.hand_subscript_handler(pg_catalog.internal) RETURNS pg_catalog.internal
	AS 'MODULE_PATHNAME', 'casino_sql_hand_subscript_handler'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_subscript_handler(pg_catalog.internal) IS 'subscripting of hand: hand[i] fetches a card';

CREATE TYPE casino.hand (
	INPUT = casino.hand_in,
	OUTPUT = casino.hand_out,
	RECEIVE = casino.hand_recv,
	SEND = casino.hand_send,
	INTERNALLENGTH = VARIABLE,
	ALIGNMENT = int4,
	STORAGE = main,
	SUBSCRIPT = casino.hand_subscript_handler,
	ELEMENT = casino.card
);
COMMENT ON TYPE casino.hand IS 'up to 24 cards of any number of decks in the order dealt, as As Td 5c; hand[1] is the first';

-- comparison of hand: card by card, a hand before the hands it begins
CREATE FUNCTION casino.hand_lt(casino.hand, casino.hand) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_hand_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_lt(casino.hand, casino.hand) IS 'implementation of < operator';

CREATE FUNCTION casino.hand_le(casino.hand, casino.hand) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_hand_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_le(casino.hand, casino.hand) IS 'implementation of <= operator';

CREATE FUNCTION casino.hand_eq(casino.hand, casino.hand) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_hand_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_eq(casino.hand, casino.hand) IS 'implementation of = operator';

CREATE FUNCTION casino.hand_ne(casino.hand, casino.hand) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_hand_ne'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_ne(casino.hand, casino.hand) IS 'implementation of <> operator';

CREATE FUNCTION casino.hand_ge(casino.hand, casino.hand) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_hand_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_ge(casino.hand, casino.hand) IS 'implementation of >= operator';

CREATE FUNCTION casino.hand_gt(casino.hand, casino.hand) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_hand_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_gt(casino.hand, casino.hand) IS 'implementation of > operator';

CREATE FUNCTION casino.hand_cmp(casino.hand, casino.hand) RETURNS pg_catalog.int4
	AS 'MODULE_PATHNAME', 'casino_sql_hand_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_cmp(casino.hand, casino.hand) IS 'less-equal-greater: card by card, a hand before the hands it begins';

CREATE FUNCTION casino.hand_hash(casino.hand) RETURNS pg_catalog.int4
	AS 'MODULE_PATHNAME', 'casino_sql_hand_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_hash(casino.hand) IS 'hash';

CREATE FUNCTION casino.hand_hash_extended(casino.hand, pg_catalog.int8) RETURNS pg_catalog.int8
	AS 'MODULE_PATHNAME', 'casino_sql_hand_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_hash_extended(casino.hand, pg_catalog.int8) IS '64 bit hash with a seed';

CREATE OPERATOR casino.< (
	LEFTARG = casino.hand,
	RIGHTARG = casino.hand,
	FUNCTION = casino.hand_lt,
	COMMUTATOR = OPERATOR(casino.>),
	NEGATOR = OPERATOR(casino.>=),
	RESTRICT = pg_catalog.scalarltsel,
	JOIN = pg_catalog.scalarltjoinsel
);
COMMENT ON OPERATOR casino.< (casino.hand, casino.hand) IS 'less than';

CREATE OPERATOR casino.<= (
	LEFTARG = casino.hand,
	RIGHTARG = casino.hand,
	FUNCTION = casino.hand_le,
	COMMUTATOR = OPERATOR(casino.>=),
	NEGATOR = OPERATOR(casino.>),
	RESTRICT = pg_catalog.scalarlesel,
	JOIN = pg_catalog.scalarlejoinsel
);
COMMENT ON OPERATOR casino.<= (casino.hand, casino.hand) IS 'less than or equal';

CREATE OPERATOR casino.= (
	LEFTARG = casino.hand,
	RIGHTARG = casino.hand,
	FUNCTION = casino.hand_eq,
	COMMUTATOR = OPERATOR(casino.=),
	NEGATOR = OPERATOR(casino.<>),
	RESTRICT = pg_catalog.eqsel,
	JOIN = pg_catalog.eqjoinsel,
	HASHES,
	MERGES
);
COMMENT ON OPERATOR casino.= (casino.hand, casino.hand) IS 'equal';

CREATE OPERATOR casino.<> (
	LEFTARG = casino.hand,
	RIGHTARG = casino.hand,
	FUNCTION = casino.hand_ne,
	COMMUTATOR = OPERATOR(casino.<>),
	NEGATOR = OPERATOR(casino.=),
	RESTRICT = pg_catalog.neqsel,
	JOIN = pg_catalog.neqjoinsel
);
COMMENT ON OPERATOR casino.<> (casino.hand, casino.hand) IS 'not equal';

CREATE OPERATOR casino.>= (
	LEFTARG = casino.hand,
	RIGHTARG = casino.hand,
	FUNCTION = casino.hand_ge,
	COMMUTATOR = OPERATOR(casino.<=),
	NEGATOR = OPERATOR(casino.<),
	RESTRICT = pg_catalog.scalargesel,
	JOIN = pg_catalog.scalargejoinsel
);
COMMENT ON OPERATOR casino.>= (casino.hand, casino.hand) IS 'greater than or equal';

CREATE OPERATOR casino.> (
	LEFTARG = casino.hand,
	RIGHTARG = casino.hand,
	FUNCTION = casino.hand_gt,
	COMMUTATOR = OPERATOR(casino.<),
	NEGATOR = OPERATOR(casino.<=),
	RESTRICT = pg_catalog.scalargtsel,
	JOIN = pg_catalog.scalargtjoinsel
);
COMMENT ON OPERATOR casino.> (casino.hand, casino.hand) IS 'greater than';

CREATE OPERATOR CLASS casino.hand_ops
	DEFAULT FOR TYPE casino.hand USING btree AS
	OPERATOR 1 casino.<,
	OPERATOR 2 casino.<=,
	OPERATOR 3 casino.=,
	OPERATOR 4 casino.>=,
	OPERATOR 5 casino.>,
	FUNCTION 1 casino.hand_cmp(casino.hand, casino.hand),
	FUNCTION 4 pg_catalog.btequalimage(pg_catalog.oid);
COMMENT ON OPERATOR FAMILY casino.hand_ops USING btree IS 'order of hand: card by card, a hand before the hands it begins';
COMMENT ON OPERATOR CLASS casino.hand_ops USING btree IS 'order of hand: card by card, a hand before the hands it begins';

CREATE OPERATOR CLASS casino.hand_ops
	DEFAULT FOR TYPE casino.hand USING hash AS
	OPERATOR 1 casino.=,
	FUNCTION 1 casino.hand_hash(casino.hand),
	FUNCTION 2 casino.hand_hash_extended(casino.hand, pg_catalog.int8);
COMMENT ON OPERATOR FAMILY casino.hand_ops USING hash IS 'hashing of hand, also for hash partitions';
COMMENT ON OPERATOR CLASS casino.hand_ops USING hash IS 'hashing of hand, also for hash partitions';

-- cards of a hand
CREATE FUNCTION casino.card_count(casino.hand) RETURNS pg_catalog.int4
	AS 'MODULE_PATHNAME', 'casino_sql_hand_card_count'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.card_count(casino.hand) IS 'number of cards in the hand';

CREATE FUNCTION casino.cards(casino.hand) RETURNS casino.card[]
	AS 'MODULE_PATHNAME', 'casino_sql_hand_cards'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.cards(casino.hand) IS 'cards of the hand in the order dealt';

CREATE FUNCTION casino.hand(casino.card[]) RETURNS casino.hand
	AS 'MODULE_PATHNAME', 'casino_sql_hand_from_array'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand(casino.card[]) IS 'hand of these cards; refuses null elements, more than one dimension and more than 24 cards';

CREATE FUNCTION casino.hand_append(casino.hand, casino.card) RETURNS casino.hand
	AS 'MODULE_PATHNAME', 'casino_sql_hand_append'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_append(casino.hand, casino.card) IS 'implementation of || operator';

CREATE FUNCTION casino.hand_concat(casino.hand, casino.hand) RETURNS casino.hand
	AS 'MODULE_PATHNAME', 'casino_sql_hand_concat'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hand_concat(casino.hand, casino.hand) IS 'implementation of || operator';

CREATE OPERATOR casino.|| (
	LEFTARG = casino.hand,
	RIGHTARG = casino.card,
	FUNCTION = casino.hand_append
);
COMMENT ON OPERATOR casino.|| (casino.hand, casino.card) IS 'the hand after one more card';

CREATE OPERATOR casino.|| (
	LEFTARG = casino.hand,
	RIGHTARG = casino.hand,
	FUNCTION = casino.hand_concat
);
COMMENT ON OPERATOR casino.|| (casino.hand, casino.hand) IS 'the cards of both hands in order';

CREATE CAST (casino.hand AS casino.card[])
	WITH FUNCTION casino.cards(casino.hand) AS ASSIGNMENT;
COMMENT ON CAST (casino.hand AS casino.card[]) IS 'cards of the hand in the order dealt';

CREATE CAST (casino.card[] AS casino.hand)
	WITH FUNCTION casino.hand(casino.card[]) AS ASSIGNMENT;
COMMENT ON CAST (casino.card[] AS casino.hand) IS 'hand of these cards';

--
-- bet
--
CREATE TYPE casino.bet;

CREATE FUNCTION casino.bet_in(pg_catalog.cstring) RETURNS casino.bet
	AS 'MODULE_PATHNAME', 'casino_sql_bet_in'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet_in(pg_catalog.cstring) IS 'text input of bet';

CREATE FUNCTION casino.bet_out(casino.bet) RETURNS pg_catalog.cstring
	AS 'MODULE_PATHNAME', 'casino_sql_bet_out'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet_out(casino.bet) IS 'text output of bet';

CREATE FUNCTION casino.bet_recv(pg_catalog.internal) RETURNS casino.bet
	AS 'MODULE_PATHNAME', 'casino_sql_bet_recv'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet_recv(pg_catalog.internal) IS 'binary input of bet';

CREATE FUNCTION casino.bet_send(casino.bet) RETURNS pg_catalog.bytea
	AS 'MODULE_PATHNAME', 'casino_sql_bet_send'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet_send(casino.bet) IS 'binary output of bet';

CREATE TYPE casino.bet (
	INPUT = casino.bet_in,
	OUTPUT = casino.bet_out,
	RECEIVE = casino.bet_recv,
	SEND = casino.bet_send,
	INTERNALLENGTH = 16,
	ALIGNMENT = double,
	STORAGE = plain
);
COMMENT ON TYPE casino.bet IS 'a bet as kind[:selection]@amount in CZK: straight:17@100.00, split:17-20@50.00, red@10.00, 21+3@25.00';

-- comparison of bet: by kind in the order of bet_kinds(), selection, stake
CREATE FUNCTION casino.bet_lt(casino.bet, casino.bet) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_bet_lt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet_lt(casino.bet, casino.bet) IS 'implementation of < operator';

CREATE FUNCTION casino.bet_le(casino.bet, casino.bet) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_bet_le'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet_le(casino.bet, casino.bet) IS 'implementation of <= operator';

CREATE FUNCTION casino.bet_eq(casino.bet, casino.bet) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_bet_eq'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet_eq(casino.bet, casino.bet) IS 'implementation of = operator';

CREATE FUNCTION casino.bet_ne(casino.bet, casino.bet) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_bet_ne'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet_ne(casino.bet, casino.bet) IS 'implementation of <> operator';

CREATE FUNCTION casino.bet_ge(casino.bet, casino.bet) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_bet_ge'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet_ge(casino.bet, casino.bet) IS 'implementation of >= operator';

CREATE FUNCTION casino.bet_gt(casino.bet, casino.bet) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_bet_gt'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet_gt(casino.bet, casino.bet) IS 'implementation of > operator';

CREATE FUNCTION casino.bet_cmp(casino.bet, casino.bet) RETURNS pg_catalog.int4
	AS 'MODULE_PATHNAME', 'casino_sql_bet_cmp'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet_cmp(casino.bet, casino.bet) IS 'less-equal-greater: by kind in the order of bet_kinds(), selection, stake';

CREATE FUNCTION casino.bet_hash(casino.bet) RETURNS pg_catalog.int4
	AS 'MODULE_PATHNAME', 'casino_sql_bet_hash'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet_hash(casino.bet) IS 'hash';

CREATE FUNCTION casino.bet_hash_extended(casino.bet, pg_catalog.int8) RETURNS pg_catalog.int8
	AS 'MODULE_PATHNAME', 'casino_sql_bet_hash_extended'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet_hash_extended(casino.bet, pg_catalog.int8) IS '64 bit hash with a seed';

CREATE OPERATOR casino.< (
	LEFTARG = casino.bet,
	RIGHTARG = casino.bet,
	FUNCTION = casino.bet_lt,
	COMMUTATOR = OPERATOR(casino.>),
	NEGATOR = OPERATOR(casino.>=),
	RESTRICT = pg_catalog.scalarltsel,
	JOIN = pg_catalog.scalarltjoinsel
);
COMMENT ON OPERATOR casino.< (casino.bet, casino.bet) IS 'less than';

CREATE OPERATOR casino.<= (
	LEFTARG = casino.bet,
	RIGHTARG = casino.bet,
	FUNCTION = casino.bet_le,
	COMMUTATOR = OPERATOR(casino.>=),
	NEGATOR = OPERATOR(casino.>),
	RESTRICT = pg_catalog.scalarlesel,
	JOIN = pg_catalog.scalarlejoinsel
);
COMMENT ON OPERATOR casino.<= (casino.bet, casino.bet) IS 'less than or equal';

CREATE OPERATOR casino.= (
	LEFTARG = casino.bet,
	RIGHTARG = casino.bet,
	FUNCTION = casino.bet_eq,
	COMMUTATOR = OPERATOR(casino.=),
	NEGATOR = OPERATOR(casino.<>),
	RESTRICT = pg_catalog.eqsel,
	JOIN = pg_catalog.eqjoinsel,
	HASHES,
	MERGES
);
COMMENT ON OPERATOR casino.= (casino.bet, casino.bet) IS 'equal';

CREATE OPERATOR casino.<> (
	LEFTARG = casino.bet,
	RIGHTARG = casino.bet,
	FUNCTION = casino.bet_ne,
	COMMUTATOR = OPERATOR(casino.<>),
	NEGATOR = OPERATOR(casino.=),
	RESTRICT = pg_catalog.neqsel,
	JOIN = pg_catalog.neqjoinsel
);
COMMENT ON OPERATOR casino.<> (casino.bet, casino.bet) IS 'not equal';

CREATE OPERATOR casino.>= (
	LEFTARG = casino.bet,
	RIGHTARG = casino.bet,
	FUNCTION = casino.bet_ge,
	COMMUTATOR = OPERATOR(casino.<=),
	NEGATOR = OPERATOR(casino.<),
	RESTRICT = pg_catalog.scalargesel,
	JOIN = pg_catalog.scalargejoinsel
);
COMMENT ON OPERATOR casino.>= (casino.bet, casino.bet) IS 'greater than or equal';

CREATE OPERATOR casino.> (
	LEFTARG = casino.bet,
	RIGHTARG = casino.bet,
	FUNCTION = casino.bet_gt,
	COMMUTATOR = OPERATOR(casino.<),
	NEGATOR = OPERATOR(casino.<=),
	RESTRICT = pg_catalog.scalargtsel,
	JOIN = pg_catalog.scalargtjoinsel
);
COMMENT ON OPERATOR casino.> (casino.bet, casino.bet) IS 'greater than';

CREATE OPERATOR CLASS casino.bet_ops
	DEFAULT FOR TYPE casino.bet USING btree AS
	OPERATOR 1 casino.<,
	OPERATOR 2 casino.<=,
	OPERATOR 3 casino.=,
	OPERATOR 4 casino.>=,
	OPERATOR 5 casino.>,
	FUNCTION 1 casino.bet_cmp(casino.bet, casino.bet),
	FUNCTION 4 pg_catalog.btequalimage(pg_catalog.oid);
COMMENT ON OPERATOR FAMILY casino.bet_ops USING btree IS 'order of bet: by kind in the order of bet_kinds(), selection, stake';
COMMENT ON OPERATOR CLASS casino.bet_ops USING btree IS 'order of bet: by kind in the order of bet_kinds(), selection, stake';

CREATE OPERATOR CLASS casino.bet_ops
	DEFAULT FOR TYPE casino.bet USING hash AS
	OPERATOR 1 casino.=,
	FUNCTION 1 casino.bet_hash(casino.bet),
	FUNCTION 2 casino.bet_hash_extended(casino.bet, pg_catalog.int8);
COMMENT ON OPERATOR FAMILY casino.bet_ops USING hash IS 'hashing of bet, also for hash partitions';
COMMENT ON OPERATOR CLASS casino.bet_ops USING hash IS 'hashing of bet, also for hash partitions';

-- parts of a bet
-- Not STRICT: a NULL selection means none, as in bet('red', NULL, 10); a NULL
-- kind or stake gives NULL.
CREATE FUNCTION casino.bet(kind pg_catalog.text, selection pg_catalog.text, stake pg_catalog.numeric) RETURNS casino.bet
	AS 'MODULE_PATHNAME', 'casino_sql_bet_make'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet(pg_catalog.text, pg_catalog.text, pg_catalog.numeric) IS 'bet of a kind, a selection (NULL for none) and a stake in CZK';

CREATE FUNCTION casino.kind(casino.bet) RETURNS pg_catalog.text
	AS 'MODULE_PATHNAME', 'casino_sql_bet_kind'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.kind(casino.bet) IS 'kind of the bet';

CREATE FUNCTION casino.selection(casino.bet) RETURNS pg_catalog.text
	AS 'MODULE_PATHNAME', 'casino_sql_bet_selection'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.selection(casino.bet) IS 'selection of the bet as printed, NULL when its kind has none';

CREATE FUNCTION casino.stake(casino.bet) RETURNS pg_catalog.numeric
	AS 'MODULE_PATHNAME', 'casino_sql_bet_stake'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.stake(casino.bet) IS 'stake of the bet in CZK; the notional stake of a free wager';

CREATE FUNCTION casino.covers(casino.bet) RETURNS pg_catalog.int4[]
	AS 'MODULE_PATHNAME', 'casino_sql_bet_covers'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.covers(casino.bet) IS 'roulette numbers the bet covers, ascending; empty for the bets of other games';

CREATE FUNCTION casino.same_position(casino.bet, casino.bet) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_bet_same_position'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.same_position(casino.bet, casino.bet) IS 'same kind and selection, whatever the stakes';

CREATE FUNCTION casino.bet_kinds(OUT kind pg_catalog.text, OUT selection pg_catalog.text, OUT free pg_catalog.bool) RETURNS SETOF pg_catalog.record
	AS 'MODULE_PATHNAME', 'casino_sql_bet_kinds'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	ROWS 45;
COMMENT ON FUNCTION casino.bet_kinds() IS 'all kinds of bets, what their selection is (none, numbers, fixed, third, points) and whether they cost nothing';
-- Written by tools/ignorable: the code points that have the property Default_Ignorable_Code_Point (Unicode Character Database 14.0.0,
-- DerivedCoreProperties.txt), and U+2800, a braille pattern without dots.

CREATE FUNCTION casino.ignorable() RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT '\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e'
        || '\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3'
        || '\U0001d173-\U0001d17a\U000e0000-'
        || '\U000e0fff'
$fn$;
COMMENT ON FUNCTION casino.ignorable() IS 'Part of canonical_text(): characters that are not to be seen, by their Unicode property, as ranges of a regular expression';

-- What arguments share: the one form of a text, bounds of length, times of events.

CREATE FUNCTION casino.bounded(value text, name text, bytes integer) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_bounded' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bounded(text, text, integer) IS 'Part of the functions that keep texts: the value itself, 22001 naming it when it has more bytes';

-- One person must be one text: what looks the same on a screen is the same here, or refused.
CREATE FUNCTION casino.canonical_text(given text, name text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    -- other encodings have no combining characters; beyond ASCII their codes mean something else
    unicode CONSTANT boolean := getdatabaseencoding() = 'UTF8';
    white CONSTANT text := '[\u0009-\u000d\u0020' || CASE WHEN unicode THEN '\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000' ELSE '' END || ']+';
    -- control characters, breaks of lines, marks of interlinear notes, and what is not to be seen (R7.31, R7.32)
    unseen CONSTANT text := '[\u0001-\u001f\u007f' || CASE WHEN unicode THEN '\u0080-\u009f\u2028-\u202e\ufff9-\ufffb' || casino.ignorable() ELSE '' END || ']';
    canonical text := given;
    found text;
BEGIN
    IF unicode THEN
        canonical := normalize(canonical, NFC);
    END IF;
    canonical := regexp_replace(canonical, '^' || white || '|' || white || '$', '', 'g');
    IF canonical = '' THEN
        RAISE EXCEPTION '% must not be empty', name USING ERRCODE = 'invalid_parameter_value';
    END IF;
    found := substring(canonical FROM unseen);
    IF found IS NOT NULL THEN
        RAISE EXCEPTION '% must not contain control characters', name
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It contains U+%s.', upper(lpad(to_hex(ascii(found)), 4, '0')));
    END IF;
    RETURN canonical;
END
$fn$;
COMMENT ON FUNCTION casino.canonical_text(text, text) IS 'Part of canonical_ref(), set_payment_account(), open_round() and add_game_table(): one form of what looks the same, called "name" in errors';

CREATE FUNCTION casino.event_time(at timestamptz, not_before timestamptz DEFAULT NULL) RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'casino_sql_event_time' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.event_time(timestamptz, timestamptz) IS 'Checks the time of an event: finite, and within casino.clock_skew of the clock when the call came (KL005 else), and returns it; for NULL the clock''s time, or not_before if that is later';
-- Locks on names, in C: advisory locks of SQL can be taken by every role that may log in, which would make code of ours wait for ever.

CREATE FUNCTION casino.take_lock(name text, shared boolean DEFAULT false) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_take_lock' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.take_lock(text, boolean) IS 'Part of functions that go one at a time: the lock of that name until the end of the transaction; in pg_locks an advisory lock with objsubid -13566';

CREATE FUNCTION casino.try_lock(name text, of_session boolean DEFAULT false) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_try_lock' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.try_lock(text, boolean) IS 'Part of functions that go one at a time: the lock of that name if it is free, until the end of the transaction or until release_lock()';

CREATE FUNCTION casino.release_lock(name text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_release_lock' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.release_lock(text) IS 'Part of functions that go one at a time: lets go of a lock that try_lock() took for the session';

-- Calendar days and months in Europe/Prague.

CREATE FUNCTION casino.prague_day(at timestamptz) RETURNS date
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (at AT TIME ZONE 'Europe/Prague')::date;
COMMENT ON FUNCTION casino.prague_day(timestamptz) IS 'Calendar day in Europe/Prague';

CREATE FUNCTION casino.prague_month(at timestamptz) RETURNS date
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN date_trunc('month', at AT TIME ZONE 'Europe/Prague')::date;
COMMENT ON FUNCTION casino.prague_month(timestamptz) IS 'First day of the calendar month in Europe/Prague';

-- First instant of a Prague day.
CREATE FUNCTION casino.day_start(day date) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN day::timestamp AT TIME ZONE 'Europe/Prague';
COMMENT ON FUNCTION casino.day_start(date) IS 'First instant of a calendar day in Europe/Prague';

CREATE FUNCTION casino.payment_due_at(since timestamptz, days integer) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (date_trunc('day', since AT TIME ZONE 'Europe/Prague') + make_interval(days => days + 1)) AT TIME ZONE 'Europe/Prague';
COMMENT ON FUNCTION casino.payment_due_at(timestamptz, integer) IS 'First instant after that many calendar days in Europe/Prague, the day of the event not counted (D4 §11)';
-- Money: what a grade is worth on a position, rounding and the declared win. Immutable functions that read no table.

-- The profit of a position is rounded and capped once and shared by its wagers in the order of entry (R2.1, R2.2): so what a
-- wager gets depends on the haléře that lay on its position before it, which position_staked() finds.
CREATE FUNCTION casino.position_staked(bet casino.bet, seat integer, hand integer) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_position_staked' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION casino.position_staked(casino.bet, integer, integer) IS 'Window function over the wagers of one player in a round, in the order of entry: haléře that lie on the wager''s position before it (same kind, selection, seat and hand; no hand is hand 1)';

CREATE FUNCTION casino.payout(bet casino.bet, grade text, num integer, den integer, declared_win numeric, before bigint DEFAULT 0) RETURNS numeric
    AS 'MODULE_PATHNAME', 'casino_sql_payout' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.payout(casino.bet, text, integer, integer, numeric, bigint) IS 'CZK a wager of that grade gets back at odds num:den, with its share of the profit of its position, on which lay "before" haléře: the profit is rounded half up and cut to the declared win once for the position; 0 for lose; an error for den 0';

CREATE FUNCTION casino.is_capped(bet casino.bet, grade text, num integer, den integer, declared_win numeric, before bigint DEFAULT 0) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_is_capped' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.is_capped(casino.bet, text, integer, integer, numeric, bigint) IS 'Did the declared win cut the profit of the position, as far as this wager';

CREATE FUNCTION casino.reaches_cap(bet casino.bet, grade text, num integer, den integer, declared_win numeric, before bigint DEFAULT 0) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_reaches_cap' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.reaches_cap(casino.bet, text, integer, integer, numeric, bigint) IS 'Is this the first wager of its position that the declared win cut';

CREATE FUNCTION casino.cost(bet casino.bet) RETURNS numeric
    AS 'MODULE_PATHNAME', 'casino_sql_cost' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.cost(casino.bet) IS 'CZK a wager takes from the wallet: its stake, 0 when it is free';

CREATE FUNCTION casino.checked_amount(amount numeric) RETURNS numeric
    AS 'MODULE_PATHNAME', 'casino_sql_money' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.checked_amount(numeric) IS 'The amount with two decimals; 22003 unless finite, not negative and in whole haléře';
-- Families of games: which are built, what they have in common for SQL, and the canonical form of their outcome documents.

CREATE FUNCTION casino.families(OUT family text, OUT seats integer, OUT between_players boolean) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_families' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 5;
COMMENT ON FUNCTION casino.families() IS 'The families of games whose logic is built: how many seats every table of theirs has (NULL: as the plan says), and whether the players are paid from each other''s stakes';

CREATE FUNCTION casino.family_is_built(family text) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_family_is_built' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.family_is_built(text) IS 'Can rounds of this family of games be opened and settled';

CREATE FUNCTION casino.canonical_outcome(family text, rules jsonb, outcome jsonb) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'casino_sql_canonical_outcome' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.canonical_outcome(text, jsonb, jsonb) IS 'The outcome document in one form; KR001 when it could not have been dealt so under the rules';

-- Each family of games that the house pays has its own, quote_grades_FAMILY.
CREATE FUNCTION casino.quote_grades(family text, rules jsonb, outcome jsonb, bets casino.bet[], hands integer[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    grades text[];
BEGIN
    IF EXISTS (SELECT FROM casino.families() f WHERE f.family = quote_grades.family AND f.between_players) THEN
        RAISE EXCEPTION 'cannot quote a game that players play against each other'
            USING ERRCODE = 'feature_not_supported', HINT = 'casino.split_pots() splits the pots of a hand.';
    END IF;
    IF NOT casino.family_is_built(family) THEN
        RAISE EXCEPTION 'there is no family "%"', left(family, 100) USING ERRCODE = 'feature_not_supported';
    END IF;
    EXECUTE format('SELECT casino.%I($1, $2, $3, $4)', 'quote_grades_' || family) INTO grades USING rules, outcome, bets, hands;
    RETURN grades;
END
$fn$;
COMMENT ON FUNCTION casino.quote_grades(text, jsonb, jsonb, casino.bet[], integer[]) IS 'Part of quote(): grades of one player''s bets, on those hands, on a canonical outcome document, in their order';

CREATE FUNCTION casino.quote_hands(family text, plan_id bigint, outcome jsonb, bets casino.bet[]) RETURNS integer[]
    AS 'MODULE_PATHNAME', 'casino_sql_quote_hands' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.quote_hands(text, bigint, jsonb, casino.bet[]) IS 'Part of quote(): hand of each of one player''s bets; KR001 for cards that could not have been played so with these bets';
-- Roulette: grading, and announced bets.

CREATE FUNCTION casino.grade_roulette(bet casino.bet, number integer) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_grade_roulette' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.grade_roulette(casino.bet, integer) IS 'win or lose of a roulette bet on a number of the wheel';

CREATE FUNCTION casino.announced_stem(name text) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_announced_stem' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.announced_stem(text) IS 'Name of an announced bet up to its colon; NULL for none';

CREATE FUNCTION casino.expand_announced(name text, chip numeric) RETURNS SETOF casino.bet
    AS 'MODULE_PATHNAME', 'casino_sql_expand_announced' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 6;
COMMENT ON FUNCTION casino.expand_announced(text, numeric) IS 'Bets on the layout that an announced bet is made of, whatever a game offers';

CREATE FUNCTION casino.announced_bets(game text, name text, chip numeric, at timestamptz DEFAULT clock_timestamp()) RETURNS SETOF casino.bet
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.announced_bets(text, text, numeric, timestamptz) IS 'Bets on the layout that an announced bet of a game is made of, with that value of a chip';

CREATE FUNCTION casino.announced_bets_impl(game text, name text, chip numeric, at timestamptz) RETURNS SETOF casino.bet
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    plan CONSTANT bigint := casino.plan_in_force(game, at);
    rule casino.announced_rule;
    neighbours integer;
BEGIN
    SELECT a.* INTO rule FROM casino.announced_rule a
     WHERE a.plan_id = plan AND a.stem = casino.announced_stem(announced_bets_impl.name);
    IF NOT FOUND AND casino.announced_stem(announced_bets_impl.name) IS NOT NULL THEN
        RAISE EXCEPTION '% does not offer %', game, name
            USING ERRCODE = 'KB004', DETAIL = format('No such announced bet stands in %s.', casino.plan_name(plan));
    END IF;
    RETURN QUERY SELECT b FROM casino.expand_announced(announced_bets_impl.name, announced_bets_impl.chip) b;
    IF rule.stem = 'neighbours' THEN
        neighbours := split_part(announced_bets_impl.name, '/', 2)::integer;
        IF neighbours NOT BETWEEN rule.min_neighbours AND rule.max_neighbours THEN
            RAISE EXCEPTION '% does not offer %', game, name
                USING ERRCODE = 'KB004',
                      DETAIL = format('It has %s to %s neighbours a side.', rule.min_neighbours, rule.max_neighbours);
        END IF;
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.announced_bets_impl(text, text, numeric, timestamptz) IS 'Body of announced_bets(), run as the owner of the ledger';

CREATE FUNCTION casino.quote_grades_roulette(rules jsonb, outcome jsonb, bets casino.bet[], hands integer[]) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT ARRAY (SELECT casino.grade_roulette(b.bet, (outcome ->> 'number')::integer)
                    FROM unnest(bets) WITH ORDINALITY b (bet, n) ORDER BY b.n)
$fn$;
COMMENT ON FUNCTION casino.quote_grades_roulette(jsonb, jsonb, casino.bet[], integer[]) IS 'Part of quote(): quote_grades() of the family roulette';

CREATE FUNCTION casino.install_roulette() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- "before" is what lay on the wager's position before it; see casino.position_staked().  The windows are partitioned by round and
    -- player, so that either, asked for, gets through to the stakes; and all of a family are sorted once.
    CREATE VIEW casino.graded_roulette AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked,
               casino.kind(s.bet) AS kind, casino.grade_roulette(s.bet, s.number) AS grade, NULL::numeric AS share,
               casino.position_staked(s.bet, s.seat, s.hand) OVER (PARTITION BY s.round_id, s.player_id ORDER BY s.entry_no) AS before
          FROM casino.standing_stake s
         WHERE s.family = 'roulette';

    PERFORM casino.install_evaluation_of('roulette');
END
$fn$;
COMMENT ON FUNCTION casino.install_roulette() IS 'Part of casino.install(): how wagers of the family roulette are graded';
-- Baccarat: points and grading.

CREATE FUNCTION casino.baccarat_points(hand casino.hand) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_baccarat_points' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.baccarat_points(casino.hand) IS 'Points of a baccarat hand, 0 to 9 (D4 Baccarat §5)';

CREATE FUNCTION casino.grade_baccarat(bet casino.bet, player casino.hand, banker casino.hand) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_grade_baccarat' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.grade_baccarat(casino.bet, casino.hand, casino.hand) IS 'win, push, lose or tie_n of a baccarat bet on the cards of both sides (D4 Baccarat §21 to §23)';

CREATE FUNCTION casino.quote_grades_baccarat(rules jsonb, outcome jsonb, bets casino.bet[], hands integer[]) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT ARRAY (SELECT casino.grade_baccarat(b.bet, (outcome ->> 'player')::casino.hand, (outcome ->> 'banker')::casino.hand)
                    FROM unnest(bets) WITH ORDINALITY b (bet, n) ORDER BY b.n)
$fn$;
COMMENT ON FUNCTION casino.quote_grades_baccarat(jsonb, jsonb, casino.bet[], integer[]) IS 'Part of quote(): quote_grades() of the family baccarat';

CREATE FUNCTION casino.install_baccarat() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- The cards are looked up for each wager, by their key: joined, the planner would compare all rounds with all hands once it has seen
    -- how few hands there are.  k grades no wager of another game, in whatever order the planner joins.
    CREATE VIEW casino.graded_baccarat AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked, k.kind, k.grade,
               NULL::numeric AS share,
               casino.position_staked(s.bet, s.seat, s.hand) OVER (PARTITION BY s.round_id, s.player_id ORDER BY s.entry_no) AS before
          FROM casino.standing_stake s
         CROSS JOIN LATERAL (SELECT casino.kind(s.bet) AS kind,
                                    CASE WHEN s.family = 'baccarat'
                                         THEN casino.grade_baccarat(s.bet, (SELECT d.cards FROM casino.dealt_hand d WHERE d.round_id = s.round_id AND d.side = 'player'), (SELECT d.cards FROM casino.dealt_hand d WHERE d.round_id = s.round_id AND d.side = 'banker'))
                                    END AS grade OFFSET 0) k
         WHERE s.family = 'baccarat';

    PERFORM casino.install_evaluation_of('baccarat');
END
$fn$;
COMMENT ON FUNCTION casino.install_baccarat() IS 'Part of casino.install(): how wagers of the family baccarat are graded';
-- Blackjack: totals, rules and marks as numbers, grading.

CREATE FUNCTION casino.blackjack_total(hand casino.hand) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_blackjack_total' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.blackjack_total(casino.hand) IS 'Blackjack total of a hand, the best not over 21 if there is one';

CREATE FUNCTION casino.is_soft(hand casino.hand) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_is_soft' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.is_soft(casino.hand) IS 'Does an ace of the hand count 11 in its blackjack total';

CREATE FUNCTION casino.is_blackjack(hand casino.hand) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_is_blackjack' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.is_blackjack(casino.hand) IS 'Are the cards an ace and a ten-value and nothing else; after a split such a hand is a 21 and no blackjack';

CREATE FUNCTION casino.blackjack_rules(rules jsonb) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_blackjack_rules' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.blackjack_rules(jsonb) IS 'The rules of a blackjack plan as one number for grade_blackjack()';

CREATE FUNCTION casino.blackjack_mark(bet casino.bet, hand integer) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_blackjack_mark' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.blackjack_mark(casino.bet, integer) IS 'Bit of a wager among the marks of its player on its box';

CREATE FUNCTION casino.grade_blackjack(bet casino.bet, hand integer, marks bigint, rules bigint, hands casino.hand[],
                                       dealer casino.hand, surrendered boolean, even_money boolean) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_grade_blackjack' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.grade_blackjack(casino.bet, integer, bigint, bigint, casino.hand[], casino.hand, boolean, boolean) IS 'Grade of a blackjack wager on a hand, from the marks of its player''s wagers, the rules and all cards it depends on';

CREATE FUNCTION casino.quote_grades_blackjack(rules jsonb, outcome jsonb, bets casino.bet[], hands integer[]) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT array_agg(casino.grade_blackjack(b.bet, b.hand, b.marks, casino.blackjack_rules(rules), o.hands, (outcome ->> 'dealer')::casino.hand, o.surrendered, o.even_money)
                     ORDER BY b.n)
      FROM (SELECT u.bet, u.hand, u.n, bit_or(casino.blackjack_mark(u.bet, u.hand)) OVER () AS marks
              FROM unnest(bets, hands) WITH ORDINALITY u (bet, hand, n)) b
     CROSS JOIN (SELECT array_agg((h.v ->> 'cards')::casino.hand ORDER BY h.n) AS hands,
                        coalesce(bool_or((h.v ->> 'surrendered')::boolean), false) AS surrendered,
                        coalesce(bool_or(h.v ? 'even_money'), false) AS even_money
                   FROM jsonb_array_elements(outcome -> 'hands') WITH ORDINALITY h (v, n)) o
$fn$;
COMMENT ON FUNCTION casino.quote_grades_blackjack(jsonb, jsonb, casino.bet[], integer[]) IS 'Part of quote(): quote_grades() of the family blackjack';

CREATE FUNCTION casino.install_blackjack() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- Blackjack: hands of each box together; each wager with the marks of its player's wagers on the box and with his group at a shared box, which comes
    -- by the same window: a join of ten thousand players would be as good as the planner's guess of how many there are.
    CREATE VIEW casino.blackjack_box AS
        SELECT d.round_id, d.seat, d.group_no, array_agg(d.cards ORDER BY d.hand) AS hands, bool_or(d.surrendered) AS surrendered,
               bool_or(d.even_money) AS even_money, min(d.even_money_players) FILTER (WHERE d.hand = 1) AS even_money_players,
               (SELECT x.cards FROM casino.dealt_hand x WHERE x.round_id = d.round_id AND x.side = 'dealer') AS dealer,
               casino.planned_as_ten_rows() AS planner_hint
          FROM casino.dealt_hand d
         WHERE d.side = 'box'
         GROUP BY d.round_id, d.seat, d.group_no;
    COMMENT ON VIEW casino.blackjack_box IS 'Part of casino.evaluation: hands of a seat, or of a group of players at a shared box, in one row';
    COMMENT ON COLUMN casino.blackjack_box.hands IS 'Cards of hands 1, 2 ...';
    COMMENT ON COLUMN casino.blackjack_box.surrendered IS 'Given up for half the stake';
    COMMENT ON COLUMN casino.blackjack_box.even_money IS 'All with a main bet took 1:1 for their blackjack';
    COMMENT ON COLUMN casino.blackjack_box.even_money_players IS 'Single players who took it';
    COMMENT ON COLUMN casino.blackjack_box.planner_hint IS 'A hint to the planner, see casino.standing_stake';
    COMMENT ON COLUMN casino.blackjack_box.dealer IS 'The dealer''s cards';

    CREATE VIEW casino.blackjack_member AS
        SELECT d.round_id, d.group_no, p.player_id
          FROM casino.dealt_hand d
         CROSS JOIN LATERAL unnest(d.players) AS p (player_id)
         WHERE d.side = 'box' AND d.hand = 1 AND d.group_no > 0;
    COMMENT ON VIEW casino.blackjack_member IS 'Part of casino.evaluation: players with hands of their own at a shared box';
    COMMENT ON COLUMN casino.blackjack_member.player_id IS 'Player of the group';

    CREATE VIEW casino.blackjack_wager AS
        SELECT w.round_id, w.plan_id, w.rules, w.player_id, w.entry_no, w.bet, w.seat, w.hand, w.amount, w.marks, w.group_no, w.before
          FROM (SELECT u.round_id, u.plan_id, u.rules, u.player_id, u.entry_no, u.bet, u.seat, u.hand, u.amount,
                       bit_or(u.mark) OVER box AS marks, max(u.group_no) OVER box AS group_no,
                       casino.position_staked(u.bet, u.seat, u.hand) OVER (box ORDER BY u.entry_no) AS before
                  FROM (SELECT s.round_id, s.plan_id, s.rules, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount,
                               casino.blackjack_mark(s.bet, coalesce(s.hand, 1)) AS mark, 0 AS group_no
                          FROM casino.standing_stake s
                         WHERE s.family = 'blackjack'
                        UNION ALL
                        SELECT m.round_id, NULL, NULL, m.player_id, NULL, NULL, NULL, NULL, NULL, 0, m.group_no
                          FROM casino.blackjack_member m) u
                WINDOW box AS (PARTITION BY u.round_id, u.player_id, coalesce(u.seat, 0))) w
         WHERE w.entry_no IS NOT NULL;
    COMMENT ON VIEW casino.blackjack_wager IS 'Part of casino.evaluation: wagers of evaluated blackjack rounds, with the marks of all wagers of the player on the box';
    COMMENT ON COLUMN casino.blackjack_wager.rules IS 'Rules of the plan version as one number';
    COMMENT ON COLUMN casino.blackjack_wager.before IS 'Haléře on the position before this wager, see casino.position_staked()';
    COMMENT ON COLUMN casino.blackjack_wager.marks IS 'Bits of all wagers of the player on the box, see casino.blackjack_mark()';

    CREATE VIEW casino.graded_blackjack AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked, k.kind, k.grade,
               NULL::numeric AS share, s.before
          FROM casino.blackjack_wager s
          JOIN casino.blackjack_box x ON x.round_id = s.round_id AND x.seat = coalesce(s.seat, 0) AND x.group_no = s.group_no
         CROSS JOIN LATERAL (SELECT casino.kind(s.bet) AS kind,
                                    casino.grade_blackjack(s.bet, coalesce(s.hand, 1), s.marks, s.rules, x.hands, x.dealer, x.surrendered,
                                                           x.even_money OR s.player_id = ANY (x.even_money_players)) AS grade
                             OFFSET 0) k;

    PERFORM casino.install_evaluation_of('blackjack');
END
$fn$;
COMMENT ON FUNCTION casino.install_blackjack() IS 'Part of casino.install(): how wagers of the family blackjack are graded';
-- Poker hands, of Casino Hold'em and Texas Hold'em.

CREATE FUNCTION casino.poker_rank(hand casino.hand) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_poker_rank' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.poker_rank(casino.hand) IS 'Number of the best five of 5 to 7 cards: 1 = royal flush ... 7462 = 7-5-4-3-2';

CREATE FUNCTION casino.poker_category(hand casino.hand) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_poker_category' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.poker_category(casino.hand) IS 'royal_flush, straight_flush ... high_card of the best five of 5 to 7 cards (D4 Casino Hold''em §14)';

CREATE FUNCTION casino.best_five(hand casino.hand) RETURNS casino.hand
    AS 'MODULE_PATHNAME', 'casino_sql_best_five' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.best_five(casino.hand) IS 'The five of 5 to 7 cards that count';
-- Casino Hold'em: grading.

CREATE FUNCTION casino.grade_casino_holdem(bet casino.bet, player casino.hand, board casino.hand, dealer casino.hand, called boolean) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_grade_casino_holdem' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.grade_casino_holdem(casino.bet, casino.hand, casino.hand, casino.hand, boolean) IS 'Grade of a Casino Hold''em wager of a player who called or folded (D4 Casino Hold''em §11 to §18)';

CREATE FUNCTION casino.quote_grades_casino_holdem(rules jsonb, outcome jsonb, bets casino.bet[], hands integer[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF casino.card_count((outcome ->> 'board')::casino.hand) < 5 AND 'call' IN (SELECT casino.kind(b) FROM unnest(bets) b) THEN
        RAISE EXCEPTION 'illegal outcome'
            USING ERRCODE = 'KR001', DETAIL = 'The ante was called, so that the board has five cards (D4 Casino Hold''em §7).';
    END IF;
    RETURN ARRAY (SELECT casino.grade_casino_holdem(b.bet, (outcome ->> 'player')::casino.hand, (outcome ->> 'board')::casino.hand,
                                                    (outcome ->> 'dealer')::casino.hand, bool_or(casino.kind(b.bet) = 'call') OVER ())
                    FROM unnest(bets) WITH ORDINALITY b (bet, n) ORDER BY b.n);
END
$fn$;
COMMENT ON FUNCTION casino.quote_grades_casino_holdem(jsonb, jsonb, casino.bet[], integer[]) IS 'Part of quote(): quote_grades() of the family casino_holdem';

CREATE FUNCTION casino.install_casino_holdem() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- Casino Hold'em: each wager, and whether its player called.
    CREATE VIEW casino.casino_holdem_wager AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount,
               bool_or(casino.kind(s.bet) = 'call') OVER player AS called,
               casino.position_staked(s.bet, s.seat, s.hand) OVER (player ORDER BY s.entry_no) AS before
          FROM casino.standing_stake s
         WHERE s.family = 'casino_holdem'
        WINDOW player AS (PARTITION BY s.round_id, s.player_id);
    COMMENT ON VIEW casino.casino_holdem_wager IS 'Part of casino.evaluation: wagers of evaluated Casino Hold''em rounds';
    COMMENT ON COLUMN casino.casino_holdem_wager.before IS 'Haléře on the position before this wager, see casino.position_staked()';
    COMMENT ON COLUMN casino.casino_holdem_wager.called IS 'The player has called; else he has folded';

    CREATE VIEW casino.graded_casino_holdem AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked, k.kind, k.grade,
               NULL::numeric AS share, s.before
          FROM casino.casino_holdem_wager s
         CROSS JOIN LATERAL (SELECT casino.kind(s.bet) AS kind,
                                    casino.grade_casino_holdem(s.bet, (SELECT d.cards FROM casino.dealt_hand d WHERE d.round_id = s.round_id AND d.side = 'player'), (SELECT d.cards FROM casino.dealt_hand d WHERE d.round_id = s.round_id AND d.side = 'board'),
                                                               (SELECT d.cards FROM casino.dealt_hand d WHERE d.round_id = s.round_id AND d.side = 'dealer'), s.called) AS grade
                             OFFSET 0) k;

    PERFORM casino.install_evaluation_of('casino_holdem');
END
$fn$;
COMMENT ON FUNCTION casino.install_casino_holdem() IS 'Part of casino.install(): how wagers of the family casino_holdem are graded';
-- Texas Hold'em: pots, which the players are paid from.

CREATE FUNCTION casino.split_pots(contributed numeric[], folded boolean[], hands casino.hand[], board casino.hand, button integer,
                                  OUT pot integer, OUT amount numeric, OUT contenders integer[], OUT winners integer[], OUT shares numeric[])
    RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_split_pots' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 3;
COMMENT ON FUNCTION casino.split_pots(numeric[], boolean[], casino.hand[], casino.hand, integer) IS 'Pots of a Texas Hold''em hand and each seat''s share: seat n is the nth element, hands may be NULL where nothing is shown; pot 1 is the main pot, pot 0 money that nobody called';

CREATE FUNCTION casino.pot_shares(contributed numeric[], folded boolean[], hands casino.hand[], board casino.hand, button integer,
                                  OUT seat integer, OUT won numeric, OUT returned numeric) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_pot_shares' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
COMMENT ON FUNCTION casino.pot_shares(numeric[], boolean[], casino.hand[], casino.hand, integer) IS 'What each seat of a Texas Hold''em hand gets: winnings from all pots, and money that nobody called';

CREATE FUNCTION casino.install_texas_holdem() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- Texas Hold'em: what each seat gets, and each stake with the seat's share on the player's first one.
    CREATE VIEW casino.texas_wager AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount,
               row_number() OVER (PARTITION BY s.round_id, s.player_id ORDER BY s.entry_no) = 1 AS first
          FROM casino.standing_stake s
         WHERE s.family = 'texas_holdem';
    COMMENT ON VIEW casino.texas_wager IS 'Part of casino.evaluation: pot stakes of evaluated Texas Hold''em rounds';
    COMMENT ON COLUMN casino.texas_wager.first IS 'The player''s first stake of the round, which carries what his seat gets';

    -- Correlated on the round, so that the hand of one round is found by its number alone; what h asks of its round holds before
    -- it looks at the cards, in whatever order the planner joins.
    CREATE VIEW casino.texas_share AS
        SELECT r.round_id, x.seat, x.won, x.returned
          FROM casino.round r
          JOIN casino.game_plan p ON p.plan_id = r.plan_id
          JOIN casino.game g ON g.game = p.game
         CROSS JOIN LATERAL (SELECT (r.outcome ->> 'button')::integer AS button,
                       (SELECT array_agg(coalesce(c.amount, 0) ORDER BY n.seat)
                          FROM generate_series(1, 10) AS n (seat)
                          LEFT JOIN (SELECT s.seat, sum(s.amount) AS amount FROM casino.ledger s
                                      WHERE s.round_id = r.round_id AND s.kind = 'stake'
                                        AND (SELECT f.kind FROM casino.ledger f
                                              WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no AND f.correction_no IS NULL)
                                            IS DISTINCT FROM 'refund'
                                      GROUP BY s.seat) c ON c.seat = n.seat) AS contributed,
                       ARRAY (SELECT coalesce((SELECT d.folded FROM casino.dealt_hand d
                                                WHERE d.round_id = r.round_id AND d.side = 'box' AND d.seat = n.seat), true)
                                FROM generate_series(1, 10) AS n (seat) ORDER BY n.seat) AS folded,
                       ARRAY (SELECT (SELECT d.cards FROM casino.dealt_hand d
                                       WHERE d.round_id = r.round_id AND d.side = 'box' AND d.seat = n.seat
                                         AND casino.card_count(d.cards) = 2)
                                FROM generate_series(1, 10) AS n (seat) ORDER BY n.seat) AS hands,
                       (SELECT d.cards FROM casino.dealt_hand d WHERE d.round_id = r.round_id AND d.side = 'board') AS board
                 WHERE p.plan_id = r.plan_id AND g.game = p.game AND g.family = 'texas_holdem'
                   -- in a cell that is not the table's home nobody has a stake (R13.10)
                   AND (SELECT l.player_id FROM casino.ledger l WHERE l.round_id = r.round_id AND l.kind = 'stake' ORDER BY l.player_id LIMIT 1) IS NOT NULL
                OFFSET 0) h
         CROSS JOIN LATERAL casino.pot_shares(h.contributed, h.folded, h.hands, h.board, h.button) x
         WHERE r.status IN ('settled', 'withheld') AND g.family = 'texas_holdem';
    COMMENT ON VIEW casino.texas_share IS 'Part of casino.evaluation: what each seat of an evaluated Texas Hold''em round gets';
    COMMENT ON COLUMN casino.texas_share.won IS 'CZK from all pots';
    COMMENT ON COLUMN casino.texas_share.returned IS 'CZK that nobody called';

    CREATE VIEW casino.graded_texas_holdem AS
        SELECT s.round_id, s.plan_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked, casino.kind(s.bet) AS kind,
               CASE WHEN s.first AND x.won > 0 THEN 'win' WHEN s.first AND x.returned > 0 THEN 'returned' ELSE 'lose' END AS grade,
               CASE WHEN s.first THEN x.won + x.returned ELSE 0.00 END AS share, NULL::bigint AS before
          FROM casino.texas_wager s
          LEFT JOIN LATERAL (SELECT t.won, t.returned FROM casino.texas_share t
                              WHERE s.first AND t.round_id = s.round_id AND t.seat = s.seat OFFSET 0) x ON true;

    PERFORM casino.install_evaluation_of('texas_holdem');
END
$fn$;
COMMENT ON FUNCTION casino.install_texas_holdem() IS 'Part of casino.install(): how wagers of the family texas_holdem are graded';
-- install(): the operator's tables, views and triggers.  They are made by the caller, belong to him, and are no members
-- of the extension (R12.13), so that pg_dump dumps them whole and DROP EXTENSION refuses while they exist.
-- The tables of a subject are made by the part of that subject: install_SUBJECT(). Each step brings the schema one version further and is never edited once released.

CREATE FUNCTION casino.install() RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    newest CONSTANT integer := 1;
    present integer := 0;
    odd text;
    family text;
BEGIN
    PERFORM casino.take_lock('install');
    PERFORM casino.check_owners();
    IF to_regclass('casino.schema_version') IS NOT NULL THEN
        SELECT coalesce(max(version), 0) INTO present FROM casino.schema_version;
    END IF;
    IF present = 0 THEN
        SELECT string_agg(o.object, ', ' ORDER BY o.object) INTO odd
          FROM casino.schema_objects() o WHERE o.object ~ '^(table|view|materialized view|sequence) ';
        IF odd IS NOT NULL THEN
            RAISE EXCEPTION 'schema casino contains tables that install() did not create'
                USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = left(format('No step of it is recorded, and there is: %s.', odd), 1000),
                      HINT = 'Restore a backup. A development installation is removed with DROP SCHEMA casino CASCADE and made anew.';
        END IF;
        CREATE TABLE casino.schema_version (
            version      integer PRIMARY KEY,
            installed_at timestamptz NOT NULL
        );
        COMMENT ON TABLE casino.schema_version IS 'Part of casino.install(): steps of casino.install() taken so far; the greatest is the version of these tables';
        COMMENT ON COLUMN casino.schema_version.version IS 'Number of the step';
        COMMENT ON COLUMN casino.schema_version.installed_at IS 'When the step was taken';
        CREATE TABLE casino.installed_object (
            object  text PRIMARY KEY,
            state   text NOT NULL,
            version integer NOT NULL REFERENCES casino.schema_version
        );
        COMMENT ON TABLE casino.installed_object IS 'Part of casino.install(): what the steps of casino.install() have made; it refuses to go on when something of it is missing or changed';
        COMMENT ON COLUMN casino.installed_object.object IS 'Table, view, column, index, constraint, trigger or sequence';
        COMMENT ON COLUMN casino.installed_object.state IS 'Its definition';
        COMMENT ON COLUMN casino.installed_object.version IS 'Version of the tables when this was recorded';
    ELSIF present > newest THEN
        RAISE EXCEPTION 'the tables of casino have version %, this extension knows up to %', present, newest
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'Run ALTER EXTENSION casino UPDATE.';
    ELSE
        PERFORM casino.enable_append_only();
        PERFORM casino.check_installed();
        -- of a newer extension, not of anybody who replaced a function
        IF NOT EXISTS (SELECT FROM casino.installed_object i
                         JOIN pg_extension e ON e.extname = 'casino' AND i.state = 'is ' || e.extversion
                        WHERE i.object = 'extension casino') THEN
            PERFORM casino.record_code();
        END IF;
    END IF;
    IF present < 1 THEN
        -- tables
        PERFORM casino.install_recorder();
        PERFORM casino.install_plans();
        PERFORM casino.install_cells();
        PERFORM casino.install_tables();
        PERFORM casino.install_rounds();
        PERFORM casino.install_players();
        PERFORM casino.install_ledger();
        PERFORM casino.install_wagers();
        PERFORM casino.install_refusals();
        PERFORM casino.install_boxes();
        PERFORM casino.install_disconnection();
        PERFORM casino.install_withholding();
        PERFORM casino.install_corrections();
        PERFORM casino.install_exclusions();
        PERFORM casino.install_limits();
        PERFORM casino.install_other_play();
        PERFORM casino.install_withdrawals();
        PERFORM casino.install_deadlines();
        -- before the guards of plans, which would refuse versions in force since ever
        PERFORM casino.load_game_plans();
        PERFORM casino.guard_plans();
        PERFORM casino.install_reconciliation();
        PERFORM casino.install_seals();
        PERFORM casino.install_provider();
        -- views, those first that others ask; a row for each family of games
        PERFORM casino.install_standing_stake();
        FOR family IN SELECT f.family FROM casino.families() f LOOP
            EXECUTE format('SELECT casino.%I()', 'install_' || family);
        END LOOP;
        PERFORM casino.install_evaluation();
        PERFORM casino.install_wager_views();
        PERFORM casino.install_disconnection_views();
        PERFORM casino.install_ledger_views();
        PERFORM casino.install_correction_views();
        PERFORM casino.install_withholding_views();
        PERFORM casino.install_exclusion_views();
        PERFORM casino.install_sequence_views();
        PERFORM casino.install_withdrawal_views();
        PERFORM casino.install_deadline_views();
        PERFORM casino.install_watch();
        PERFORM casino.install_figures();
        PERFORM casino.keep_plan_rows();
        INSERT INTO casino.schema_version VALUES (1, clock_timestamp());
    END IF;
    IF present < newest THEN
        PERFORM casino.enable_append_only();
        PERFORM casino.record_installed(newest);
    END IF;
    PERFORM casino.set_database();
    RETURN newest;
END
$fn$;
COMMENT ON FUNCTION casino.install() IS 'Creates the tables, views and triggers of casino, owned by the caller, and loads the sixteen games; run again it brings older tables up to date. Returns the schema version';

CREATE FUNCTION casino.check_owners() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    ledger_owner CONSTANT oid := (SELECT c.relowner FROM pg_class c WHERE c.relnamespace = 'casino'::regnamespace AND c.relname = 'ledger');
    caller CONSTANT oid := (SELECT r.oid FROM pg_roles r WHERE r.rolname = current_user);
    trusted oid[];
    odd text;
BEGIN
    IF ledger_owner <> caller THEN
        RAISE EXCEPTION 'the tables of casino belong to %', ledger_owner::regrole
            USING ERRCODE = 'insufficient_privilege', DETAIL = 'What install() adds belongs to its caller and must have the same owner.',
                  HINT = format('SET ROLE %s, then call it again.', ledger_owner::regrole);
    END IF;
    -- 10 is the role that initdb made; what it owns is not in pg_shdepend
    trusted := ARRAY[10::oid, caller, (SELECT e.extowner FROM pg_extension e WHERE e.extname = 'casino')];
    SELECT string_agg(format('%s of %s', pg_describe_object(o.classid, o.objid, 0), o.refobjid::regrole), ', ' ORDER BY o.classid, o.objid) INTO odd
      FROM (SELECT d.classid, d.objid FROM pg_depend d WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = 'casino'::regnamespace
            UNION SELECT 'pg_namespace'::regclass, 'casino'::regnamespace) s
      JOIN pg_shdepend o ON o.dbid = (SELECT b.oid FROM pg_database b WHERE b.datname = current_database())
                        AND o.classid = s.classid AND o.objid = s.objid AND o.deptype = 'o'
     WHERE o.refobjid <> ALL (trusted);
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION 'schema casino or something in it belongs to somebody else'
            USING ERRCODE = 'insufficient_privilege', DETAIL = left(format('That is: %s.', odd), 1000),
                  HINT = 'All of it must be of the owner of the extension or of the tables. Drop the rest, and let nobody else create in the schema.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.check_owners() IS 'Part of casino.install(): 42501 unless the schema and all that is in it is of the owner of the extension or of the tables';

-- Not the text of views, constraints and indexes: another major version may print it in another way.
CREATE FUNCTION casino.schema_objects(OUT object text, OUT state text) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH relation AS (
        SELECT c.oid, c.relname, CASE c.relkind WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence' WHEN 'm' THEN 'materialized view' ELSE 'table' END AS what
          FROM pg_class c WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S'))
    SELECT format('%s %s', r.what, r.relname),
           concat_ws(' and ', 'is there', CASE WHEN c.relpersistence <> 'p' THEN 'is not logged' END, CASE WHEN c.relrowsecurity THEN 'has row security' END)
      FROM relation r JOIN pg_class c ON c.oid = r.oid
    UNION ALL
    SELECT format('rule %s on %s', w.rulename, r.relname), format('is at events %s', w.ev_type)
      FROM relation r JOIN pg_rewrite w ON w.ev_class = r.oid AND w.rulename <> '_RETURN'
    UNION ALL
    SELECT format('policy %s on %s', p.polname, r.relname), format('is at commands %s', p.polcmd)
      FROM relation r JOIN pg_policy p ON p.polrelid = r.oid
    UNION ALL
    SELECT format('child %s of %s', i.inhrelid::regclass, r.relname), 'is there'
      FROM relation r JOIN pg_inherits i ON i.inhparent = r.oid AND r.what <> 'index'
    UNION ALL
    SELECT format('column %s.%s', r.relname, a.attname), 'is ' || format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
      FROM relation r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE r.what <> 'sequence'
    UNION ALL
    SELECT format('index %s on %s', i.indexrelid::regclass, r.relname),
           concat_ws(' ', 'is', CASE WHEN i.indisunique THEN 'unique' END, 'over',
                     (SELECT string_agg(coalesce(a.attname, 'an expression'), ', ' ORDER BY k.n) FROM unnest(i.indkey::smallint[]) WITH ORDINALITY k (attnum, n)
                        LEFT JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = k.attnum),
                     CASE WHEN i.indpred IS NOT NULL THEN 'of some rows' END,
                     CASE WHEN NOT i.indisvalid THEN 'and invalid' END)
      FROM relation r JOIN pg_index i ON i.indrelid = r.oid
    UNION ALL
    SELECT format('constraint %s on %s', k.conname, r.relname),
           concat_ws(' ', 'is of type', k.contype, CASE WHEN NOT k.convalidated THEN 'and not valid' END)
      FROM relation r JOIN pg_constraint k ON k.conrelid = r.oid AND k.contype IN ('c', 'f', 'p', 'u', 'x')
    UNION ALL
    SELECT format('trigger %s on %s', t.tgname, r.relname),
           format('calls %s at events %s and is %s', t.tgfoid::regprocedure, t.tgtype,
                  CASE t.tgenabled WHEN 'A' THEN 'enabled always' WHEN 'O' THEN 'enabled' WHEN 'D' THEN 'disabled' ELSE 'enabled on replicas' END)
      FROM relation r JOIN pg_trigger t ON t.tgrelid = r.oid AND NOT t.tgisinternal
$fn$;
COMMENT ON FUNCTION casino.schema_objects() IS 'Tables, views, columns, indexes, constraints, triggers and sequences of schema casino as they are now; rules, policies and children too, of which install() makes none';

CREATE FUNCTION casino.record_installed(version integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    DELETE FROM casino.installed_object o WHERE o.object IS NOT NULL;
    INSERT INTO casino.installed_object SELECT s.object, s.state, record_installed.version FROM casino.schema_objects() s;
    PERFORM casino.record_code();
END
$fn$;
COMMENT ON FUNCTION casino.record_installed(integer) IS 'Part of casino.install(): keeps what its steps have made';

CREATE FUNCTION casino.check_installed() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    odd text;
    number bigint := 1;
BEGIN
    IF to_regclass('casino.installed_object') IS NULL THEN
        odd := 'table installed_object is missing';
    ELSIF NOT EXISTS (SELECT FROM casino.installed_object) THEN
        odd := 'table installed_object is empty';
    ELSE
        WITH present AS MATERIALIZED (SELECT s.object, s.state FROM casino.schema_objects() s),
        -- code is the guard's: a newer extension brings it
        changed AS MATERIALIZED (
            SELECT i.object, i.state AS was, s.state
              FROM casino.installed_object i
              LEFT JOIN present s ON s.object = i.object
             WHERE (s.object IS NULL OR s.state <> i.state)
               AND i.object !~ '^(extension|routine|body of|definition of) '),
        gone AS MATERIALIZED (
            SELECT c.object, substring(c.object, '^(?:table|view|materialized view) (.*)$') AS relation
              FROM changed c
             WHERE c.state IS NULL AND c.object ~ '^(table|view|materialized view) ')
        SELECT string_agg(x.what, '; ' ORDER BY x.n), count(*) INTO odd, number
          FROM (SELECT CASE WHEN c.state IS NULL THEN c.object || ' is missing'
                            ELSE format('%s %s, it %s before', c.object, c.state, replace(c.was, 'is ', 'was ')) END AS what,
                       row_number() OVER (ORDER BY c.object !~ '^(table|view|sequence)', c.object !~ '^column', c.object !~ '^trigger', c.object) AS n
                  FROM changed c
                 -- of a table that is missing its parts are not named too
                 WHERE NOT EXISTS (SELECT FROM gone g WHERE g.relation = substring(c.object, '(?:^column | on )(\w+)'))) x;
    END IF;
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION 'the tables of casino differ from what install() created: % parts are missing or changed', number
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = left(odd || '.', 10000),
                  HINT = 'Restore a backup. A development installation is removed with DROP SCHEMA casino CASCADE and made anew.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.check_installed() IS 'Part of casino.install(): 55000 naming what is missing or changed since its last step';

-- Views of all families of games are large; their estimates make the server compile them, which takes longer than to run them.
CREATE FUNCTION casino.set_database() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    database CONSTANT oid := (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
BEGIN
    IF pg_has_role((SELECT d.datdba FROM pg_database d WHERE d.oid = database), 'USAGE')
       AND NOT pg_is_in_recovery()
       AND NOT EXISTS (SELECT FROM pg_db_role_setting s, unnest(s.setconfig) c (setting)
                        WHERE s.setdatabase = database AND s.setrole = 0 AND c.setting LIKE 'jit=%') THEN
        EXECUTE format('ALTER DATABASE %I SET jit = off', current_database());
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.set_database() IS 'Part of casino.install(): turns jit off for sessions of this database, if the caller may and nothing is set';
-- Fingerprints of code: functions and views as the extension and install() made them, so that the guard sees another body of the same name.

CREATE FUNCTION casino.code_objects(OUT object text, OUT state text) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT 'extension casino', 'is ' || e.extversion FROM pg_extension e WHERE e.extname = 'casino'
    UNION ALL
    -- the text of a body is kept as it was given: the same in a dump that was restored and in a later server
    SELECT format('routine %s', p.oid::regprocedure),
           'is ' || encode(sha256(convert_to(jsonb_build_array(l.lanname, p.prosrc, p.probin, p.proconfig, p.prokind, p.prosecdef, p.proleakproof, p.proisstrict, p.proretset,
                                                               p.provolatile, p.proparallel, p.prosupport::text, format_type(p.prorettype, NULL))::text, 'UTF8')), 'hex')
      FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
     WHERE p.pronamespace = 'casino'::regnamespace
    UNION ALL
    -- what is kept as a tree is printed, by each major version of the server in its own way
    SELECT format('body of %s', p.oid::regprocedure), casino.printed(pg_get_function_sqlbody(p.oid))
      FROM pg_proc p
     WHERE p.pronamespace = 'casino'::regnamespace AND p.prosqlbody IS NOT NULL
    UNION ALL
    SELECT format('definition of %s', c.relname), casino.printed(pg_get_viewdef(c.oid))
      FROM pg_class c
     WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('v', 'm')
$fn$;
COMMENT ON FUNCTION casino.code_objects() IS 'Functions and views of schema casino as they are now, as fingerprints';

CREATE FUNCTION casino.printed(text text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT format('is %s by %s', encode(sha256(convert_to(text, 'UTF8')), 'hex'), current_setting('server_version_num')::integer / 10000)
$fn$;
COMMENT ON FUNCTION casino.printed(text) IS 'Part of code_objects(): the fingerprint of a definition, and the major version of the server that has printed it';

-- R7.62: under another major version of the server (pg_upgrade, a dump restored there) what is printed is recorded anew, once; texts of
-- functions are compared across versions.
CREATE FUNCTION casino.record_printed() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF EXISTS (SELECT FROM casino.installed_object i
                WHERE i.object ~ '^(body|definition) of ' AND substring(i.state, ' by (\d+)$')::integer <> current_setting('server_version_num')::integer / 10000) THEN
        UPDATE casino.installed_object i SET state = c.state
          FROM casino.code_objects() c
         WHERE c.object = i.object AND i.object ~ '^(body|definition) of ' AND substring(i.state, ' by \d+$') <> substring(c.state, ' by \d+$');
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.record_printed() IS 'Part of the check guard: after a change of the server''s major version, which prints definitions in another way';

CREATE FUNCTION casino.record_code() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    version CONSTANT integer := (SELECT max(v.version) FROM casino.schema_version v);
BEGIN
    DELETE FROM casino.installed_object i WHERE i.object ~ '^(extension|routine|body of|definition of) ';
    INSERT INTO casino.installed_object SELECT c.object, c.state, version FROM casino.code_objects() c;
END
$fn$;
COMMENT ON FUNCTION casino.record_code() IS 'Part of casino.install(): keeps the fingerprints of the extension''s functions and of its views';

-- R7.63: settings that put rules out of action, set for all sessions of a role or database, or in force without a session''s own doing
CREATE FUNCTION casino.guarded_settings(OUT setting text, OUT value text, OUT scope text) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT split_part(c.entry, '=', 1), substr(c.entry, strpos(c.entry, '=') + 1),
           concat_ws(' ', CASE WHEN s.setrole <> 0 THEN format('role %s', pg_get_userbyid(s.setrole)) END,
                     CASE WHEN s.setdatabase <> 0 THEN format('database %s', d.datname) END, CASE WHEN s.setrole = 0 AND s.setdatabase = 0 THEN 'everybody' END)
      FROM pg_db_role_setting s
      LEFT JOIN pg_database d ON d.oid = s.setdatabase
     CROSS JOIN LATERAL unnest(s.setconfig) c (entry)
     WHERE (s.setdatabase = 0 OR d.datname = current_database())
       AND (c.entry ~* '^casino\.' AND c.entry !~* '^casino\.(actor|shared_logins)=' OR c.entry ~* '^session_replication_role=(replica|local)')
    UNION ALL
    SELECT s.name, s.reset_val, 'the server'
      FROM pg_settings s
     WHERE (s.name ~ '^casino\.' AND s.name NOT IN ('casino.actor', 'casino.shared_logins') OR s.name = 'session_replication_role')
       AND s.reset_val <> s.boot_val AND s.reset_val <> 'origin'
$fn$;
COMMENT ON FUNCTION casino.guarded_settings() IS 'Part of the check guard: settings for a role, a database or the server by which rules of casino are not in force; the person and shared logins are kept with what is recorded';

-- R7.64: who is a member of a role that may write past the functions; a superuser may anyway
CREATE FUNCTION casino.guarded_members(owner oid, OUT member text, OUT role text) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT DISTINCT m.rolname::text, r.rolname::text
      FROM pg_auth_members a
      JOIN pg_roles m ON m.oid = a.member
      JOIN pg_roles r ON r.oid = a.roleid
     WHERE (r.oid = owner OR r.rolsuper OR r.rolname IN ('pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program'))
       AND NOT m.rolsuper AND m.oid <> owner
$fn$;
COMMENT ON FUNCTION casino.guarded_members(oid) IS 'Part of the check guard: members of the owner of the tables, of superusers and of the roles that may write everything';

-- Append-only tables: what refuses a change, and how a table comes by it.

CREATE FUNCTION casino.refuse_change() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_refuse_change' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.refuse_change() IS 'Trigger of append-only tables: KL001';

CREATE FUNCTION casino.make_append_only(VARIADIC relations name[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    relation name;
BEGIN
    FOREACH relation IN ARRAY relations LOOP
        EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON casino.%I
                            FOR EACH ROW EXECUTE FUNCTION casino.refuse_change()', relation);
        EXECUTE format('CREATE TRIGGER append_only_statement BEFORE UPDATE OR DELETE OR TRUNCATE ON casino.%I
                            FOR EACH STATEMENT EXECUTE FUNCTION casino.refuse_change()', relation);
        EXECUTE format('COMMENT ON TRIGGER append_only ON casino.%I IS %L', relation,
                       'Refuses UPDATE and DELETE of rows, under session_replication_role = replica too');
        EXECUTE format('COMMENT ON TRIGGER append_only_statement ON casino.%I IS %L', relation,
                       'Refuses UPDATE, DELETE and TRUNCATE, under session_replication_role = replica too');
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.make_append_only(name[]) IS 'Part of casino.install(): makes tables append-only';

CREATE FUNCTION casino.refuse_truncate(VARIADIC relations name[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    relation name;
BEGIN
    FOREACH relation IN ARRAY relations LOOP
        EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON casino.%I
                            FOR EACH STATEMENT EXECUTE FUNCTION casino.refuse_change()', relation);
        EXECUTE format('COMMENT ON TRIGGER no_truncate ON casino.%I IS %L', relation, 'Refuses TRUNCATE');
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.refuse_truncate(name[]) IS 'Part of casino.install(): tables whose rows may change but are not emptied';

CREATE FUNCTION casino.enable_append_only() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    weak record;
BEGIN
    FOR weak IN SELECT t.tgrelid::regclass AS relation, t.tgname FROM pg_trigger t
                 WHERE t.tgenabled <> 'A'
                   AND (t.tgname IN ('append_only', 'append_only_statement') AND t.tgfoid = 'casino.refuse_change'::regproc
                        OR t.tgname = 'plan_unchanged' AND t.tgfoid = 'casino.plan_guard'::regproc) LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', weak.relation, weak.tgname);
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.enable_append_only() IS 'Part of casino.install(): the triggers that say append-only fire always, also after something like pg_dump --disable-triggers made them ordinary ones';
-- Who did it: the role that called, its login and the person it names, kept with every entry and act.

CREATE FUNCTION casino.record_who() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_record_who' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.record_who() IS 'Trigger of evidence: fills in who did it, by pairs of columns (who, when)';

CREATE FUNCTION casino.recorder_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_recorder_guard' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.recorder_guard() IS 'Trigger of casino.recorder: only the ledger''s own code enters rows';

CREATE FUNCTION casino.recorded_by() RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_recorded_by' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.recorded_by() IS 'Part of functions that record: number in casino.recorder of who called';

CREATE FUNCTION casino.install_recorder() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE SEQUENCE casino.recorder_id_seq AS integer;
    COMMENT ON SEQUENCE casino.recorder_id_seq IS 'Numbers of recorders';

    CREATE TABLE casino.recorder (
        recorder_id   integer PRIMARY KEY,
        role          text NOT NULL,
        login         text NOT NULL,
        actor         text,
        shared_logins boolean NOT NULL,
        recorded_at   timestamptz NOT NULL
    );
    CREATE INDEX recorder_role ON casino.recorder (role, login, coalesce(actor, ''));
    COMMENT ON INDEX casino.recorder_role IS 'Finds the number of a combination';
    COMMENT ON TABLE casino.recorder IS 'Append-only: who records. One row for each combination of role, login, person and casino.shared_logins; two numbers of one mean the same';
    COMMENT ON COLUMN casino.recorder.recorder_id IS 'Number that entries and acts keep';
    COMMENT ON COLUMN casino.recorder.role IS 'Database role in effect at the call, by its name then (current_user)';
    COMMENT ON COLUMN casino.recorder.login IS 'Role that had logged in (session_user)';
    COMMENT ON COLUMN casino.recorder.actor IS 'Person on whose behalf, as the session said in casino.actor; NULL: it said nothing';
    COMMENT ON COLUMN casino.recorder.shared_logins IS 'Was casino.shared_logins on: two named persons of one login count as two';
    COMMENT ON COLUMN casino.recorder.recorded_at IS 'When the combination was first met';
    CREATE TRIGGER recorder_guard BEFORE INSERT ON casino.recorder
        FOR EACH ROW EXECUTE FUNCTION casino.recorder_guard();
    COMMENT ON TRIGGER recorder_guard ON casino.recorder IS 'Only the ledger''s own code enters recorders';

    PERFORM casino.make_append_only('recorder');
END
$fn$;
COMMENT ON FUNCTION casino.install_recorder() IS 'Part of casino.install(): who records';

-- R7.60, R7.61: what a second person must be, for every approval of ours.  The login is what a caller cannot choose; role and person he can.
CREATE FUNCTION casino.same_eyes(first integer, second integer) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    one casino.recorder;
    other casino.recorder;
BEGIN
    SELECT r.* INTO one FROM casino.recorder r WHERE r.recorder_id = first;
    SELECT r.* INTO other FROM casino.recorder r WHERE r.recorder_id = second;
    IF one.recorder_id IS NULL OR other.recorder_id IS NULL THEN
        RETURN 'It is not known who did it.';
    ELSIF one.login = other.login AND NOT other.shared_logins THEN
        RETURN format('Both are the login "%s".', other.login);
    ELSIF one.login = other.login AND (one.actor IS NULL OR other.actor IS NULL) THEN
        RETURN format('Both are the login "%s", and a person is not named.', other.login);
    ELSIF casino.person_named(coalesce(one.actor, one.login)) = casino.person_named(coalesce(other.actor, other.login)) THEN
        RETURN format('Both are the person "%s".', coalesce(other.actor, other.login));
    ELSIF one.login <> other.login AND one.role = other.role THEN
        RETURN format('Both act as the role "%s".', other.role);
    END IF;
    RETURN NULL;
END
$fn$;
COMMENT ON FUNCTION casino.same_eyes(integer, integer) IS 'Part of approvals: why the recorder second does not count as a second person for what the recorder first did; NULL: it does. The same login never does, unless casino.shared_logins is on for second and both name persons; nor does the same person, nor the same role';

-- The same name in other letters, with other white space or with characters that are not to be seen is no other person
CREATE FUNCTION casino.person_named(name text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN lower(btrim(regexp_replace(regexp_replace(normalize(name, NFKC), '[' || casino.ignorable() || ']', '', 'g'), '[[:space:]]+', ' ', 'g')));
COMMENT ON FUNCTION casino.person_named(text) IS 'Part of same_eyes(): the name by which a person is told apart';

CREATE FUNCTION casino.make_recorded(relation name, loaded boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    EXECUTE format('ALTER TABLE casino.%I ADD COLUMN recorded_by integer %s', relation, CASE WHEN NOT loaded THEN 'NOT NULL' END);
    EXECUTE format('COMMENT ON COLUMN casino.%I.recorded_by IS %L', relation,
                   'Who recorded it: casino.recorder' || CASE WHEN loaded THEN '; NULL: install()' ELSE '' END);
    EXECUTE format('CREATE TRIGGER record_who BEFORE INSERT OR UPDATE ON casino.%I
                        FOR EACH ROW EXECUTE FUNCTION casino.record_who(%L)', relation, 'recorded_by');
    EXECUTE format('COMMENT ON TRIGGER record_who ON casino.%I IS %L', relation, 'Fills in who recorded the row');
END
$fn$;
COMMENT ON FUNCTION casino.make_recorded(name, boolean) IS 'Part of casino.install(): a table keeps who recorded each row; of plans what install() loads is nobody''s';
-- Games and the versions of their plans: what they hold, which is in force, and when one may change (R1.2).

CREATE FUNCTION casino.install_plans() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.game (
        game     text PRIMARY KEY,
        name     text NOT NULL,
        family   text NOT NULL CHECK (casino.family_is_built(family)),
        live     boolean NOT NULL,
        document text NOT NULL
    );
    COMMENT ON TABLE casino.game IS 'The games of the operator';
    COMMENT ON COLUMN casino.game.game IS 'Code of the game';
    COMMENT ON COLUMN casino.game.name IS 'Name as its document has it';
    COMMENT ON COLUMN casino.game.family IS 'Which logic grades it';
    COMMENT ON COLUMN casino.game.live IS 'Broadcast live game (přenášená živá hra): betting sequence and one-table rule apply (D4 §8)';
    COMMENT ON COLUMN casino.game.document IS 'Document of the rules, D0 to D4';

    CREATE SEQUENCE casino.plan_id_seq AS bigint MINVALUE 1 START 1000;
    COMMENT ON SEQUENCE casino.plan_id_seq IS 'Numbers of plan versions added after the first ones';

    CREATE TABLE casino.game_plan (
        plan_id            bigint PRIMARY KEY,
        game               text NOT NULL REFERENCES casino.game,
        version            integer NOT NULL CHECK (version > 0),
        valid_from         timestamptz NOT NULL,
        document           text NOT NULL CHECK (octet_length(document) <= 1000),
        round_max_stake    numeric CHECK (round_max_stake > 0),
        declared_round_win numeric CHECK (declared_round_win > 0),
        UNIQUE (game, version),
        UNIQUE (game, valid_from)
    );
    COMMENT ON TABLE casino.game_plan IS 'Versions of the game plans; a version is in force from valid_from until the next version of its game';
    COMMENT ON COLUMN casino.game_plan.plan_id IS 'Number of the version';
    COMMENT ON COLUMN casino.game_plan.game IS 'Game';
    COMMENT ON COLUMN casino.game_plan.version IS 'Counts the versions of one game from 1';
    COMMENT ON COLUMN casino.game_plan.valid_from IS 'When it comes into force, until the next version of the same game does';
    COMMENT ON COLUMN casino.game_plan.document IS 'Document and date of the version';
    COMMENT ON COLUMN casino.game_plan.round_max_stake IS 'CZK one player may stake in one round; NULL: none declared';
    COMMENT ON COLUMN casino.game_plan.declared_round_win IS 'CZK declared net win of one player in one round; NULL: none declared';

    CREATE TABLE casino.plan_rule (
        plan_id   bigint NOT NULL REFERENCES casino.game_plan,
        rule      text NOT NULL,
        value     text NOT NULL,
        paragraph text NOT NULL,
        informative boolean NOT NULL DEFAULT false,
        PRIMARY KEY (plan_id, rule)
    );
    COMMENT ON TABLE casino.plan_rule IS 'Switches and numbers of a game that are not a kind of bet';
    COMMENT ON COLUMN casino.plan_rule.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.plan_rule.rule IS 'Name of the rule';
    COMMENT ON COLUMN casino.plan_rule.value IS 'Its value in this version';
    COMMENT ON COLUMN casino.plan_rule.paragraph IS 'Paragraph of the document, or number of the reading that decided it';
    COMMENT ON COLUMN casino.plan_rule.informative IS 'For people: no code reads it, see casino.plan_rules()';

    CREATE TABLE casino.bet_rule (
        plan_id      bigint NOT NULL REFERENCES casino.game_plan,
        kind         text NOT NULL,
        min_stake    numeric CHECK (min_stake > 0),
        max_stake    numeric CHECK (max_stake > 0),
        declared_win numeric CHECK (declared_win > 0),
        table_limits text NOT NULL CHECK (table_limits IN ('principal', 'covered', 'minimum', 'none')),
        requires     text,
        phase        text NOT NULL CHECK (phase IN ('betting', 'play', 'any')),
        zero_offered boolean NOT NULL DEFAULT true,
        paragraph    text NOT NULL,
        PRIMARY KEY (plan_id, kind)
    );
    COMMENT ON TABLE casino.bet_rule IS 'Kinds of bet a plan version offers, with their limits';
    COMMENT ON COLUMN casino.bet_rule.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.bet_rule.kind IS 'Kind of bet, see casino.bet_kinds()';
    COMMENT ON COLUMN casino.bet_rule.min_stake IS 'CZK least stake of the plan on one position; NULL: none declared';
    COMMENT ON COLUMN casino.bet_rule.max_stake IS 'CZK greatest stake of the plan on one position; NULL: none declared';
    COMMENT ON COLUMN casino.bet_rule.declared_win IS 'CZK declared net win of one position: a greater profit is capped and recorded; NULL: none declared';
    COMMENT ON COLUMN casino.bet_rule.table_limits IS 'principal: the table''s minimum and maximum are of this kind; covered: table minimum, and table maximum times the numbers covered; minimum: table minimum, and where plan and table name no maximum the table''s times the numbers covered; none: neither, unless the table names its own';
    COMMENT ON COLUMN casino.bet_rule.requires IS 'Kind the same player must have staked on the same seat';
    COMMENT ON COLUMN casino.bet_rule.phase IS 'betting: until betting closes; play: after that, until actions close; any: both';
    COMMENT ON COLUMN casino.bet_rule.zero_offered IS 'May a combination with zero be bet';
    COMMENT ON COLUMN casino.bet_rule.paragraph IS 'Paragraph of the document, or number of the reading that decided it';

    CREATE TABLE casino.paytable (
        plan_id   bigint NOT NULL,
        kind      text NOT NULL,
        grade     text NOT NULL CHECK (grade <> 'lose'),
        num       integer NOT NULL,
        den       integer NOT NULL CHECK (den > 0),
        CHECK (num >= -den),
        paragraph text NOT NULL,
        PRIMARY KEY (plan_id, kind, grade),
        FOREIGN KEY (plan_id, kind) REFERENCES casino.bet_rule
    );
    COMMENT ON TABLE casino.paytable IS 'Odds: profit to stake of each grade of each kind; lose has no line';
    COMMENT ON COLUMN casino.paytable.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.paytable.kind IS 'Kind of bet';
    COMMENT ON COLUMN casino.paytable.grade IS 'How the wager ended';
    COMMENT ON COLUMN casino.paytable.num IS 'Profit, for den staked; push 0';
    COMMENT ON COLUMN casino.paytable.den IS 'Stake to which num belongs';
    COMMENT ON COLUMN casino.paytable.paragraph IS 'Paragraph of the document, or number of the reading that decided it';

    CREATE TABLE casino.announced_rule (
        plan_id        bigint NOT NULL REFERENCES casino.game_plan,
        stem           text NOT NULL,
        min_neighbours integer,
        max_neighbours integer,
        paragraph      text NOT NULL,
        PRIMARY KEY (plan_id, stem)
    );
    COMMENT ON TABLE casino.announced_rule IS 'Announced bets a plan version offers';
    COMMENT ON COLUMN casino.announced_rule.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.announced_rule.stem IS 'Name up to its colon';
    COMMENT ON COLUMN casino.announced_rule.min_neighbours IS 'neighbours: least count a side';
    COMMENT ON COLUMN casino.announced_rule.max_neighbours IS 'neighbours: greatest count a side';
    COMMENT ON COLUMN casino.announced_rule.paragraph IS 'Paragraph of the document, or number of the reading that decided it';

    CREATE TRIGGER game_guard BEFORE UPDATE OR DELETE ON casino.game
        FOR EACH ROW EXECUTE FUNCTION casino.refuse_change();
    COMMENT ON TRIGGER game_guard ON casino.game IS 'What a game is does not change';
    PERFORM casino.refuse_truncate('game', 'game_plan', 'plan_rule', 'bet_rule', 'paytable', 'announced_rule');
END
$fn$;
COMMENT ON FUNCTION casino.install_plans() IS 'Part of casino.install(): games and plans';

CREATE FUNCTION casino.guard_plans() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    part name;
BEGIN
    FOREACH part IN ARRAY ARRAY['game_plan', 'plan_rule', 'bet_rule', 'paytable', 'announced_rule'] LOOP
        PERFORM casino.make_recorded(part, loaded => true);
        EXECUTE format('CREATE TRIGGER plan_guard BEFORE INSERT OR UPDATE OR DELETE ON casino.%I
                            FOR EACH ROW EXECUTE FUNCTION casino.plan_guard()', part);
        EXECUTE format('COMMENT ON TRIGGER plan_guard ON casino.%I IS %L', part,
                       'A plan version in force or past never changes');
        -- judged once more when the change is committed: its day may have come meanwhile
        EXECUTE format('CREATE CONSTRAINT TRIGGER plan_guard_commit AFTER INSERT OR UPDATE OR DELETE ON casino.%I
                            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION casino.plan_guard()', part);
        EXECUTE format('COMMENT ON TRIGGER plan_guard_commit ON casino.%I IS %L', part,
                       'The same at the end of the transaction');
        -- an applied or restored INSERT is of versions long in force: only changes are refused in every role
        EXECUTE format('CREATE TRIGGER plan_unchanged BEFORE UPDATE OR DELETE ON casino.%I
                            FOR EACH ROW EXECUTE FUNCTION casino.plan_guard()', part);
        EXECUTE format('COMMENT ON TRIGGER plan_unchanged ON casino.%I IS %L', part,
                       'The same under session_replication_role = replica');
        IF part <> 'game_plan' THEN
            EXECUTE format('CREATE TRIGGER plan_values BEFORE INSERT OR UPDATE ON casino.%I
                                FOR EACH ROW EXECUTE FUNCTION casino.plan_values()', part);
            EXECUTE format('COMMENT ON TRIGGER plan_values ON casino.%I IS %L', part,
                           'Refuses what no code of the game''s family knows');
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.guard_plans() IS 'Part of casino.install(): who recorded the rows of plans, and that a version in force does not change; after load_game_plans()';

CREATE FUNCTION casino.plan_in_force(game text, at timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    plan bigint;
BEGIN
    PERFORM FROM casino.game g WHERE g.game = plan_in_force.game;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'game "%" does not exist', game USING ERRCODE = 'foreign_key_violation';
    END IF;
    SELECT p.plan_id INTO plan FROM casino.game_plan p
     WHERE p.game = plan_in_force.game AND p.valid_from <= plan_in_force.at
     ORDER BY p.valid_from DESC LIMIT 1;
    IF plan IS NULL THEN
        RAISE EXCEPTION 'no game plan of % is in force at %', game, at USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    RETURN plan;
END
$fn$;
COMMENT ON FUNCTION casino.plan_in_force(text, timestamptz) IS 'Version of a game''s plan in force at a time';

CREATE FUNCTION casino.plan_is_used(plan_id bigint) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_plan_is_used' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.plan_is_used(bigint) IS 'Part of plan_guard(): was a round opened under the version, also since the transaction''s snapshot';

-- Who writes a row of a version holds its game_plan row FOR UPDATE until he commits, and whoever opens a round under it
-- holds it FOR KEY SHARE, by the foreign key of casino.round: neither goes on before the other has ended.
CREATE FUNCTION casino.plan_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    affected bigint[] := ARRAY[]::bigint[];
    fixed casino.game_plan;
    plan casino.game_plan;
BEGIN
    -- whoever puts the guard out of action has done so for both of its moments
    IF TG_WHEN = 'AFTER' AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = TG_RELID AND t.tgname = 'plan_guard' AND t.tgenabled = 'D') THEN
        RETURN NULL;
    END IF;
    IF TG_OP IN ('UPDATE', 'DELETE') THEN
        affected := affected || OLD.plan_id;
    END IF;
    IF TG_OP IN ('UPDATE', 'INSERT') THEN
        affected := affected || NEW.plan_id;
    END IF;
    FOR plan IN SELECT p.* FROM casino.game_plan p WHERE p.plan_id = ANY (affected) ORDER BY p.plan_id FOR UPDATE LOOP
        IF plan.valid_from <= clock_timestamp() OR casino.plan_is_used(plan.plan_id) THEN
            fixed := plan;
        END IF;
    END LOOP;
    IF fixed.plan_id IS NULL AND TG_TABLE_NAME = 'game_plan' THEN
        -- a new version, or a draft moved or given up: it must lie in the future, where it was too
        IF TG_OP IN ('UPDATE', 'INSERT') AND NEW.valid_from <= clock_timestamp() THEN
            fixed := NEW;
        ELSIF TG_OP IN ('UPDATE', 'DELETE') AND OLD.valid_from <= clock_timestamp() THEN
            fixed := OLD;
        END IF;
    END IF;
    IF fixed.plan_id IS NOT NULL THEN
        RAISE EXCEPTION 'cannot change version % of the game plan of %', fixed.version, fixed.game
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('It is in force since %s or rounds were opened under it.', fixed.valid_from),
                  HINT = 'Add a version with casino.add_plan_version() and change that before it comes into force.';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino.plan_guard() IS 'Trigger of the plan tables: a version in force or past does not change';

CREATE FUNCTION casino.add_plan_version(game text, valid_from timestamptz, document text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    latest casino.game_plan;
    plan bigint;
BEGIN
    IF game IS NULL OR valid_from IS NULL OR coalesce(btrim(document), '') = '' THEN
        RAISE EXCEPTION 'game, valid_from and document must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino.bounded(document, 'document', 1000);
    PERFORM FROM casino.game g WHERE g.game = add_plan_version.game FOR UPDATE;
    SELECT p.* INTO latest FROM casino.game_plan p
     WHERE p.game = add_plan_version.game ORDER BY p.version DESC LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'game "%" does not exist', game USING ERRCODE = 'foreign_key_violation';
    END IF;
    -- R13.21: the same call again, as it is made in a hub and all its cells
    SELECT p.plan_id INTO plan FROM casino.game_plan p
     WHERE p.game = add_plan_version.game AND p.version > 1 AND p.valid_from = add_plan_version.valid_from AND p.document = add_plan_version.document;
    IF FOUND THEN
        RETURN plan;
    END IF;
    IF valid_from <= latest.valid_from OR valid_from = 'infinity' THEN
        RAISE EXCEPTION 'version % of % is valid from %, the next must be later', latest.version, game, latest.valid_from
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    plan := nextval('casino.plan_id_seq');
    INSERT INTO casino.game_plan VALUES (plan, latest.game, latest.version + 1, add_plan_version.valid_from,
                                         add_plan_version.document, latest.round_max_stake, latest.declared_round_win);
    INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph, informative)
    SELECT plan, r.rule, r.value, r.paragraph, r.informative FROM casino.plan_rule r WHERE r.plan_id = latest.plan_id;
    INSERT INTO casino.bet_rule
    SELECT plan, b.kind, b.min_stake, b.max_stake, b.declared_win, b.table_limits, b.requires, b.phase, b.zero_offered, b.paragraph
      FROM casino.bet_rule b WHERE b.plan_id = latest.plan_id;
    INSERT INTO casino.paytable SELECT plan, t.kind, t.grade, t.num, t.den, t.paragraph FROM casino.paytable t WHERE t.plan_id = latest.plan_id;
    INSERT INTO casino.announced_rule
    SELECT plan, a.stem, a.min_neighbours, a.max_neighbours, a.paragraph FROM casino.announced_rule a WHERE a.plan_id = latest.plan_id;
    RETURN plan;
END
$fn$;
COMMENT ON FUNCTION casino.add_plan_version(text, timestamptz, text) IS 'Adds a version of a game''s plan as a copy of the latest, to be changed with UPDATE, INSERT and DELETE until it comes into force; returns its plan_id, of the one added before when time and document are the same';
-- What a plan may say: the rules, kinds and grades that code knows, and a version as a whole.

CREATE FUNCTION casino.plan_rules(family text, OUT rule text, OUT informative boolean, OUT required boolean) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_plan_rules' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 30;
COMMENT ON FUNCTION casino.plan_rules(text) IS 'Rules that a plan of the family may have; informative: for people, no code reads it; required: a plan without it is incomplete';

CREATE FUNCTION casino.plan_rule_problem(family text, rule text, value text) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_plan_rule_problem' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.plan_rule_problem(text, text, text) IS 'Why the family has no such rule, or the rule no such value; NULL: it has';

CREATE FUNCTION casino.plan_kinds(family text) RETURNS SETOF text
    AS 'MODULE_PATHNAME', 'casino_sql_plan_kinds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 15;
COMMENT ON FUNCTION casino.plan_kinds(text) IS 'Kinds of bet that games of the family can have';

CREATE FUNCTION casino.plan_grades(family text, rules jsonb, OUT kind text, OUT grade text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_plan_grades' LANGUAGE C IMMUTABLE PARALLEL SAFE ROWS 50;
COMMENT ON FUNCTION casino.plan_grades(text, jsonb) IS 'Grades, other than lose, that a kind of bet can have under these rules, or under any (NULL); each needs a line of the paytable';

CREATE FUNCTION casino.plan_is_checked(plan_id bigint) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_plan_is_checked' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.plan_is_checked(bigint) IS 'Part of open_round(): has this session found the version without problems before';

CREATE FUNCTION casino.plan_note_checked(plan_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_plan_note_checked' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.plan_note_checked(bigint) IS 'Part of open_round(): keeps that a version in force, which does not change, has no problems';

CREATE FUNCTION casino.plan_name(plan_id bigint) RETURNS text
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT format('version %s of the game plan of %s', p.version, p.game) FROM casino.game_plan p WHERE p.plan_id = $1
$fn$;
COMMENT ON FUNCTION casino.plan_name(bigint) IS 'Name of a plan version in messages';

CREATE FUNCTION casino.check_plan(plan_id bigint) RETURNS TABLE (problem text, "row" jsonb)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.check_plan(bigint) IS 'What is wrong with a plan version as a whole, and in which row: rules and lines that are missing, what cannot occur or is not offered. No row: rounds can be opened and settled under it';

CREATE FUNCTION casino.check_plan_impl(plan_id bigint) RETURNS TABLE (problem text, "row" jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    plan CONSTANT bigint := check_plan_impl.plan_id;
    family text;
    rules jsonb;
    sound boolean;
BEGIN
    SELECT g.family INTO family FROM casino.game_plan p JOIN casino.game g ON g.game = p.game WHERE p.plan_id = plan;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'game plan % does not exist', plan USING ERRCODE = 'foreign_key_violation';
    END IF;

    -- rules
    RETURN QUERY
    SELECT format('the rule %s is missing', k.rule), jsonb_build_object('table', 'plan_rule', 'rule', k.rule)
      FROM casino.plan_rules(family) k
     WHERE k.required AND NOT EXISTS (SELECT FROM casino.plan_rule r WHERE r.plan_id = plan AND r.rule = k.rule);
    sound := NOT FOUND;
    RETURN QUERY
    SELECT coalesce(casino.plan_rule_problem(family, r.rule, r.value),
                    format('the rule %s is %s', r.rule, CASE WHEN r.informative THEN 'no fact for people: code obeys it'
                                                             ELSE 'a fact for people: no code obeys it' END)),
           jsonb_build_object('table', 'plan_rule', 'rule', r.rule, 'value', r.value)
      FROM casino.plan_rule r
      LEFT JOIN casino.plan_rules(family) k ON k.rule = r.rule
     WHERE r.plan_id = plan
       AND (casino.plan_rule_problem(family, r.rule, r.value) IS NOT NULL OR k.informative <> r.informative);
    sound := sound AND NOT FOUND;
    IF sound THEN
        SELECT coalesce(jsonb_object_agg(r.rule, r.value), '{}') INTO rules FROM casino.plan_rule r WHERE r.plan_id = plan;
    END IF;
    RETURN QUERY
    SELECT 'the small blind is above the big blind', jsonb_build_object('table', 'plan_rule', 'rule', 'small_blind', 'value', s.value)
      FROM casino.plan_rule s JOIN casino.plan_rule b ON b.plan_id = s.plan_id AND b.rule = 'big_blind'
     WHERE s.plan_id = plan AND s.rule = 'small_blind' AND sound AND s.value::numeric > b.value::numeric;

    -- kinds of bet
    RETURN QUERY
    SELECT 'no kind of bet is offered', jsonb_build_object('table', 'bet_rule')
     WHERE NOT EXISTS (SELECT FROM casino.bet_rule b WHERE b.plan_id = plan);
    RETURN QUERY
    SELECT x.problem, jsonb_build_object('table', 'bet_rule', 'kind', b.kind) || x.more
      FROM casino.bet_rule b
     CROSS JOIN LATERAL (
            SELECT format('%s is no kind of bet of %s', b.kind, family) AS problem, '{}'::jsonb AS more
             WHERE b.kind NOT IN (SELECT k FROM casino.plan_kinds(family) k)
            UNION ALL
            SELECT format('%s needs a %s bet, which is not offered', b.kind, b.requires), jsonb_build_object('requires', b.requires)
             WHERE b.requires IS NOT NULL
               AND NOT EXISTS (SELECT FROM casino.bet_rule q WHERE q.plan_id = plan AND q.kind = b.requires AND q.kind <> b.kind)
            UNION ALL
            SELECT format('the least stake on %s is above the greatest', b.kind), jsonb_build_object('min_stake', b.min_stake, 'max_stake', b.max_stake)
             WHERE b.min_stake > b.max_stake
            UNION ALL
            SELECT format('the rules leave %s no place', b.kind), '{}'
             WHERE sound AND b.kind IN (SELECT g.kind FROM casino.plan_grades(family, NULL) g)
               AND b.kind NOT IN (SELECT g.kind FROM casino.plan_grades(family, rules) g)) x
     WHERE b.plan_id = plan;
    RETURN QUERY
    SELECT format('the rules have %s, which is not offered', k.kind), jsonb_build_object('table', 'bet_rule', 'kind', k.kind)
      FROM (VALUES ('behind', 'behind'), ('free_split_on', 'free_split'), ('free_double_on', 'free_double')) k (rule, kind)
     WHERE sound AND rules ->> k.rule <> 'none'
       AND k.kind IN (SELECT g.kind FROM casino.plan_grades(family, rules) g)
       AND NOT EXISTS (SELECT FROM casino.bet_rule b WHERE b.plan_id = plan AND b.kind = k.kind);

    -- odds
    RETURN QUERY
    SELECT format('%s is never graded %s', t.kind, t.grade), jsonb_build_object('table', 'paytable', 'kind', t.kind, 'grade', t.grade)
      FROM casino.paytable t
     WHERE t.plan_id = plan AND (t.kind, t.grade) NOT IN (SELECT g.kind, g.grade FROM casino.plan_grades(family, rules) g);
    RETURN QUERY
    SELECT format('%s can be graded %s, which has no line', g.kind, g.grade), jsonb_build_object('table', 'paytable', 'kind', g.kind, 'grade', g.grade)
      FROM casino.plan_grades(family, rules) g
      JOIN casino.bet_rule b ON b.plan_id = plan AND b.kind = g.kind
     WHERE sound AND NOT EXISTS (SELECT FROM casino.paytable t WHERE t.plan_id = plan AND t.kind = g.kind AND t.grade = g.grade);

    -- announced bets
    RETURN QUERY
    SELECT x.problem, jsonb_build_object('table', 'announced_rule', 'stem', a.stem)
      FROM casino.announced_rule a
     CROSS JOIN LATERAL casino.announced_problem(family, a.stem, a.min_neighbours, a.max_neighbours) x (problem)
     WHERE a.plan_id = plan AND x.problem IS NOT NULL;
    RETURN QUERY
    SELECT DISTINCT format('%s is made of %s bets, which are not offered', a.stem, casino.kind(e.bet)),
           jsonb_build_object('table', 'announced_rule', 'stem', a.stem)
      FROM casino.announced_rule a
     CROSS JOIN LATERAL casino.expand_announced(casino.announced_example(a.stem), 1) e (bet)
     WHERE a.plan_id = plan AND casino.announced_problem(family, a.stem, a.min_neighbours, a.max_neighbours) IS NULL
       AND NOT EXISTS (SELECT FROM casino.bet_rule b WHERE b.plan_id = plan AND b.kind = casino.kind(e.bet)
                          AND (b.zero_offered OR b.kind = 'straight' OR 0 <> ALL (casino.covers(e.bet))));
END
$fn$;
COMMENT ON FUNCTION casino.check_plan_impl(bigint) IS 'Body of check_plan(), run as the owner of the ledger';

CREATE FUNCTION casino.announced_example(stem text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT stem || CASE stem WHEN 'neighbours' THEN ':17/1' WHEN 'complete' THEN ':2' WHEN 'semi_complete' THEN ':2'
                             WHEN 'finale_plein' THEN ':1' WHEN 'finale_cheval' THEN ':0-3' ELSE '' END
$fn$;
COMMENT ON FUNCTION casino.announced_example(text) IS 'Part of check_plan(): an announced bet of that name, with the most kinds it can be made of';

CREATE FUNCTION casino.announced_problem(family text, stem text, min_neighbours integer, max_neighbours integer) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT CASE WHEN family <> 'roulette' OR casino.announced_stem(casino.announced_example(stem)) IS DISTINCT FROM stem
                THEN format('"%s" is no announced bet of %s', left(stem, 64), family)
                WHEN stem = 'neighbours' AND (min_neighbours IS NULL OR max_neighbours IS NULL
                                              OR min_neighbours < 0 OR max_neighbours > 9 OR min_neighbours > max_neighbours)
                THEN 'neighbours has 0 to 9 a side, the least not above the greatest'
                WHEN stem <> 'neighbours' AND (min_neighbours IS NOT NULL OR max_neighbours IS NOT NULL)
                THEN format('%s has no neighbours', stem) END
$fn$;
COMMENT ON FUNCTION casino.announced_problem(text, text, integer, integer) IS 'Why this is no announced bet of the family; NULL when it is one';

CREATE FUNCTION casino.require_plan(plan_id bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    problems text[];
BEGIN
    IF casino.plan_is_checked(plan_id) THEN
        RETURN;
    END IF;
    problems := ARRAY (SELECT c.problem FROM casino.check_plan_impl(require_plan.plan_id) c);
    IF cardinality(problems) > 0 THEN
        RAISE EXCEPTION 'no round can be opened under %', casino.plan_name(plan_id)
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = array_to_string(problems[1:10], '; ')
                           || CASE WHEN cardinality(problems) > 10 THEN format('; and %s more', cardinality(problems) - 10) ELSE '' END || '.',
                  HINT = format('SELECT * FROM casino.check_plan(%s) lists the rows. Rounds could not be settled by them.', plan_id);
    END IF;
    -- what came into force just now may still be committed by another one: see state/plan_bets.c
    PERFORM casino.plan_note_checked(require_plan.plan_id) FROM casino.game_plan p
      WHERE p.plan_id = require_plan.plan_id AND p.valid_from < clock_timestamp() - interval '1 hour';
END
$fn$;
COMMENT ON FUNCTION casino.require_plan(bigint) IS 'Part of open_round(): 22023 naming the problems of a plan version that check_plan() finds';

CREATE FUNCTION casino.plan_in_force_or_next(game text, at timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    first casino.game_plan;
BEGIN
    SELECT p.* INTO first FROM casino.game_plan p WHERE p.game = plan_in_force_or_next.game ORDER BY p.valid_from LIMIT 1;
    RETURN casino.plan_in_force(game, greatest(at, first.valid_from));
END
$fn$;
COMMENT ON FUNCTION casino.plan_in_force_or_next(text, timestamptz) IS 'Version of a game''s plan in force at a time, of a game whose day has not come its first one: tables are prepared by it';

CREATE FUNCTION casino.plan_values() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    family text;
    said text;
BEGIN
    SELECT g.family INTO family FROM casino.game_plan p JOIN casino.game g ON g.game = p.game WHERE p.plan_id = NEW.plan_id;
    IF NOT FOUND THEN
        RETURN NEW;         -- the foreign key refuses it
    END IF;
    CASE TG_TABLE_NAME
        WHEN 'plan_rule' THEN
            said := casino.plan_rule_problem(family, NEW.rule, NEW.value);
            SELECT k.informative INTO NEW.informative FROM casino.plan_rules(family) k WHERE k.rule = NEW.rule;
        WHEN 'bet_rule' THEN
            SELECT format('"%s" is no kind of bet of %s.', left(k, 64), family) INTO said
              FROM unnest(ARRAY[NEW.kind, NEW.requires]) k
             WHERE k NOT IN (SELECT x FROM casino.plan_kinds(family) x) LIMIT 1;
        WHEN 'paytable' THEN
            SELECT format('%s is never graded "%s" in %s.', NEW.kind, left(NEW.grade, 64), family) INTO said
             WHERE (NEW.kind, NEW.grade) NOT IN (SELECT g.kind, g.grade FROM casino.plan_grades(family, NULL) g);
        WHEN 'announced_rule' THEN
            said := casino.announced_problem(family, NEW.stem, NEW.min_neighbours, NEW.max_neighbours) || '.';
    END CASE;
    IF said IS NOT NULL THEN
        RAISE EXCEPTION 'no game of the family % has this row of %', family, TG_TABLE_NAME
            USING ERRCODE = 'invalid_parameter_value', DETAIL = upper(left(said, 1)) || substr(said, 2),
                  HINT = format('casino.plan_rules(%1$L), plan_kinds(%1$L) and plan_grades(%1$L, NULL) list what there is.', family);
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino.plan_values() IS 'Trigger of the tables below a plan version: 22023 for rules, values, kinds, grades and announced bets that the family does not have';
-- The sixteen games and version 1 of each game plan, as the source documents give them.
--
-- Figures stand once: a list that several games share is written once and joined to the games that offer the bet.
-- Every row carries the paragraph it comes from (R1.9): 'D4 Baccarat §20', or the heading where it has no number: 'D0 HRA'.
-- 'R3.14' is a reading (doc/readings.md): what a document leaves open and how it was decided.
--
-- Rules of a plan (casino.plan_rule). Switches: true, false. Numbers: 0 means none, or that the plan sets no limit.
--
--   Those with a + are facts for people (plan_rule.informative), which no code reads.
--
--   blackjack: every game has every rule
--   rule                            values                    meaning
--   decks                           number                    packs of 52 cards
--   hole_card                       true false                dealer's second card is dealt at once, face down
--   dealer_16                       draw either               dealer on 16; either: to draw and to stand are both right
--   double_on                       any 9-11                  first two cards that may be doubled; 9-11: hard totals
--   double_after_split              true false
--   double_split_aces               false
--   split_on                        rank value                king and queen are equal by value, not by rank
--   max_hands                       number                    hands one seat can be split into
--   resplit_aces                    true false
--   cards_on_split_ace              number                    cards dealt to each split ace
--   insurance                       half up_to_half           exactly half of the main stake; at most half of it
--                                   multiple_of_half_minimum  at most half, multiples of half the table minimum
--   insurance_own_blackjack         true false                may a blackjack be insured
--   insurance_behind +              false                     may a bet behind be insured
--   insurance_on_added_stakes       true false                doubled and split stakes count towards it
--   even_money                      none ace ace_or_ten       dealer's first card that lets a blackjack take 1:1
--   surrender                       none table                table: the table may offer it
--   charlie_cards                   number                    a hand of so many cards not over 21 wins
--   charlie_beats_dealer_blackjack  true false
--   dealer_22                       players_win push          push: all standing hands but a blackjack
--   doubled_returned_on_ten_ace     true false                the whole doubled stake comes back against ten, then ace
--   box                             seats shared              shared: one box for all players of the table
--   max_seats                       number                    0: the table decides
--   bets_per_box                    number                    players with a main bet on one box; 0: any number
--   box_limit                       together each owner       maximum for all on the box, for each, for its one player
--   owner_precedence                true false                above the box's maximum the others must make room for its owner
--   absent_owner                    none second_player        who decides for the absent owner of a box
--   behind                          none table                bets behind; table: the table may offer them
--   draw_on_21                      true false                may a player draw on 21
--   must_draw_to                    number                    no standing on it or less (doubled hands, split aces may)
--   no_action +                     none stand                how a hand is played whose player does not decide
--                                   draw_to_11 draw_to_16     draw on it or less, then stand
--   free_split_on                   none not_tens             pairs split free of charge: all but ten-values
--   free_double_on                  none 9-11_no_ace          hard totals of two cards doubled free of charge
--   dealer_completes_on_ace_or_ten  true false                before anything is paid, on such a first card
--   In no game may a blackjack be doubled, drawn to or split.
--
--   roulette        numbers + (pockets), min_turns + (of the ball, with fewer the spin is void; absent: none named)
--   baccarat        decks
--   casino_holdem   decks +, burnt_cards + (a hand), call_multiple + (of the ante), dealer_qualifies + (pair_of_fours),
--                   board_without_call + (board cards that are enough when nobody called)
--   texas_holdem    decks +, burnt_cards +, small_blind and big_blind (CZK), min_raise_multiple (of the last bet),
--                   rake +
CREATE FUNCTION casino.load_game_plans() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    -- Columns of the blackjack lists, and where each document speaks of a subject.
    blackjacks CONSTANT text[] := ARRAY[
        'blackjack_czech_casinos', 'blackjack_classic', 'blackjack_house', 'blackjack_free_bet',
        'blackjack_synot', 'blackjack_all_bets', 'blackjack_infinite', 'blackjack_evolution', 'blackjack_endless'];
    said CONSTANT jsonb := '{
    "cards":       ["KARTY",           "Pravidla hry",   "Pravidla",      "§1",   "§3",  "§3",  "§4",  "§3",  "§3"],
    "deal":        ["HRA",             "Pravidla hry",   "Pravidla",      "§3",   "§10", "§9",  "§11", "§10", "§9"],
    "dealer":      ["VÝHERNÍ SESTAVA", "Pravidla hry",   "Pravidla",      "§3",   "§14", "§13", "§15", "§14", "§13"],
    "draw":        ["HRA",             null,             null,            "§3",   null,  null,  null,  null,  null],
    "no_action":   [null,              null,             null,            "§1",   "§13", "§12", "§14", "§13", "§12"],
    "double":      ["HRA",             "Zdvojení sázky", "Zdvojnásobení", "§5",   "§20", "§18", "§20", "§20", "§17"],
    "split":       ["HRA",             "Rozdělení hry",  "Rozdělení",     "§4",   "§18", "§17", "§19", "§18", "§16"],
    "insurance":   ["HRA",             "Pojištění",      "Pojištění",     "§7",   "§21", "§19", "§21", "§21", "§18"],
    "even_money":  ["HRA",             null,             "Pojištění",     "§3",   null,  null,  null,  null,  null],
    "surrender":   [null,              null,             null,            null,   "§19", null,  null,  "§19", null],
    "charlie":     [null,              null,             null,            null,   null,  "§14", "§16", "§15", null],
    "behind":      [null,              null,             null,            null,   "§15", null,  null,  null,  null],
    "box":         ["OVLÁDÁNÍ BOXU",   "Box",            "Box",           "§1",   "§2",  "§2",  "§3",  "§2",  "§2"],
    "limits":      ["SÁZKY",           "Box",            "Box",           "§1",
        "Základní informace", "Základní informace", "Základní informace", "Základní informace", "Základní informace"],
    "payout":      ["VÝHERNÍ SESTAVA", "Pravidla hry",   "Pravidla",      "§3",   "§27", "§25", "§27", "§27", "§30"],
    "side_bets":   [null,              null,             null,            "§6",   "§26", "§24", "§26", "§26", "§29"],
    "side_payout": [null,              null,             null,            "§6",   "§28", "§26", "§28", "§28", "§31"],
    "free_split":  [null,              null,             null,            "§4.1", null,  null,  null,  null,  null],
    "free_double": [null,              null,             null,            "§5.1", null,  null,  null,  null,  null]
    }';
BEGIN

-- ------------------------------------------------------------------------------------------------ games and plans
-- The D4 plan carries a date (2026-05-13) and the others none, and no document names a day from which it holds:
-- version 1 has been in force from the beginning of time (R1.1). The live games are the ten of D4 (R1.6).

WITH g(plan_id, game, family, name, source) AS (VALUES
    ( 1, 'blackjack_czech_casinos', 'blackjack',     'Black Jack',                         'D0'),
    ( 2, 'blackjack_classic',       'blackjack',     'Black Jack',                         'D1'),
    ( 3, 'blackjack_house',         'blackjack',     'Blackjack',                          'D2 Blackjack'),
    ( 4, 'roulette_american',       'roulette',      'Americká ruleta',                    'D2 Roulette'),
    ( 5, 'holdem_cash_25_50',       'texas_holdem',  'Texas Holdem Poker Cash Game 25/50', 'D2 Texas Holdem'),
    ( 6, 'blackjack_free_bet',      'blackjack',     'Free Bet Black Jack',                'D3'),
    ( 7, 'blackjack_synot',         'blackjack',     'Blackjack',                          'D4 Blackjack'),
    ( 8, 'roulette_synot',          'roulette',      'Roulette (Synot)',                   'D4 Roulette (Synot)'),
    ( 9, 'blackjack_all_bets',      'blackjack',     'All Bets Blackjack',                 'D4 All Bets Blackjack'),
    (10, 'casino_holdem',           'casino_holdem', 'Casino Hold''em',                    'D4 Casino Hold''em'),
    (11, 'baccarat',                'baccarat',      'Baccarat',                           'D4 Baccarat'),
    (12, 'roulette_evolution',      'roulette',      'Roulette (Evolution)',               'D4 Roulette (Evolution)'),
    (13, 'blackjack_infinite',      'blackjack',     'Infinite Blackjack',                 'D4 Infinite Blackjack'),
    (14, 'blackjack_evolution',     'blackjack',     'Blackjack (Evolution)',              'D4 Blackjack (Evolution)'),
    (15, 'roulette_absolute',       'roulette',      'Roulette (Absolute live gaming)',    'D4 Roulette (Absolute)'),
    (16, 'blackjack_endless',       'blackjack',     'BlackJack - Endless',                'D4 BlackJack - Endless')
), new_game AS (
    INSERT INTO casino.game (game, name, family, live, document)
    SELECT g.game, g.name, g.family, g.source LIKE 'D4%', left(g.source, 2) FROM g
)
INSERT INTO casino.game_plan (plan_id, game, version, valid_from, document, round_max_stake, declared_round_win)
SELECT g.plan_id, g.game, 1, '-infinity', g.source || CASE WHEN g.source LIKE 'D4%' THEN ', 2026-05-13' ELSE '' END,
       r.round_max_stake, r.declared_round_win
FROM g
LEFT JOIN (VALUES                                       -- for one player in one round (R2.10)
    ('casino_holdem',  90000, 4040000),
    ('baccarat',      375000,  967000)
) AS r(game, round_max_stake, declared_round_win) ON r.game = g.game;

-- A paragraph is the plan's source without its date, and the section: split_part(document, ',', 1) || ' ' || section.

-- ------------------------------------------------------------------------------------------------ blackjack

-- Rules. A star: the document is silent or open, and the reading at the end of the line says what holds.
INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph)
SELECT p.plan_id, r.rule, rtrim(v.value, '*'),
       CASE WHEN v.value LIKE '%*' THEN r.reading
            ELSE split_part(p.document, ',', 1) || ' ' || (said -> r.subject ->> v.n::integer - 1) END
FROM (VALUES
    --                                                 D0     D1     D2     D3     synot  all    inf    evol   endless
    ('decks',                          'cards',       '6      6      6      6      8      8      8      8      8', NULL),
    ('hole_card',                      'deal',        'false  false  false  false  true   true   true   true   true', NULL),
    ('dealer_16',                      'dealer',      'draw   either* draw  draw   draw   draw   draw   draw   draw', 'R3.1'),
    ('double_on',                      'double',      'any    9-11   any    any    any    any    any    any    any', NULL),
    ('double_after_split',             'split',       'true   false* false* true   true   true   true   true   true', 'R3.8'),
    ('double_split_aces',              'split',       'false* false* false* false* false  false  false  false  false', 'R3.7'),
    ('split_on',                       'split',       'rank*  value  value  value  value  value  value  value  value', 'R3.5'),
    ('max_hands',                      'split',       '4      2      4      4      2      2      2      2      2', NULL),
    ('resplit_aces',                   'split',       'true   false  false* true   false  false  false  false  false', 'R3.18'),
    ('cards_on_split_ace',             'split',       '1      1      1      1      1      1      1      1      1', NULL),
    ('insurance',                      'insurance',   'half   half   up_to_half multiple_of_half_minimum
                                                                                   half   half   half   half   half', NULL),
    ('insurance_own_blackjack',        'insurance',   'false  true*  false  true   true*  true*  true*  true*  true*', 'R3.26'),
    ('insurance_behind',               'behind',      'false* false* false* false* false  false* false* false* false*', 'R3.41'),
    ('insurance_on_added_stakes',      'insurance',   'false  false* false* true   false  false  false  false  false', 'R3.27'),
    ('even_money',                     'even_money',  'ace    none*  ace    ace_or_ten none* none* none* none* none*', 'R1.11'),
    ('surrender',                      'surrender',   'none*  none*  none*  none*  table  none*  none*  table  none*', 'R1.11'),
    ('charlie_cards',                  'charlie',     '0*     0*     0*     0*     0*     10     6      6      0*', 'R1.11'),
    ('charlie_beats_dealer_blackjack', 'charlie',     'false* false* false* false* false* false  true   true   false*', 'R1.11'),
    ('dealer_22',                      'payout',      'players_win players_win players_win push
                                                       players_win players_win players_win players_win players_win', NULL),
    ('doubled_returned_on_ten_ace',    'double',      'false* false* false* false* true   true   true   true   true', 'R1.11'),
    ('box',                            'box',         'seats  seats  seats  seats  seats  shared shared seats  shared', NULL),
    ('max_seats',                      'box',         '0*     0*     0*     0*     7      1      1      7      1', 'R1.10'),
    ('bets_per_box',                   'box',         '3      3      3      3      1*     0      0      1*     0', 'R3.40'),
    ('box_limit',                      'box',         'together together together each
                                                                                   owner* each*  each*  owner* each*', 'R3.40'),
    ('owner_precedence',               'box',         'true   false* false* false* false* false* false* false* false*', 'R1.11'),
    ('absent_owner',                   'box',         'none*  none*  none*  second_player
                                                                                   none*  none*  none*  none*  none*', 'R1.11'),
    ('behind',                         'behind',      'none*  none*  none*  none*  table  none*  none*  none*  none*', 'R1.11'),
    ('draw_on_21',                     'draw',        'false  true*  true*  false  true*  true*  true*  true*  true*', 'R3.9'),
    ('must_draw_to',                   'draw',        '0*     0*     0*     11     0*     0*     0*     0*     0*', 'R3.10'),
    -- infinite and evolution say "below 11" and "above 11"; 11 itself draws (R3.20)
    ('no_action',                      'no_action',   'none*  none*  none*  draw_to_16
                                                       stand  stand  draw_to_11 draw_to_11 stand', 'R3.21'),
    ('free_split_on',                  'free_split',  'none*  none*  none*  not_tens none* none* none*  none*  none*', 'R1.11'),
    ('free_double_on',                 'free_double', 'none*  none*  none*  9-11_no_ace none* none* none* none* none*', 'R1.11'),
    ('dealer_completes_on_ace_or_ten', 'deal',        'false* false* false* true   false* false* false* false* false*', 'R3.3')
) AS r(rule, subject, by_game, reading)
CROSS JOIN LATERAL regexp_split_to_table(r.by_game, '\s+') WITH ORDINALITY AS v(value, n)
JOIN casino.game_plan p ON p.game = blackjacks[v.n];

-- Kinds of bet and the games that offer them, NULL: all. D0 to D3 leave every limit to the table, and no document
-- limits doubled, split and insurance stakes but by the main stake. Behind needs the owner's main bet, not one of the
-- bettor's own; so who doubles or splits in Synot need not have a main bet.
INSERT INTO casino.bet_rule (plan_id, kind, max_stake, declared_win, table_limits, requires, phase, paragraph)
SELECT p.plan_id, b.kind,
       CASE WHEN b.kind IN ('main', 'behind') THEN l.main WHEN b.phase = 'betting' THEN l.side END,
       CASE WHEN b.kind IN ('main', 'behind') THEN l.main_win ELSE (l.side_wins ->> b.kind)::numeric END,
       b.table_limits,
       CASE WHEN b.kind IN ('double_down', 'split_pair') AND o.game = 'synot' THEN NULL ELSE b.requires END,
       b.phase,
       split_part(p.document, ',', 1) || ' ' || (said -> b.subject ->> array_position(blackjacks, p.game) - 1)
           || CASE WHEN b.subject IN ('side_bets', 'behind') AND l.game IS NOT NULL
                   THEN ', Základní informace' ELSE '' END
FROM (VALUES
    ('main',        'principal', NULL,   'betting', 'limits',      NULL),
    ('double_down', 'none',      'main', 'play',    'double',      NULL),
    ('split_pair',  'none',      'main', 'play',    'split',       NULL),
    ('insurance',   'none',      'main', 'play',    'insurance',   NULL),
    ('free_split',  'none',      'main', 'play',    'free_split',  '{free_bet}'),
    ('free_double', 'none',      'main', 'play',    'free_double', '{free_bet}'),
    ('push22',      'none',      'main', 'betting', 'side_bets',   '{free_bet}'),
    ('behind',      'principal', NULL,   'betting', 'behind',      '{synot}'),
    ('21+3',        'none',      'main', 'betting', 'side_bets',   '{synot,all_bets,infinite,evolution,endless}'),
    ('player_pair', 'none',      'main', 'betting', 'side_bets',   '{synot,all_bets,infinite,evolution,endless}'),
    ('dealer_pair', 'none',      'main', 'betting', 'side_bets',   '{synot,all_bets}'),
    ('top3',        'none',      'main', 'betting', 'side_bets',   '{synot,all_bets}'),
    ('lucky_lucky', 'none',      'main', 'betting', 'side_bets',   '{all_bets}'),
    ('buster',      'none',      'main', 'betting', 'side_bets',   '{all_bets}'),
    ('bust_it',     'none',      'main', 'betting', 'side_bets',   '{infinite}'),
    ('hot3',        'none',      'main', 'betting', 'side_bets',   '{infinite}')
) AS b(kind, table_limits, requires, phase, subject, games)
JOIN casino.game_plan p ON p.game = ANY (blackjacks)
CROSS JOIN LATERAL substr(p.game, length('blackjack_') + 1) AS o(game)
-- D4, Základní informace of each game. The declared win of the main bet is what one main bet can win (3:2, R2.9, R3.43), no cap on
-- the split and doubled play; of the side bets a declared win is named only for these (R3.49).
LEFT JOIN (VALUES
    ('synot',      100000,  1000,  150000, '{"top3": 270000}'::jsonb),
    ('all_bets',   100000,  1000,  150000, '{"top3": 270000}'),
    ('infinite',   100000,  1000,  150000, '{"bust_it": 250000}'),
    ('evolution',  100000,  1000,  150000, '{"21+3": 100000, "player_pair": 25000}'),
    ('endless',   1000000, 10000, 1500000, '{"21+3": 1000000}')
) AS l(game, main, side, main_win, side_wins) ON l.game = o.game
WHERE b.games IS NULL OR o.game = ANY (b.games::text[]);

-- Odds of the play. A line with a rule is for the games that have it. A doubled hand ends with its third card and never
-- is a Charlie. Who pays free wagers handles their notional.
INSERT INTO casino.paytable (plan_id, kind, grade, num, den, paragraph)
SELECT b.plan_id, b.kind, o.grade, split_part(o.odds, ':', 1)::integer, split_part(o.odds, ':', 2)::integer,
       CASE WHEN o.subject ~ '^R[0-9]' THEN o.subject
            ELSE split_part(p.document, ',', 1) || ' '
                 || (said -> o.subject ->> array_position(blackjacks, p.game) - 1) END
FROM (VALUES
    ('{main,behind,double_down,split_pair}', 'win',        '1:1',  'payout',      NULL),
    ('{main,behind,double_down,split_pair}', 'push',       '0:1',  'payout',      NULL),
    ('{main,behind}',                        'blackjack',  '3:2',  'payout',      NULL),
    ('{main,behind}',                        'even_money', '1:1',  'even_money',  'even_money'),
    ('{main,behind}',                        'surrender',  '-1:2', 'surrender',   'surrender'),
    ('{main,behind,split_pair}',             'charlie',    '1:1',  'charlie',     'charlie_cards'),
    ('{main,behind,double_down,split_pair}', 'returned',   '0:1',  'double',      'doubled_returned_on_ten_ace'),
    ('{free_split}',                         'win',        '1:1',  'free_split',  NULL),
    ('{free_split}',                         'push',       '0:1',  'free_split',  NULL),
    ('{free_double}',                        'win',        '1:1',  'free_double', NULL),
    ('{free_double}',                        'push',       '0:1',  'free_double', NULL),
    ('{insurance}',                          'win',        '2:1',  'insurance',   NULL),
    ('{insurance}',                          'returned',   '0:1',  'R3.28',       NULL)        -- it was never on offer
) AS o(kinds, grade, odds, subject, rule)
JOIN casino.bet_rule b ON b.kind = ANY (o.kinds::text[])
JOIN casino.game_plan p ON p.plan_id = b.plan_id AND p.game = ANY (blackjacks)
LEFT JOIN casino.plan_rule r ON r.plan_id = b.plan_id AND r.rule = o.rule
WHERE o.rule IS NULL OR r.value NOT IN ('none', '0', 'false');

-- Odds to 1 of the side bets; equal in all games that offer them, but for the three of a kind of 21+3.
INSERT INTO casino.paytable (plan_id, kind, grade, num, den, paragraph)
SELECT b.plan_id, b.kind, v.grade, v.odds, 1,
       split_part(p.document, ',', 1) || ' ' || (said -> 'side_payout' ->> array_position(blackjacks, p.game) - 1)
FROM (VALUES
    ('{21+3}',        '{suited_trips, straight_flush, straight, flush}',  '{100, 40, 10, 5}', NULL),
    ('{21+3}',        '{trips}',                                          '{30}',
                      '{synot,all_bets,infinite,evolution}'),
    ('{21+3}',        '{trips}',                                          '{25}', '{endless}'),
    ('{top3}',        '{suited_trips, straight_flush, trips}',            '{270, 180, 90}', NULL),
    ('{player_pair,dealer_pair}',
                      '{suited_pair, coloured_pair, mixed_pair}',         '{25, 12, 6}', NULL),
    ('{lucky_lucky}', '{suited_777, suited_678, 777, 678, suited_21, 21, 20, 19}',
                      '{200,        100,         50,  25,        15,  3,  2,  2}', NULL),
    ('{buster}',      '{bust_8_blackjack, bust_7_blackjack, bust_8, bust_7, bust_6, bust_5, bust_4, bust_3}',
                      '{2000,                          800,    250,     50,     18,      4,      2,      2}', NULL),
    ('{bust_it}',     '{bust_8, bust_7, bust_6, bust_5, bust_4, bust_3}', '{250, 100, 50, 9, 2, 1}', NULL),
    ('{hot3}',        '{777, suited_21, 21, 20, 19}',                     '{100, 20, 4, 2, 1}', NULL),
    ('{push22}',      '{win}',                                            '{11}', NULL)
) AS o(kinds, grades, odds, games)
CROSS JOIN LATERAL unnest(o.grades::text[], o.odds::integer[]) AS v(grade, odds)
JOIN casino.bet_rule b ON b.kind = ANY (o.kinds::text[])
JOIN casino.game_plan p ON p.plan_id = b.plan_id AND p.game = ANY (blackjacks)
WHERE o.games IS NULL OR substr(p.game, length('blackjack_') + 1) = ANY (o.games::text[]);

-- A blackjack gets its Bust It back.
INSERT INTO casino.paytable (plan_id, kind, grade, num, den, paragraph)
SELECT p.plan_id, 'bust_it', 'push', 0, 1, 'D4 Infinite Blackjack §26'
FROM casino.game_plan p WHERE p.game = 'blackjack_infinite';

-- ------------------------------------------------------------------------------------------------ roulette

INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph)
SELECT p.plan_id, r.rule, r.value, split_part(p.document, ',', 1) || ' ' || r.section
FROM (VALUES
    ('roulette_american',  'numbers',   '37', 'Pravidla'),      -- a single zero, whatever its name (R1.7, R4.9)
    ('roulette_synot',     'numbers',   '37', '§3'),
    ('roulette_evolution', 'numbers',   '37', '§3'),
    ('roulette_absolute',  'numbers',   '37', '§3'),
    ('roulette_synot',     'min_turns', '3',  '§11'),
    ('roulette_evolution', 'min_turns', '4',  '§11')
) AS r(game, rule, value, section)
JOIN casino.game_plan p ON p.game = r.game;

-- Kinds with their odds to 1, maxima and declared net wins: columns of synot and evolution, and of absolute.
-- trio and first four have no line in the documents' tables: they are paid and limited as the street and the corner
-- beside which they are described (R4.1). roulette_american leaves the limits to its tables and has no zero
-- but in the straight (R4.3): split is the only kind there that could include it.
WITH k(kinds, inside, odds, max_stake, declared_win, absolute_max, absolute_win) AS (VALUES
    ('{straight}',                    true,  35,  10000, 350000,  10000, 350000),
    ('{split}',                       true,  17,  20000, 340000,  20000, 340000),
    ('{street,trio}',                 true,  11,  30000, 330000,  30000, 330000),
    ('{corner,first_four}',           true,   8,  40000, 320000,  40000, 320000),
    ('{six_line}',                    true,   5,  60000, 300000,  60000, 300000),
    ('{dozen,column}',                false,  2,  65000, 130000, 120000, 240000),
    ('{red,black,odd,even,low,high}', false,  1, 100000, 100000, 200000, 200000)
), s(game, limits, odds, trio, first_four) AS (VALUES                                   -- where; NULL: not offered (R4.2)
    ('roulette_american',  'Výherní možnosti', 'Výherní možnosti', NULL,     NULL),
    ('roulette_synot',     '§22',              '§26',              '§21 c)', '§21 e)'),
    ('roulette_evolution', '§19',              '§23',              '§18 c)', NULL),
    ('roulette_absolute',  '§26',              '§30',              '§25 c)', '§25 d)')
), offered AS (
    SELECT p.plan_id, p.game, split_part(p.document, ',', 1) || ' ' AS source, k.*, u.kind, s.odds AS odds_section,
           CASE u.kind WHEN 'trio' THEN s.trio WHEN 'first_four' THEN s.first_four ELSE s.limits END AS section
    FROM k CROSS JOIN LATERAL unnest(k.kinds::text[]) AS u(kind) CROSS JOIN s JOIN casino.game_plan p ON p.game = s.game
), new_bet_rule AS (
    INSERT INTO casino.bet_rule (plan_id, kind, max_stake, declared_win, table_limits, phase, zero_offered, paragraph)
    SELECT o.plan_id, o.kind,
           CASE o.game WHEN 'roulette_american' THEN NULL
                       WHEN 'roulette_absolute' THEN o.absolute_max ELSE o.max_stake END,
           CASE o.game WHEN 'roulette_american' THEN NULL
                       WHEN 'roulette_absolute' THEN o.absolute_win ELSE o.declared_win END,
           CASE WHEN o.inside THEN 'covered' ELSE 'minimum' END, 'betting',
           NOT (o.game = 'roulette_american' AND o.kind = 'split'), o.source || o.section
    FROM offered o WHERE o.section IS NOT NULL
)
INSERT INTO casino.paytable (plan_id, kind, grade, num, den, paragraph)
SELECT o.plan_id, o.kind, 'win', o.odds, 1,
       CASE WHEN o.kind IN ('trio', 'first_four') THEN 'R4.1' ELSE o.source || o.odds_section END
FROM offered o WHERE o.section IS NOT NULL;

-- Announced bets. Their odds, limits and wins are those of the bets they are made of.
INSERT INTO casino.announced_rule (plan_id, stem, min_neighbours, max_neighbours, paragraph)
SELECT p.plan_id, a.stem, a.min_neighbours, a.max_neighbours, split_part(p.document, ',', 1) || ' ' || v.section
FROM (VALUES
    --                              synot                  evolution              absolute
    ('neighbours',      1,    9,    '{§21 Racetrack,       NULL,                  §25 Racetrack}'),
    ('neighbours',      0,    9,    '{NULL,                §18 Racetrack,         NULL}'),
    ('tiers',           NULL, NULL, '{§21 Racetrack a),    §18 Racetrack a),      §25 Racetrack}'),
    ('voisins',         NULL, NULL, '{§21 Racetrack b),    §18 Racetrack b),      §25 Racetrack}'),
    ('orphelins',       NULL, NULL, '{§21 Racetrack c),    §18 Racetrack c),      §25 Racetrack}'),
    ('zero_game',       NULL, NULL, '{§21 Racetrack d),    §18 Racetrack d),      §25 Racetrack}'),
    ('complete',        NULL, NULL, '{§21 Moje sázky a),   §18 Moje sázky a),     NULL}'),
    ('semi_complete',   NULL, NULL, '{§21 Moje sázky b),   NULL,                  NULL}'),
    ('finale_plein',    NULL, NULL, '{§21 Moje sázky c),   §18 Moje sázky b),     NULL}'),
    ('finale_cheval',   NULL, NULL, '{NULL,                §18 Moje sázky c),     NULL}'),
    ('jeu_7_9',         NULL, NULL, '{§21 Moje sázky d),   NULL,                  NULL}'),
    ('orphelins_plein', NULL, NULL, '{§21 Moje sázky e),   NULL,                  NULL}')
) AS a(stem, min_neighbours, max_neighbours, sections)
CROSS JOIN LATERAL unnest(a.sections::text[]) WITH ORDINALITY AS v(section, n)
JOIN casino.game_plan p ON p.game = (ARRAY['roulette_synot', 'roulette_evolution', 'roulette_absolute'])[v.n]
WHERE v.section IS NOT NULL;

-- ------------------------------------------------------------------------------------------------ baccarat and hold'em

INSERT INTO casino.plan_rule (plan_id, rule, value, paragraph)
SELECT p.plan_id, r.rule, r.value,
       CASE WHEN r.section ~ '^R[0-9]' THEN r.section ELSE split_part(p.document, ',', 1) || ' ' || r.section END
FROM (VALUES
    ('baccarat',          'decks',              '8',             'R1.3'),               -- the document names no number
    ('casino_holdem',     'decks',              '1',             '§5'),
    ('casino_holdem',     'burnt_cards',        '1',             '§9'),
    ('casino_holdem',     'call_multiple',      '2',             '§10'),
    ('casino_holdem',     'dealer_qualifies',   'pair_of_fours', '§13'),
    ('casino_holdem',     'board_without_call', '3',             '§7'),
    ('holdem_cash_25_50', 'decks',              '1',             'R1.3'),
    ('holdem_cash_25_50', 'burnt_cards',        '2',             'Turn, River'),        -- none before the flop (R6.6)
    ('holdem_cash_25_50', 'small_blind',        '25',            'Preflop fáze'),
    ('holdem_cash_25_50', 'big_blind',          '50',            'Preflop fáze'),
    ('holdem_cash_25_50', 'min_raise_multiple', '2',             'Preflop fáze'),
    ('holdem_cash_25_50', 'rake',               '0',             'R6.8')
) AS r(game, rule, value, section)
JOIN casino.game_plan p ON p.game = r.game;

-- Side bets of baccarat stand alone (§19, R5.1, R5.2). The maximum of egalite is that of each of the ten positions: with all of
-- them the maxima add up to the 375 000 of the round. A pot is shared out among the players and has no odds.
INSERT INTO casino.bet_rule (plan_id, kind, max_stake, declared_win, table_limits, requires, phase, paragraph)
SELECT p.plan_id, b.kind, b.max_stake, b.declared_win, b.table_limits, b.requires, b.phase,
       split_part(p.document, ',', 1) || ' ' || b.section
FROM (VALUES
    ('baccarat',          'player',       100000, 100000, 'principal', NULL,   'betting', '§20'),
    ('baccarat',          'banker',       100000,  95000, 'principal', NULL,   'betting', '§20'),
    ('baccarat',          'tie',           25000, 200000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'egalite',        1000, 220000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'big',           50000,  27000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'small',         50000,  75000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'player_pair',   10000, 110000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'banker_pair',   10000, 110000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'any_pair',      10000,  50000, 'none',      NULL,   'betting', '§20'),
    ('baccarat',          'perfect_pair',  10000, 250000, 'none',      NULL,   'betting', '§20'),
    ('casino_holdem',     'ante',          20000,   NULL, 'principal', NULL,   'betting', 'Základní parametry hry'),
    ('casino_holdem',     'call',          40000,   NULL, 'none',      'ante', 'any',     'Základní parametry hry'),
    ('casino_holdem',     'aa',            20000,   NULL, 'none',      'ante', 'betting', 'Základní parametry hry'),
    ('casino_holdem',     'razz',          10000,   NULL, 'none',      'ante', 'betting', 'Základní parametry hry'),
    ('holdem_cash_25_50', 'pot',            NULL,   NULL, 'principal', NULL,   'any',     'Preflop fáze')
) AS b(game, kind, max_stake, declared_win, table_limits, requires, phase, section)
JOIN casino.game_plan p ON p.game = b.game;

INSERT INTO casino.paytable (plan_id, kind, grade, num, den, paragraph)
SELECT p.plan_id, u.kind, v.grade, split_part(v.odds, ':', 1)::integer, split_part(v.odds, ':', 2)::integer,
       split_part(p.document, ',', 1) || ' ' || o.section
FROM (VALUES
    ('baccarat',      '{player}',                  '{win}', '{1:1}',   '§22'),
    ('baccarat',      '{banker}',                  '{win}', '{19:20}', '§22'),          -- 0.95:1
    ('baccarat',      '{tie}',                     '{win}', '{8:1}',   '§22'),
    ('baccarat',      '{player,banker}',           '{push}', '{0:1}',  '§21'),
    ('baccarat',      '{player_pair,banker_pair}', '{win}', '{11:1}',  '§23'),
    ('baccarat',      '{any_pair}',                '{win}', '{5:1}',   '§23'),
    ('baccarat',      '{perfect_pair}',            '{win}', '{25:1}',  '§23'),
    ('baccarat',      '{big}',                     '{win}', '{27:50}', '§23'),          -- 0.54:1
    ('baccarat',      '{small}',                   '{win}', '{3:2}',   '§23'),          -- 1.5:1
    ('baccarat',      '{egalite}', '{tie_0, tie_1, tie_2, tie_3, tie_4, tie_5, tie_6, tie_7, tie_8, tie_9}',
                                   '{150:1, 215:1, 220:1, 200:1, 120:1, 110:1, 45:1,  45:1,  80:1,  80:1}', '§23'),
    ('casino_holdem', '{ante}',    '{royal_flush, straight_flush, four_of_a_kind, full_house, flush, win}',
                                   '{100:1,       20:1,           10:1,           3:1,        2:1,   1:1}', '§17'),
    ('casino_holdem', '{aa}',      '{royal_flush, straight_flush, four_of_a_kind, full_house, flush, pair_of_aces}',
                                   '{100:1,       50:1,           40:1,           30:1,       20:1,  7:1}', '§15'),
    ('casino_holdem', '{razz}',    '{wheel_suited, wheel, six,  seven, eight, nine, ten, jack}',
                                   '{200:1,        50:1,  25:1, 10:1,  8:1,   6:1,  4:1, 2:1}', '§16'),
    ('casino_holdem', '{call}',                    '{win}', '{1:1}',   '§18'),
    ('casino_holdem', '{ante,call}',               '{push}', '{0:1}',  '§13')
) AS o(game, kinds, grades, odds, section)
CROSS JOIN LATERAL unnest(o.kinds::text[]) AS u(kind)
CROSS JOIN LATERAL unnest(o.grades::text[], o.odds::text[]) AS v(grade, odds)
JOIN casino.game_plan p ON p.game = o.game;

-- Which rules are facts for people is the code's to say.
UPDATE casino.plan_rule r SET informative = true
  FROM casino.game_plan p
  JOIN casino.game g ON g.game = p.game
 CROSS JOIN LATERAL casino.plan_rules(g.family) k
 WHERE p.plan_id = r.plan_id AND k.rule = r.rule AND k.informative;

END
$fn$;
COMMENT ON FUNCTION casino.load_game_plans() IS
    'Fill the empty reference tables with the sixteen games and version 1 of each plan: rules, bets, limits and odds';
-- Cells: a database that has some of the players, with their own numbers, while a hub has tables and rounds.

CREATE FUNCTION casino.install_cells() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.cell (
        cell        integer PRIMARY KEY,
        of_cells    integer NOT NULL CHECK (of_cells BETWEEN 1 AND 1024),
        recorded_at timestamptz NOT NULL,
        CHECK (cell >= 0 AND cell < of_cells)
    );
    CREATE UNIQUE INDEX cell_one ON casino.cell ((true));
    COMMENT ON INDEX casino.cell_one IS 'A database is one cell';
    COMMENT ON TABLE casino.cell IS 'Append-only: which cell this database became, one row; none: it has all players';
    COMMENT ON COLUMN casino.cell.cell IS 'Number of the cell: its players'' numbers modulo of_cells';
    COMMENT ON COLUMN casino.cell.of_cells IS 'Numbers of cells there can be, in use or free';
    COMMENT ON COLUMN casino.cell.recorded_at IS 'When it was written';
    PERFORM casino.make_append_only('cell');
    PERFORM casino.make_recorded('cell');

    -- R13.31: written with what was obeyed, so that a copy of the database that lacks the one lacks the other
    CREATE TABLE casino.obeyed (
        table_id    bigint PRIMARY KEY,
        decision_no bigint NOT NULL,
        obeyed_at   timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.obeyed IS 'In a cell: the last decision of the hub on each table that was carried out here; the hub asks for it with every call, and tells again what is missing';
    COMMENT ON COLUMN casino.obeyed.table_id IS 'Table';
    COMMENT ON COLUMN casino.obeyed.decision_no IS 'Number of the decision at the hub';
    COMMENT ON COLUMN casino.obeyed.obeyed_at IS 'When it was carried out';

    -- R13.18: a sequence, so that it is kept whatever becomes of the transaction that noted it
    CREATE SEQUENCE casino.hub_epoch_seq AS bigint MINVALUE 0 START 0;
    COMMENT ON SEQUENCE casino.hub_epoch_seq IS 'In a cell: epoch of the hub that it obeys; one with an earlier epoch was restored or replaced since';
END
$fn$;
COMMENT ON FUNCTION casino.install_cells() IS 'Part of casino.install(): which cell this database is';

CREATE FUNCTION casino.cell_of(player_id bigint, of_cells integer) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF player_id < 1 OR of_cells NOT BETWEEN 1 AND 1024 THEN
        RAISE EXCEPTION 'player % of % cells is in none', player_id, of_cells
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'Players are numbered from 1, cells from 0; there are at most 1024.';
    END IF;
    RETURN player_id % of_cells;
END
$fn$;
COMMENT ON FUNCTION casino.cell_of(bigint, integer) IS 'Cell that a player''s number is of, when there can be so many cells';

-- R13.1
CREATE FUNCTION casino.become_cell(cell integer, of_cells integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    present casino.cell;
    odd bigint;
BEGIN
    IF cell IS NULL OR of_cells IS NULL THEN
        RAISE EXCEPTION 'cell and of_cells must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF of_cells NOT BETWEEN 1 AND 1024 OR cell < 0 OR cell >= of_cells THEN
        RAISE EXCEPTION 'there is no cell % of %', cell, of_cells
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'Cells are numbered from 0; there are at most 1024.',
                  HINT = 'of_cells is the number of cells there can ever be: numbers not in use yet are free for cells added later.';
    END IF;
    -- nobody registers a player or adds a table meanwhile
    LOCK TABLE casino.cell IN SHARE ROW EXCLUSIVE MODE;
    LOCK TABLE casino.player, casino.game_table IN SHARE MODE;
    SELECT c.* INTO present FROM casino.cell c;
    IF FOUND THEN
        IF (present.cell, present.of_cells) = (become_cell.cell, become_cell.of_cells) THEN
            RETURN;
        END IF;
        RAISE EXCEPTION 'this database is cell % of %', present.cell, present.of_cells
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = 'Its players'' numbers say so; that does not change.';
    END IF;
    SELECT p.player_id INTO odd FROM casino.player p WHERE p.player_id % become_cell.of_cells <> become_cell.cell ORDER BY p.player_id LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'player % would not be of cell % of %', odd, cell, of_cells
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('His number is of cell %s.', odd % of_cells),
                  HINT = 'A new database becomes a cell; players do not change their numbers.';
    END IF;
    SELECT t.table_id INTO odd FROM casino.game_table t ORDER BY t.table_id LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'table % was not numbered by a hub', odd
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = 'In a cell the hub numbers tables and rounds.',
                  HINT = 'A new database becomes a cell.';
    END IF;
    INSERT INTO casino.cell (cell, of_cells, recorded_at) VALUES (become_cell.cell, become_cell.of_cells, clock_timestamp());
END
$fn$;
COMMENT ON FUNCTION casino.become_cell(integer, integer) IS 'Makes this database a cell: it numbers its players as its own among so many cells and takes the numbers of tables and rounds from a hub. Before the first table; the same again changes nothing';

CREATE FUNCTION casino.next_player_id() RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    number CONSTANT bigint := nextval('casino.player_id_seq');
BEGIN
    -- of two cells cell 1 has 1, 3, 5 and cell 0 has 2, 4, 6; never less than the number drawn, so that it goes on behind older players
    RETURN coalesce((SELECT number * c.of_cells - (c.of_cells - c.cell) % c.of_cells FROM casino.cell c), number);
END
$fn$;
COMMENT ON FUNCTION casino.next_player_id() IS 'Part of register_player(): the next number, in a cell one of its own';

CREATE FUNCTION casino.player_cell() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    here casino.cell;
BEGIN
    SELECT c.* INTO here FROM casino.cell c;
    IF NEW.player_id % here.of_cells <> here.cell THEN
        RAISE EXCEPTION 'player % is not of this cell', NEW.player_id
            USING ERRCODE = 'check_violation', DETAIL = format('This is cell %s of %s, the number is of cell %s.', here.cell, here.of_cells, NEW.player_id % here.of_cells),
                  HINT = 'casino.register_player() gives a number of this cell.';
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino.player_cell() IS 'Trigger of casino.player: a cell has players of its own numbers only';

-- A number that a hub gives: needed in a cell, where the database draws none itself.
CREATE FUNCTION casino.check_given_number(number bigint, name text) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF number < 1 THEN
        RAISE EXCEPTION '% must be greater than 0, not %', name, number USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF number IS NULL AND EXISTS (SELECT FROM casino.cell) THEN
        RAISE EXCEPTION '% must be given in a cell', name
            USING ERRCODE = 'null_value_not_allowed', HINT = 'The hub numbers tables and rounds: add tables and open rounds there.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.check_given_number(bigint, text) IS 'Part of add_game_table() and open_round(): 22023 for a number below 1, 22004 for none in a cell';

-- A table with seats is played in one cell: who is on a box and its maximum are judged under one lock (R13.10).
CREATE FUNCTION casino.table_home_cell(options jsonb, game text, seated boolean) RETURNS integer
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    given CONSTANT jsonb := CASE WHEN jsonb_typeof(options) = 'object' THEN options -> 'home_cell' END;
    here casino.cell;
BEGIN
    SELECT c.* INTO here FROM casino.cell c;
    IF given IS NULL THEN
        IF here.cell IS NOT NULL AND seated THEN
            RAISE EXCEPTION 'a table of % needs a home cell', game
                USING ERRCODE = 'null_value_not_allowed', DETAIL = 'It has seats: the players of one cell take part.', HINT = 'Option "home_cell" names it.';
        END IF;
        RETURN NULL;
    END IF;
    IF here.cell IS NULL THEN
        RAISE EXCEPTION 'this database is no cell, its tables have no home cell' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF NOT seated THEN
        RAISE EXCEPTION '% is played without seats, its tables have no home cell', game
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'The players of all cells take part.';
    END IF;
    IF jsonb_typeof(given) <> 'number' OR given::text !~ '^\d{1,4}$' OR given::text::integer >= here.of_cells THEN
        RAISE EXCEPTION 'home_cell must be a number from 0 to %', here.of_cells - 1 USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN given::text::integer;
END
$fn$;
COMMENT ON FUNCTION casino.table_home_cell(jsonb, text, boolean) IS 'Part of add_game_table(): option home_cell; 22004 where a table with seats of a cell has none, 22023 where there can be none';

-- Digests of what hub and cells must have alike: leaves of evidence (doc/evidence.md), without what differs between databases, which is
-- who recorded a row and when, and the numbers that plan versions drew here.
CREATE FUNCTION casino.plan_digest() RETURNS bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH plan AS (SELECT p.plan_id, row_number() OVER (ORDER BY p.game COLLATE "C", p.version) AS number FROM casino.game_plan p),
    leaf AS (
        SELECT casino.evidence_leaf('game', t) AS leaf FROM casino.game t
        UNION ALL
        SELECT casino.evidence_leaf('game_plan', jsonb_populate_record(t, jsonb_build_object('plan_id', n.number, 'recorded_by', NULL)))
          FROM casino.game_plan t JOIN plan n ON n.plan_id = t.plan_id
        UNION ALL
        SELECT casino.evidence_leaf('plan_rule', jsonb_populate_record(t, jsonb_build_object('plan_id', n.number, 'recorded_by', NULL)))
          FROM casino.plan_rule t JOIN plan n ON n.plan_id = t.plan_id
        UNION ALL
        SELECT casino.evidence_leaf('bet_rule', jsonb_populate_record(t, jsonb_build_object('plan_id', n.number, 'recorded_by', NULL)))
          FROM casino.bet_rule t JOIN plan n ON n.plan_id = t.plan_id
        UNION ALL
        SELECT casino.evidence_leaf('paytable', jsonb_populate_record(t, jsonb_build_object('plan_id', n.number, 'recorded_by', NULL)))
          FROM casino.paytable t JOIN plan n ON n.plan_id = t.plan_id
        UNION ALL
        SELECT casino.evidence_leaf('announced_rule', jsonb_populate_record(t, jsonb_build_object('plan_id', n.number, 'recorded_by', NULL)))
          FROM casino.announced_rule t JOIN plan n ON n.plan_id = t.plan_id)
    SELECT casino.merkle_root(casino.hash_leaf(l.leaf) ORDER BY l.leaf) FROM leaf l
$fn$;
COMMENT ON FUNCTION casino.plan_digest() IS 'SHA-256 over all plan versions with their rules, limits, odds and announced bets; two databases with the same plans give the same, whatever their settings';

CREATE FUNCTION casino.table_digest() RETURNS bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH leaf AS (
        SELECT casino.evidence_leaf('game_table', t) AS leaf FROM casino.game_table t
        UNION ALL
        SELECT casino.evidence_leaf('table_version', jsonb_populate_record(t, '{"recorded_at": null, "recorded_by": null}')) FROM casino.table_version t
        UNION ALL
        SELECT casino.evidence_leaf('table_limit', jsonb_populate_record(t, '{"recorded_by": null}')) FROM casino.table_limit t)
    SELECT casino.merkle_root(casino.hash_leaf(l.leaf) ORDER BY l.leaf) FROM leaf l
$fn$;
COMMENT ON FUNCTION casino.table_digest() IS 'SHA-256 over all tables with every version of their limits and switches';

CREATE FUNCTION casino.cell_state(OUT cell integer, OUT of_cells integer, OUT schema_version integer, OUT extension_version text,
                                  OUT plan_digest bytea, OUT table_digest bytea, OUT clock timestamptz) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.cell_state() IS 'What a hub compares before it takes a cell in and each night: which cell, versions of tables and extension, digests of plans and tables, the clock';

CREATE FUNCTION casino.cell_state_impl(OUT cell integer, OUT of_cells integer, OUT schema_version integer, OUT extension_version text,
                                           OUT plan_digest bytea, OUT table_digest bytea, OUT clock timestamptz) RETURNS record
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT c.cell, c.of_cells, (SELECT max(v.version) FROM casino.schema_version v), (SELECT e.extversion FROM pg_extension e WHERE e.extname = 'casino'),
           casino.plan_digest(), casino.table_digest(), clock_timestamp()
      FROM (VALUES (1)) one (row)
      LEFT JOIN casino.cell c ON true
$fn$;
COMMENT ON FUNCTION casino.cell_state_impl() IS 'Body of cell_state(), run as the owner of the ledger';

CREATE FUNCTION casino.outcome_players(outcome jsonb) RETURNS bigint[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT ARRAY (SELECT DISTINCT n.number::bigint
                    FROM jsonb_path_query(outcome, '$.hands[*] ? (@.type() == "object")') h (entry)
                   CROSS JOIN LATERAL (VALUES (h.entry -> 'player'), (h.entry -> 'players'), (h.entry -> 'even_money')) m (member)
                   CROSS JOIN LATERAL jsonb_path_query(m.member, '$[*] ? (@.type() == "number")') v (value)
                   CROSS JOIN LATERAL (SELECT (v.value #>> '{}')::numeric AS number) n
                   WHERE n.number BETWEEN 1 AND 9223372036854775807 AND n.number = trunc(n.number)
                   ORDER BY 1)
$fn$;
COMMENT ON FUNCTION casino.outcome_players(jsonb) IS 'Players whom an outcome document, or one of deal(), names: a hub refuses numbers of cells that are not in use, which no cell would miss';
-- Tables: what they are never changes, their limits and switches are versions with a date (R11.6).

CREATE FUNCTION casino.install_tables() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE SEQUENCE casino.table_id_seq AS bigint;
    COMMENT ON SEQUENCE casino.table_id_seq IS 'Numbers of tables';

    CREATE TABLE casino.game_table (
        table_id  bigint PRIMARY KEY,
        game      text NOT NULL REFERENCES casino.game,
        name      text NOT NULL CHECK (name = casino.canonical_text(name, 'name') AND octet_length(name) <= 200),
        versions  integer NOT NULL CHECK (versions > 0),
        home_cell integer CHECK (home_cell >= 0),
        UNIQUE (game, name)
    );
    COMMENT ON TABLE casino.game_table IS 'Game tables; their limits and switches are in table_version';
    COMMENT ON COLUMN casino.game_table.table_id IS 'Number of the table';
    COMMENT ON COLUMN casino.game_table.game IS 'Game played there';
    COMMENT ON COLUMN casino.game_table.name IS 'Name of the table';
    COMMENT ON COLUMN casino.game_table.versions IS 'Versions of its limits and switches so far';
    COMMENT ON COLUMN casino.game_table.home_cell IS 'Of a table with seats in a cell: the one cell whose players take part; NULL: players of every cell, or this database is no cell';

    CREATE TABLE casino.table_version (
        table_id    bigint NOT NULL REFERENCES casino.game_table,
        version     integer NOT NULL CHECK (version > 0),
        valid_from  timestamptz NOT NULL,
        min_stake   numeric NOT NULL CHECK (min_stake > 0),
        max_stake   numeric NOT NULL CHECK (max_stake >= min_stake AND max_stake < 'Infinity'),
        surrender   boolean NOT NULL,
        behind      boolean NOT NULL,
        seats       integer CHECK (seats > 0),
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (table_id, version),
        UNIQUE (table_id, valid_from)
    );
    COMMENT ON TABLE casino.table_version IS 'Append-only: limits and switches of a table, in force from valid_from until its next version; rounds keep the version they were opened under';
    COMMENT ON COLUMN casino.table_version.table_id IS 'Table';
    COMMENT ON COLUMN casino.table_version.version IS 'Counts the versions of a table from 1';
    COMMENT ON COLUMN casino.table_version.valid_from IS 'When it comes into force; -infinity: with the first round of the table';
    COMMENT ON COLUMN casino.table_version.min_stake IS 'CZK least stake of the principal bet; in roulette of every position';
    COMMENT ON COLUMN casino.table_version.max_stake IS 'CZK greatest stake of the principal bet; in roulette of a straight';
    COMMENT ON COLUMN casino.table_version.surrender IS 'Surrender is offered (where the plan allows it)';
    COMMENT ON COLUMN casino.table_version.behind IS 'Bet behind is offered (where the plan allows it)';
    COMMENT ON COLUMN casino.table_version.seats IS 'Seats (boxes); NULL for games without seats';
    COMMENT ON COLUMN casino.table_version.recorded_at IS 'When it was written';

    CREATE TABLE casino.table_limit (
        table_id  bigint NOT NULL,
        version   integer NOT NULL,
        kind      text NOT NULL,
        min_stake numeric CHECK (min_stake > 0),
        max_stake numeric CHECK (max_stake > 0),
        PRIMARY KEY (table_id, version, kind),
        FOREIGN KEY (table_id, version) REFERENCES casino.table_version,
        CHECK (max_stake >= min_stake)
    );
    COMMENT ON TABLE casino.table_limit IS 'Append-only: limits that a version of a table sets for single kinds of bet, within the plan''s';
    COMMENT ON COLUMN casino.table_limit.table_id IS 'Table';
    COMMENT ON COLUMN casino.table_limit.version IS 'Version of the table';
    COMMENT ON COLUMN casino.table_limit.kind IS 'Kind of bet';
    COMMENT ON COLUMN casino.table_limit.min_stake IS 'CZK least stake on one position';
    COMMENT ON COLUMN casino.table_limit.max_stake IS 'CZK greatest stake on one position';

    CREATE TRIGGER table_guard BEFORE UPDATE OR DELETE ON casino.game_table
        FOR EACH ROW EXECUTE FUNCTION casino.table_guard();
    COMMENT ON TRIGGER table_guard ON casino.game_table IS 'What a table is never changes, none is deleted';

    PERFORM casino.make_append_only('table_version', 'table_limit');
    PERFORM casino.make_recorded('table_version');
    PERFORM casino.make_recorded('table_limit');
    PERFORM casino.refuse_truncate('game_table');
END
$fn$;
COMMENT ON FUNCTION casino.install_tables() IS 'Part of casino.install(): tables, versions of their limits and switches';

CREATE FUNCTION casino.table_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF TG_OP = 'DELETE' OR (OLD.table_id, OLD.game, OLD.name, OLD.home_cell) IS DISTINCT FROM (NEW.table_id, NEW.game, NEW.name, NEW.home_cell)
       OR NEW.versions NOT IN (OLD.versions, OLD.versions + 1) THEN
        RAISE EXCEPTION 'cannot change table "%" of %', OLD.name, OLD.game
            USING ERRCODE = 'KL001', DETAIL = 'Number, game and name of a table never change.',
                  HINT = 'casino.set_table_limits() changes limits and switches; another game is another table.';
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino.table_guard() IS 'Trigger of casino.game_table: number, game, name and home cell of a table never change, none is deleted';

-- Limits of a table must lie within the plan's (R11.5).
CREATE FUNCTION casino.check_table_limit(plan_id bigint, kind text, min_stake numeric, max_stake numeric) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    rule casino.bet_rule;
BEGIN
    SELECT b.* INTO rule FROM casino.bet_rule b
     WHERE b.plan_id = check_table_limit.plan_id AND b.kind = check_table_limit.kind;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the game plan does not offer %', kind
            USING ERRCODE = 'KB004', DETAIL = format('No bet of that kind stands in %s.', casino.plan_name(plan_id));
    END IF;
    IF min_stake < rule.min_stake OR max_stake > rule.max_stake OR min_stake > rule.max_stake OR max_stake < min_stake THEN
        RAISE EXCEPTION 'limits % to % CZK of % are outside those of the game plan', min_stake, max_stake, kind
            USING ERRCODE = 'KB002',
                  DETAIL = format('The plan allows %s to %s CZK (%s).', coalesce(rule.min_stake::text, 'any minimum'),
                                  coalesce(rule.max_stake::text, 'any maximum'), rule.paragraph);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.check_table_limit(bigint, text, numeric, numeric) IS 'Part of add_game_table() and set_table_limits(): KB002 for a limit outside the plan''s, KB004 for a kind it does not offer';

-- What add_game_table() and set_table_limits() are given, checked against the plan: what a table may offer, and its limits.
CREATE FUNCTION casino.table_settings(plan_id bigint, game text, INOUT min_stake numeric, INOUT max_stake numeric, INOUT options jsonb,
                                      OUT surrender boolean, OUT behind boolean, OUT seats integer, OUT limits jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    seated boolean;
    plan_seats integer;
    family_seats integer;
    odd text;
    lim record;
BEGIN
    options := coalesce(options, '{}');
    IF jsonb_typeof(options) <> 'object' THEN
        RAISE EXCEPTION 'options must be a JSON object' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT k INTO odd FROM jsonb_object_keys(options) k WHERE k NOT IN ('surrender', 'behind', 'seats', 'limits') LIMIT 1;
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION 'unknown option "%" of a table', left(odd, 64)
            USING ERRCODE = 'invalid_parameter_value', HINT = 'Options are surrender, behind, seats and limits.';
    END IF;
    SELECT k INTO odd FROM unnest(ARRAY['surrender', 'behind']) k
     WHERE options ? k AND jsonb_typeof(options -> k) <> 'boolean' LIMIT 1;
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION 'option "%" must be true or false', odd USING ERRCODE = 'invalid_parameter_value';
    END IF;

    -- what the game allows a table to offer (R3.32)
    SELECT k INTO odd FROM unnest(ARRAY['surrender', 'behind']) k
     WHERE (options ->> k)::boolean
       AND NOT EXISTS (SELECT FROM casino.plan_rule r
                        WHERE r.plan_id = table_settings.plan_id AND r.rule = k AND r.value = 'table')
     LIMIT 1;
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION '% does not offer %', game, odd
            USING ERRCODE = 'KB004', DETAIL = format('It is not left to the table by %s.', casino.plan_name(plan_id));
    END IF;
    SELECT f.seats INTO family_seats FROM casino.game g JOIN casino.families() f ON f.family = g.family WHERE g.game = table_settings.game;
    seated := family_seats IS NOT NULL
              OR EXISTS (SELECT FROM casino.plan_rule r
                          WHERE r.plan_id = table_settings.plan_id AND r.rule = 'box' AND r.value = 'seats');
    SELECT nullif(r.value, '0')::integer INTO plan_seats FROM casino.plan_rule r
     WHERE r.plan_id = table_settings.plan_id AND r.rule = 'max_seats';
    IF options ? 'seats' THEN
        IF NOT seated THEN
            RAISE EXCEPTION '% is played without seats', game USING ERRCODE = 'invalid_parameter_value';
        END IF;
        IF jsonb_typeof(options -> 'seats') <> 'number' OR (options ->> 'seats')::numeric NOT IN (1,2,3,4,5,6,7,8,9,10) THEN
            RAISE EXCEPTION 'seats must be a number from 1 to 10' USING ERRCODE = 'invalid_parameter_value';
        END IF;
        seats := (options ->> 'seats')::numeric;
        IF seats > plan_seats THEN
            RAISE EXCEPTION '% has at most % seats', game, plan_seats USING ERRCODE = 'invalid_parameter_value';
        END IF;
    ELSIF seated THEN
        seats := coalesce(plan_seats, family_seats, 7);
    END IF;
    min_stake := casino.checked_amount(min_stake);
    max_stake := casino.checked_amount(max_stake);
    surrender := coalesce((options ->> 'surrender')::boolean, false);
    behind := coalesce((options ->> 'behind')::boolean, false);
    IF min_stake = 0 OR max_stake < min_stake THEN
        RAISE EXCEPTION 'invalid table limits: % to % CZK', min_stake, max_stake
            USING ERRCODE = 'KB002', DETAIL = 'The minimum must be above 0 and not above the maximum.';
    END IF;

    -- the table's own limits are those of the principal bet, and of a straight in roulette
    FOR lim IN SELECT b.kind FROM casino.bet_rule b
                WHERE b.plan_id = table_settings.plan_id AND (b.table_limits = 'principal' OR b.kind = 'straight') LOOP
        PERFORM casino.check_table_limit(plan_id, lim.kind, min_stake, max_stake);
    END LOOP;
    limits := coalesce(options -> 'limits', '{}');
    IF jsonb_typeof(limits) <> 'object' THEN
        RAISE EXCEPTION 'limits must be a JSON object of kinds of bet' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    -- from the principal bet follow those of others: of bets behind, of a box together, of inside bets; from what lies there the amounts in play (R11.22)
    SELECT b.kind INTO odd FROM casino.bet_rule b
     WHERE b.plan_id = table_settings.plan_id AND limits ? b.kind AND (b.table_limits = 'principal' OR b.kind = 'straight' OR b.phase <> 'betting')
     ORDER BY b.kind LIMIT 1;
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION '% has no limits of its own at a table', odd
            USING ERRCODE = 'KB002',
                  DETAIL = 'The minimum and maximum of the table are those of its principal bet, from which others follow; what is staked in play follows from the stakes.',
                  HINT = 'Give them as min_stake and max_stake.';
    END IF;
    FOR lim IN SELECT key AS kind, value AS bounds FROM jsonb_each(limits) LOOP
        IF jsonb_typeof(lim.bounds) <> 'object' OR lim.bounds - ARRAY['min', 'max'] <> '{}'
           OR EXISTS (SELECT FROM jsonb_each(lim.bounds) b WHERE jsonb_typeof(b.value) <> 'number') THEN
            RAISE EXCEPTION 'limits of % must be an object with numbers min and max', left(lim.kind, 64)
                USING ERRCODE = 'invalid_parameter_value';
        END IF;
        PERFORM casino.check_table_limit(plan_id, lim.kind, casino.checked_amount((lim.bounds ->> 'min')::numeric),
                                         casino.checked_amount((lim.bounds ->> 'max')::numeric));
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.table_settings(bigint, text, numeric, numeric, jsonb) IS 'Part of add_game_table() and set_table_limits(): limits and switches of a table as they are kept, checked against a plan version';

CREATE FUNCTION casino.table_limits_of(table_id bigint, version integer) RETURNS jsonb
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(jsonb_object_agg(l.kind, jsonb_strip_nulls(jsonb_build_object('min', l.min_stake, 'max', l.max_stake))), '{}')
      FROM casino.table_limit l WHERE l.table_id = $1 AND l.version = $2
$fn$;
COMMENT ON FUNCTION casino.table_limits_of(bigint, integer) IS 'Part of table_limits_at(): limits of single kinds of a version of a table, in the form of the option limits';

CREATE FUNCTION casino.put_table_version(table_id bigint, version integer, valid_from timestamptz, settings record) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    INSERT INTO casino.table_version AS v (table_id, version, valid_from, min_stake, max_stake, surrender, behind, seats, recorded_at)
    VALUES (table_id, version, valid_from, settings.min_stake, settings.max_stake, settings.surrender, settings.behind,
            settings.seats, clock_timestamp());
    INSERT INTO casino.table_limit (table_id, version, kind, min_stake, max_stake)
    SELECT table_id, version, l.key, casino.checked_amount((l.value ->> 'min')::numeric), casino.checked_amount((l.value ->> 'max')::numeric)
      FROM jsonb_each(settings.limits) l;
END
$fn$;
COMMENT ON FUNCTION casino.put_table_version(bigint, integer, timestamptz, record) IS 'Part of add_game_table() and set_table_limits(): writes a version of a table';

-- Is the version of a table what is asked for?
CREATE FUNCTION casino.same_table_version(table_id bigint, version integer, settings record) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN (SELECT (v.min_stake, v.max_stake, v.surrender, v.behind, v.seats, casino.table_limits_of(v.table_id, v.version))
                   IS NOT DISTINCT FROM (settings.min_stake, settings.max_stake, settings.surrender, settings.behind, settings.seats,
                                         settings.limits)
              FROM casino.table_version v
             WHERE v.table_id = same_table_version.table_id AND v.version = same_table_version.version);
END
$fn$;
COMMENT ON FUNCTION casino.same_table_version(bigint, integer, record) IS 'Part of add_game_table() and set_table_limits(): does a version of a table say the same';

CREATE FUNCTION casino.add_game_table(game text, name text, min_stake numeric, max_stake numeric,
                                      options jsonb DEFAULT '{}', table_id bigint DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    plan CONSTANT bigint := casino.plan_in_force_or_next(game, clock_timestamp());
    settings record;
    home integer;
    id bigint;
    before casino.game_table;
BEGIN
    IF game IS NULL OR min_stake IS NULL OR max_stake IS NULL OR coalesce(btrim(name), '') = '' THEN
        RAISE EXCEPTION 'game, name, min_stake and max_stake must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    name := casino.canonical_text(name, 'name');
    PERFORM casino.bounded(name, 'name', 200);
    -- whether this is a cell does not change from here on
    LOCK TABLE casino.game_table IN ROW EXCLUSIVE MODE;
    PERFORM casino.check_given_number(table_id, 'table_id');
    SELECT * INTO settings
      FROM casino.table_settings(plan, game, min_stake, max_stake,
                                 CASE WHEN jsonb_typeof(options) = 'object' THEN options - 'home_cell' ELSE options END);
    home := casino.table_home_cell(options, game, settings.seats IS NOT NULL);
    LOOP
        INSERT INTO casino.game_table AS t (table_id, game, name, versions, home_cell)
        VALUES (coalesce(add_game_table.table_id, nextval('casino.table_id_seq')), add_game_table.game, add_game_table.name, 1, home)
        ON CONFLICT DO NOTHING RETURNING t.table_id INTO id;
        IF FOUND THEN
            PERFORM casino.put_table_version(id, 1, '-infinity', settings);
            RETURN id;
        END IF;
        -- a retry, or another table of that name (R13.7)
        SELECT t.* INTO before FROM casino.game_table t
         WHERE t.game = add_game_table.game AND t.name = add_game_table.name;
        IF FOUND THEN
            IF coalesce(add_game_table.table_id, before.table_id) <> before.table_id OR home IS DISTINCT FROM before.home_cell
               OR NOT casino.same_table_version(before.table_id, 1, settings) THEN
                RAISE EXCEPTION 'table "%" of % already exists with other settings', name, game
                    USING ERRCODE = 'unique_violation', DETAIL = format('It is table %s.', before.table_id),
                          HINT = 'casino.set_table_limits() changes limits and switches of a table.';
            END IF;
            RETURN before.table_id;
        END IF;
        SELECT t.* INTO before FROM casino.game_table t WHERE t.table_id = add_game_table.table_id;
        IF FOUND THEN
            RAISE EXCEPTION 'number % is another table''s', before.table_id
                USING ERRCODE = 'unique_violation', DETAIL = format('It is table "%s" of %s.', before.name, before.game);
        END IF;
        -- the number drawn was given to another table: the next one
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.add_game_table(text, text, numeric, numeric, jsonb, bigint) IS 'Adds a table with its limits within the game plan''s; options: surrender, behind, seats, limits, in a cell home_cell. Returns its number, in a cell the one that the hub gives, and the same again for the same table';

CREATE FUNCTION casino.table_version_at(table_id bigint, at timestamptz) RETURNS integer
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT v.version FROM casino.table_version v WHERE v.table_id = $1 AND v.valid_from <= $2 ORDER BY v.version DESC LIMIT 1
$fn$;
COMMENT ON FUNCTION casino.table_version_at(bigint, timestamptz) IS 'Part of open_round(): version of a table''s limits in force at a time';

CREATE FUNCTION casino.set_table_limits(table_id bigint, min_stake numeric, max_stake numeric, options jsonb DEFAULT '{}',
                                        at timestamptz DEFAULT NULL) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    present casino.table_version;
    at_table casino.game_table;
    held casino.table_version;
    kept jsonb;
    settings record;
    starts timestamptz;
    later timestamptz;
BEGIN
    IF table_id IS NULL OR min_stake IS NULL OR max_stake IS NULL THEN
        RAISE EXCEPTION 'table_id, min_stake and max_stake must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    -- rounds are opened under the same lock: none is opened under a version that has ended (R11.7)
    SELECT t.* INTO at_table FROM casino.game_table t WHERE t.table_id = set_table_limits.table_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    SELECT v.* INTO STRICT present FROM casino.table_version v
     WHERE v.table_id = at_table.table_id AND v.version = at_table.versions;
    IF jsonb_typeof(coalesce(options, '{}')) <> 'object' THEN
        RAISE EXCEPTION 'options must be a JSON object' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF options ? 'home_cell' AND at_table.home_cell IS NOT NULL THEN
        IF options -> 'home_cell' <> to_jsonb(at_table.home_cell) THEN
            RAISE EXCEPTION 'the home cell of table "%" does not change', at_table.name
                USING ERRCODE = 'invalid_parameter_value', DETAIL = format('It is %s.', at_table.home_cell);
        END IF;
        options := options - 'home_cell';
    END IF;
    -- a call come again after other changes is known by its time: it is judged by what held then (R13.8)
    held := present;
    IF at < present.valid_from THEN
        SELECT v.* INTO STRICT held FROM casino.table_version v
         WHERE v.table_id = at_table.table_id AND v.version = casino.table_version_at(at_table.table_id, at);
    END IF;
    -- switches and limits that are not named stay
    kept := jsonb_strip_nulls(jsonb_build_object('seats', held.seats))
            || jsonb_build_object('surrender', held.surrender, 'behind', held.behind,
                                  'limits', casino.table_limits_of(held.table_id, held.version));
    SELECT * INTO settings
      FROM casino.table_settings(casino.plan_in_force_or_next(at_table.game, coalesce(at, clock_timestamp())), at_table.game,
                                 min_stake, max_stake, kept || coalesce(options, '{}'));
    IF casino.same_table_version(held.table_id, held.version, settings) THEN
        RETURN held.version;
    END IF;
    SELECT max(r.opened_at) INTO later FROM casino.round r WHERE r.table_id = at_table.table_id;
    starts := casino.round_event_time(at, greatest(present.valid_from, later) + interval '1 microsecond');
    IF starts <= greatest(present.valid_from, later) THEN
        RAISE EXCEPTION 'time % is not after the last change of table "%" and its last round', starts, at_table.name
            USING ERRCODE = 'KL005',
                  DETAIL = format('Version %s is valid from %s, the last round was opened at %s.', present.version, present.valid_from, later),
                  HINT = 'What held before does not change; leave the time out.';
    END IF;
    UPDATE casino.game_table t SET versions = t.versions + 1 WHERE t.table_id = at_table.table_id;
    PERFORM casino.put_table_version(at_table.table_id, present.version + 1, starts, settings);
    RETURN present.version + 1;
END
$fn$;
COMMENT ON FUNCTION casino.set_table_limits(bigint, numeric, numeric, jsonb, timestamptz) IS 'Gives a table other limits and switches, within the game plan''s; options that are not named stay. A round keeps what it was opened under. Returns the number of the version, the present one when it says the same';

CREATE FUNCTION casino.table_limits_at(table_id bigint, at timestamptz DEFAULT clock_timestamp(), OUT version integer, OUT valid_from timestamptz,
                                       OUT valid_until timestamptz, OUT min_stake numeric, OUT max_stake numeric, OUT surrender boolean,
                                       OUT behind boolean, OUT seats integer, OUT limits jsonb, OUT recorded_at timestamptz) RETURNS record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM FROM casino.game_table t WHERE t.table_id = table_limits_at.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    SELECT v.version, v.valid_from, n.valid_from, v.min_stake, v.max_stake, v.surrender, v.behind, v.seats, v.recorded_at
      INTO version, valid_from, valid_until, min_stake, max_stake, surrender, behind, seats, recorded_at
      FROM casino.table_version v
      LEFT JOIN casino.table_version n ON n.table_id = v.table_id AND n.version = v.version + 1
     WHERE v.table_id = table_limits_at.table_id AND v.valid_from <= table_limits_at.at
     ORDER BY v.version DESC LIMIT 1;
    limits := (SELECT coalesce(jsonb_object_agg(l.kind, jsonb_strip_nulls(jsonb_build_object('min', l.min_stake, 'max', l.max_stake))), '{}')
                 FROM casino.table_limit l WHERE l.table_id = table_limits_at.table_id AND l.version = table_limits_at.version);
END
$fn$;
COMMENT ON FUNCTION casino.table_limits_at(bigint, timestamptz) IS 'Limits and switches of a table that held at a time, with the version and until when; a round keeps those it was opened under: casino.round.table_version';
-- Persons and their accounts. One person must be one text: what looks the same on a screen is the same here, or refused (R7.31).
-- What callers do on tables that they may not touch themselves is run as the owner of the ledger: the function they call is C
-- and its body has the same name with _impl. No function is SECURITY DEFINER.

CREATE FUNCTION casino.install_players() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.person (
        external_ref text PRIMARY KEY CHECK (external_ref = casino.canonical_ref(external_ref) AND octet_length(external_ref) <= 200),
        accounts     integer NOT NULL CHECK (accounts > 0)
    );
    COMMENT ON TABLE casino.person IS 'Natural persons by the operator''s reference; one may open accounts one after another';
    COMMENT ON COLUMN casino.person.external_ref IS 'The operator''s reference of the person, in the form of casino.canonical_ref()';
    COMMENT ON COLUMN casino.person.accounts IS 'Accounts opened so far';

    CREATE SEQUENCE casino.player_id_seq AS bigint;
    COMMENT ON SEQUENCE casino.player_id_seq IS 'Numbers of players, drawn by register_player()';

    CREATE TABLE casino.player (
        player_id      bigint PRIMARY KEY,
        external_ref   text NOT NULL REFERENCES casino.person,
        registered_at  timestamptz NOT NULL,
        balance        numeric NOT NULL DEFAULT 0 CHECK (balance >= 0 AND balance < 'Infinity'),
        last_entry_no  bigint NOT NULL DEFAULT 0,
        last_posted_at timestamptz NOT NULL DEFAULT '-infinity',
        last_round_id  bigint,
        sequence_started_at          timestamptz,
        previous_round_id            bigint,
        previous_sequence_started_at timestamptz,
        excluded_until timestamptz,
        limited        boolean NOT NULL DEFAULT false,
        closed_at      timestamptz,
        registered_by  integer NOT NULL,
        closed_by      integer
    ) WITH (fillfactor = 70);
    CREATE INDEX player_external_ref ON casino.player (external_ref);
    COMMENT ON INDEX casino.player_external_ref IS 'Finds the accounts of a person';
    COMMENT ON TABLE casino.player IS 'One row a player: all that a stake must know of him. Only the ledger writes it';
    COMMENT ON COLUMN casino.player.player_id IS 'Number of the player''s account';
    COMMENT ON COLUMN casino.player.external_ref IS 'The operator''s reference of the person';
    COMMENT ON COLUMN casino.player.registered_at IS 'When the account was opened';
    COMMENT ON COLUMN casino.player.balance IS 'CZK in the wallet: the sum of the player''s ledger entries';
    COMMENT ON COLUMN casino.player.last_entry_no IS 'Number of the last ledger entry';
    COMMENT ON COLUMN casino.player.last_posted_at IS 'Latest time of a ledger entry; no later entry may be dated before it';
    COMMENT ON COLUMN casino.player.last_round_id IS 'Last live round he has a stake in (D4 §8)';
    COMMENT ON COLUMN casino.player.sequence_started_at IS 'First stake of the betting sequence that round belongs to (D4 §8.5)';
    COMMENT ON COLUMN casino.player.previous_round_id IS 'last_round_id before that round: his stakes in it may all be returned before betting closes';
    COMMENT ON COLUMN casino.player.previous_sequence_started_at IS 'sequence_started_at before that round';
    COMMENT ON COLUMN casino.player.excluded_until IS 'Latest end of his exclusions (D4 §6.2)';
    COMMENT ON COLUMN casino.player.limited IS 'He has set limits: casino.limit_state has his row';
    COMMENT ON COLUMN casino.player.closed_at IS 'When the account was closed';
    COMMENT ON COLUMN casino.player.registered_by IS 'Who opened the account: casino.recorder';
    COMMENT ON COLUMN casino.player.closed_by IS 'Who closed the account: casino.recorder';
    -- not on every UPDATE: a settlement updates all its players
    CREATE TRIGGER record_who BEFORE INSERT OR UPDATE OF registered_at, registered_by, closed_at, closed_by ON casino.player FOR EACH ROW
        EXECUTE FUNCTION casino.record_who('registered_by', 'registered_at', 'closed_by', 'closed_at');
    COMMENT ON TRIGGER record_who ON casino.player IS 'Fills in who opened and closed the account';

    CREATE TRIGGER player_guard BEFORE UPDATE OR DELETE OR TRUNCATE ON casino.player
        FOR EACH STATEMENT EXECUTE FUNCTION casino.player_guard();
    COMMENT ON TRIGGER player_guard ON casino.player IS 'Only the ledger changes what the ledger keeps; players are never deleted';
    CREATE TRIGGER player_cell BEFORE INSERT ON casino.player
        FOR EACH ROW EXECUTE FUNCTION casino.player_cell();
    COMMENT ON TRIGGER player_cell ON casino.player IS 'A cell has players of its own numbers only';
    PERFORM casino.refuse_truncate('person');
END
$fn$;
COMMENT ON FUNCTION casino.install_players() IS 'Part of casino.install(): persons and their accounts';

CREATE FUNCTION casino.player_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_player_guard' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.player_guard() IS 'Trigger of casino.player: only the ledger changes players';

CREATE FUNCTION casino.canonical_ref(external_ref text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino.canonical_text(external_ref, 'external_ref');
END
$fn$;
COMMENT ON FUNCTION casino.canonical_ref(text) IS 'The form of an external_ref by which a person is known: Unicode NFC, without white space at its ends; one that is empty or contains control or invisible characters is refused (22023)';

-- Locks a player's row, so that what is decided next stays true.
CREATE FUNCTION casino.refuse_unknown_player(player_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_refuse_unknown_player' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.refuse_unknown_player(bigint) IS 'Part of functions that ask for a player: 23503, in a cell naming the cell that his number is of';

CREATE FUNCTION casino.lock_player(player_id bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM FROM casino.player p WHERE p.player_id = lock_player.player_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM casino.refuse_unknown_player(player_id);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.lock_player(bigint) IS 'Locks a player''s row until the end of the transaction; 23503 when there is none';

CREATE FUNCTION casino.register_player(external_ref text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.register_player(text) IS 'Opens an account for a person, known by canonical_ref(external_ref), and returns its number; the same person again returns the same number while that account is open';

CREATE FUNCTION casino.register_player_impl(external_ref text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    person_ref CONSTANT text := casino.canonical_ref(external_ref);
    id bigint;
    former bigint;
    closed timestamptz;
BEGIN
    IF person_ref IS NULL THEN
        RAISE EXCEPTION 'external_ref must not be empty' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino.bounded(person_ref, 'external_ref', 200);
    -- the person's row is what two registrations at once meet at
    INSERT INTO casino.person AS p VALUES (person_ref, 1) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        id := casino.next_player_id();
        INSERT INTO casino.player (player_id, external_ref, registered_at)
        VALUES (id, person_ref, clock_timestamp());
        RETURN id;
    END IF;
    PERFORM FROM casino.person p WHERE p.external_ref = person_ref FOR UPDATE;
    SELECT p.player_id, p.closed_at INTO STRICT id, closed FROM casino.player p
     WHERE p.external_ref = person_ref ORDER BY p.player_id DESC LIMIT 1;
    IF closed IS NOT NULL THEN
        UPDATE casino.person p SET accounts = p.accounts + 1 WHERE p.external_ref = person_ref;
        former := id;
        -- what is known of the former account now stays true: an exclusion of it since our snapshot is 40001
        PERFORM casino.lock_player(former);
        id := casino.next_player_id();
        -- with the betting sequence, which is the person's too: another account is no way around the break (D4 §8.3)
        INSERT INTO casino.player (player_id, external_ref, registered_at, last_round_id, sequence_started_at)
        SELECT id, p.external_ref, clock_timestamp(), p.last_round_id, p.sequence_started_at
          FROM casino.player p WHERE p.player_id = former;
        PERFORM casino.inherit_duties(former, id, closed);
    END IF;
    RETURN id;
END
$fn$;
COMMENT ON FUNCTION casino.register_player_impl(text) IS 'Body of register_player(), run as the owner of the ledger';

CREATE FUNCTION casino.inherit_duties(former bigint, player_id bigint, closed_at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    ends timestamptz;
BEGIN
    -- exclusions are of the person, whatever the account
    INSERT INTO casino.exclusion
    SELECT inherit_duties.player_id, row_number() OVER (ORDER BY e.exclusion_no), e.source, e.excluded_from, e.excluded_until, clock_timestamp()
      FROM casino.exclusion_period e
     WHERE e.player_id = former AND e.excluded_until > clock_timestamp();
    SELECT max(e.excluded_until) INTO ends FROM casino.exclusion e WHERE e.player_id = inherit_duties.player_id;
    IF ends IS NOT NULL THEN
        PERFORM casino.note_exclusion(player_id, ends);
    END IF;
    -- within seven calendar days a new account must not be a way around the waiting time (Act 186/2016 §14a, R7.30)
    IF (SELECT p.registered_at FROM casino.player p WHERE p.player_id = inherit_duties.player_id) < casino.limits_pass_until(inherit_duties.closed_at)
       AND EXISTS (SELECT FROM casino.limit_state s WHERE s.player_id = former) THEN
        INSERT INTO casino.player_limit
        SELECT inherit_duties.player_id, l.limit_no, l.measure, l.period, l.amount, l.requested_at, l.effective_from, clock_timestamp()
          FROM casino.player_limit l WHERE l.player_id = former;
        INSERT INTO casino.limit_state (player_id, day, staked_day, lost_day, month, staked_month, lost_month, open_staked)
        SELECT inherit_duties.player_id, s.day, s.staked_day, s.lost_day, s.month, s.staked_month, s.lost_month, s.open_staked
          FROM casino.limit_state s WHERE s.player_id = former;
        PERFORM casino.note_limits(player_id, clock_timestamp());
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.inherit_duties(bigint, bigint, timestamptz) IS 'Part of register_player(): exclusions, and within seven calendar days limits and counters, pass to the person''s new account';

CREATE FUNCTION casino.note_closing(player_id bigint, at timestamptz) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_note_closing' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.note_closing(bigint, timestamptz) IS 'Part of close_account(): the account is closed';

CREATE FUNCTION casino.close_account(player_id bigint, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.close_account(bigint, timestamptz) IS 'Closes a player''s account, which must be empty; the person may open another one';

CREATE FUNCTION casino.close_account_impl(player_id bigint, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    account casino.player;
    closing timestamptz;
    paid timestamptz;
BEGIN
    PERFORM casino.lock_player(player_id);
    SELECT p.* INTO account FROM casino.player p WHERE p.player_id = close_account_impl.player_id;
    IF account.closed_at IS NOT NULL THEN
        RETURN;
    END IF;
    closing := casino.event_time(at, account.last_posted_at);
    IF account.balance <> 0
       OR EXISTS (SELECT FROM casino.open_withdrawal o WHERE o.player_id = account.player_id)
       OR EXISTS (SELECT FROM casino.wager w WHERE w.player_id = account.player_id AND w.status IN ('open', 'withheld')) THEN
        RAISE EXCEPTION 'the account of player % cannot be closed', player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('The balance is %s CZK; open wagers, withheld winnings and pending withdrawals must be ended first.', account.balance);
    END IF;
    -- the cash limit is the person's: another account must not start it afresh (D4 §11.2 a)
    SELECT max(l.posted_at) INTO paid FROM casino.ledger l
     WHERE l.player_id = account.player_id AND l.kind = 'cash_paid' AND l.posted_at > closing - interval '24 hours';
    IF paid IS NOT NULL THEN
        RAISE EXCEPTION 'the account of player % cannot be closed yet', player_id
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  DETAIL = format('Cash was paid at %s and counts for 24 hours (D4 §11.2 a).', paid);
    END IF;
    PERFORM casino.note_closing(player_id, closing);
END
$fn$;
COMMENT ON FUNCTION casino.close_account_impl(bigint, timestamptz) IS 'Body of close_account(), run as the owner of the ledger';
-- Rounds: opening, closing, cards, settlement.

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

CREATE FUNCTION casino.install_rounds() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE SEQUENCE casino.round_id_seq AS bigint;
    COMMENT ON SEQUENCE casino.round_id_seq IS 'Numbers of rounds';

    CREATE TABLE casino.round (
        round_id          bigint PRIMARY KEY,
        table_id          bigint NOT NULL REFERENCES casino.game_table,
        table_version     integer NOT NULL,
        round_ref         text NOT NULL CHECK (round_ref = casino.canonical_text(round_ref, 'round_ref') AND octet_length(round_ref) <= 200),
        plan_id           bigint NOT NULL REFERENCES casino.game_plan,
        status            text NOT NULL CHECK (status IN ('open', 'closed', 'withheld', 'settled', 'voided')),
        opened_at         timestamptz NOT NULL,
        betting_until     timestamptz CHECK (betting_until > opened_at AND betting_until < 'infinity'),
        betting_closed_at timestamptz,
        actions_closed_at timestamptz,
        evaluated_at      timestamptz,
        withheld_paid_at  timestamptz,
        outcome           jsonb,
        outcome_document  jsonb,
        evaluation_recorded_at timestamptz,
        void_reason       text CHECK (octet_length(void_reason) <= 1000),
        wagers            bigint,
        players           bigint,
        staked            numeric,
        paid              numeric,
        withheld_at       timestamptz,
        withheld_reason   text CHECK (octet_length(withheld_reason) <= 1000),
        voided_at         timestamptz,
        opened_by         integer NOT NULL,
        betting_closed_by integer,
        actions_closed_by integer,
        evaluated_by      integer,
        withheld_paid_by  integer,
        withheld_by       integer,
        voided_by         integer,
        withheld_paid_reason text CHECK (octet_length(withheld_paid_reason) <= 1000),
        UNIQUE (table_id, round_ref),
        FOREIGN KEY (table_id, table_version) REFERENCES casino.table_version
    );
    CREATE INDEX round_opened ON casino.round (table_id, opened_at);
    COMMENT ON INDEX casino.round_opened IS 'Finds the round that a table had at a time';
    CREATE UNIQUE INDEX round_unevaluated ON casino.round (table_id) WHERE status IN ('open', 'closed');
    CREATE INDEX round_evaluated_at ON casino.round (evaluated_at);
    COMMENT ON INDEX casino.round_evaluated_at IS 'Finds the rounds of a day';
    CREATE INDEX round_over_midnight ON casino.round (evaluated_at, opened_at) WHERE casino.prague_day(opened_at) < casino.prague_day(evaluated_at);
    COMMENT ON INDEX casino.round_over_midnight IS 'Finds the rounds that were under way when a day or month began';
    CREATE INDEX round_plan ON casino.round (plan_id);
    COMMENT ON INDEX casino.round_plan IS 'Finds out whether a plan version was used';
    CREATE INDEX round_withheld ON casino.round (evaluated_at) WHERE status = 'withheld';
    COMMENT ON INDEX casino.round_unevaluated IS 'One unevaluated round a table';
    COMMENT ON INDEX casino.round_withheld IS 'Finds the rounds whose winnings are still to be paid';
    COMMENT ON TABLE casino.round IS 'Rounds, from opening to evaluation';
    COMMENT ON COLUMN casino.round.round_id IS 'Number of the round';
    COMMENT ON COLUMN casino.round.table_id IS 'Table';
    COMMENT ON COLUMN casino.round.round_ref IS 'The provider''s name of the round, unique at its table';
    COMMENT ON COLUMN casino.round.plan_id IS 'Plan version in force when it was opened, by which it is settled';
    COMMENT ON COLUMN casino.round.status IS 'open: bets are taken; closed: betting closed; withheld: evaluated, payouts held back; settled: evaluated and paid; voided: stakes returned';
    COMMENT ON COLUMN casino.round.opened_at IS 'When it was opened';
    COMMENT ON COLUMN casino.round.betting_until IS 'Betting ends then at the latest, whether somebody closes it or not; NULL: only when it is closed';
    COMMENT ON COLUMN casino.round.betting_closed_at IS 'When betting closed; NULL also when it was voided before';
    COMMENT ON COLUMN casino.round.actions_closed_at IS 'When the players'' decisions ended';
    COMMENT ON COLUMN casino.round.evaluated_at IS 'When it was evaluated or voided';
    COMMENT ON COLUMN casino.round.withheld_paid_at IS 'When withheld payouts were posted';
    COMMENT ON COLUMN casino.round.table_version IS 'Version of the table''s limits and switches in force when it was opened, by which its stakes are judged';
    COMMENT ON COLUMN casino.round.outcome IS 'Outcome in the canonical form, by which a repeated settlement is recognised';
    COMMENT ON COLUMN casino.round.outcome_document IS 'Outcome document as the provider sent it with the settlement that counts';
    COMMENT ON COLUMN casino.round.evaluation_recorded_at IS 'When the evaluation, or the void, was written';
    COMMENT ON COLUMN casino.round.void_reason IS 'Why it was voided';
    COMMENT ON COLUMN casino.round.wagers IS 'Wagers settled or returned';
    COMMENT ON COLUMN casino.round.players IS 'Players who had one';
    COMMENT ON COLUMN casino.round.staked IS 'CZK staked';
    COMMENT ON COLUMN casino.round.paid IS 'CZK paid, to be paid (withheld) or returned (voided)';
    COMMENT ON COLUMN casino.round.withheld_at IS 'When it was ordered that its winnings are withheld, of all players';
    COMMENT ON COLUMN casino.round.withheld_reason IS 'Why';
    COMMENT ON COLUMN casino.round.voided_at IS 'When it was voided; later than evaluated_at where it had been withheld';
    COMMENT ON COLUMN casino.round.opened_by IS 'Who opened it: casino.recorder';
    COMMENT ON COLUMN casino.round.betting_closed_by IS 'Who closed betting: casino.recorder';
    COMMENT ON COLUMN casino.round.actions_closed_by IS 'Who ended the decisions: casino.recorder';
    COMMENT ON COLUMN casino.round.evaluated_by IS 'Who settled, withheld or voided it: casino.recorder';
    COMMENT ON COLUMN casino.round.withheld_paid_by IS 'Who paid what was withheld: casino.recorder';
    COMMENT ON COLUMN casino.round.withheld_paid_reason IS 'Why what was withheld was released; NULL: nobody had to say, because no order withheld it';
    COMMENT ON COLUMN casino.round.withheld_by IS 'Who ordered that its winnings are withheld: casino.recorder';
    COMMENT ON COLUMN casino.round.voided_by IS 'Who voided it: casino.recorder';
    CREATE TRIGGER record_who BEFORE INSERT OR UPDATE ON casino.round FOR EACH ROW
        EXECUTE FUNCTION casino.record_who('opened_by', 'opened_at', 'betting_closed_by', 'betting_closed_at', 'actions_closed_by', 'actions_closed_at',
                                           'evaluated_by', 'evaluated_at', 'withheld_paid_by', 'withheld_paid_at', 'withheld_by', 'withheld_at', 'voided_by', 'voided_at');
    COMMENT ON TRIGGER record_who ON casino.round IS 'Fills in who did it';

    CREATE TABLE casino.deal (
        round_id    bigint NOT NULL REFERENCES casino.round,
        deal_no     integer NOT NULL CHECK (deal_no > 0),
        document    jsonb NOT NULL,
        dealt_at    timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (round_id, deal_no)
    );
    COMMENT ON TABLE casino.deal IS 'Append-only: every document that deal() was given, so that cards it replaced, and when each came, stay known';
    COMMENT ON COLUMN casino.deal.round_id IS 'Round';
    COMMENT ON COLUMN casino.deal.deal_no IS 'Counts the documents of a round from 1';
    COMMENT ON COLUMN casino.deal.document IS 'All cards that lay on the table, as the provider sent them';
    COMMENT ON COLUMN casino.deal.dealt_at IS 'Time of the event';
    COMMENT ON COLUMN casino.deal.recorded_at IS 'When it was written';

    CREATE TABLE casino.deal_correction (
        round_id      bigint NOT NULL REFERENCES casino.round,
        deal_no       integer NOT NULL,
        wrong_deal_no integer CHECK (wrong_deal_no < deal_no),
        reason        text NOT NULL CHECK (octet_length(reason) <= 1000),
        wagers_stand  boolean NOT NULL,
        returned      integer NOT NULL CHECK (returned >= 0),
        corrected_at  timestamptz NOT NULL,
        recorded_at   timestamptz NOT NULL,
        PRIMARY KEY (round_id, deal_no)
    );
    COMMENT ON TABLE casino.deal_correction IS 'Append-only: cards that deal() was told wrongly and correct_deal() has put right before the evaluation (D4 Blackjack §16)';
    COMMENT ON COLUMN casino.deal_correction.round_id IS 'Round';
    COMMENT ON COLUMN casino.deal_correction.deal_no IS 'The document with the right cards, in casino.deal';
    COMMENT ON COLUMN casino.deal_correction.wrong_deal_no IS 'The first document that showed a wrong card; NULL: the cards lie otherwise, but none was wrong';
    COMMENT ON COLUMN casino.deal_correction.reason IS 'Why';
    COMMENT ON COLUMN casino.deal_correction.wagers_stand IS 'What was staked after the wrong card was shown stands; false: those stakes went back';
    COMMENT ON COLUMN casino.deal_correction.returned IS 'How many stakes went back';
    COMMENT ON COLUMN casino.deal_correction.corrected_at IS 'Time of the correction';
    COMMENT ON COLUMN casino.deal_correction.recorded_at IS 'When it was written';

    CREATE TABLE casino.dealt_hand (
        round_id           bigint NOT NULL REFERENCES casino.round,
        side               text NOT NULL CHECK (side IN ('player', 'banker', 'dealer', 'board', 'box')),
        seat               integer NOT NULL DEFAULT 0,
        group_no           integer NOT NULL DEFAULT 0,
        hand               integer NOT NULL DEFAULT 1,
        cards              casino.hand NOT NULL,
        surrendered        boolean NOT NULL DEFAULT false,
        folded             boolean NOT NULL DEFAULT false,
        even_money         boolean NOT NULL DEFAULT false,
        even_money_players bigint[] NOT NULL DEFAULT '{}',
        players            bigint[] NOT NULL DEFAULT '{}',
        PRIMARY KEY (round_id, side, seat, group_no, hand)
    );
    COMMENT ON TABLE casino.dealt_hand IS 'Cards of a round as they were dealt, and what the players decided';
    COMMENT ON COLUMN casino.dealt_hand.round_id IS 'Round';
    COMMENT ON COLUMN casino.dealt_hand.side IS 'Whose cards';
    COMMENT ON COLUMN casino.dealt_hand.seat IS 'Seat (box), 0 where there is none';
    COMMENT ON COLUMN casino.dealt_hand.group_no IS 'Shared box: 0 for everybody without a hand of his own, else a group of players with the same hands';
    COMMENT ON COLUMN casino.dealt_hand.hand IS 'Hand of the seat or group, from 1';
    COMMENT ON COLUMN casino.dealt_hand.cards IS 'Cards in the order dealt';
    COMMENT ON COLUMN casino.dealt_hand.surrendered IS 'Given up for half the stake';
    COMMENT ON COLUMN casino.dealt_hand.folded IS 'Thrown away (Texas Hold''em)';
    COMMENT ON COLUMN casino.dealt_hand.even_money IS 'All with a main bet on it took 1:1 for their blackjack';
    COMMENT ON COLUMN casino.dealt_hand.even_money_players IS 'Single players who took it';
    COMMENT ON COLUMN casino.dealt_hand.players IS 'Players of the group, on its hand 1';

    CREATE TRIGGER round_guard BEFORE UPDATE OR DELETE ON casino.round
        FOR EACH ROW EXECUTE FUNCTION casino.round_guard();
    COMMENT ON TRIGGER round_guard ON casino.round IS 'An evaluated round never changes, no round is deleted';
    CREATE TRIGGER dealt_hand_guard BEFORE INSERT OR UPDATE OR DELETE ON casino.dealt_hand
        FOR EACH ROW EXECUTE FUNCTION casino.dealt_hand_guard();
    COMMENT ON TRIGGER dealt_hand_guard ON casino.dealt_hand IS 'The cards of an evaluated round do not change';
    PERFORM casino.make_append_only('deal', 'deal_correction');
    PERFORM casino.make_recorded('deal');
    PERFORM casino.make_recorded('deal_correction');
    PERFORM casino.refuse_truncate('round', 'dealt_hand');
END
$fn$;
COMMENT ON FUNCTION casino.install_rounds() IS 'Part of casino.install(): rounds, deals, cards';

CREATE FUNCTION casino.round_guard() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_round_guard' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.round_guard() IS 'Trigger of casino.round: evaluated rounds do not change, none is deleted';

CREATE FUNCTION casino.posting_now() RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_posting_now' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.posting_now() IS 'Part of the guards: was the trigger that asks fired by a statement of the ledger''s own code';

CREATE FUNCTION casino.dealt_hand_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    affected bigint[] := ARRAY[]::bigint[];
    evaluated casino.round;
BEGIN
    -- a correction that was approved
    IF casino.posting_now() THEN
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END IF;
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

CREATE FUNCTION casino.round_event_time(at timestamptz, not_before timestamptz DEFAULT NULL) RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'casino_sql_round_event_time' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.round_event_time(timestamptz, timestamptz) IS 'Part of open_round() and set_table_limits(): event_time() of an event of a round or table: in a cell the hub has checked it when it decided, and the call may come long afterwards';

CREATE FUNCTION casino.await_round(round_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_await_round' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.await_round(bigint) IS 'Part of open_round(): waits for whoever closes or evaluates the round, and keeps it as it is until the transaction ends';

CREATE FUNCTION casino.open_round(table_id bigint, round_ref text, at timestamptz DEFAULT NULL, round_id bigint DEFAULT NULL,
                                  betting_until timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.open_round(bigint, text, timestamptz, bigint, timestamptz) IS 'Opens a round for bets under the plan version in force and returns its number, in a cell the one that the hub gives; from betting_until on it takes none, closed or not. The same reference again returns the same number';

-- A repetition, or another round of that reference or number (R13.7)?
CREATE FUNCTION casino.require_same_round(opened record, round_id bigint, betting_until timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF coalesce(round_id, opened.round_id) <> opened.round_id OR betting_until IS DISTINCT FROM opened.betting_until THEN
        RAISE EXCEPTION 'round "%" of table % was opened otherwise', opened.round_ref, opened.table_id
            USING ERRCODE = 'KR002',
                  DETAIL = format('It is round %s, with betting until %s.', opened.round_id, coalesce(opened.betting_until::text, 'it is closed'));
    END IF;
    RETURN opened.round_id;
END
$fn$;
COMMENT ON FUNCTION casino.require_same_round(record, bigint, timestamptz) IS 'Part of open_round(): number of the round opened before under that reference; KR002 when it was opened otherwise';

CREATE FUNCTION casino.open_rounds(at timestamptz DEFAULT NULL, OUT table_id bigint, OUT table_name text, OUT game text, OUT round_id bigint,
                                  OUT round_ref text, OUT status text, OUT opened_at timestamptz, OUT betting_closed_at timestamptz,
                                  OUT actions_closed_at timestamptz, OUT age interval, OUT players bigint, OUT wagers bigint, OUT staked numeric,
                                  OUT dealt jsonb, OUT dealt_at timestamptz) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION casino.open_rounds(timestamptz) IS 'Rounds not evaluated at a time (default: now), as they were then: status, standing wagers, the last document of deal(); age is the time since they were opened';

CREATE FUNCTION casino.open_round_impl(table_id bigint, round_ref text, at timestamptz, round_id bigint, betting_until timestamptz) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    id bigint;
    at_table record;
    before casino.round;
    opened timestamptz;
    plan bigint;
BEGIN
    IF table_id IS NULL OR coalesce(btrim(round_ref), '') = '' THEN
        RAISE EXCEPTION 'table_id and round_ref must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    round_ref := casino.canonical_text(round_ref, 'round_ref');
    PERFORM casino.bounded(round_ref, 'round_ref', 200);
    PERFORM casino.check_given_number(round_id, 'round_id');
    IF betting_until IN ('infinity', '-infinity') THEN
        RAISE EXCEPTION 'betting_until must be finite' USING ERRCODE = 'datetime_field_overflow';
    END IF;
    SELECT r.* INTO before FROM casino.round r
     WHERE r.table_id = open_round_impl.table_id AND r.round_ref = open_round_impl.round_ref;
    IF FOUND THEN
        RETURN casino.require_same_round(before, round_id, betting_until);
    END IF;
    SELECT t.game, t.name, g.family INTO at_table
      FROM casino.game_table t JOIN casino.game g ON g.game = t.game WHERE t.table_id = open_round_impl.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    IF NOT casino.family_is_built(at_table.family) THEN
        RAISE EXCEPTION 'rounds of % cannot be opened yet', at_table.game
            USING ERRCODE = 'feature_not_supported', DETAIL = 'The grading of its family of games is not built.';
    END IF;
    -- the unique keys of casino.round are met here: number, reference, and one unevaluated round a table. Others that open a round
    -- of the table, and the end of the one before, are waited for first: a time that was not given is taken afterwards
    PERFORM FROM casino.game_table t WHERE t.table_id = open_round_impl.table_id FOR NO KEY UPDATE;
    PERFORM casino.await_round(r.round_id) FROM casino.round r
      WHERE r.table_id = open_round_impl.table_id AND r.status IN ('open', 'closed');
    LOOP
        opened := casino.round_event_time(at);
        IF betting_until <= opened THEN
            RAISE EXCEPTION 'betting until % would end before it begins', betting_until
                USING ERRCODE = 'invalid_parameter_value', DETAIL = format('The round is opened at %s.', opened);
        END IF;
        plan := casino.plan_in_force(at_table.game, opened);
        -- a version that is being changed is waited for, before it is judged
        PERFORM FROM casino.game_plan p WHERE p.plan_id = plan FOR KEY SHARE;
        PERFORM casino.require_plan(plan);
        INSERT INTO casino.round AS r (round_id, table_id, table_version, round_ref, plan_id, status, opened_at, betting_until)
        VALUES (coalesce(open_round_impl.round_id, nextval('casino.round_id_seq')), open_round_impl.table_id, casino.table_version_at(table_id, opened),
                open_round_impl.round_ref, plan, 'open', opened, open_round_impl.betting_until)
        ON CONFLICT DO NOTHING RETURNING r.round_id INTO id;
        IF FOUND THEN
            RETURN id;
        END IF;
        SELECT r.* INTO before FROM casino.round r
         WHERE r.table_id = open_round_impl.table_id AND r.round_ref = open_round_impl.round_ref;
        IF FOUND THEN
            RETURN casino.require_same_round(before, round_id, betting_until);
        END IF;
        SELECT r.* INTO before FROM casino.round r WHERE r.round_id = open_round_impl.round_id;
        IF FOUND THEN
            RAISE EXCEPTION 'number % is another round''s', round_id
                USING ERRCODE = 'KR002', DETAIL = format('It is round "%s" of table %s.', before.round_ref, before.table_id);
        END IF;
        SELECT r.* INTO before FROM casino.round r
         WHERE r.table_id = open_round_impl.table_id AND r.status IN ('open', 'closed');
        EXIT WHEN FOUND;    -- else it was evaluated meanwhile, or the number drawn was given to another: try again
    END LOOP;
    RAISE EXCEPTION 'table "%" has an unevaluated round', at_table.name
        USING ERRCODE = 'KR002', DETAIL = format('Round %s ("%s") is %s.', before.round_id, before.round_ref, before.status),
              HINT = 'Settle or void it first.';
END
$fn$;
COMMENT ON FUNCTION casino.open_round_impl(bigint, text, timestamptz, bigint, timestamptz) IS 'Body of open_round(), run as the owner of the ledger';

-- A table has one unevaluated round, which is the one it opened last.
CREATE FUNCTION casino.open_rounds_impl(at timestamptz, OUT table_id bigint, OUT table_name text, OUT game text, OUT round_id bigint,
                                  OUT round_ref text, OUT status text, OUT opened_at timestamptz, OUT betting_closed_at timestamptz,
                                  OUT actions_closed_at timestamptz, OUT age interval, OUT players bigint, OUT wagers bigint, OUT staked numeric,
                                  OUT dealt jsonb, OUT dealt_at timestamptz) RETURNS SETOF record
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    moment CONSTANT timestamptz := coalesce(open_rounds_impl.at, clock_timestamp());
BEGIN
    RETURN QUERY
        SELECT t.table_id, t.name, t.game, r.round_id, r.round_ref,
               CASE WHEN r.betting_closed_at <= moment OR r.betting_until <= moment THEN 'closed' ELSE 'open' END, r.opened_at,
               CASE WHEN r.betting_closed_at <= moment THEN r.betting_closed_at END,
               CASE WHEN r.actions_closed_at <= moment THEN r.actions_closed_at END,
               moment - r.opened_at, w.players, w.wagers, w.staked, d.document, d.dealt_at
          FROM casino.game_table t
         CROSS JOIN LATERAL (SELECT o.* FROM casino.round o WHERE o.table_id = t.table_id AND o.opened_at <= moment
                              ORDER BY o.opened_at DESC, o.round_id DESC LIMIT 1) r
         CROSS JOIN LATERAL (SELECT count(DISTINCT s.player_id) AS players, count(*) AS wagers, coalesce(sum(s.amount), 0.00) AS staked
                               FROM casino.ledger s
                              WHERE s.round_id = r.round_id AND s.kind = 'stake' AND s.posted_at <= moment
                                AND NOT EXISTS (SELECT FROM casino.ledger f WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no
                                                   AND f.posted_at <= moment)) w
          LEFT JOIN LATERAL (SELECT c.document, c.dealt_at FROM casino.deal c WHERE c.round_id = r.round_id AND c.dealt_at <= moment
                              ORDER BY c.deal_no DESC LIMIT 1) d ON true
         WHERE r.evaluated_at IS NULL OR r.evaluated_at > moment
         ORDER BY r.opened_at, r.round_id;
END
$fn$;
COMMENT ON FUNCTION casino.open_rounds_impl(timestamptz) IS 'Body of open_rounds(at), run as the owner of the ledger';

CREATE FUNCTION casino.last_deal(round_id bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM FROM casino.round r WHERE r.round_id = last_deal.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', round_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN (SELECT d.document FROM casino.deal d WHERE d.round_id = last_deal.round_id ORDER BY d.deal_no DESC LIMIT 1);
END
$fn$;
COMMENT ON FUNCTION casino.last_deal(bigint) IS 'What lies on the table: the last document that deal() was given, with the button of Texas Hold''em; NULL before the first';

CREATE FUNCTION casino.close_betting(round_id bigint, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_close_betting' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.close_betting(bigint, timestamptz) IS 'Ends betting: no bet is placed or cancelled any more; waits for those being placed. Stakes dated after it go back (reason late), with what cannot stand without them; a NOTICE says how many';

CREATE FUNCTION casino.deal(round_id bigint, partial_outcome jsonb, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_deal' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.deal(bigint, jsonb, timestamptz) IS 'Records the cards that lie on the table so far, all of them each time; in-play wagers are judged by them from then on (KB005)';

CREATE FUNCTION casino.correct_deal(round_id bigint, cards jsonb, reason text, at timestamptz DEFAULT NULL, wagers_stand boolean DEFAULT false) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_correct_deal' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.correct_deal(bigint, jsonb, text, timestamptz, boolean) IS 'Puts right, before the evaluation, cards that deal() was told wrongly; both records stay. Stakes that came after the wrong card was shown go back (reason misdealt), unless wagers_stand, and may be placed again. Returns how many went back';

CREATE FUNCTION casino.close_actions(round_id bigint, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_close_actions' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.close_actions(bigint, timestamptz) IS 'Ends the players'' decisions: no in-play wager is placed any more (KB005)';

CREATE FUNCTION casino.settle_round(round_id bigint, outcome jsonb, at timestamptz DEFAULT NULL,
                                    withhold boolean DEFAULT false, withhold_reason text DEFAULT NULL) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_settle_round' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.settle_round(bigint, jsonb, timestamptz, boolean, text) IS 'Grades every wager of the round and posts the payouts, or withholds them; the same outcome again returns the same settlement. Of a round still open it closes betting, as close_betting() does';

CREATE FUNCTION casino.check_outcome(round_id bigint, outcome jsonb, at timestamptz DEFAULT NULL) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_check_outcome' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.check_outcome(bigint, jsonb, timestamptz) IS 'The settlement that settle_round() would return, or its refusal, with nothing changed. In a cell, where a hub asks before it decides, when nothing can be staked any more, and without the players of other cells';

CREATE FUNCTION casino.void_round(round_id bigint, reason text, at timestamptz DEFAULT NULL) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_void_round' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.void_round(bigint, text, timestamptz) IS 'Returns every stake of the round';
-- The ledger: every movement of money, its trigger, money in and corrections (R12.4).

CREATE FUNCTION casino.install_ledger() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- What has a fixed width comes first: with the wide columns aligned and no text between them an entry is 16 bytes shorter.
    CREATE TABLE casino.ledger (
        player_id      bigint NOT NULL,
        entry_no       bigint NOT NULL,
        round_id       bigint,
        stake_entry_no bigint,
        withdrawal_entry_no bigint,
        correction_no  bigint,
        bet            casino.bet,
        posted_at      timestamptz NOT NULL,
        recorded_at    timestamptz NOT NULL,
        recorded_by    integer NOT NULL,
        seat           integer,
        hand           integer,
        request_line   integer,
        kind           text NOT NULL CHECK (kind IN ('deposit', 'stake', 'payout', 'refund', 'withdrawal',
                                                     'withdrawal_cancelled', 'cash_paid', 'transfer_paid', 'adjustment', 'correction')),
        amount         numeric NOT NULL,
        balance        numeric NOT NULL,
        grade          text,
        request_id     text,
        reason         text,
        method         text,
        account        text,
        reference      text,
        place          text,
        PRIMARY KEY (player_id, entry_no),
        -- one constraint, which looks at what is there: a settlement posts thousands of entries
        CONSTRAINT ledger_text_bounds CHECK (
            (request_id IS NULL OR octet_length(request_id) <= 200) AND (reason IS NULL OR octet_length(reason) <= 1000)
            AND (account IS NULL OR octet_length(account) <= 64) AND (reference IS NULL OR octet_length(reference) <= 200)
            AND (place IS NULL OR octet_length(place) <= 200)),
        CONSTRAINT ledger_method_check CHECK (
            method IS NULL OR method IN ('cash', 'transfer') OR (kind = 'deposit' AND octet_length(method) <= 64))
    );
    CREATE UNIQUE INDEX ledger_request ON casino.ledger (player_id, request_id, request_line) WHERE request_id IS NOT NULL;
    CREATE UNIQUE INDEX ledger_stake_entry_no ON casino.ledger (player_id, stake_entry_no, correction_no) NULLS NOT DISTINCT WHERE stake_entry_no IS NOT NULL;
    CREATE INDEX ledger_round ON casino.ledger (round_id, kind, player_id, entry_no) WHERE kind IN ('stake', 'refund', 'adjustment', 'correction');
    CREATE UNIQUE INDEX ledger_withdrawal ON casino.ledger (player_id, withdrawal_entry_no) WHERE withdrawal_entry_no IS NOT NULL;
    CREATE INDEX ledger_adjustment ON casino.ledger (posted_at) WHERE kind = 'adjustment';
    CREATE INDEX ledger_cash_paid ON casino.ledger (player_id, posted_at) WHERE kind = 'cash_paid';
    COMMENT ON INDEX casino.ledger_withdrawal IS 'A withdrawal is paid or cancelled once';
    COMMENT ON INDEX casino.ledger_adjustment IS 'Finds the corrections of a day';
    COMMENT ON INDEX casino.ledger_cash_paid IS 'Finds the cash of the last 24 hours (D4 §11.2 a)';
    COMMENT ON INDEX casino.ledger_request IS 'A request of a player is posted once';
    COMMENT ON INDEX casino.ledger_stake_entry_no IS 'A stake is paid or returned once, and corrected once by each correction of its round';
    COMMENT ON INDEX casino.ledger_round IS 'Finds the stakes of a round, of one player or of all, in the order of players and entries, and the corrections that name it';
    COMMENT ON TABLE casino.ledger IS 'Append-only: every movement of money, one row an entry';
    COMMENT ON COLUMN casino.ledger.player_id IS 'Player';
    COMMENT ON COLUMN casino.ledger.entry_no IS 'Counts the player''s entries from 1 without gaps';
    COMMENT ON COLUMN casino.ledger.kind IS 'What was posted; accounts in casino.entry_kinds()';
    COMMENT ON COLUMN casino.ledger.amount IS 'CZK, not negative but for adjustments and corrections; 0 for free wagers';
    COMMENT ON COLUMN casino.ledger.round_id IS 'Round of a stake, payout or refund, and of a correction that concerns one';
    COMMENT ON COLUMN casino.ledger.bet IS 'What was staked on';
    COMMENT ON COLUMN casino.ledger.seat IS 'Seat (box) of the wager';
    COMMENT ON COLUMN casino.ledger.hand IS 'Hand of the seat the wager lies on';
    COMMENT ON COLUMN casino.ledger.stake_entry_no IS 'The stake that a payout pays, a refund returns or a correction corrects';
    COMMENT ON COLUMN casino.ledger.correction_no IS 'The correction of its round (casino.round_correction) by which a wager was paid more, or less';
    COMMENT ON COLUMN casino.ledger.grade IS 'How the wager ended, of payouts and corrections';
    COMMENT ON COLUMN casino.ledger.request_id IS 'The client''s key of the request, for safe retries';
    COMMENT ON COLUMN casino.ledger.request_line IS 'Position in a request of several bets, from 1';
    COMMENT ON COLUMN casino.ledger.reason IS 'Reason of an adjustment, correction or refund; the reason of a voided round stands with the round';
    COMMENT ON COLUMN casino.ledger.method IS 'cash or transfer, of withdrawals; of deposits one of casino.payment_method';
    COMMENT ON COLUMN casino.ledger.withdrawal_entry_no IS 'The withdrawal that is paid or cancelled';
    COMMENT ON COLUMN casino.ledger.account IS 'Payment account a transfer went to';
    COMMENT ON COLUMN casino.ledger.reference IS 'Reference of the payment, of deposits and of withdrawals paid';
    COMMENT ON COLUMN casino.ledger.place IS 'Where cash was paid out';
    COMMENT ON COLUMN casino.ledger.balance IS 'CZK in the wallet after the entry';
    COMMENT ON COLUMN casino.ledger.posted_at IS 'When it happened';
    COMMENT ON COLUMN casino.ledger.recorded_at IS 'When it was written';
    COMMENT ON COLUMN casino.ledger.recorded_by IS 'Who recorded it: casino.recorder';

    CREATE TABLE casino.breach (
        player_id   bigint NOT NULL,
        entry_no    bigint NOT NULL,
        rule        text NOT NULL,
        detail      jsonb NOT NULL,
        occurred_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, entry_no, rule)
    );
    COMMENT ON TABLE casino.breach IS 'Append-only: where a declared or legal bound was touched and the event still had to be recorded';
    COMMENT ON COLUMN casino.breach.player_id IS 'Player';
    COMMENT ON COLUMN casino.breach.entry_no IS 'Ledger entry concerned: the stake or the withdrawal';
    COMMENT ON COLUMN casino.breach.rule IS 'declared_win: a profit was capped; insurance_not_offered: an insurance that the cards did not allow was returned; taken_back_late: a stake that lay there at the end of betting was taken back after it, where the end was not known yet; winnings_late: not paid by the 30th day (D4 §11.1); withdrawal_late: not paid by the 60th day (D4 §11.2); no_action: the hand of an absent player was not played by the rule for players who do not act (D4 Infinite §14)';
    COMMENT ON COLUMN casino.breach.detail IS 'The values';
    COMMENT ON COLUMN casino.breach.occurred_at IS 'When it happened; of what is late the first instant that was too late';
    COMMENT ON COLUMN casino.breach.recorded_at IS 'When it was written';

    CREATE TABLE casino.payment_method (
        method      text NOT NULL CHECK (method = lower(casino.canonical_text(method, 'method')) AND octet_length(method) BETWEEN 1 AND 64),
        valid_from  timestamptz NOT NULL,
        is_cash     boolean NOT NULL,
        offered     boolean NOT NULL DEFAULT true,
        meaning     text NOT NULL CHECK (octet_length(meaning) BETWEEN 1 AND 200),
        recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (method, valid_from)
    );
    COMMENT ON TABLE casino.payment_method IS 'Append-only: ways in which money is paid in and out, each with its versions; a deposit by any other is refused';
    COMMENT ON COLUMN casino.payment_method.method IS 'The one spelling: small letters';
    COMMENT ON COLUMN casino.payment_method.valid_from IS 'From when on the row holds, until the next one of the method';
    COMMENT ON COLUMN casino.payment_method.is_cash IS 'Notes and coins: counted by person_day(); what was cash in one row is cash in all';
    COMMENT ON COLUMN casino.payment_method.offered IS 'Deposits by it are taken; false: no more';
    COMMENT ON COLUMN casino.payment_method.meaning IS 'What it is';
    COMMENT ON COLUMN casino.payment_method.recorded_at IS 'When it was written';
    INSERT INTO casino.payment_method (method, valid_from, is_cash, meaning)
    VALUES ('cash', '-infinity', true, 'notes and coins'), ('transfer', '-infinity', false, 'a transfer from or to a payment account'),
           ('bank', '-infinity', false, 'a payment through a bank, of another kind'), ('card', '-infinity', false, 'a payment card'),
           ('wallet', '-infinity', false, 'an electronic wallet'), ('voucher', '-infinity', false, 'a voucher that was bought');
    PERFORM casino.make_append_only('payment_method');
    PERFORM casino.make_recorded('payment_method', loaded => true);

    CREATE TRIGGER ledger_post BEFORE INSERT ON casino.ledger
        FOR EACH ROW EXECUTE FUNCTION casino.ledger_post();
    COMMENT ON TRIGGER ledger_post ON casino.ledger IS 'Checks, numbers and books every entry';
    PERFORM casino.make_append_only('ledger', 'breach');
    PERFORM casino.make_recorded('breach');
END
$fn$;
COMMENT ON FUNCTION casino.install_ledger() IS 'Part of casino.install(): ledger, breaches';

CREATE FUNCTION casino.install_ledger_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.statement AS
        SELECT l.player_id, l.entry_no, l.posted_at, l.kind, l.round_id, l.bet, l.grade, l.amount,
               l.amount * k.wallet_sign AS change,
               l.balance, l.reason, l.recorded_at, w.role, w.actor,
               CASE WHEN l.kind = 'stake' THEN EXISTS (SELECT FROM casino.automatic_completion a
                                                        WHERE a.player_id = l.player_id AND a.round_id = l.round_id AND a.automatic) END AS automatic
          FROM casino.ledger l
          JOIN casino.entry_kinds() k ON k.kind = l.kind
          LEFT JOIN casino.recorder w ON w.recorder_id = l.recorded_by;
    COMMENT ON VIEW casino.statement IS 'A player''s entries with the balance after each';
    COMMENT ON COLUMN casino.statement.change IS 'CZK by which the entry changed the wallet';
    COMMENT ON COLUMN casino.statement.automatic IS 'Of a stake: the player was disconnected, and the game was finished without him (D4 §9.3)';

    CREATE VIEW casino.trial_balance AS
        SELECT a.account, sum(a.debit) AS debit, sum(a.credit) AS credit, sum(a.debit - a.credit) AS balance
          FROM (SELECT k.kind, sum(l.amount) AS amount, k.debit_account, k.credit_account
                  FROM casino.ledger l
                  JOIN casino.entry_kinds() k ON k.kind = l.kind
                 GROUP BY k.kind, k.debit_account, k.credit_account) t
         CROSS JOIN LATERAL (VALUES (t.debit_account, t.amount, 0.00), (t.credit_account, 0.00, t.amount))
                            AS a (account, debit, credit)
         GROUP BY a.account;
    COMMENT ON VIEW casino.trial_balance IS 'Debits, credits and balance of every account; the balances sum to zero';
    COMMENT ON COLUMN casino.trial_balance.account IS 'Account, see casino.entry_kinds()';
    COMMENT ON COLUMN casino.trial_balance.debit IS 'CZK debited';
    COMMENT ON COLUMN casino.trial_balance.credit IS 'CZK credited';
END
$fn$;
COMMENT ON FUNCTION casino.install_ledger_views() IS 'Part of casino.install(): statements, trial balance';

CREATE FUNCTION casino.entry_kinds(OUT kind text, OUT debit_account text, OUT credit_account text,
                                   OUT wallet_sign integer, OUT meaning text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_entry_kinds' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
COMMENT ON FUNCTION casino.entry_kinds() IS 'Kinds of ledger entries with the accounts a positive amount is debited and credited to, and its sign in the wallet';

CREATE FUNCTION casino.ledger_post() RETURNS trigger
    AS 'MODULE_PATHNAME', 'casino_sql_ledger_post' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.ledger_post() IS 'Trigger of casino.ledger: checks, numbers and books every entry';

CREATE FUNCTION casino.store_in_use() RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_store_in_use' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.store_in_use() IS 'Are the ledger and the players read and written beside the executor; false where something was added to them that an INSERT or UPDATE must honour, above READ COMMITTED, and with casino.store = off';

CREATE FUNCTION casino.deposit(player_id bigint, amount numeric, request_id text DEFAULT NULL,
                               at timestamptz DEFAULT NULL, method text DEFAULT NULL, reference text DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_deposit' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.deposit(bigint, numeric, text, timestamptz, text, text) IS 'Money in, by a method (casino.payment_method) and under a reference; returns the entry number, the same again for the same request';

CREATE FUNCTION casino.adjust(player_id bigint, amount numeric, reason text, request_id text DEFAULT NULL,
                              at timestamptz DEFAULT NULL, round_id bigint DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_adjust' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.adjust(bigint, numeric, text, text, timestamptz, bigint) IS 'A correction with its reason, and the round it concerns if there is one; a negative amount takes. Returns the entry number';
-- Wagers: placing and cancelling them, and what became of each.

CREATE FUNCTION casino.install_wagers() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.cancelled_request (
        player_id    bigint NOT NULL,
        request_id   text NOT NULL CHECK (octet_length(request_id) <= 200),
        round_id     bigint NOT NULL,
        cancelled_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, request_id)
    );
    COMMENT ON TABLE casino.cancelled_request IS 'Requests cancelled before they arrived: they are refused when they do';
    COMMENT ON COLUMN casino.cancelled_request.player_id IS 'Player';
    COMMENT ON COLUMN casino.cancelled_request.request_id IS 'The client''s key of the request';
    COMMENT ON COLUMN casino.cancelled_request.round_id IS 'Round it was meant for';
    COMMENT ON COLUMN casino.cancelled_request.cancelled_at IS 'When it was cancelled';

    PERFORM casino.make_append_only('cancelled_request');
    PERFORM casino.make_recorded('cancelled_request');
END
$fn$;
COMMENT ON FUNCTION casino.install_wagers() IS 'Part of casino.install(): cancelled requests';

CREATE FUNCTION casino.install_wager_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.wager AS
        SELECT s.player_id, s.entry_no, s.round_id, r.table_id, s.bet, casino.kind(s.bet) AS kind, s.seat, s.hand,
               s.amount AS staked, s.request_id, s.posted_at,
               CASE WHEN p.kind = 'refund' THEN 'refunded'
                    WHEN r.status IN ('open', 'closed') THEN 'open'
                    -- another result was found: the last one counts
                    WHEN c.round_id IS NOT NULL AND r.status = 'voided' THEN 'refunded'
                    WHEN p.entry_no IS NULL AND e.payout > 0 AND NOT coalesce(c.paid, false) THEN 'withheld'
                    -- a free wager that is pushed gets nothing and has lost nothing
                    WHEN p.entry_no IS NULL AND NOT coalesce(c.paid, false) THEN CASE e.grade WHEN 'push' THEN 'pushed' ELSE 'lost' END
                    WHEN coalesce(e.payout, p.amount) > s.amount THEN 'won'
                    WHEN coalesce(e.payout, p.amount) < s.amount THEN 'lost'
                    WHEN s.amount = 0 AND e.grade = 'lose' THEN 'lost'
                    -- no profit, be it that its share of the position's is less than half a haléř (R2.4): the odds say what it was
                    ELSE coalesce((SELECT CASE WHEN t.num > 0 THEN 'won' WHEN t.num < 0 THEN 'lost' END
                                     FROM casino.paytable t
                                    WHERE t.plan_id = r.plan_id AND t.kind = casino.kind(s.bet) AND t.grade = coalesce(e.grade, p.grade)), 'pushed')
               END AS status,
               CASE WHEN p.kind = 'refund' OR r.status NOT IN ('settled', 'withheld') THEN NULL
                    WHEN c.round_id IS NULL AND p.kind = 'payout' THEN p.grade
                    ELSE coalesce(e.grade, 'lose')
               END AS grade,
               CASE WHEN p.kind = 'refund' OR r.status IN ('open', 'closed') THEN NULL
                    WHEN p.kind = 'payout' OR c.paid THEN coalesce(p.amount, 0.00) + coalesce(x.corrected, 0.00)
                    WHEN r.status IN ('settled', 'withheld') THEN coalesce(e.payout, 0.00)
               END AS payout,
               x.corrected,
               p.entry_no AS paid_entry_no, r.evaluated_at
          FROM casino.ledger s
          JOIN casino.round r ON r.round_id = s.round_id
          LEFT JOIN casino.ledger p ON p.player_id = s.player_id AND p.stake_entry_no = s.entry_no AND p.correction_no IS NULL
          LEFT JOIN casino.withholding h ON h.player_id = s.player_id AND h.round_id = s.round_id
          -- of rounds whose result was corrected: was the wager settled with its player, so that corrections were posted for it
          LEFT JOIN LATERAL (SELECT d.round_id,
                                    CASE r.status WHEN 'withheld' THEN coalesce(n.how = 'paid', false) ELSE h.round_id IS NULL OR coalesce(n.how = 'paid', false) END AS paid
                               FROM casino.correction_decision d
                               LEFT JOIN casino.withholding_end n ON n.player_id = s.player_id AND n.round_id = s.round_id
                              WHERE d.round_id = s.round_id AND d.version IS NOT NULL
                              LIMIT 1) c ON true
          LEFT JOIN LATERAL (SELECT sum(l.amount) AS corrected FROM casino.ledger l
                              WHERE c.round_id IS NOT NULL AND l.player_id = s.player_id AND l.stake_entry_no = s.entry_no AND l.correction_no IS NOT NULL) x ON true
          LEFT JOIN LATERAL casino.evaluated_wager(CASE WHEN c.round_id IS NOT NULL AND r.status <> 'voided'
                                                        OR p.entry_no IS NULL AND (r.status = 'withheld' OR (r.status = 'settled' AND (s.amount = 0 OR h.round_id IS NOT NULL)))
                                                        THEN r.round_id END,
                                                   s.player_id, s.entry_no) e ON true
         WHERE s.kind = 'stake';
    COMMENT ON VIEW casino.wager IS 'Every stake with what became of it: open, won, pushed, lost, refunded or withheld. A chip whose share of the profit of its position is 0.00 has won all the same';
    COMMENT ON COLUMN casino.wager.payout IS 'CZK paid, with corrections, or withheld; 0 when lost, NULL while open and when refunded before the evaluation';
    COMMENT ON COLUMN casino.wager.corrected IS 'CZK of it that corrections of the result have added, or taken (negative); NULL: none';
    COMMENT ON COLUMN casino.wager.paid_entry_no IS 'Entry that paid or returned it';
END
$fn$;
COMMENT ON FUNCTION casino.install_wager_views() IS 'Part of casino.install(): wagers';

CREATE FUNCTION casino.place_bets(round_id bigint, player_id bigint, bets casino.bet[], request_id text DEFAULT NULL,
                                  seat integer DEFAULT NULL, hand integer DEFAULT NULL,
                                  at timestamptz DEFAULT NULL) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_place_bets' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.place_bets(bigint, bigint, casino.bet[], text, integer, integer, timestamptz) IS 'Places all bets or none and returns their entry numbers in order; the same request again returns the same numbers';

CREATE FUNCTION casino.place_bets_balance(round_id bigint, player_id bigint, bets casino.bet[], request_id text DEFAULT NULL,
                                          seat integer DEFAULT NULL, hand integer DEFAULT NULL, at timestamptz DEFAULT NULL,
                                          OUT entry_nos bigint[], OUT balance numeric) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_place_bets_balance' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.place_bets_balance(bigint, bigint, casino.bet[], text, integer, integer, timestamptz) IS 'place_bets() that also returns the wallet in CZK after the last of its entries; the same request again returns the same, as it was then';

CREATE FUNCTION casino.lock_box(round_id bigint, seat integer) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_lock_box' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.lock_box(bigint, integer) IS 'Part of place_many(): the lock of a seat of a round, until the transaction ends';

CREATE FUNCTION casino.place_bet(round_id bigint, player_id bigint, bet casino.bet, request_id text DEFAULT NULL,
                                 seat integer DEFAULT NULL, hand integer DEFAULT NULL,
                                 at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_place_bet' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.place_bet(bigint, bigint, casino.bet, text, integer, integer, timestamptz) IS 'Places one bet and returns its entry number; the same request again returns the same number';

CREATE FUNCTION casino.cancel_bet(round_id bigint, player_id bigint, request_id text,
                                  at timestamptz DEFAULT NULL) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_cancel_bet' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.cancel_bet(bigint, bigint, text, timestamptz) IS 'Returns the stakes of a request before betting closes, with those that cannot stand without them, and gives the refunds'' entry numbers; a request that has not arrived is refused when it does';
-- Boxes whose owner is absent: who decides in his place (D3 §1).

CREATE FUNCTION casino.install_boxes() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.box_handover (
        round_id     bigint NOT NULL,
        seat         integer NOT NULL CHECK (seat > 0),
        handover_no  integer NOT NULL CHECK (handover_no > 0),
        owner        bigint NOT NULL,
        former_owner bigint NOT NULL CHECK (former_owner <> owner),
        handed_at    timestamptz NOT NULL,
        recorded_at  timestamptz NOT NULL,
        PRIMARY KEY (round_id, seat, handover_no)
    );
    COMMENT ON TABLE casino.box_handover IS 'Append-only: boxes handed over to another player who decides for the absent owner. The last one counts whose player has a main bet on the box; without any, who staked first owns it';
    COMMENT ON COLUMN casino.box_handover.round_id IS 'Round';
    COMMENT ON COLUMN casino.box_handover.seat IS 'Seat (box)';
    COMMENT ON COLUMN casino.box_handover.handover_no IS 'Counts the handovers of the box from 1';
    COMMENT ON COLUMN casino.box_handover.owner IS 'Player who decides on the box from then on';
    COMMENT ON COLUMN casino.box_handover.former_owner IS 'Player who decided before';
    COMMENT ON COLUMN casino.box_handover.handed_at IS 'When it happened';
    COMMENT ON COLUMN casino.box_handover.recorded_at IS 'When it was written';

    PERFORM casino.make_append_only('box_handover');
    PERFORM casino.make_recorded('box_handover');
END
$fn$;
COMMENT ON FUNCTION casino.install_boxes() IS 'Part of casino.install(): boxes handed over';

CREATE FUNCTION casino.hand_over_box(round_id bigint, seat integer, player_id bigint, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_hand_over_box' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.hand_over_box(bigint, integer, bigint, timestamptz) IS 'Lets the second player on a box decide from now on because its owner is absent (D3 §1), or the owner again when he is back. Who takes over must have followed what was decided before. The same again changes nothing';
-- Disconnections: who lost the connection, and what was played without him (D4 §9.3, R7.13).

CREATE FUNCTION casino.install_disconnection() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.disconnection (
        player_id       bigint NOT NULL,
        round_id        bigint NOT NULL,
        disconnected_at timestamptz NOT NULL,
        recorded_at     timestamptz NOT NULL,
        PRIMARY KEY (player_id, round_id, disconnected_at)
    );
    CREATE INDEX disconnection_round ON casino.disconnection (round_id);
    COMMENT ON INDEX casino.disconnection_round IS 'Finds the disconnections of a round';
    COMMENT ON TABLE casino.disconnection IS 'Append-only: players who were disconnected from a round after its betting had closed; before, the refunds show it';
    COMMENT ON COLUMN casino.disconnection.player_id IS 'Player';
    COMMENT ON COLUMN casino.disconnection.round_id IS 'Round he takes part in';
    COMMENT ON COLUMN casino.disconnection.disconnected_at IS 'Time of the event';
    COMMENT ON COLUMN casino.disconnection.recorded_at IS 'When it was written';

    PERFORM casino.make_append_only('disconnection');
    PERFORM casino.make_recorded('disconnection');
END
$fn$;
COMMENT ON FUNCTION casino.install_disconnection() IS 'Part of casino.install(): disconnections';

CREATE FUNCTION casino.install_disconnection_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- who has not staked again since then has decided nothing since then: what the cards show beyond "seen" was played by the rule
    CREATE VIEW casino.automatic_completion AS
        SELECT d.player_id, d.round_id, d.disconnected_at, b.returned_at, b.returned_at IS NULL AS automatic,
               (SELECT p.value FROM casino.plan_rule p WHERE p.plan_id = r.plan_id AND p.rule = 'no_action') AS no_action,
               (SELECT c.document FROM casino.deal c WHERE c.round_id = d.round_id AND c.dealt_at <= d.disconnected_at
                 ORDER BY c.deal_no DESC LIMIT 1) AS seen,
               r.evaluated_at
          FROM casino.disconnection d
          JOIN casino.round r ON r.round_id = d.round_id
         CROSS JOIN LATERAL (SELECT min(s.posted_at) AS returned_at FROM casino.ledger s
                              WHERE s.round_id = d.round_id AND s.kind = 'stake' AND s.player_id = d.player_id
                                AND s.posted_at > d.disconnected_at) b;
    COMMENT ON VIEW casino.automatic_completion IS 'Games that a disconnected player did not play to their end himself, for his history (D4 §9.3)';
    COMMENT ON COLUMN casino.automatic_completion.returned_at IS 'His next own wager of the round: he was back';
    COMMENT ON COLUMN casino.automatic_completion.automatic IS 'He did not come back: all decisions since the disconnection were made by the rule for players who do not act';
    COMMENT ON COLUMN casino.automatic_completion.no_action IS 'That rule of the plan the round is played under; NULL: the game asks for no decisions';
    COMMENT ON COLUMN casino.automatic_completion.seen IS 'Cards on the table when he was disconnected, as deal() was given them; NULL: none were reported';
END
$fn$;
COMMENT ON FUNCTION casino.install_disconnection_views() IS 'Part of casino.install(): games completed automatically';

CREATE FUNCTION casino.disconnect(round_id bigint, player_id bigint, at timestamptz DEFAULT NULL) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_disconnect' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.disconnect(bigint, bigint, timestamptz) IS 'Returns a player''s stakes while betting is open; afterwards they stay and casino.disconnection records it (D4 §9.3 and the games'' paragraphs on disconnection). Gives the refunds'' entry numbers';
-- Requests that return a refusal as a row and keep it, instead of failing: bets, deposits, withdrawals asked for and paid.

CREATE FUNCTION casino.install_refusals() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.refusal (
        player_id   bigint NOT NULL,
        refusal_no  bigint NOT NULL,
        action      text NOT NULL CHECK (action IN ('place_bets', 'deposit', 'request_withdrawal', 'pay_withdrawal')),
        round_id    bigint,
        bets        casino.bet[],
        seat        integer,
        hand        integer,
        amount      numeric,
        method      text CHECK (octet_length(method) <= 64),
        withdrawal_id bigint,
        request_id  text CHECK (octet_length(request_id) <= 200),
        code        text NOT NULL,
        message     text NOT NULL,
        detail      text,
        refused_at  timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, refusal_no),
        CHECK (action <> 'place_bets' OR (round_id IS NOT NULL AND bets IS NOT NULL))
    );
    COMMENT ON TABLE casino.refusal IS 'Append-only: what try_place_bets(), try_deposit(), try_request_withdrawal() and try_pay_withdrawal() refused';
    COMMENT ON COLUMN casino.refusal.player_id IS 'Player';
    COMMENT ON COLUMN casino.refusal.refusal_no IS 'Counts the player''s refusals from 1';
    COMMENT ON COLUMN casino.refusal.action IS 'What was asked for';
    COMMENT ON COLUMN casino.refusal.round_id IS 'Round, of bets';
    COMMENT ON COLUMN casino.refusal.bets IS 'What he wanted to stake';
    COMMENT ON COLUMN casino.refusal.amount IS 'CZK to be deposited or paid';
    COMMENT ON COLUMN casino.refusal.method IS 'How, of deposits and withdrawals';
    COMMENT ON COLUMN casino.refusal.withdrawal_id IS 'Withdrawal that was to be paid';
    COMMENT ON COLUMN casino.refusal.seat IS 'Seat (box)';
    COMMENT ON COLUMN casino.refusal.hand IS 'Hand of the seat';
    COMMENT ON COLUMN casino.refusal.request_id IS 'The client''s key of the request';
    COMMENT ON COLUMN casino.refusal.code IS 'SQLSTATE of the refusal';
    COMMENT ON COLUMN casino.refusal.message IS 'Why';
    COMMENT ON COLUMN casino.refusal.detail IS 'The values';
    COMMENT ON COLUMN casino.refusal.refused_at IS 'Time of the event';
    COMMENT ON COLUMN casino.refusal.recorded_at IS 'When it was written';

    PERFORM casino.make_append_only('refusal');
    PERFORM casino.make_recorded('refusal');
END
$fn$;
COMMENT ON FUNCTION casino.install_refusals() IS 'Part of casino.install(): refusals';

CREATE FUNCTION casino.next_refusal_no(player_id bigint) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_next_refusal_no' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.next_refusal_no(bigint) IS 'Part of try_place_bets(): number of the player''s next refusal';

CREATE FUNCTION casino.is_refusal(code text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN code LIKE 'K%';
COMMENT ON FUNCTION casino.is_refusal(text) IS 'Part of try_place_bets() and its like: an SQLSTATE of a rule; anything else is an error like any other';

CREATE FUNCTION casino.record_refusal(player_id bigint, action text, at timestamptz, code text, message text, detail text,
                                      round_id bigint DEFAULT NULL, bets casino.bet[] DEFAULT NULL, seat integer DEFAULT NULL,
                                      hand integer DEFAULT NULL, request_id text DEFAULT NULL, amount numeric DEFAULT NULL,
                                      method text DEFAULT NULL, withdrawal_id bigint DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    refused timestamptz;
BEGIN
    PERFORM casino.lock_player(player_id);
    BEGIN
        refused := casino.event_time(at);
    EXCEPTION WHEN SQLSTATE 'KL005' THEN
        -- a time that no event may have is none of a record either (R12.10)
        refused := clock_timestamp();
    END;
    INSERT INTO casino.refusal AS f (player_id, refusal_no, action, round_id, bets, seat, hand, amount, method, withdrawal_id, request_id,
                                     code, message, detail, refused_at, recorded_at)
    VALUES (player_id, casino.next_refusal_no(player_id), action, round_id, bets, seat, hand, amount, method, withdrawal_id, request_id,
            code, message, detail, refused, clock_timestamp());
END
$fn$;
COMMENT ON FUNCTION casino.record_refusal(bigint, text, timestamptz, text, text, text, bigint, casino.bet[], integer, integer, text, numeric, text, bigint) IS 'Part of try_place_bets(), try_deposit(), try_request_withdrawal() and try_pay_withdrawal(): keeps a refusal';

CREATE FUNCTION casino.try_place_bets(round_id bigint, player_id bigint, bets casino.bet[], request_id text DEFAULT NULL,
                                      seat integer DEFAULT NULL, hand integer DEFAULT NULL,
                                      at timestamptz DEFAULT NULL, OUT accepted boolean, OUT entry_nos bigint[],
                                      OUT code text, OUT message text, OUT detail text) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.try_place_bets(bigint, bigint, casino.bet[], text, integer, integer, timestamptz) IS 'place_bets() that returns a refusal as a row, and records it in casino.refusal, instead of failing';

CREATE FUNCTION casino.try_place_bets_impl(round_id bigint, player_id bigint, bets casino.bet[], request_id text,
    seat integer, hand integer,
    at timestamptz, OUT accepted boolean, OUT entry_nos bigint[],
    OUT code text, OUT message text, OUT detail text) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    BEGIN
        entry_nos := casino.place_bets(round_id, player_id, bets, request_id, seat, hand, at);
        accepted := true;
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF NOT casino.is_refusal(SQLSTATE) THEN
            RAISE;
        END IF;
        GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
    END;
    accepted := false;
    PERFORM casino.record_refusal(player_id, 'place_bets', at, code, message, detail, round_id, bets, seat, hand, request_id);
END
$fn$;
COMMENT ON FUNCTION casino.try_place_bets_impl(bigint, bigint, casino.bet[], text, integer, integer, timestamptz) IS 'Body of try_place_bets(), run as the owner of the ledger';

CREATE FUNCTION casino.try_deposit(player_id bigint, amount numeric, request_id text DEFAULT NULL, at timestamptz DEFAULT NULL,
                                   method text DEFAULT NULL, reference text DEFAULT NULL, OUT accepted boolean, OUT entry_no bigint,
                                   OUT code text, OUT message text, OUT detail text) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.try_deposit(bigint, numeric, text, timestamptz, text, text) IS 'deposit() that returns a refusal as a row, and records it in casino.refusal, instead of failing';

CREATE FUNCTION casino.try_deposit_impl(player_id bigint, amount numeric, request_id text, at timestamptz,
    method text, reference text, OUT accepted boolean, OUT entry_no bigint,
    OUT code text, OUT message text, OUT detail text) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    BEGIN
        entry_no := casino.deposit(player_id, amount, request_id, at, method, reference);
        accepted := true;
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF NOT casino.is_refusal(SQLSTATE) THEN
            RAISE;
        END IF;
        GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
    END;
    accepted := false;
    PERFORM casino.record_refusal(player_id, 'deposit', at, code, message, detail, request_id => request_id, amount => amount, method => method);
END
$fn$;
COMMENT ON FUNCTION casino.try_deposit_impl(bigint, numeric, text, timestamptz, text, text) IS 'Body of try_deposit(), run as the owner of the ledger';

CREATE FUNCTION casino.try_request_withdrawal(player_id bigint, amount numeric, method text, request_id text DEFAULT NULL,
                                              at timestamptz DEFAULT NULL, OUT accepted boolean, OUT withdrawal_id bigint,
                                              OUT code text, OUT message text, OUT detail text) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.try_request_withdrawal(bigint, numeric, text, text, timestamptz) IS 'request_withdrawal() that returns a refusal as a row, and records it in casino.refusal, instead of failing';

CREATE FUNCTION casino.try_request_withdrawal_impl(player_id bigint, amount numeric, method text, request_id text,
    at timestamptz, OUT accepted boolean, OUT withdrawal_id bigint,
    OUT code text, OUT message text, OUT detail text) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    BEGIN
        withdrawal_id := casino.request_withdrawal(player_id, amount, method, request_id, at);
        accepted := true;
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF NOT casino.is_refusal(SQLSTATE) THEN
            RAISE;
        END IF;
        GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
    END;
    accepted := false;
    PERFORM casino.record_refusal(player_id, 'request_withdrawal', at, code, message, detail, request_id => request_id, amount => amount,
                                  method => method);
END
$fn$;
COMMENT ON FUNCTION casino.try_request_withdrawal_impl(bigint, numeric, text, text, timestamptz) IS 'Body of try_request_withdrawal(), run as the owner of the ledger';

CREATE FUNCTION casino.try_pay_withdrawal(id bigint, at timestamptz DEFAULT NULL, reference text DEFAULT NULL, place text DEFAULT NULL,
                                          OUT accepted boolean, OUT entry_no bigint, OUT code text, OUT message text,
                                          OUT detail text) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.try_pay_withdrawal(bigint, timestamptz, text, text) IS 'pay_withdrawal() that returns a refusal as a row, and records it in casino.refusal, instead of failing';

CREATE FUNCTION casino.try_pay_withdrawal_impl(id bigint, at timestamptz, reference text, place text,
    OUT accepted boolean, OUT entry_no bigint, OUT code text, OUT message text,
    OUT detail text) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    asked casino.ledger;
BEGIN
    BEGIN
        entry_no := casino.pay_withdrawal(id, at, reference, place);
        accepted := true;
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF NOT casino.is_refusal(SQLSTATE) THEN
            RAISE;
        END IF;
        GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
    END;
    accepted := false;
    SELECT l.* INTO asked FROM casino.ledger l WHERE l.player_id = id / 1000000000 AND l.entry_no = id % 1000000000;
    PERFORM casino.record_refusal(asked.player_id, 'pay_withdrawal', at, code, message, detail, amount => asked.amount, method => asked.method,
                                  withdrawal_id => id);
END
$fn$;
COMMENT ON FUNCTION casino.try_pay_withdrawal_impl(bigint, timestamptz, text, text) IS 'Body of try_pay_withdrawal(), run as the owner of the ledger';
-- Bets of several players in one call: one way to the server and one commit for a table's chips, where each player's request is
-- placed or refused as try_place_bets() would place or refuse it (R11.20); sent again, each is answered for itself (R11.21).

CREATE TYPE casino.placed AS (
    player_id  bigint,
    request_id text,
    seat       integer,
    hand       integer,
    accepted   boolean,
    entry_nos  bigint[],
    balance    numeric,
    code       text,
    message    text,
    detail     text
);
COMMENT ON TYPE casino.placed IS 'Answer of place_many() to one request: accepted with entry numbers and the wallet after them, or refused with code, message and detail';

CREATE FUNCTION casino.place_many(round_id bigint, player_ids bigint[], bets casino.bet[], request_ids text[] DEFAULT NULL,
                                  seats integer[] DEFAULT NULL, hands integer[] DEFAULT NULL, at timestamptz DEFAULT NULL)
RETURNS SETOF casino.placed
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.place_many(bigint, bigint[], casino.bet[], text[], integer[], integer[], timestamptz) IS 'Places bets of several players: element n of each array belongs to bet n. What agrees in player, request_id, seat and hand is one request, placed as a whole or refused, which is then recorded in casino.refusal; the others stand. One row a request, in the order in which they first appear';

CREATE FUNCTION casino.placed_request(round_id bigint, request casino.placed, bets casino.bet[], at timestamptz) RETURNS casino.placed
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    SELECT p.entry_nos, p.balance INTO request.entry_nos, request.balance
      FROM casino.place_bets_balance(round_id, request.player_id, bets, request.request_id, request.seat, request.hand, at) p;
    request.accepted := true;
    RETURN request;
END
$fn$;
COMMENT ON FUNCTION casino.placed_request(bigint, casino.placed, casino.bet[], timestamptz) IS 'Part of place_many(): one request, placed';

CREATE FUNCTION casino.placed_or_refused(round_id bigint, request casino.placed, bets casino.bet[], at timestamptz) RETURNS casino.placed
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    BEGIN
        RETURN casino.placed_request(round_id, request, bets, at);
    EXCEPTION WHEN OTHERS THEN
        -- a refusal by rule; anything else is an error like any other
        IF SQLSTATE NOT LIKE 'K%' THEN
            RAISE;
        END IF;
        GET STACKED DIAGNOSTICS request.code = RETURNED_SQLSTATE, request.message = MESSAGE_TEXT, request.detail = PG_EXCEPTION_DETAIL;
    END;
    request.accepted := false;
    PERFORM casino.record_refusal(request.player_id, 'place_bets', at, request.code, request.message, request.detail, round_id, bets,
                                  request.seat, request.hand, request.request_id);
    RETURN request;
END
$fn$;
COMMENT ON FUNCTION casino.placed_or_refused(bigint, casino.placed, casino.bet[], timestamptz) IS 'Part of place_many(): one request, placed, or refused with a row of casino.refusal';

CREATE FUNCTION casino.requests_of(player_ids bigint[], bets casino.bet[], request_ids text[], seats integer[], hands integer[])
RETURNS TABLE (request casino.placed, request_bets casino.bet[])
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT (u.player_id, u.request_id, u.seat, u.hand, NULL, NULL, NULL, NULL, NULL, NULL)::casino.placed, array_agg(u.bet ORDER BY u.n)
      FROM unnest(player_ids, bets, request_ids, seats, hands) WITH ORDINALITY u (player_id, bet, request_id, seat, hand, n)
     GROUP BY u.player_id, u.request_id, u.seat, u.hand
     ORDER BY min(u.n)
$fn$;
COMMENT ON FUNCTION casino.requests_of(bigint[], casino.bet[], text[], integer[], integer[]) IS 'Part of place_many(): the requests with their bets, in the order in which they first appear';

-- The order of locks of the whole ledger, round, boxes, players, their counters, each ascending, and all before the first request is judged
CREATE FUNCTION casino.lock_many(round_id bigint, player_ids bigint[], seats integer[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM casino.await_round(round_id);
    PERFORM casino.lock_box(round_id, b.seat) FROM (SELECT DISTINCT u.seat FROM unnest(seats) u (seat) ORDER BY u.seat) b;
    PERFORM FROM casino.player p WHERE p.player_id = ANY (player_ids) ORDER BY p.player_id FOR NO KEY UPDATE;
    PERFORM FROM casino.limit_state s WHERE s.player_id = ANY (player_ids) ORDER BY s.player_id FOR NO KEY UPDATE;
END
$fn$;
COMMENT ON FUNCTION casino.lock_many(bigint, bigint[], integer[]) IS 'Part of place_many(): the locks of all its stakes';

CREATE FUNCTION casino.check_many(round_id bigint, player_ids bigint[], bets casino.bet[], request_ids text[], seats integer[], hands integer[]) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    n CONSTANT integer := cardinality(bets);
BEGIN
    IF round_id IS NULL OR player_ids IS NULL OR bets IS NULL THEN
        RAISE EXCEPTION 'round_id, player_ids and bets must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF n NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'a call must have 1 to 10000 bets, not %', n USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF n <> cardinality(player_ids) OR n <> cardinality(request_ids) OR n <> cardinality(seats) OR n <> cardinality(hands) THEN
        RAISE EXCEPTION 'the arrays differ in length'
            USING ERRCODE = 'array_subscript_error', DETAIL = format('There are %s bets.', n),
                  HINT = 'Element n of each array belongs to bet n.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.check_many(bigint, bigint[], casino.bet[], text[], integer[], integer[]) IS 'Part of place_many(): 22004, 22023 or 2202E for arguments that no request could have';

CREATE FUNCTION casino.place_many_impl(round_id bigint, player_ids bigint[], bets casino.bet[], request_ids text[], seats integer[],
                                           hands integer[], at timestamptz) RETURNS SETOF casino.placed
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    answers casino.placed[] := '{}';
BEGIN
    PERFORM casino.check_many(round_id, player_ids, bets, request_ids, seats, hands);
    BEGIN
        -- nearly always nobody is refused: one subtransaction for all of them
        PERFORM casino.lock_many(round_id, player_ids, seats);
        SELECT array_agg(casino.placed_request(place_many_impl.round_id, r.request, r.request_bets, place_many_impl.at)) INTO answers
          FROM casino.requests_of(player_ids, bets, request_ids, seats, hands) r;
    EXCEPTION WHEN OTHERS THEN
        IF SQLSTATE NOT LIKE 'K%' THEN
            RAISE;
        END IF;
        answers := NULL;
    END;
    IF answers IS NULL THEN
        PERFORM casino.lock_many(round_id, player_ids, seats);
        SELECT array_agg(casino.placed_or_refused(place_many_impl.round_id, r.request, r.request_bets, place_many_impl.at)) INTO answers
          FROM casino.requests_of(player_ids, bets, request_ids, seats, hands) r;
    END IF;
    RETURN QUERY SELECT a.* FROM unnest(answers) a;
END
$fn$;
COMMENT ON FUNCTION casino.place_many_impl(bigint, bigint[], casino.bet[], text[], integer[], integer[], timestamptz) IS 'Body of place_many(), run as the owner of the ledger';
-- Exclusions: by the player, the register or the operator, and their end by a decision (D4 §6.2, R7.15, R7.17).

CREATE FUNCTION casino.install_exclusions() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.exclusion (
        player_id      bigint NOT NULL,
        exclusion_no   integer NOT NULL,
        source         text NOT NULL CHECK (source IN ('self', 'register', 'panic_button', 'operator')),
        excluded_from  timestamptz NOT NULL,
        excluded_until timestamptz NOT NULL CHECK (excluded_until > excluded_from),
        recorded_at    timestamptz NOT NULL,
        PRIMARY KEY (player_id, exclusion_no)
    );
    COMMENT ON TABLE casino.exclusion IS 'Append-only: periods in which a player may neither stake nor deposit (D4 §6.2)';
    COMMENT ON COLUMN casino.exclusion.player_id IS 'Player';
    COMMENT ON COLUMN casino.exclusion.exclusion_no IS 'Counts the player''s exclusions from 1';
    COMMENT ON COLUMN casino.exclusion.source IS 'Who asked for it: self, the register of excluded persons, the panic button (48 hours), the operator';
    COMMENT ON COLUMN casino.exclusion.excluded_from IS 'Start';
    COMMENT ON COLUMN casino.exclusion.excluded_until IS 'End, exclusive; infinity: no end';
    COMMENT ON COLUMN casino.exclusion.recorded_at IS 'When it was written';

    CREATE TABLE casino.exclusion_end (
        player_id    bigint NOT NULL,
        exclusion_no integer NOT NULL,
        reason       text NOT NULL CHECK (btrim(reason, E' \t\r\n') <> '' AND octet_length(reason) <= 1000),
        ended_at     timestamptz NOT NULL,
        recorded_at  timestamptz NOT NULL,
        PRIMARY KEY (player_id, exclusion_no)
    );
    COMMENT ON TABLE casino.exclusion_end IS 'Append-only: exclusions of the register or the operator that were ended by a decision before their time';
    COMMENT ON COLUMN casino.exclusion_end.player_id IS 'Player';
    COMMENT ON COLUMN casino.exclusion_end.exclusion_no IS 'Which of his exclusions';
    COMMENT ON COLUMN casino.exclusion_end.reason IS 'Why it was ended';
    COMMENT ON COLUMN casino.exclusion_end.ended_at IS 'When the exclusion ends';
    COMMENT ON COLUMN casino.exclusion_end.recorded_at IS 'When it was written';

    PERFORM casino.make_append_only('exclusion', 'exclusion_end');
    PERFORM casino.make_recorded('exclusion');
    PERFORM casino.make_recorded('exclusion_end');
END
$fn$;
COMMENT ON FUNCTION casino.install_exclusions() IS 'Part of casino.install(): exclusions and their ends';

CREATE FUNCTION casino.install_exclusion_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.exclusion_period AS
        SELECT e.player_id, e.exclusion_no, e.source, e.excluded_from,
               least(e.excluded_until, n.ended_at) AS excluded_until,
               e.excluded_until AS asked_until, n.ended_at, n.reason AS end_reason, e.recorded_at,
               n.recorded_at AS end_recorded_at, w.role AS end_role, w.actor AS end_actor
          FROM casino.exclusion e
          LEFT JOIN casino.exclusion_end n ON n.player_id = e.player_id AND n.exclusion_no = e.exclusion_no
          LEFT JOIN casino.recorder w ON w.recorder_id = n.recorded_by;
    COMMENT ON VIEW casino.exclusion_period IS 'Exclusions with the time they really last: to their end, or to the decision that ended them before';
    COMMENT ON COLUMN casino.exclusion_period.excluded_until IS 'End, exclusive: what was asked for, or the decision that ended it; infinity: no end';
    COMMENT ON COLUMN casino.exclusion_period.asked_until IS 'End that was asked for; infinity: no end';
    COMMENT ON COLUMN casino.exclusion_period.ended_at IS 'When a decision ended it; NULL: none did';
    COMMENT ON COLUMN casino.exclusion_period.end_reason IS 'Why it was ended';
    COMMENT ON COLUMN casino.exclusion_period.end_recorded_at IS 'When that was written';
    COMMENT ON COLUMN casino.exclusion_period.end_role IS 'Database role that recorded the decision';
    COMMENT ON COLUMN casino.exclusion_period.end_actor IS 'Person on whose behalf, where named';
END
$fn$;
COMMENT ON FUNCTION casino.install_exclusion_views() IS 'Part of casino.install(): how long exclusions really last';

CREATE FUNCTION casino.note_exclusion(player_id bigint, until timestamptz) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_note_exclusion' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.note_exclusion(bigint, timestamptz) IS 'Part of exclude_player(): moves the end of the player''s exclusion, never back';

CREATE FUNCTION casino.lock_open_stakes(accounts bigint[]) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_lock_open_stakes' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.lock_open_stakes(bigint[]) IS 'Part of exclude_player(): locks the players, the rounds open for betting where they have stakes, and who bets behind them there';

CREATE FUNCTION casino.return_open_stakes(accounts bigint[], at timestamptz) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_return_open_stakes' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.return_open_stakes(bigint[], timestamptz) IS 'Part of exclude_player(): returns the players'' stakes in rounds open for betting, and the bets behind them';

CREATE FUNCTION casino.exclude_player(player_id bigint, until timestamptz, source text,
                                      at timestamptz DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.exclude_player(bigint, timestamptz, text, timestamptz) IS 'Excludes a player until a time (NULL: no end; panic button: at least 48 hours); several exclusions add up and none can be shortened (D4 §6.2). His stakes go back where betting is still open (reason excluded), others play on. Returns its number';

CREATE FUNCTION casino.exclude_player_impl(player_id bigint, until timestamptz, source text,
    at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    origin CONSTANT text := CASE WHEN source IN ('panic', 'panic button') THEN 'panic_button' ELSE source END;
    began timestamptz := at;
    ends timestamptz;
    accounts bigint[];
    number integer;
    later bigint;
BEGIN
    IF origin IS NULL OR origin NOT IN ('self', 'register', 'panic_button', 'operator') THEN
        RAISE EXCEPTION 'invalid source of an exclusion: "%"', source
            USING ERRCODE = 'invalid_parameter_value', HINT = 'Sources are self, register, panic_button and operator.';
    END IF;
    -- against register_player(), which gives a new account the exclusions of the former
    PERFORM FROM casino.person o
      WHERE o.external_ref = (SELECT p.external_ref FROM casino.player p WHERE p.player_id = exclude_player_impl.player_id) FOR SHARE;
    -- exclusions are of the person: asked for by the number of a former account they hold for those opened since (R7.19)
    accounts := ARRAY (SELECT n.player_id FROM casino.player p JOIN casino.player n ON n.external_ref = p.external_ref AND n.player_id >= p.player_id
                        WHERE p.player_id = exclude_player_impl.player_id ORDER BY n.player_id);
    PERFORM casino.lock_open_stakes(accounts);
    PERFORM casino.lock_player(player_id);
    began := coalesce(at, casino.event_time(NULL));
    ends := coalesce(until, CASE WHEN origin = 'panic_button' THEN began ELSE 'infinity' END);
    IF origin = 'panic_button' THEN
        ends := greatest(ends, began + interval '48 hours');
    END IF;
    SELECT e.exclusion_no INTO number FROM casino.exclusion e
     WHERE e.player_id = exclude_player_impl.player_id AND e.source = origin AND e.excluded_from = began AND e.excluded_until = ends
     ORDER BY e.exclusion_no DESC LIMIT 1;
    IF FOUND THEN
        RETURN number;
    END IF;
    PERFORM casino.event_time(at);
    IF ends <= began THEN
        RAISE EXCEPTION 'an exclusion must end after it starts' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT coalesce(max(e.exclusion_no), 0) + 1 INTO number FROM casino.exclusion e
     WHERE e.player_id = exclude_player_impl.player_id;
    INSERT INTO casino.exclusion VALUES (player_id, number, origin, began, ends, clock_timestamp());
    PERFORM casino.note_exclusion(player_id, ends);
    FOREACH later IN ARRAY accounts[2:] LOOP
        PERFORM casino.lock_player(later);
        INSERT INTO casino.exclusion
        SELECT later, coalesce(max(e.exclusion_no), 0) + 1, origin, began, ends, clock_timestamp()
          FROM casino.exclusion e WHERE e.player_id = later;
        PERFORM casino.note_exclusion(later, ends);
    END LOOP;
    -- what he has staked where betting is open is not concluded yet
    PERFORM casino.return_open_stakes(accounts, began);
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.exclude_player_impl(bigint, timestamptz, text, timestamptz) IS 'Body of exclude_player(), run as the owner of the ledger';

CREATE FUNCTION casino.note_exclusion_end(player_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_note_exclusion_end' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.note_exclusion_end(bigint) IS 'Part of end_exclusion(): the end of the player''s exclusions is that of the ones that last longest';

CREATE FUNCTION casino.end_exclusion(player_id bigint, exclusion_no integer, reason text, at timestamptz DEFAULT NULL) RETURNS timestamptz
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.end_exclusion(bigint, integer, text, timestamptz) IS 'Ends an exclusion of the register or the operator by a decision with its reason, for all accounts of the person; those of the player himself (self, panic_button) are never ended (KC004). Returns when it ended, the same again for the same reason';

CREATE FUNCTION casino.end_exclusion_impl(player_id bigint, exclusion_no integer, reason text, at timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    account bigint;
    wanted casino.exclusion;
    ended casino.exclusion_end;
BEGIN
    IF player_id IS NULL OR exclusion_no IS NULL THEN
        RAISE EXCEPTION 'player_id and exclusion_no must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF coalesce(btrim(reason, E' \t\r\n'), '') = '' THEN
        RAISE EXCEPTION 'ending an exclusion needs a reason' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino.bounded(reason, 'reason', 1000);
    -- against register_player(), which gives a new account the exclusions that hold of the former
    PERFORM FROM casino.person o
      WHERE o.external_ref = (SELECT p.external_ref FROM casino.player p WHERE p.player_id = end_exclusion_impl.player_id) FOR SHARE;
    -- the person's accounts in the order of their numbers; then what is read of their exclusions is final, or 40001 (R7.18)
    FOR account IN SELECT a.player_id FROM casino.player p JOIN casino.player a ON a.external_ref = p.external_ref
                    WHERE p.player_id = end_exclusion_impl.player_id ORDER BY a.player_id LOOP
        PERFORM casino.lock_player(account);
    END LOOP;
    SELECT e.* INTO wanted FROM casino.exclusion e
     WHERE e.player_id = end_exclusion_impl.player_id AND e.exclusion_no = end_exclusion_impl.exclusion_no;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'exclusion % of player % does not exist', exclusion_no, player_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    SELECT n.* INTO ended FROM casino.exclusion_end n
     WHERE n.player_id = wanted.player_id AND n.exclusion_no = wanted.exclusion_no;
    IF FOUND THEN
        IF ended.reason <> end_exclusion_impl.reason THEN
            RAISE EXCEPTION 'exclusion % of player % has already been ended', exclusion_no, player_id
                USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = format('It was ended at %s: %s', ended.ended_at, ended.reason);
        END IF;
        RETURN ended.ended_at;
    END IF;
    IF wanted.source NOT IN ('register', 'operator') THEN
        RAISE EXCEPTION 'exclusion % of player % cannot be ended', exclusion_no, player_id
            USING ERRCODE = 'KC004',
                  DETAIL = format('The player asked for it himself (%s), until %s; only one of the register or the operator is ended by decision (D4 §6.2).',
                                  wanted.source, wanted.excluded_until);
    END IF;
    at := casino.event_time(at, wanted.excluded_from);
    IF at < wanted.excluded_from THEN
        RAISE EXCEPTION 'time % is before exclusion % of player % began', at, exclusion_no, player_id
            USING ERRCODE = 'KL005', DETAIL = format('It began at %s.', wanted.excluded_from);
    END IF;
    IF at >= wanted.excluded_until THEN
        RAISE EXCEPTION 'exclusion % of player % is over', exclusion_no, player_id
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = format('It ended at %s.', wanted.excluded_until);
    END IF;
    -- the person's accounts have it each under a number of its own
    FOR account IN SELECT e.player_id FROM casino.exclusion e JOIN casino.player a ON a.player_id = e.player_id
                    WHERE a.external_ref = (SELECT p.external_ref FROM casino.player p WHERE p.player_id = wanted.player_id)
                      AND (e.source, e.excluded_from, e.excluded_until) = (wanted.source, wanted.excluded_from, wanted.excluded_until)
                    ORDER BY e.player_id LOOP
        INSERT INTO casino.exclusion_end (player_id, exclusion_no, reason, ended_at, recorded_at)
        SELECT e.player_id, e.exclusion_no, end_exclusion_impl.reason, end_exclusion_impl.at, clock_timestamp()
          FROM casino.exclusion e
         WHERE e.player_id = account
           AND (e.source, e.excluded_from, e.excluded_until) = (wanted.source, wanted.excluded_from, wanted.excluded_until);
        PERFORM casino.note_exclusion_end(account);
    END LOOP;
    RETURN at;
END
$fn$;
COMMENT ON FUNCTION casino.end_exclusion_impl(bigint, integer, text, timestamptz) IS 'Body of end_exclusion(), run as the owner of the ledger';
-- Limits that players set themselves, and their counters (D4 §6.5, R7.20).

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

CREATE FUNCTION casino.install_limits() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.player_limit (
        player_id      bigint NOT NULL,
        limit_no       integer NOT NULL,
        measure        text NOT NULL CHECK (measure IN ('stake', 'net_loss')),
        period         text NOT NULL CHECK (period IN ('day', 'month')),
        amount         numeric CHECK (amount >= 0 AND amount < 'Infinity'),
        requested_at   timestamptz NOT NULL,
        effective_from timestamptz NOT NULL CHECK (effective_from >= requested_at),
        recorded_at    timestamptz NOT NULL,
        PRIMARY KEY (player_id, limit_no)
    );
    CREATE INDEX player_limit_latest ON casino.player_limit (player_id, measure, period, limit_no);
    COMMENT ON INDEX casino.player_limit_latest IS 'Finds the limit in force: the latest that has come into effect';
    COMMENT ON TABLE casino.player_limit IS 'Append-only: limits players set themselves (D4 §6.5); in force is the latest that has come into effect';
    COMMENT ON COLUMN casino.player_limit.player_id IS 'Player';
    COMMENT ON COLUMN casino.player_limit.limit_no IS 'Counts the player''s changes from 1';
    COMMENT ON COLUMN casino.player_limit.measure IS 'stake: money staked; net_loss: lost in evaluated rounds, and open stakes in full';
    COMMENT ON COLUMN casino.player_limit.period IS 'day or month, calendar of Europe/Prague';
    COMMENT ON COLUMN casino.player_limit.amount IS 'CZK; NULL: no limit';
    COMMENT ON COLUMN casino.player_limit.requested_at IS 'When the player asked for it';
    COMMENT ON COLUMN casino.player_limit.effective_from IS 'At once when it is stricter, seven days later when it is not';
    COMMENT ON COLUMN casino.player_limit.recorded_at IS 'When it was written';

    CREATE TABLE casino.limit_state (
        player_id    bigint PRIMARY KEY,
        day          date NOT NULL,
        staked_day   numeric NOT NULL,
        lost_day     numeric NOT NULL,
        month        date NOT NULL,
        staked_month numeric NOT NULL,
        lost_month   numeric NOT NULL,
        open_staked  numeric NOT NULL,
        limit_stake_day             numeric,
        limit_stake_day_next        numeric,
        limit_stake_day_from        timestamptz,
        limit_stake_month           numeric,
        limit_stake_month_next      numeric,
        limit_stake_month_from      timestamptz,
        limit_net_loss_day          numeric,
        limit_net_loss_day_next     numeric,
        limit_net_loss_day_from     timestamptz,
        limit_net_loss_month        numeric,
        limit_net_loss_month_next   numeric,
        limit_net_loss_month_from   timestamptz
    ) WITH (fillfactor = 70);
    COMMENT ON TABLE casino.limit_state IS 'Limits in force and their counters, of players who have set limits: all a stake must know in one row. casino.limits_in_force() and casino.limit_usage() recompute it';
    COMMENT ON COLUMN casino.limit_state.player_id IS 'Player';
    COMMENT ON COLUMN casino.limit_state.day IS 'Prague day of the day counters';
    COMMENT ON COLUMN casino.limit_state.staked_day IS 'CZK staked on that day';
    COMMENT ON COLUMN casino.limit_state.lost_day IS 'CZK lost, net of winnings, in rounds evaluated on that day';
    COMMENT ON COLUMN casino.limit_state.month IS 'First day of the Prague month of the month counters';
    COMMENT ON COLUMN casino.limit_state.staked_month IS 'CZK staked in that month';
    COMMENT ON COLUMN casino.limit_state.lost_month IS 'CZK lost, net of winnings, in rounds evaluated in that month';
    COMMENT ON COLUMN casino.limit_state.open_staked IS 'CZK staked in rounds not evaluated yet, whenever it was';
    COMMENT ON COLUMN casino.limit_state.limit_stake_day IS 'CZK that may be staked a day; NULL: no limit';
    COMMENT ON COLUMN casino.limit_state.limit_stake_day_next IS 'The same from limit_stake_day_from on';
    COMMENT ON COLUMN casino.limit_state.limit_stake_day_from IS 'When a laxer limit asked for comes into effect; NULL: none was';
    COMMENT ON COLUMN casino.limit_state.limit_stake_month IS 'CZK that may be staked a month; NULL: no limit';
    COMMENT ON COLUMN casino.limit_state.limit_stake_month_next IS 'The same from limit_stake_month_from on';
    COMMENT ON COLUMN casino.limit_state.limit_stake_month_from IS 'When a laxer limit asked for comes into effect; NULL: none was';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_day IS 'CZK that may be lost a day; NULL: no limit';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_day_next IS 'The same from limit_net_loss_day_from on';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_day_from IS 'When a laxer limit asked for comes into effect; NULL: none was';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_month IS 'CZK that may be lost a month; NULL: no limit';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_month_next IS 'The same from limit_net_loss_month_from on';
    COMMENT ON COLUMN casino.limit_state.limit_net_loss_month_from IS 'When a laxer limit asked for comes into effect; NULL: none was';

    PERFORM casino.make_append_only('player_limit');
    PERFORM casino.make_recorded('player_limit');
    PERFORM casino.refuse_truncate('limit_state');
END
$fn$;
COMMENT ON FUNCTION casino.install_limits() IS 'Part of casino.install(): limits and their counters';

CREATE FUNCTION casino.note_limits(player_id bigint, at timestamptz) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_note_limits' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.note_limits(bigint, timestamptz) IS 'Part of set_limit(): the player has limits, and counters from here on';

CREATE FUNCTION casino.lock_unevaluated_rounds(player_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_lock_unevaluated_rounds' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.lock_unevaluated_rounds(bigint) IS 'Part of set_limit(): locks the player and the rounds where he has stakes, none of which is evaluated before the transaction ends';

CREATE FUNCTION casino.limits_pass_until(closed_at timestamptz) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN casino.payment_due_at(closed_at, 7);
COMMENT ON FUNCTION casino.limits_pass_until(timestamptz) IS 'First instant at which an account opened again no longer takes over the limits of one closed then: after seven calendar days in Europe/Prague (Act 186/2016 §14a)';

CREATE FUNCTION casino.limit_usage(player_id bigint, at timestamptz) RETURNS casino.limit_usage
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.limit_usage(bigint, timestamptz) IS 'Counters of casino.limit_state recomputed from the ledger and the play of other products, for the day and month of a time: with those of a former account of the person whose limits have passed on';

CREATE FUNCTION casino.limit_usage_impl(player_id bigint, at timestamptz) RETURNS casino.limit_usage
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    usage casino.limit_usage;
    accounts bigint[];
    one bigint;
    began timestamptz;
    before bigint;
BEGIN
    -- his account, and former ones of the person whose limits and counters have passed on, see inherit_duties()
    WITH RECURSIVE passed AS (
        SELECT p.player_id, p.external_ref, p.registered_at FROM casino.player p WHERE p.player_id = limit_usage_impl.player_id
        UNION ALL
        SELECT f.player_id, f.external_ref, f.registered_at
          FROM passed n
         CROSS JOIN LATERAL (SELECT x.* FROM casino.player x
                              WHERE x.external_ref = n.external_ref AND x.player_id < n.player_id
                              ORDER BY x.player_id DESC LIMIT 1) f
         WHERE n.registered_at < casino.limits_pass_until(f.closed_at)
           AND EXISTS (SELECT FROM casino.player_limit l WHERE l.player_id = f.player_id))
    SELECT array_agg(n.player_id) INTO accounts FROM passed n;
    usage.player_id := player_id;
    usage.day := casino.prague_day(at);
    usage.month := casino.prague_month(at);
    usage.staked_day := 0;
    usage.staked_month := 0;
    usage.lost_day := 0;
    usage.lost_month := 0;
    usage.open_staked := 0;
    began := casino.day_start(usage.month);
    FOREACH one IN ARRAY coalesce(accounts, '{}') LOOP
        -- entries of a player come in the order of their times: the month begins after the last one before it, found backwards by the key
        before := coalesce((SELECT l.entry_no FROM casino.ledger l
                             WHERE l.player_id = one AND l.posted_at < began
                             ORDER BY l.entry_no DESC LIMIT 1), 0);
        WITH standing AS (
            -- what corrections added counts on the day posted, not on that of the evaluation (R11.38)
            SELECT w.staked, w.payout - coalesce(w.corrected, 0) AS payout, w.posted_at, w.evaluated_at,
                   CASE WHEN w.corrected IS NULL THEN w.status ELSE 'corrected' END AS status,
                   w.status <> 'refunded' OR r.betting_closed_at IS NOT NULL AND NOT casino.never_placed(f.reason) AS placed
              FROM casino.wager w
              JOIN casino.round r ON r.round_id = w.round_id
              LEFT JOIN casino.ledger f ON f.player_id = w.player_id AND f.entry_no = w.paid_entry_no AND f.kind = 'refund'
             WHERE w.player_id = one AND w.entry_no > before
            UNION ALL
            -- and stakes from before it whose round was still under way
            SELECT w.staked, w.payout - coalesce(w.corrected, 0), w.posted_at, w.evaluated_at,
                   CASE WHEN w.corrected IS NULL THEN w.status ELSE 'corrected' END, false
              FROM (SELECT x.round_id FROM casino.round x
                     WHERE casino.prague_day(x.opened_at) < casino.prague_day(x.evaluated_at) AND x.evaluated_at >= began AND x.opened_at < began
                    UNION ALL
                    SELECT x.round_id FROM casino.round x WHERE x.status IN ('open', 'closed')) u
              JOIN casino.wager w ON w.round_id = u.round_id AND w.player_id = one AND w.entry_no <= before)
        SELECT usage.staked_day + coalesce(sum(s.staked) FILTER (WHERE s.placed AND casino.prague_day(s.posted_at) = usage.day), 0),
               usage.staked_month + coalesce(sum(s.staked) FILTER (WHERE s.placed AND casino.prague_month(s.posted_at) = usage.month), 0),
               usage.lost_day + coalesce(sum(s.staked - s.payout) FILTER (WHERE s.status <> 'refunded' AND casino.prague_day(s.evaluated_at) = usage.day), 0),
               usage.lost_month + coalesce(sum(s.staked - s.payout) FILTER (WHERE s.status <> 'refunded' AND casino.prague_month(s.evaluated_at) = usage.month), 0),
               usage.open_staked + coalesce(sum(s.staked) FILTER (WHERE s.status = 'open'), 0)
          INTO usage.staked_day, usage.staked_month, usage.lost_day, usage.lost_month, usage.open_staked
          FROM standing s;
        SELECT usage.lost_day - coalesce(sum(l.amount) FILTER (WHERE casino.prague_day(l.posted_at) = usage.day), 0),
               usage.lost_month - coalesce(sum(l.amount), 0)
          INTO usage.lost_day, usage.lost_month
          FROM casino.ledger l
         WHERE l.player_id = one AND l.entry_no > before AND l.kind IN ('correction', 'adjustment') AND l.round_id IS NOT NULL
           AND casino.prague_month(l.posted_at) = usage.month;
    END LOOP;
    -- play of other products, too: theirs, and what was counted for any former account since he has this one
    SELECT usage.staked_day + coalesce(sum(o.staked) FILTER (WHERE casino.prague_day(o.played_at) = usage.day), 0),
           usage.staked_month + coalesce(sum(o.staked), 0),
           usage.lost_day - coalesce(sum(o.result) FILTER (WHERE casino.prague_day(o.played_at) = usage.day), 0),
           usage.lost_month - coalesce(sum(o.result), 0)
      INTO usage.staked_day, usage.staked_month, usage.lost_day, usage.lost_month
      FROM casino.player p
      JOIN casino.player f ON f.external_ref = p.external_ref AND f.player_id <= p.player_id
      JOIN casino.other_play o ON o.player_id = f.player_id AND (f.player_id = ANY (accounts) OR o.recorded_at >= p.registered_at)
     WHERE p.player_id = limit_usage_impl.player_id AND casino.prague_month(o.played_at) = usage.month;
    RETURN usage;
END
$fn$;
COMMENT ON FUNCTION casino.limit_usage_impl(bigint, timestamptz) IS 'Body of limit_usage(), run as the owner of the ledger';

CREATE FUNCTION casino.limits_in_force(player_id bigint, at timestamptz DEFAULT clock_timestamp(), OUT measure text, OUT period text,
                                       OUT amount numeric, OUT next_amount numeric, OUT next_from timestamptz) RETURNS SETOF record
LANGUAGE plpgsql STABLE STRICT ROWS 4 SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        SELECT k.measure, k.period, f.amount, n.amount, n.effective_from
          FROM (VALUES ('stake', 'day'), ('stake', 'month'), ('net_loss', 'day'), ('net_loss', 'month')) AS k (measure, period)
          LEFT JOIN LATERAL (SELECT l.limit_no, l.amount FROM casino.player_limit l
                              WHERE l.player_id = limits_in_force.player_id AND l.measure = k.measure AND l.period = k.period
                                AND l.effective_from <= limits_in_force.at
                              ORDER BY l.limit_no DESC LIMIT 1) f ON true
          LEFT JOIN LATERAL (SELECT l.amount, l.effective_from FROM casino.player_limit l
                              WHERE l.player_id = limits_in_force.player_id AND l.measure = k.measure AND l.period = k.period
                                AND l.effective_from > limits_in_force.at AND l.limit_no > coalesce(f.limit_no, 0)
                              ORDER BY l.limit_no DESC LIMIT 1) n ON true;
END
$fn$;
COMMENT ON FUNCTION casino.limits_in_force(bigint, timestamptz) IS 'A player''s limits at a time, from the history of changes alone, each with the laxer one that waits to come into effect; amount NULL: no limit';

CREATE FUNCTION casino.set_limit(player_id bigint, measure text, period text, amount numeric,
                                 at timestamptz DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.set_limit(bigint, text, text, numeric, timestamptz) IS 'Sets a player''s limit of stake or net_loss (stakes and loss are read as these) a day or month (NULL: none): a stricter one at once, a laxer one after seven days (D4 §6.5). Returns the number of the change';

CREATE FUNCTION casino.set_limit_impl(player_id bigint, measure text, period text, amount numeric,
    at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    -- other words of programs for the same (R7.46)
    what CONSTANT text := CASE measure WHEN 'stakes' THEN 'stake' WHEN 'loss' THEN 'net_loss' ELSE measure END;
    wanted CONSTANT numeric := casino.checked_amount(amount);
    newest casino.player_limit;
    asked timestamptz;
    in_force numeric;
    number integer;
BEGIN
    IF what IS NULL OR what NOT IN ('stake', 'net_loss') OR period IS NULL OR period NOT IN ('day', 'month') THEN
        RAISE EXCEPTION 'invalid limit: % a %', measure, period
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'A limit is of stake or net_loss, a day or a month.';
    END IF;
    -- the counters of a first limit start with what is open: evaluations count only for players who have them, and lock no
    -- losers. Rounds before the player, as everywhere
    IF NOT EXISTS (SELECT FROM casino.limit_state s WHERE s.player_id = set_limit_impl.player_id) THEN
        PERFORM casino.lock_unevaluated_rounds(player_id);
    END IF;
    PERFORM casino.lock_player(player_id);
    -- a limit of a closed account would bind nobody: the person's new one has taken over what was set before (R7.27)
    IF (SELECT p.closed_at FROM casino.player p WHERE p.player_id = set_limit_impl.player_id) IS NOT NULL THEN
        RAISE EXCEPTION 'the account of player % is closed', player_id USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    SELECT l.* INTO newest FROM casino.player_limit l
     WHERE l.player_id = set_limit_impl.player_id AND l.measure = what AND l.period = set_limit_impl.period
     ORDER BY l.limit_no DESC LIMIT 1;
    IF newest.requested_at = at AND newest.amount IS NOT DISTINCT FROM wanted THEN
        RETURN newest.limit_no;
    END IF;
    asked := casino.event_time(at, newest.requested_at);
    IF asked < newest.requested_at THEN
        RAISE EXCEPTION 'time % is before the last change of this limit', asked
            USING ERRCODE = 'KL005', DETAIL = format('It was asked for at %s.', newest.requested_at);
    END IF;
    SELECT l.amount INTO in_force FROM casino.player_limit l
     WHERE l.player_id = set_limit_impl.player_id AND l.measure = what AND l.period = set_limit_impl.period AND l.effective_from <= asked
     ORDER BY l.limit_no DESC LIMIT 1;
    SELECT coalesce(max(l.limit_no), 0) INTO number FROM casino.player_limit l WHERE l.player_id = set_limit_impl.player_id;
    IF wanted <= in_force OR (wanted IS NOT NULL AND in_force IS NULL) THEN
        -- stricter, or the same: at once; a raise that was waiting is taken back by it
        number := number + 1;
        INSERT INTO casino.player_limit VALUES (player_id, number, what, period, wanted, asked, asked, clock_timestamp());
    ELSIF in_force IS NOT NULL THEN
        -- laxer: after seven days of 24 hours, whatever the session's time zone (R7.23).  What is in force is restated, so that no older raise takes effect meanwhile
        IF newest.effective_from > asked THEN
            number := number + 1;
            INSERT INTO casino.player_limit VALUES (player_id, number, what, period, in_force, asked, asked, clock_timestamp());
        END IF;
        number := number + 1;
        INSERT INTO casino.player_limit VALUES (player_id, number, what, period, wanted, asked, asked + interval '168 hours', clock_timestamp());
    ELSE
        RETURN newest.limit_no;     -- no limit, and none wanted
    END IF;
    PERFORM casino.note_limits(player_id, asked);
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.set_limit_impl(bigint, text, text, numeric, timestamptz) IS 'Body of set_limit(), run as the owner of the ledger';
-- Play of the operator's other products, which counts in the same limits (D4 §6.5).

CREATE FUNCTION casino.install_other_play() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.other_play (
        player_id   bigint NOT NULL,
        play_no     bigint NOT NULL,
        product     text NOT NULL CHECK (btrim(product, E' \t\r\n') <> '' AND octet_length(product) <= 100),
        staked      numeric NOT NULL CHECK (staked >= 0 AND staked <= 1000000000000),
        result      numeric NOT NULL CHECK (abs(result) <= 1000000000000),
        request_id  text CHECK (btrim(request_id, E' \t\r\n') <> '' AND octet_length(request_id) <= 200),
        played_at   timestamptz NOT NULL CHECK (isfinite(played_at)),
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, play_no),
        CHECK (result >= - staked)
    );
    CREATE UNIQUE INDEX other_play_request ON casino.other_play (player_id, request_id) WHERE request_id IS NOT NULL;
    COMMENT ON INDEX casino.other_play_request IS 'A request of a player is counted once';
    COMMENT ON TABLE casino.other_play IS 'Append-only: play of the operator''s other products that counts in the player''s limits here; no money of this ledger';
    COMMENT ON COLUMN casino.other_play.player_id IS 'Player';
    COMMENT ON COLUMN casino.other_play.play_no IS 'Counts the player''s rows from 1';
    COMMENT ON COLUMN casino.other_play.product IS 'The operator''s name of the product';
    COMMENT ON COLUMN casino.other_play.staked IS 'CZK staked';
    COMMENT ON COLUMN casino.other_play.result IS 'CZK net result of the player: positive what he won, negative what he lost';
    COMMENT ON COLUMN casino.other_play.request_id IS 'The client''s key of the request, of the same keys as those of ledger entries';
    COMMENT ON COLUMN casino.other_play.played_at IS 'When it was played: it counts in the Prague day and month of this time';
    COMMENT ON COLUMN casino.other_play.recorded_at IS 'When it was written';

    PERFORM casino.make_append_only('other_play');
    PERFORM casino.make_recorded('other_play');
END
$fn$;
COMMENT ON FUNCTION casino.install_other_play() IS 'Part of casino.install(): play of other products';

CREATE FUNCTION casino.count_other_play(player_id bigint, product text, staked numeric, result numeric, request_id text DEFAULT NULL,
                                        at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_count_other_play' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.count_other_play(bigint, text, numeric, numeric, text, timestamptz) IS 'Counts play of another product of the operator in the player''s limits, on the Prague day of its own time, which may be long ago: it has happened and is never refused for a limit or an exclusion. Returns its number, the same again for the same request';
-- Betting sequences and the break after them (D4 §8).

CREATE FUNCTION casino.install_sequence_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.live_participation AS
        SELECT s.player_id, s.round_id, r.table_id, min(s.posted_at) AS first_stake_at, r.evaluated_at
          FROM casino.ledger s
          JOIN casino.round r ON r.round_id = s.round_id
          JOIN casino.game_plan p ON p.plan_id = r.plan_id
          JOIN casino.game g ON g.game = p.game AND g.live
         WHERE s.kind = 'stake'
           -- returned before betting closed: never placed
           AND NOT EXISTS (SELECT FROM casino.ledger f
                            WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no AND f.kind = 'refund'
                              AND (r.betting_closed_at IS NULL OR f.reason IN ('cancelled', 'disconnected', 'late', 'excluded', 'misdealt')))
         GROUP BY s.player_id, s.round_id, r.table_id, r.evaluated_at;
    COMMENT ON VIEW casino.live_participation IS 'Live rounds a player takes or took part in, from the ledger alone (D4 §8.2)';
    COMMENT ON COLUMN casino.live_participation.first_stake_at IS 'When his first stake that was not returned before betting closed was placed';

    CREATE VIEW casino.betting_sequence AS
        SELECT q.player_id, q.sequence_no, min(q.first_stake_at) AS started_at, max(q.evaluated_at) AS last_evaluated_at,
               max(q.evaluated_at) - min(q.first_stake_at) AS length, count(*) AS rounds,
               bool_or(q.evaluated_at IS NULL) AS in_round,
               coalesce(max(q.evaluated_at) - min(q.first_stake_at) >= interval '120 minutes', false) AS break_due,
               max(q.evaluated_at) + interval '15 minutes' AS ends_at
          FROM (SELECT i.*, count(*) FILTER (WHERE i.starts) OVER (PARTITION BY i.player_id ORDER BY i.first_stake_at, i.round_id)
                            AS sequence_no
                  FROM (SELECT p.player_id, p.round_id, p.first_stake_at, p.evaluated_at,
                               coalesce(p.first_stake_at - max(p.evaluated_at) OVER earlier >= interval '15 minutes', true)
                               AND NOT coalesce(bool_or(p.evaluated_at IS NULL) OVER earlier, false) AS starts
                          FROM casino.live_participation p
                        WINDOW earlier AS (PARTITION BY p.player_id ORDER BY p.first_stake_at, p.round_id
                                           ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) i) q
         GROUP BY q.player_id, q.sequence_no;
    COMMENT ON VIEW casino.betting_sequence IS 'Betting sequences of the players over all live games, recomputed from the ledger alone (D4 §8.5, §8.6)';
    COMMENT ON COLUMN casino.betting_sequence.sequence_no IS 'Counts the player''s sequences from 1';
    COMMENT ON COLUMN casino.betting_sequence.started_at IS 'Placing of its first stake';
    COMMENT ON COLUMN casino.betting_sequence.last_evaluated_at IS 'Last evaluation of a game in it';
    COMMENT ON COLUMN casino.betting_sequence.rounds IS 'Rounds he took part in';
    COMMENT ON COLUMN casino.betting_sequence.in_round IS 'A round of it is not evaluated yet';
    COMMENT ON COLUMN casino.betting_sequence.length IS 'From the placing of the first stake to the last evaluation';
    COMMENT ON COLUMN casino.betting_sequence.break_due IS 'At least 120 minutes long: no stake before ends_at (D4 §8.3)';
    COMMENT ON COLUMN casino.betting_sequence.ends_at IS '15 minutes after the last evaluation: a stake from here on starts a new sequence';
END
$fn$;
COMMENT ON FUNCTION casino.install_sequence_views() IS 'Part of casino.install(): betting sequences';

CREATE FUNCTION casino.explain_break(player_id bigint, at timestamptz DEFAULT clock_timestamp(), OUT may_bet boolean,
                                     OUT code text, OUT why text, OUT since timestamptz, OUT until timestamptz) RETURNS record
    AS 'MODULE_PATHNAME', 'casino_sql_explain_break' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.explain_break(bigint, timestamptz) IS 'May the player stake into a live round he has not joined, by which rule, since when, until when (D4 §8); of a time that is past, as it was known to hold then';
-- Withdrawals: payment accounts, requests, the second pair of eyes, payment (D4 §11.2).

CREATE FUNCTION casino.install_withdrawals() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.payment_account (
        player_id   bigint NOT NULL,
        account_no  integer NOT NULL,
        account     text NOT NULL CHECK (account = casino.canonical_text(account, 'account') AND octet_length(account) <= 64),
        registered_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, account_no)
    );
    COMMENT ON TABLE casino.payment_account IS 'Append-only: registered payment accounts; the last one counts (D4 §11.2 b)';
    COMMENT ON COLUMN casino.payment_account.player_id IS 'Player';
    COMMENT ON COLUMN casino.payment_account.account_no IS 'Counts the player''s accounts from 1';
    COMMENT ON COLUMN casino.payment_account.account IS 'Account';
    COMMENT ON COLUMN casino.payment_account.registered_at IS 'When it was registered';
    COMMENT ON COLUMN casino.payment_account.recorded_at IS 'When it was written';

    CREATE TABLE casino.open_withdrawal (
        player_id bigint NOT NULL,
        entry_no  bigint NOT NULL,
        PRIMARY KEY (player_id, entry_no)
    );
    COMMENT ON TABLE casino.open_withdrawal IS 'Withdrawals neither paid nor cancelled: put in and taken out by the ledger''s trigger';
    COMMENT ON COLUMN casino.open_withdrawal.player_id IS 'Player';
    COMMENT ON COLUMN casino.open_withdrawal.entry_no IS 'Ledger entry of the withdrawal';

    CREATE TABLE casino.withdrawal_approval (
        player_id   bigint NOT NULL,
        entry_no    bigint NOT NULL,
        approval_no integer NOT NULL,
        account_no  integer NOT NULL,
        approved_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, entry_no, approval_no)
    );
    COMMENT ON TABLE casino.withdrawal_approval IS 'Append-only: transfers to an account that was just registered, approved by a second person, who neither registered it nor pays';
    COMMENT ON COLUMN casino.withdrawal_approval.player_id IS 'Player';
    COMMENT ON COLUMN casino.withdrawal_approval.entry_no IS 'Ledger entry of the withdrawal';
    COMMENT ON COLUMN casino.withdrawal_approval.approval_no IS 'Counts the approvals of the withdrawal from 1';
    COMMENT ON COLUMN casino.withdrawal_approval.account_no IS 'The payment account it is for, and no other';
    COMMENT ON COLUMN casino.withdrawal_approval.approved_at IS 'When it was approved';
    COMMENT ON COLUMN casino.withdrawal_approval.recorded_at IS 'When it was written';

    PERFORM casino.make_append_only('payment_account', 'withdrawal_approval');
    PERFORM casino.make_recorded('payment_account');
    PERFORM casino.make_recorded('withdrawal_approval');
    PERFORM casino.refuse_truncate('open_withdrawal');
END
$fn$;
COMMENT ON FUNCTION casino.install_withdrawals() IS 'Part of casino.install(): payment accounts, open withdrawals, approvals of transfers';

CREATE FUNCTION casino.install_withdrawal_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.pending_withdrawals AS
        SELECT casino.withdrawal_id(w.player_id, w.entry_no) AS withdrawal_id, w.player_id, w.entry_no, w.method, w.amount,
               w.posted_at AS requested_at, casino.payment_due_at(w.posted_at, 60) AS due_at,
               clock_timestamp() >= casino.payment_due_at(w.posted_at, 60) AS overdue,
               (SELECT e.reason FROM casino.excused_delay e WHERE e.player_id = w.player_id AND e.entry_no = w.entry_no
                 ORDER BY e.excuse_no DESC LIMIT 1) AS excuse,
               w.method = 'transfer'
               AND coalesce((SELECT (a.registered_at > w.posted_at OR clock_timestamp() < a.registered_at + interval '24 hours')
                                    AND NOT EXISTS (SELECT FROM casino.withdrawal_approval p
                                                     WHERE p.player_id = w.player_id AND p.entry_no = w.entry_no AND p.account_no = a.account_no)
                               FROM casino.payment_account a WHERE a.player_id = w.player_id ORDER BY a.account_no DESC LIMIT 1), false) AS needs_approval
          FROM casino.open_withdrawal o
          JOIN casino.ledger w ON w.player_id = o.player_id AND w.entry_no = o.entry_no;
    COMMENT ON VIEW casino.pending_withdrawals IS 'Withdrawals asked for and neither paid nor cancelled, with the end of the 60th day after the day of the request (D4 §11.2)';
    COMMENT ON COLUMN casino.pending_withdrawals.withdrawal_id IS 'Number of the withdrawal, for pay_withdrawal() and cancel_withdrawal()';
    COMMENT ON COLUMN casino.pending_withdrawals.due_at IS 'First instant that is too late';
    COMMENT ON COLUMN casino.pending_withdrawals.overdue IS 'The deadline has passed';
    COMMENT ON COLUMN casino.pending_withdrawals.excuse IS 'The last reason recorded for its delay';
    COMMENT ON COLUMN casino.pending_withdrawals.needs_approval IS 'To be paid now it needs casino.approve_withdrawal(): its account is too new';
END
$fn$;
COMMENT ON FUNCTION casino.install_withdrawal_views() IS 'Part of casino.install(): pending withdrawals';

CREATE FUNCTION casino.set_payment_account(player_id bigint, account text, at timestamptz DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.set_payment_account(bigint, text, timestamptz) IS 'Registers the account that transfers go to; earlier ones are kept (D4 §11.2 b). For 24 hours, and for withdrawals requested before, a transfer to it needs approve_withdrawal()';

CREATE FUNCTION casino.set_payment_account_impl(player_id bigint, account text, at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    present casino.payment_account;
    registered timestamptz;
BEGIN
    IF coalesce(btrim(account), '') = '' THEN
        RAISE EXCEPTION 'account must not be empty' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    account := casino.canonical_text(account, 'account');
    PERFORM casino.bounded(account, 'account', 64);
    PERFORM casino.lock_player(player_id);
    SELECT a.* INTO present FROM casino.payment_account a
     WHERE a.player_id = set_payment_account_impl.player_id ORDER BY a.account_no DESC LIMIT 1;
    IF present.account = set_payment_account_impl.account THEN
        RETURN present.account_no;
    END IF;
    registered := casino.event_time(at, present.registered_at);
    IF registered < present.registered_at THEN
        RAISE EXCEPTION 'time % is before the last registration of an account', registered
            USING ERRCODE = 'KL005', DETAIL = format('It was registered at %s.', present.registered_at);
    END IF;
    INSERT INTO casino.payment_account (player_id, account_no, account, registered_at, recorded_at)
    VALUES (player_id, coalesce(present.account_no, 0) + 1, account, registered, clock_timestamp());
    RETURN coalesce(present.account_no, 0) + 1;
END
$fn$;
COMMENT ON FUNCTION casino.set_payment_account_impl(bigint, text, timestamptz) IS 'Body of set_payment_account(), run as the owner of the ledger';

-- A withdrawal's number carries its player, so that no sequence and no extra index is needed to find it.
CREATE FUNCTION casino.withdrawal_id(player_id bigint, entry_no bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN player_id * 1000000000 + entry_no;
COMMENT ON FUNCTION casino.withdrawal_id(bigint, bigint) IS 'Number of a withdrawal: player_id times 10^9 plus entry_no';

CREATE FUNCTION casino.request_withdrawal(player_id bigint, amount numeric, method text, request_id text DEFAULT NULL,
                                          at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_request_withdrawal' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.request_withdrawal(bigint, numeric, text, text, timestamptz) IS 'Takes the amount from the wallet, to be paid in cash or by transfer; returns the withdrawal''s number, the same again for the same request';

CREATE FUNCTION casino.lock_withdrawal(id bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    player CONSTANT bigint := id / 1000000000;
BEGIN
    IF id IS NULL THEN
        RAISE EXCEPTION 'the number of a withdrawal must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    -- no player has no withdrawal: that is what is said below
    PERFORM FROM casino.player p WHERE p.player_id = player FOR NO KEY UPDATE;
    PERFORM FROM casino.ledger l WHERE l.player_id = player AND l.entry_no = id % 1000000000 AND l.kind = 'withdrawal';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'withdrawal % does not exist', id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.request_withdrawal() returns its number, casino.pending_withdrawals has it.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.lock_withdrawal(bigint) IS 'Part of pay_withdrawal(), cancel_withdrawal() and approve_withdrawal(): locks the player; 23503 for a number that is none of a withdrawal';

-- Posts the end of a withdrawal, or answers its repetition.
CREATE FUNCTION casino.end_withdrawal(id bigint, cancel boolean, at timestamptz, reference text DEFAULT NULL,
                                      place text DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    player CONSTANT bigint := id / 1000000000;
    entry CONSTANT bigint := id % 1000000000;
    asked casino.ledger;
    ended casino.ledger;
    posted bigint;
BEGIN
    -- in the order in which a row of the ledger is told
    PERFORM casino.bounded(reference, 'reference', 200), casino.bounded(place, 'place', 200);
    PERFORM casino.lock_withdrawal(id);
    SELECT l.* INTO STRICT asked FROM casino.ledger l WHERE l.player_id = player AND l.entry_no = entry;
    SELECT l.* INTO ended FROM casino.ledger l WHERE l.player_id = player AND l.withdrawal_entry_no = entry;
    IF FOUND THEN
        IF cancel <> (ended.kind = 'withdrawal_cancelled') THEN
            RAISE EXCEPTION 'withdrawal % has ended', id
                USING ERRCODE = 'KL004', DETAIL = format('It is %s, entry %s.', ended.kind, ended.entry_no);
        END IF;
        IF (ended.reference, ended.place) IS DISTINCT FROM (end_withdrawal.reference, end_withdrawal.place) THEN
            RAISE EXCEPTION 'withdrawal % was paid with another reference or place', id
                USING ERRCODE = 'KL004',
                      DETAIL = format('Entry %s has the reference %s and the place %s.', ended.entry_no, coalesce(quote_literal(ended.reference), 'none'),
                                      coalesce(quote_literal(ended.place), 'none'));
        END IF;
        RETURN ended.entry_no;
    END IF;
    INSERT INTO casino.ledger AS l (player_id, kind, amount, withdrawal_entry_no, posted_at, reference, place)
    VALUES (player, CASE WHEN cancel THEN 'withdrawal_cancelled' WHEN asked.method = 'cash' THEN 'cash_paid' ELSE 'transfer_paid' END,
            asked.amount, entry, end_withdrawal.at, end_withdrawal.reference, end_withdrawal.place)
    RETURNING l.entry_no INTO posted;
    RETURN posted;
END
$fn$;
COMMENT ON FUNCTION casino.end_withdrawal(bigint, boolean, timestamptz, text, text) IS 'Part of pay_withdrawal() and cancel_withdrawal()';

CREATE FUNCTION casino.pay_withdrawal(id bigint, at timestamptz DEFAULT NULL, reference text DEFAULT NULL,
                                      place text DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.pay_withdrawal(bigint, timestamptz, text, text) IS 'Records that a withdrawal was paid, with the reference of the payment and the place of cash: cash at most 10 000 CZK in 24 hours, a transfer to the registered account (D4 §11.2). Returns the entry number, the same when repeated';

CREATE FUNCTION casino.pay_withdrawal_impl(id bigint, at timestamptz, reference text, place text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino.end_withdrawal(id, false, at, reference, place);
END
$fn$;
COMMENT ON FUNCTION casino.pay_withdrawal_impl(bigint, timestamptz, text, text) IS 'Body of pay_withdrawal(), run as the owner of the ledger';

CREATE FUNCTION casino.cancel_withdrawal(id bigint, at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.cancel_withdrawal(bigint, timestamptz) IS 'Returns the amount of a withdrawal to the wallet. Returns the entry number, the same when repeated';

CREATE FUNCTION casino.cancel_withdrawal_impl(id bigint, at timestamptz) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino.end_withdrawal(id, true, at);
END
$fn$;
COMMENT ON FUNCTION casino.cancel_withdrawal_impl(bigint, timestamptz) IS 'Body of cancel_withdrawal(), run as the owner of the ledger';

CREATE FUNCTION casino.approve_withdrawal(id bigint, at timestamptz DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.approve_withdrawal(bigint, timestamptz) IS 'Approves a transfer to the account registered now, which needs it when that was registered less than 24 hours before the payment or after the request. Who registered the account cannot approve, nor can who approved pay. Returns the number of the approval, the same when repeated';

CREATE FUNCTION casino.approve_withdrawal_impl(id bigint, at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    player CONSTANT bigint := id / 1000000000;
    entry CONSTANT bigint := id % 1000000000;
    me CONSTANT integer := casino.recorded_by();
    asked casino.ledger;
    account casino.payment_account;
    approved timestamptz;
    number integer;
    same text;
BEGIN
    PERFORM casino.lock_withdrawal(id);
    SELECT l.* INTO STRICT asked FROM casino.ledger l WHERE l.player_id = player AND l.entry_no = entry;
    IF asked.method <> 'transfer' THEN
        RAISE EXCEPTION 'withdrawal % is to be paid in cash', id
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'Only transfers are approved.';
    END IF;
    SELECT a.* INTO STRICT account FROM casino.payment_account a WHERE a.player_id = player ORDER BY a.account_no DESC LIMIT 1;
    SELECT p.approval_no INTO number FROM casino.withdrawal_approval p
     WHERE p.player_id = player AND p.entry_no = entry AND p.account_no = account.account_no
       AND EXISTS (SELECT FROM casino.recorder a, casino.recorder b
                    WHERE a.recorder_id = p.recorded_by AND b.recorder_id = me AND (a.role, a.login, a.actor) IS NOT DISTINCT FROM (b.role, b.login, b.actor))
     ORDER BY p.approval_no LIMIT 1;
    IF FOUND THEN
        RETURN number;
    END IF;
    IF NOT EXISTS (SELECT FROM casino.open_withdrawal o WHERE o.player_id = player AND o.entry_no = entry) THEN
        RAISE EXCEPTION 'withdrawal % has ended', id
            USING ERRCODE = 'KL004', DETAIL = 'It was paid or cancelled before.';
    END IF;
    same := casino.same_eyes(account.recorded_by, me);
    IF same IS NOT NULL THEN
        RAISE EXCEPTION 'withdrawal % needs the approval of somebody else', id
            USING ERRCODE = 'KC006', DETAIL = format('The account was registered at %s by who wants to approve. %s', account.registered_at, same),
                  HINT = 'A second person approves it, under a login of his own.';
    END IF;
    approved := casino.event_time(at, greatest(asked.posted_at, account.registered_at));
    IF approved < greatest(asked.posted_at, account.registered_at) THEN
        RAISE EXCEPTION 'time % is before what is to be approved', approved
            USING ERRCODE = 'KL005', DETAIL = format('The withdrawal was asked for at %s, the account registered at %s.', asked.posted_at, account.registered_at);
    END IF;
    SELECT coalesce(max(p.approval_no), 0) + 1 INTO number FROM casino.withdrawal_approval p WHERE p.player_id = player AND p.entry_no = entry;
    INSERT INTO casino.withdrawal_approval (player_id, entry_no, approval_no, account_no, approved_at, recorded_at)
    VALUES (player, entry, number, account.account_no, approved, clock_timestamp());
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.approve_withdrawal_impl(bigint, timestamptz) IS 'Body of approve_withdrawal(), run as the owner of the ledger';
-- Deadlines of payments: what is late, and why (D4 §11, R7.39).

CREATE FUNCTION casino.install_deadlines() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.excused_delay (
        player_id   bigint NOT NULL,
        entry_no    bigint NOT NULL,
        excuse_no   integer NOT NULL,
        reason      text NOT NULL CHECK (octet_length(reason) <= 1000),
        excused_at  timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, entry_no, excuse_no)
    );
    COMMENT ON TABLE casino.excused_delay IS 'Append-only: why a payment was late, where that is excusable; it stays a breach';
    COMMENT ON COLUMN casino.excused_delay.player_id IS 'Player';
    COMMENT ON COLUMN casino.excused_delay.entry_no IS 'Ledger entry of the stake or withdrawal that the breach is of';
    COMMENT ON COLUMN casino.excused_delay.excuse_no IS 'Counts the reasons of one delay from 1';
    COMMENT ON COLUMN casino.excused_delay.reason IS 'Why';
    COMMENT ON COLUMN casino.excused_delay.excused_at IS 'When it was decided';
    COMMENT ON COLUMN casino.excused_delay.recorded_at IS 'When it was written';

    PERFORM casino.make_append_only('excused_delay');
    PERFORM casino.make_recorded('excused_delay');
END
$fn$;
COMMENT ON FUNCTION casino.install_deadlines() IS 'Part of casino.install(): excused delays';

CREATE FUNCTION casino.install_deadline_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.late_payment AS
        SELECT b.player_id, b.entry_no, b.rule, b.occurred_at AS due_at, s.round_id,
               CASE s.kind WHEN 'withdrawal' THEN s.amount ELSE (b.detail ->> 'amount')::numeric END AS amount,
               coalesce(p.kind, 'unpaid') AS ended, p.entry_no AS ended_entry_no, p.posted_at AS ended_at,
               x.excuse_no IS NOT NULL AS excused, x.reason AS excuse
          FROM casino.breach b
          JOIN casino.ledger s ON s.player_id = b.player_id AND s.entry_no = b.entry_no
          LEFT JOIN LATERAL (SELECT l.kind, l.entry_no, l.posted_at FROM casino.ledger l
                              WHERE s.kind = 'stake' AND l.player_id = b.player_id AND l.stake_entry_no = b.entry_no
                             UNION ALL
                             SELECT l.kind, l.entry_no, l.posted_at FROM casino.ledger l
                              WHERE s.kind = 'withdrawal' AND l.player_id = b.player_id AND l.withdrawal_entry_no = b.entry_no) p ON true
          LEFT JOIN LATERAL (SELECT e.excuse_no, e.reason FROM casino.excused_delay e
                              WHERE e.player_id = b.player_id AND e.entry_no = b.entry_no ORDER BY e.excuse_no DESC LIMIT 1) x ON true
         WHERE b.rule IN ('winnings_late', 'withdrawal_late');
    COMMENT ON VIEW casino.late_payment IS 'Winnings and withdrawals that passed their deadline unpaid, what became of them, and whether the delay was excused (D4 §11)';
    COMMENT ON COLUMN casino.late_payment.entry_no IS 'Ledger entry of the stake or withdrawal';
    COMMENT ON COLUMN casino.late_payment.due_at IS 'First instant that was too late';
    COMMENT ON COLUMN casino.late_payment.ended IS 'unpaid, or the kind of the entry that ended it: payout, cash_paid, transfer_paid, withdrawal_cancelled, or refund when the wager was voided';
    COMMENT ON COLUMN casino.late_payment.ended_entry_no IS 'That entry';
    COMMENT ON COLUMN casino.late_payment.ended_at IS 'When that was';
    COMMENT ON COLUMN casino.late_payment.excused IS 'The delay is recorded as excusable; it is a breach all the same';
    COMMENT ON COLUMN casino.late_payment.excuse IS 'The last reason given for it';
END
$fn$;
COMMENT ON FUNCTION casino.install_deadline_views() IS 'Part of casino.install(): late payments';

CREATE FUNCTION casino.record_overdue(at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_record_overdue' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.record_overdue(timestamptz) IS 'Records as breaches what has passed its deadline unpaid: winnings the 30th day, withdrawals the 60th (D4 §11), each once. To be called every night; what is being paid meanwhile is left to the payment. Returns how many it recorded';

CREATE FUNCTION casino.excuse_delay(player_id bigint, entry_no bigint, reason text, at timestamptz DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.excuse_delay(bigint, bigint, text, timestamptz) IS 'Records why a late payment, of a stake or withdrawal, is excusable; it stays a breach. Returns the number of the reason, the same for the same reason';

CREATE FUNCTION casino.excuse_delay_impl(player_id bigint, entry_no bigint, reason text, at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    due timestamptz;
    excused timestamptz;
    number integer;
BEGIN
    IF coalesce(btrim(reason, E' \t\r\n'), '') = '' THEN
        RAISE EXCEPTION 'an excused delay needs a reason' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino.bounded(reason, 'reason', 1000);
    PERFORM casino.lock_player(player_id);
    SELECT e.excuse_no INTO number FROM casino.excused_delay e
     WHERE e.player_id = excuse_delay_impl.player_id AND e.entry_no = excuse_delay_impl.entry_no AND e.reason = excuse_delay_impl.reason;
    IF FOUND THEN
        RETURN number;
    END IF;
    SELECT b.occurred_at INTO due FROM casino.breach b
     WHERE b.player_id = excuse_delay_impl.player_id AND b.entry_no = excuse_delay_impl.entry_no AND b.rule IN ('winnings_late', 'withdrawal_late');
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no late payment of entry % of player % is recorded', entry_no, player_id
            USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'casino.record_overdue() records what is late.';
    END IF;
    excused := casino.event_time(at, due);
    SELECT coalesce(max(e.excuse_no), 0) + 1 INTO number FROM casino.excused_delay e
     WHERE e.player_id = excuse_delay_impl.player_id AND e.entry_no = excuse_delay_impl.entry_no;
    INSERT INTO casino.excused_delay (player_id, entry_no, excuse_no, reason, excused_at, recorded_at)
    VALUES (excuse_delay_impl.player_id, excuse_delay_impl.entry_no, number, excuse_delay_impl.reason, excused, clock_timestamp());
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.excuse_delay_impl(bigint, bigint, text, timestamptz) IS 'Body of excuse_delay(), run as the owner of the ledger';
-- Winnings that are withheld while a round or a player is investigated (D4 §11.1, D0).

CREATE FUNCTION casino.install_withholding() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.withholding (
        player_id   bigint NOT NULL,
        round_id    bigint NOT NULL,
        reason      text NOT NULL CHECK (octet_length(reason) <= 1000),
        withheld_at timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, round_id)
    );
    CREATE INDEX withholding_round ON casino.withholding (round_id);
    COMMENT ON INDEX casino.withholding_round IS 'Finds the players of a round who are withheld';
    COMMENT ON TABLE casino.withholding IS 'Append-only: single players whose winnings of a round are held back while it is investigated (D4 §11.1, D0)';
    COMMENT ON COLUMN casino.withholding.player_id IS 'Player';
    COMMENT ON COLUMN casino.withholding.round_id IS 'Round';
    COMMENT ON COLUMN casino.withholding.reason IS 'Why';
    COMMENT ON COLUMN casino.withholding.withheld_at IS 'When it was ordered';
    COMMENT ON COLUMN casino.withholding.recorded_at IS 'When it was written';

    CREATE TABLE casino.withholding_end (
        player_id   bigint NOT NULL,
        round_id    bigint NOT NULL,
        how         text NOT NULL CHECK (how IN ('paid', 'voided')),
        reason      text CHECK (octet_length(reason) <= 1000),
        ended_at    timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (player_id, round_id),
        CHECK (reason IS NOT NULL OR how = 'paid')
    );
    COMMENT ON TABLE casino.withholding_end IS 'Append-only: how the withholding of single players ended, also of players paid or voided alone in a round withheld as a whole';
    COMMENT ON COLUMN casino.withholding_end.player_id IS 'Player';
    COMMENT ON COLUMN casino.withholding_end.round_id IS 'Round';
    COMMENT ON COLUMN casino.withholding_end.how IS 'paid: what he won was posted; voided: his stakes went back';
    COMMENT ON COLUMN casino.withholding_end.reason IS 'Why the wagers were voided, or the winnings released';
    COMMENT ON COLUMN casino.withholding_end.ended_at IS 'When it ended';
    COMMENT ON COLUMN casino.withholding_end.recorded_at IS 'When it was written';

    PERFORM casino.make_append_only('withholding', 'withholding_end');
    PERFORM casino.make_recorded('withholding');
    PERFORM casino.make_recorded('withholding_end');
END
$fn$;
COMMENT ON FUNCTION casino.install_withholding() IS 'Part of casino.install(): winnings withheld';

CREATE FUNCTION casino.install_withholding_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.unpaid_winnings AS
        SELECT e.player_id, e.entry_no, r.round_id, e.bet, e.grade, e.payout, r.evaluated_at, r.due_at, clock_timestamp() >= r.due_at AS overdue,
               coalesce(h.reason, r.withheld_reason) AS reason, coalesce(h.withheld_at, r.withheld_at) AS withheld_at,
               coalesce(h.recorded_by, r.withheld_by) AS withheld_by,
               (SELECT x.reason FROM casino.excused_delay x WHERE x.player_id = e.player_id AND x.entry_no = e.entry_no
                 ORDER BY x.excuse_no DESC LIMIT 1) AS excuse
          FROM (SELECT w.round_id, w.evaluated_at, w.withheld_reason, w.withheld_at, w.withheld_by, casino.payment_due_at(w.evaluated_at, 30) AS due_at
                  FROM casino.round w WHERE w.status = 'withheld'
                UNION ALL
                SELECT w.round_id, w.evaluated_at, w.withheld_reason, w.withheld_at, w.withheld_by, casino.payment_due_at(w.evaluated_at, 30)
                  FROM (SELECT DISTINCT p.round_id FROM casino.withholding p
                         WHERE NOT EXISTS (SELECT FROM casino.withholding_end n WHERE n.player_id = p.player_id AND n.round_id = p.round_id)) o
                  JOIN casino.round w ON w.round_id = o.round_id AND w.status = 'settled') r
         CROSS JOIN LATERAL casino.withheld_winnings(r.round_id) e
          LEFT JOIN casino.withholding h ON h.player_id = e.player_id AND h.round_id = r.round_id;
    COMMENT ON VIEW casino.unpaid_winnings IS 'Evaluated wagers whose payout is withheld, with the end of the 30th day after the day of evaluation (D4 §11.1)';
    COMMENT ON COLUMN casino.unpaid_winnings.payout IS 'CZK to be paid';
    COMMENT ON COLUMN casino.unpaid_winnings.due_at IS 'First instant that is too late';
    COMMENT ON COLUMN casino.unpaid_winnings.overdue IS 'The deadline has passed';
    COMMENT ON COLUMN casino.unpaid_winnings.reason IS 'Why it is withheld: the player''s own reason, else the round''s';
    COMMENT ON COLUMN casino.unpaid_winnings.withheld_at IS 'When that was ordered';
    COMMENT ON COLUMN casino.unpaid_winnings.withheld_by IS 'Who ordered it: casino.recorder';
    COMMENT ON COLUMN casino.unpaid_winnings.excuse IS 'The last reason recorded for its delay';
END
$fn$;
COMMENT ON FUNCTION casino.install_withholding_views() IS 'Part of casino.install(): unpaid winnings';

CREATE FUNCTION casino.withhold_winnings(round_id bigint, player_id bigint, reason text, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_withhold_winnings' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.withhold_winnings(bigint, bigint, text, timestamptz) IS 'Holds back what a player wins in a round (NULL: what all win) when it is settled; the others are paid (D4 §11.1, D0)';

CREATE FUNCTION casino.pay_withheld(round_id bigint, at timestamptz DEFAULT NULL, player_id bigint DEFAULT NULL,
                                    reason text DEFAULT NULL) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_pay_withheld' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.pay_withheld(bigint, timestamptz, bigint, text) IS 'Posts the payouts that were withheld: of one player, or all that the round''s own withholding holds back (where only single players are withheld, theirs). What withhold_winnings() has ordered is released by a role that may order it, with a reason';

CREATE FUNCTION casino.pay_withheld_for(round_id bigint, at timestamptz, player_id bigint, reason text, authority text) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_pay_withheld_for' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.pay_withheld_for(bigint, timestamptz, bigint, text, text) IS 'Part of obey(): pay_withheld() of a caller at the hub who has that release_authority()';

CREATE FUNCTION casino.release_authority() RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_release_authority' LANGUAGE C STABLE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.release_authority() IS 'Part of the hub: what the caller may release of what was withheld by order: none, all with a reason, or all';

CREATE FUNCTION casino.void_wagers(round_id bigint, player_id bigint, reason text, at timestamptz DEFAULT NULL) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_void_wagers' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.void_wagers(bigint, bigint, text, timestamptz) IS 'Returns the stakes of a player whose winnings are withheld: his wagers are void (D0). The round''s figures stay those of its evaluation';

CREATE FUNCTION casino.withheld_winnings(round_id bigint, OUT player_id bigint, OUT entry_no bigint, OUT bet casino.bet,
                                         OUT grade text, OUT payout numeric) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_withheld_winnings' LANGUAGE C STABLE STRICT PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION casino.withheld_winnings(bigint) IS 'Part of casino.unpaid_winnings: wagers of a withheld round that won and are not paid';
-- Results found wrong after the evaluation (D4 Blackjack §16, R11.33 to R11.38): proposed by one person, in force when a second one has
-- approved; each wager is graded anew and the difference is posted; what a player cannot give back is a claim.

CREATE FUNCTION casino.install_corrections() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE SEQUENCE casino.correction_no_seq AS bigint;
    COMMENT ON SEQUENCE casino.correction_no_seq IS 'Numbers of corrections of results';

    CREATE TABLE casino.round_correction (
        correction_no    bigint PRIMARY KEY,
        round_id         bigint NOT NULL REFERENCES casino.round,
        outcome          jsonb,
        outcome_document jsonb,
        reason           text NOT NULL CHECK (octet_length(reason) <= 1000),
        proposed_at      timestamptz NOT NULL,
        recorded_at      timestamptz NOT NULL,
        CHECK ((outcome IS NULL) = (outcome_document IS NULL))
    );
    CREATE INDEX round_correction_round ON casino.round_correction (round_id);
    COMMENT ON INDEX casino.round_correction_round IS 'Finds the corrections of a round';
    COMMENT ON TABLE casino.round_correction IS 'Append-only: other results of evaluated rounds, as they were proposed; in force once casino.correction_decision says so';
    COMMENT ON COLUMN casino.round_correction.correction_no IS 'Number of the correction';
    COMMENT ON COLUMN casino.round_correction.round_id IS 'Round';
    COMMENT ON COLUMN casino.round_correction.outcome IS 'The right outcome in the canonical form; NULL: the round is void';
    COMMENT ON COLUMN casino.round_correction.outcome_document IS 'The right outcome as it was given';
    COMMENT ON COLUMN casino.round_correction.reason IS 'Why';
    COMMENT ON COLUMN casino.round_correction.proposed_at IS 'When it was proposed';
    COMMENT ON COLUMN casino.round_correction.recorded_at IS 'When it was written';

    CREATE TABLE casino.correction_decision (
        correction_no bigint PRIMARY KEY,
        round_id      bigint NOT NULL REFERENCES casino.round,
        version       integer CHECK (version > 0),
        reason        text CHECK (octet_length(reason) <= 1000),
        status        text NOT NULL CHECK (status IN ('rejected', 'settled', 'withheld', 'voided')),
        wagers        bigint,
        players       bigint,
        staked        numeric,
        paid          numeric,
        entries       bigint NOT NULL,
        posted        numeric NOT NULL,
        claimed       numeric NOT NULL,
        former        jsonb NOT NULL,
        decided_at    timestamptz NOT NULL,
        recorded_at   timestamptz NOT NULL,
        UNIQUE (round_id, version),
        CHECK ((status = 'rejected') = (version IS NULL) AND (status = 'rejected') = (reason IS NOT NULL))
    );
    COMMENT ON TABLE casino.correction_decision IS 'Append-only: how a correction was decided by a second person, the version of the round that it made, and the version before';
    COMMENT ON COLUMN casino.correction_decision.correction_no IS 'Correction';
    COMMENT ON COLUMN casino.correction_decision.round_id IS 'Round';
    COMMENT ON COLUMN casino.correction_decision.version IS 'Counts the corrections of a round that are in force from 1; version 0 is the first evaluation; NULL: rejected';
    COMMENT ON COLUMN casino.correction_decision.reason IS 'Why it was rejected';
    COMMENT ON COLUMN casino.correction_decision.status IS 'rejected, or the status of the round by this version';
    COMMENT ON COLUMN casino.correction_decision.wagers IS 'Wagers by this version';
    COMMENT ON COLUMN casino.correction_decision.players IS 'Players who had one';
    COMMENT ON COLUMN casino.correction_decision.staked IS 'CZK staked';
    COMMENT ON COLUMN casino.correction_decision.paid IS 'CZK that this version pays, or returns';
    COMMENT ON COLUMN casino.correction_decision.entries IS 'Entries of kind correction that it has posted';
    COMMENT ON COLUMN casino.correction_decision.posted IS 'CZK that they gave the players, negative when they took';
    COMMENT ON COLUMN casino.correction_decision.claimed IS 'CZK that players could not give back, and new claims are of';
    COMMENT ON COLUMN casino.correction_decision.former IS 'The version before: status, outcome and document, figures, void';
    COMMENT ON COLUMN casino.correction_decision.decided_at IS 'When it was decided';
    COMMENT ON COLUMN casino.correction_decision.recorded_at IS 'When it was written';

    CREATE TABLE casino.hand_version (
        round_id           bigint NOT NULL REFERENCES casino.round,
        version            integer NOT NULL CHECK (version >= 0),
        side               text NOT NULL,
        seat               integer NOT NULL,
        group_no           integer NOT NULL,
        hand               integer NOT NULL,
        cards              casino.hand NOT NULL,
        surrendered        boolean NOT NULL,
        folded             boolean NOT NULL,
        even_money         boolean NOT NULL,
        even_money_players bigint[] NOT NULL,
        players            bigint[] NOT NULL,
        PRIMARY KEY (round_id, version, side, seat, group_no, hand)
    );
    COMMENT ON TABLE casino.hand_version IS 'Append-only: cards of corrected rounds by version; casino.dealt_hand has those that hold now';
    COMMENT ON COLUMN casino.hand_version.round_id IS 'Round';
    COMMENT ON COLUMN casino.hand_version.version IS '0: as it was first evaluated; else the version of casino.correction_decision';
    COMMENT ON COLUMN casino.hand_version.side IS 'Whose cards';
    COMMENT ON COLUMN casino.hand_version.seat IS 'Seat (box), 0 where there is none';
    COMMENT ON COLUMN casino.hand_version.group_no IS 'Shared box: 0 for everybody without a hand of his own, else a group of players with the same hands';
    COMMENT ON COLUMN casino.hand_version.hand IS 'Hand of the seat or group, from 1';
    COMMENT ON COLUMN casino.hand_version.cards IS 'Cards in the order dealt';
    COMMENT ON COLUMN casino.hand_version.surrendered IS 'Given up for half the stake';
    COMMENT ON COLUMN casino.hand_version.folded IS 'Thrown away (Texas Hold''em)';
    COMMENT ON COLUMN casino.hand_version.even_money IS 'All with a main bet on it took 1:1 for their blackjack';
    COMMENT ON COLUMN casino.hand_version.even_money_players IS 'Single players who took it';
    COMMENT ON COLUMN casino.hand_version.players IS 'Players of the group, on its hand 1';

    CREATE TABLE casino.claim (
        player_id      bigint NOT NULL,
        claim_no       bigint NOT NULL,
        round_id       bigint NOT NULL REFERENCES casino.round,
        stake_entry_no bigint NOT NULL,
        correction_no  bigint NOT NULL,
        amount         numeric NOT NULL CHECK (amount > 0),
        claimed_at     timestamptz NOT NULL,
        recorded_at    timestamptz NOT NULL,
        PRIMARY KEY (player_id, claim_no)
    );
    CREATE INDEX claim_player ON casino.claim (player_id, stake_entry_no);
    COMMENT ON INDEX casino.claim_player IS 'Finds the claims of a wager and of a player';
    COMMENT ON TABLE casino.claim IS 'Append-only: what a player had been paid by a wrong result and could not give back: his wallet never goes below zero, and nothing is taken later';
    COMMENT ON COLUMN casino.claim.claim_no IS 'Number of the claim: that of the player times 1 000 000 000, and a count of his claims from 1';
    COMMENT ON COLUMN casino.claim.player_id IS 'Player';
    COMMENT ON COLUMN casino.claim.round_id IS 'Round';
    COMMENT ON COLUMN casino.claim.stake_entry_no IS 'The wager';
    COMMENT ON COLUMN casino.claim.correction_no IS 'The correction that could not be posted as a whole';
    COMMENT ON COLUMN casino.claim.amount IS 'CZK that he owes';
    COMMENT ON COLUMN casino.claim.claimed_at IS 'When the correction came into force';
    COMMENT ON COLUMN casino.claim.recorded_at IS 'When it was written';

    CREATE TABLE casino.claim_end (
        claim_no      bigint PRIMARY KEY,
        how           text NOT NULL CHECK (how IN ('paid', 'waived', 'corrected')),
        reason        text NOT NULL CHECK (octet_length(reason) <= 1000),
        correction_no bigint,
        ended_at      timestamptz NOT NULL,
        recorded_at   timestamptz NOT NULL,
        CHECK ((how = 'corrected') = (correction_no IS NOT NULL))
    );
    COMMENT ON TABLE casino.claim_end IS 'Append-only: how a claim ended';
    COMMENT ON COLUMN casino.claim_end.claim_no IS 'Claim';
    COMMENT ON COLUMN casino.claim_end.how IS 'paid: the player gave it back; waived: the operator goes without; corrected: a later correction of the round says that less is owed, or nothing';
    COMMENT ON COLUMN casino.claim_end.reason IS 'Why, or how';
    COMMENT ON COLUMN casino.claim_end.correction_no IS 'The later correction';
    COMMENT ON COLUMN casino.claim_end.ended_at IS 'When it ended';
    COMMENT ON COLUMN casino.claim_end.recorded_at IS 'When it was written';

    PERFORM casino.make_append_only('round_correction', 'correction_decision', 'hand_version', 'claim', 'claim_end');
    PERFORM casino.make_recorded('round_correction');
    PERFORM casino.make_recorded('correction_decision');
    PERFORM casino.make_recorded('claim');
    PERFORM casino.make_recorded('claim_end');
END
$fn$;
COMMENT ON FUNCTION casino.install_corrections() IS 'Part of casino.install(): corrections of results, claims';

CREATE FUNCTION casino.install_correction_views() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- all columns of casino.round; corrections are few: they are found once, not for each round
    EXECUTE (SELECT 'CREATE VIEW casino.round_as_evaluated AS SELECT '
                    || string_agg(CASE WHEN a.attname IN ('outcome', 'outcome_document')
                                       THEN format('CASE WHEN f.round_id IS NULL THEN r.%1$I ELSE f.former -> %2$L END AS %1$I', a.attname,
                                                   CASE a.attname WHEN 'outcome' THEN 'outcome' ELSE 'document' END)
                                       WHEN a.attname IN ('status', 'wagers', 'players', 'staked', 'paid', 'void_reason', 'voided_at', 'voided_by')
                                       THEN format('CASE WHEN e.round_id IS NULL THEN r.%1$I ELSE (e.former ->> %2$L)::%3$s END AS %1$I', a.attname, a.attname,
                                                   format_type(a.atttypid, a.atttypmod))
                                       ELSE format('r.%I', a.attname) END, ', ' ORDER BY a.attnum)
                    || ' FROM casino.round r
                         LEFT JOIN casino.correction_decision f ON f.round_id = r.round_id AND f.version = 1
                         LEFT JOIN (SELECT DISTINCT ON (d.round_id) d.round_id, d.former FROM casino.correction_decision d
                                     WHERE d.version IS NOT NULL AND d.former ->> ''status'' IN (''settled'', ''voided'')
                                     ORDER BY d.round_id, d.version) e ON e.round_id = r.round_id'
               FROM pg_attribute a WHERE a.attrelid = 'casino.round'::regclass AND a.attnum > 0 AND NOT a.attisdropped);
    COMMENT ON VIEW casino.round_as_evaluated IS 'Rounds with the outcome and the figures of their first evaluation, without corrections: what seals cover; casino.round has what holds now';

    CREATE VIEW casino.hand_as_evaluated AS
        SELECT h.round_id, h.side, h.seat, h.group_no, h.hand, h.cards, h.surrendered, h.folded, h.even_money, h.even_money_players, h.players
          FROM casino.dealt_hand h
         WHERE NOT EXISTS (SELECT FROM casino.hand_version v WHERE v.round_id = h.round_id AND v.version = 0)
        UNION ALL
        SELECT v.round_id, v.side, v.seat, v.group_no, v.hand, v.cards, v.surrendered, v.folded, v.even_money, v.even_money_players, v.players
          FROM casino.hand_version v WHERE v.version = 0;
    COMMENT ON VIEW casino.hand_as_evaluated IS 'Cards of rounds as they were first evaluated, without corrections: what seals cover; casino.dealt_hand has what holds now';

    CREATE VIEW casino.open_claim AS
        SELECT c.claim_no, c.player_id, c.round_id, c.stake_entry_no, c.correction_no, c.amount, c.claimed_at, k.reason
          FROM casino.claim c
          JOIN casino.round_correction k ON k.correction_no = c.correction_no
         WHERE NOT EXISTS (SELECT FROM casino.claim_end e WHERE e.claim_no = c.claim_no);
    COMMENT ON VIEW casino.open_claim IS 'Claims that are neither paid nor waived, nor taken back by a later correction';
    COMMENT ON COLUMN casino.open_claim.reason IS 'Why the result was corrected';

    CREATE VIEW casino.pending_correction AS
        SELECT c.correction_no, c.round_id, c.outcome_document, c.reason, c.proposed_at, w.role, w.actor
          FROM casino.round_correction c
          LEFT JOIN casino.recorder w ON w.recorder_id = c.recorded_by
         WHERE NOT EXISTS (SELECT FROM casino.correction_decision d WHERE d.correction_no = c.correction_no);
    COMMENT ON VIEW casino.pending_correction IS 'Corrections that wait for a second person';
END
$fn$;
COMMENT ON FUNCTION casino.install_correction_views() IS 'Part of casino.install(): rounds as they were first evaluated, open claims, corrections that wait';

CREATE FUNCTION casino.correct_round(round_id bigint, outcome jsonb, reason text, at timestamptz DEFAULT NULL) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_correct_round' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.correct_round(bigint, jsonb, text, timestamptz) IS 'Proposes another outcome of an evaluated round (NULL: the round is void); approve_correction() of a second person brings it into force. Returns the number of the correction, the same for the same content';

CREATE FUNCTION casino.approve_correction(correction_no bigint, at timestamptz DEFAULT NULL) RETURNS casino.settlement
    AS 'MODULE_PATHNAME', 'casino_sql_approve_correction' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.approve_correction(bigint, timestamptz) IS 'Brings a correction into force: grades every wager anew and posts the differences as entries of kind correction; what a player cannot give back becomes a claim. Another person than the one who proposed it';

CREATE FUNCTION casino.reject_correction(correction_no bigint, reason text, at timestamptz DEFAULT NULL) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_reject_correction' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.reject_correction(bigint, text, timestamptz) IS 'Ends a correction that is not in force, so that another one can be proposed; also by the one who proposed it';

CREATE FUNCTION casino.settle_claim(claim_no bigint, reason text, at timestamptz DEFAULT NULL, waived boolean DEFAULT false) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.settle_claim(bigint, text, timestamptz, boolean) IS 'Ends a claim: the player has given the money back, or (waived) the operator goes without; moves no money itself';

CREATE FUNCTION casino.settle_claim_impl(claim_no bigint, reason text, at timestamptz, waived boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    of casino.claim;
    before casino.claim_end;
    ended timestamptz;
    way CONSTANT text := CASE WHEN waived THEN 'waived' ELSE 'paid' END;
BEGIN
    IF claim_no IS NULL OR waived IS NULL OR reason IS NULL THEN
        RAISE EXCEPTION 'claim_no, reason and waived must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF btrim(reason, E' \t\r\n') = '' THEN
        RAISE EXCEPTION 'the end of a claim needs a reason' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino.bounded(reason, 'reason', 1000);
    SELECT c.* INTO of FROM casino.claim c WHERE c.player_id = settle_claim_impl.claim_no / 1000000000 AND c.claim_no = settle_claim_impl.claim_no;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'claim % does not exist', claim_no USING ERRCODE = 'foreign_key_violation';
    END IF;
    -- a correction of the round that changes what is owed holds this lock
    PERFORM casino.lock_player(of.player_id);
    SELECT e.* INTO before FROM casino.claim_end e WHERE e.claim_no = settle_claim_impl.claim_no;
    IF FOUND THEN
        IF before.reason = settle_claim_impl.reason AND before.how = way THEN
            RETURN;
        END IF;
        RAISE EXCEPTION 'claim % has ended', claim_no
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = format('It was %s at %s: %s', before.how, before.ended_at, before.reason);
    END IF;
    ended := casino.event_time(at, of.claimed_at);
    IF ended < of.claimed_at THEN
        RAISE EXCEPTION 'time % is before the claim', ended
            USING ERRCODE = 'KL005', DETAIL = format('It was made at %s.', of.claimed_at);
    END IF;
    INSERT INTO casino.claim_end (claim_no, how, reason, ended_at, recorded_at)
    VALUES (settle_claim_impl.claim_no, way, settle_claim_impl.reason, ended, clock_timestamp());
END
$fn$;
COMMENT ON FUNCTION casino.settle_claim_impl(bigint, text, timestamptz, boolean) IS 'Body of settle_claim(), run as the owner of the ledger';
-- The evaluation of rounds: from the stakes, the outcome and the plan alone. One view a family of games grades its wagers
-- (graded_*, in the family's part), one applies odds and declared wins to them (evaluation_*, all of one text);
-- casino.evaluation is all of them.

CREATE FUNCTION casino.install_standing_stake() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE VIEW casino.plan_odds AS
        SELECT k.plan_id, jsonb_object_agg(k.kind, k.odds) AS odds
          FROM (SELECT b.plan_id, b.kind,
                       coalesce(jsonb_object_agg(t.grade, jsonb_build_array(t.num, t.den)) FILTER (WHERE t.grade IS NOT NULL), '{}')
                       || jsonb_strip_nulls(jsonb_build_object('declared_win', b.declared_win)) AS odds
                  FROM casino.bet_rule b
                  LEFT JOIN casino.paytable t ON t.plan_id = b.plan_id AND t.kind = b.kind
                 GROUP BY b.plan_id, b.kind) k
         GROUP BY k.plan_id;
    COMMENT ON VIEW casino.plan_odds IS 'Part of bet_return() and plan_audit(): paytables and declared wins of each plan version in one value';
    COMMENT ON COLUMN casino.plan_odds.odds IS 'By kind of bet: declared_win, and by grade [num, den]';

    -- q is what there is to find out once a round: the stakes are joined to q's own round_id, so that the planner cannot find
    -- it out for each of them.  Only where something was returned each stake is looked up.  OFFSET 0 keeps these questions
    -- from being joined to all rounds, and ORDER BY from reading the ledger until it meets one, as it would for EXISTS.
    -- A plan may be made when the ledger is nearly empty and live until the next ANALYZE, and in an empty ledger all ways are
    -- equal: so none is left but the right one.  A function that returns a set keeps s apart (not OFFSET 0: the player asked
    -- for must get through), and q's round_id is a value there: as a join it could be left for a filter over the stakes of all
    -- rounds.  And what became of a stake is asked without the kind, for which ledger_round would be read from end to end.
    -- Nothing here may depend on another row of the join than the round itself: the planner may try a round with the plan of
    -- another game before it finds that they do not belong together.  So what is asked of the outcome is NULL where a family has
    -- no such member, and the rules of a plan are found from the round's own plan, and are NULL (of no rows) if it is not blackjack.
    -- "planner_hint" multiplies what the planner thinks the stakes of a round are, and its boxes: taking ten thousand for one, as it
    -- does before the first ANALYZE, it would evaluate the one anew for each of the other.
    CREATE VIEW casino.standing_stake AS
        SELECT r.round_id, r.plan_id, g.family, q.number, q.rules, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount,
               casino.planned_as_ten_rows() AS planner_hint
          FROM casino.round r
          JOIN casino.game_plan p ON p.plan_id = r.plan_id
          JOIN casino.game g ON g.game = p.game
         CROSS JOIN LATERAL (SELECT r.round_id,
                                    (SELECT f.player_id FROM casino.ledger f
                                      WHERE f.round_id = r.round_id AND f.kind = 'refund'
                                      ORDER BY f.player_id LIMIT 1) IS NOT NULL AS any_returned,
                                    (r.outcome ->> 'number')::integer AS number,
                                    (SELECT casino.blackjack_rules(jsonb_object_agg(x.rule, x.value))
                                       FROM casino.plan_rule x
                                      WHERE x.plan_id = r.plan_id
                                        AND (SELECT y.family FROM casino.game_plan z JOIN casino.game y ON y.game = z.game
                                              WHERE z.plan_id = r.plan_id) = 'blackjack') AS rules
                             OFFSET 0) q
         CROSS JOIN LATERAL (SELECT l.player_id, l.entry_no, l.bet, l.seat, l.hand, l.amount, casino.planned_as_ten_rows() AS planner_hint
                               FROM casino.ledger l
                              WHERE l.round_id = q.round_id AND l.kind = 'stake') s
         WHERE r.status IN ('settled', 'withheld')
           AND NOT (q.any_returned
                    AND (SELECT f.kind FROM casino.ledger f
                          WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no AND f.correction_no IS NULL) IS NOT DISTINCT FROM 'refund');
    COMMENT ON VIEW casino.standing_stake IS 'Part of casino.evaluation: stakes of evaluated rounds, without those returned before betting closed';
    COMMENT ON COLUMN casino.standing_stake.planner_hint IS 'A hint to the planner';
    COMMENT ON COLUMN casino.standing_stake.number IS 'Roulette: the number; NULL in other games';
    COMMENT ON COLUMN casino.standing_stake.rules IS 'Blackjack: rules of the plan version as one number; NULL in other games';
END
$fn$;
COMMENT ON FUNCTION casino.install_standing_stake() IS 'Part of casino.install(): what the views of the evaluation ask';

CREATE FUNCTION casino.install_evaluation_of(family text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- OFFSET 0 makes the planner look a rule up by its key, once for each kind and grade of the round (Memoize): free to join
    -- as it likes, it knows nothing about kind(bet) and takes 10,000 wagers for a few.  A grade without its line of the
    -- paytable is an error of payout(), never a wager left out.
    EXECUTE format('COMMENT ON VIEW casino.%I IS %L', 'graded_' || family,
                   'Part of casino.evaluation: standing wagers of evaluated rounds with kind and grade, games of the family ' || family);
    EXECUTE format('COMMENT ON COLUMN casino.%I.share IS %L', 'graded_' || family,
                   'CZK from the pots, of games between players; NULL where the paytable pays');
    EXECUTE format('COMMENT ON COLUMN casino.%I.before IS %L', 'graded_' || family,
                   'Haléře on the position before this wager, see casino.position_staked(); NULL in games between players');
    EXECUTE format($view$
        CREATE VIEW casino.%I AS
            SELECT w.round_id, w.player_id, w.entry_no, w.bet, w.seat, w.hand, w.staked, w.grade,
                   CASE WHEN w.share IS NULL
                        THEN casino.payout(w.bet, w.grade, coalesce(o.num, 0), coalesce(o.den, 0), coalesce(o.declared_win, 'Infinity'), w.before)
                        ELSE w.share
                   END AS payout,
                   w.share IS NULL AND o.declared_win IS NOT NULL
                   AND casino.is_capped(w.bet, w.grade, coalesce(o.num, 0), coalesce(o.den, 0), o.declared_win, w.before) AS capped,
                   CASE WHEN w.grade = 'returned' AND w.kind = 'insurance' THEN 'insurance_not_offered'
                        WHEN w.share IS NULL AND o.declared_win IS NOT NULL
                             AND casino.reaches_cap(w.bet, w.grade, coalesce(o.num, 0), coalesce(o.den, 0), o.declared_win, w.before)
                        THEN 'declared_win'
                   END AS breach
              FROM casino.%I w
              LEFT JOIN LATERAL (SELECT b.declared_win, t.num, t.den
                                   FROM casino.bet_rule b
                                   LEFT JOIN casino.paytable t ON t.plan_id = b.plan_id AND t.kind = b.kind AND t.grade = w.grade
                                  WHERE b.plan_id = w.plan_id AND b.kind = w.kind OFFSET 0) o ON true
        $view$, 'evaluation_' || family, 'graded_' || family);
    EXECUTE format('COMMENT ON VIEW casino.%I IS %L', 'evaluation_' || family,
                   'Part of casino.evaluation: the wagers of the family ' || family);
    EXECUTE format('COMMENT ON COLUMN casino.%I.payout IS %L', 'evaluation_' || family,
                   'CZK the wager gets back, stake included; 0 when lost');
    EXECUTE format('COMMENT ON COLUMN casino.%I.breach IS %L', 'evaluation_' || family,
                   'Rule that the wager broke, found out by the evaluation; declared_win stands at the first wager of a position that is cut');
    EXECUTE format('COMMENT ON COLUMN casino.%I.capped IS %L', 'evaluation_' || family,
                   'The declared net win of the kind bounds the profit of its position, as far as this wager');
END
$fn$;
COMMENT ON FUNCTION casino.install_evaluation_of(text) IS 'Part of casino.install(): what the grades of a family''s wagers are worth';

CREATE FUNCTION casino.install_evaluation() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- Of all families: each stake asks for its own evaluation, which evaluated_wager() has from its round's family.  A union of the
    -- five would take the planner longer than a round takes to evaluate, and could not be restricted by a join: so it costs
    -- what its rows cost, by whatever they are chosen.
    CREATE VIEW casino.evaluation AS
        SELECT s.round_id, s.player_id, s.entry_no, s.bet, s.seat, s.hand, s.amount AS staked, e.grade, e.payout, e.capped, e.breach,
               r.evaluated_at
          FROM casino.ledger s
          JOIN casino.round r ON r.round_id = s.round_id
         CROSS JOIN LATERAL casino.evaluated_wager(s.round_id, s.player_id, s.entry_no) e
         WHERE s.kind = 'stake' AND r.status IN ('settled', 'withheld');
    COMMENT ON VIEW casino.evaluation IS 'What the rules give each wager of an evaluated round, from the stakes, the outcome and the plan alone: views evaluation_roulette and so on, by the round''s family. The second opinion: settlement reckons the same in C, reconciliation and checks of payouts by hand ask here';
    COMMENT ON COLUMN casino.evaluation.payout IS 'CZK the wager gets back, stake included; 0 when lost';
    COMMENT ON COLUMN casino.evaluation.breach IS 'Rule that the wager broke, found out by the evaluation; declared_win stands at the first wager of a position that is cut';
    COMMENT ON COLUMN casino.evaluation.capped IS 'The declared net win of the kind bounds the profit of its position, as far as this wager';
    COMMENT ON COLUMN casino.evaluation.evaluated_at IS 'When the round was evaluated: days are asked for by this column';
END
$fn$;
COMMENT ON FUNCTION casino.install_evaluation() IS 'Part of casino.install(): the evaluation of all families';

CREATE FUNCTION casino.planned_as_ten_rows() RETURNS SETOF boolean
    AS 'MODULE_PATHNAME', 'casino_sql_many' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 10;
COMMENT ON FUNCTION casino.planned_as_ten_rows() IS 'Part of casino.standing_stake: returns one row, which the planner estimates as ten';

CREATE FUNCTION casino.evaluated_wager(round_id bigint, player_id bigint, entry_no bigint, OUT grade text, OUT payout numeric,
                                       OUT capped boolean, OUT breach text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_evaluated_wager' LANGUAGE C STABLE STRICT PARALLEL UNSAFE ROWS 1;
COMMENT ON FUNCTION casino.evaluated_wager(bigint, bigint, bigint) IS 'Part of casino.evaluation and casino.wager: what the rules give a wager of an evaluated round; no row for one that was returned';
-- Questions about bets: what they would get, what they can win at most.

CREATE FUNCTION casino.quote(game text, bets casino.bet[], outcome jsonb, at timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (bet casino.bet, grade text, profit numeric, payout numeric)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.quote(text, casino.bet[], jsonb, timestamptz) IS 'What one player''s bets would get on an outcome, as a round with the same wagers in that order: grade, profit (payout less stake) and payout. KR001 for cards that could not have been dealt and played so';

CREATE FUNCTION casino.quote_impl(game text, bets casino.bet[], outcome jsonb, at timestamptz)
RETURNS TABLE (bet casino.bet, grade text, profit numeric, payout numeric)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    plan CONSTANT bigint := casino.plan_in_force(game, at);
    family text;
    rules jsonb;
    document jsonb;
    hands integer[];
    unknown casino.bet;
BEGIN
    SELECT g.family INTO family FROM casino.game g WHERE g.game = quote_impl.game;
    SELECT jsonb_object_agg(r.rule, r.value) INTO rules FROM casino.plan_rule r WHERE r.plan_id = plan;
    document := casino.canonical_outcome(family, coalesce(rules, '{}'), outcome);
    SELECT b.bet INTO unknown FROM unnest(bets) b (bet)
     WHERE NOT EXISTS (SELECT FROM casino.bet_rule k WHERE k.plan_id = plan AND k.kind = casino.kind(b.bet)
                          AND (k.zero_offered OR k.kind = 'straight' OR 0 <> ALL (casino.covers(b.bet)))) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% does not offer %', game, unknown
            USING ERRCODE = 'KB004', DETAIL = format('No such bet stands in %s.', casino.plan_name(plan));
    END IF;
    hands := casino.quote_hands(family, plan, document, bets);
    -- the bets are one player's wagers in the order of entry: those on one position share its profit
    RETURN QUERY
    SELECT w.bet, w.grade, w.payout - casino.cost(w.bet), w.payout
      FROM (SELECT g.bet, g.grade, g.ordinality,
                   casino.payout(g.bet, g.grade, coalesce(t.num, 0), coalesce(t.den, 0), coalesce(k.declared_win, 'Infinity'), g.before) AS payout
              FROM (SELECT b.bet, b.grade, b.ordinality,
                           casino.position_staked(b.bet, NULL, b.hand) OVER (ORDER BY b.ordinality) AS before
                      FROM unnest(bets, casino.quote_grades(family, coalesce(rules, '{}'), document, bets, hands), hands)
                           WITH ORDINALITY b (bet, grade, hand, ordinality)) g
              JOIN casino.bet_rule k ON k.plan_id = plan AND k.kind = casino.kind(g.bet)
              LEFT JOIN casino.paytable t ON t.plan_id = plan AND t.kind = casino.kind(g.bet) AND t.grade = g.grade) w
     ORDER BY w.ordinality;
END
$fn$;
COMMENT ON FUNCTION casino.quote_impl(text, casino.bet[], jsonb, timestamptz) IS 'Body of quote(), run as the owner of the ledger';

CREATE FUNCTION casino.max_win(game text, bet casino.bet, at timestamptz DEFAULT clock_timestamp()) RETURNS numeric
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.max_win(text, casino.bet, timestamptz) IS 'Largest possible profit in CZK of one wager alone on its position, never above the declared one';

CREATE FUNCTION casino.max_win_impl(game text, bet casino.bet, at timestamptz) RETURNS numeric
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    plan CONSTANT bigint := casino.plan_in_force(game, at);
    rule casino.bet_rule;
    win numeric;
BEGIN
    SELECT b.* INTO rule FROM casino.bet_rule b WHERE b.plan_id = plan AND b.kind = casino.kind(max_win_impl.bet);
    IF NOT FOUND OR NOT (rule.zero_offered OR rule.kind = 'straight' OR 0 <> ALL (casino.covers(bet))) THEN
        RAISE EXCEPTION '% does not offer %', game, bet
            USING ERRCODE = 'KB004', DETAIL = format('No such bet stands in %s.', casino.plan_name(plan));
    END IF;
    -- egalite pays by the points it names; a grade of other points is not this bet's
    SELECT max(casino.payout(max_win_impl.bet, t.grade, t.num, t.den, coalesce(rule.declared_win, 'Infinity'))) - casino.cost(bet)
      INTO win
      FROM casino.paytable t
     WHERE t.plan_id = plan AND t.kind = casino.kind(max_win_impl.bet)
       AND (casino.kind(max_win_impl.bet) <> 'egalite' OR t.grade = 'tie_' || casino.selection(max_win_impl.bet));
    RETURN win;
END
$fn$;
COMMENT ON FUNCTION casino.max_win_impl(text, casino.bet, timestamptz) IS 'Body of max_win(), run as the owner of the ledger';
-- What a game server shows: the bets on offer with the limits that are enforced, the lobby, and what a round has brought each player.

CREATE FUNCTION casino.position_limits_of(table_id bigint, table_version integer, plan_id bigint,
                                          OUT kind text, OUT min numeric, OUT max numeric, OUT min_from text, OUT max_from text)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_position_limits_of' LANGUAGE C STABLE STRICT PARALLEL UNSAFE ROWS 20;
COMMENT ON FUNCTION casino.position_limits_of(bigint, integer, bigint)
    IS 'Part of position_limits() and offer(): limits in CZK of each kind under a version of the table and of the game plan';

CREATE FUNCTION casino.position_limits(table_id bigint, at timestamptz DEFAULT clock_timestamp(),
                                       OUT kind text, OUT selection text, OUT phase text, OUT min numeric, OUT max numeric,
                                       OUT min_from text, OUT max_from text, OUT requires text, OUT declared_win numeric)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE ROWS 20;
COMMENT ON FUNCTION casino.position_limits(bigint, timestamptz)
    IS 'Limits in CZK that a table enforces at a time on each kind of bet, all chips of one player''s position together, and where each limit comes from';

CREATE FUNCTION casino.position_limits_impl(table_id bigint, at timestamptz,
                                            OUT kind text, OUT selection text, OUT phase text, OUT min numeric, OUT max numeric,
                                            OUT min_from text, OUT max_from text, OUT requires text, OUT declared_win numeric)
RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    moment CONSTANT timestamptz := coalesce(position_limits_impl.at, clock_timestamp());
    plan bigint;
BEGIN
    IF position_limits_impl.table_id IS NULL THEN
        RAISE EXCEPTION 'table_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT casino.plan_in_force(t.game, moment) INTO plan
      FROM casino.game_table t
     WHERE t.table_id = position_limits_impl.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', position_limits_impl.table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    RETURN QUERY
        SELECT l.kind, nullif(k.selection, 'none'), b.phase, l.min, l.max, l.min_from, l.max_from, b.requires, b.declared_win
          FROM casino.position_limits_of(position_limits_impl.table_id,
                                         casino.table_version_at(position_limits_impl.table_id, moment), plan) l
          JOIN casino.bet_rule b ON b.plan_id = plan AND b.kind = l.kind
          JOIN casino.bet_kinds() WITH ORDINALITY k (kind, selection, free, position) ON k.kind = l.kind
         ORDER BY k.position;
END
$fn$;
COMMENT ON FUNCTION casino.position_limits_impl(bigint, timestamptz) IS 'Body of position_limits(), run as the owner of the ledger';

CREATE FUNCTION casino.offer(table_id bigint,
                             OUT kind text, OUT selection text, OUT phase text, OUT min numeric, OUT max numeric, OUT declared_win numeric,
                             OUT round_id bigint, OUT round_ref text, OUT status text, OUT opened_at timestamptz,
                             OUT betting_until timestamptz)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE ROWS 20;
COMMENT ON FUNCTION casino.offer(bigint)
    IS 'Bets on offer at a table now: limits in CZK as they are enforced in its round under way, or in the next one, and that round with its clock';

CREATE FUNCTION casino.offer_impl(table_id bigint,
                                  OUT kind text, OUT selection text, OUT phase text, OUT min numeric, OUT max numeric,
                                  OUT declared_win numeric, OUT round_id bigint, OUT round_ref text, OUT status text,
                                  OUT opened_at timestamptz, OUT betting_until timestamptz)
RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    r casino.round;
    plan bigint;
    version integer;
BEGIN
    IF offer_impl.table_id IS NULL THEN
        RAISE EXCEPTION 'table_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT casino.plan_in_force(t.game, clock_timestamp()), casino.table_version_at(t.table_id, clock_timestamp())
      INTO plan, version
      FROM casino.game_table t
     WHERE t.table_id = offer_impl.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', offer_impl.table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    SELECT o.* INTO r
      FROM casino.round o
     WHERE o.table_id = offer_impl.table_id AND o.status IN ('open', 'closed');
    -- a round keeps the versions that it was opened under (R1.2)
    IF FOUND THEN
        plan := r.plan_id;
        version := r.table_version;
    END IF;
    RETURN QUERY
        SELECT l.kind, nullif(k.selection, 'none'), b.phase, l.min, l.max, b.declared_win,
               r.round_id, r.round_ref, CASE WHEN r.betting_until <= clock_timestamp() THEN 'closed' ELSE r.status END,
               r.opened_at, r.betting_until
          FROM casino.position_limits_of(offer_impl.table_id, version, plan) l
          JOIN casino.bet_rule b ON b.plan_id = plan AND b.kind = l.kind
          JOIN casino.bet_kinds() WITH ORDINALITY k (kind, selection, free, position) ON k.kind = l.kind
         ORDER BY k.position;
END
$fn$;
COMMENT ON FUNCTION casino.offer_impl(bigint) IS 'Body of offer(), run as the owner of the ledger';

CREATE FUNCTION casino.offers(OUT table_id bigint, OUT table_name text, OUT game text, OUT live boolean, OUT min numeric, OUT max numeric,
                              OUT seats integer, OUT surrender boolean, OUT behind boolean, OUT round_id bigint, OUT round_ref text,
                              OUT status text, OUT opened_at timestamptz, OUT betting_until timestamptz, OUT betting_closed_at timestamptz)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE ROWS 50;
COMMENT ON FUNCTION casino.offers()
    IS 'The lobby: every table with the limits in CZK of its principal bet, its switches and its round under way';

CREATE FUNCTION casino.offers_impl(OUT table_id bigint, OUT table_name text, OUT game text, OUT live boolean, OUT min numeric,
                                   OUT max numeric, OUT seats integer, OUT surrender boolean, OUT behind boolean, OUT round_id bigint,
                                   OUT round_ref text, OUT status text, OUT opened_at timestamptz, OUT betting_until timestamptz,
                                   OUT betting_closed_at timestamptz)
RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT t.table_id, t.name, t.game, g.live, v.min_stake, v.max_stake, v.seats, v.surrender, v.behind, r.round_id, r.round_ref,
               CASE WHEN r.betting_until <= clock_timestamp() THEN 'closed' ELSE r.status END,
               r.opened_at, r.betting_until, r.betting_closed_at
          FROM casino.game_table t
          JOIN casino.game g ON g.game = t.game
          LEFT JOIN casino.round r ON r.table_id = t.table_id AND r.status IN ('open', 'closed')
          JOIN casino.table_version v
            ON v.table_id = t.table_id
           AND v.version = coalesce(r.table_version, casino.table_version_at(t.table_id, clock_timestamp()))
         ORDER BY t.table_id;
END
$fn$;
COMMENT ON FUNCTION casino.offers_impl() IS 'Body of offers(), run as the owner of the ledger';

CREATE FUNCTION casino.round_result(round_id bigint,
                                    OUT player_id bigint, OUT wagers bigint, OUT staked numeric, OUT paid numeric, OUT balance numeric)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION casino.round_result(bigint)
    IS 'What a round has brought each of its players so far: wagers that stand, staked and paid in CZK with corrections, and the wallet as it is now';

CREATE FUNCTION casino.round_result_impl(round_id bigint,
                                         OUT player_id bigint, OUT wagers bigint, OUT staked numeric, OUT paid numeric, OUT balance numeric)
RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    IF round_result_impl.round_id IS NULL THEN
        RAISE EXCEPTION 'round_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM FROM casino.round r WHERE r.round_id = round_result_impl.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', round_result_impl.round_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.open_round() opens one.';
    END IF;
    -- a stake that goes back without having been placed leaves nothing behind; any other entry of the round that is no stake was paid
    RETURN QUERY
        SELECT e.player_id, e.wagers, e.staked, e.paid, p.balance
          FROM (SELECT l.player_id,
                       count(*) FILTER (WHERE l.kind = 'stake') - count(*) FILTER (WHERE n.never) AS wagers,
                       coalesce(sum(l.amount) FILTER (WHERE l.kind = 'stake'), 0.00)
                           - coalesce(sum(l.amount) FILTER (WHERE n.never), 0.00) AS staked,
                       coalesce(sum(l.amount) FILTER (WHERE l.kind <> 'stake' AND NOT n.never), 0.00) AS paid
                  FROM casino.ledger l
                 CROSS JOIN LATERAL (SELECT l.kind = 'refund' AND casino.never_placed(l.reason) AS never) n
                 WHERE l.round_id = round_result_impl.round_id AND l.kind <> 'adjustment'
                 GROUP BY l.player_id) e
          JOIN casino.player p ON p.player_id = e.player_id
         WHERE e.wagers > 0
         ORDER BY e.player_id;
END
$fn$;
COMMENT ON FUNCTION casino.round_result_impl(bigint) IS 'Body of round_result(), run as the owner of the ledger';
-- What a player may do now, and what a client that reconnects is shown.

CREATE FUNCTION casino.play_candidates(round_id bigint, player_id bigint,
                                       OUT bet casino.bet, OUT seat integer, OUT hand integer)
RETURNS SETOF record
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    -- the player's stakes that stand, seat by seat
    WITH stake AS (
        SELECT w.seat, w.hand, casino.kind(w.bet) AS kind, casino.stake(w.bet) AS amount
          FROM casino.wager w
         WHERE w.round_id = play_candidates.round_id AND w.player_id = play_candidates.player_id AND w.status = 'open'),
    place AS (
        SELECT s.seat,
               sum(s.amount) FILTER (WHERE s.kind IN ('main', 'behind', 'ante')) AS base,
               1 + count(DISTINCT s.hand) FILTER (WHERE s.kind IN ('split_pair', 'free_split')) AS hands
          FROM stake s
         GROUP BY s.seat),
    kind AS (
        SELECT b.kind,
               -- D4 Blackjack: insurance of half the stake; Casino Hold'em §10: a call of twice the ante
               CASE b.kind WHEN 'insurance' THEN 0.5 WHEN 'call' THEN 2 ELSE 1 END AS times,
               b.kind IN ('double_down', 'split_pair', 'free_double', 'free_split') AS by_hand
          FROM casino.round r
          JOIN casino.bet_rule b ON b.plan_id = r.plan_id
         WHERE r.round_id = play_candidates.round_id AND b.phase <> 'betting' AND b.kind <> 'pot')
    SELECT casino.bet(k.kind, NULL, trunc(p.base * k.times, 2)), p.seat, h.hand
      FROM place p
     CROSS JOIN kind k
     -- a split makes one hand more: the numbers that the hands can have by now
     CROSS JOIN LATERAL (SELECT g.n::integer AS hand FROM generate_series(1, 2 * p.hands) g (n) WHERE k.by_hand
                          UNION ALL SELECT NULL::integer WHERE NOT k.by_hand) h
     WHERE p.base > 0
$fn$;
COMMENT ON FUNCTION casino.play_candidates(bigint, bigint)
    IS 'Part of may_play(): wagers that may be placed while a round is played, for each seat and hand of the player, allowed or not';

CREATE FUNCTION casino.may_play(round_id bigint, player_id bigint,
                                OUT bet casino.bet, OUT seat integer, OUT hand integer, OUT amount numeric, OUT why_not text)
RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.may_play(bigint, bigint)
    IS 'What a player may do now in a round: each wager in play by seat and hand, with its amount in CZK (the most for insurance); why_not is NULL when place_bet() would take it, else its refusal. Leaves nothing behind';

-- The code that refuses is asked: each wager is placed and taken back.
CREATE FUNCTION casino.may_play_impl(round_id bigint, player_id bigint,
                                     OUT bet casino.bet, OUT seat integer, OUT hand integer, OUT amount numeric, OUT why_not text)
RETURNS SETOF record
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    candidate record;
BEGIN
    IF may_play_impl.round_id IS NULL OR may_play_impl.player_id IS NULL THEN
        RAISE EXCEPTION 'round_id and player_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM FROM casino.round r WHERE r.round_id = may_play_impl.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', may_play_impl.round_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.open_round() opens one.';
    END IF;
    PERFORM FROM casino.player p WHERE p.player_id = may_play_impl.player_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'player % does not exist', may_play_impl.player_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.register_player() registers one.';
    END IF;
    FOR candidate IN SELECT c.bet, c.seat, c.hand
                       FROM casino.play_candidates(may_play_impl.round_id, may_play_impl.player_id) c
                      ORDER BY c.seat, c.hand NULLS FIRST, casino.kind(c.bet) LOOP
        bet := candidate.bet;
        seat := candidate.seat;
        hand := candidate.hand;
        amount := casino.stake(candidate.bet);
        BEGIN
            PERFORM casino.place_bet(may_play_impl.round_id, may_play_impl.player_id, candidate.bet, NULL,
                                     candidate.seat, candidate.hand);
            -- ends the block, which takes the wager and its locks back
            RAISE SQLSTATE 'KZ000';
        EXCEPTION
            WHEN SQLSTATE 'KZ000' THEN
                why_not := NULL;
            WHEN SQLSTATE 'KB001' OR SQLSTATE 'KB002' OR SQLSTATE 'KB003' OR SQLSTATE 'KB004' OR SQLSTATE 'KB005'
              OR SQLSTATE 'KC001' OR SQLSTATE 'KC002' OR SQLSTATE 'KC004' OR SQLSTATE 'KC005' OR SQLSTATE 'KL002'
              OR invalid_parameter_value THEN
                why_not := SQLERRM;
        END;
        RETURN NEXT;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.may_play_impl(bigint, bigint) IS 'Body of may_play(), run as the owner of the ledger';

CREATE FUNCTION casino.round_view(table_id bigint, player_id bigint) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.round_view(bigint, bigint)
    IS 'What a client that reconnects is shown, in one call: table, its latest round with clock and cards, the player''s wagers in it, what he may do now, his wallet in CZK';

CREATE FUNCTION casino.round_view_impl(table_id bigint, player_id bigint) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    r casino.round;
    balance numeric;
    wagers jsonb;
    plays jsonb;
    shown jsonb;
BEGIN
    IF round_view_impl.table_id IS NULL OR round_view_impl.player_id IS NULL THEN
        RAISE EXCEPTION 'table_id and player_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT jsonb_build_object('table_id', t.table_id, 'name', t.name, 'game', t.game) INTO shown
      FROM casino.game_table t
     WHERE t.table_id = round_view_impl.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', round_view_impl.table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    SELECT p.balance INTO balance FROM casino.player p WHERE p.player_id = round_view_impl.player_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'player % does not exist', round_view_impl.player_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.register_player() registers one.';
    END IF;
    SELECT o.* INTO r
      FROM casino.round o
     WHERE o.table_id = round_view_impl.table_id
     ORDER BY o.opened_at DESC, o.round_id DESC
     LIMIT 1;
    SELECT coalesce(jsonb_agg(jsonb_build_object('entry_no', w.entry_no, 'bet', w.bet, 'seat', w.seat, 'hand', w.hand, 'status', w.status,
                                                 'grade', w.grade, 'payout', w.payout) ORDER BY w.entry_no), '[]')
      INTO wagers
      FROM casino.wager w
     WHERE w.round_id = r.round_id AND w.player_id = round_view_impl.player_id;
    plays := '[]';
    IF r.status IN ('open', 'closed') THEN
        SELECT coalesce(jsonb_agg(jsonb_build_object('bet', m.bet, 'seat', m.seat, 'hand', m.hand, 'amount', m.amount)
                                  ORDER BY m.seat, m.hand, casino.kind(m.bet)), '[]')
          INTO plays
          FROM casino.may_play(r.round_id, round_view_impl.player_id) m
         WHERE m.why_not IS NULL;
    END IF;
    RETURN jsonb_build_object('table', shown,
                              'round', CASE WHEN r.round_id IS NOT NULL THEN
                                  jsonb_build_object('round_id', r.round_id, 'round_ref', r.round_ref,
                                                     'status', CASE WHEN r.status = 'open' AND r.betting_until <= clock_timestamp()
                                                                    THEN 'closed' ELSE r.status END,
                                                     'opened_at', r.opened_at, 'betting_until', r.betting_until,
                                                     'betting_closed_at', r.betting_closed_at, 'actions_closed_at', r.actions_closed_at,
                                                     'evaluated_at', r.evaluated_at, 'outcome', r.outcome) END,
                              'dealt', CASE WHEN r.round_id IS NOT NULL THEN casino.last_deal(r.round_id) END,
                              'wagers', wagers, 'may_play', plays, 'balance', balance);
END
$fn$;
COMMENT ON FUNCTION casino.round_view_impl(bigint, bigint) IS 'Body of round_view(), run as the owner of the ledger';
-- Nights and reconciliations: their steps, one transaction each (R10.2, R10.3).  CALL nightly() and CALL reconcile() are C (src/ledger/night.c), which commits
-- between the steps: a procedure that commits can neither be SECURITY DEFINER nor pin its search_path.

CREATE FUNCTION casino.reconciliation_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.finished_at IS NOT NULL
       OR (OLD.run_no, OLD.from_day, OLD.to_day, OLD.night, OLD.started_at, OLD.repeats, OLD.repeated)
          IS DISTINCT FROM (NEW.run_no, NEW.from_day, NEW.to_day, NEW.night, NEW.started_at, NEW.repeats, NEW.repeated) THEN
        RAISE EXCEPTION 'cannot change reconciliation %', OLD.run_no
            USING ERRCODE = 'KL001', DETAIL = 'Only the progress of the run in hand changes.';
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino.reconciliation_guard() IS 'Trigger of casino.reconciliation: only the progress of a run in hand changes';

CREATE FUNCTION casino.install_reconciliation() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.reconciliation (
        run_no      bigint PRIMARY KEY,
        from_day    date NOT NULL,
        to_day      date NOT NULL CHECK (to_day >= from_day),
        night       boolean NOT NULL,
        started_at  timestamptz NOT NULL,
        finished_at timestamptz,
        status      text NOT NULL CHECK (status IN ('running', 'clean', 'differences', 'failed')),
        step        text,
        done        integer NOT NULL CHECK (done >= 0),
        total       integer NOT NULL CHECK (total >= done),
        error       text,
        amount      numeric,
        repeats     bigint REFERENCES casino.reconciliation,
        repeated    text,
        CHECK ((repeats IS NULL) = (repeated IS NULL)),
        CHECK (finished_at IS NULL OR status IN ('clean', 'differences'))
    );
    CREATE UNIQUE INDEX reconciliation_unfinished ON casino.reconciliation (from_day, to_day, night) WHERE finished_at IS NULL AND repeats IS NULL;
    CREATE INDEX reconciliation_day ON casino.reconciliation (to_day, from_day);
    COMMENT ON INDEX casino.reconciliation_unfinished IS 'A run that was stopped is found and goes on; there is one of the same days';
    COMMENT ON INDEX casino.reconciliation_day IS 'Finds the runs of a day';
    COMMENT ON TABLE casino.reconciliation IS 'Runs of casino.nightly() and casino.reconcile(); the row of the run in hand shows how far it is, others do not change';
    COMMENT ON COLUMN casino.reconciliation.run_no IS 'Counts the runs from 1';
    COMMENT ON COLUMN casino.reconciliation.from_day IS 'First Prague day that is checked';
    COMMENT ON COLUMN casino.reconciliation.to_day IS 'Last Prague day that is checked';
    COMMENT ON COLUMN casino.reconciliation.night IS 'A night: deadlines before the checks, seal and report after them';
    COMMENT ON COLUMN casino.reconciliation.started_at IS 'When it was started';
    COMMENT ON COLUMN casino.reconciliation.finished_at IS 'When its last step was done; NULL: it is in hand, or was stopped and goes on when it is called again';
    COMMENT ON COLUMN casino.reconciliation.status IS 'running; clean or differences as soon as all checks are done; failed: a step ended in an error, and is repeated when the run is called again';
    COMMENT ON COLUMN casino.reconciliation.step IS 'Step in hand; NULL: all are done';
    COMMENT ON COLUMN casino.reconciliation.done IS 'Steps that are done';
    COMMENT ON COLUMN casino.reconciliation.total IS 'Steps of the run';
    COMMENT ON COLUMN casino.reconciliation.error IS 'SQLSTATE and message of the step that failed';
    COMMENT ON COLUMN casino.reconciliation.repeats IS 'Run of which one check was made again by recheck(); NULL: a run of all checks';
    COMMENT ON COLUMN casino.reconciliation.repeated IS 'The check that was made again';
    COMMENT ON COLUMN casino.reconciliation.amount IS 'Sum of the amounts of the differences so far; the same money may be named by several checks; NULL: none has an amount';

    CREATE TABLE casino.difference (
        run_no        bigint NOT NULL REFERENCES casino.reconciliation,
        difference_no bigint NOT NULL CHECK (difference_no > 0),
        check_name    text NOT NULL,
        rule          text NOT NULL,
        player_id     bigint,
        round_id      bigint,
        entry_no      bigint,
        expected      text,
        found         text,
        detail        jsonb NOT NULL,
        amount        numeric,
        recorded_at   timestamptz NOT NULL,
        PRIMARY KEY (run_no, difference_no)
    );
    COMMENT ON TABLE casino.difference IS 'Append-only: what a check found that does not fit';
    COMMENT ON COLUMN casino.difference.run_no IS 'Run';
    COMMENT ON COLUMN casino.difference.difference_no IS 'Counts the differences of a run from 1';
    COMMENT ON COLUMN casino.difference.check_name IS 'Check, see casino.reconciliation_checks()';
    COMMENT ON COLUMN casino.difference.rule IS 'What of the check does not hold; error: the check itself failed; more: it found more than are kept';
    COMMENT ON COLUMN casino.difference.player_id IS 'Player concerned, if one is';
    COMMENT ON COLUMN casino.difference.round_id IS 'Round concerned, if one is';
    COMMENT ON COLUMN casino.difference.entry_no IS 'Ledger entry of the player, if one is concerned';
    COMMENT ON COLUMN casino.difference.expected IS 'What the evidence gives';
    COMMENT ON COLUMN casino.difference.found IS 'What is there';
    COMMENT ON COLUMN casino.difference.detail IS 'Further values';
    COMMENT ON COLUMN casino.difference.amount IS 'CZK in dispute: positive what the player has too much, negative what the player lacks; NULL: no sum of money, or not known';
    COMMENT ON COLUMN casino.difference.recorded_at IS 'When it was found';

    CREATE TABLE casino.difference_note (
        run_no        bigint NOT NULL,
        difference_no bigint NOT NULL,
        note_no       integer NOT NULL CHECK (note_no > 0),
        note          text NOT NULL CHECK (octet_length(note) <= 4000),
        recorded_at   timestamptz NOT NULL,
        PRIMARY KEY (run_no, difference_no, note_no),
        FOREIGN KEY (run_no, difference_no) REFERENCES casino.difference
    );
    COMMENT ON TABLE casino.difference_note IS 'Append-only: explanations of differences, who gave them and when (the variance report)';
    COMMENT ON COLUMN casino.difference_note.run_no IS 'Run';
    COMMENT ON COLUMN casino.difference_note.difference_no IS 'Difference that is explained';
    COMMENT ON COLUMN casino.difference_note.note_no IS 'Counts the notes of a difference from 1';
    COMMENT ON COLUMN casino.difference_note.note IS 'The explanation';
    COMMENT ON COLUMN casino.difference_note.recorded_at IS 'When it was written';

    CREATE TABLE casino.day_report (
        day     date NOT NULL,
        run_no  bigint NOT NULL REFERENCES casino.reconciliation,
        report  jsonb NOT NULL CHECK (jsonb_typeof(report) = 'object'),
        made_at timestamptz NOT NULL,
        PRIMARY KEY (day, run_no)
    );
    COMMENT ON TABLE casino.day_report IS 'Append-only: the reports of the days as their nights made them; daily_report() tells what is known of a day now';
    COMMENT ON COLUMN casino.day_report.day IS 'Prague day reported on';
    COMMENT ON COLUMN casino.day_report.run_no IS 'Run of casino.nightly() that made it';
    COMMENT ON COLUMN casino.day_report.report IS 'What daily_report() returned; of the run itself it shows the checks, not yet its end';
    COMMENT ON COLUMN casino.day_report.made_at IS 'When it was made';

    CREATE TABLE casino.plan_digest (
        plan_id     bigint NOT NULL REFERENCES casino.game_plan,
        part        text NOT NULL CHECK (part IN ('game_plan', 'plan_rule', 'bet_rule', 'paytable', 'announced_rule')),
        row_key     text NOT NULL,
        content     jsonb NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (plan_id, part, row_key)
    );
    COMMENT ON TABLE casino.plan_digest IS 'Append-only: the rows of each plan version as they were when it was loaded or came into force, to hold the plan against';
    COMMENT ON COLUMN casino.plan_digest.plan_id IS 'Plan version';
    COMMENT ON COLUMN casino.plan_digest.part IS 'Table of the row';
    COMMENT ON COLUMN casino.plan_digest.row_key IS 'Key of the row in it, without the plan''s; empty for the version itself';
    COMMENT ON COLUMN casino.plan_digest.content IS 'The row as it was';
    COMMENT ON COLUMN casino.plan_digest.recorded_at IS 'When it was kept';

    -- the entries of a day, by when they happened or were written: entries come in that order, so a few bytes a range of pages tell
    CREATE INDEX ledger_day ON casino.ledger USING brin (posted_at, recorded_at) WITH (pages_per_range = 32);
    COMMENT ON INDEX casino.ledger_day IS 'Finds the entries of a day, whatever the history';

    CREATE TRIGGER reconciliation_guard BEFORE UPDATE OR DELETE ON casino.reconciliation
        FOR EACH ROW EXECUTE FUNCTION casino.reconciliation_guard();
    COMMENT ON TRIGGER reconciliation_guard ON casino.reconciliation IS 'Only the progress of the run in hand changes';
    -- who recorded a row is no part of a plan
    CREATE VIEW casino.plan_row AS
        SELECT p.plan_id, 'game_plan' AS part, '' AS row_key, to_jsonb(p) - 'recorded_by' || jsonb_build_object('valid_from', p.valid_from AT TIME ZONE 'UTC') AS content FROM casino.game_plan p
        UNION ALL SELECT r.plan_id, 'plan_rule', r.rule, to_jsonb(r) - 'recorded_by' FROM casino.plan_rule r
        UNION ALL SELECT b.plan_id, 'bet_rule', b.kind, to_jsonb(b) - 'recorded_by' FROM casino.bet_rule b
        UNION ALL SELECT t.plan_id, 'paytable', t.kind || ' ' || t.grade, to_jsonb(t) - 'recorded_by' FROM casino.paytable t
        UNION ALL SELECT a.plan_id, 'announced_rule', a.stem, to_jsonb(a) - 'recorded_by' FROM casino.announced_rule a;
    COMMENT ON VIEW casino.plan_row IS 'Part of the reconciliation: all rows of all plan versions, one JSON object each, as casino.plan_digest keeps them';
    COMMENT ON COLUMN casino.plan_row.content IS 'The row, but for who recorded it';

    PERFORM casino.make_append_only('difference', 'difference_note', 'day_report', 'plan_digest');
    PERFORM casino.make_recorded('reconciliation');
    PERFORM casino.make_recorded('difference_note');
    PERFORM casino.make_recorded('day_report');
    PERFORM casino.refuse_truncate('reconciliation');
END
$fn$;
COMMENT ON FUNCTION casino.install_reconciliation() IS 'Part of casino.install(): runs, differences, notes, reports of days, kept rows of plans';

CREATE TYPE casino.finding AS (
    rule      text,
    player_id bigint,
    round_id  bigint,
    entry_no  bigint,
    expected  text,
    found     text,
    detail    jsonb
);
COMMENT ON TYPE casino.finding IS 'What a check of the reconciliation found that does not fit';

CREATE PROCEDURE casino.nightly(day date DEFAULT NULL)
    AS 'MODULE_PATHNAME', 'casino_sql_nightly' LANGUAGE C;
COMMENT ON PROCEDURE casino.nightly(date) IS 'By CALL: the night after a Prague day (NULL: the last finished one): deadlines, checks, seal, report, each step committed. Stopped anywhere and called again it goes on where it was; a finished day is answered at once. 55000 while another one is under way';

CREATE PROCEDURE casino.reconcile(from_day date, to_day date)
    AS 'MODULE_PATHNAME', 'casino_sql_reconcile' LANGUAGE C;
COMMENT ON PROCEDURE casino.reconcile(date, date) IS 'By CALL: all checks over the entries of finished Prague days; over all of them it is the audit from the first entry on. 22023 where the last one is not over. What does not fit is in casino.difference';

-- The checks in their order.  Each is a function of (from_day date, to_day date) that returns casino.finding; a new one is a row here.
CREATE FUNCTION casino.reconciliation_checks(OUT check_no integer, OUT check_name text, OUT function text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 30 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT (row_number() OVER ())::integer, c.name, 'casino.check_' || coalesce(c.function, c.name)
      FROM (VALUES
        ('entry_gap', NULL), ('wallet', NULL), ('negative', NULL), ('trial_balance', NULL), ('payout', NULL), ('refund', NULL), ('correction', NULL), ('no_action', NULL),
        ('round_figures', NULL), ('outcome', 'outcome_documents'),
        ('round_stuck', NULL), ('late_stake', NULL), ('stake_limits', NULL), ('break', NULL), ('second_table', NULL), ('excluded', NULL), ('self_limit', NULL),
        ('cash_limit', NULL), ('winnings_overdue', NULL), ('withdrawal_overdue', NULL), ('state', NULL), ('plan', 'plan_rows'), ('guard', NULL),
        ('provider_missing_here', NULL), ('provider_missing_there', NULL), ('provider_amount', NULL), ('provider_outcome', NULL), ('provider_duplicate', NULL), ('provider_late', NULL)
      ) c (name, function)
$fn$;
COMMENT ON FUNCTION casino.reconciliation_checks() IS 'Checks of the reconciliation, in their order: name and function of (from_day, to_day)';

CREATE FUNCTION casino.reconciliation_steps(night boolean, OUT step_no integer, OUT step text, OUT function text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE ROWS 30 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT (row_number() OVER (ORDER BY s.place, s.check_no))::integer, s.step, s.function
      FROM (SELECT 2 AS place, c.check_no, c.check_name AS step, c.function FROM casino.reconciliation_checks() c
            UNION ALL
            SELECT b.place, 0, b.step, NULL FROM (VALUES (0, 'indexes'), (1, 'deadlines'), (3, 'seal'), (4, 'report')) b (place, step) WHERE reconciliation_steps.night) s
$fn$;
COMMENT ON FUNCTION casino.reconciliation_steps(boolean) IS 'Part of nightly() and reconcile(): steps of a night, or of a reconciliation alone; those with a function are checks';

CREATE FUNCTION casino.keep_plan_rows() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    INSERT INTO casino.plan_digest (plan_id, part, row_key, content, recorded_at)
    SELECT r.plan_id, r.part, r.row_key, r.content, clock_timestamp()
      FROM casino.plan_row r
      JOIN casino.game_plan p ON p.plan_id = r.plan_id
     WHERE (p.valid_from <= clock_timestamp() OR EXISTS (SELECT FROM casino.round x WHERE x.plan_id = p.plan_id))
       AND NOT EXISTS (SELECT FROM casino.plan_digest d WHERE d.plan_id = r.plan_id);
END
$fn$;
COMMENT ON FUNCTION casino.keep_plan_rows() IS 'Part of nightly() and reconcile(): keeps the rows of plan versions that are in force and not kept yet';

-- The plans are read by their present rows: who recorded them is no part of a plan (R10.8).
CREATE FUNCTION casino.check_plan_rows(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        SELECT CASE WHEN r.plan_id IS NULL THEN 'removed' WHEN d.plan_id IS NULL THEN 'added' ELSE 'changed' END,
               NULL::bigint, NULL::bigint, NULL::bigint, coalesce(d.content::text, 'no row'), coalesce(r.content::text, 'no row'),
               jsonb_build_object('plan_id', coalesce(d.plan_id, r.plan_id), 'table', coalesce(d.part, r.part), 'key', coalesce(d.row_key, r.row_key),
                                  'game', p.game, 'version', p.version)
          FROM casino.plan_digest d
          FULL JOIN (SELECT x.* FROM casino.plan_row x WHERE x.plan_id IN (SELECT k.plan_id FROM casino.plan_digest k)) r
            ON r.plan_id = d.plan_id AND r.part = d.part AND r.row_key = d.row_key
          LEFT JOIN casino.game_plan p ON p.plan_id = coalesce(d.plan_id, r.plan_id)
         WHERE d.content IS DISTINCT FROM r.content
         ORDER BY coalesce(d.plan_id, r.plan_id), coalesce(d.part, r.part), coalesce(d.row_key, r.row_key);
END
$fn$;
COMMENT ON FUNCTION casino.check_plan_rows(date, date) IS 'Part of the reconciliation, check plan: rows of plan versions in force that are not what they were when the version was loaded or came into force';

CREATE FUNCTION casino.begin_reconciliation(from_day date, to_day date, night boolean) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    today CONSTANT date := casino.prague_day(clock_timestamp());
    first CONSTANT date := CASE WHEN begin_reconciliation.night THEN coalesce(begin_reconciliation.to_day, today - 1) ELSE begin_reconciliation.from_day END;
    last CONSTANT date := CASE WHEN begin_reconciliation.night THEN first ELSE begin_reconciliation.to_day END;
    run casino.reconciliation;
BEGIN
    IF first IS NULL OR last IS NULL THEN
        RAISE EXCEPTION 'from_day and to_day must be given' USING ERRCODE = 'null_value_not_allowed';
    ELSIF NOT isfinite(first) OR NOT isfinite(last) OR first > last THEN
        RAISE EXCEPTION 'invalid period: % to %', first, last USING ERRCODE = 'invalid_parameter_value';
    ELSIF night AND last < '2000-01-01' THEN
        RAISE EXCEPTION 'day % has no night', last
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'Evidence counts its days from 2000-01-01.';
    ELSIF last >= today THEN
        -- what comes later on the day would never be checked by this run (R10.22)
        RAISE EXCEPTION 'day % is not over', last
            USING ERRCODE = 'invalid_parameter_value', DETAIL = format('In Europe/Prague it is %s.', today);
    END IF;
    SELECT r.* INTO run FROM casino.reconciliation r
     WHERE r.from_day = first AND r.to_day = last AND r.night = begin_reconciliation.night
       AND (r.finished_at IS NULL OR r.night)
     ORDER BY r.run_no DESC LIMIT 1;
    IF run.finished_at IS NOT NULL THEN
        RAISE NOTICE 'the night of % is done, reconciliation %: % differences', run.to_day, run.run_no,
                     (SELECT count(*) FROM casino.difference d WHERE d.run_no = run.run_no);
        RETURN NULL;
    ELSIF run.run_no IS NOT NULL THEN
        UPDATE casino.reconciliation r SET status = CASE r.status WHEN 'failed' THEN 'running' ELSE r.status END, error = NULL
         WHERE r.run_no = run.run_no;
    ELSE
        INSERT INTO casino.reconciliation AS r (run_no, from_day, to_day, night, started_at, status, step, done, total)
        SELECT coalesce((SELECT max(x.run_no) FROM casino.reconciliation x), 0) + 1, first, last, begin_reconciliation.night, clock_timestamp(), 'running',
               min(s.step) FILTER (WHERE s.step_no = 1), 0, count(*)
          FROM casino.reconciliation_steps(begin_reconciliation.night) s
        RETURNING r.* INTO run;
    END IF;
    PERFORM casino.keep_plan_rows();
    RETURN run.run_no;
END
$fn$;
COMMENT ON FUNCTION casino.begin_reconciliation(date, date, boolean) IS 'Part of nightly() and reconcile(): the number of the run to do, a new one or the one that was stopped; NULL when the night is done';

-- How much, and in whose favour (R10.24): by the first number of what was expected and of what was found; what is "no ..." or "none" is nothing.
CREATE FUNCTION casino.first_amount(value text) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN value ~ '^-?[0-9]+([.][0-9]+)?( |$)' THEN substring(value FROM '^-?[0-9]+(?:[.][0-9]+)?')::numeric
                WHEN value ~ '^(no |none$|not |neither$)' THEN 0 END;
COMMENT ON FUNCTION casino.first_amount(text) IS 'Part of difference_amount(): the amount that a text of a difference begins with, 0 where it says that there is none';

CREATE FUNCTION casino.difference_amount(check_name text, rule text, expected text, found text, detail jsonb) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN (check_name, rule) IN (('payout', 'error'), ('refund', 'error'), ('wallet', 'error'), ('provider_amount', 'error')) THEN NULL
        -- paid, returned, or in the wallet
        WHEN check_name IN ('payout', 'wallet') THEN casino.first_amount(found) - casino.first_amount(expected)
        WHEN check_name = 'refund' THEN CASE WHEN rule IN ('of_nothing', 'twice', 'not_due') THEN casino.first_amount(found)
                                             ELSE casino.first_amount(found) - casino.first_amount(expected) END
        -- taken: less than the bet is in the player's favour
        WHEN check_name = 'trial_balance' AND rule = 'stake' THEN casino.first_amount(expected) - casino.first_amount(found)
        WHEN check_name IN ('winnings_overdue', 'withdrawal_overdue') AND rule = 'overdue' AND found IN ('not paid', 'neither') THEN - (detail ->> 'amount')::numeric
        WHEN check_name IN ('provider_amount', 'provider_missing_here', 'provider_missing_there') THEN
            CASE WHEN check_name = 'provider_missing_there' THEN casino.first_amount(expected) ELSE casino.first_amount(found) - casino.first_amount(expected) END
            * CASE WHEN rule IN ('payout', 'refund', 'deposit') THEN 1 WHEN rule IN ('stake', 'withdrawal') THEN -1 END
    END;
COMMENT ON FUNCTION casino.difference_amount(text, text, text, text, jsonb) IS 'Part of run_check(): CZK of a difference, positive what the player has too much; NULL where it is no sum of money';

-- One check, in a subtransaction of its own: its error is a difference like another (R10.4), but for one of passing (R10.20).
CREATE FUNCTION casino.run_check(run_no bigint, check_name text, function text, from_day date, to_day date) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    kept CONSTANT integer := 10000;
    last bigint;
    code text;
    message text;
    context text;
BEGIN
    SELECT coalesce(max(d.difference_no), 0) INTO last FROM casino.difference d WHERE d.run_no = run_check.run_no;
    BEGIN
        EXECUTE format($q$
            INSERT INTO casino.difference (run_no, difference_no, check_name, rule, player_id, round_id, entry_no, expected, found, detail, amount, recorded_at)
            SELECT $1, $2 + f.n, $3, CASE WHEN f.n > $6 THEN 'more' ELSE f.rule END, CASE WHEN f.n <= $6 THEN f.player_id END,
                   CASE WHEN f.n <= $6 THEN f.round_id END, CASE WHEN f.n <= $6 THEN f.entry_no END, CASE WHEN f.n <= $6 THEN f.expected END,
                   CASE WHEN f.n <= $6 THEN f.found ELSE format('%%s differences', f.total) END,
                   CASE WHEN f.n <= $6 THEN coalesce(f.detail, '{}') ELSE '{}' END,
                   CASE WHEN f.n <= $6 AND abs(f.amount) < 1e15 THEN round(f.amount, 2) END, clock_timestamp()
              FROM (SELECT c.*, casino.difference_amount($3, c.rule, c.expected, c.found, c.detail) AS amount,
                           row_number() OVER (ORDER BY c.player_id, c.entry_no, c.round_id) AS n, count(*) OVER () AS total FROM %s($4, $5) c) f
             WHERE f.n <= $6 + 1$q$, function)
        USING run_no, last, check_name, from_day, to_day, kept;
    EXCEPTION WHEN OTHERS THEN
        GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT, context = PG_EXCEPTION_CONTEXT;
        IF casino.passes(code) THEN
            RAISE;
        END IF;
        INSERT INTO casino.difference (run_no, difference_no, check_name, rule, expected, found, detail, recorded_at)
        VALUES (run_no, last + 1, check_name, 'error', 'the check runs to its end', code || ': ' || message, jsonb_build_object('context', context), clock_timestamp());
    END;
END
$fn$;
COMMENT ON FUNCTION casino.run_check(bigint, text, text, date, date) IS 'Part of reconciliation_step(): one check, its findings or its error kept in casino.difference';

-- Indexes by day know the pages that have been summarised; others are read whole.  Done before the checks, which ask by day, and not by autovacuum while
-- stakes come: its queue of such requests is short, and each one that finds no room there is a line of the log (R10.21).
CREATE FUNCTION casino.summarize_days() RETURNS bigint
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(sum(brin_summarize_new_values(i.indexrelid)), 0)
      FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid
      JOIN pg_am a ON a.oid = c.relam AND a.amname = 'brin'
     WHERE c.relnamespace = 'casino'::regnamespace
       AND c.relowner = (SELECT l.relowner FROM pg_class l WHERE l.oid = 'casino.ledger'::regclass)
$fn$;
COMMENT ON FUNCTION casino.summarize_days() IS 'Part of a night: lets the indexes by day know the pages filled since the night before. Returns how many ranges of pages were new';

CREATE FUNCTION casino.run_night_step(run_no bigint, step text, day date) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CASE step
        WHEN 'indexes' THEN
            PERFORM casino.summarize_days();
        WHEN 'deadlines' THEN
            PERFORM casino.record_overdue();
        WHEN 'seal' THEN
            PERFORM casino.seal(day);
        WHEN 'report' THEN
            PERFORM casino.watch_day_impl(day), casino.keep_day_totals_impl(day);
            -- last: it reads what the others have added up
            PERFORM casino.keep_daily_report(run_no, day);
        ELSE
            RAISE EXCEPTION 'unknown step of a night: "%"', step USING ERRCODE = 'invalid_parameter_value';
    END CASE;
END
$fn$;
COMMENT ON FUNCTION casino.run_night_step(bigint, text, date) IS 'Part of reconciliation_step(): indexes, deadlines, seal, or report: what return_watch and account_movements() add up, and the report of the day';

CREATE FUNCTION casino.reconciliation_step(run_no bigint, OUT more boolean, OUT error text) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off SET timezone = 'Europe/Prague' SET datestyle = 'ISO' AS $fn$
DECLARE
    run casino.reconciliation;
    now_done record;
    following text;
    steps integer;
    checked boolean;
BEGIN
    SELECT r.* INTO run FROM casino.reconciliation r WHERE r.run_no = reconciliation_step.run_no;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'reconciliation % does not exist', coalesce(run_no::text, 'NULL') USING ERRCODE = 'foreign_key_violation';
    END IF;
    SELECT s.* INTO now_done FROM casino.reconciliation_steps(run.night) s WHERE s.step_no = run.done + 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'reconciliation % has no step left', run_no
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = format('Its status is %s.', run.status);
    END IF;
    SELECT count(*), min(s.step) FILTER (WHERE s.step_no = run.done + 2), coalesce(bool_and(s.function IS NULL) FILTER (WHERE s.step_no > run.done + 1), true)
      INTO steps, following, checked FROM casino.reconciliation_steps(run.night) s;
    BEGIN
        IF now_done.function IS NOT NULL THEN
            PERFORM casino.run_check(run_no, now_done.step, now_done.function, run.from_day, run.to_day);
        ELSE
            PERFORM casino.run_night_step(run_no, now_done.step, run.to_day);
        END IF;
    EXCEPTION WHEN OTHERS THEN
        error := SQLSTATE || ' ' || SQLERRM;
        UPDATE casino.reconciliation r SET status = 'failed', error = reconciliation_step.error WHERE r.run_no = run.run_no;
        more := false;
        RETURN;
    END;
    more := following IS NOT NULL;
    UPDATE casino.reconciliation r
       SET done = r.done + 1, total = steps, step = following,
           status = CASE WHEN NOT checked THEN 'running'
                         WHEN EXISTS (SELECT FROM casino.difference d WHERE d.run_no = run.run_no) THEN 'differences' ELSE 'clean' END,
           finished_at = CASE WHEN NOT more THEN clock_timestamp() END,
           amount = (SELECT sum(d.amount) FROM casino.difference d WHERE d.run_no = run.run_no)
     WHERE r.run_no = run.run_no RETURNING r.* INTO run;
    IF NOT more THEN
        RAISE NOTICE 'reconciliation % of % to %: % differences', run.run_no, run.from_day, run.to_day,
                     (SELECT count(*) FROM casino.difference d WHERE d.run_no = run.run_no);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.reconciliation_step(bigint) IS 'Part of nightly() and reconcile(): does the next step of a run; more: there is another one; error: SQLSTATE and message of a step that failed';

CREATE FUNCTION casino.recheck(run_no bigint, check_name text) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.recheck(bigint, text) IS 'Makes one check of a finished night or reconciliation again, over its days, and returns the number of the run that has what it finds now; the run before stays as it was. 55000 while that one is not finished';

CREATE FUNCTION casino.recheck_impl(run_no bigint, check_name text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off SET timezone = 'Europe/Prague' SET datestyle = 'ISO' AS $fn$
DECLARE
    before casino.reconciliation;
    function_name text;
    number bigint;
BEGIN
    IF run_no IS NULL OR check_name IS NULL THEN
        RAISE EXCEPTION 'run_no and check_name must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT r.* INTO before FROM casino.reconciliation r WHERE r.run_no = recheck_impl.run_no;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'reconciliation % does not exist', run_no USING ERRCODE = 'foreign_key_violation';
    ELSIF before.finished_at IS NULL THEN
        RAISE EXCEPTION 'reconciliation % is not finished', run_no
            USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Called again it goes on, and makes the check itself.';
    END IF;
    SELECT c.function INTO function_name FROM casino.reconciliation_checks() c WHERE c.check_name = recheck_impl.check_name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'unknown check: "%"', check_name
            USING ERRCODE = 'invalid_parameter_value', HINT = 'casino.reconciliation_checks() has their names.';
    END IF;
    -- a night that begins takes the next number: after this one
    LOCK TABLE casino.reconciliation IN SHARE ROW EXCLUSIVE MODE;
    INSERT INTO casino.reconciliation AS r (run_no, from_day, to_day, night, started_at, status, step, done, total, repeats, repeated)
    SELECT max(x.run_no) + 1, before.from_day, before.to_day, false, clock_timestamp(), 'running', recheck_impl.check_name, 0, 1, before.run_no, recheck_impl.check_name
      FROM casino.reconciliation x
    RETURNING r.run_no INTO number;
    PERFORM casino.run_check(number, check_name, function_name, before.from_day, before.to_day);
    UPDATE casino.reconciliation r
       SET done = 1, step = NULL, finished_at = clock_timestamp(),
           status = CASE WHEN EXISTS (SELECT FROM casino.difference d WHERE d.run_no = number) THEN 'differences' ELSE 'clean' END,
           amount = (SELECT sum(d.amount) FROM casino.difference d WHERE d.run_no = number)
     WHERE r.run_no = number;
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.recheck_impl(bigint, text) IS 'Body of recheck(), run as the owner of the ledger';

CREATE FUNCTION casino.explain_difference(run_no bigint, difference_no bigint, note text) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.explain_difference(bigint, bigint, text) IS 'Keeps the explanation of a difference, with who gave it; a difference may have several. Returns the number of the note, the same for the same text';

CREATE FUNCTION casino.explain_difference_impl(run_no bigint, difference_no bigint, note text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    number integer;
BEGIN
    IF coalesce(btrim(note, E' \t\r\n'), '') = '' THEN
        RAISE EXCEPTION 'note must not be empty' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino.bounded(note, 'note', 4000);
    PERFORM FROM casino.difference d
      WHERE d.run_no = explain_difference_impl.run_no AND d.difference_no = explain_difference_impl.difference_no FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'difference % of reconciliation % does not exist', difference_no, run_no USING ERRCODE = 'foreign_key_violation';
    END IF;
    SELECT n.note_no INTO number FROM casino.difference_note n
     WHERE n.run_no = explain_difference_impl.run_no AND n.difference_no = explain_difference_impl.difference_no
       AND n.note = explain_difference_impl.note ORDER BY n.note_no LIMIT 1;
    IF FOUND THEN
        RETURN number;
    END IF;
    INSERT INTO casino.difference_note AS n (run_no, difference_no, note_no, note, recorded_at)
    SELECT explain_difference_impl.run_no, explain_difference_impl.difference_no, coalesce(max(x.note_no), 0) + 1,
           explain_difference_impl.note, clock_timestamp()
      FROM casino.difference_note x
     WHERE x.run_no = explain_difference_impl.run_no AND x.difference_no = explain_difference_impl.difference_no
    RETURNING n.note_no INTO number;
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.explain_difference_impl(bigint, bigint, text) IS 'Body of explain_difference(), run as the owner of the ledger';
-- The sieve: one pass over the entries of all players, or of those whom some days concern, says whom and which rounds the checks have to look at
-- (src/ledger/sieve.h).  The numbers of the parts stand there and here.

CREATE FUNCTION casino.sieve_player(state internal, player_id bigint, several boolean, balance numeric, last_entry_no bigint, last_posted_at timestamptz,
                                    last_round_id bigint, sequence_started_at timestamptz) RETURNS internal
    AS 'MODULE_PATHNAME', 'casino_sql_sieve_player' LANGUAGE C STABLE PARALLEL SAFE COST 100000;
COMMENT ON FUNCTION casino.sieve_player(internal, bigint, boolean, numeric, bigint, timestamptz, bigint, timestamptz) IS 'Part of casino.sieve(): reads the entries of a player';

CREATE FUNCTION casino.sieve_combine(state internal, other internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'casino_sql_sieve_combine' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION casino.sieve_combine(internal, internal) IS 'Part of casino.sieve(): adds up what two processes have found';

CREATE FUNCTION casino.sieve_serialize(state internal) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_sieve_serialize' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.sieve_serialize(internal) IS 'Part of casino.sieve(): what a process has found, for another one';

CREATE FUNCTION casino.sieve_deserialize(state bytea, nothing internal) RETURNS internal
    AS 'MODULE_PATHNAME', 'casino_sql_sieve_deserialize' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.sieve_deserialize(bytea, internal) IS 'Part of casino.sieve(): what another process has found';

CREATE FUNCTION casino.sieve_suspects(state internal) RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_sieve_suspects' LANGUAGE C STABLE PARALLEL SAFE;
COMMENT ON FUNCTION casino.sieve_suspects(internal) IS 'Part of casino.sieve(): its result';

CREATE AGGREGATE casino.sieve(player_id bigint, several boolean, balance numeric, last_entry_no bigint, last_posted_at timestamptz, last_round_id bigint,
                              sequence_started_at timestamptz) (
    SFUNC = casino.sieve_player, STYPE = internal, FINALFUNC = casino.sieve_suspects, COMBINEFUNC = casino.sieve_combine,
    SERIALFUNC = casino.sieve_serialize, DESERIALFUNC = casino.sieve_deserialize, PARALLEL = SAFE
);
COMMENT ON AGGREGATE casino.sieve(bigint, boolean, numeric, bigint, timestamptz, bigint, timestamptz) IS 'Part of an audit: players and rounds that may not fit, as triples of parts, player and round (0: none)';

CREATE FUNCTION casino.sieve_player_of_days(state internal, since timestamptz, until timestamptz, first_entry_no bigint, read_to_entry_no bigint, player_id bigint, several boolean,
                                            balance numeric, last_entry_no bigint, last_posted_at timestamptz, last_round_id bigint, sequence_started_at timestamptz) RETURNS internal
    AS 'MODULE_PATHNAME', 'casino_sql_sieve_player_of_days' LANGUAGE C STABLE PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION casino.sieve_player_of_days(internal, timestamptz, timestamptz, bigint, bigint, bigint, boolean, numeric, bigint, timestamptz, bigint, timestamptz) IS 'Part of casino.sieve_of_days(): reads the entries of a player from the first of the days on';

CREATE AGGREGATE casino.sieve_of_days(since timestamptz, until timestamptz, first_entry_no bigint, read_to_entry_no bigint, player_id bigint, several boolean, balance numeric,
                                      last_entry_no bigint, last_posted_at timestamptz, last_round_id bigint, sequence_started_at timestamptz) (
    SFUNC = casino.sieve_player_of_days, STYPE = internal, FINALFUNC = casino.sieve_suspects, COMBINEFUNC = casino.sieve_combine,
    SERIALFUNC = casino.sieve_serialize, DESERIALFUNC = casino.sieve_deserialize, PARALLEL = SAFE
);
COMMENT ON AGGREGATE casino.sieve_of_days(timestamptz, timestamptz, bigint, bigint, bigint, boolean, numeric, bigint, timestamptz, bigint, timestamptz) IS 'Part of a night: as casino.sieve(), of entries of days alone';

CREATE FUNCTION casino.keep_suspects(numbers bigint[]) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_keep_suspects' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.keep_suspects(bigint[]) IS 'Part of the checks: keeps what the sieve has named for the next steps of the run of this session; does nothing outside of one';

CREATE FUNCTION casino.kept_suspects() RETURNS bigint[]
    AS 'MODULE_PATHNAME', 'casino_sql_kept_suspects' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.kept_suspects() IS 'Part of the checks: what keep_suspects() keeps; NULL for nothing yet';

CREATE FUNCTION casino.keep_findings(lines jsonb) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_keep_findings' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.keep_findings(jsonb) IS 'Part of the checks of providers: keeps what they have found for the next steps of the run of this session; does nothing outside of one';

CREATE FUNCTION casino.kept_findings() RETURNS jsonb
    AS 'MODULE_PATHNAME', 'casino_sql_kept_findings' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.kept_findings() IS 'Part of the checks of providers: what keep_findings() keeps; NULL for nothing yet';

-- RETURN QUERY, for a plan of several processes.  A table of players is small; what is done for each of them is not.
CREATE FUNCTION casino.sieve_all() RETURNS SETOF bigint[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET parallel_setup_cost = 0 SET parallel_tuple_cost = 0 SET min_parallel_table_scan_size = 0 AS $fn$
BEGIN
    RETURN QUERY
        SELECT casino.sieve(p.player_id, EXISTS (SELECT FROM casino.player o WHERE o.external_ref = p.external_ref AND o.player_id <> p.player_id), p.balance,
                            p.last_entry_no, p.last_posted_at, p.last_round_id, p.sequence_started_at)
          FROM casino.player p;
    -- entries of whom there is no such player
    RETURN QUERY
        WITH RECURSIVE owner (player_id) AS (
            SELECT min(l.player_id) FROM casino.ledger l
            UNION ALL
            SELECT (SELECT min(l.player_id) FROM casino.ledger l WHERE l.player_id > o.player_id) FROM owner o WHERE o.player_id IS NOT NULL)
        SELECT n.numbers
          FROM owner o
         CROSS JOIN LATERAL (SELECT ARRAY[8191, o.player_id, 0] AS numbers
                             UNION ALL
                             SELECT DISTINCT ARRAY[64, 0, l.round_id] FROM casino.ledger l WHERE l.player_id = o.player_id AND l.round_id IS NOT NULL) n
         WHERE o.player_id IS NOT NULL AND NOT EXISTS (SELECT FROM casino.player p WHERE p.player_id = o.player_id);
END
$fn$;
COMMENT ON FUNCTION casino.sieve_all() IS 'Part of an audit: what the sieve names';

-- Whom days concern, and from which of his entries on: entries that happened or were written on them, or happened in the hours before, in which
-- a betting sequence may have begun (R10.5); stakes of rounds evaluated on them, whenever they were placed.
CREATE FUNCTION casino.sieve_days(from_day date, to_day date) RETURNS SETOF bigint[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    RETURN QUERY
        WITH seen AS MATERIALIZED (
            SELECT l.player_id, l.entry_no FROM casino.ledger l
             WHERE l.posted_at >= since - interval '6 hours' AND l.posted_at < until OR l.recorded_at >= since AND l.recorded_at < until
            UNION ALL
            SELECT s.player_id, s.entry_no
              FROM casino.round r
              JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'
             WHERE r.evaluated_at >= since AND r.evaluated_at < until),
        -- an entry without a number: from where on cannot be said
        touched AS MATERIALIZED (
            SELECT s.player_id, CASE WHEN count(*) = count(s.entry_no) THEN min(s.entry_no) END AS low, max(s.entry_no) AS high FROM seen s GROUP BY s.player_id)
        SELECT casino.sieve_of_days(since, until, t.low, t.high, t.player_id,
                                    EXISTS (SELECT FROM casino.player o WHERE o.external_ref = p.external_ref AND o.player_id <> p.player_id), p.balance,
                                    p.last_entry_no, p.last_posted_at, p.last_round_id, p.sequence_started_at)
          FROM (SELECT x.* FROM touched x UNION ALL SELECT NULL, NULL, NULL) t
          LEFT JOIN casino.player p ON p.player_id = t.player_id;
    -- 32: what was voided on the days goes back, whenever it was evaluated; 2048: rows of players that name the days, and an entry that there is not
    RETURN QUERY
        SELECT ARRAY[32, s.player_id, 0]
          FROM casino.round r
          JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'
         WHERE r.voided_at >= since AND r.evaluated_at < since
        UNION ALL
        SELECT ARRAY[32, n.player_id, 0] FROM casino.withholding_end n WHERE n.how = 'voided' AND n.ended_at >= since AND n.ended_at < until
        UNION ALL
        SELECT ARRAY[32, s.player_id, 0]
          FROM casino.deal_correction c
          JOIN casino.ledger s ON s.round_id = c.round_id AND s.kind = 'stake'
         WHERE c.corrected_at >= since AND c.corrected_at < until
        UNION ALL
        SELECT ARRAY[2048, p.player_id, 0]
          FROM casino.player p
         WHERE p.last_posted_at = '-infinity' AND (p.balance <> 0 OR p.last_entry_no <> 0)
            OR p.last_posted_at >= since AND p.last_posted_at < until
               AND NOT EXISTS (SELECT FROM casino.ledger l WHERE l.player_id = p.player_id AND l.entry_no = p.last_entry_no AND l.posted_at = p.last_posted_at);
END
$fn$;
COMMENT ON FUNCTION casino.sieve_days(date, date) IS 'Part of a night: what the sieve names of the days';

CREATE FUNCTION casino.suspects(part integer, from_day date, to_day date, OUT players bigint[], OUT rounds bigint[]) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    unreadable CONSTANT bigint[] := '{-1}';
    numbers bigint[] := casino.kept_suspects();
    one bigint[];
BEGIN
    IF numbers IS NULL THEN
        numbers := '{}';
        BEGIN
            -- days that nothing is before are all there are: an audit
            FOR one IN SELECT a.a FROM casino.sieve_days(from_day, to_day) a (a) WHERE EXISTS (SELECT FROM casino.ledger l WHERE l.posted_at < casino.day_start(from_day))
                       UNION ALL
                       SELECT a.a FROM casino.sieve_all() a (a) WHERE NOT EXISTS (SELECT FROM casino.ledger l WHERE l.posted_at < casino.day_start(from_day)) LOOP
                numbers := numbers || one;
            END LOOP;
        EXCEPTION WHEN OTHERS THEN
            IF casino.passes(SQLSTATE) THEN
                RAISE;
            END IF;
            -- what the sieve cannot read is read by the checks, each for itself (R10.13)
            numbers := unreadable;
        END;
        PERFORM casino.keep_suspects(numbers);
    END IF;
    IF numbers = unreadable THEN
        RETURN;
    END IF;
    SELECT coalesce(array_agg(DISTINCT numbers[i + 1]) FILTER (WHERE numbers[i + 1] <> 0), '{}'), coalesce(array_agg(numbers[i + 2]) FILTER (WHERE numbers[i + 2] <> 0), '{}')
      INTO players, rounds FROM generate_series(1, cardinality(numbers), 3) i WHERE numbers[i] & part <> 0;
END
$fn$;
COMMENT ON FUNCTION casino.suspects(integer, date, date) IS 'Part of the checks: players and rounds that the sieve names for a part, of days or, where nothing is before them, of all entries; NULL where it could not read them';
-- Checks of the reconciliation: is every haléř where the entries, the cards and the plan put it?  Each reads ledger, rounds and plans and none
-- of what the code that posted has kept for itself; each looks at the entries that happened or were written on the days asked for (R10.1, R10.10).

-- Written into the query that calls it, so that its times are looked up by casino.ledger_day.
CREATE FUNCTION casino.of_days(posted_at timestamptz, recorded_at timestamptz, since timestamptz, until timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN posted_at >= since AND posted_at < until OR recorded_at >= since AND recorded_at < until;
COMMENT ON FUNCTION casino.of_days(timestamptz, timestamptz, timestamptz, timestamptz) IS 'Part of the reconciliation: did an entry happen in that time, or was it written in it (R10.1)';

-- What an entry adds to the wallet.
CREATE FUNCTION casino.wallet_change(kind text, amount numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN kind IN ('deposit', 'payout', 'refund', 'withdrawal_cancelled', 'adjustment', 'correction') THEN amount
                WHEN kind IN ('stake', 'withdrawal') THEN - amount
                WHEN kind IN ('cash_paid', 'transfer_paid') THEN 0.00 END;
COMMENT ON FUNCTION casino.wallet_change(text, numeric) IS 'Part of the reconciliation: what an entry adds to the wallet; NULL for a kind that does not exist';

-- A stake returned for one of these reasons was never placed (D4 §8, §9).
CREATE FUNCTION casino.never_placed(reason text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(reason IN ('cancelled', 'disconnected', 'late', 'excluded', 'misdealt'), false);
COMMENT ON FUNCTION casino.never_placed(text) IS 'Part of the reconciliation: was a stake returned for that reason before it was concluded';

-- Errors of passing: a lock that was not given, a resource that ran out, a cancelled or colliding transaction.  They say nothing of the books (R10.20).
CREATE FUNCTION casino.passes(code text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN left(code, 2) IN ('40', '53', '55', '57', '58') AND code <> '55000';
COMMENT ON FUNCTION casino.passes(text) IS 'Part of the reconciliation: is the error with that SQLSTATE one of the moment, which another attempt may not meet; 55000 is one of the data here';

-- The reason of a refund is a word that anybody can write; what it says must be so (R7.66).  Of the player's own stake, or of another one without which it
-- could not stand: in the same round, returned for the same reason, of the same player, or of the main bet that it is behind.
CREATE FUNCTION casino.refund_fault(player_id bigint, refund_no bigint) RETURNS text
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    d record;
BEGIN
    SELECT l.reason, l.posted_at, l.recorded_at, s.entry_no, s.posted_at AS staked_at, s.bet, casino.kind(s.bet) AS kind, s.seat, s.hand, s.round_id,
           r.betting_closed_at, r.betting_until, r.evaluated_at, r.evaluation_recorded_at, b.requires, b.phase,
           greatest(b.min_stake, coalesce(m.min_stake, v.min_stake)) AS least
      INTO d
      FROM casino.ledger l
      JOIN casino.ledger s ON s.player_id = l.player_id AND s.entry_no = l.stake_entry_no AND s.kind = 'stake'
      JOIN casino.round r ON r.round_id = s.round_id
      LEFT JOIN casino.bet_rule b ON b.plan_id = r.plan_id AND b.kind = casino.kind(s.bet)
      LEFT JOIN casino.table_version v ON v.table_id = r.table_id AND v.version = r.table_version
      LEFT JOIN casino.table_limit m ON m.table_id = r.table_id AND m.version = r.table_version AND m.kind = b.kind
     WHERE l.player_id = refund_fault.player_id AND l.entry_no = refund_no AND l.kind = 'refund';
    -- of no stake or round: that is another difference
    IF NOT FOUND OR NOT casino.never_placed(d.reason) THEN
        RETURN NULL;
    END IF;
    IF d.recorded_at > d.evaluation_recorded_at THEN
        RETURN 'after_evaluation';
    END IF;
    IF d.reason = 'misdealt' THEN
        RETURN NULL;        -- the correction of the cards says which
    END IF;
    IF d.reason = 'late' THEN
        IF d.staked_at > d.betting_closed_at OR d.staked_at >= d.betting_until THEN
            RETURN NULL;
        END IF;
    ELSIF (d.posted_at > coalesce(d.betting_closed_at, d.evaluated_at) OR d.posted_at >= d.betting_until)
          -- the end became known afterwards (R13.35)
          AND NOT EXISTS (SELECT FROM casino.breach x WHERE x.player_id = refund_fault.player_id AND x.entry_no = d.entry_no AND x.rule = 'taken_back_late') THEN
        RETURN 'after_close';
    ELSIF d.reason <> 'excluded'
          OR EXISTS (SELECT FROM casino.exclusion e WHERE e.player_id = refund_fault.player_id AND e.excluded_from <= d.posted_at AND e.excluded_until > d.posted_at
                        AND e.recorded_at <= d.recorded_at) THEN
        RETURN NULL;
    END IF;
    -- what it depends on went back
    IF EXISTS (SELECT FROM casino.ledger o
                 JOIN casino.ledger f ON f.player_id = o.player_id AND f.stake_entry_no = o.entry_no AND f.kind = 'refund' AND f.reason = d.reason
                WHERE o.round_id = d.round_id AND o.kind = 'stake' AND o.player_id = refund_fault.player_id AND o.entry_no <> d.entry_no AND d.reason = 'late'
                  AND (d.requires IS NOT NULL OR d.phase = 'play' OR casino.kind(o.bet) = 'call'
                       -- a chip below the minimum alone, put on one that is dated later
                       OR casino.same_position(o.bet, d.bet) AND o.entry_no < d.entry_no AND casino.stake(d.bet) < d.least)
                  AND o.seat IS NOT DISTINCT FROM d.seat
                  AND (o.posted_at > d.betting_closed_at OR o.posted_at >= d.betting_until))
       OR d.kind = 'behind' AND EXISTS (SELECT FROM casino.ledger o
                 JOIN casino.ledger f ON f.player_id = o.player_id AND f.stake_entry_no = o.entry_no AND f.kind = 'refund' AND f.reason = d.reason
                WHERE o.round_id = d.round_id AND o.kind = 'stake' AND casino.kind(o.bet) = 'main' AND o.seat IS NOT DISTINCT FROM d.seat
                  AND (d.reason <> 'late' OR o.posted_at > d.betting_closed_at OR o.posted_at >= d.betting_until)) THEN
        RETURN NULL;
    END IF;
    RETURN 'not_' || d.reason;
END
$fn$;
COMMENT ON FUNCTION casino.refund_fault(bigint, bigint) IS 'Part of the reconciliation, check refund: the rule that the reason of a refund breaks; NULL: what it says is so';

CREATE FUNCTION casino.check_entry_gap(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino.suspects(1, from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        WITH day AS MATERIALIZED (
            SELECT l.player_id, l.entry_no, l.stake_entry_no, l.withdrawal_entry_no FROM casino.ledger l
             WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND (named IS NULL OR l.player_id = ANY (named))),
        touched AS MATERIALIZED (
            SELECT d.player_id, min(d.entry_no) AS low, max(d.entry_no) AS high FROM day d GROUP BY d.player_id),
        -- from the last entry before them on, whatever its number
        span AS (
            SELECT t.player_id, l.entry_no, lag(l.entry_no) OVER (PARTITION BY t.player_id ORDER BY l.entry_no) AS before
              FROM touched t
             CROSS JOIN LATERAL (SELECT coalesce((SELECT b.entry_no FROM casino.ledger b WHERE b.player_id = t.player_id AND b.entry_no < t.low
                                                   ORDER BY b.entry_no DESC LIMIT 1), t.low) AS first OFFSET 0) f
             CROSS JOIN LATERAL (SELECT x.entry_no FROM casino.ledger x WHERE x.player_id = t.player_id AND x.entry_no BETWEEN f.first AND t.high OFFSET 0) l)
        SELECT 'missing', s.player_id, NULL::bigint, coalesce(s.before, 0) + 1, 'entry ' || coalesce(s.before, 0) + 1, 'no entry',
               jsonb_build_object('from', coalesce(s.before, 0) + 1, 'to', s.entry_no - 1)
          FROM span s JOIN touched t ON t.player_id = s.player_id
         WHERE s.entry_no > coalesce(s.before, 0) + 1
           -- the first of the span stands after a gap only if nothing at all is before it
           AND (s.before IS NOT NULL OR s.entry_no = t.low)
        UNION ALL
        SELECT 'order', d.player_id, NULL, d.entry_no, 'an entry before ' || d.entry_no, 'entry ' || coalesce(d.stake_entry_no, d.withdrawal_entry_no), '{}'
          FROM day d WHERE coalesce(d.stake_entry_no, d.withdrawal_entry_no) >= d.entry_no;
END
$fn$;
COMMENT ON FUNCTION casino.check_entry_gap(date, date) IS 'Part of the reconciliation, check entry_gap: the numbers of a player are 1 to n, and what an entry pays or ends comes before it';

-- All wallets together are what the entries have moved: by the kept totals of days and the entries since.  No history is read, and a wallet is seen that no
-- entry of the days concerns (R10.23).  Totals that do not have every entry say nothing: then each player is asked.
CREATE FUNCTION casino.wallets_fit() RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    kept_until CONSTANT timestamptz := (SELECT casino.day_start(max(d.day) + 1) FROM casino.day_total d);
BEGIN
    RETURN kept_until IS NOT NULL AND coalesce((
        SELECT p.balance = k.balance + n.balance AND p.entries = k.entries + n.entries
          FROM (SELECT coalesce(sum(x.balance), 0) AS balance, coalesce(sum(x.last_entry_no), 0) AS entries FROM casino.player x) p
         CROSS JOIN (SELECT coalesce(sum(casino.wallet_change(d.kind, d.amount)), 0) AS balance, coalesce(sum(d.entries), 0) AS entries FROM casino.day_total d) k
         CROSS JOIN (SELECT coalesce(sum(casino.wallet_change(l.kind, l.amount)), 0) AS balance, count(*) AS entries
                       FROM casino.ledger l WHERE l.posted_at >= kept_until) n), false);
END
$fn$;
COMMENT ON FUNCTION casino.wallets_fit() IS 'Part of the reconciliation, check wallet: is the sum of all wallets what the entries give; false also where it cannot be said';

CREATE FUNCTION casino.check_wallet(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino.suspects(2, from_day, to_day)).players;
    players CONSTANT bigint[] := (casino.suspects(2048, from_day, to_day)).players;
    everybody CONSTANT boolean := players IS NULL OR NOT casino.wallets_fit();
BEGIN
    -- the wallet itself: by the last entry, which has the sum of all
    IF everybody OR players <> '{}' THEN
        RETURN QUERY
            SELECT 'wallet', p.player_id, NULL::bigint, NULL::bigint, coalesce(e.balance, 0)::text, p.balance::text, jsonb_build_object('last_entry_no', coalesce(e.entry_no, 0))
              FROM casino.player p
              -- OFFSET 0: by the key of each player
              LEFT JOIN LATERAL (SELECT l.entry_no, l.balance FROM casino.ledger l WHERE l.player_id = p.player_id
                                  ORDER BY l.entry_no DESC LIMIT 1) e ON true
             WHERE (everybody OR p.player_id = ANY (players)) AND p.balance IS DISTINCT FROM coalesce(e.balance, 0);
    END IF;
    IF named = '{}' THEN
        RETURN;
    END IF;
    -- a balance that is wrong alone is one difference: the entry after it is held against the one before it, too
    RETURN QUERY
        WITH touched AS MATERIALIZED (
            SELECT l.player_id, min(l.entry_no) AS low, max(l.entry_no) AS high FROM casino.ledger l
             WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND (named IS NULL OR l.player_id = ANY (named))
             GROUP BY l.player_id),
        span AS (
            SELECT t.player_id, t.low, l.entry_no, l.kind, l.balance, casino.wallet_change(l.kind, l.amount) AS change, l.round_id,
                   coalesce(lag(l.balance) OVER w, 0) AS before, coalesce(lag(l.balance, 2) OVER w, 0) AS before_that,
                   coalesce(lag(casino.wallet_change(l.kind, l.amount)) OVER w, 0) AS change_before, lag(l.entry_no) OVER w AS no_before
              FROM touched t
             CROSS JOIN LATERAL (SELECT coalesce((SELECT b.entry_no FROM casino.ledger b WHERE b.player_id = t.player_id AND b.entry_no < t.low
                                                   ORDER BY b.entry_no DESC OFFSET 1 LIMIT 1),
                                                 (SELECT min(b.entry_no) FROM casino.ledger b WHERE b.player_id = t.player_id)) AS first OFFSET 0) f
             -- OFFSET 0: by the key of each player, however many entries others have
             CROSS JOIN LATERAL (SELECT x.* FROM casino.ledger x WHERE x.player_id = t.player_id AND x.entry_no BETWEEN f.first AND t.high OFFSET 0) l
            WINDOW w AS (PARTITION BY t.player_id ORDER BY l.entry_no))
        SELECT 'balance', s.player_id, s.round_id, s.entry_no, (s.before + s.change)::text, s.balance::text,
               jsonb_build_object('before', s.before, 'change', s.change, 'kind', s.kind)
          FROM span s
         WHERE s.entry_no >= s.low AND s.balance IS DISTINCT FROM s.before + s.change
           AND NOT coalesce(s.no_before >= s.low AND s.before <> s.before_that + s.change_before AND s.balance = s.before_that + s.change_before + s.change, false);
END
$fn$;
COMMENT ON FUNCTION casino.check_wallet(date, date) IS 'Part of the reconciliation, check wallet: the balance after each entry is the one before it and what the entry moves, so that it is the sum of all; the wallet is the last of them; all wallets are what all entries give';

CREATE FUNCTION casino.check_negative(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino.suspects(4, from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        SELECT 'below_zero', l.player_id, l.round_id, l.entry_no, 'at least 0.00', l.balance::text, jsonb_build_object('kind', l.kind, 'amount', l.amount)
          FROM casino.ledger l
         WHERE casino.of_days(l.posted_at, l.recorded_at, since, until)
           AND (named IS NULL OR l.player_id = ANY (named)) AND NOT l.balance BETWEEN 0 AND 92233720368547758.07;
END
$fn$;
COMMENT ON FUNCTION casino.check_negative(date, date) IS 'Part of the reconciliation, check negative: no wallet is below zero, or beyond what it can hold, at any entry';

CREATE FUNCTION casino.check_trial_balance(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino.suspects(8, from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        WITH day AS MATERIALIZED (
            SELECT l.player_id, l.entry_no, l.kind, l.amount, l.round_id, l.bet, l.withdrawal_entry_no FROM casino.ledger l
             WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND (named IS NULL OR l.player_id = ANY (named))),
        free AS MATERIALIZED (SELECT k.kind FROM casino.bet_kinds() k WHERE k.free)
        SELECT x.rule, x.player_id, x.round_id, x.entry_no, x.expected, x.found, jsonb_build_object('kind', x.kind)
          FROM (SELECT CASE WHEN casino.wallet_change(d.kind, 0) IS NULL THEN 'kind'
                            WHEN d.kind = 'stake' AND d.amount IS DISTINCT FROM CASE WHEN casino.kind(d.bet) IN (SELECT f.kind FROM free f) THEN 0 ELSE casino.stake(d.bet) END
                            THEN 'stake'
                            WHEN d.kind IN ('withdrawal_cancelled', 'cash_paid', 'transfer_paid') AND d.amount IS DISTINCT FROM w.amount THEN 'withdrawal'
                            WHEN d.amount <> trunc(d.amount, 2) OR d.amount = 'NaN' OR d.amount < 0 AND d.kind NOT IN ('adjustment', 'correction')
                                 OR d.amount = 0 AND d.kind NOT IN ('stake', 'refund') THEN 'amount'
                       END AS rule, d.player_id, d.round_id, d.entry_no, d.kind, d.amount::text AS found,
                       CASE WHEN casino.wallet_change(d.kind, 0) IS NULL THEN 'a kind of entry'
                            WHEN d.kind = 'stake' THEN CASE WHEN casino.kind(d.bet) IN (SELECT f.kind FROM free f) THEN '0.00' ELSE casino.stake(d.bet)::text END
                            WHEN w.amount IS NOT NULL THEN w.amount::text
                            WHEN d.kind IN ('withdrawal_cancelled', 'cash_paid', 'transfer_paid') THEN 'a withdrawal'
                            ELSE 'an amount of CZK' END AS expected
                  FROM day d
                  LEFT JOIN LATERAL (SELECT o.amount FROM casino.ledger o
                                      WHERE o.player_id = d.player_id AND o.entry_no = d.withdrawal_entry_no AND o.kind = 'withdrawal' OFFSET 0) w ON true) x
         WHERE x.rule IS NOT NULL
        UNION ALL
        -- what every entry has, and what one of its kind has
        SELECT 'columns', c.player_id, c.round_id, c.entry_no, 'a row of kind ' || coalesce(c.kind, 'NULL'), c.wrong, '{}'
          FROM (SELECT l.player_id, l.round_id, l.entry_no, l.kind,
                       concat_ws(', ', CASE WHEN l.player_id IS NULL THEN 'no player_id' END, CASE WHEN l.entry_no IS NULL THEN 'no entry_no' END, CASE WHEN l.kind IS NULL THEN 'no kind' END,
                                 CASE WHEN l.amount IS NULL THEN 'no amount' END, CASE WHEN l.balance IS NULL THEN 'no balance' END,
                                 CASE WHEN isfinite(l.posted_at) IS NOT TRUE THEN 'posted_at ' || coalesce(l.posted_at::text, 'NULL') END,
                                 CASE WHEN isfinite(l.recorded_at) IS NOT TRUE THEN 'recorded_at ' || coalesce(l.recorded_at::text, 'NULL') END,
                                 CASE WHEN (l.kind IN ('stake', 'payout', 'refund', 'correction')) > (l.round_id IS NOT NULL) THEN 'no round_id' END,
                                 CASE WHEN (l.kind = 'stake') <> (l.bet IS NOT NULL) THEN CASE WHEN l.bet IS NULL THEN 'no bet' ELSE 'bet ' || l.bet END END,
                                 CASE WHEN (l.kind = 'correction') <> (l.correction_no IS NOT NULL) THEN 'correction_no ' || coalesce(l.correction_no::text, 'NULL') END,
                                 CASE WHEN (l.kind IN ('payout', 'refund', 'correction')) <> (l.stake_entry_no IS NOT NULL) THEN 'stake_entry_no ' || coalesce(l.stake_entry_no::text, 'NULL') END,
                                 CASE WHEN (l.kind IN ('withdrawal_cancelled', 'cash_paid', 'transfer_paid')) <> (l.withdrawal_entry_no IS NOT NULL)
                                      THEN 'withdrawal_entry_no ' || coalesce(l.withdrawal_entry_no::text, 'NULL') END) AS wrong
                  FROM casino.ledger l
                 WHERE (casino.of_days(l.posted_at, l.recorded_at, since, until) OR l.posted_at IS NULL OR l.recorded_at IS NULL OR l.posted_at IN ('infinity', '-infinity'))
                   AND (named IS NULL OR l.player_id = ANY (named) OR l.player_id IS NULL)) c
         WHERE c.wrong <> ''
        UNION ALL
        -- as often as a withdrawal: paid, or cancelled, once
        SELECT 'ended_twice', y.player_id, NULL, y.entry_no, 'entry ' || y.first || ' alone', 'entry ' || y.entry_no, jsonb_build_object('withdrawal', y.withdrawal_entry_no)
          FROM (SELECT e.player_id, e.entry_no, e.withdrawal_entry_no, min(e.entry_no) OVER (PARTITION BY e.player_id, e.withdrawal_entry_no) AS first
                  FROM (SELECT DISTINCT d.player_id, d.withdrawal_entry_no FROM day d WHERE d.withdrawal_entry_no IS NOT NULL) w
                 CROSS JOIN LATERAL (SELECT o.player_id, o.entry_no, o.withdrawal_entry_no FROM casino.ledger o
                                      WHERE o.player_id = w.player_id AND o.withdrawal_entry_no = w.withdrawal_entry_no OFFSET 0) e) y
         WHERE y.entry_no <> y.first
        UNION ALL
        -- the house as a whole: what the wallets gained is what the other accounts gave
        SELECT 'accounts', NULL, NULL, NULL, '0.00', a.balance::text, jsonb_build_object('accounts', a.accounts)
          FROM (SELECT sum(b.balance) AS balance, jsonb_object_agg(b.account, b.balance) AS accounts
                  FROM (SELECT v.account, sum(v.amount) AS balance
                          FROM (SELECT d.kind, sum(d.amount) AS amount FROM day d GROUP BY d.kind) t
                          LEFT JOIN casino.entry_kinds() k ON k.kind = t.kind
                         CROSS JOIN LATERAL (VALUES ('player_wallets', - casino.wallet_change(t.kind, t.amount)),
                                                    (CASE WHEN k.debit_account <> 'player_wallets' THEN k.debit_account END, t.amount),
                                                    (CASE WHEN k.credit_account <> 'player_wallets' THEN k.credit_account END, - t.amount)) v (account, amount)
                         WHERE v.account IS NOT NULL GROUP BY v.account) b) a
         WHERE a.balance <> 0;
END
$fn$;
COMMENT ON FUNCTION casino.check_trial_balance(date, date) IS 'Part of the reconciliation, check trial_balance: each entry is of a kind that balances and of an amount that its bet or withdrawal gives, and the accounts sum to zero';

-- Rounds whose wagers are to be looked at: evaluated, paid or voided in the period, or with a payout or refund in it; of what the sieve names only these.
CREATE FUNCTION casino.reconciled_rounds(from_day date, to_day date, named bigint[], named_rounds bigint[]) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE ROWS 10000 SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    IF named IS NULL THEN
        RETURN QUERY SELECT r.round_id FROM casino.round r WHERE r.evaluated_at >= since AND r.evaluated_at < until;
    ELSE
        RETURN QUERY
            SELECT r.round_id FROM casino.round r
             WHERE r.evaluated_at >= since AND r.evaluated_at < until
               AND (r.round_id = ANY (named_rounds)
                    -- by the round and the player, not by the players' histories
                    OR EXISTS (SELECT FROM casino.ledger l WHERE l.round_id = r.round_id AND l.kind = 'stake' AND l.player_id = ANY (named) OFFSET 0));
    END IF;
    RETURN QUERY
        SELECT DISTINCT l.round_id FROM casino.ledger l
         WHERE casino.of_days(l.posted_at, l.recorded_at, since, until)
           AND l.round_id IS NOT NULL AND l.kind IN ('stake', 'payout', 'refund', 'correction') AND (named IS NULL OR l.player_id = ANY (named))
           AND NOT EXISTS (SELECT FROM casino.round r
                            WHERE r.round_id = l.round_id AND r.evaluated_at >= since AND r.evaluated_at < until
                              AND (named IS NULL OR r.round_id = ANY (named_rounds)
                                   OR EXISTS (SELECT FROM casino.ledger s WHERE s.round_id = r.round_id AND s.kind = 'stake' AND s.player_id = ANY (named))) OFFSET 0);
END
$fn$;
COMMENT ON FUNCTION casino.reconciled_rounds(date, date, bigint[], bigint[]) IS 'Part of the reconciliation: rounds evaluated on the days, or with entries of the days; of these players, and these rounds, alone';

-- What is due now: not what is withheld of the round or of the player and has not ended.
CREATE FUNCTION casino.check_payout_of(rounds bigint[], since timestamptz, until timestamptz, named bigint[]) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        WITH asked AS MATERIALIZED (
            SELECT r.round_id, r.status, r.withheld_by <> r.evaluated_by OR r.withheld_at <> r.evaluated_at AS ordered
              FROM casino.round r
             WHERE r.round_id = ANY (rounds)
               -- of whose result was corrected the check correction knows
               AND NOT EXISTS (SELECT FROM casino.correction_decision d WHERE d.round_id = r.round_id AND d.version IS NOT NULL)),
        due AS MATERIALIZED (
            SELECT e.round_id, e.player_id, e.entry_no, e.grade, e.payout, e.bet,
                   CASE WHEN a.status = 'settled' THEN h.player_id IS NULL OR n.how = 'paid' ELSE n.how IS NOT DISTINCT FROM 'paid' END AS payable,
                   -- by hand (R7.45)
                   a.status = 'withheld' AND h.player_id IS NULL AND a.ordered IS FALSE AS may_be_paid
              FROM asked a
              JOIN casino.evaluation e ON e.round_id = a.round_id
              LEFT JOIN casino.withholding h ON h.player_id = e.player_id AND h.round_id = e.round_id
              LEFT JOIN casino.withholding_end n ON n.player_id = e.player_id AND n.round_id = e.round_id
             WHERE e.payout > 0),
        -- payouts of their stakes, and of whatever else on these days names the rounds or none
        paid AS MATERIALIZED (
            SELECT p.player_id, p.entry_no, p.stake_entry_no, p.amount, p.grade, p.round_id,
                   row_number() OVER (PARTITION BY p.player_id, p.stake_entry_no ORDER BY p.entry_no) AS nth
              FROM (SELECT s.player_id, s.entry_no FROM asked a JOIN casino.ledger s ON s.round_id = a.round_id AND s.kind = 'stake') s
              JOIN casino.ledger p ON p.player_id = s.player_id AND p.stake_entry_no = s.entry_no AND p.kind = 'payout'
            UNION ALL
            SELECT p.player_id, p.entry_no, p.stake_entry_no, p.amount, p.grade, p.round_id, 1
              FROM casino.ledger p
             WHERE (named IS NULL OR p.player_id = ANY (named)) AND casino.of_days(p.posted_at, p.recorded_at, since, until) AND p.kind = 'payout'
               AND (p.round_id = ANY (rounds) OR p.round_id IS NULL)
               AND NOT EXISTS (SELECT FROM casino.ledger s WHERE s.player_id = p.player_id AND s.entry_no = p.stake_entry_no
                                  AND s.kind = 'stake' AND s.round_id IS NOT DISTINCT FROM p.round_id))
        SELECT CASE WHEN p.entry_no IS NULL THEN 'missing' WHEN p.nth > 1 THEN 'twice' WHEN d.entry_no IS NULL THEN 'of_nothing'
                    WHEN NOT d.payable AND NOT d.may_be_paid THEN 'withheld' ELSE 'wrong' END,
               coalesce(p.player_id, d.player_id), coalesce(d.round_id, p.round_id), coalesce(p.entry_no, d.entry_no),
               CASE WHEN d.entry_no IS NULL OR p.nth > 1 OR NOT d.payable AND NOT d.may_be_paid THEN 'no payout' ELSE concat_ws(' ', d.payout, d.grade) END,
               CASE WHEN p.entry_no IS NULL THEN 'no payout' ELSE concat_ws(' ', p.amount, p.grade) END,
               jsonb_strip_nulls(jsonb_build_object('stake', coalesce(d.entry_no, p.stake_entry_no), 'bet', d.bet::text))
          FROM (SELECT d.* FROM due d) d
          FULL JOIN paid p ON p.player_id = d.player_id AND p.stake_entry_no = d.entry_no
         WHERE CASE WHEN p.entry_no IS NULL THEN d.payable
                    ELSE d.entry_no IS NULL OR p.nth > 1 OR NOT d.payable AND NOT d.may_be_paid OR (p.amount, p.grade) IS DISTINCT FROM (d.payout, d.grade) END;
END
$fn$;
COMMENT ON FUNCTION casino.check_payout_of(bigint[], timestamptz, timestamptz, bigint[]) IS 'Part of the reconciliation, check payout: the same for the rounds given';

CREATE FUNCTION casino.check_payout(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    suspect CONSTANT record := casino.suspects(16, from_day, to_day);
    rounds CONSTANT bigint[] := ARRAY (SELECT r FROM casino.reconciled_rounds(from_day, to_day, suspect.players, suspect.rounds) r);
    one bigint;
BEGIN
    IF suspect.players = '{}' AND suspect.rounds = '{}' THEN
        RETURN;
    END IF;
    BEGIN
        RETURN QUERY SELECT f.* FROM casino.check_payout_of(rounds, since, until, suspect.players) f;
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF casino.passes(SQLSTATE) THEN
            RAISE;
        END IF;
        -- one that cannot be evaluated: found below
    END;
    FOREACH one IN ARRAY rounds LOOP
        BEGIN
            RETURN QUERY SELECT f.* FROM casino.check_payout_of(ARRAY[one], since, until, suspect.players) f;
        EXCEPTION WHEN OTHERS THEN
            IF casino.passes(SQLSTATE) THEN
                RAISE;
            END IF;
            RETURN NEXT ('error', NULL, one, NULL, 'the round can be evaluated', SQLSTATE || ': ' || SQLERRM, '{}')::casino.finding;
        END;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.check_payout(date, date) IS 'Part of the reconciliation, check payout: what casino.evaluation gives is paid, once, and nothing else';

-- Stakes that came after a card that was recorded wrongly, and before it was corrected: by the records, or by the times that they claim (R11.30).
CREATE FUNCTION casino.misdealt_stake(round_id bigint, OUT player_id bigint, OUT entry_no bigint, OUT seat integer, OUT amount numeric, OUT bet casino.bet,
                                      OUT corrected_at timestamptz) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT s.player_id, s.entry_no, s.seat, s.amount, s.bet, c.corrected_at
      FROM casino.deal_correction c
      JOIN casino.deal w ON w.round_id = c.round_id AND w.deal_no = c.wrong_deal_no
      JOIN casino.ledger s ON s.round_id = c.round_id AND s.kind = 'stake'
     WHERE c.round_id = misdealt_stake.round_id AND NOT c.wagers_stand
       AND (s.recorded_at >= w.recorded_at OR s.posted_at > w.dealt_at) AND s.recorded_at < c.recorded_at
$fn$;
COMMENT ON FUNCTION casino.misdealt_stake(bigint) IS 'Part of the reconciliation, check refund: stakes of a round that a correction of its cards returns';

CREATE FUNCTION casino.check_refund(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino.suspects(32, from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        WITH day AS MATERIALIZED (
            SELECT l.* FROM casino.ledger l
             WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND l.kind = 'refund'
               AND (named IS NULL OR l.player_id = ANY (named)))
        SELECT CASE WHEN s.entry_no IS NULL OR s.round_id IS DISTINCT FROM d.round_id THEN 'of_nothing'
                    WHEN o.entry_no IS NOT NULL THEN 'twice'
                    WHEN s.amount IS DISTINCT FROM d.amount THEN 'amount'
                    ELSE coalesce(casino.refund_fault(d.player_id, d.entry_no), 'not_due') END,
               d.player_id, d.round_id, d.entry_no,
               CASE WHEN s.entry_no IS NULL OR s.round_id IS DISTINCT FROM d.round_id THEN 'no refund' WHEN o.entry_no IS NOT NULL THEN 'entry ' || o.entry_no || ' alone'
                    WHEN s.amount IS DISTINCT FROM d.amount THEN s.amount::text ELSE
                    CASE casino.refund_fault(d.player_id, d.entry_no)
                         WHEN 'after_evaluation' THEN 'recorded before the evaluation was' WHEN 'after_close' THEN 'not after ' || coalesce(r.betting_closed_at, r.betting_until, r.evaluated_at)
                         WHEN 'not_late' THEN 'a stake after ' || coalesce(r.betting_closed_at, r.betting_until)::text WHEN 'not_excluded' THEN 'an exclusion in force'
                         ELSE CASE WHEN d.reason = 'misdealt' THEN 'no refund: no correction of cards asks for it' ELSE 'no refund: the round is ' || coalesce(r.status, 'not there') END END END,
               d.amount::text || coalesce(' ' || d.reason, ''), jsonb_build_object('stake', d.stake_entry_no)
          FROM day d
          LEFT JOIN casino.ledger s ON s.player_id = d.player_id AND s.entry_no = d.stake_entry_no AND s.kind = 'stake'
          LEFT JOIN casino.round r ON r.round_id = d.round_id
          LEFT JOIN LATERAL (SELECT x.entry_no FROM casino.ledger x
                              WHERE x.player_id = d.player_id AND x.stake_entry_no = d.stake_entry_no AND x.entry_no < d.entry_no
                              ORDER BY x.entry_no LIMIT 1) o ON true
          LEFT JOIN casino.withholding_end n ON n.player_id = d.player_id AND n.round_id = d.round_id AND n.how = 'voided'
         WHERE s.entry_no IS NULL OR s.round_id IS DISTINCT FROM d.round_id OR o.entry_no IS NOT NULL OR s.amount IS DISTINCT FROM d.amount
            OR NOT (casino.never_placed(d.reason) OR d.reason IS NOT DISTINCT FROM 'voided' AND (r.status IS NOT DISTINCT FROM 'voided' OR n.round_id IS NOT NULL))
            OR casino.refund_fault(d.player_id, d.entry_no) IS NOT NULL
            OR d.reason IS NOT DISTINCT FROM 'misdealt'
               AND NOT EXISTS (SELECT FROM casino.misdealt_stake(d.round_id) m WHERE m.player_id = d.player_id
                                  AND (m.entry_no = d.stake_entry_no OR m.seat IS NOT DISTINCT FROM s.seat) AND m.corrected_at <= d.posted_at)
        UNION ALL
        -- what came after a wrong card went back, unless the correction lets it stand
        SELECT 'missing', m.player_id, c.round_id, m.entry_no, m.amount || ' returned', 'no refund', jsonb_build_object('bet', m.bet::text, 'reason', 'misdealt')
          FROM (SELECT DISTINCT x.round_id FROM casino.deal_correction x WHERE casino.of_days(x.corrected_at, x.recorded_at, since, until)) c
         CROSS JOIN LATERAL casino.misdealt_stake(c.round_id) m
         WHERE (named IS NULL OR m.player_id = ANY (named))
           AND NOT EXISTS (SELECT FROM casino.ledger f WHERE f.player_id = m.player_id AND f.stake_entry_no = m.entry_no AND f.kind = 'refund')
        UNION ALL
        SELECT 'missing', s.player_id, s.round_id, s.entry_no, s.amount || ' returned', 'no refund', jsonb_build_object('bet', s.bet::text)
          FROM casino.round r
          JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'
         WHERE (named IS NULL OR s.player_id = ANY (named)) AND r.status = 'voided' AND coalesce(r.voided_at, r.evaluated_at) >= since AND r.evaluated_at < until
           AND NOT EXISTS (SELECT FROM casino.correction_decision v WHERE v.round_id = r.round_id AND v.version IS NOT NULL)
           AND NOT EXISTS (SELECT FROM casino.ledger f WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no)
        UNION ALL
        SELECT 'missing', s.player_id, s.round_id, s.entry_no, s.amount || ' returned', 'no refund', jsonb_build_object('bet', s.bet::text)
          FROM casino.withholding_end n
          JOIN casino.ledger s ON s.round_id = n.round_id AND s.kind = 'stake' AND s.player_id = n.player_id
         WHERE (named IS NULL OR s.player_id = ANY (named)) AND n.how = 'voided' AND n.ended_at >= since AND n.ended_at < until
           AND NOT EXISTS (SELECT FROM casino.round r WHERE r.round_id = n.round_id AND r.status = 'voided')
           AND NOT EXISTS (SELECT FROM casino.ledger f WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no);
END
$fn$;
COMMENT ON FUNCTION casino.check_refund(date, date) IS 'Part of the reconciliation, check refund: refunds are of stakes, whole, once, for a reason that is so, and what was voided went back';

CREATE FUNCTION casino.check_round_figures(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino.suspects(64, from_day, to_day)).rounds;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    -- a round that cannot be: what happened to it does not follow, or is at no time
    RETURN QUERY
        SELECT 'times', NULL::bigint, r.round_id, NULL::bigint, 'times in their order, as its status has them',
               concat_ws(', ', coalesce(r.status, 'no status'), 'opened ' || r.opened_at, 'closed ' || r.betting_closed_at, 'decided ' || r.actions_closed_at, 'evaluated ' || r.evaluated_at),
               jsonb_build_object('betting_until', r.betting_until)
          FROM casino.round r
         WHERE (r.evaluated_at >= since AND r.evaluated_at < until OR r.evaluated_at IS NULL OR r.evaluated_at IN ('infinity', '-infinity')) AND (named IS NULL OR r.round_id = ANY (named))
           AND (r.status IN ('open', 'closed', 'withheld', 'settled', 'voided') IS NOT TRUE OR isfinite(r.opened_at) IS NOT TRUE OR NOT isfinite(r.betting_closed_at)
                OR NOT isfinite(r.actions_closed_at) OR NOT isfinite(r.evaluated_at) OR NOT isfinite(r.betting_until)
                OR (r.status IN ('open', 'closed')) = (r.evaluated_at IS NOT NULL) OR r.betting_closed_at < r.opened_at OR r.evaluated_at < r.betting_closed_at);
    -- paid: of what is withheld, or was voided for single players, the evaluation says what was to be paid, which is the check payout's
    RETURN QUERY
        SELECT x.rule, NULL::bigint, f.round_id, NULL::bigint, x.expected::text, x.found::text, jsonb_build_object('status', f.status)
          FROM (SELECT r.round_id, r.status, r.wagers, r.players, r.staked, r.paid, c.wagers AS counted, c.players AS who, c.staked AS stakes, c.paid AS payouts,
                       (r.status = 'voided' OR r.status = 'settled' AND NOT EXISTS (SELECT FROM casino.withholding h WHERE h.round_id = r.round_id)
                       AND NOT EXISTS (SELECT FROM casino.withholding_end h WHERE h.round_id = r.round_id))
                       AND NOT EXISTS (SELECT FROM casino.correction_decision d WHERE d.round_id = r.round_id AND d.version IS NOT NULL) AS all_paid
                  FROM casino.round r
                 CROSS JOIN LATERAL (SELECT count(*) AS wagers, count(DISTINCT s.player_id) AS players, coalesce(sum(s.amount), 0) AS staked,
                                            coalesce(sum(p.amount), 0) AS paid
                                       FROM casino.ledger s
                                       -- a stake counts once, however often it was paid
                                       LEFT JOIN LATERAL (SELECT sum(f.amount) AS amount, bool_or(f.kind = 'refund' AND casino.never_placed(f.reason)) AS gone
                                                            FROM casino.ledger f WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no) p ON true
                                      WHERE s.round_id = r.round_id AND s.kind = 'stake' AND p.gone IS NOT TRUE OFFSET 0) c
                 WHERE r.evaluated_at >= since AND r.evaluated_at < until AND (named IS NULL OR r.round_id = ANY (named))) f
         CROSS JOIN LATERAL (VALUES ('wagers', f.counted::numeric, f.wagers::numeric, true), ('players', f.who::numeric, f.players::numeric, true),
                                    ('staked', f.stakes, f.staked, true), ('paid', f.payouts, f.paid, f.all_paid)) x (rule, expected, found, compared)
         WHERE x.compared AND x.expected IS DISTINCT FROM x.found;
END
$fn$;
COMMENT ON FUNCTION casino.check_round_figures(date, date) IS 'Part of the reconciliation, check round_figures: wagers, players, staked and paid of an evaluated round are those of its entries';

CREATE FUNCTION casino.check_played(round_id bigint) RETURNS void
    AS 'MODULE_PATHNAME', 'casino_sql_check_played' LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.check_played(bigint) IS 'Part of the reconciliation, check outcome: KR001 when the round could not have been played so with the wagers that it has';

-- Cards by which wagers are graded are those of the document: both in one form.
CREATE FUNCTION casino.check_outcome_of(rounds bigint[]) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- hands have stakes, doubled and split ones the wagers for it; where no wager is placed in play the cards are anybody's.  Where a player's wagers were voided
    -- after the evaluation they had stood, and are not there to be asked (R10.11)
    PERFORM casino.check_played(r.round_id)
      FROM casino.round r
     WHERE r.round_id = ANY (rounds) AND r.status IN ('settled', 'withheld')
       AND EXISTS (SELECT FROM casino.bet_rule b WHERE b.plan_id = r.plan_id AND b.phase <> 'betting')
       AND NOT EXISTS (SELECT FROM casino.withholding_end e WHERE e.round_id = r.round_id AND e.how = 'voided');
    RETURN QUERY
        WITH given AS MATERIALIZED (
            SELECT r.round_id, g.family, r.outcome, casino.canonical_outcome(g.family, x.rules, r.outcome_document) AS document
              FROM casino.round r
              JOIN casino.game_plan p ON p.plan_id = r.plan_id
              JOIN casino.game g ON g.game = p.game
             CROSS JOIN LATERAL (SELECT coalesce(jsonb_object_agg(u.rule, u.value), '{}') AS rules FROM casino.plan_rule u WHERE u.plan_id = r.plan_id OFFSET 0) x
             WHERE r.round_id = ANY (rounds) AND r.outcome IS NOT NULL)
        SELECT 'document', NULL::bigint, o.round_id, NULL::bigint, o.document::text, o.outcome::text, '{}'::jsonb
          FROM given o WHERE o.document IS DISTINCT FROM o.outcome
        UNION ALL
        SELECT 'cards', NULL, o.round_id, NULL, c.expected, coalesce(d.cards::text, 'no cards'), jsonb_build_object('side', c.side)
          FROM given o
         CROSS JOIN LATERAL (SELECT k.side, nullif(o.document ->> k.side, '') AS expected FROM unnest(ARRAY['player', 'banker', 'dealer', 'board']) k (side)
                              WHERE jsonb_typeof(o.document -> k.side) = 'string') c
          LEFT JOIN casino.dealt_hand d ON d.round_id = o.round_id AND d.side = c.side
         WHERE c.expected IS NOT NULL AND d.cards::text IS DISTINCT FROM c.expected
        UNION ALL
        SELECT 'cards', NULL, o.round_id, NULL, c.expected, c.found, jsonb_build_object('side', 'box')
          FROM given o
         CROSS JOIN LATERAL (SELECT (SELECT string_agg(b.cards, ', ' ORDER BY b.cards)
                                       FROM (SELECT h.value ->> 'cards' AS cards FROM jsonb_array_elements(coalesce(o.document -> 'hands', o.document -> 'seats')) h
                                              WHERE h.value ->> 'cards' <> '') b) AS expected,
                                    (SELECT string_agg(d.cards::text, ', ' ORDER BY d.cards::text) FROM casino.dealt_hand d
                                      WHERE d.round_id = o.round_id AND d.side = 'box' AND casino.card_count(d.cards) > 0) AS found) c
         WHERE o.family IN ('blackjack', 'texas_holdem') AND c.expected IS DISTINCT FROM c.found;
END
$fn$;
COMMENT ON FUNCTION casino.check_outcome_of(bigint[]) IS 'Part of the reconciliation, check outcome: the same for the rounds given';

CREATE FUNCTION casino.check_outcome_documents(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    rounds CONSTANT bigint[] := ARRAY (SELECT r.round_id FROM casino.round r WHERE r.evaluated_at >= since AND r.evaluated_at < until);
    one bigint;
BEGIN
    RETURN QUERY
        SELECT 'none', NULL::bigint, r.round_id, NULL::bigint, 'an outcome', 'none', jsonb_build_object('status', r.status)
          FROM casino.round r
         WHERE r.evaluated_at >= since AND r.evaluated_at < until AND r.status IN ('settled', 'withheld') AND (r.outcome IS NULL OR r.outcome_document IS NULL);
    BEGIN
        RETURN QUERY SELECT f.* FROM casino.check_outcome_of(rounds) f;
        RETURN;
    EXCEPTION WHEN OTHERS THEN
        IF casino.passes(SQLSTATE) THEN
            RAISE;
        END IF;
        -- one that could not be dealt so: found below
    END;
    FOREACH one IN ARRAY rounds LOOP
        BEGIN
            RETURN QUERY SELECT f.* FROM casino.check_outcome_of(ARRAY[one]) f;
        EXCEPTION WHEN OTHERS THEN
            DECLARE
                why text;
            BEGIN
                IF casino.passes(SQLSTATE) THEN
                    RAISE;
                END IF;
                GET STACKED DIAGNOSTICS why = PG_EXCEPTION_DETAIL;
                RETURN NEXT ('impossible', NULL, one, NULL, 'an outcome by the rules', (SELECT r.outcome_document::text FROM casino.round r WHERE r.round_id = one),
                             jsonb_build_object('code', SQLSTATE, 'message', SQLERRM, 'why', why))::casino.finding;
            END;
        END;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.check_outcome_documents(date, date) IS 'Part of the reconciliation, check outcome: the document that was sent could be dealt so under the plan, and is what wagers are graded by';
-- Checks of the reconciliation: corrections of results and claims (R11.33 to R11.38). What a wager of a corrected round is due follows from the
-- evaluation by the last version; how it came there, from the decisions.

CREATE FUNCTION casino.check_correction_of(rounds bigint[]) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- each wager: what its player has of it, without what he gave back, is what the last version gives; what is beyond that is claimed or waived
    RETURN QUERY
        WITH round AS MATERIALIZED (
            SELECT r.round_id, r.status FROM casino.round r
             WHERE r.round_id = ANY (rounds) AND EXISTS (SELECT FROM casino.correction_decision d WHERE d.round_id = r.round_id AND d.version IS NOT NULL)),
        wager AS MATERIALIZED (
            SELECT r.round_id, r.status, s.player_id, s.entry_no, s.amount, s.bet,
                   CASE r.status WHEN 'withheld' THEN n.how IS NOT DISTINCT FROM 'paid' ELSE h.player_id IS NULL OR n.how IS NOT DISTINCT FROM 'paid' END AS settled
              FROM round r
              JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'
              LEFT JOIN casino.withholding h ON h.player_id = s.player_id AND h.round_id = s.round_id
              LEFT JOIN casino.withholding_end n ON n.player_id = s.player_id AND n.round_id = s.round_id
             WHERE NOT EXISTS (SELECT FROM casino.ledger f
                                WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no AND f.kind = 'refund' AND f.correction_no IS NULL)),
        held AS (
            SELECT w.*, coalesce(l.posted, 0.00) - coalesce(c.paid, 0.00) AS held, coalesce(c.waived, 0.00) AS waived, coalesce(c.open, 0.00) AS open,
                   CASE WHEN NOT w.settled THEN 0.00 WHEN w.status = 'voided' THEN w.amount ELSE coalesce(e.payout, 0.00) END AS due
              FROM wager w
              LEFT JOIN LATERAL (SELECT sum(x.amount) AS posted FROM casino.ledger x
                                  WHERE x.player_id = w.player_id AND x.stake_entry_no = w.entry_no OFFSET 0) l ON true
              LEFT JOIN LATERAL (SELECT sum(x.amount) FILTER (WHERE y.how = 'paid') AS paid, sum(x.amount) FILTER (WHERE y.how = 'waived') AS waived,
                                        sum(x.amount) FILTER (WHERE y.how IS NULL) AS open
                                   FROM casino.claim x LEFT JOIN casino.claim_end y ON y.claim_no = x.claim_no
                                  WHERE x.player_id = w.player_id AND x.stake_entry_no = w.entry_no OFFSET 0) c ON true
              LEFT JOIN LATERAL casino.evaluated_wager(CASE WHEN w.status <> 'voided' THEN w.round_id END, w.player_id, w.entry_no) e ON true)
        SELECT 'wager', x.player_id, x.round_id, x.entry_no, x.due::text, x.held::text,
               jsonb_build_object('bet', x.bet::text, 'open_claims', x.open, 'waived', x.waived)
          FROM held x
         WHERE x.held < x.due OR x.open <> greatest(x.held - x.due - x.waived, 0)
        UNION ALL
        -- the round: the figures of the last version
        SELECT 'figures', NULL, r.round_id, NULL, concat_ws(' ', d.wagers, d.players, d.staked, d.paid, d.status), concat_ws(' ', r.wagers, r.players, r.staked, r.paid, r.status), '{}'
          FROM casino.round r
          JOIN LATERAL (SELECT x.* FROM casino.correction_decision x WHERE x.round_id = r.round_id AND x.version IS NOT NULL ORDER BY x.version DESC LIMIT 1) d ON true
         WHERE r.round_id = ANY (rounds)
           -- a withheld round may have been paid, or voided, since
           AND ((d.wagers, d.players, d.staked, d.paid) IS DISTINCT FROM (r.wagers, r.players, r.staked, r.paid) AND NOT (d.status = 'withheld' AND r.status = 'voided')
                OR d.status <> r.status AND d.status <> 'withheld')
        UNION ALL
        -- the versions: each begins with the outcome of the one before, and the round has the last
        SELECT 'version', NULL, v.round_id, NULL, v.outcome::text, v.next::text, jsonb_build_object('version', v.version)
          FROM (SELECT d.round_id, d.version,
                       coalesce(c.outcome, d.former -> 'outcome') AS outcome,
                       CASE WHEN lead(d.version) OVER w IS NULL THEN r.outcome ELSE lead(d.former -> 'outcome') OVER w END AS next
                  FROM casino.correction_decision d
                  JOIN casino.round_correction c ON c.correction_no = d.correction_no
                  JOIN casino.round r ON r.round_id = d.round_id
                 WHERE d.round_id = ANY (rounds) AND d.version IS NOT NULL
                WINDOW w AS (PARTITION BY d.round_id ORDER BY d.version)) v
         WHERE v.outcome IS DISTINCT FROM v.next;
END
$fn$;
COMMENT ON FUNCTION casino.check_correction_of(bigint[]) IS 'Part of the reconciliation, check correction: the same for the rounds given';

CREATE FUNCTION casino.check_correction(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    one bigint;
BEGIN
    -- each entry belongs to a correction of its round that is in force, and to a stake there
    RETURN QUERY
        SELECT 'of_nothing', l.player_id, l.round_id, l.entry_no, 'no correction', l.amount::text, jsonb_build_object('correction_no', l.correction_no, 'stake', l.stake_entry_no)
          FROM casino.ledger l
         WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND l.kind = 'correction'
           AND NOT EXISTS (SELECT FROM casino.correction_decision d
                             JOIN casino.ledger s ON s.player_id = l.player_id AND s.entry_no = l.stake_entry_no AND s.kind = 'stake' AND s.round_id = l.round_id
                            WHERE d.correction_no = l.correction_no AND d.round_id = l.round_id AND d.version IS NOT NULL)
        UNION ALL
        -- in the player's favour: within 30 days of the first evaluation, or a breach (D4 §11.1)
        SELECT 'unrecorded', l.player_id, l.round_id, l.entry_no, 'a breach winnings_late', 'none', jsonb_build_object('amount', l.amount, 'evaluated_at', r.evaluated_at)
          FROM casino.ledger l
          JOIN casino.round r ON r.round_id = l.round_id
         WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND l.kind = 'correction' AND l.amount > 0
           AND l.posted_at >= casino.day_start(casino.prague_day(r.evaluated_at) + 31)
           AND NOT EXISTS (SELECT FROM casino.breach b WHERE b.player_id = l.player_id AND b.entry_no = l.stake_entry_no AND b.rule = 'winnings_late')
        UNION ALL
        -- a second person, and what he has approved
        SELECT x.rule, NULL, d.round_id, NULL, x.expected, x.found, jsonb_build_object('correction_no', d.correction_no)
          FROM casino.correction_decision d
          LEFT JOIN casino.round_correction c ON c.correction_no = d.correction_no
          LEFT JOIN LATERAL (SELECT count(*) AS entries, coalesce(sum(l.amount), 0.00) AS posted
                               FROM casino.ledger l WHERE l.round_id = d.round_id AND l.kind = 'correction' AND l.correction_no = d.correction_no) e ON true
          LEFT JOIN LATERAL (SELECT coalesce(sum(m.amount), 0.00) AS claimed FROM casino.claim m WHERE m.correction_no = d.correction_no) m ON true
         CROSS JOIN LATERAL (VALUES ('approval', 'approved by a second person', 'by the one who proposed it',
                                     d.version IS NOT NULL AND (c.recorded_by IS NULL OR casino.same_eyes(c.recorded_by, d.recorded_by) IS NOT NULL)),
                                    ('proposal', 'a proposal for the round', 'none', c.round_id IS DISTINCT FROM d.round_id),
                                    ('posted', concat_ws(' ', d.entries, d.posted, d.claimed), concat_ws(' ', e.entries, e.posted, m.claimed),
                                     (d.entries, d.posted, d.claimed) IS DISTINCT FROM (e.entries, e.posted, m.claimed))) x (rule, expected, found, holds)
         WHERE casino.of_days(d.decided_at, d.recorded_at, since, until) AND x.holds
        UNION ALL
        SELECT 'claim', m.player_id, m.round_id, m.stake_entry_no, 'no claim', m.amount::text, jsonb_build_object('claim_no', m.claim_no)
          FROM casino.claim m
         WHERE casino.of_days(m.claimed_at, m.recorded_at, since, until)
           AND NOT EXISTS (SELECT FROM casino.correction_decision d WHERE d.correction_no = m.correction_no AND d.round_id = m.round_id AND d.version IS NOT NULL);
    FOR one IN SELECT d.round_id FROM casino.correction_decision d WHERE d.version IS NOT NULL AND casino.of_days(d.decided_at, d.recorded_at, since, until)
               UNION
               SELECT l.round_id FROM casino.ledger l
                 JOIN casino.correction_decision d ON d.round_id = l.round_id AND d.version IS NOT NULL
                WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND l.kind IN ('payout', 'correction', 'refund')
               UNION
               SELECT m.round_id FROM casino.claim_end e JOIN casino.claim m ON m.claim_no = e.claim_no WHERE casino.of_days(e.ended_at, e.recorded_at, since, until)
               ORDER BY 1 LOOP
        BEGIN
            RETURN QUERY SELECT f.* FROM casino.check_correction_of(ARRAY[one]) f;
        EXCEPTION WHEN OTHERS THEN
            RETURN NEXT ('error', NULL, one, NULL, 'the round can be evaluated', SQLSTATE || ': ' || SQLERRM, '{}')::casino.finding;
        END;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.check_correction(date, date) IS 'Part of the reconciliation, check correction: corrections of results are approved by a second person, post what the last version gives, and what they could not take is claimed';
-- Absent players: was the hand of a disconnected player played by the rule for players who do not act (D4 Infinite §14, Evolution §13,
-- Synot §13, D3 §1; R3.21, R3.60, R3.61)? The cards lie as they lie: nothing is refused, it is a breach and found by the night.

CREATE FUNCTION casino.no_action_contradictions(round_id bigint, OUT player_id bigint, OUT entry_no bigint, OUT seat integer, OUT hand integer, OUT rule text,
                                                OUT cards text, OUT expected text, OUT paragraph text) RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    of record;
    drawn integer;
    open integer;
    most CONSTANT integer := 5;      -- with more cards a Charlie may have ended the hand
    bound integer;
BEGIN
    FOR of IN
        SELECT a.player_id, s.entry_no, s.seat, h.hand, a.no_action, h.cards, h.surrendered, p.paragraph,
               -- cards of the hand that lay there when the player was disconnected; the first two are dealt to everybody
               greatest(coalesce((SELECT casino.card_count(casino.hand(x.e ->> 'cards'))
                                    FROM jsonb_array_elements(CASE jsonb_typeof(a.seen -> 'hands') WHEN 'array' THEN a.seen -> 'hands' ELSE '[]' END) x (e)
                                   WHERE coalesce((x.e ->> 'seat')::integer, 0) = coalesce(s.seat, 0) AND coalesce((x.e ->> 'hand')::integer, 1) = h.hand
                                     AND (NOT x.e ?| '{player,players}' OR x.e -> 'player' = to_jsonb(a.player_id) OR x.e -> 'players' @> to_jsonb(a.player_id))
                                   ORDER BY x.e ?| '{player,players}' DESC LIMIT 1), 0), 2) AS seen,
               EXISTS (SELECT FROM casino.dealt_hand d WHERE d.round_id = a.round_id AND d.side = 'dealer' AND casino.is_blackjack(d.cards)) AS dealer_blackjack
          FROM casino.automatic_completion a
          JOIN casino.round r ON r.round_id = a.round_id AND r.status IN ('settled', 'withheld')
          JOIN casino.plan_rule p ON p.plan_id = r.plan_id AND p.rule = 'no_action'
          JOIN LATERAL (SELECT min(l.entry_no) AS entry_no, l.seat FROM casino.ledger l
                         WHERE l.round_id = a.round_id AND l.kind = 'stake' AND l.player_id = a.player_id AND casino.kind(l.bet) = 'main'
                           AND NOT EXISTS (SELECT FROM casino.ledger f WHERE f.player_id = l.player_id AND f.stake_entry_no = l.entry_no AND f.kind = 'refund')
                         GROUP BY l.seat) s ON true
          JOIN casino.dealt_hand h ON h.round_id = a.round_id AND h.side = 'box' AND h.seat = coalesce(s.seat, 0)
                                  AND h.group_no = coalesce((SELECT g.group_no FROM casino.dealt_hand g
                                                              WHERE g.round_id = a.round_id AND g.side = 'box' AND g.seat = h.seat AND g.hand = 1 AND a.player_id = ANY (g.players)), 0)
         WHERE a.round_id = no_action_contradictions.round_id AND a.automatic AND a.no_action IN ('stand', 'draw_to_11', 'draw_to_16')
           -- the owner of a box that others share decides for it, or the second player does (D3 §1)
           AND NOT EXISTS (SELECT FROM casino.ledger o
                            WHERE o.round_id = a.round_id AND o.kind = 'stake' AND o.seat = s.seat AND o.player_id <> a.player_id)
           -- a doubled hand gets its one card
           AND NOT EXISTS (SELECT FROM casino.ledger l
                            WHERE l.round_id = a.round_id AND l.kind = 'stake' AND l.player_id = a.player_id AND l.seat IS NOT DISTINCT FROM s.seat
                              AND coalesce(l.hand, 1) = h.hand AND casino.kind(l.bet) IN ('double_down', 'free_double')
                              AND NOT EXISTS (SELECT FROM casino.ledger f WHERE f.player_id = l.player_id AND f.stake_entry_no = l.entry_no AND f.kind = 'refund'))
         ORDER BY a.player_id, s.entry_no, h.hand
    LOOP
        drawn := casino.card_count(of.cards);
        bound := CASE of.no_action WHEN 'draw_to_11' THEN 11 WHEN 'draw_to_16' THEN 16 ELSE 0 END;
        -- from the cards that were seen on: as many as the rule draws
        open := of.seen;
        WHILE open <= drawn AND casino.blackjack_total(casino.hand(ARRAY (SELECT c FROM unnest(casino.cards(of.cards)) WITH ORDINALITY u (c, n) WHERE u.n <= open ORDER BY u.n))) <= bound LOOP
            open := open + 1;
        END LOOP;
        player_id := of.player_id;
        entry_no := of.entry_no;
        seat := of.seat;
        hand := of.hand;
        rule := of.no_action;
        cards := of.cards::text;
        paragraph := of.paragraph;
        IF of.surrendered THEN
            expected := 'not surrendered';
            RETURN NEXT;
        ELSIF drawn > open THEN
            expected := format('stands after %s cards', open);
            RETURN NEXT;
        ELSIF drawn < open AND drawn <= most AND drawn >= 2 AND NOT of.dealer_blackjack THEN
            expected := format('draws a card on %s', casino.blackjack_total(of.cards));
            RETURN NEXT;
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.no_action_contradictions(bigint) IS 'Part of the settlement and of the check no_action: hands of disconnected players that were not played by the plan''s rule for players who do not act, with what that rule asks for';

CREATE FUNCTION casino.check_no_action(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    one bigint;
BEGIN
    FOR one IN SELECT DISTINCT r.round_id FROM casino.round r
                 JOIN casino.disconnection d ON d.round_id = r.round_id
                WHERE r.evaluated_at >= since AND r.evaluated_at < until
                ORDER BY 1 LOOP
        BEGIN
            RETURN QUERY
                SELECT v.rule, c.player_id, one, c.entry_no, v.expected, v.found, jsonb_strip_nulls(jsonb_build_object('seat', c.seat, 'hand', c.hand, 'rule', c.rule, 'paragraph', c.paragraph))
                  FROM casino.no_action_contradictions(one) c
                 CROSS JOIN LATERAL (VALUES ('hand', c.rule || ': ' || c.expected, c.cards, true),
                                            ('unrecorded', 'a breach no_action', 'none',
                                             NOT EXISTS (SELECT FROM casino.breach b WHERE b.player_id = c.player_id AND b.entry_no = c.entry_no AND b.rule = 'no_action')))
                                    v (rule, expected, found, holds)
                 WHERE v.holds;
        EXCEPTION WHEN OTHERS THEN
            RETURN NEXT ('error', NULL, one, NULL, 'the cards can be read', SQLSTATE || ': ' || SQLERRM, '{}')::casino.finding;
        END;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.check_no_action(date, date) IS 'Part of the reconciliation, check no_action: hands of absent players were played by the rule for players who do not act, and a breach says where they were not (D4 Infinite §14, Evolution §13, Synot §13, D3 §1)';
-- Checks of the reconciliation: was every stake allowed, is anything late?  Limits and sequences are counted anew from entries, rounds, plans and
-- tables; nothing is asked of the code that admits a stake, nor of the player's row.

CREATE FUNCTION casino.check_round_stuck(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    late CONSTANT interval := interval '1 hour';
BEGIN
    -- betting ends by its own clock, too (R13.2)
    RETURN QUERY
        SELECT 'unevaluated', NULL::bigint, r.round_id, NULL::bigint, 'a result by ' || e.ended + late, 'none',
               jsonb_build_object('table_id', r.table_id, 'round_ref', r.round_ref, 'betting_closed_at', r.betting_closed_at)
          FROM casino.round r
         CROSS JOIN LATERAL (SELECT coalesce(r.betting_closed_at, r.betting_until) AS ended) e
         WHERE r.status IN ('open', 'closed') AND e.ended < until AND e.ended + late <= clock_timestamp()
        UNION ALL
        SELECT 'late', NULL, r.round_id, NULL, 'a result by ' || r.betting_closed_at + late, r.evaluated_at::text,
               jsonb_build_object('table_id', r.table_id, 'round_ref', r.round_ref, 'betting_closed_at', r.betting_closed_at)
          FROM casino.round r
         WHERE r.evaluated_at >= since AND r.evaluated_at < until AND r.evaluated_at > r.betting_closed_at + late;
END
$fn$;
COMMENT ON FUNCTION casino.check_round_stuck(date, date) IS 'Part of the reconciliation, check round_stuck: a round has a result within an hour after betting closed';

CREATE FUNCTION casino.check_late_stake(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino.suspects(128, from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    -- phases: betting ends with the close, play begins there and ends with the decisions
    RETURN QUERY
        SELECT x.rule, x.player_id, x.round_id, x.entry_no,
               CASE x.rule WHEN 'no_round' THEN 'a round' WHEN 'before_open' THEN 'not before ' || x.opened_at WHEN 'before_close' THEN 'not before ' || x.betting_closed_at
                           WHEN 'after_close' THEN 'not after ' || x.betting_closed_at WHEN 'after_until' THEN 'before ' || x.betting_until
                           WHEN 'after_actions' THEN 'not after ' || x.actions_closed_at
                           ELSE 'not after ' || x.evaluated_at END,
               x.posted_at::text, jsonb_build_object('bet', x.bet::text, 'phase', x.phase)
          FROM (SELECT l.player_id, l.round_id, l.entry_no, l.posted_at, l.bet, b.phase, r.opened_at, r.betting_until, r.betting_closed_at, r.actions_closed_at, r.evaluated_at,
                       CASE WHEN r.round_id IS NULL THEN 'no_round'
                            WHEN l.posted_at < r.opened_at THEN 'before_open'
                            WHEN coalesce(b.phase, 'betting') = 'betting' AND l.posted_at > r.betting_closed_at THEN 'after_close'
                            WHEN l.posted_at >= r.betting_until AND coalesce(b.phase = 'betting' OR l.posted_at < r.betting_closed_at, true) THEN 'after_until'
                            WHEN b.phase = 'play' AND (r.betting_closed_at IS NULL OR l.posted_at < r.betting_closed_at) THEN 'before_close'
                            WHEN l.posted_at > r.actions_closed_at THEN 'after_actions'
                            WHEN l.posted_at > r.evaluated_at THEN 'after_evaluation' END AS rule
                  FROM casino.ledger l
                  LEFT JOIN casino.round r ON r.round_id = l.round_id
                  LEFT JOIN casino.bet_rule b ON b.plan_id = r.plan_id AND b.kind = casino.kind(l.bet)
                 WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND l.kind = 'stake'
                   AND (named IS NULL OR l.player_id = ANY (named))) x
         WHERE x.rule IS NOT NULL
           AND NOT EXISTS (SELECT FROM casino.ledger f WHERE f.player_id = x.player_id AND f.stake_entry_no = x.entry_no
                              AND f.kind = 'refund' AND casino.never_placed(f.reason) AND casino.refund_fault(f.player_id, f.entry_no) IS NULL OFFSET 0);
    -- R13.35: what lay there at the close stays
    RETURN QUERY
        SELECT 'taken_back_late', f.player_id, f.round_id, s.entry_no, 'taken back before ' || r.betting_closed_at, f.posted_at::text,
               jsonb_build_object('bet', s.bet::text, 'reason', f.reason, 'refund', f.entry_no)
          FROM casino.ledger f
          JOIN casino.round r ON r.round_id = f.round_id AND f.posted_at > r.betting_closed_at
          JOIN casino.ledger s ON s.player_id = f.player_id AND s.entry_no = f.stake_entry_no AND s.posted_at <= r.betting_closed_at
          JOIN casino.bet_rule b ON b.plan_id = r.plan_id AND b.kind = casino.kind(s.bet) AND b.phase = 'betting'
         WHERE casino.of_days(f.posted_at, f.recorded_at, since, until) AND f.kind = 'refund' AND f.reason IN ('cancelled', 'disconnected', 'excluded')
           AND (named IS NULL OR f.player_id = ANY (named));
END
$fn$;
COMMENT ON FUNCTION casino.check_late_stake(date, date) IS 'Part of the reconciliation, check late_stake: no standing stake is dated outside the time in which its round took it, and none that lay there at the close was taken back after it';

-- Limits bind what stands in the end: a stake that was returned before it was concluded is none (R10.6).
CREATE FUNCTION casino.check_stake_limits(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino.suspects(256, from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        WITH joined AS MATERIALIZED (
            SELECT DISTINCT l.round_id, l.player_id FROM casino.ledger l
             WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND l.kind = 'stake'
               AND (named IS NULL OR l.player_id = ANY (named))),
        standing AS MATERIALIZED (
            SELECT s.round_id, s.player_id, s.entry_no, s.bet, s.amount, coalesce(s.seat, 0) AS seat, greatest(coalesce(s.hand, 1), 1) AS hand, s.balance
              FROM joined j
             -- OFFSET 0: by the index, wager by wager of the days, however many others there are
             CROSS JOIN LATERAL (SELECT x.entry_no, x.bet, x.amount, x.seat, x.hand, x.round_id, x.player_id, x.balance FROM casino.ledger x
                                  WHERE x.round_id = j.round_id AND x.kind = 'stake' AND x.player_id = j.player_id OFFSET 0) s
             WHERE NOT EXISTS (SELECT FROM casino.ledger f WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no
                                  AND f.kind = 'refund' AND casino.never_placed(f.reason) AND casino.refund_fault(f.player_id, f.entry_no) IS NULL OFFSET 0)),
        position AS (
            SELECT s.round_id, s.player_id, casino.kind(s.bet) AS kind, casino.selection(s.bet)::text AS selection, s.seat, s.hand,
                   max(s.entry_no) AS entry_no, sum(casino.stake(s.bet)) AS lies, (array_agg(s.bet))[1] AS bet,
                   -- a pot takes less than the minimum from who then has nothing left (R6.20)
                   casino.kind(s.bet) = 'pot' AND (array_agg(s.balance ORDER BY s.entry_no DESC))[1] = 0 AS all_in
              FROM standing s
             GROUP BY s.round_id, s.player_id, casino.kind(s.bet), casino.selection(s.bet)::text, s.seat, s.hand),
        judged AS (
            SELECT p.*, b.kind AS offered, x.least, x.most, b.zero_offered, r.table_id, r.table_version, r.plan_id
              FROM position p
              JOIN casino.round r ON r.round_id = p.round_id
              JOIN casino.table_version v ON v.table_id = r.table_id AND v.version = r.table_version
              LEFT JOIN casino.bet_rule b ON b.plan_id = r.plan_id AND b.kind = p.kind
              LEFT JOIN casino.table_limit t ON t.table_id = r.table_id AND t.version = r.table_version AND t.kind = p.kind
              -- the numbers covered matter where the table's maximum is of a straight
             CROSS JOIN LATERAL (SELECT CASE WHEN b.table_limits IN ('covered', 'minimum') THEN cardinality(casino.covers(p.bet)) ELSE 1 END AS numbers) c
             CROSS JOIN LATERAL (SELECT CASE WHEN p.all_in THEN 0
                                             ELSE greatest(coalesce(b.min_stake, 0), coalesce(t.min_stake, CASE WHEN b.table_limits <> 'none' THEN v.min_stake END, 0)) END AS least,
                                        least(coalesce(b.max_stake, 'Infinity'),
                                              -- where the plan derives inside bets from the straight, the table's own maximum can only lower theirs (R4.4)
                                              CASE WHEN b.table_limits = 'covered' AND (t.max_stake IS NULL OR b.max_stake IS NOT NULL) THEN v.max_stake * c.numbers END,
                                              coalesce(t.max_stake,
                                                       CASE WHEN b.table_limits = 'principal' THEN v.max_stake
                                                            WHEN b.table_limits = 'minimum' AND b.max_stake IS NULL THEN v.max_stake * c.numbers
                                                            WHEN b.table_limits = 'none' AND b.phase = 'betting' AND b.max_stake IS NULL THEN v.max_stake END,
                                                       'Infinity')) AS most) x)
        SELECT CASE WHEN j.offered IS NULL OR NOT j.zero_offered AND j.kind <> 'straight' AND 0 = ANY (casino.covers(j.bet)) THEN 'not_offered'
                    WHEN j.lies < j.least THEN 'below_minimum' ELSE 'above_maximum' END,
               j.player_id, j.round_id, j.entry_no,
               CASE WHEN j.offered IS NULL OR NOT j.zero_offered AND j.kind <> 'straight' AND 0 = ANY (casino.covers(j.bet)) THEN 'a bet of the plan'
                    WHEN j.lies < j.least THEN 'at least ' || j.least ELSE 'at most ' || j.most END,
               j.lies || ' on ' || j.kind || coalesce(':' || nullif(j.selection, ''), ''),
               jsonb_build_object('seat', j.seat, 'hand', j.hand, 'plan_id', j.plan_id, 'table_id', j.table_id, 'table_version', j.table_version)
          FROM judged j
         WHERE j.offered IS NULL OR NOT j.zero_offered AND j.kind <> 'straight' AND 0 = ANY (casino.covers(j.bet)) OR NOT j.lies BETWEEN j.least AND j.most
        UNION ALL
        SELECT 'round', t.player_id, t.round_id, t.entry_no, 'at most ' || g.round_max_stake, t.staked::text, jsonb_build_object('plan_id', g.plan_id)
          FROM (SELECT s.round_id, s.player_id, max(s.entry_no) AS entry_no, sum(s.amount) AS staked FROM standing s GROUP BY s.round_id, s.player_id) t
          JOIN casino.round r ON r.round_id = t.round_id
          JOIN casino.game_plan g ON g.plan_id = r.plan_id
         WHERE t.staked > g.round_max_stake
        UNION ALL
        SELECT 'no_limits', s.player_id, s.round_id, max(s.entry_no), 'a version of table and plan', 'none',
               jsonb_build_object('table_id', r.table_id, 'table_version', r.table_version, 'plan_id', r.plan_id)
          FROM standing s
          JOIN casino.round r ON r.round_id = s.round_id
          LEFT JOIN casino.table_version v ON v.table_id = r.table_id AND v.version = r.table_version
          LEFT JOIN casino.game_plan g ON g.plan_id = r.plan_id
         WHERE v.table_id IS NULL OR g.plan_id IS NULL
         GROUP BY s.player_id, s.round_id, r.table_id, r.table_version, r.plan_id
        UNION ALL
        -- boxes of several players: the maximum of the main bet is of all of them together, where the plan says so
        SELECT 'box', t.player_id, t.round_id, t.entry_no, 'at most ' || t.most, t.lies || ' on main', jsonb_build_object('seat', t.seat)
          FROM (SELECT j.round_id, j.seat, max(j.player_id) AS player_id, max(j.entry_no) AS entry_no, sum(j.lies) AS lies, max(j.most) AS most, count(*) AS players
                  FROM (SELECT a.* FROM judged a
                         WHERE a.kind = 'main' AND EXISTS (SELECT FROM casino.plan_rule u WHERE u.plan_id = a.plan_id AND u.rule = 'box_limit' AND u.value = 'together')) j
                 GROUP BY j.round_id, j.seat) t
         WHERE t.players > 1 AND t.lies > t.most;
END
$fn$;
COMMENT ON FUNCTION casino.check_stake_limits(date, date) IS 'Part of the reconciliation, check stake_limits: positions, boxes and rounds are within the plan and the version of the table that the round was opened under';

-- Live rounds that persons joined from six hours before the days to their end: long enough to know the sequence that goes on then (R10.5).
CREATE FUNCTION casino.joined_rounds(from_day date, to_day date, named bigint[], OUT person text, OUT player_id bigint, OUT round_id bigint, OUT entry_no bigint, OUT joined_at timestamptz,
                                     OUT evaluated_at timestamptz, OUT busy_until timestamptz, OUT any_unevaluated boolean, OUT sequence_no bigint) RETURNS SETOF record
LANGUAGE plpgsql STABLE ROWS 100000 SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day) - interval '6 hours';
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    RETURN QUERY
        WITH stake AS MATERIALIZED (
            SELECT l.player_id, l.round_id, l.entry_no, l.posted_at FROM casino.ledger l
             WHERE l.posted_at >= since AND l.posted_at < until AND l.kind = 'stake'
               AND (named IS NULL OR l.player_id = ANY (named))),
        round AS MATERIALIZED (
            SELECT r.round_id, r.evaluated_at, r.betting_closed_at
              FROM (SELECT DISTINCT s.round_id FROM stake s) x
             CROSS JOIN LATERAL (SELECT y.* FROM casino.round y WHERE y.round_id = x.round_id OFFSET 0) r
              JOIN casino.game_plan p ON p.plan_id = r.plan_id
              JOIN casino.game g ON g.game = p.game AND g.live),
        joined AS (
            SELECT coalesce(a.external_ref, s.player_id::text) AS person, s.player_id, s.round_id, min(s.entry_no) AS entry_no, min(s.posted_at) AS joined_at, r.evaluated_at
              FROM stake s
              JOIN round r ON r.round_id = s.round_id
              LEFT JOIN casino.player a ON a.player_id = s.player_id
             -- OFFSET 0: by the key of each stake, however many refunds there are
             WHERE NOT EXISTS (SELECT FROM casino.ledger f WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no AND f.correction_no IS NULL
                                  AND f.kind = 'refund' AND (r.betting_closed_at IS NULL OR casino.never_placed(f.reason) AND casino.refund_fault(f.player_id, f.entry_no) IS NULL) OFFSET 0)
             GROUP BY coalesce(a.external_ref, s.player_id::text), s.player_id, s.round_id, r.evaluated_at),
        earlier AS (
            SELECT j.*, max(j.evaluated_at) OVER w AS busy_until, coalesce(bool_or(j.evaluated_at IS NULL) OVER w, false) AS any_unevaluated
              FROM joined j
            WINDOW w AS (PARTITION BY j.person ORDER BY j.joined_at, j.player_id, j.entry_no ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
        SELECT e.person, e.player_id, e.round_id, e.entry_no, e.joined_at, e.evaluated_at, e.busy_until, e.any_unevaluated,
               count(*) FILTER (WHERE coalesce(e.joined_at - e.busy_until >= interval '15 minutes', true) AND NOT e.any_unevaluated)
                   OVER (PARTITION BY e.person ORDER BY e.joined_at, e.player_id, e.entry_no)
          FROM earlier e;
END
$fn$;
COMMENT ON FUNCTION casino.joined_rounds(date, date, bigint[]) IS 'Part of the reconciliation: live rounds that persons joined, with the end of those they had joined before and the betting sequence (D4 §8)';

CREATE FUNCTION casino.check_break(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino.suspects(512, from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        SELECT 'break', q.player_id, q.round_id, q.entry_no, 'no stake before ' || q.busy_until + interval '15 minutes', q.joined_at::text,
               jsonb_build_object('sequence_started_at', q.started_at, 'last_evaluated_at', q.busy_until)
          FROM (SELECT j.*, min(j.joined_at) OVER w AS started_at, max(j.evaluated_at) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ended_at
                  FROM casino.joined_rounds(from_day, to_day, named) j
                WINDOW w AS (PARTITION BY j.person, j.sequence_no ORDER BY j.joined_at, j.player_id, j.entry_no)) q
         WHERE q.ended_at - q.started_at >= interval '120 minutes' AND NOT q.any_unevaluated AND q.joined_at >= q.busy_until
           AND q.joined_at >= since AND q.joined_at < until;
END
$fn$;
COMMENT ON FUNCTION casino.check_break(date, date) IS 'Part of the reconciliation, check break: no live round is joined within 15 minutes after a betting sequence of 120 minutes (D4 §8.3)';

CREATE FUNCTION casino.check_second_table(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino.suspects(512, from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        SELECT 'second_table', j.player_id, j.round_id, j.entry_no,
               CASE WHEN j.any_unevaluated THEN 'no stake until his round is evaluated' ELSE 'no stake before ' || j.busy_until END, j.joined_at::text,
               jsonb_build_object('table_id', (SELECT r.table_id FROM casino.round r WHERE r.round_id = j.round_id))
          FROM casino.joined_rounds(from_day, to_day, named) j
         WHERE (j.any_unevaluated OR j.joined_at < j.busy_until) AND j.joined_at >= since AND j.joined_at < until;
END
$fn$;
COMMENT ON FUNCTION casino.check_second_table(date, date) IS 'Part of the reconciliation, check second_table: a person takes part at one live table at a time (D4 §8.2)';

CREATE FUNCTION casino.check_excluded(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    -- what was written before the exclusion was allowed then, also where one of them is dated back or ahead as far as an event may
    RETURN QUERY
        SELECT DISTINCT ON (l.player_id, l.entry_no)
               l.kind, l.player_id, l.round_id, l.entry_no, 'nothing from ' || e.excluded_from || ' to ' || e.excluded_until, l.posted_at::text,
               jsonb_build_object('exclusion_no', e.exclusion_no, 'source', e.source, 'amount', l.amount)
          FROM casino.exclusion_period e
          JOIN casino.ledger l ON l.player_id = e.player_id
         WHERE casino.of_days(l.posted_at, l.recorded_at, since, until)
           AND e.excluded_from < until AND e.excluded_until > since AND l.kind IN ('stake', 'deposit')
           AND l.posted_at >= e.excluded_from AND l.posted_at < e.excluded_until
           AND l.recorded_at >= e.recorded_at
           AND NOT EXISTS (SELECT FROM casino.ledger f WHERE f.player_id = l.player_id AND f.stake_entry_no = l.entry_no
                              AND f.kind = 'refund' AND casino.never_placed(f.reason) AND casino.refund_fault(f.player_id, f.entry_no) IS NULL OFFSET 0)
         ORDER BY l.player_id, l.entry_no, e.exclusion_no;
END
$fn$;
COMMENT ON FUNCTION casino.check_excluded(date, date) IS 'Part of the reconciliation, check excluded: no stake and no deposit of an excluded person (D4 §6.2)';

CREATE FUNCTION casino.check_self_limit(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    -- each stake of the days of a player who has limits, with what was staked, lost and open then; the stakes of one request are judged one by one.
    -- A player's entries are read once, from the first of the month to the last stake of the days; running sums take the place of a look back from each stake
    RETURN QUERY
        WITH asked AS MATERIALIZED (
            SELECT l.player_id, min(l.entry_no) AS low, max(l.entry_no) AS high, date_trunc('month', least(min(l.posted_at), since), 'Europe/Prague') AS month
              FROM casino.ledger l
             WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND l.kind = 'stake'
               AND l.player_id IN (SELECT k.player_id FROM casino.player_limit k WHERE k.requested_at < until)
             GROUP BY l.player_id),
        span AS MATERIALIZED (
            SELECT a.player_id, a.high, coalesce(f.before, 0) AS before
              FROM asked a
             -- OFFSET 0: backwards by the key of each player
             CROSS JOIN LATERAL (SELECT (SELECT b.entry_no FROM casino.ledger b
                                          WHERE b.player_id = a.player_id AND b.entry_no < a.low AND b.posted_at < a.month
                                          ORDER BY b.entry_no DESC LIMIT 1) AS before OFFSET 0) f),
        -- rounds under way when a month begins: stakes of the month before are still open in them
        under_way AS MATERIALIZED (
            SELECT r.round_id FROM casino.round r
             WHERE casino.prague_day(r.opened_at) < casino.prague_day(r.evaluated_at)
               AND r.evaluated_at >= (SELECT min(a.month) FROM asked a) AND r.opened_at < (SELECT max(a.month) FROM asked a)
            UNION ALL
            SELECT r.round_id FROM casino.round r WHERE r.status IN ('open', 'closed')),
        stake AS MATERIALIZED (
            SELECT s.player_id, s.entry_no, s.round_id, s.amount, s.posted_at, s.recorded_at
              FROM span a
             CROSS JOIN LATERAL (SELECT x.* FROM casino.ledger x
                                  WHERE x.player_id = a.player_id AND x.entry_no > a.before AND x.entry_no <= a.high AND x.kind = 'stake' OFFSET 0) s
            UNION ALL
            SELECT s.player_id, s.entry_no, s.round_id, s.amount, s.posted_at, s.recorded_at
              FROM under_way u
              JOIN casino.ledger s ON s.round_id = u.round_id AND s.kind = 'stake'
              JOIN span a ON a.player_id = s.player_id AND s.entry_no <= a.before),
        wager AS MATERIALIZED (
            SELECT s.player_id, s.entry_no, s.round_id, s.amount, s.posted_at, s.recorded_at, casino.prague_day(s.posted_at) AS day,
                   r.evaluated_at, casino.prague_day(r.evaluated_at) AS evaluated_day, f.kind = 'refund' AS returned,
                   CASE WHEN f.kind = 'payout' THEN f.amount
                        WHEN f.kind IS NULL AND (r.status = 'withheld' OR o.round_id IS NOT NULL) THEN coalesce(e.payout, 0)
                        ELSE 0 END AS payout
              FROM stake s
              JOIN casino.round r ON r.round_id = s.round_id
              LEFT JOIN casino.ledger f ON f.player_id = s.player_id AND f.stake_entry_no = s.entry_no AND f.correction_no IS NULL
              LEFT JOIN casino.withholding o ON o.player_id = s.player_id AND o.round_id = s.round_id
              LEFT JOIN LATERAL casino.evaluated_wager(CASE WHEN f.kind IS NULL AND (r.status = 'withheld' OR o.round_id IS NOT NULL) THEN r.round_id END,
                                                       s.player_id, s.entry_no) e ON true
             WHERE NOT (f.kind IS NOT DISTINCT FROM 'refund' AND (casino.never_placed(f.reason) OR r.betting_closed_at IS NULL))),
        -- in the order in which a player's stakes met them: an evaluation at the time of a stake, or before the stake that it decides, comes before the next one
        event AS (
            SELECT w.player_id, w.entry_no, w.round_id, w.amount, w.posted_at, w.recorded_at, w.day,
                   w.posted_at AS t, w.entry_no AS place, 0 AS part, w.amount AS open, 0.00 AS lost, w.amount AS staked
              FROM wager w
            UNION ALL
            SELECT w.player_id, NULL, NULL, NULL, NULL, NULL, w.evaluated_day,
                   greatest(w.evaluated_at, w.posted_at), CASE WHEN w.evaluated_at <= w.posted_at THEN w.entry_no ELSE 0 END,
                   CASE WHEN w.evaluated_at <= w.posted_at THEN -1 ELSE 0 END, - w.amount, CASE WHEN w.returned THEN 0.00 ELSE w.amount - w.payout END, 0.00
              FROM wager w WHERE w.evaluated_at IS NOT NULL
            UNION ALL
            -- corrections, and adjustments that name a round: on the day posted (R11.38)
            SELECT c.player_id, NULL, NULL, NULL, NULL, NULL, casino.prague_day(c.posted_at), c.posted_at, c.entry_no, 0, 0.00, - c.amount, 0.00
              FROM span a
             CROSS JOIN LATERAL (SELECT x.* FROM casino.ledger x
                                  WHERE x.player_id = a.player_id AND x.entry_no > a.before AND x.entry_no <= a.high
                                    AND x.kind IN ('correction', 'adjustment') AND x.round_id IS NOT NULL OFFSET 0) c),
        counted AS (
            SELECT e.*, sum(e.open) OVER p AS open_now, sum(e.lost) OVER d AS lost_day, sum(e.lost) OVER m AS lost_month,
                   sum(e.staked) OVER d AS staked_day, sum(e.staked) OVER m AS staked_month
              FROM event e
            WINDOW p AS (PARTITION BY e.player_id ORDER BY e.t, e.place, e.part ROWS UNBOUNDED PRECEDING),
                   m AS (PARTITION BY e.player_id, date_trunc('month', e.day::timestamp) ORDER BY e.t, e.place, e.part ROWS UNBOUNDED PRECEDING),
                   d AS (PARTITION BY e.player_id, date_trunc('month', e.day::timestamp), e.day ORDER BY e.t, e.place, e.part ROWS UNBOUNDED PRECEDING)),
        elsewhere AS MATERIALIZED (
            SELECT o.player_id, true AS plays FROM casino.other_play o WHERE o.player_id IN (SELECT a.player_id FROM asked a) GROUP BY o.player_id),
        used AS (
            SELECT w.player_id, w.entry_no, w.round_id, w.amount, k.measure, k.period, k.amount AS bound,
                   CASE k.measure WHEN 'stake' THEN CASE k.period WHEN 'day' THEN w.staked_day ELSE w.staked_month END + coalesce(o.staked, 0)
                                  ELSE w.open_now + CASE k.period WHEN 'day' THEN w.lost_day ELSE w.lost_month END - coalesce(o.result, 0) END AS used
              FROM counted w
             CROSS JOIN (VALUES ('stake', 'day'), ('stake', 'month'), ('net_loss', 'day'), ('net_loss', 'month')) m (measure, period)
             CROSS JOIN LATERAL (SELECT c.* FROM casino.player_limit c
                                  WHERE c.player_id = w.player_id AND c.measure = m.measure AND c.period = m.period
                                    AND c.effective_from <= w.posted_at AND c.recorded_at <= w.recorded_at
                                  ORDER BY c.limit_no DESC LIMIT 1) k
              LEFT JOIN elsewhere v ON v.player_id = w.player_id
              LEFT JOIN LATERAL (SELECT sum(x.staked) AS staked, sum(x.result) AS result FROM casino.other_play x
                                  WHERE v.plays AND x.player_id = w.player_id AND x.recorded_at <= w.recorded_at AND x.played_at <= w.posted_at
                                    AND x.played_at >= date_trunc(k.period, w.posted_at, 'Europe/Prague')) o ON true
             WHERE w.amount > 0 AND k.amount IS NOT NULL
               AND casino.of_days(w.posted_at, w.recorded_at, since, until))
        SELECT u.measure || '_' || u.period, u.player_id, u.round_id, u.entry_no, 'at most ' || u.bound, u.used::text, jsonb_build_object('staked', u.amount)
          FROM used u WHERE u.used > u.bound;
END
$fn$;
COMMENT ON FUNCTION casino.check_self_limit(date, date) IS 'Part of the reconciliation, check self_limit: no stake beyond the limits that the player has set (D4 §6.5)';

CREATE FUNCTION casino.check_cash_limit(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino.suspects(1024, from_day, to_day)).players;
BEGIN
    IF named = '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        SELECT 'cash_24_hours', c.player_id, NULL::bigint, c.entry_no, 'at most 10000.00 in 24 hours', s.cash::text, jsonb_build_object('amount', c.amount)
          FROM casino.ledger c
         CROSS JOIN LATERAL (SELECT sum(b.amount) AS cash
                               FROM (SELECT n.player_id FROM casino.player p JOIN casino.player n ON n.external_ref = p.external_ref WHERE p.player_id = c.player_id
                                     UNION SELECT c.player_id) a
                               JOIN casino.ledger b ON b.player_id = a.player_id AND b.kind = 'cash_paid'
                              WHERE b.posted_at > c.posted_at - interval '24 hours' AND (b.posted_at, b.player_id, b.entry_no) <= (c.posted_at, c.player_id, c.entry_no)) s
         WHERE casino.of_days(c.posted_at, c.recorded_at, since, until) AND c.kind = 'cash_paid'
           AND (named IS NULL OR c.player_id = ANY (named)) AND s.cash > 10000
        UNION ALL
        SELECT 'account', c.player_id, NULL, c.entry_no, 'a registered account', coalesce(c.account, 'none'), jsonb_build_object('amount', c.amount)
          FROM casino.ledger c
         WHERE casino.of_days(c.posted_at, c.recorded_at, since, until) AND c.kind = 'transfer_paid'
           AND (named IS NULL OR c.player_id = ANY (named))
           AND NOT EXISTS (SELECT FROM casino.payment_account a WHERE a.player_id = c.player_id AND a.account = c.account AND a.registered_at <= c.posted_at);
END
$fn$;
COMMENT ON FUNCTION casino.check_cash_limit(date, date) IS 'Part of the reconciliation, check cash_limit: no more than 10 000 CZK in cash in any 24 hours, transfers to registered accounts (D4 §11.2)';

-- What was due at the end of a day has its breach: the night records it before the checks (R10.7).
CREATE FUNCTION casino.check_winnings_overdue_of(round_id bigint) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY
        SELECT v.rule, e.player_id, e.round_id, e.entry_no, v.expected, v.found, jsonb_build_object('amount', e.payout, 'evaluated_at', r.evaluated_at)
          FROM (SELECT x.round_id, x.evaluated_at, casino.day_start(casino.prague_day(x.evaluated_at) + 31) AS due_at
                  FROM casino.round x WHERE x.round_id = check_winnings_overdue_of.round_id) r
          JOIN casino.evaluation e ON e.round_id = r.round_id AND e.payout > 0
          LEFT JOIN LATERAL (SELECT min(l.posted_at) AS posted_at FROM casino.ledger l
                              WHERE l.player_id = e.player_id AND l.stake_entry_no = e.entry_no AND l.kind IN ('payout', 'correction') AND l.amount > 0) p ON true
         CROSS JOIN LATERAL (VALUES ('overdue', 'paid before ' || r.due_at, coalesce(p.posted_at::text, 'not paid'), true),
                                    ('unrecorded', 'a breach winnings_late', 'none',
                                     NOT EXISTS (SELECT FROM casino.breach b WHERE b.player_id = e.player_id AND b.entry_no = e.entry_no AND b.rule = 'winnings_late')))
                            v (rule, expected, found, holds)
         WHERE (p.posted_at IS NULL OR p.posted_at >= r.due_at) AND r.due_at <= clock_timestamp() AND v.holds;
END
$fn$;
COMMENT ON FUNCTION casino.check_winnings_overdue_of(bigint) IS 'Part of the reconciliation, check winnings_overdue: the same for the round given';

CREATE FUNCTION casino.check_winnings_overdue(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    first CONSTANT timestamptz := casino.day_start(from_day - 30);
    last CONSTANT timestamptz := casino.day_start(to_day - 29);
    one bigint;
BEGIN
    FOR one IN SELECT x.round_id
                 FROM casino.round x
                WHERE x.evaluated_at >= first AND x.evaluated_at < last AND x.status IN ('settled', 'withheld')
                  AND (x.withheld_at IS NOT NULL OR x.status = 'withheld' OR EXISTS (SELECT FROM casino.withholding h WHERE h.round_id = x.round_id))
                ORDER BY x.round_id LOOP
        BEGIN
            RETURN QUERY SELECT f.* FROM casino.check_winnings_overdue_of(one) f;
        EXCEPTION WHEN OTHERS THEN
            IF casino.passes(SQLSTATE) THEN
                RAISE;
            END IF;
            RETURN NEXT ('error', NULL, one, NULL, 'the round can be evaluated', SQLSTATE || ': ' || SQLERRM, '{}')::casino.finding;
        END;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.check_winnings_overdue(date, date) IS 'Part of the reconciliation, check winnings_overdue: winnings whose 30th day ended with the days were paid, or their breach is recorded (D4 §11.1)';

CREATE FUNCTION casino.check_withdrawal_overdue(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    first CONSTANT timestamptz := casino.day_start(from_day - 60);
    last CONSTANT timestamptz := casino.day_start(to_day - 59);
BEGIN
    RETURN QUERY
        SELECT v.rule, w.player_id, NULL::bigint, w.entry_no, v.expected, v.found, jsonb_build_object('amount', w.amount, 'requested_at', w.posted_at, 'method', w.method)
          FROM (SELECT l.player_id, l.entry_no, l.amount, l.posted_at, l.method, casino.day_start(casino.prague_day(l.posted_at) + 61) AS due_at
                  FROM casino.ledger l WHERE l.posted_at >= first AND l.posted_at < last AND l.kind = 'withdrawal') w
          LEFT JOIN casino.ledger e ON e.player_id = w.player_id AND e.withdrawal_entry_no = w.entry_no
         CROSS JOIN LATERAL (VALUES ('overdue', 'paid or cancelled before ' || w.due_at, coalesce(e.kind || ' at ' || e.posted_at, 'neither'), true),
                                    ('unrecorded', 'a breach withdrawal_late', 'none',
                                     NOT EXISTS (SELECT FROM casino.breach b WHERE b.player_id = w.player_id AND b.entry_no = w.entry_no AND b.rule = 'withdrawal_late')))
                            v (rule, expected, found, holds)
         WHERE (e.posted_at IS NULL OR e.posted_at >= w.due_at) AND w.due_at <= clock_timestamp() AND v.holds;
END
$fn$;
COMMENT ON FUNCTION casino.check_withdrawal_overdue(date, date) IS 'Part of the reconciliation, check withdrawal_overdue: withdrawals whose 60th day ended with the days were paid or cancelled, or their breach is recorded (D4 §11.2 b)';
-- Checks of the reconciliation: what is kept beside the entries, and what guards them.

-- Who a player is: as many accounts as the person has opened bear his reference, and the row is the one that a seal has (R10.12).
CREATE FUNCTION casino.check_persons(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    all_of_them CONSTANT boolean := NOT EXISTS (SELECT FROM casino.ledger l WHERE l.posted_at < since);
BEGIN
    RETURN QUERY
        WITH asked AS MATERIALIZED (
            SELECT p.player_id, p.external_ref FROM casino.player p WHERE all_of_them OR p.registered_at >= since AND p.registered_at < until
            UNION
            SELECT p.player_id, p.external_ref
              FROM (SELECT DISTINCT l.player_id FROM casino.ledger l
                     WHERE NOT all_of_them AND casino.of_days(l.posted_at, l.recorded_at, since, until)) x
              JOIN casino.player p ON p.player_id = x.player_id)
        SELECT 'accounts', c.player_id, NULL::bigint, NULL::bigint, coalesce(o.accounts, 0) || ' of the person', c.accounts || ' of the person', jsonb_build_object('external_ref', c.external_ref)
          FROM (SELECT a.external_ref, max(a.player_id) AS player_id, n.accounts
                  FROM (SELECT x.external_ref, x.player_id FROM asked x
                        UNION ALL
                        SELECT y.external_ref, NULL FROM casino.person y WHERE all_of_them) a
                 CROSS JOIN LATERAL (SELECT count(*) AS accounts FROM casino.player p WHERE p.external_ref = a.external_ref OFFSET 0) n
                 GROUP BY a.external_ref, n.accounts) c
          LEFT JOIN casino.person o ON o.external_ref = c.external_ref
         WHERE c.accounts IS DISTINCT FROM coalesce(o.accounts, 0) OR c.external_ref IS NULL
        UNION ALL
        SELECT 'registration', p.player_id, NULL, NULL, 'as seal ' || s.seal_no || ' has it', p.external_ref || ', ' || p.registered_at, '{}'
          FROM asked a
          JOIN casino.player p ON p.player_id = a.player_id
          JOIN casino.sealed_row s ON s.section = 'player' AND s.row_key = p.player_id::text COLLATE "C"
         WHERE s.hash IS DISTINCT FROM casino.hash_leaf(casino.evidence_leaf('player', p));
END
$fn$;
COMMENT ON FUNCTION casino.check_persons(date, date) IS 'Part of the reconciliation, check state: players of the days are whose accounts they were opened as';

-- Read in the order of the entries, up to the first: a player who plays on has one soon.
CREATE FUNCTION casino.joined_later(player_id bigint, entry_no bigint, since timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    later record;
BEGIN
    FOR later IN SELECT l.entry_no, l.round_id, l.kind, l.posted_at FROM casino.ledger l
                  WHERE l.player_id = joined_later.player_id AND l.entry_no > joined_later.entry_no ORDER BY l.entry_no LOOP
        IF later.kind = 'stake' AND later.posted_at >= since
           AND EXISTS (SELECT FROM casino.round r
                         JOIN casino.game_plan p ON p.plan_id = r.plan_id
                         JOIN casino.game g ON g.game = p.game AND g.live
                        WHERE r.round_id = later.round_id
                          AND NOT EXISTS (SELECT FROM casino.ledger f
                                           WHERE f.player_id = joined_later.player_id AND f.stake_entry_no = later.entry_no
                                             AND f.kind = 'refund' AND (r.betting_closed_at IS NULL OR casino.never_placed(f.reason)))) THEN
            RETURN true;
        END IF;
    END LOOP;
    RETURN false;
END
$fn$;
COMMENT ON FUNCTION casino.joined_later(bigint, bigint, timestamptz) IS 'Part of the reconciliation, check state: has a player joined a live round after an entry, from a time on';

CREATE FUNCTION casino.check_state(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
    named CONSTANT bigint[] := (casino.suspects(2048, from_day, to_day)).players;
    asking CONSTANT bigint[] := (casino.suspects(4096, from_day, to_day)).players;
    now CONSTANT timestamptz := clock_timestamp();
BEGIN
    IF named IS DISTINCT FROM '{}' THEN
        -- the player's row: its numbers against the player's last entries, whoever of both sides names the days; its money is check wallet's
        RETURN QUERY
            WITH touched AS MATERIALIZED (
                SELECT l.player_id, max(l.posted_at) AS latest, min(l.entry_no) AS low FROM casino.ledger l
                 WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND (named IS NULL OR l.player_id = ANY (named))
                 GROUP BY l.player_id),
            asked AS MATERIALIZED (
                SELECT t.player_id, t.latest, t.low FROM touched t
                UNION ALL
                SELECT p.player_id, NULL, NULL FROM casino.player p
                 WHERE (p.last_posted_at >= since AND p.last_posted_at < until OR p.last_posted_at = '-infinity' AND (p.balance <> 0 OR p.last_entry_no <> 0))
                   AND p.player_id NOT IN (SELECT t.player_id FROM touched t) AND (named IS NULL OR p.player_id = ANY (named))),
            held AS (
                SELECT a.player_id, p.player_id IS NOT NULL AS there, p.last_entry_no, p.last_posted_at, e.entry_no AS last_no,
                       greatest(a.latest, e.posted_at, n.latest) AS latest
                  FROM asked a
                  LEFT JOIN casino.player p ON p.player_id = a.player_id
                  LEFT JOIN LATERAL (SELECT l.entry_no, l.posted_at FROM casino.ledger l WHERE l.player_id = a.player_id
                                      ORDER BY l.entry_no DESC LIMIT 1) e ON true
                  -- where the two differ: all entries from the first of the days on, in whatever order their times are
                  LEFT JOIN LATERAL (SELECT max(l.posted_at) AS latest FROM casino.ledger l
                                      WHERE p.last_posted_at IS DISTINCT FROM greatest(a.latest, e.posted_at)
                                        AND l.player_id = a.player_id AND l.entry_no >= a.low) n ON true)
            SELECT v.rule, h.player_id, NULL::bigint, NULL::bigint, v.expected, v.found, '{}'::jsonb
              FROM held h
             CROSS JOIN LATERAL (VALUES ('player', 'a player', 'none', NOT h.there),
                                        ('last_entry_no', coalesce(h.last_no, 0)::text, h.last_entry_no::text, h.there AND coalesce(h.last_no, 0) IS DISTINCT FROM h.last_entry_no),
                                        ('last_posted_at', coalesce(h.latest, '-infinity')::text, h.last_posted_at::text,
                                         h.there AND coalesce(h.latest, '-infinity') IS DISTINCT FROM h.last_posted_at)) v (rule, expected, found, holds)
             WHERE v.holds;

        -- the betting sequence, of who has joined a live round in it
        RETURN QUERY
            WITH joined AS MATERIALIZED (SELECT j.* FROM casino.joined_rounds(from_day, to_day, named) j),
            latest AS MATERIALIZED (
                SELECT DISTINCT ON (j.person) j.person, j.player_id, j.round_id, j.entry_no, j.sequence_no FROM joined j
                 ORDER BY j.person, j.joined_at DESC, j.player_id DESC, j.entry_no DESC),
            begun AS MATERIALIZED (
                SELECT j.person, j.sequence_no, min(j.joined_at) AS started_at FROM joined j GROUP BY j.person, j.sequence_no)
            SELECT v.rule, l.player_id, l.round_id, NULL::bigint, v.expected, v.found, '{}'::jsonb
              FROM latest l
              JOIN begun b ON b.person = l.person AND b.sequence_no = l.sequence_no
              JOIN casino.player p ON p.player_id = l.player_id
             CROSS JOIN LATERAL (VALUES ('last_round_id', l.round_id::text, p.last_round_id::text),
                                        ('sequence_started_at', b.started_at::text, p.sequence_started_at::text)) v (rule, expected, found)
             WHERE v.expected IS DISTINCT FROM v.found
               -- what had begun before the first round that is looked at is not known here
               AND NOT (v.rule = 'sequence_started_at' AND l.sequence_no = 1 AND b.started_at < since - interval '5 hours')
               -- a player who has joined a live round since then has the row of that one; asked of a row that differs alone
               AND CASE WHEN v.expected IS DISTINCT FROM v.found THEN NOT casino.joined_later(l.player_id, l.entry_no, until) END;
    END IF;

    RETURN QUERY SELECT f.* FROM casino.check_persons(from_day, to_day) f;

    -- exclusions
    RETURN QUERY
        SELECT 'excluded_until', coalesce(e.player_id, p.player_id), NULL::bigint, NULL::bigint, coalesce(e.ends::text, 'none'), coalesce(p.excluded_until::text, 'none'), '{}'::jsonb
          FROM (SELECT x.player_id, max(x.excluded_until) AS ends FROM casino.exclusion_period x GROUP BY x.player_id) e
          FULL JOIN (SELECT y.player_id, y.excluded_until FROM casino.player y WHERE y.excluded_until IS NOT NULL) p ON p.player_id = e.player_id
         WHERE e.ends IS DISTINCT FROM p.excluded_until;

    -- limits and their counters: of those who play on these days; counters that passed from a former account are of other entries
    RETURN QUERY
        WITH holder AS MATERIALIZED (
            SELECT coalesce(s.player_id, k.player_id) AS player_id, s.player_id IS NOT NULL AS kept, k.player_id IS NOT NULL AS given
              FROM casino.limit_state s
              FULL JOIN (SELECT DISTINCT x.player_id FROM casino.player_limit x) k ON k.player_id = s.player_id)
        SELECT 'limited', h.player_id, NULL::bigint, NULL::bigint, CASE WHEN h.given THEN 'limits' ELSE 'no limits' END,
               CASE WHEN h.kept AND p.limited THEN 'limits' WHEN h.kept OR p.limited THEN 'half of them' ELSE 'no limits' END, '{}'::jsonb
          FROM holder h JOIN casino.player p ON p.player_id = h.player_id
         WHERE h.kept <> h.given OR p.limited IS DISTINCT FROM h.given
        UNION ALL
        SELECT 'limited', p.player_id, NULL, NULL, 'no limits', 'limits', '{}'
          FROM casino.player p WHERE p.limited IS DISTINCT FROM false AND p.player_id NOT IN (SELECT h.player_id FROM holder h WHERE h.player_id IS NOT NULL);
    RETURN QUERY
        WITH change AS MATERIALIZED (
            SELECT k.player_id, k.limit_no, k.measure, k.period, k.amount, k.effective_from,
                   -- a limit dated ahead holds at once
                   greatest(now, max(k.requested_at) OVER (PARTITION BY k.player_id)) AS at
              FROM casino.player_limit k),
        in_force AS (
            SELECT DISTINCT ON (c.player_id, c.measure, c.period) c.player_id, c.measure, c.period, c.amount
              FROM change c WHERE c.effective_from <= c.at
             ORDER BY c.player_id, c.measure, c.period, c.limit_no DESC)
        SELECT 'limit_' || v.measure || '_' || v.period, s.player_id, NULL::bigint, NULL::bigint,
               coalesce(f.amount::text, 'no limit'), coalesce(v.amount::text, 'no limit'), '{}'::jsonb
          FROM casino.limit_state s
          LEFT JOIN (SELECT c.player_id, max(c.at) AS at FROM change c GROUP BY c.player_id) t ON t.player_id = s.player_id
         CROSS JOIN LATERAL (VALUES
               ('stake', 'day', CASE WHEN coalesce(t.at, now) >= s.limit_stake_day_from THEN s.limit_stake_day_next ELSE s.limit_stake_day END),
               ('stake', 'month', CASE WHEN coalesce(t.at, now) >= s.limit_stake_month_from THEN s.limit_stake_month_next ELSE s.limit_stake_month END),
               ('net_loss', 'day', CASE WHEN coalesce(t.at, now) >= s.limit_net_loss_day_from THEN s.limit_net_loss_day_next ELSE s.limit_net_loss_day END),
               ('net_loss', 'month', CASE WHEN coalesce(t.at, now) >= s.limit_net_loss_month_from THEN s.limit_net_loss_month_next
                                          ELSE s.limit_net_loss_month END)) v (measure, period, amount)
          LEFT JOIN in_force f ON f.player_id = s.player_id AND f.measure = v.measure AND f.period = v.period
         WHERE f.amount IS DISTINCT FROM v.amount;
    -- whose counters: of the players who played on these days, or whose counters are of one of them
    RETURN QUERY
        WITH played AS MATERIALIZED (
            SELECT s.player_id FROM casino.limit_state s WHERE s.day BETWEEN from_day AND to_day
            UNION
            SELECT l.player_id FROM casino.ledger l WHERE casino.of_days(l.posted_at, l.recorded_at, since, until) AND l.kind IN ('stake', 'payout', 'refund')),
        -- first these, then what each of them has used: it is the dear part
        counted AS MATERIALIZED (
            SELECT s.*
              FROM played y
              JOIN casino.limit_state s ON s.player_id = y.player_id
              JOIN casino.player p ON p.player_id = s.player_id
             WHERE NOT EXISTS (SELECT FROM casino.player f
                                WHERE f.external_ref = p.external_ref AND f.player_id < p.player_id
                                  AND casino.prague_month(p.registered_at) >= s.month))
        SELECT v.rule, s.player_id, NULL::bigint, NULL::bigint, v.expected::text, v.found::text, jsonb_build_object('day', s.day, 'month', s.month)
          FROM counted s
         CROSS JOIN LATERAL casino.limit_usage(s.player_id, casino.day_start(s.day) + interval '12 hours') u
         CROSS JOIN LATERAL (VALUES ('staked_day', u.staked_day, s.staked_day), ('lost_day', u.lost_day, s.lost_day),
                                    ('staked_month', u.staked_month, s.staked_month), ('lost_month', u.lost_month, s.lost_month),
                                    ('open_staked', u.open_staked, s.open_staked)) v (rule, expected, found)
         WHERE s.month = u.month AND v.expected IS DISTINCT FROM v.found;

    -- withdrawals that are neither paid nor cancelled
    RETURN QUERY
        SELECT 'open_withdrawal', o.player_id, NULL::bigint, o.entry_no, CASE WHEN w.entry_no IS NULL THEN 'no such withdrawal' ELSE 'ended by entry ' || e.entry_no END, 'open', '{}'::jsonb
          FROM casino.open_withdrawal o
          LEFT JOIN casino.ledger w ON w.player_id = o.player_id AND w.entry_no = o.entry_no AND w.kind = 'withdrawal'
          LEFT JOIN casino.ledger e ON e.player_id = o.player_id AND e.withdrawal_entry_no = o.entry_no
         WHERE w.entry_no IS NULL OR e.entry_no IS NOT NULL;
    IF asking IS NOT DISTINCT FROM '{}' THEN
        RETURN;
    END IF;
    RETURN QUERY
        SELECT 'open_withdrawal', w.player_id, NULL::bigint, w.entry_no, 'open', 'not open', '{}'::jsonb
          FROM casino.ledger w
         WHERE casino.of_days(w.posted_at, w.recorded_at, since, until) AND w.kind = 'withdrawal'
           AND (asking IS NULL OR w.player_id = ANY (asking))
           AND NOT EXISTS (SELECT FROM casino.ledger e WHERE e.player_id = w.player_id AND e.withdrawal_entry_no = w.entry_no)
           AND NOT EXISTS (SELECT FROM casino.open_withdrawal o WHERE o.player_id = w.player_id AND o.entry_no = w.entry_no);
END
$fn$;
COMMENT ON FUNCTION casino.check_state(date, date) IS 'Part of the reconciliation, check state: players, limits and open withdrawals are what entries, exclusions and limits alone give';

-- Who has all of a profile has it; what a role has beyond those is found, whoever gave it (R10.9).
CREATE FUNCTION casino.check_guard(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    owner CONSTANT oid := (SELECT c.relowner FROM pg_class c WHERE c.oid = 'casino.installed_object'::regclass);
    maker CONSTANT oid := (SELECT e.extowner FROM pg_extension e WHERE e.extname = 'casino');
BEGIN
    PERFORM casino.record_printed();
    -- what install() made, and what others have added that acts on it
    RETURN QUERY
        SELECT CASE WHEN s.object IS NULL THEN 'missing' WHEN i.object IS NULL THEN 'added' ELSE 'changed' END, NULL::bigint, NULL::bigint, NULL::bigint,
               coalesce(i.state, 'not there'), coalesce(s.state, 'not there'), jsonb_build_object('object', coalesce(i.object, s.object))
          FROM casino.installed_object i
          FULL JOIN (SELECT o.object, o.state FROM casino.schema_objects() o UNION ALL SELECT o.object, o.state FROM casino.code_objects() o) s ON s.object = i.object
         WHERE s.object IS NULL OR s.state <> i.state OR i.object IS NULL AND s.object ~ '^(trigger|rule|policy|child|routine) '
         ORDER BY coalesce(i.object, s.object);

    RETURN QUERY
        SELECT 'setting', NULL::bigint, NULL::bigint, NULL::bigint, 'not set', format('%s = %s for %s', g.setting, g.value, g.scope), jsonb_build_object('setting', g.setting)
          FROM casino.guarded_settings() g
         ORDER BY g.setting, g.scope;

    RETURN QUERY
        SELECT 'member', NULL::bigint, NULL::bigint, NULL::bigint, 'no member', format('%s is a member of %s', g.member, g.role), jsonb_build_object('role', g.member)
          FROM casino.guarded_members(owner) g
         ORDER BY g.member, g.role;

    RETURN QUERY
        SELECT 'owner', NULL::bigint, NULL::bigint, NULL::bigint, o.wanted::regrole::text, o.present::regrole::text, jsonb_build_object('object', o.object)
          FROM (SELECT c.oid::regclass::text AS object, c.relowner AS present, owner AS wanted
                  FROM pg_class c WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
                UNION ALL
                SELECT p.oid::regprocedure::text, p.proowner, maker
                  FROM pg_proc p
                  JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
                  JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'casino') o
         WHERE o.present <> o.wanted
         ORDER BY o.object;

    RETURN QUERY
        WITH grants AS MATERIALIZED (
            SELECT a.grantee, 'table' AS kind, c.relname::text AS object, c.oid, a.privilege_type AS privilege, c.relowner AS holder
              FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
             WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
            UNION ALL
            SELECT a.grantee, 'column', format('%s.%s', c.relname, t.attname), c.oid, a.privilege_type, c.relowner
              FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid CROSS JOIN LATERAL aclexplode(t.attacl) a
             WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
            UNION ALL
            SELECT a.grantee, 'function', p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', p.oid, a.privilege_type, p.proowner
              FROM pg_proc p CROSS JOIN LATERAL aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
             WHERE p.pronamespace = 'casino'::regnamespace
            UNION ALL
            SELECT a.grantee, 'schema', 'casino', n.oid, a.privilege_type, n.nspowner
              FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) a WHERE n.nspname = 'casino'),
        other AS MATERIALIZED (SELECT g.* FROM grants g WHERE g.grantee NOT IN (g.holder, owner, maker, 10)),
        -- as grant_access() takes them
        profile AS MATERIALIZED (
            SELECT DISTINCT a.profile, a.object_type AS kind, c.oid
              FROM casino.access_profiles() a
             CROSS JOIN LATERAL (SELECT x.oid FROM pg_class x
                                  WHERE a.object_type = 'table' AND x.relnamespace = 'casino'::regnamespace AND x.relkind IN ('r', 'p', 'v')
                                    AND (a.object_name = x.relname OR a.object_name = '*' AND NOT casino.is_machinery(x.relname))
                                 UNION ALL
                                 SELECT f.oid FROM pg_proc f
                                   JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = f.oid AND d.deptype = 'e'
                                  WHERE a.object_type = 'function' AND f.pronamespace = 'casino'::regnamespace
                                    AND f.proname = split_part(a.object_name, '(', 1)
                                    AND (a.object_name NOT LIKE '%(%' OR f.oid = to_regprocedure('casino.' || a.object_name))
                                    AND NOT casino.for_hub_only(f.oid)) c),
        has AS MATERIALIZED (
            SELECT r.grantee, p.profile
              FROM (SELECT DISTINCT o.grantee FROM other o) r
             CROSS JOIN profile p
              LEFT JOIN (SELECT DISTINCT o.grantee, o.kind, o.oid FROM other o WHERE o.privilege IN ('SELECT', 'EXECUTE')) o
                     ON o.grantee = r.grantee AND o.kind = p.kind AND o.oid = p.oid
             GROUP BY r.grantee, p.profile
            HAVING bool_and(o.oid IS NOT NULL))
        SELECT 'privilege', NULL::bigint, NULL::bigint, NULL::bigint, 'none beyond the profiles', g.privilege || ' on ' || g.object,
               jsonb_build_object('role', CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(g.grantee)::text END,
                                  'profiles', coalesce((SELECT jsonb_agg(h.profile ORDER BY h.profile) FROM has h WHERE h.grantee = g.grantee), '[]'))
          FROM other g
         WHERE NOT (g.kind = 'schema' AND g.privilege = 'USAGE' AND g.grantee <> 0)
           AND NOT EXISTS (SELECT FROM has h JOIN profile p ON p.profile = h.profile
                            WHERE h.grantee = g.grantee AND p.kind = g.kind AND p.oid = g.oid AND g.privilege IN ('SELECT', 'EXECUTE'))
         ORDER BY g.grantee, g.kind, g.object, g.privilege;
END
$fn$;
COMMENT ON FUNCTION casino.check_guard(date, date) IS 'Part of the reconciliation, check guard: what install() made is there and as it was, functions and views too, triggers enabled, owned by the same role, nothing added that acts on it; no role has privileges beyond the profiles that it has whole, or is a member of one that may write everything; no setting puts a rule out of action';
-- Reports of providers: loading them, and holding them against rounds, wagers and ledger.

CREATE FUNCTION casino.install_provider() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.provider_report (
        provider    text NOT NULL CHECK (btrim(provider, E' \t\r\n') <> '' AND octet_length(provider) <= 100),
        day         date NOT NULL CHECK (isfinite(day)),
        report_no   integer NOT NULL CHECK (report_no > 0),
        begun_at    timestamptz NOT NULL,
        recorded_at timestamptz NOT NULL,
        PRIMARY KEY (provider, day, report_no)
    );
    COMMENT ON TABLE casino.provider_report IS 'Append-only: reports of providers; of a provider and day the last one counts, earlier ones are kept';
    COMMENT ON COLUMN casino.provider_report.provider IS 'The operator''s name of the provider';
    COMMENT ON COLUMN casino.provider_report.day IS 'Prague day reported on';
    COMMENT ON COLUMN casino.provider_report.report_no IS 'Counts the reports on a day from 1';
    COMMENT ON COLUMN casino.provider_report.begun_at IS 'Beginning of the transaction that loaded it: lines loaded in one transaction are one report';
    COMMENT ON COLUMN casino.provider_report.recorded_at IS 'When it was written';

    CREATE TABLE casino.provider_record (
        provider     text NOT NULL,
        day          date NOT NULL,
        line_no      bigint NOT NULL CHECK (line_no > 0),
        kind         text NOT NULL CHECK (kind IN ('round', 'stake', 'payout', 'refund', 'deposit', 'withdrawal')),
        ref          text CHECK (btrim(ref, E' \t\r\n') <> '' AND octet_length(ref) <= 200),
        round_ref    text CHECK (octet_length(round_ref) <= 200),
        table_name   text CHECK (octet_length(table_name) <= 200),
        external_ref text CHECK (octet_length(external_ref) <= 200),
        amount       numeric CHECK (amount >= 0 AND amount < 1000000000000 AND amount = round(amount, 2)),
        at           timestamptz NOT NULL CHECK (isfinite(at)),
        data         jsonb CHECK (jsonb_typeof(data) = 'object'),
        report_no    integer NOT NULL,
        PRIMARY KEY (provider, day, report_no, line_no),
        FOREIGN KEY (provider, day, report_no) REFERENCES casino.provider_report,
        CONSTRAINT provider_record_place CHECK (kind IN ('deposit', 'withdrawal') OR (round_ref IS NOT NULL AND table_name IS NOT NULL)),
        CONSTRAINT provider_record_money CHECK (kind = 'round' OR (ref IS NOT NULL AND external_ref IS NOT NULL AND amount IS NOT NULL))
    );
    CREATE INDEX provider_record_ref ON casino.provider_record (ref, kind, round_ref, table_name, external_ref);
    CREATE INDEX provider_record_round ON casino.provider_record (round_ref, table_name) WHERE kind = 'round';
    CREATE INDEX provider_record_day ON casino.provider_record (day);
    COMMENT ON INDEX casino.provider_record_day IS 'Finds the lines of some days';
    COMMENT ON INDEX casino.provider_record_ref IS 'Finds what was reported of a request or payment';
    COMMENT ON INDEX casino.provider_record_round IS 'Finds what was reported of a round';
    COMMENT ON TABLE casino.provider_record IS 'Append-only: lines of the providers'' reports, loaded by load_provider_report() or COPY';
    COMMENT ON COLUMN casino.provider_record.provider IS 'Provider';
    COMMENT ON COLUMN casino.provider_record.day IS 'Prague day reported on';
    COMMENT ON COLUMN casino.provider_record.line_no IS 'Line of the report, from 1';
    COMMENT ON COLUMN casino.provider_record.kind IS 'round, stake, payout, refund, deposit or withdrawal (one that was paid)';
    COMMENT ON COLUMN casino.provider_record.ref IS 'Request of a stake, also of what it was paid or returned; request or payment reference of a deposit or withdrawal. One line a request: its bets together';
    COMMENT ON COLUMN casino.provider_record.round_ref IS 'The provider''s name of the round';
    COMMENT ON COLUMN casino.provider_record.table_name IS 'Table of the round';
    COMMENT ON COLUMN casino.provider_record.external_ref IS 'The operator''s reference of the person';
    COMMENT ON COLUMN casino.provider_record.amount IS 'CZK';
    COMMENT ON COLUMN casino.provider_record.at IS 'When it happened; of a round its evaluation';
    COMMENT ON COLUMN casino.provider_record.data IS 'More of it; of a round outcome (its document), or "voided": true';
    COMMENT ON COLUMN casino.provider_record.report_no IS 'Report the line came with, filled in when it is loaded';
    CREATE TRIGGER provider_line BEFORE INSERT ON casino.provider_record FOR EACH ROW EXECUTE FUNCTION casino.provider_line();
    COMMENT ON TRIGGER provider_line ON casino.provider_record IS 'Puts the lines that one transaction loads of a provider and day into one report';

    CREATE VIEW casino.provider_current AS
        SELECT r.* FROM casino.provider_record r
         WHERE r.report_no = (SELECT max(x.report_no) FROM casino.provider_report x WHERE x.provider = r.provider AND x.day = r.day);
    COMMENT ON VIEW casino.provider_current IS 'Lines of the reports that count: the last one of each provider and day';

    PERFORM casino.make_append_only('provider_report', 'provider_record');
    PERFORM casino.make_recorded('provider_report');
END
$fn$;
COMMENT ON FUNCTION casino.install_provider() IS 'Part of casino.install(): reports of providers';

CREATE FUNCTION casino.provider_line() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    -- as the tables, rounds and persons here are called
    NEW.table_name := casino.canonical_text(NEW.table_name, 'table_name');
    NEW.round_ref := casino.canonical_text(NEW.round_ref, 'round_ref');
    NEW.external_ref := casino.canonical_ref(NEW.external_ref);
    SELECT r.report_no INTO NEW.report_no FROM casino.provider_report r
     WHERE r.provider = NEW.provider AND r.day = NEW.day AND r.begun_at = transaction_timestamp() ORDER BY r.report_no DESC LIMIT 1;
    IF NOT FOUND THEN
        INSERT INTO casino.provider_report AS r (provider, day, report_no, begun_at, recorded_at)
        SELECT NEW.provider, NEW.day, coalesce(max(x.report_no), 0) + 1, transaction_timestamp(), clock_timestamp()
          FROM casino.provider_report x WHERE x.provider = NEW.provider AND x.day = NEW.day
        RETURNING r.report_no INTO NEW.report_no;
    END IF;
    RETURN NEW;
END
$fn$;
COMMENT ON FUNCTION casino.provider_line() IS 'Trigger of casino.provider_record: names in their one form; the lines that one transaction loads of a provider and day are one report';

CREATE FUNCTION casino.load_provider_report(provider text, day date, records jsonb) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.load_provider_report(text, date, jsonb) IS 'Loads a provider''s report on a Prague day, an array of objects with kind, ref, round_ref, table_name, external_ref, amount, at and data; all lines or none, 22023 with the number and reason of those that are bad. The same report again changes nothing, another one replaces it. Returns the number of its lines';

CREATE FUNCTION casino.load_provider_report_impl(provider text, day date, records jsonb) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    line record;
    bad text[] := '{}';
    lines bigint := 0;
    last integer;
    reason text;
BEGIN
    IF coalesce(btrim(provider, E' \t\r\n'), '') = '' OR day IS NULL OR records IS NULL THEN
        RAISE EXCEPTION 'provider, day and records must be given' USING ERRCODE = 'null_value_not_allowed';
    ELSIF jsonb_typeof(records) <> 'array' OR jsonb_array_length(records) = 0 THEN
        RAISE EXCEPTION 'records must be a JSON array of at least one line' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino.take_lock('provider ' || provider || ' ' || day);
    SELECT max(r.report_no) INTO last FROM casino.provider_report r
     WHERE r.provider = load_provider_report_impl.provider AND r.day = load_provider_report_impl.day;
    -- a report of its own, also of one transaction with another (R9.8)
    INSERT INTO casino.provider_report (provider, day, report_no, begun_at, recorded_at)
    VALUES (provider, day, coalesce(last, 0) + 1, transaction_timestamp(), clock_timestamp());
    FOR line IN SELECT e.value, e.ordinality AS number FROM jsonb_array_elements(records) WITH ORDINALITY e LOOP
        lines := lines + 1;
        BEGIN
            IF jsonb_typeof(line.value) <> 'object' THEN
                RAISE EXCEPTION 'is no object';
            END IF;
            SELECT 'has an unknown member "' || min(k) || '"' INTO reason FROM jsonb_object_keys(line.value) k
             WHERE k <> ALL (ARRAY['line_no', 'kind', 'ref', 'round_ref', 'table_name', 'external_ref', 'amount', 'at', 'data']);
            IF reason IS NOT NULL THEN
                RAISE EXCEPTION '%', reason;
            END IF;
            INSERT INTO casino.provider_record (provider, day, line_no, kind, ref, round_ref, table_name, external_ref, amount, at, data)
            VALUES (provider, day, coalesce((line.value ->> 'line_no')::bigint, line.number), line.value ->> 'kind', line.value ->> 'ref', line.value ->> 'round_ref', line.value ->> 'table_name',
                    line.value ->> 'external_ref', (line.value ->> 'amount')::numeric, (line.value ->> 'at')::timestamptz, nullif(line.value -> 'data', 'null'));
        EXCEPTION WHEN OTHERS THEN
            bad := bad || format('line %s: %s', line.number, SQLERRM);
        END;
    END LOOP;
    IF bad <> '{}' THEN
        RAISE EXCEPTION 'the report of % on % has % bad lines of %: %', provider, day, cardinality(bad), lines, bad[1]
            USING ERRCODE = 'invalid_parameter_value', DETAIL = left(array_to_string(bad, E'\n'), 10000),
                  HINT = 'Nothing of it was loaded; what was loaded before stays.';
    END IF;
    -- the same again: nothing is kept of it
    IF last IS NOT NULL AND NOT EXISTS (
        SELECT n.line_no, n.kind, n.ref, n.round_ref, n.table_name, n.external_ref, n.amount, n.at, n.data FROM casino.provider_record n
         WHERE n.provider = load_provider_report_impl.provider AND n.day = load_provider_report_impl.day AND n.report_no = last + 1
        EXCEPT
        SELECT o.line_no, o.kind, o.ref, o.round_ref, o.table_name, o.external_ref, o.amount, o.at, o.data FROM casino.provider_record o
         WHERE o.provider = load_provider_report_impl.provider AND o.day = load_provider_report_impl.day AND o.report_no = last)
       AND lines = (SELECT count(*) FROM casino.provider_record o
                     WHERE o.provider = load_provider_report_impl.provider AND o.day = load_provider_report_impl.day AND o.report_no = last) THEN
        RAISE EXCEPTION 'the same' USING ERRCODE = 'KX001';
    END IF;
    RETURN lines;
EXCEPTION WHEN SQLSTATE 'KX001' THEN
    RETURN lines;
END
$fn$;
COMMENT ON FUNCTION casino.load_provider_report_impl(text, date, jsonb) IS 'Body of load_provider_report(), run as the owner of the ledger';

-- What stands here of a line: of a request all its bets together, wherever the day is.
CREATE FUNCTION casino.provider_here(kind text, ref text, table_name text, round_ref text, at timestamptz)
RETURNS TABLE (player_id bigint, external_ref text, round_id bigint, entry_no bigint, amount numeric, happened_at timestamptz, evaluation numeric)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT s.player_id, p.external_ref, s.round_id, min(s.entry_no),
           sum(CASE provider_here.kind WHEN 'stake' THEN s.amount WHEN 'payout' THEN CASE WHEN e.kind = 'payout' THEN e.amount WHEN e.kind IS NULL AND q.held THEN coalesce(v.payout, 0) ELSE 0 END
                                       ELSE CASE WHEN e.kind = 'refund' THEN e.amount ELSE 0 END END),
           -- the time of the payments that exist: a wager that lost has none (R10.25)
           CASE provider_here.kind WHEN 'stake' THEN min(s.posted_at)
                                   ELSE coalesce(min(e.posted_at) FILTER (WHERE e.kind = provider_here.kind), min(r.evaluated_at)) END, sum(v.payout)
      FROM casino.game_table t
      JOIN casino.round r ON r.table_id = t.table_id AND r.round_ref = provider_here.round_ref
      JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake' AND s.request_id = provider_here.ref
      JOIN casino.player p ON p.player_id = s.player_id
      LEFT JOIN casino.ledger e ON e.player_id = s.player_id AND e.stake_entry_no = s.entry_no AND e.correction_no IS NULL
      LEFT JOIN LATERAL casino.evaluated_wager(CASE WHEN provider_here.kind = 'payout' THEN s.round_id END, s.player_id, s.entry_no) v ON true
     CROSS JOIN LATERAL (SELECT r.status = 'withheld' OR EXISTS (SELECT FROM casino.withholding h WHERE h.player_id = s.player_id AND h.round_id = s.round_id) AS held) q
     WHERE t.name = provider_here.table_name AND provider_here.kind IN ('stake', 'payout', 'refund')
     GROUP BY s.player_id, p.external_ref, s.round_id
    HAVING provider_here.kind = 'stake'
        OR bool_or(e.kind = provider_here.kind) OR (provider_here.kind = 'payout' AND sum(v.payout) FILTER (WHERE e.kind IS NULL AND q.held) > 0)
    UNION ALL
    SELECT l.player_id, p.external_ref, NULL, l.entry_no, l.amount, l.posted_at, NULL
      FROM casino.ledger l
      JOIN casino.player p ON p.player_id = l.player_id
      LEFT JOIN casino.ledger w ON w.player_id = l.player_id AND w.entry_no = l.withdrawal_entry_no
     WHERE l.posted_at > provider_here.at - interval '3 days' AND l.posted_at < provider_here.at + interval '3 days'
       AND ((provider_here.kind = 'deposit' AND l.kind = 'deposit') OR (provider_here.kind = 'withdrawal' AND l.kind IN ('cash_paid', 'transfer_paid')))
       AND provider_here.ref IN (l.reference, l.request_id, w.request_id)
$fn$;
COMMENT ON FUNCTION casino.provider_here(text, text, text, text, timestamptz) IS 'Part of the checks of providers: what rounds, wagers and ledger have of a request or payment';

CREATE FUNCTION casino.provider_outcome_is(round_id bigint, outcome jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    played record;
BEGIN
    SELECT r.outcome, r.outcome_document, r.plan_id, g.family INTO played
      FROM casino.round r JOIN casino.game_plan p ON p.plan_id = r.plan_id JOIN casino.game g ON g.game = p.game WHERE r.round_id = provider_outcome_is.round_id;
    IF outcome IN (played.outcome, played.outcome_document) THEN
        RETURN true;
    END IF;
    RETURN coalesce(casino.canonical_outcome(played.family, (SELECT jsonb_object_agg(x.rule, x.value) FROM casino.plan_rule x WHERE x.plan_id = played.plan_id),
                                             outcome) = played.outcome, false);
EXCEPTION WHEN OTHERS THEN
    IF casino.passes(SQLSTATE) THEN
        RAISE;
    END IF;
    RETURN false;       -- what could not have been dealt was not
END
$fn$;
COMMENT ON FUNCTION casino.provider_outcome_is(bigint, jsonb) IS 'Part of the checks of providers: is it the outcome of the round, in whatever form';

-- Requests are the player's own: a line is about its person's entry, or, where he has none here, about one of a person that no other line names; lines of
-- several such persons are about one such entry each (R9.10).
CREATE FUNCTION casino.provider_match(kind text, ref text, table_name text, round_ref text, at timestamptz, person text)
RETURNS TABLE (player_id bigint, external_ref text, round_id bigint, entry_no bigint, amount numeric, happened_at timestamptz, evaluation numeric)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH here AS MATERIALIZED (
        SELECT x.* FROM casino.provider_here(provider_match.kind, provider_match.ref, provider_match.table_name, provider_match.round_ref, provider_match.at) x
    ), reported AS MATERIALIZED (
        SELECT DISTINCT y.external_ref FROM casino.provider_current y
         WHERE y.ref = provider_match.ref AND y.kind = provider_match.kind
           AND (y.table_name, y.round_ref) IS NOT DISTINCT FROM (provider_match.table_name, provider_match.round_ref)
    )
    SELECT h.* FROM here h WHERE h.external_ref = provider_match.person
    UNION ALL
    (SELECT h.* FROM here h
      WHERE NOT EXISTS (SELECT FROM here o WHERE o.external_ref = provider_match.person)
        AND h.external_ref NOT IN (SELECT r.external_ref FROM reported r)
      ORDER BY h.player_id, h.entry_no
     OFFSET (SELECT count(*) FROM reported r WHERE r.external_ref < provider_match.person AND r.external_ref NOT IN (SELECT o.external_ref FROM here o))
      LIMIT 1)
    LIMIT 1
$fn$;
COMMENT ON FUNCTION casino.provider_match(text, text, text, text, timestamptz, text) IS 'Part of the checks of providers: the entry here that a line is about';

-- Reported and not here, or otherwise here: line by line of the days' reports (R9.9).
CREATE FUNCTION casino.provider_lines(from_day date, to_day date)
RETURNS TABLE (check_name text, rule text, player_id bigint, round_id bigint, entry_no bigint, expected text, found text, detail jsonb)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH line AS MATERIALIZED (
        SELECT c.*, row_number() OVER (PARTITION BY c.kind, c.external_ref, c.ref, c.table_name, c.round_ref ORDER BY c.day, c.provider, c.line_no) AS nth,
               jsonb_build_object('provider', c.provider, 'day', c.day, 'line_no', c.line_no, 'kind', c.kind, 'ref', c.ref, 'table', c.table_name, 'round_ref', c.round_ref,
                                  'external_ref', c.external_ref, 'at', c.at) AS whole
          FROM casino.provider_current c WHERE c.day BETWEEN provider_lines.from_day AND provider_lines.to_day
    ), own_wager AS MATERIALIZED (
        -- lines of play about their person's own request, all together; the others are looked for one by one
        SELECT l.provider, l.day, l.line_no, l.kind, s.player_id, r.round_id, s.entry_no, s.amount, s.posted_at, r.evaluated_at,
               e.kind AS end_kind, e.amount AS end_amount, e.posted_at AS ended_at,
               e.kind IS NULL AND l.kind = 'payout' AND (r.status = 'withheld' OR EXISTS (SELECT FROM casino.withholding h
                                                                                         WHERE h.player_id = s.player_id AND h.round_id = s.round_id)) AS held
          FROM line l
          JOIN casino.game_table t ON t.name = l.table_name
          JOIN casino.round r ON r.table_id = t.table_id AND r.round_ref = l.round_ref
          JOIN casino.player p ON p.external_ref = l.external_ref
          -- OFFSET 0: by the player's request
         CROSS JOIN LATERAL (SELECT x.* FROM casino.ledger x WHERE x.player_id = p.player_id AND x.request_id = l.ref AND x.kind = 'stake' OFFSET 0) s
          LEFT JOIN LATERAL (SELECT x.* FROM casino.ledger x
                              WHERE x.player_id = s.player_id AND x.stake_entry_no = s.entry_no AND x.correction_no IS NULL OFFSET 0) e ON true
         WHERE l.kind IN ('stake', 'payout', 'refund') AND l.nth = 1 AND s.round_id = r.round_id
    ), own AS MATERIALIZED (
        SELECT DISTINCT ON (o.provider, o.day, o.line_no) o.*
          FROM (SELECT w.provider, w.day, w.line_no, w.kind, w.player_id, w.round_id, min(w.entry_no) AS entry_no,
                       sum(CASE w.kind WHEN 'stake' THEN w.amount
                                       WHEN 'payout' THEN CASE WHEN w.end_kind = 'payout' THEN w.end_amount WHEN w.held THEN coalesce(v.payout, 0) ELSE 0 END
                                       ELSE CASE WHEN w.end_kind = 'refund' THEN w.end_amount ELSE 0 END END) AS amount,
                       CASE w.kind WHEN 'stake' THEN min(w.posted_at)
                                   ELSE coalesce(min(w.ended_at) FILTER (WHERE w.end_kind = w.kind), min(w.evaluated_at)) END AS happened_at,
                       w.kind = 'stake' OR coalesce(bool_or(w.end_kind = w.kind), false)
                       OR w.kind = 'payout' AND coalesce(sum(v.payout) FILTER (WHERE w.held), 0) > 0 AS there
                  FROM own_wager w
                  LEFT JOIN LATERAL casino.evaluated_wager(CASE WHEN w.held THEN w.round_id END, w.player_id, w.entry_no) v ON true
                 GROUP BY w.provider, w.day, w.line_no, w.kind, w.player_id, w.round_id) o
         WHERE o.there
         ORDER BY o.provider, o.day, o.line_no, o.player_id
    ), cash AS MATERIALIZED (
        -- read once, and where there are such lines
        SELECT x.player_id, x.entry_no, x.amount, x.posted_at, CASE WHEN x.kind = 'deposit' THEN 'deposit' ELSE 'withdrawal' END AS kind,
               ARRAY[x.reference, x.request_id, w.request_id] AS refs
          FROM casino.ledger x
          LEFT JOIN casino.ledger w ON w.player_id = x.player_id AND w.entry_no = x.withdrawal_entry_no
         WHERE x.posted_at >= casino.day_start(provider_lines.from_day - 4) AND x.posted_at < casino.day_start(provider_lines.to_day + 5)
           AND x.kind IN ('deposit', 'cash_paid', 'transfer_paid') AND EXISTS (SELECT FROM line l WHERE l.kind IN ('deposit', 'withdrawal'))
    ), own_cash AS MATERIALIZED (
        SELECT DISTINCT ON (l.provider, l.day, l.line_no) l.provider, l.day, l.line_no, c.player_id, c.entry_no, c.amount, c.posted_at
          FROM line l
          JOIN casino.player p ON p.external_ref = l.external_ref
          JOIN cash c ON c.player_id = p.player_id AND c.kind = l.kind AND l.ref = ANY (c.refs)
                     AND c.posted_at > l.at - interval '3 days' AND c.posted_at < l.at + interval '3 days'
         WHERE l.nth = 1
         ORDER BY l.provider, l.day, l.line_no, c.player_id, c.entry_no
    ), found AS MATERIALIZED (
        SELECT o.provider, o.day, o.line_no, o.player_id, o.round_id, o.entry_no, o.amount, o.happened_at FROM own o
        UNION ALL
        SELECT c.provider, c.day, c.line_no, c.player_id, NULL, c.entry_no, c.amount, c.posted_at FROM own_cash c
    ), money AS MATERIALIZED (
        SELECT l.*, o.player_id, o.round_id AS its_round, o.entry_no, o.amount AS here, o.happened_at, l.external_ref AS its_person
          FROM line l
          JOIN found o ON o.provider = l.provider AND o.day = l.day AND o.line_no = l.line_no
        UNION ALL
        SELECT l.*, h.player_id, h.round_id, h.entry_no, h.amount, h.happened_at, h.external_ref
          FROM line l
          LEFT JOIN LATERAL casino.provider_match(l.kind, l.ref, l.table_name, l.round_ref, l.at, l.external_ref) h ON true
         WHERE l.kind <> 'round' AND l.nth = 1
           AND NOT EXISTS (SELECT FROM found o WHERE o.provider = l.provider AND o.day = l.day AND o.line_no = l.line_no)
    ), played AS MATERIALIZED (
        SELECT l.*, r.round_id, r.status, r.evaluated_at, r.outcome_document, r.outcome
          FROM line l
          LEFT JOIN casino.game_table t ON t.name = l.table_name AND EXISTS (SELECT FROM casino.round x WHERE x.table_id = t.table_id AND x.round_ref = l.round_ref)
          LEFT JOIN casino.round r ON r.table_id = t.table_id AND r.round_ref = l.round_ref
         WHERE l.kind = 'round' AND l.nth = 1
    )
    SELECT 'provider_duplicate', l.kind, NULL::bigint, NULL::bigint, NULL::bigint, 'once', l.nth || ' times', l.whole FROM line l WHERE l.nth > 1
    UNION ALL
    SELECT 'provider_missing_here', m.kind, NULL, NULL, NULL, m.amount::text, 'none', m.whole FROM money m WHERE m.player_id IS NULL AND m.amount > 0
    UNION ALL
    SELECT 'provider_missing_here', 'other_player', m.player_id, m.its_round, m.entry_no, m.external_ref, m.its_person, m.whole FROM money m WHERE m.its_person <> m.external_ref
    UNION ALL
    SELECT 'provider_amount', m.kind, m.player_id, m.its_round, m.entry_no, m.amount::text, m.here::text,
           m.whole || jsonb_strip_nulls(jsonb_build_object('evaluation', CASE WHEN m.kind = 'payout' THEN (
               SELECT h.evaluation FROM casino.provider_here(m.kind, m.ref, m.table_name, m.round_ref, m.at) h WHERE h.player_id = m.player_id) END))
      FROM money m WHERE m.its_person = m.external_ref AND m.amount <> m.here
    UNION ALL
    SELECT 'provider_late', m.kind, m.player_id, m.its_round, m.entry_no, m.at::text, m.happened_at::text, m.whole
      FROM money m WHERE m.its_person = m.external_ref AND abs(extract(epoch FROM m.at - m.happened_at)) > 60
    UNION ALL
    SELECT 'provider_missing_here', 'round', NULL, NULL, NULL, l.table_name || ' ' || l.round_ref, 'none', l.whole FROM played l WHERE l.round_id IS NULL
    UNION ALL
    SELECT 'provider_outcome', 'round', NULL, l.round_id, NULL, coalesce(l.data ->> 'outcome', CASE WHEN (l.data ->> 'voided')::boolean THEN 'voided' ELSE 'none' END),
           CASE WHEN l.status = 'voided' THEN 'voided' ELSE coalesce(l.outcome_document::text, l.status) END, l.whole
      FROM played l
     WHERE l.round_id IS NOT NULL
       AND CASE WHEN l.status = 'voided' THEN (l.data -> 'voided') IS DISTINCT FROM 'true'
                ELSE coalesce((l.data -> 'voided') = 'true', false) OR l.data -> 'outcome' IS NULL OR NOT casino.provider_outcome_is(l.round_id, l.data -> 'outcome') END
    UNION ALL
    SELECT 'provider_late', 'round', NULL, l.round_id, NULL, l.at::text, coalesce(l.evaluated_at::text, 'not evaluated'), l.whole
      FROM played l WHERE l.round_id IS NOT NULL AND abs(extract(epoch FROM l.at - l.evaluated_at)) > 60
$fn$;
COMMENT ON FUNCTION casino.provider_lines(date, date) IS 'Part of the checks of providers: lines of the reports on Prague days that rounds, wagers and ledger do not bear out';

-- Here and not reported.  A table is asked of the providers that have reported of it in the month before, deposits and withdrawals of those
-- who have reported such; a provider whose report of a day is missing altogether is one difference.
CREATE FUNCTION casino.check_provider_missing_there(from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := casino.day_start(from_day);
    until CONSTANT timestamptz := casino.day_start(to_day + 1);
BEGIN
    IF NOT EXISTS (SELECT FROM casino.provider_report) THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH source AS MATERIALIZED (
        SELECT c.provider, c.table_name, c.kind IN ('deposit', 'withdrawal') AS cash, CASE WHEN c.kind IN ('deposit', 'withdrawal') THEN c.kind END AS kind, min(c.day) AS first
          FROM casino.provider_record c
         WHERE c.day BETWEEN check_provider_missing_there.from_day - 31 AND check_provider_missing_there.to_day
         GROUP BY 1, 2, 3, 4
    ), absent AS MATERIALIZED (
        SELECT p.provider, d.day::date AS day
          FROM (SELECT s.provider, min(s.day) AS first FROM casino.provider_report s GROUP BY s.provider) p
         CROSS JOIN generate_series(greatest(check_provider_missing_there.from_day, p.first)::timestamp, check_provider_missing_there.to_day::timestamp, interval '1 day') d (day)
         WHERE d.day::date < (clock_timestamp() AT TIME ZONE 'Europe/Prague')::date
           AND NOT EXISTS (SELECT FROM casino.provider_report r WHERE r.provider = p.provider AND r.day = d.day::date)
    ), entry AS MATERIALIZED (
        SELECT l.player_id, l.round_id, min(l.entry_no) AS entry_no, sum(l.amount) AS amount, min(l.posted_at) AS at, (min(l.posted_at) AT TIME ZONE 'Europe/Prague')::date AS day,
               CASE WHEN l.kind IN ('cash_paid', 'transfer_paid') THEN 'withdrawal' ELSE l.kind END AS kind, coalesce(l.request_id, s.request_id, w.request_id) AS ref, l.reference
          FROM casino.ledger l
          LEFT JOIN casino.ledger s ON s.player_id = l.player_id AND s.entry_no = l.stake_entry_no
          LEFT JOIN casino.ledger w ON w.player_id = l.player_id AND w.entry_no = l.withdrawal_entry_no
         WHERE (l.posted_at >= since AND l.posted_at < until) AND l.kind IN ('stake', 'payout', 'refund', 'deposit', 'cash_paid', 'transfer_paid') AND l.amount > 0
         GROUP BY l.player_id, l.round_id, 7, 8, 9
    ), wanted AS MATERIALIZED (
        SELECT e.*, p.external_ref, t.name AS table_name, r.round_ref
          FROM entry e
          JOIN casino.player p ON p.player_id = e.player_id
          LEFT JOIN casino.round r ON r.round_id = e.round_id
          LEFT JOIN casino.game_table t ON t.table_id = r.table_id
         WHERE EXISTS (SELECT FROM source s
                        WHERE (CASE WHEN e.round_id IS NULL THEN s.kind = e.kind ELSE NOT s.cash AND s.table_name = t.name END) AND s.first <= e.day
                          AND NOT EXISTS (SELECT FROM absent a WHERE a.provider = s.provider AND a.day = e.day))
    )
    SELECT 'report', NULL::bigint, NULL::bigint, NULL::bigint, 'a report of ' || a.provider || ' on ' || a.day, 'none', jsonb_build_object('provider', a.provider, 'day', a.day) FROM absent a
    UNION ALL
    SELECT w.kind, w.player_id, w.round_id, w.entry_no, w.amount::text, 'none',
           jsonb_strip_nulls(jsonb_build_object('ref', w.ref, 'reference', w.reference, 'table', w.table_name, 'round_ref', w.round_ref, 'external_ref', w.external_ref, 'at', w.at))
      FROM wanted w
     -- OFFSET 0: by the request, its round and its person; what is left is looked for line by line
     WHERE NOT EXISTS (SELECT FROM casino.provider_current c
                        WHERE c.ref = w.ref AND c.kind = w.kind AND c.table_name = w.table_name AND c.round_ref = w.round_ref AND c.external_ref = w.external_ref OFFSET 0)
     -- of another player: the line says so, of one
       AND NOT EXISTS (SELECT FROM casino.provider_current c
                        WHERE c.ref IN (w.ref, w.reference) AND c.kind = w.kind AND (w.round_id IS NULL OR (c.table_name = w.table_name AND c.round_ref = w.round_ref))
                          AND (c.external_ref = w.external_ref
                               OR EXISTS (SELECT FROM casino.provider_match(c.kind, c.ref, c.table_name, c.round_ref, c.at, c.external_ref) h WHERE h.player_id = w.player_id)))
    UNION ALL
    SELECT 'round', NULL, r.round_id, NULL, t.name || ' ' || r.round_ref, 'none', jsonb_build_object('table', t.name, 'round_ref', r.round_ref, 'at', r.evaluated_at)
      FROM casino.round r
      JOIN casino.game_table t ON t.table_id = r.table_id
     WHERE r.evaluated_at >= since AND r.evaluated_at < until
       AND EXISTS (SELECT FROM source s WHERE NOT s.cash AND s.table_name = t.name AND s.first <= (r.evaluated_at AT TIME ZONE 'Europe/Prague')::date
                      AND NOT EXISTS (SELECT FROM absent a WHERE a.provider = s.provider AND a.day = (r.evaluated_at AT TIME ZONE 'Europe/Prague')::date))
       AND NOT EXISTS (SELECT FROM casino.provider_current c WHERE c.kind = 'round' AND c.table_name = t.name AND c.round_ref = r.round_ref);
END
$fn$;
COMMENT ON FUNCTION casino.check_provider_missing_there(date, date) IS 'Part of the reconciliation, check provider_missing_there: rounds and entries that no provider has reported, and reports that did not come';

-- The lines are compared once for all these checks of a run.
CREATE FUNCTION casino.provider_findings(check_name text, from_day date, to_day date) RETURNS SETOF casino.finding
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    lines jsonb := casino.kept_findings();
BEGIN
    IF lines IS NULL THEN
        SELECT coalesce(jsonb_agg(to_jsonb(l)), '[]') INTO lines FROM casino.provider_lines(from_day, to_day) l;
        PERFORM casino.keep_findings(lines);
    END IF;
    RETURN QUERY
        SELECT l.rule, l.player_id, l.round_id, l.entry_no, l.expected, l.found, l.detail
          FROM jsonb_to_recordset(lines) AS l (check_name text, rule text, player_id bigint, round_id bigint, entry_no bigint, expected text, found text, detail jsonb)
         WHERE l.check_name = provider_findings.check_name;
END
$fn$;
COMMENT ON FUNCTION casino.provider_findings(text, date, date) IS 'Part of the checks of providers: what provider_lines() has for one of them';

DO $do$
DECLARE
    c record;
BEGIN
    FOR c IN SELECT * FROM (VALUES ('missing_here', 'what a provider reports stands here, of the same person'), ('amount', 'it has the same amount'),
                                   ('outcome', 'a round has the outcome that its provider reports'), ('duplicate', 'a provider reports it once'),
                                   ('late', 'it is dated within a minute of what the provider reports')) v (name, meaning) LOOP
        EXECUTE format($sql$
            CREATE FUNCTION casino.check_provider_%1$s(from_day date, to_day date) RETURNS SETOF casino.finding
            LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $fn$
                SELECT f.* FROM casino.provider_findings('provider_%1$s', check_provider_%1$s.from_day, check_provider_%1$s.to_day) f
            $fn$;
            COMMENT ON FUNCTION casino.check_provider_%1$s(date, date) IS %2$L$sql$, c.name, 'Part of the reconciliation, check provider_' || c.name || ': ' || c.meaning);
    END LOOP;
END
$do$;
-- rebuild(): the state that stakes are decided by, made anew from the evidence: after a restore of the evidence tables only, or to see
-- that it is what it should be.  It never reads the state that it makes (R9.6).

CREATE FUNCTION casino.player_states()
RETURNS TABLE (player_id bigint, balance numeric, last_entry_no bigint, last_posted_at timestamptz, last_round_id bigint, sequence_started_at timestamptz,
               previous_round_id bigint, previous_sequence_started_at timestamptz, excluded_until timestamptz, limited boolean)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH entry AS MATERIALIZED (
        SELECT l.player_id, sum(l.amount * k.wallet_sign) AS balance, max(l.entry_no) AS last_entry_no, max(l.posted_at) AS last_posted_at
          FROM casino.ledger l JOIN casino.entry_kinds() k ON k.kind = l.kind
         GROUP BY l.player_id
    ), participation AS MATERIALIZED (
        -- of the person: another account is no way around the break
        SELECT q.external_ref, q.player_id, q.round_id, q.place, max(q.first_stake_at) FILTER (WHERE q.starts) OVER (PARTITION BY q.external_ref ORDER BY q.place) AS started_at
          FROM (SELECT p.external_ref, l.player_id, l.round_id, l.first_stake_at, row_number() OVER person AS place,
                       coalesce(l.first_stake_at - lag(l.evaluated_at) OVER person >= interval '15 minutes', true) AS starts
                  FROM casino.live_participation l
                  JOIN casino.player p ON p.player_id = l.player_id
                WINDOW person AS (PARTITION BY p.external_ref ORDER BY l.player_id, l.first_stake_at, l.round_id)) q
    ), account AS MATERIALIZED (
        SELECT p.player_id, p.external_ref, max(m.place) OVER (PARTITION BY p.external_ref ORDER BY p.player_id) AS place
          FROM casino.player p
          LEFT JOIN (SELECT t.player_id, max(t.place) AS place FROM participation t GROUP BY t.player_id) m ON m.player_id = p.player_id
    ), joined AS MATERIALIZED (
        -- the round he joined last, be it that all his stakes there went back: then what was before that is known no more
        SELECT DISTINCT ON (s.player_id) s.player_id, s.round_id
          FROM casino.ledger s
          JOIN casino.round r ON r.round_id = s.round_id
          JOIN casino.game_plan n ON n.plan_id = r.plan_id
          JOIN casino.game g ON g.game = n.game AND g.live
         WHERE s.kind = 'stake'
         ORDER BY s.player_id, s.entry_no DESC
    )
    SELECT p.player_id, coalesce(e.balance, 0), coalesce(e.last_entry_no, 0), coalesce(e.last_posted_at, '-infinity'), t.round_id, t.started_at,
           b.round_id, b.started_at,
           (SELECT max(x.excluded_until) FROM casino.exclusion_period x WHERE x.player_id = p.player_id),
           EXISTS (SELECT FROM casino.player_limit x WHERE x.player_id = p.player_id)
      FROM account p
      LEFT JOIN entry e ON e.player_id = p.player_id
      LEFT JOIN participation t ON t.external_ref = p.external_ref AND t.place = p.place
      LEFT JOIN joined j ON j.player_id = p.player_id AND t.player_id = p.player_id AND j.round_id = t.round_id
      LEFT JOIN participation b ON j.player_id IS NOT NULL AND b.external_ref = p.external_ref AND b.place = p.place - 1
$fn$;
COMMENT ON FUNCTION casino.player_states() IS 'What casino.player should hold of each account, from ledger, rounds, exclusions and limits alone';

CREATE FUNCTION casino.put_player_states() RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_put_player_states' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.put_player_states() IS 'Part of rebuild(): brings the rows of players to player_states()';

-- The account whose limits and counters an account took over when it was opened.
CREATE FUNCTION casino.limits_taken_from(player_id bigint) RETURNS bigint
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT max(f.player_id)
      FROM casino.player p
      JOIN casino.player f ON f.external_ref = p.external_ref AND f.player_id < p.player_id
      JOIN casino.player_limit l ON l.player_id = f.player_id AND l.limit_no = 1
      JOIN casino.player_limit o ON o.player_id = p.player_id AND o.limit_no = 1
     WHERE p.player_id = limits_taken_from.player_id
       AND (o.measure, o.period, o.requested_at, o.effective_from) = (l.measure, l.period, l.requested_at, l.effective_from)
       AND o.amount IS NOT DISTINCT FROM l.amount AND o.recorded_at >= p.registered_at
$fn$;
COMMENT ON FUNCTION casino.limits_taken_from(bigint) IS 'Part of rebuild(): the former account of the person whose limits and counters an account has taken over; NULL: none';

-- The last event that the counters of an account have counted; play of other products only as far as it was recorded before a time.
CREATE FUNCTION casino.last_counted(player_id bigint, recorded_before timestamptz) RETURNS timestamptz
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    former CONSTANT bigint := casino.limits_taken_from(player_id);
    began casino.player_limit;
    opened timestamptz;
BEGIN
    SELECT l.* INTO began FROM casino.player_limit l WHERE l.player_id = last_counted.player_id AND l.limit_no = 1;
    SELECT p.registered_at INTO opened FROM casino.player p WHERE p.player_id = last_counted.player_id;
    RETURN greatest(
        CASE WHEN former IS NULL THEN began.requested_at ELSE casino.last_counted(former, opened) END,
        (SELECT max(l.posted_at) FROM casino.ledger l
          WHERE l.player_id = last_counted.player_id AND ((l.kind = 'stake' AND l.amount > 0) OR (l.kind IN ('correction', 'adjustment') AND l.round_id IS NOT NULL) OR (former IS NULL AND l.recorded_at <= began.recorded_at))),
        -- an evaluation counts of who has stakes that stood then; the first limit looks at all rounds he was in
        (SELECT max(r.evaluated_at) FROM casino.ledger s
           JOIN casino.round r ON r.round_id = s.round_id
           LEFT JOIN casino.ledger f ON f.player_id = s.player_id AND f.stake_entry_no = s.entry_no AND f.kind = 'refund'
          WHERE s.player_id = last_counted.player_id AND s.kind = 'stake'
            AND ((r.outcome IS NOT NULL AND (f.entry_no IS NULL OR f.posted_at >= r.evaluated_at))
                 OR (former IS NULL AND r.evaluation_recorded_at <= began.recorded_at))),
        (SELECT max(o.played_at) FROM casino.player p
           JOIN casino.player n ON n.external_ref = p.external_ref AND n.player_id <= p.player_id
           JOIN casino.other_play o ON o.player_id = n.player_id
                                   AND (n.player_id = p.player_id OR o.recorded_at >= CASE WHEN former IS NULL THEN began.recorded_at ELSE opened END)
          WHERE p.player_id = last_counted.player_id AND o.recorded_at < last_counted.recorded_before));
END
$fn$;
COMMENT ON FUNCTION casino.last_counted(bigint, timestamptz) IS 'Part of rebuild(): time of the last event that the counters of an account''s limits have counted';

CREATE FUNCTION casino.rebuild() RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.rebuild() IS 'Makes the state of players, the counters of their limits and the list of open withdrawals anew from the evidence: after a restore of the evidence tables only. Nothing else may run meanwhile. Returns how many rows it changed: 0 where nothing was wrong';

CREATE FUNCTION casino.rebuild_impl() RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    orphan bigint;
    changed bigint;
    made bigint;
BEGIN
    LOCK TABLE casino.player, casino.ledger, casino.round, casino.limit_state, casino.open_withdrawal, casino.player_limit, casino.exclusion, casino.other_play
        IN SHARE ROW EXCLUSIVE MODE;
    SELECT min(l.player_id) INTO orphan FROM casino.ledger l WHERE NOT EXISTS (SELECT FROM casino.player p WHERE p.player_id = l.player_id);
    IF orphan IS NOT NULL THEN
        RAISE EXCEPTION 'player % has entries and is not in casino.player', orphan
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = 'The person, and when the account was opened and closed, are recorded nowhere else.',
                  HINT = 'Restore casino.person and casino.player; balances and counters in them are made anew.';
    END IF;
    changed := casino.put_player_states();

    WITH open AS MATERIALIZED (
        SELECT w.player_id, w.entry_no FROM casino.ledger w
         WHERE w.kind = 'withdrawal'
           AND NOT EXISTS (SELECT FROM casino.ledger e WHERE e.player_id = w.player_id AND e.withdrawal_entry_no = w.entry_no)
    ), gone AS (
        DELETE FROM casino.open_withdrawal o
         WHERE NOT EXISTS (SELECT FROM open x WHERE x.player_id = o.player_id AND x.entry_no = o.entry_no) RETURNING 1
    ), new AS (
        INSERT INTO casino.open_withdrawal (player_id, entry_no)
        SELECT x.player_id, x.entry_no FROM open x
         WHERE NOT EXISTS (SELECT FROM casino.open_withdrawal o WHERE o.player_id = x.player_id AND o.entry_no = x.entry_no) RETURNING 1)
    SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM new) INTO made;
    changed := changed + made;

    -- limits as of the last change asked for, or as of the opening of an account that has taken them over
    WITH limited AS (
        SELECT p.player_id, casino.last_counted(p.player_id, 'infinity') AS counted_at,
               (SELECT greatest(max(l.requested_at),
                                max(l.recorded_at) FILTER (WHERE f.former IS NOT NULL AND l.limit_no = (SELECT max(x.limit_no) FROM casino.player_limit x WHERE x.player_id = f.former)
                                                                                      AND l.limit_no = (SELECT max(x.limit_no) FROM casino.player_limit x WHERE x.player_id = p.player_id)))
                  FROM casino.player_limit l WHERE l.player_id = p.player_id) AS limits_at
          FROM casino.player p
         CROSS JOIN LATERAL (SELECT casino.limits_taken_from(p.player_id) AS former) f
         WHERE EXISTS (SELECT FROM casino.player_limit l WHERE l.player_id = p.player_id)
    ), wanted AS MATERIALIZED (
        SELECT m.player_id, u.day, u.staked_day, u.lost_day, u.month, u.staked_month, u.lost_month, u.open_staked, f.*
          FROM limited m
         CROSS JOIN LATERAL casino.limit_usage_impl(m.player_id, m.counted_at) u
         CROSS JOIN LATERAL (SELECT max(i.amount) FILTER (WHERE i.measure = 'stake' AND i.period = 'day'), max(i.next_amount) FILTER (WHERE i.measure = 'stake' AND i.period = 'day'),
                                    max(i.next_from) FILTER (WHERE i.measure = 'stake' AND i.period = 'day'), max(i.amount) FILTER (WHERE i.measure = 'stake' AND i.period = 'month'),
                                    max(i.next_amount) FILTER (WHERE i.measure = 'stake' AND i.period = 'month'), max(i.next_from) FILTER (WHERE i.measure = 'stake' AND i.period = 'month'),
                                    max(i.amount) FILTER (WHERE i.measure = 'net_loss' AND i.period = 'day'), max(i.next_amount) FILTER (WHERE i.measure = 'net_loss' AND i.period = 'day'),
                                    max(i.next_from) FILTER (WHERE i.measure = 'net_loss' AND i.period = 'day'), max(i.amount) FILTER (WHERE i.measure = 'net_loss' AND i.period = 'month'),
                                    max(i.next_amount) FILTER (WHERE i.measure = 'net_loss' AND i.period = 'month'), max(i.next_from) FILTER (WHERE i.measure = 'net_loss' AND i.period = 'month')
                               FROM casino.limits_in_force(m.player_id, m.limits_at) i) f
    ), gone AS (
        DELETE FROM casino.limit_state s WHERE NOT EXISTS (SELECT FROM wanted w WHERE w.player_id = s.player_id) RETURNING 1
    ), put AS (
        INSERT INTO casino.limit_state AS s (player_id, day, staked_day, lost_day, month, staked_month, lost_month, open_staked,
                limit_stake_day, limit_stake_day_next, limit_stake_day_from, limit_stake_month, limit_stake_month_next, limit_stake_month_from,
                limit_net_loss_day, limit_net_loss_day_next, limit_net_loss_day_from, limit_net_loss_month, limit_net_loss_month_next, limit_net_loss_month_from)
        SELECT w.* FROM wanted w
            ON CONFLICT (player_id) DO UPDATE
               SET (day, staked_day, lost_day, month, staked_month, lost_month, open_staked,
                    limit_stake_day, limit_stake_day_next, limit_stake_day_from, limit_stake_month, limit_stake_month_next, limit_stake_month_from,
                    limit_net_loss_day, limit_net_loss_day_next, limit_net_loss_day_from, limit_net_loss_month, limit_net_loss_month_next, limit_net_loss_month_from)
                 = (excluded.day, excluded.staked_day, excluded.lost_day, excluded.month, excluded.staked_month, excluded.lost_month, excluded.open_staked,
                    excluded.limit_stake_day, excluded.limit_stake_day_next, excluded.limit_stake_day_from, excluded.limit_stake_month,
                    excluded.limit_stake_month_next, excluded.limit_stake_month_from, excluded.limit_net_loss_day, excluded.limit_net_loss_day_next,
                    excluded.limit_net_loss_day_from, excluded.limit_net_loss_month, excluded.limit_net_loss_month_next, excluded.limit_net_loss_month_from)
             WHERE s.* IS DISTINCT FROM excluded.* RETURNING 1)
    SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM put) INTO made;
    RETURN changed + made;
END
$fn$;
COMMENT ON FUNCTION casino.rebuild_impl() IS 'Body of rebuild(), run as the owner of the ledger';
-- Evidence: seals, their verification, proofs and exports (doc/evidence.md).

CREATE FUNCTION casino.install_seals() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.day_seal (
        seal_no     bigint PRIMARY KEY CHECK (seal_no > 0),
        day         date NOT NULL,
        sealed_at   timestamptz NOT NULL,
        entries     bigint NOT NULL CHECK (entries >= 0),
        players     bigint NOT NULL CHECK (players BETWEEN 0 AND entries),
        previous    bytea NOT NULL CHECK (octet_length(previous) = 32),
        root        bytea NOT NULL CHECK (octet_length(root) = 32),
        recorded_at timestamptz NOT NULL
    );
    CREATE INDEX day_seal_day ON casino.day_seal (day, seal_no);
    COMMENT ON INDEX casino.day_seal_day IS 'Finds the seals of a day';
    COMMENT ON TABLE casino.day_seal IS 'Append-only: seals, each over what came since the one before, chained by its root';
    COMMENT ON COLUMN casino.day_seal.seal_no IS 'Counts the seals from 1 without gaps';
    COMMENT ON COLUMN casino.day_seal.day IS 'Prague day that it was made for: entries that were under way are in the next one';
    COMMENT ON COLUMN casino.day_seal.sealed_at IS 'When it was made';
    COMMENT ON COLUMN casino.day_seal.entries IS 'Ledger entries that it covers';
    COMMENT ON COLUMN casino.day_seal.players IS 'Players who have entries among them';
    COMMENT ON COLUMN casino.day_seal.previous IS 'Root of the seal before; zero of the first';
    COMMENT ON COLUMN casino.day_seal.root IS 'Root of its header and sections: with the document kept elsewhere it proves all of it';
    COMMENT ON COLUMN casino.day_seal.recorded_at IS 'When it was written';

    CREATE TABLE casino.seal_section (
        seal_no    bigint NOT NULL REFERENCES casino.day_seal,
        section    text COLLATE "C" NOT NULL,
        section_no integer NOT NULL,
        rows       bigint NOT NULL CHECK (rows > 0),
        root       bytea NOT NULL CHECK (octet_length(root) = 32),
        PRIMARY KEY (seal_no, section)
    );
    COMMENT ON TABLE casino.seal_section IS 'Append-only: sections of the seals, one for each kind of evidence that came since the seal before';
    COMMENT ON COLUMN casino.seal_section.seal_no IS 'Seal';
    COMMENT ON COLUMN casino.seal_section.section IS 'Section, see casino.evidence_layouts()';
    COMMENT ON COLUMN casino.seal_section.section_no IS 'Its place among the sections';
    COMMENT ON COLUMN casino.seal_section.rows IS 'Rows that were sealed';
    COMMENT ON COLUMN casino.seal_section.root IS 'Root of their leaves; of the ledger, of the streams of players';

    CREATE TABLE casino.sealed_player (
        player_id      bigint NOT NULL,
        seal_no        bigint NOT NULL,
        first_entry_no bigint NOT NULL,
        last_entry_no  bigint NOT NULL CHECK (last_entry_no >= first_entry_no),
        entries        bigint NOT NULL CHECK (entries > 0),
        root           bytea NOT NULL CHECK (octet_length(root) = 32),
        running        bytea NOT NULL CHECK (octet_length(running) = 32),
        marks          bytea NOT NULL,
        PRIMARY KEY (player_id, seal_no)
    );
    CREATE INDEX sealed_player_seal ON casino.sealed_player (seal_no, player_id);
    ALTER TABLE casino.sealed_player ALTER COLUMN marks SET STORAGE EXTERNAL;
    COMMENT ON INDEX casino.sealed_player_seal IS 'Finds the players of a seal in the order of its leaves';
    COMMENT ON TABLE casino.sealed_player IS 'Append-only: what each seal covers of each player who had entries since the seal before';
    COMMENT ON COLUMN casino.sealed_player.player_id IS 'Player';
    COMMENT ON COLUMN casino.sealed_player.seal_no IS 'Seal';
    COMMENT ON COLUMN casino.sealed_player.first_entry_no IS 'His first entry that was not sealed before';
    COMMENT ON COLUMN casino.sealed_player.last_entry_no IS 'His last entry that the seal covers';
    COMMENT ON COLUMN casino.sealed_player.entries IS 'Number of these entries, which have no gaps';
    COMMENT ON COLUMN casino.sealed_player.root IS 'Root of the tree of these entries';
    COMMENT ON COLUMN casino.sealed_player.running IS 'His running hash: node of the running hash before (zero at first) and root';
    COMMENT ON COLUMN casino.sealed_player.marks IS 'First 8 bytes of the hash of each entry''s leaf: they tell which entry does not fit';

    CREATE TABLE casino.sealed_row (
        section text COLLATE "C" NOT NULL,
        row_key text COLLATE "C" NOT NULL,
        seal_no bigint NOT NULL,
        leaf_no bigint NOT NULL CHECK (leaf_no > 0),
        hash    bytea NOT NULL CHECK (octet_length(hash) = 32),
        PRIMARY KEY (section, row_key)
    );
    CREATE UNIQUE INDEX sealed_row_leaf ON casino.sealed_row (seal_no, section, leaf_no);
    COMMENT ON INDEX casino.sealed_row_leaf IS 'Finds the leaves of a section in their order';
    COMMENT ON TABLE casino.sealed_row IS 'Append-only: rows of all sections but the ledger that have been sealed';
    COMMENT ON COLUMN casino.sealed_row.section IS 'Section, see casino.evidence_layouts()';
    COMMENT ON COLUMN casino.sealed_row.row_key IS 'Key of the row, its values with slashes between';
    COMMENT ON COLUMN casino.sealed_row.seal_no IS 'Seal';
    COMMENT ON COLUMN casino.sealed_row.leaf_no IS 'Place among the leaves of the section, from 1, by row_key';
    COMMENT ON COLUMN casino.sealed_row.hash IS 'Hash of the leaf';

    PERFORM casino.make_append_only('day_seal', 'seal_section', 'sealed_player', 'sealed_row');
    PERFORM casino.make_recorded('day_seal');
END
$fn$;
COMMENT ON FUNCTION casino.install_seals() IS 'Part of casino.install(): seals and what they cover';

CREATE FUNCTION casino.evidence_layouts(OUT section_no integer, OUT section text, OUT relation text, OUT tag integer, OUT version integer,
                                        OUT field_no integer, OUT field text, OUT type text, OUT is_key boolean) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_evidence_layouts' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE ROWS 300;
COMMENT ON FUNCTION casino.evidence_layouts() IS 'Sections of a seal in their order, with the columns that make up their leaves: encoding in doc/evidence.md';

CREATE FUNCTION casino.evidence_leaf(section text, "row" record) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_evidence_leaf' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.evidence_leaf(text, record) IS 'The bytes that a row of a section is hashed as, whatever the settings are';

CREATE FUNCTION casino.ledger_leaf("row" record) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_ledger_leaf' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.ledger_leaf(record) IS 'The bytes that a row of casino.ledger is hashed as';

CREATE FUNCTION casino.evidence_line(section text, "row" record) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_evidence_line' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.evidence_line(text, record) IS 'A row of a section as a line of an export';

CREATE FUNCTION casino.evidence_key(section text, "row" record) RETURNS text
    AS 'MODULE_PATHNAME', 'casino_sql_evidence_key' LANGUAGE C STABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.evidence_key(text, record) IS 'The key of a row of a section, its values with slashes between';

CREATE FUNCTION casino.hash_leaf(data bytea) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_hash_leaf' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hash_leaf(bytea) IS 'SHA-256 of a leaf of a Merkle tree, of the byte 0 and the data (RFC 9162)';

CREATE FUNCTION casino.hash_node("left" bytea, "right" bytea) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_hash_node' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.hash_node(bytea, bytea) IS 'SHA-256 of a node of a Merkle tree, of the byte 1 and the hashes below (RFC 9162)';

CREATE FUNCTION casino.merkle_add(internal, bytea) RETURNS internal
    AS 'MODULE_PATHNAME', 'casino_sql_merkle_add' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION casino.merkle_add(internal, bytea, bigint) RETURNS internal
    AS 'MODULE_PATHNAME', 'casino_sql_merkle_add' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION casino.merkle_end(internal) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_merkle_root' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION casino.merkle_end_path(internal) RETURNS bytea[]
    AS 'MODULE_PATHNAME', 'casino_sql_merkle_path' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION casino.merkle_add(internal, bytea) IS 'Part of merkle_root()';
COMMENT ON FUNCTION casino.merkle_add(internal, bytea, bigint) IS 'Part of merkle_path()';
COMMENT ON FUNCTION casino.merkle_end(internal) IS 'Part of merkle_root()';
COMMENT ON FUNCTION casino.merkle_end_path(internal) IS 'Part of merkle_path()';

CREATE AGGREGATE casino.merkle_root(hash bytea) (SFUNC = casino.merkle_add, STYPE = internal, FINALFUNC = casino.merkle_end, PARALLEL = SAFE);
COMMENT ON AGGREGATE casino.merkle_root(bytea) IS 'Root of the Merkle tree of these hashes of leaves, in the order given (RFC 9162)';

CREATE AGGREGATE casino.merkle_path(hash bytea, index bigint) (SFUNC = casino.merkle_add, STYPE = internal, FINALFUNC = casino.merkle_end_path, PARALLEL = SAFE);
COMMENT ON AGGREGATE casino.merkle_path(bytea, bigint) IS 'Inclusion path of the leaf with this index, from 0, in the tree of these hashes in the order given (RFC 9162); NULL: there is no such leaf';

CREATE FUNCTION casino.merkle_paths(hashes bytea[], first bigint, last bigint, OUT index bigint, OUT path text[]) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_merkle_paths' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.merkle_paths(bytea[], bigint, bigint) IS 'Inclusion paths, in hexadecimal digits, of the leaves from the first to the last index, from 0, in the tree of these hashes, which is made once (RFC 9162); of leaves that are not there none';

CREATE FUNCTION casino.stream_tree(player_id bigint, INOUT first_entry_no bigint, INOUT last_entry_no bigint, OUT entries bigint, OUT root bytea, OUT marks bytea)
    AS 'MODULE_PATHNAME', 'casino_sql_stream_tree' LANGUAGE C STABLE PARALLEL SAFE COST 5000;
COMMENT ON FUNCTION casino.stream_tree(bigint, bigint, bigint) IS 'The tree of a player''s entries that are in the ledger from the first to the last number (NULL: all later ones): their first and last number, how many, the root, and the first 8 bytes of the hash of each. NULLs: there are none';

CREATE FUNCTION casino.stream_leaf(player_id bigint, first_entry_no bigint, last_entry_no bigint, entries bigint, root bytea, running bytea) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_stream_leaf' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.stream_leaf(bigint, bigint, bigint, bigint, bytea, bytea) IS 'Hash of the leaf that a player''s stream is in section ledger';

CREATE FUNCTION casino.seal_root(seal_no bigint, day date, sealed_at timestamptz, entries bigint, players bigint, previous bytea,
                                 sections text[], counts bigint[], roots bytea[]) RETURNS bytea
    AS 'MODULE_PATHNAME', 'casino_sql_seal_root' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.seal_root(bigint, date, timestamptz, bigint, bigint, bytea, text[], bigint[], bytea[]) IS 'Root of a seal: of its header and its sections';

CREATE FUNCTION casino.verify_proof(proof jsonb, root bytea) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_verify_proof' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.verify_proof(jsonb, bytea) IS 'Does the proof show that its entry was sealed under this root? Reads nothing; false for whatever is not such a proof (the reason at DEBUG1)';

CREATE FUNCTION casino.verify_statement(statement jsonb, roots bytea[]) RETURNS boolean
    AS 'MODULE_PATHNAME', 'casino_sql_verify_statement' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.verify_statement(jsonb, bytea[]) IS 'Does the statement show entries of one player that were all sealed under these roots, none left out between the first and the last? Reads nothing; false for whatever is not such a statement (the reason at DEBUG1)';

CREATE TYPE casino.seal AS (
    seal_no   bigint,
    day       date,
    sealed_at timestamptz,
    entries   bigint,
    players   bigint,
    sections  jsonb,
    previous  bytea,
    root      bytea
);
COMMENT ON TYPE casino.seal IS 'A seal: number, day, when, entries and players covered, sections with rows and root, root of the seal before, root';

-- Which rows of a section's table can be sealed: those that never change any more.  Parent: the section whose row of the first columns of
-- the key is sealed at the same time.  Recorded: when a row says that it was written.
CREATE FUNCTION casino.evidence_sections(OUT section_no integer, OUT section text, OUT relation text, OUT condition text,
                                         OUT parent text, OUT parent_columns integer, OUT recorded text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 30 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT l.section_no, l.section,
           -- what a correction changes stays sealed as it was first evaluated; the correction is sealed with what it changed
           CASE l.section WHEN 'round' THEN 'round_as_evaluated' WHEN 'round_end' THEN 'round_as_evaluated' WHEN 'dealt_hand' THEN 'hand_as_evaluated' ELSE l.relation END,
           CASE l.section
                WHEN 'round' THEN $$t.status IN ('withheld', 'settled', 'voided')$$
                WHEN 'round_end' THEN $$t.status IN ('settled', 'voided')$$
                WHEN 'dealt_hand' THEN $$EXISTS (SELECT FROM casino.round r WHERE r.round_id = t.round_id AND r.status IN ('withheld', 'settled', 'voided'))$$
                WHEN 'player_closed' THEN 't.closed_at IS NOT NULL'
                -- a version that is not in force yet may still change
                WHEN 'game_plan' THEN 't.valid_from <= statement_timestamp()'
                WHEN 'plan_rule' THEN p.plan WHEN 'bet_rule' THEN p.plan WHEN 'paytable' THEN p.plan WHEN 'announced_rule' THEN p.plan
                ELSE 'true'
           END,
           CASE WHEN l.section IN ('plan_rule', 'bet_rule', 'paytable', 'announced_rule') THEN 'game_plan'
                WHEN l.section = 'dealt_hand' THEN 'round' WHEN l.section = 'table_limit' THEN 'table_version' END,
           CASE WHEN l.section = 'table_limit' THEN 2 ELSE 1 END,
           CASE WHEN l.section = 'round' THEN 'evaluation_recorded_at' WHEN l.section = 'day_report' THEN 'made_at'
                WHEN bool_or(l.field = 'recorded_at') THEN 'recorded_at' END
      FROM casino.evidence_layouts() l
     CROSS JOIN (SELECT 'EXISTS (SELECT FROM casino.game_plan p WHERE p.plan_id = t.plan_id AND p.valid_from <= statement_timestamp())' AS plan) p
     WHERE l.section <> 'ledger'
     GROUP BY l.section_no, l.section, l.relation, p.plan
$fn$;
COMMENT ON FUNCTION casino.evidence_sections() IS 'Sections of a seal but the ledger: their tables and which rows can be sealed';

CREATE FUNCTION casino.unsealed_rows(OUT section_no integer, OUT section text, OUT row_key text, OUT hash bytea, OUT recorded_at timestamptz) RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    s record;
BEGIN
    FOR s IN SELECT e.* FROM casino.evidence_sections() e ORDER BY e.section_no LOOP
        RETURN QUERY EXECUTE format($q$
            SELECT %s, %L, k.row_key, casino.hash_leaf(casino.evidence_leaf(%2$L, k.t)), k.recorded_at
              FROM (SELECT casino.evidence_key(%2$L, t) COLLATE "C" AS row_key, t, %s AS recorded_at FROM casino.%I t WHERE %s OFFSET 0) k
             WHERE NOT EXISTS (SELECT FROM casino.sealed_row x WHERE x.section = %2$L AND x.row_key = k.row_key)$q$,
            s.section_no, s.section, CASE WHEN s.recorded IS NULL THEN 'NULL::timestamptz' ELSE 't.' || s.recorded END, s.relation, s.condition);
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.unsealed_rows() IS 'Part of seal(): rows of all sections but the ledger that can be sealed and are not';

-- With entries of players who have no row, which a forger wrote or whose row a forger removed: they are evidence too.
-- A list that is whole before seal() writes the first row of casino.sealed_player: what it has written it would read again, and in a plan
-- made for a table that was small.
CREATE FUNCTION casino.unsealed_players(OUT player_id bigint, OUT sealed bigint, OUT running bytea) RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY EXECUTE $q$
        WITH orphan AS (
            SELECT DISTINCT l.player_id
              FROM (SELECT k.player_id AS after, lead(k.player_id) OVER (ORDER BY k.player_id) AS before
                      FROM (SELECT p.player_id FROM casino.player p
                            UNION ALL VALUES (-9223372036854775808), (9223372036854775807)) k) g
             -- asked only where numbers of players are missing
             CROSS JOIN LATERAL (SELECT x.player_id FROM casino.ledger x
                                  WHERE x.player_id > g.after AND x.player_id < g.before OFFSET 0) l
             WHERE g.after < g.before - 1)
        SELECT p.player_id, coalesce(s.last_entry_no, 0), coalesce(s.running, decode(repeat('00', 32), 'hex'))
          FROM (SELECT a.player_id FROM casino.player a UNION ALL SELECT o.player_id FROM orphan o) p
          LEFT JOIN LATERAL (SELECT s.last_entry_no, s.running FROM casino.sealed_player s
                              WHERE s.player_id = p.player_id ORDER BY s.seal_no DESC LIMIT 1) s ON true
         WHERE (SELECT true FROM casino.ledger l WHERE l.player_id = p.player_id AND l.entry_no > coalesce(s.last_entry_no, 0) LIMIT 1)
         ORDER BY p.player_id$q$;
END
$fn$;
COMMENT ON FUNCTION casino.unsealed_players() IS 'Part of seal(): players who have entries that are not sealed, with the last that is (0: none) and the running hash';

CREATE FUNCTION casino.seal_of(seal_no bigint) RETURNS casino.seal
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT (d.seal_no, d.day, d.sealed_at, d.entries, d.players,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('section', s.section, 'count', s.rows, 'root', encode(s.root, 'hex')) ORDER BY s.section_no), '[]')
               FROM casino.seal_section s WHERE s.seal_no = d.seal_no),
            d.previous, d.root)::casino.seal
      FROM casino.day_seal d WHERE d.seal_no = seal_of.seal_no
$fn$;
COMMENT ON FUNCTION casino.seal_of(bigint) IS 'The seal of that number; NULL: there is none';

CREATE FUNCTION casino.seal(day date) RETURNS casino.seal
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.seal(date) IS 'Seals all evidence that came since the seal before, under the name of a Prague day that has begun; asked again for the day it gives the seal that was made, but for one that was made before the day was over: after the day another is made. Waits for no stake and lets none wait';

CREATE FUNCTION casino.seal_impl(day date) RETURNS casino.seal
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    zero CONSTANT bytea := decode(repeat('00', 32), 'hex');
    number bigint;
    before bytea;
    made timestamptz;
    sections text[];
    counts bigint[];
    roots bytea[];
    covered bigint;
    who bigint;
    top bytea;
BEGIN
    IF seal_impl.day IS NULL OR NOT isfinite(seal_impl.day) OR seal_impl.day < '2000-01-01'
       OR seal_impl.day > casino.prague_day(clock_timestamp()) THEN
        RAISE EXCEPTION 'day % cannot be sealed', coalesce(seal_impl.day::text, 'NULL')
            USING ERRCODE = 'invalid_parameter_value',
                  DETAIL = 'Only a Prague day that has begun can be sealed, none before 2000-01-01, from which evidence counts its days.';
    END IF;
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'casino.seal() must be called in a transaction that is READ COMMITTED'
            USING ERRCODE = 'active_sql_transaction', DETAIL = 'It looks at what was committed after the last seal, whenever that was.';
    END IF;
    -- one at a time; readers do not notice
    LOCK TABLE casino.day_seal IN SHARE ROW EXCLUSIVE MODE;
    -- a seal that was made while its day went on has not all of the day: after the day there is another one (R12.22)
    SELECT d.seal_no INTO number FROM casino.day_seal d
     WHERE d.day = seal_impl.day
       AND (d.sealed_at >= casino.day_start(seal_impl.day + 1) OR clock_timestamp() < casino.day_start(seal_impl.day + 1))
     ORDER BY d.seal_no LIMIT 1;
    IF FOUND THEN
        RETURN casino.seal_of(number);
    END IF;
    SELECT d.seal_no, d.root INTO number, before FROM casino.day_seal d ORDER BY d.seal_no DESC LIMIT 1;
    number := coalesce(number, 0) + 1;
    before := coalesce(before, zero);
    made := clock_timestamp();

    -- One statement, hence one snapshot: a round is in the seal with all its payouts, or not at all (R12.14).  What commits later is in the next seal:
    -- a player's numbers have no gaps and are given under his lock, and of other rows those are taken that no seal has.
    WITH stream AS (
        INSERT INTO casino.sealed_player (player_id, seal_no, first_entry_no, last_entry_no, entries, root, running, marks)
        SELECT g.player_id, number, t.first_entry_no, t.last_entry_no, t.entries, t.root, casino.hash_node(g.running, t.root), t.marks
          FROM casino.unsealed_players() g
         CROSS JOIN LATERAL casino.stream_tree(g.player_id, g.sealed + 1, NULL) t
        RETURNING player_id, first_entry_no, last_entry_no, entries, root, running),
    sealed AS (
        INSERT INTO casino.sealed_row (section, row_key, seal_no, leaf_no, hash)
        SELECT u.section, u.row_key, number, row_number() OVER (PARTITION BY u.section ORDER BY u.row_key COLLATE "C"), u.hash
          FROM casino.unsealed_rows() u
        RETURNING section, leaf_no, hash),
    part AS (
        SELECT r.section, count(*) AS rows, casino.merkle_root(r.hash ORDER BY r.leaf_no) AS root FROM sealed r GROUP BY r.section
        UNION ALL
        SELECT 'ledger', sum(s.entries)::bigint,
               casino.merkle_root(casino.stream_leaf(s.player_id, s.first_entry_no, s.last_entry_no, s.entries, s.root, s.running) ORDER BY s.player_id)
          FROM stream s HAVING count(*) > 0)
    SELECT array_agg(p.section ORDER BY n.section_no), array_agg(p.rows ORDER BY n.section_no), array_agg(p.root ORDER BY n.section_no),
           coalesce(max(p.rows) FILTER (WHERE p.section = 'ledger'), 0), (SELECT count(*) FROM stream)
      INTO sections, counts, roots, covered, who
      FROM part p JOIN (SELECT DISTINCT l.section, l.section_no FROM casino.evidence_layouts() l) n ON n.section = p.section;

    sections := coalesce(sections, '{}');
    counts := coalesce(counts, '{}');
    roots := coalesce(roots, '{}');
    top := casino.seal_root(number, seal_impl.day, made, covered, who, before, sections, counts, roots);
    INSERT INTO casino.day_seal (seal_no, day, sealed_at, entries, players, previous, root, recorded_at)
        VALUES (number, seal_impl.day, made, covered, who, before, top, clock_timestamp());
    INSERT INTO casino.seal_section (seal_no, section, section_no, rows, root)
        SELECT number, u.section, u.n, u.rows, u.root FROM unnest(sections, counts, roots) WITH ORDINALITY u (section, rows, root, n);
    RETURN casino.seal_of(number);
END
$fn$;
COMMENT ON FUNCTION casino.seal_impl(date) IS 'Body of seal(), run as the owner of the ledger';

CREATE FUNCTION casino.seal_document(seal_no bigint) RETURNS jsonb
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT jsonb_build_object('version', 1, 'seal_no', s.seal_no, 'day', to_char(s.day, 'YYYY-MM-DD'),
                              'sealed_at', to_char(s.sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                              'entries', s.entries, 'players', s.players, 'previous', encode(s.previous, 'hex'),
                              'sections', s.sections, 'root', encode(s.root, 'hex'))
      FROM casino.seal_of(seal_no) s
     WHERE s.seal_no IS NOT NULL
$fn$;
COMMENT ON FUNCTION casino.seal_document(bigint) IS 'A seal as a document to be kept elsewhere; NULL: there is none of that number';

CREATE FUNCTION casino.proof(player_id bigint, entry_no bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    stream casino.sealed_player;
    answer jsonb;
BEGIN
    SELECT s.* INTO stream FROM casino.sealed_player s
     WHERE s.player_id = proof.player_id AND s.first_entry_no <= proof.entry_no ORDER BY s.seal_no DESC LIMIT 1;
    IF NOT FOUND OR stream.last_entry_no < proof.entry_no THEN
        RAISE EXCEPTION 'entry % of player % is not sealed', proof.entry_no, proof.player_id
            USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'casino.seal() seals what came since the last seal.';
    END IF;
    SELECT jsonb_build_object(
               'version', 1,
               'entry', (SELECT casino.evidence_line('ledger', l) FROM casino.ledger l WHERE l.player_id = proof.player_id AND l.entry_no = proof.entry_no),
               'stream', jsonb_build_object('player_id', stream.player_id, 'first_entry_no', stream.first_entry_no, 'last_entry_no', stream.last_entry_no,
                                            'entries', stream.entries, 'root', encode(stream.root, 'hex'), 'running', encode(stream.running, 'hex')),
               'path', (SELECT coalesce(jsonb_agg(encode(h.hash, 'hex') ORDER BY h.n), '[]')
                          FROM (SELECT casino.merkle_path(casino.hash_leaf(casino.ledger_leaf(l)), proof.entry_no - stream.first_entry_no ORDER BY l.entry_no) AS path
                                  FROM casino.ledger l
                                 WHERE l.player_id = proof.player_id AND l.entry_no BETWEEN stream.first_entry_no AND stream.last_entry_no) p,
                               unnest(p.path) WITH ORDINALITY h (hash, n)),
               'stream_index', x.index,
               'stream_path', (SELECT coalesce(jsonb_agg(encode(h.hash, 'hex') ORDER BY h.n), '[]')
                                 FROM (SELECT casino.merkle_path(casino.stream_leaf(s.player_id, s.first_entry_no, s.last_entry_no, s.entries, s.root, s.running),
                                                                 x.index ORDER BY s.player_id) AS path
                                         FROM casino.sealed_player s WHERE s.seal_no = stream.seal_no) p,
                                      unnest(p.path) WITH ORDINALITY h (hash, n)),
               'seal', casino.seal_document(stream.seal_no))
      INTO answer
      FROM (SELECT count(*) AS index FROM casino.sealed_player s WHERE s.seal_no = stream.seal_no AND s.player_id < stream.player_id) x;
    IF casino.verify_proof(answer, (SELECT d.root FROM casino.day_seal d WHERE d.seal_no = stream.seal_no)) IS NOT TRUE THEN
        RAISE EXCEPTION 'entry % of player % is not what was sealed', proof.entry_no, proof.player_id
            USING ERRCODE = 'data_corrupted', DETAIL = format('It, its neighbours or seal %s were changed since.', stream.seal_no),
                  HINT = format('SELECT * FROM casino.verify(%s, %s) names what was.', stream.seal_no, stream.seal_no);
    END IF;
    RETURN answer;
END
$fn$;
COMMENT ON FUNCTION casino.proof(bigint, bigint) IS 'Proof that an entry of a player was sealed: it shows the entry, numbers and hashes, and nobody else''s. 55000: not sealed yet; XX001: it is not what was sealed';

-- All entries between the first and the last of the time, or none (R12.16).
CREATE FUNCTION casino.statement_proof(player_id bigint, "from" timestamptz, "to" timestamptz) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    first bigint;
    last bigint;
    sealed bigint;
    answer jsonb;
BEGIN
    SELECT min(l.entry_no), max(l.entry_no) INTO first, last FROM casino.ledger l
     WHERE l.player_id = statement_proof.player_id AND l.posted_at >= statement_proof."from" AND l.posted_at < statement_proof."to";
    IF first IS NULL AND NOT EXISTS (SELECT FROM casino.player p WHERE p.player_id = statement_proof.player_id) THEN
        RAISE EXCEPTION 'player % does not exist', statement_proof.player_id USING ERRCODE = 'foreign_key_violation';
    ELSIF first IS NULL THEN
        RAISE EXCEPTION 'player % has no entries from % to %', statement_proof.player_id, statement_proof."from", statement_proof."to"
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT max(s.last_entry_no) INTO sealed FROM casino.sealed_player s WHERE s.player_id = statement_proof.player_id;
    IF coalesce(sealed, 0) < last THEN
        RAISE EXCEPTION 'entry % of player % is not sealed', coalesce(sealed, 0) + 1, statement_proof.player_id
            USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'casino.seal() seals what came since the last seal.';
    END IF;
    SELECT jsonb_build_object('version', 1, 'statement', jsonb_agg(jsonb_build_object(
               'seal', casino.seal_document(p.seal_no),
               'stream', jsonb_build_object('player_id', p.player_id, 'first_entry_no', p.first_entry_no, 'last_entry_no', p.last_entry_no,
                                            'entries', p.entries, 'root', encode(p.root, 'hex'), 'running', encode(p.running, 'hex')),
               'stream_index', x.index, 'stream_path', x.path,
               'entries', (SELECT jsonb_agg(jsonb_build_object('entry', casino.evidence_line('ledger', l), 'path', to_jsonb(h.path)) ORDER BY l.entry_no)
                             FROM casino.merkle_paths((SELECT array_agg(casino.hash_leaf(casino.ledger_leaf(o)) ORDER BY o.entry_no) FROM casino.ledger o
                                                        WHERE o.player_id = p.player_id AND o.entry_no BETWEEN p.first_entry_no AND p.last_entry_no),
                                                      greatest(first - p.first_entry_no, 0), least(last, p.last_entry_no) - p.first_entry_no) h
                             JOIN casino.ledger l ON l.player_id = p.player_id AND l.entry_no = p.first_entry_no + h.index)) ORDER BY p.seal_no))
      INTO answer
      FROM casino.sealed_player p
     CROSS JOIN LATERAL (SELECT o.index, (SELECT coalesce(jsonb_agg(encode(h.hash, 'hex') ORDER BY h.n), '[]')
                                            FROM (SELECT casino.merkle_path(casino.stream_leaf(s.player_id, s.first_entry_no, s.last_entry_no, s.entries, s.root, s.running), o.index
                                                                     ORDER BY s.player_id) AS path
                                                    FROM casino.sealed_player s WHERE s.seal_no = p.seal_no) y, unnest(y.path) WITH ORDINALITY h (hash, n)) AS path
                           FROM (SELECT count(*) AS index FROM casino.sealed_player s WHERE s.seal_no = p.seal_no AND s.player_id < p.player_id) o) x
     WHERE p.player_id = statement_proof.player_id AND p.last_entry_no >= first AND p.first_entry_no <= last;
    IF casino.verify_statement(answer, ARRAY (SELECT d.root FROM casino.day_seal d)) IS NOT TRUE THEN
        RAISE EXCEPTION 'the entries of player % are not what was sealed', statement_proof.player_id
            USING ERRCODE = 'data_corrupted', HINT = 'SELECT * FROM casino.verify() names what was changed.';
    END IF;
    RETURN answer;
END
$fn$;
COMMENT ON FUNCTION casino.statement_proof(bigint, timestamptz, timestamptz) IS 'A player''s entries posted from one time until before another, with all between them, and the proof that they were sealed; nobody else''s. 22023: there are none; 55000: not sealed yet; XX001: they are not what was sealed';

CREATE FUNCTION casino.export_parts(day date, OUT seal_no bigint, OUT first text, OUT query text, OUT last boolean) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH sealed AS (SELECT d.seal_no, format('{"seal":{"seal_no":%s,"day":"%s"}}', d.seal_no, to_char(d.day, 'YYYY-MM-DD')) AS line
                      FROM casino.day_seal d WHERE d.day = export_parts.day),
    part AS (
        SELECT s.seal_no, s.line, e.section_no, format($q$
                   SELECT left(casino.evidence_line(%L, t), -1) || ',"mark":"' || encode(substr(x.hash, 1, 8), 'hex') || '"}'
                     FROM (SELECT x.leaf_no, x.row_key, x.hash FROM casino.sealed_row x WHERE x.section = %1$L AND x.seal_no = $1) x
                     JOIN casino.%I t ON casino.evidence_key(%1$L, t) COLLATE "C" = x.row_key
                    ORDER BY x.leaf_no$q$, e.section, e.relation) AS query
          FROM sealed s
          JOIN casino.seal_section x ON x.seal_no = s.seal_no
          JOIN casino.evidence_sections() e ON e.section = x.section
        UNION ALL
        -- by the order of the index: no day is sorted
        SELECT s.seal_no, s.line, 2147483647, $q$
                   SELECT e.line
                     FROM (SELECT p.* FROM casino.sealed_player p WHERE p.seal_no = $1 ORDER BY p.player_id) p
                    CROSS JOIN LATERAL (
                          SELECT y.line
                            FROM (SELECT 0::bigint AS entry_no,
                                         format('{"stream":{"player_id":%s,"first_entry_no":%s,"last_entry_no":%s,"running":"%s","root":"%s"}}', p.player_id, p.first_entry_no, p.last_entry_no,
                                                encode(coalesce((SELECT b.running FROM casino.sealed_player b WHERE b.player_id = p.player_id AND b.seal_no < p.seal_no
                                                                  ORDER BY b.seal_no DESC LIMIT 1), decode(repeat('00', 32), 'hex')), 'hex'), encode(p.root, 'hex')) AS line
                                  UNION ALL
                                  SELECT l.entry_no, left(casino.evidence_line('ledger', l), -1) || ',"mark":"'
                                         || encode(coalesce(nullif(substr(p.marks, (8 * (l.entry_no - p.first_entry_no) + 1)::integer, 8), ''), decode(repeat('00', 8), 'hex')), 'hex') || '"}'
                                    FROM casino.ledger l
                                   WHERE l.player_id = p.player_id AND l.entry_no BETWEEN p.first_entry_no AND p.last_entry_no) y
                           ORDER BY y.entry_no) e$q$
          FROM sealed s)
    SELECT p.seal_no, CASE WHEN row_number() OVER w = 1 THEN p.line END, p.query, row_number() OVER w = count(*) OVER (PARTITION BY p.seal_no)
      FROM part p WINDOW w AS (PARTITION BY p.seal_no ORDER BY p.section_no)
     ORDER BY p.seal_no, p.section_no
$fn$;
COMMENT ON FUNCTION casino.export_parts(date) IS 'Part of export_day(): the seals of the day with the queries of their lines, in order';

CREATE FUNCTION casino.export_day(day date) RETURNS SETOF text
    AS 'MODULE_PATHNAME', 'casino_sql_export_day' LANGUAGE C STABLE STRICT ROWS 1000000;
COMMENT ON FUNCTION casino.export_day(date) IS 'The evidence sealed for a day as JSON Lines, as it is now: casino-verify holds it against the seal documents';

-- A function of its own, without what keeps the planner from workers: sub-selects of the outer row and LIMIT.  Planned anew for each call,
-- so that it knows how many players there are; it thinks that a function that is called again for each row costs next to nothing, hence the costs.
CREATE FUNCTION casino.changed_streams(seal_no bigint, from_player bigint, to_player bigint, OUT player_id bigint, OUT root bytea, OUT marks bytea) RETURNS SETOF record
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET min_parallel_table_scan_size = 0 SET min_parallel_index_scan_size = 0
SET parallel_setup_cost = 10 SET parallel_tuple_cost = 0 AS $fn$
BEGIN
    RETURN QUERY EXECUTE $q$
        SELECT p.player_id, t.root, t.marks
          FROM casino.sealed_player p
         CROSS JOIN LATERAL casino.stream_tree(p.player_id, CASE WHEN p.first_entry_no = 1 THEN -9223372036854775808 ELSE p.first_entry_no END, p.last_entry_no) t
         WHERE p.seal_no = $1 AND p.player_id BETWEEN $2 AND $3 AND (t.root IS DISTINCT FROM p.root OR t.marks IS DISTINCT FROM p.marks)$q$
        USING changed_streams.seal_no, from_player, to_player;
END
$fn$;
COMMENT ON FUNCTION casino.changed_streams(bigint, bigint, bigint) IS 'Part of verify(): players of a seal whose entries are not what was sealed, with root and marks as they are now. It reads with as many processes as max_parallel_workers_per_gather lets it';

CREATE FUNCTION casino.verify(from_seal bigint DEFAULT NULL, to_seal bigint DEFAULT NULL)
    RETURNS TABLE (seal_no bigint, section text, player_id bigint, entry_no bigint, problem text)
-- the lists of what was sealed are small beside what is read for them: the planner must not think that workers are not worth while
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET min_parallel_table_scan_size = '128kB' SET min_parallel_index_scan_size = '128kB' AS $fn$
#variable_conflict use_column
DECLARE
    zero CONSTANT bytea := decode(repeat('00', 32), 'hex');
    newest CONSTANT bigint := (SELECT max(d.seal_no) FROM casino.day_seal d);
    first CONSTANT bigint := coalesce(from_seal, 1);
    last CONSTANT bigint := coalesce(to_seal, newest);
    s record;
    n bigint;
BEGIN
    IF newest IS NULL AND from_seal IS NULL AND to_seal IS NULL THEN
        RETURN;
    END IF;
    IF first < 1 OR last < first OR last - first > 100000 THEN
        RAISE EXCEPTION 'seals % to % cannot be verified', first, last
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'Seals are numbered from 1.';
    END IF;
    -- the seals themselves
    RETURN QUERY
        SELECT g.n, NULL::text, NULL::bigint, NULL::bigint,
               CASE WHEN d.seal_no IS NULL THEN 'the seal is missing'
                    WHEN d.previous <> CASE WHEN g.n = 1 THEN zero ELSE coalesce(b.root, d.previous) END THEN 'the seal does not follow from the seal before'
                    WHEN casino.seal_root(d.seal_no, d.day, d.sealed_at, d.entries, d.players, d.previous, c.sections, c.counts, c.roots) <> d.root
                    THEN 'the seal is not what its root says'
                    -- who made it and when it was written are in no root
                    ELSE 'the seal says of itself a time or a recorder that cannot be' END
          FROM generate_series(first, last) g (n)
          LEFT JOIN casino.day_seal d ON d.seal_no = g.n
          LEFT JOIN casino.day_seal b ON b.seal_no = g.n - 1
          LEFT JOIN LATERAL (SELECT coalesce(array_agg(x.section ORDER BY x.section_no), '{}') AS sections, coalesce(array_agg(x.rows ORDER BY x.section_no), '{}') AS counts,
                                    coalesce(array_agg(x.root ORDER BY x.section_no), '{}') AS roots
                               FROM casino.seal_section x WHERE x.seal_no = g.n) c ON true
         WHERE d.seal_no IS NULL OR d.previous <> CASE WHEN g.n = 1 THEN zero ELSE coalesce(b.root, d.previous) END
            OR casino.seal_root(d.seal_no, d.day, d.sealed_at, d.entries, d.players, d.previous, c.sections, c.counts, c.roots) <> d.root
            OR d.recorded_at < d.sealed_at OR d.recorded_at > d.sealed_at + interval '1 day'
            OR NOT EXISTS (SELECT FROM casino.recorder w WHERE w.recorder_id = d.recorded_by);
    -- the places of sections are in no root
    RETURN QUERY
        SELECT x.seal_no, x.section, NULL::bigint, NULL::bigint, 'the section is not at its place in the seal'::text
          FROM (SELECT y.seal_no, y.section, y.section_no, row_number() OVER (PARTITION BY y.seal_no ORDER BY n.section_no) AS place
                  FROM casino.seal_section y
                  LEFT JOIN (SELECT DISTINCT l.section, l.section_no FROM casino.evidence_layouts() l) n ON n.section = y.section
                 WHERE y.seal_no BETWEEN first AND last) x
         WHERE x.section_no <> x.place
         ORDER BY x.seal_no, x.place;
    -- the lists of what they cover
    RETURN QUERY
        SELECT coalesce(x.seal_no, r.seal_no), coalesce(x.section, r.section), NULL::bigint, NULL::bigint, 'the list of what was sealed is not what the seal says'::text
          FROM (SELECT y.* FROM casino.seal_section y WHERE y.seal_no BETWEEN first AND last) x
          FULL JOIN (SELECT y.seal_no, y.section, count(*) AS rows, casino.merkle_root(y.hash ORDER BY y.leaf_no) AS root
                       FROM casino.sealed_row y WHERE y.seal_no BETWEEN first AND last GROUP BY y.seal_no, y.section
                     UNION ALL
                     SELECT y.seal_no, 'ledger', sum(y.entries)::bigint,
                            casino.merkle_root(casino.stream_leaf(y.player_id, y.first_entry_no, y.last_entry_no, y.entries, y.root, y.running) ORDER BY y.player_id)
                       FROM casino.sealed_player y WHERE y.seal_no BETWEEN first AND last GROUP BY y.seal_no) r
            ON r.seal_no = x.seal_no AND r.section = x.section
         WHERE (x.rows, x.root) IS DISTINCT FROM (r.rows, r.root);
    -- rows of all sections but the ledger
    FOR s IN SELECT e.*, EXISTS (SELECT FROM casino.evidence_layouts() l WHERE l.section = e.section AND l.field_no = 1 AND l.field = 'player_id') AS of_player
               FROM casino.evidence_sections() e ORDER BY e.section_no LOOP
        RETURN QUERY EXECUTE format($q$
            SELECT x.seal_no, x.section, %s, NULL::bigint,
                   format(CASE WHEN k.row_key IS NULL THEN 'row %%s was removed' ELSE 'row %%s was changed' END, x.row_key)
              FROM casino.sealed_row x
              LEFT JOIN (SELECT casino.evidence_key(%L, t) COLLATE "C" AS row_key, casino.hash_leaf(casino.evidence_leaf(%2$L, t)) AS hash FROM casino.%I t) k
                     ON k.row_key = x.row_key
             WHERE x.section = %2$L AND x.seal_no BETWEEN $1 AND $2 AND k.hash IS DISTINCT FROM x.hash
             ORDER BY x.seal_no, x.leaf_no$q$,
            CASE WHEN s.of_player THEN $$substring(x.row_key FROM '^\d{1,18}')::bigint$$ ELSE 'NULL::bigint' END, s.section, s.relation) USING first, last;
    END LOOP;
    -- what was put in after a seal that would have had it
    RETURN QUERY
        SELECT u.seal_no, u.section, NULL::bigint, NULL::bigint,
               format(CASE WHEN u.inserted THEN 'row %s was inserted after seal %s' ELSE 'row %s says that it was recorded before seal %s, which does not have it' END,
                      u.row_key, u.before)
          FROM (SELECT q.seal_no, q.section, q.row_key,
                       p.seal_no < coalesce(q.seal_no, newest + 1) IS TRUE AS inserted,
                       CASE WHEN p.seal_no < coalesce(q.seal_no, newest + 1) THEN p.seal_no ELSE coalesce(q.seal_no, newest + 1) - 1 END AS before,
                       q.recorded_at
                  FROM (SELECT x.seal_no, x.section, x.row_key, NULL::timestamptz AS recorded_at FROM casino.sealed_row x WHERE x.seal_no BETWEEN greatest(first, 2) AND last
                        UNION ALL
                        SELECT NULL, y.section, y.row_key, y.recorded_at FROM casino.unsealed_rows() y WHERE last = newest) q
                  JOIN casino.evidence_sections() e ON e.section = q.section
                  LEFT JOIN casino.sealed_row p ON p.section = e.parent AND p.row_key = CASE e.parent_columns WHEN 2 THEN split_part(q.row_key, '/', 1) || '/' || split_part(q.row_key, '/', 2)
                                                                                                     ELSE split_part(q.row_key, '/', 1) END) u
          LEFT JOIN casino.day_seal b ON b.seal_no = u.before
         WHERE u.inserted OR u.recorded_at < b.sealed_at - interval '1 hour';
    -- the entries of the players, seal by seal, so many at a time that progress is seen
    FOR s IN SELECT c.seal_no, c.entries, sum(c.part) OVER (PARTITION BY c.seal_no ORDER BY c.chunk) AS done, c.from_player, c.to_player
               FROM (SELECT d.seal_no, y.chunk, max(d.entries) AS entries, sum(y.entries) AS part, min(y.player_id) AS from_player, max(y.player_id) AS to_player
                       FROM casino.day_seal d
                       LEFT JOIN (SELECT p.seal_no, p.player_id, p.entries, (sum(p.entries) OVER (PARTITION BY p.seal_no ORDER BY p.player_id) - 1)::bigint / 500000 AS chunk
                                    FROM casino.sealed_player p WHERE p.seal_no BETWEEN first AND last) y ON y.seal_no = d.seal_no
                      WHERE d.seal_no BETWEEN first AND last
                      GROUP BY d.seal_no, y.chunk) c
              ORDER BY c.seal_no, c.chunk LOOP
        RETURN QUERY
            SELECT s.seal_no, 'ledger'::text, b.player_id, i.entry_no, i.problem
              FROM (SELECT p.*, CASE WHEN t.player_id IS NULL THEN p.root ELSE t.root END AS found_root, CASE WHEN t.player_id IS NULL THEN p.marks ELSE t.marks END AS found_marks,
                           q.last_entry_no AS sealed_before, q.running AS running_before
                      FROM casino.sealed_player p
                      LEFT JOIN casino.changed_streams(s.seal_no, s.from_player, s.to_player) t ON t.player_id = p.player_id
                      LEFT JOIN LATERAL (SELECT o.last_entry_no, o.running FROM casino.sealed_player o
                                          WHERE o.player_id = p.player_id AND o.seal_no < p.seal_no ORDER BY o.seal_no DESC LIMIT 1) q ON true
                     WHERE p.seal_no = s.seal_no AND p.player_id BETWEEN s.from_player AND s.to_player
                       AND (t.player_id IS NOT NULL OR p.first_entry_no <> coalesce(q.last_entry_no, 0) + 1
                            OR p.entries <> p.last_entry_no - p.first_entry_no + 1 OR p.running <> casino.hash_node(coalesce(q.running, zero), p.root))) b
             CROSS JOIN LATERAL (
                    SELECT m.entry_no, CASE WHEN l.player_id IS NULL THEN 'the entry was removed' WHEN m.mark IS NULL THEN 'the entry was inserted' ELSE 'the entry was changed' END
                      FROM (SELECT b.first_entry_no + g AS entry_no, substr(b.marks, (8 * g + 1)::integer, 8) AS mark FROM generate_series(0, b.entries - 1) g
                            UNION ALL
                            SELECT l.entry_no, NULL FROM casino.ledger l
                             WHERE l.player_id = b.player_id AND b.first_entry_no = 1 AND l.entry_no < 1) m
                      LEFT JOIN casino.ledger l ON l.player_id = b.player_id AND l.entry_no = m.entry_no
                     WHERE b.found_root IS DISTINCT FROM b.root AND b.entries = b.last_entry_no - b.first_entry_no + 1
                       AND (l.player_id IS NULL OR m.mark IS NULL OR substr(casino.hash_leaf(casino.ledger_leaf(l)), 1, 8) <> m.mark)
                    UNION ALL
                    SELECT NULL, 'entries were missing when they were sealed'
                     WHERE b.entries <> b.last_entry_no - b.first_entry_no + 1 OR b.first_entry_no <> coalesce(b.sealed_before, 0) + 1
                    UNION ALL
                    SELECT NULL, 'the entries are not what was sealed'
                     WHERE b.found_root IS DISTINCT FROM b.root AND (b.found_marks = b.marks OR b.entries <> b.last_entry_no - b.first_entry_no + 1)
                    UNION ALL
                    SELECT NULL, 'the marks of the entries were changed' WHERE b.found_root = b.root AND b.found_marks <> b.marks
                    UNION ALL
                    SELECT NULL, 'the running hash does not follow' WHERE b.running <> casino.hash_node(coalesce(b.running_before, zero), b.root)) i (entry_no, problem)
             ORDER BY b.player_id, i.entry_no NULLS LAST;
        IF s.done < s.entries THEN
            RAISE NOTICE 'seal %: % of % entries verified', s.seal_no, s.done, s.entries;
        ELSE
            RAISE NOTICE 'seal %: % entries of % players verified', s.seal_no, s.entries, (SELECT d.players FROM casino.day_seal d WHERE d.seal_no = s.seal_no);
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.verify(bigint, bigint) IS 'Rows that differ from what the seals from_seal to to_seal (default: all) cover; none when nothing was changed. That the newest seal was removed shows only by its document, which is kept elsewhere';
-- The audit of a plan: what every bet returns, exactly, and what it can win at most against what the plan declares
-- (R8.1 to R8.9, R8.13).  Counting is C (core/count*.c); what is asked of a plan's tables is asked here.

CREATE FUNCTION casino.count_bet(family text, rules jsonb, odds jsonb, kind text, OUT selection text, OUT grade text, OUT ways numeric,
                                 OUT of numeric, OUT num integer, OUT den integer) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_count_bet' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000 ROWS 20;
COMMENT ON FUNCTION casino.count_bet(text, jsonb, jsonb, text) IS 'Part of bet_return(): in how many ways out of how many a bet, or an announced bet, ends with each grade; num/den is the profit where several wagers are counted together. No rows where nothing is counted';

CREATE FUNCTION casino.best_round(family text, rules jsonb, odds jsonb, stakes jsonb, OUT profit numeric, OUT cards text)
    AS 'MODULE_PATHNAME', 'casino_sql_best_round' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000;
COMMENT ON FUNCTION casino.best_round(text, jsonb, jsonb, jsonb) IS 'Part of plan_audit(): the most CZK one player''s bets can win together in a round, or on a box, at the stakes given by kind, and on which cards; lost stakes are not deducted';

-- The only division of an audit is its last step.
CREATE FUNCTION casino.exact_quotient(dividend numeric, divisor numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN trim_scale(round(round(dividend * 1e20 / divisor) * 1e-20, 20));
COMMENT ON FUNCTION casino.exact_quotient(numeric, numeric) IS 'Part of plan_audit(): quotient rounded to twenty decimals';

CREATE FUNCTION casino.common_denominator(denominators integer[]) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    common numeric := 1;
    d integer;
BEGIN
    FOREACH d IN ARRAY denominators LOOP
        common := lcm(common, d::numeric);
    END LOOP;
    RETURN common;
END
$fn$;
COMMENT ON FUNCTION casino.common_denominator(integer[]) IS 'Part of plan_audit(): least common multiple';

-- Behind copies the owner's play (R8.5). A position that the plan does not offer is none of its bets.
CREATE FUNCTION casino.plan_lines(plan_id bigint, kind text) RETURNS TABLE (selection text, grade text, ways numeric, of numeric, num integer, den integer)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    family text;
    rules jsonb;
    odds jsonb;
    zero_offered boolean;
    neighbours int4range;
BEGIN
    SELECT g.family, o.odds, (SELECT coalesce(jsonb_object_agg(r.rule, r.value), '{}') FROM casino.plan_rule r WHERE r.plan_id = p.plan_id)
      INTO family, odds, rules
      FROM casino.game_plan p
      JOIN casino.game g ON g.game = p.game
      LEFT JOIN casino.plan_odds o ON o.plan_id = p.plan_id
     WHERE p.plan_id = plan_lines.plan_id;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT b.zero_offered OR b.kind = 'straight' INTO zero_offered FROM casino.bet_rule b
     WHERE b.plan_id = plan_lines.plan_id AND b.kind = plan_lines.kind;
    SELECT int4range(a.min_neighbours, a.max_neighbours, '[]') INTO neighbours FROM casino.announced_rule a
     WHERE a.plan_id = plan_lines.plan_id AND a.stem = plan_lines.kind AND a.stem = 'neighbours';
    RETURN QUERY
    SELECT c.selection, c.grade, c.ways, c.of, coalesce(c.num, t.num, CASE WHEN c.grade = 'lose' THEN -1 END), coalesce(c.den, t.den, 1)
      FROM casino.count_bet(family, rules, coalesce(odds, '{}'), CASE plan_lines.kind WHEN 'behind' THEN 'main' ELSE plan_lines.kind END) c
      LEFT JOIN casino.paytable t ON t.plan_id = plan_lines.plan_id AND t.kind = plan_lines.kind AND t.grade = c.grade
     WHERE (zero_offered IS NOT FALSE OR '0' <> ALL (string_to_array(c.selection, '-')))
       AND (neighbours IS NULL OR split_part(c.selection, '/', 2)::integer <@ neighbours);
END
$fn$;
COMMENT ON FUNCTION casino.plan_lines(bigint, text) IS 'Part of bet_return() and plan_audit(): the counts of a kind of bet, or of an announced bet, with the odds of the plan version';

CREATE FUNCTION casino.bet_return(game text, kind text, at timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (selection text, grade text, ways numeric, of numeric, probability numeric, profit numeric)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.bet_return(text, text, timestamptz) IS 'How often a bet of the plan then in force ends how, counted exactly: ways out of all, and the profit to a stake of 1 CZK (-1 for lose). Of a play of several wagers, as main, an announced bet or an ante with its call, the grade is its result in main stakes, chips or antes';

CREATE FUNCTION casino.bet_return_impl(game text, kind text, at timestamptz)
RETURNS TABLE (selection text, grade text, ways numeric, of numeric, probability numeric, profit numeric)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    plan CONSTANT bigint := casino.plan_in_force(game, at);
BEGIN
    IF NOT EXISTS (SELECT FROM casino.bet_rule b WHERE b.plan_id = plan AND b.kind = bet_return_impl.kind)
       AND NOT EXISTS (SELECT FROM casino.announced_rule a WHERE a.plan_id = plan AND a.stem = bet_return_impl.kind) THEN
        RAISE EXCEPTION '% does not offer %', game, kind
            USING ERRCODE = 'KB004', DETAIL = format('No such bet stands in %s.', casino.plan_name(plan));
    END IF;
    RETURN QUERY
    SELECT l.selection, l.grade, l.ways, l.of, casino.exact_quotient(l.ways, l.of), casino.exact_quotient(l.num, l.den)
      FROM casino.plan_lines(plan, bet_return_impl.kind) l;
END
$fn$;
COMMENT ON FUNCTION casino.bet_return_impl(text, text, timestamptz) IS 'Body of bet_return(), run as the owner of the ledger';

-- Sums over the lines of each selection: exact integers, divided once. Without odds of a grade that occurs there is no return.
CREATE FUNCTION casino.plan_returns(plan_id bigint, kind text)
RETURNS TABLE (selection text, rtp numeric, hit_rate numeric, variance numeric, best_num integer, best_den integer)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    WITH line AS MATERIALIZED (
        SELECT l.selection, l.ways, l.of, l.num, l.den, l.place
          FROM casino.plan_lines(plan_returns.plan_id, plan_returns.kind)
               WITH ORDINALITY AS l (selection, grade, ways, of, num, den, place)
    ), common AS MATERIALIZED (
        SELECT casino.common_denominator(array_agg(DISTINCT l.den)) AS den FROM line l
    ), sums AS (
        SELECT l.selection, c.den AS common, max(l.of) AS of, min(l.place) AS place, bool_and(l.num IS NOT NULL) AS whole,
               sum(l.ways * l.num * (c.den / l.den)) AS sum,
               sum(l.ways * l.num * l.num * (c.den / l.den) * (c.den / l.den)) AS squares,
               coalesce(sum(l.ways) FILTER (WHERE l.num > 0), 0) AS hits,
               (array_agg(l.num ORDER BY l.num::numeric / l.den DESC NULLS LAST))[1] AS best_num,
               (array_agg(l.den ORDER BY l.num::numeric / l.den DESC NULLS LAST))[1] AS best_den
          FROM line l CROSS JOIN common c
         GROUP BY l.selection, c.den
    )
    SELECT s.selection, CASE WHEN s.whole THEN 1 + casino.exact_quotient(s.sum, s.of * s.common) END,
           casino.exact_quotient(s.hits, s.of),
           CASE WHEN s.whole THEN casino.exact_quotient(s.squares * s.of - s.sum * s.sum, s.of * s.of * s.common * s.common) END,
           s.best_num, s.best_den
      FROM sums s
     ORDER BY s.place;
END;
COMMENT ON FUNCTION casino.plan_returns(bigint, text) IS 'Part of plan_audit() and return_watch: return, hit rate and variance of each selection of a kind, and its best line';

-- What is said of a bet's greatest win: first what the plan declares of it, then what is odd (R8.8).
CREATE FUNCTION casino.audit_verdict(rtp numeric, how text, max_stake numeric, max_profit numeric, position_profit numeric, kind_profit numeric,
                                     declared_win numeric, named text, paragraph text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT CASE WHEN rtp IS NULL THEN 'not counted; '
                ELSE coalesce(how || '; ', '') || CASE WHEN rtp >= 1 AND how IS DISTINCT FROM 'without the call that goes with it'
                                                       THEN 'returns not less than is staked; ' ELSE '' END
           END
           || CASE
               WHEN max_stake IS NULL AND declared_win IS NULL THEN 'the plan sets no maximum stake and declares no win'
               WHEN max_stake IS NULL THEN format('the plan declares %s CZK and sets no maximum stake', declared_win)
               WHEN declared_win IS NULL
                   THEN format('no win is declared: wins up to %s CZK', max_profit) || coalesce('; the plan names ' || named, '')
               WHEN position_profit < max_profit
                   THEN format('declared %s CZK are of the main bet alone%s; doubled and split hands win up to %s CZK', declared_win,
                               CASE WHEN position_profit <> declared_win THEN format(', which wins up to %s CZK', position_profit) ELSE '' END,
                               max_profit)
               WHEN kind_profit > declared_win
                   THEN format('wins up to %s CZK, more than the declared %s CZK, to which it is cut', kind_profit, declared_win)
               WHEN kind_profit < declared_win
                   THEN format('wins up to %s CZK, less than the declared %s CZK', kind_profit, declared_win)
               WHEN max_profit < kind_profit
                   THEN format('declared %s CZK are of another selection; this one wins up to %s CZK', declared_win, max_profit)
               ELSE 'wins as much as is declared'
              END
           || format(' (%s)', paragraph);
END;
COMMENT ON FUNCTION casino.audit_verdict(numeric, text, numeric, numeric, numeric, numeric, numeric, text, text) IS 'Part of plan_audit(): what is declared against what can be won, in words with the paragraph';

-- Rows of one kind. Limits and declared wins are the kind's; an announced bet has those of the bets it is made of.
CREATE FUNCTION casino.audit_kinds(plan_id bigint)
RETURNS TABLE (kind text, selection text, rtp numeric, hit_rate numeric, variance numeric, max_stake numeric, max_profit numeric,
               declared_win numeric, verdict text)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH named AS MATERIALIZED (
        SELECT string_agg(format('%s CZK of %s', b.declared_win, b.kind), ', ' ORDER BY b.declared_win DESC, b.kind) || ' only' AS wins
          FROM casino.bet_rule b
         WHERE b.plan_id = audit_kinds.plan_id AND b.declared_win IS NOT NULL AND b.kind NOT IN ('main', 'behind')
    ), offered AS MATERIALIZED (
        SELECT b.kind, b.max_stake, b.declared_win, b.paragraph, false AS announced, k.place, b.requires, b.phase,
               (SELECT max(round(b.max_stake * t.num / t.den, 2)) FROM casino.paytable t
                 WHERE t.plan_id = b.plan_id AND t.kind = b.kind) AS position_profit
          FROM casino.bet_rule b
          JOIN casino.bet_kinds() WITH ORDINALITY AS k (kind, shape, free, place) ON k.kind = b.kind
         WHERE b.plan_id = audit_kinds.plan_id
        UNION ALL
        SELECT a.stem, NULL, NULL, a.paragraph, true, 1000, NULL, 'betting', NULL
          FROM casino.announced_rule a WHERE a.plan_id = audit_kinds.plan_id
    ), figure AS MATERIALIZED (
        -- every chip of an announced bet within the maximum of its position
        SELECT o.*, r.*, CASE WHEN o.announced
                              THEN (SELECT CASE WHEN bool_and(m.max_stake IS NOT NULL)
                                                THEN sum(casino.stake(e.bet)) * min(trunc(m.max_stake / casino.stake(e.bet), 2)) END
                                      FROM casino.expand_announced(concat_ws(':', o.kind, r.selection), 1) AS e (bet)
                                      LEFT JOIN casino.bet_rule m ON m.plan_id = audit_kinds.plan_id AND m.kind = casino.kind(e.bet))
                              ELSE o.max_stake END AS stake_most
          FROM offered o
          LEFT JOIN LATERAL casino.plan_returns(audit_kinds.plan_id, o.kind) WITH ORDINALITY
               AS r (selection, rtp, hit_rate, variance, best_num, best_den, line) ON true
    ), judged AS (
        SELECT f.*, round(f.stake_most * f.best_num / f.best_den, 2) AS profit_most,
               max(round(f.stake_most * f.best_num / f.best_den, 2)) OVER (PARTITION BY f.kind) AS kind_most
          FROM figure f
    )
    SELECT j.kind, j.selection, j.rtp, j.hit_rate, j.variance, j.stake_most, j.profit_most, j.declared_win,
           CASE WHEN j.announced THEN format('paid, limited and declared as the bets it is made of (%s)', j.paragraph)
                WHEN j.kind = 'pot' THEN format('the players are paid from each other''s stakes (%s)', j.paragraph)
                WHEN j.rtp IS NULL AND j.phase = 'play' AND j.kind <> 'insurance'
                    THEN format('part of the play of main, and counted there (%s)', j.paragraph)
                ELSE casino.audit_verdict(j.rtp, CASE WHEN j.kind IN ('main', 'behind') THEN 'best play against an endless shoe'
                                                      WHEN j.kind = 'ante' AND j.selection IS NULL THEN 'without the call that goes with it' END,
                                          j.stake_most, j.profit_most,
                                          CASE WHEN j.kind IN ('main', 'behind') THEN j.position_profit ELSE j.profit_most END,
                                          CASE WHEN j.kind IN ('main', 'behind') THEN j.position_profit ELSE j.kind_most END,
                                          j.declared_win, (SELECT n.wins FROM named n), j.paragraph)
           END
      FROM judged j
     ORDER BY j.place, j.kind, j.line
$fn$;
COMMENT ON FUNCTION casino.audit_kinds(bigint) IS 'Part of plan_audit(): a row for each selection of each kind of bet and announced bet of a plan version';

-- All bets together: a box of blackjack with everything on it, and a round.
CREATE FUNCTION casino.audit_round(plan_id bigint)
RETURNS TABLE (kind text, selection text, max_stake numeric, max_profit numeric, declared_win numeric, verdict text)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    plan casino.game_plan;
    family text;
    rules jsonb;
    stakes jsonb;
    staked numeric;
    unlimited boolean;
    main_win numeric;
    best record;
    boxes integer;
    declared text;
BEGIN
    SELECT p.* INTO plan FROM casino.game_plan p WHERE p.plan_id = audit_round.plan_id;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT g.family INTO family FROM casino.game g WHERE g.game = plan.game;
    SELECT coalesce(jsonb_object_agg(r.rule, r.value), '{}') INTO rules FROM casino.plan_rule r WHERE r.plan_id = plan.plan_id;
    -- doubled, split and insured stakes follow from the main bet
    SELECT jsonb_object_agg(b.kind, coalesce(b.max_stake, 0.01)), sum(b.max_stake) FILTER (WHERE b.kind <> 'behind'),
           bool_or(b.max_stake IS NULL AND b.phase <> 'play'), max(b.declared_win) FILTER (WHERE b.kind = 'main')
      INTO stakes, staked, unlimited, main_win
      FROM casino.bet_rule b WHERE b.plan_id = plan.plan_id;
    IF unlimited OR stakes IS NULL THEN
        RETURN QUERY SELECT 'round', NULL::text, plan.round_max_stake, NULL::numeric, plan.declared_round_win,
                            format('the plan sets no maximum stake (%s)', plan.document);
        RETURN;
    END IF;
    declared := CASE WHEN plan.declared_round_win IS NULL THEN 'no win of a round is declared' END;
    IF family = 'roulette' THEN
        -- everything that covers a number, each position at its maximum
        SELECT n.number, sum(b.max_stake * t.num / t.den) AS profit, sum(b.max_stake) AS stake INTO best
          FROM casino.bet_rule b
          JOIN casino.paytable t ON t.plan_id = b.plan_id AND t.kind = b.kind AND t.grade = 'win'
         CROSS JOIN LATERAL casino.plan_lines(b.plan_id, b.kind) l
         CROSS JOIN LATERAL unnest(casino.covers(casino.bet(b.kind, l.selection, 1))) AS n (number)
         WHERE b.plan_id = plan.plan_id AND l.grade = 'win'
         GROUP BY n.number ORDER BY profit DESC, n.number LIMIT 1;
        RETURN QUERY SELECT 'round', best.number::text, best.stake, round(best.profit, 2), plan.declared_round_win,
                            format('%s; all positions that cover %s win up to %s CZK together (%s)', declared, best.number,
                                   round(best.profit, 2), plan.document);
        RETURN;
    END IF;
    SELECT b.profit, b.cards INTO best
      FROM casino.best_round(family, rules, (SELECT o.odds FROM casino.plan_odds o WHERE o.plan_id = plan.plan_id), stakes) b;
    IF best.profit IS NULL THEN
        RETURN;
    END IF;
    IF family <> 'blackjack' THEN
        RETURN QUERY SELECT 'round', NULL::text, plan.round_max_stake, best.profit, plan.declared_round_win,
            CASE WHEN declared IS NOT NULL THEN format('%s: wins up to %s CZK', declared, best.profit)
                 WHEN best.profit > plan.declared_round_win
                     THEN format('wins up to %s CZK, more than the declared %s CZK', best.profit, plan.declared_round_win)
                 WHEN best.profit < plan.declared_round_win
                     THEN format('wins up to %s CZK, less than the declared %s CZK', best.profit, plan.declared_round_win)
                 ELSE 'wins as much as is declared' END
            || format(', with %s (%s)', best.cards, plan.document);
        RETURN;
    END IF;
    boxes := coalesce((rules ->> 'max_seats')::integer, 0);
    RETURN QUERY SELECT 'box', NULL::text, staked, best.profit, main_win,
        format('a box with everything on it wins up to %s CZK, with %s; %s (%s)', best.profit, best.cards,
               coalesce(format('the declared %s CZK are of one main bet', main_win), 'no win is declared'), plan.document);
    IF boxes > 0 THEN
        RETURN QUERY SELECT 'round', NULL::text, boxes * staked, boxes * best.profit, plan.declared_round_win,
            coalesce(declared, format('declared %s CZK', plan.declared_round_win))
            || CASE WHEN boxes = 1 THEN format('; a round has one box and wins up to %s CZK (%s)', best.profit, plan.document)
                    ELSE format('; %s boxes win less than %s CZK, as not all of them can have the best cards at once (%s)', boxes,
                                boxes * best.profit, plan.document) END;
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.audit_round(bigint) IS 'Part of plan_audit(): the rows box and round';

CREATE FUNCTION casino.plan_audit(game text, at timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (kind text, selection text, rtp numeric, house_edge numeric, hit_rate numeric, variance numeric, max_stake numeric,
               max_profit numeric, declared_win numeric, verdict text)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.plan_audit(text, timestamptz) IS 'Every bet of the plan then in force: what it returns, how often it wins, its variance at a stake of 1, the most it can win at the plan''s greatest stake, what the plan declares, and what is to be said of that. The rows box and round are of all bets together';

CREATE FUNCTION casino.plan_audit_impl(game text, at timestamptz)
RETURNS TABLE (kind text, selection text, rtp numeric, house_edge numeric, hit_rate numeric, variance numeric, max_stake numeric,
               max_profit numeric, declared_win numeric, verdict text)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    plan CONSTANT bigint := casino.plan_in_force(game, at);
BEGIN
    RETURN QUERY
    SELECT k.kind, k.selection, k.rtp, 1 - k.rtp, k.hit_rate, k.variance, k.max_stake, k.max_profit, k.declared_win, k.verdict
      FROM casino.audit_kinds(plan) k;
    RETURN QUERY
    SELECT r.kind, r.selection, NULL::numeric, NULL::numeric, NULL::numeric, NULL::numeric, r.max_stake, r.max_profit, r.declared_win, r.verdict
      FROM casino.audit_round(plan) r;
END
$fn$;
COMMENT ON FUNCTION casino.plan_audit_impl(text, timestamptz) IS 'Body of plan_audit(), run as the owner of the ledger';
-- Results watched against the returns of the plans (R8.10, R8.11): one row a day for each table and kind of bet, and how often
-- each number, rank and suit came.  All of it can be made again from the evidence with watch_day(), so that it holds nothing fast.

CREATE FUNCTION casino.install_watch() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.watched_bet (
        day      date NOT NULL,
        table_id bigint NOT NULL,
        plan_id  bigint NOT NULL,
        kind     text NOT NULL,
        rounds   bigint NOT NULL CHECK (rounds > 0),
        wagers   bigint NOT NULL CHECK (wagers > 0),
        staked   numeric NOT NULL,
        result   numeric NOT NULL,
        expected numeric NOT NULL,
        variance numeric NOT NULL,
        most_back numeric NOT NULL,
        PRIMARY KEY (day, table_id, plan_id, kind)
    );
    COMMENT ON TABLE casino.watched_bet IS 'Results of a day by table and kind of bet, made by watch_day() from the evidence';
    COMMENT ON COLUMN casino.watched_bet.day IS 'Prague day of the evaluations';
    COMMENT ON COLUMN casino.watched_bet.table_id IS 'Table';
    COMMENT ON COLUMN casino.watched_bet.plan_id IS 'Plan version the rounds were played under';
    COMMENT ON COLUMN casino.watched_bet.kind IS 'Kind of bet; main: with bets behind and all that was doubled and split, ante: with its calls';
    COMMENT ON COLUMN casino.watched_bet.rounds IS 'Rounds with such a bet';
    COMMENT ON COLUMN casino.watched_bet.wagers IS 'Wagers';
    COMMENT ON COLUMN casino.watched_bet.staked IS 'CZK staked; of main and ante without what was added in play';
    COMMENT ON COLUMN casino.watched_bet.result IS 'CZK the house won';
    COMMENT ON COLUMN casino.watched_bet.expected IS 'CZK it was to win of these stakes, by the exact counts';
    COMMENT ON COLUMN casino.watched_bet.variance IS 'Variance of that, CZK squared; all that one round decides is taken together';
    COMMENT ON COLUMN casino.watched_bet.most_back IS 'CZK one round could pay at most';

    CREATE TABLE casino.watched_face (
        day      date NOT NULL,
        table_id bigint NOT NULL,
        what     text NOT NULL CHECK (what IN ('number', 'rank', 'suit')),
        face     text NOT NULL,
        hits     bigint NOT NULL CHECK (hits > 0),
        PRIMARY KEY (day, table_id, what, face)
    );
    COMMENT ON TABLE casino.watched_face IS 'How often each number of the wheel, each rank and each suit came on a day, made by watch_day() from the evidence';
    COMMENT ON COLUMN casino.watched_face.day IS 'Prague day of the evaluations';
    COMMENT ON COLUMN casino.watched_face.table_id IS 'Table';
    COMMENT ON COLUMN casino.watched_face.what IS 'number of the wheel, rank or suit of a card';
    COMMENT ON COLUMN casino.watched_face.face IS 'Which one';
    COMMENT ON COLUMN casino.watched_face.hits IS 'How often it came';

    -- A chance of at most: whatever the odds, a sum of independent results that are off their mean by no more than b, of variance V,
    -- is off its own by t with probability 2 exp(-t² / (2 (V + b t / 3))) at most (Bernstein).  It promises no more than is true
    -- also for a bet that pays 2000:1 and was seldom made, where standard deviations alone would cry wolf.
    CREATE VIEW casino.return_watch AS
        WITH span AS (
            SELECT b.day, s.span, s.from_day, s.to_day
              FROM (SELECT day FROM casino.watched_bet UNION SELECT day FROM casino.watched_face) b
             CROSS JOIN LATERAL (VALUES ('day', b.day, b.day),
                                        ('week', date_trunc('week', b.day)::date, date_trunc('week', b.day)::date + 6),
                                        ('all', '-infinity'::date, 'infinity'::date)) AS s (span, from_day, to_day)
        ), bet AS (
            SELECT s.span, s.from_day, s.to_day, w.table_id, w.kind, sum(w.rounds) AS rounds, sum(w.wagers) AS wagers, sum(w.staked) AS staked,
                   sum(w.result) AS result, sum(w.expected) AS expected, sum(w.variance) AS variance, max(w.most_back) AS most_back,
                   min(w.day) AS first_day, max(w.day) AS last_day
              FROM casino.watched_bet w JOIN span s ON s.day = w.day
             GROUP BY s.span, s.from_day, s.to_day, w.table_id, w.kind
        ), face AS (
            SELECT s.span, s.from_day, s.to_day, f.table_id, f.what, f.face, sum(f.hits) AS hits, min(f.day) AS first_day, max(f.day) AS last_day,
                   CASE f.what WHEN 'number' THEN 37 WHEN 'rank' THEN 13 ELSE 4 END AS faces
              FROM casino.watched_face f JOIN span s ON s.day = f.day
             GROUP BY s.span, s.from_day, s.to_day, f.table_id, f.what, f.face
        ), draw AS (
            SELECT f.span, f.from_day, f.to_day, f.table_id, f.what, f.faces, sum(f.hits) AS hits,
                   f.faces * sum(f.hits * f.hits) / sum(f.hits) - sum(f.hits) AS chi_square,
                   (array_agg(f.face ORDER BY f.hits DESC, f.face))[1] AS face,
                   (max(f.hits) - sum(f.hits) / f.faces) / sqrt(sum(f.hits) * (f.faces - 1) / (f.faces * f.faces)) AS deviations,
                   min(f.first_day) AS first_day, max(f.last_day) AS last_day
              FROM face f
             GROUP BY f.span, f.from_day, f.to_day, f.table_id, f.what, f.faces
        )
        SELECT r.span, r.from_day, r.to_day, t.game, r.table_id, r.what, r.kind, r.rounds, r.wagers, r.staked, r.result, r.expected, r.face,
               r.deviations, r.chi_square, r.degrees, r.probability
          FROM (SELECT b.span, CASE WHEN b.span = 'all' THEN b.first_day ELSE b.from_day END AS from_day,
                       CASE WHEN b.span = 'all' THEN b.last_day ELSE b.to_day END AS to_day, b.table_id, 'bet' AS what, b.kind, b.rounds, b.wagers,
                       b.staked, b.result, round(b.expected, 2) AS expected, NULL::text AS face,
                       CASE WHEN b.variance > 0 THEN round((b.result - b.expected) / sqrt(b.variance), 3) END AS deviations,
                       NULL::numeric AS chi_square, NULL::integer AS degrees,
                       CASE WHEN b.variance > 0 THEN
                           least(1, 2 * exp(greatest(-700, -((b.result - b.expected) ^ 2)
                                                           / (2 * (b.variance + b.most_back * abs(b.result - b.expected) / 3)))::double precision)) END
                           AS probability
                  FROM bet b
                UNION ALL
                SELECT d.span, CASE WHEN d.span = 'all' THEN d.first_day ELSE d.from_day END,
                       CASE WHEN d.span = 'all' THEN d.last_day ELSE d.to_day END, d.table_id, d.what, NULL, NULL, d.hits, NULL, NULL, NULL, d.face,
                       round(d.deviations, 3), round(d.chi_square, 3), d.faces - 1,
                       CASE WHEN d.hits >= 5 * d.faces THEN casino.chi_square_probability(d.chi_square::double precision, d.faces - 1) END
                  FROM draw d) r
          JOIN casino.game_table t ON t.table_id = r.table_id;
    COMMENT ON VIEW casino.return_watch IS 'Results against the exact counts, by table over a day, a week and all days that watch_day() has seen: each kind of bet in standard deviations, numbers of the wheel, ranks and suits by chi-square. A probability of one in a million is not chance, however many tables are watched';
    COMMENT ON COLUMN casino.return_watch.span IS 'day, week (Monday to Sunday) or all';
    COMMENT ON COLUMN casino.return_watch.from_day IS 'First Prague day';
    COMMENT ON COLUMN casino.return_watch.to_day IS 'Last Prague day';
    COMMENT ON COLUMN casino.return_watch.what IS 'bet, or what was drawn: number, rank, suit';
    COMMENT ON COLUMN casino.return_watch.wagers IS 'Wagers; of numbers, ranks and suits how many were drawn';
    COMMENT ON COLUMN casino.return_watch.face IS 'What came most often';
    COMMENT ON COLUMN casino.return_watch.deviations IS 'Standard deviations the house''s result is above the expected one; of what was drawn, those of the face that came most often';
    COMMENT ON COLUMN casino.return_watch.chi_square IS 'Sum of squared differences from equal frequencies, each to the expected one';
    COMMENT ON COLUMN casino.return_watch.degrees IS 'Degrees of freedom of chi_square';
    COMMENT ON COLUMN casino.return_watch.probability IS 'How likely chance alone is as far off: of a bet at most that, of what was drawn by chi-square, NULL with fewer than five expected of each';
END
$fn$;
COMMENT ON FUNCTION casino.install_watch() IS 'Part of casino.install(): results watched against the returns of the plans';

CREATE FUNCTION casino.chi_square_probability(chi_square double precision, degrees integer) RETURNS double precision
    AS 'MODULE_PATHNAME', 'casino_sql_chi_square_probability' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.chi_square_probability(double precision, integer) IS 'Part of return_watch: how likely chance alone gives such a chi-square or a greater one';

-- The kind under which a wager is watched: what is added in play belongs to the bet it was added to.
CREATE FUNCTION casino.watched_kind(kind text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN kind IN ('behind', 'double_down', 'split_pair', 'free_split', 'free_double') THEN 'main' WHEN kind = 'call' THEN 'ante' ELSE kind END;
COMMENT ON FUNCTION casino.watched_kind(text) IS 'Part of watch_day(): main for what is added to it in play and for bets behind, ante for its call, else the kind';

-- Stakes that stand, with what they brought: paid, or withheld.
CREATE FUNCTION casino.watched_wagers(day date) RETURNS TABLE (round_id bigint, table_id bigint, plan_id bigint, kind text, selection text, staked numeric, won numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH round AS MATERIALIZED (
        -- of which rows of plan_returns() its main bets and insurances are
        SELECT r.round_id, r.table_id, r.plan_id, r.status,
               CASE WHEN v.surrender AND x.surrender THEN 'surrender' ELSE '' END AS main_selection,
               CASE WHEN x.own_blackjack THEN '' ELSE 'no_blackjack' END AS insurance_selection
          FROM casino.round r
          JOIN casino.table_version v ON v.table_id = r.table_id AND v.version = r.table_version
          JOIN (SELECT p.plan_id, coalesce(bool_or(u.rule = 'surrender' AND u.value = 'table'), false) AS surrender,
                       coalesce(bool_or(u.rule = 'insurance_own_blackjack' AND u.value = 'true'), false) AS own_blackjack
                  FROM casino.game_plan p LEFT JOIN casino.plan_rule u ON u.plan_id = p.plan_id
                 GROUP BY p.plan_id) x ON x.plan_id = r.plan_id
         WHERE r.status IN ('settled', 'withheld')
           AND r.evaluated_at >= watched_wagers.day::timestamp AT TIME ZONE 'Europe/Prague'
           AND r.evaluated_at < (watched_wagers.day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
    ), withheld AS MATERIALIZED (
        SELECT w.player_id, w.entry_no, w.payout FROM round r CROSS JOIN LATERAL casino.withheld_winnings(r.round_id) w
         WHERE r.status = 'withheld' OR r.round_id IN (SELECT h.round_id FROM casino.withholding h)
    ), wager AS (
        SELECT r.round_id, r.table_id, r.plan_id, r.main_selection, r.insurance_selection, s.bet, casino.kind(s.bet) AS own_kind, s.amount,
               coalesce(p.amount, w.payout, 0) - s.amount AS won
          FROM round r
          JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'
          LEFT JOIN casino.ledger p ON p.player_id = s.player_id AND p.stake_entry_no = s.entry_no AND p.correction_no IS NULL
          LEFT JOIN withheld w ON w.player_id = s.player_id AND w.entry_no = s.entry_no
         WHERE p.kind IS DISTINCT FROM 'refund'
    )
    SELECT w.round_id, w.table_id, w.plan_id, k.kind,
           CASE k.kind WHEN 'main' THEN w.main_selection WHEN 'insurance' THEN w.insurance_selection WHEN 'ante' THEN 'with_call'
                       ELSE coalesce(casino.selection(w.bet), '') END,
           CASE WHEN w.own_kind IN (k.kind, 'behind') THEN w.amount ELSE 0 END, w.won
      FROM wager w
     CROSS JOIN LATERAL (SELECT casino.watched_kind(w.own_kind) AS kind OFFSET 0) k
$fn$;
COMMENT ON FUNCTION casino.watched_wagers(date) IS 'Part of watch_day(): standing wagers of rounds evaluated on a Prague day, with what they won beyond their stake';

-- One row a table, plan version and kind.  Positions that one number decides are taken together number by number, and so are the
-- points of an egalite; of other kinds all stakes of a round are taken as one, as if all boxes had the same cards: the variance
-- is then not too small.
CREATE FUNCTION casino.watched_bets(day date)
RETURNS TABLE (table_id bigint, plan_id bigint, kind text, rounds bigint, wagers bigint, staked numeric, result numeric, expected numeric,
               variance numeric, most_back numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH position AS MATERIALIZED (
        SELECT w.round_id, w.table_id, w.plan_id, w.kind, w.selection, count(*) AS wagers, sum(w.staked) AS staked, sum(w.won) AS won
          FROM casino.watched_wagers(watched_bets.day) w
         GROUP BY w.round_id, w.table_id, w.plan_id, w.kind, w.selection
    ), plan_return AS MATERIALIZED (
        SELECT k.plan_id, k.kind, coalesce(r.selection, '') AS selection, r.rtp, r.hit_rate, r.variance, r.best_num::numeric / r.best_den + 1 AS most, k.covers
          FROM (SELECT DISTINCT p.plan_id, p.kind, g.family = 'roulette' AS covers
                  FROM position p JOIN casino.game_plan n ON n.plan_id = p.plan_id JOIN casino.game g ON g.game = n.game) k
         CROSS JOIN LATERAL casino.plan_returns(k.plan_id, k.kind) r
         WHERE r.rtp IS NOT NULL
    ), counted AS MATERIALIZED (
        SELECT p.*, r.rtp, r.hit_rate, r.variance, r.most, r.covers
          FROM position p JOIN plan_return r ON r.plan_id = p.plan_id AND r.kind = p.kind AND r.selection = p.selection
    ), face AS (
        SELECT c.round_id, c.kind, n.number::text AS face, 1 / 37::numeric AS chance, sum(c.staked * c.most) AS back
          FROM counted c
         CROSS JOIN LATERAL unnest(CASE WHEN c.covers THEN casino.covers(casino.bet(c.kind, nullif(c.selection, ''), 1)) END) AS n (number)
         GROUP BY c.round_id, c.kind, n.number
        UNION ALL
        SELECT c.round_id, c.kind, c.selection, c.hit_rate, c.staked * c.most FROM counted c WHERE c.kind = 'egalite'
    ), exclusive AS (
        SELECT f.round_id, f.kind, sum(f.chance * f.back * f.back) - sum(f.chance * f.back) ^ 2 AS variance, max(f.back) AS most_back
          FROM face f GROUP BY f.round_id, f.kind
    ), of_round AS (
        SELECT c.round_id, c.table_id, c.plan_id, c.kind, sum(c.wagers) AS wagers, sum(c.staked) AS staked, -sum(c.won) AS result,
               sum(c.staked * (1 - c.rtp)) AS expected, coalesce(max(x.variance), sum(c.staked) ^ 2 * max(c.variance)) AS variance,
               coalesce(max(x.most_back), sum(c.staked) * max(c.most)) AS most_back
          FROM counted c
          LEFT JOIN exclusive x ON x.round_id = c.round_id AND x.kind = c.kind
         GROUP BY c.round_id, c.table_id, c.plan_id, c.kind
    )
    SELECT o.table_id, o.plan_id, o.kind, count(*), sum(o.wagers)::bigint, sum(o.staked), sum(o.result), round(sum(o.expected), 6),
           round(sum(o.variance), 6), max(o.most_back)
      FROM of_round o
     GROUP BY o.table_id, o.plan_id, o.kind
$fn$;
COMMENT ON FUNCTION casino.watched_bets(date) IS 'Part of watch_day(): results, expected results and their variance by table and kind of bet';

-- Cards that were dealt whatever they were: a hand that goes on does so for the cards before.  Not counted: what is shown only if
-- somebody liked his cards (turn, river and dealer of Casino Hold'em, all of Texas Hold'em), and at a shared box all but the dealer's
-- cards and the first one of the box, as its hands are copies of each other; of players who part at a box, the first ones' hands (R8.12).
CREATE FUNCTION casino.watched_cards(day date) RETURNS TABLE (table_id bigint, card text)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT r.table_id, c.card::text
      FROM casino.round r
      JOIN casino.game_plan p ON p.plan_id = r.plan_id
      JOIN casino.game g ON g.game = p.game AND g.family IN ('baccarat', 'blackjack', 'casino_holdem')
      JOIN casino.dealt_hand d ON d.round_id = r.round_id
     CROSS JOIN LATERAL (SELECT CASE g.family WHEN 'baccarat' THEN 6
                                              WHEN 'casino_holdem' THEN CASE d.side WHEN 'player' THEN 2 WHEN 'board' THEN 3 ELSE 0 END
                                              ELSE CASE WHEN d.side = 'dealer' THEN 24
                                                        WHEN EXISTS (SELECT FROM casino.dealt_hand x
                                                                      WHERE x.round_id = d.round_id AND x.side = 'box' AND x.seat = d.seat AND x.group_no < d.group_no)
                                                            THEN 0
                                                        WHEN EXISTS (SELECT FROM casino.plan_rule x WHERE x.plan_id = p.plan_id AND x.rule = 'box' AND x.value = 'shared')
                                                            THEN CASE WHEN d.hand = 1 THEN 1 ELSE 0 END
                                                        ELSE 24 END
                                END AS cards OFFSET 0) n
     CROSS JOIN LATERAL unnest(casino.cards(d.cards)) WITH ORDINALITY AS c (card, place)
     WHERE r.status IN ('settled', 'withheld') AND c.place <= n.cards
       AND r.evaluated_at >= watched_cards.day::timestamp AT TIME ZONE 'Europe/Prague'
       AND r.evaluated_at < (watched_cards.day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
$fn$;
COMMENT ON FUNCTION casino.watched_cards(date) IS 'Part of watch_day(): cards of rounds evaluated on a Prague day, those that came whatever they were';

CREATE FUNCTION casino.watch_day(day date) RETURNS bigint
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.watch_day(date) IS 'Adds up the rounds evaluated on a Prague day for return_watch, anew when it was done before; returns how many rows that are. nightly() calls it for its day';

CREATE FUNCTION casino.watch_day_impl(day date) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    bets bigint;
    faces bigint;
BEGIN
    IF day IS NULL OR NOT isfinite(day) THEN
        RAISE EXCEPTION 'day must be given and finite' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino.take_lock('watch_day');
    DELETE FROM casino.watched_bet w WHERE w.day = watch_day_impl.day;
    DELETE FROM casino.watched_face f WHERE f.day = watch_day_impl.day;
    INSERT INTO casino.watched_bet (day, table_id, plan_id, kind, rounds, wagers, staked, result, expected, variance, most_back)
    SELECT watch_day_impl.day, b.table_id, b.plan_id, b.kind, b.rounds, b.wagers, b.staked, b.result, b.expected, b.variance, b.most_back
      FROM casino.watched_bets(watch_day_impl.day) b;
    GET DIAGNOSTICS bets = ROW_COUNT;
    INSERT INTO casino.watched_face (day, table_id, what, face, hits)
    SELECT watch_day_impl.day, f.table_id, f.what, f.face, count(*)
      FROM (SELECT r.table_id, 'number' AS what, r.outcome ->> 'number' AS face
              FROM casino.round r
              JOIN casino.game_plan p ON p.plan_id = r.plan_id
              JOIN casino.game g ON g.game = p.game AND g.family = 'roulette'
             WHERE r.status IN ('settled', 'withheld')
               AND r.evaluated_at >= watch_day_impl.day::timestamp AT TIME ZONE 'Europe/Prague'
               AND r.evaluated_at < (watch_day_impl.day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
            UNION ALL
            SELECT c.table_id, k.what, k.face
              FROM casino.watched_cards(watch_day_impl.day) c
             CROSS JOIN LATERAL (VALUES ('rank', left(c.card, 1)), ('suit', right(c.card, 1))) AS k (what, face)) f
     GROUP BY f.table_id, f.what, f.face;
    GET DIAGNOSTICS faces = ROW_COUNT;
    RETURN bets + faces;
END
$fn$;
COMMENT ON FUNCTION casino.watch_day_impl(date) IS 'Body of watch_day(), run as the owner of the ledger';
-- Figures that people look at (chapter 9 of doc/readings.md): CZK, Prague days, both days included.  They read the entries of the days asked for
-- (index ledger_day) or the rounds evaluated then (index round_evaluated_at), not the history before them.

CREATE FUNCTION casino.install_figures() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    event record;
BEGIN
    CREATE TABLE casino.day_total (
        day     date NOT NULL,
        kind    text NOT NULL,
        entries bigint NOT NULL CHECK (entries > 0),
        amount  numeric NOT NULL,
        PRIMARY KEY (day, kind)
    );
    COMMENT ON TABLE casino.day_total IS 'Part of account_movements(): what finished Prague days have moved, by kind of entry: made by keep_day_totals() from the ledger, and made anew when an entry was dated back';
    COMMENT ON COLUMN casino.day_total.day IS 'Prague day of the entries';
    COMMENT ON COLUMN casino.day_total.kind IS 'Kind of entry; accounts in casino.entry_kinds()';
    COMMENT ON COLUMN casino.day_total.entries IS 'Entries';
    COMMENT ON COLUMN casino.day_total.amount IS 'CZK, the sum of their amounts';

    -- a few bytes a range of pages: events come nearly in the order of their times
    FOR event IN SELECT * FROM (VALUES ('breach', 'occurred_at'), ('exclusion', 'excluded_from'), ('exclusion_end', 'ended_at'), ('player_limit', 'requested_at'),
                                       ('payment_account', 'registered_at'), ('refusal', 'refused_at'), ('disconnection', 'disconnected_at'),
                                       ('withholding', 'withheld_at'), ('withholding_end', 'ended_at'), ('withdrawal_approval', 'approved_at'),
                                       ('excused_delay', 'excused_at'), ('box_handover', 'handed_at')) AS e (name, time) LOOP
        EXECUTE format('CREATE INDEX %I ON casino.%I USING brin (%I) WITH (pages_per_range = 16)', event.name || '_day', event.name, event.time);
        EXECUTE format('COMMENT ON INDEX casino.%I IS %L', event.name || '_day', 'Finds the events of a day, whatever the history');
    END LOOP;
    CREATE INDEX round_voided ON casino.round (voided_at) WHERE voided_at IS NOT NULL;
    CREATE INDEX round_released ON casino.round (withheld_paid_at) WHERE withheld_paid_at IS NOT NULL;
    COMMENT ON INDEX casino.round_released IS 'Finds the rounds whose winnings were released on a day';
    CREATE INDEX round_withheld_at ON casino.round (withheld_at) WHERE withheld_at IS NOT NULL;
    COMMENT ON INDEX casino.round_voided IS 'Finds the rounds voided on a day';
    COMMENT ON INDEX casino.round_withheld_at IS 'Finds the rounds whose winnings were withheld on a day';
END
$fn$;
COMMENT ON FUNCTION casino.install_figures() IS 'Part of casino.install(): totals of days, indexes by time';

-- ------------------------------------------------------------------------------------------------ tables, tax, accounts

-- Rounds of the days: those evaluated or voided then, and of those opened then what is not evaluated yet.
CREATE FUNCTION casino.figure_rounds(from_day date, to_day date)
RETURNS TABLE (day date, round_id bigint, table_id bigint, plan_id bigint, status text, evaluated_at timestamptz)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT (r.evaluated_at AT TIME ZONE 'Europe/Prague')::date, r.round_id, r.table_id, r.plan_id, r.status, r.evaluated_at
      FROM casino.round r
     WHERE r.evaluated_at >= from_day::timestamp AT TIME ZONE 'Europe/Prague' AND r.evaluated_at < (to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
    UNION ALL
    SELECT (r.opened_at AT TIME ZONE 'Europe/Prague')::date, r.round_id, r.table_id, r.plan_id, r.status, NULL
      FROM casino.round r
     WHERE r.status IN ('open', 'closed')
       AND r.opened_at >= from_day::timestamp AT TIME ZONE 'Europe/Prague' AND r.opened_at < (to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
$fn$;
COMMENT ON FUNCTION casino.figure_rounds(date, date) IS 'Part of the figures: rounds evaluated or voided on Prague days, and rounds opened then that are not evaluated yet';

-- Winnings of a round that are held back: asked only where something of it can be (R9.2).
CREATE FUNCTION casino.figure_wagers(from_day date, to_day date)
RETURNS TABLE (day date, round_id bigint, table_id bigint, plan_id bigint, status text, evaluated_at timestamptz, player_id bigint, entry_no bigint,
               staked numeric, returned boolean, paid numeric, withheld numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH round AS MATERIALIZED (
        SELECT f.*, f.status = 'withheld' OR (f.status = 'settled' AND EXISTS (SELECT FROM casino.withholding h WHERE h.round_id = f.round_id)) AS held
          FROM casino.figure_rounds(figure_wagers.from_day, figure_wagers.to_day) f
    ), held AS MATERIALIZED (
        SELECT w.player_id, w.entry_no, w.payout FROM round r CROSS JOIN LATERAL casino.withheld_winnings(r.round_id) w WHERE r.held
    )
    SELECT r.day, r.round_id, r.table_id, r.plan_id, r.status, r.evaluated_at, s.player_id, s.entry_no, s.amount, coalesce(p.kind = 'refund', false),
           CASE WHEN p.kind = 'payout' THEN p.amount ELSE 0.00 END, coalesce(h.payout, 0.00)
      FROM round r
     -- OFFSET 0: by the round and by the stake, however many others there are
     CROSS JOIN LATERAL (SELECT x.player_id, x.entry_no, x.amount FROM casino.ledger x WHERE x.round_id = r.round_id AND x.kind = 'stake' OFFSET 0) s
      LEFT JOIN LATERAL (SELECT x.kind, x.amount FROM casino.ledger x WHERE x.player_id = s.player_id AND x.stake_entry_no = s.entry_no AND x.correction_no IS NULL OFFSET 0) p ON true
      LEFT JOIN held h ON h.player_id = s.player_id AND h.entry_no = s.entry_no AND p.kind IS NULL
$fn$;
COMMENT ON FUNCTION casino.figure_wagers(date, date) IS 'Part of the figures: wagers of the rounds of figure_rounds(), with what was returned, paid and is held back';

-- What changes a result afterwards, on the day posted: corrections of evaluated rounds, and adjustments that name a round (R9.20).
CREATE FUNCTION casino.figure_corrections(from_day date, to_day date)
RETURNS TABLE (day date, player_id bigint, entry_no bigint, round_id bigint, table_id bigint, plan_id bigint, amount numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT (l.posted_at AT TIME ZONE 'Europe/Prague')::date, l.player_id, l.entry_no, l.round_id, r.table_id, r.plan_id, l.amount
      FROM casino.ledger l
      JOIN casino.round r ON r.round_id = l.round_id
     WHERE l.posted_at >= figure_corrections.from_day::timestamp AT TIME ZONE 'Europe/Prague'
       AND l.posted_at < (figure_corrections.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
       AND l.kind IN ('correction', 'adjustment')
$fn$;
COMMENT ON FUNCTION casino.figure_corrections(date, date) IS 'Part of the figures: corrections of results, and adjustments that name a round, by the day posted';

CREATE FUNCTION casino.tax_base(from_day date, to_day date)
RETURNS TABLE (day date, game text, live boolean, stakes numeric, returned numeric, winnings numeric, base numeric, corrected numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT e.day, e.game, g.live, e.stakes, e.returned, e.winnings, e.stakes - e.returned - e.winnings - e.corrected, e.corrected
      FROM (SELECT (l.posted_at AT TIME ZONE 'Europe/Prague')::date AS day, p.game,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind = 'stake'), 0.00) AS stakes,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind = 'refund'), 0.00) AS returned,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind = 'payout'), 0.00) AS winnings,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind IN ('correction', 'adjustment')), 0.00) AS corrected
              FROM casino.ledger l
              JOIN casino.round r ON r.round_id = l.round_id
              JOIN casino.game_plan p ON p.plan_id = r.plan_id
             WHERE l.posted_at >= tax_base.from_day::timestamp AT TIME ZONE 'Europe/Prague'
               AND l.posted_at < (tax_base.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
               AND l.kind IN ('stake', 'refund', 'payout', 'correction', 'adjustment')
             GROUP BY 1, 2) e
      JOIN casino.game g ON g.game = e.game
     ORDER BY e.day, e.game
$fn$;
COMMENT ON FUNCTION casino.tax_base(date, date) IS 'By Prague day and game (R9.1): stakes taken, stakes returned, winnings paid, and the base, which is stakes less both and less corrected: what corrections of results, and adjustments that name a round, gave the players. Each counts on the day it was posted: an open stake on the day it was taken, withheld winnings on the day they are paid';

-- Movements of each account.  What the days before moved is kept day by day (casino.day_total); it is trusted only as long as no
-- entry has come that it does not have, else the ledger is read.
CREATE FUNCTION casino.account_movements(from_day date, to_day date)
RETURNS TABLE (account text, opening numeric, debits numeric, credits numeric, closing numeric)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    first CONSTANT timestamptz := account_movements.from_day::timestamp AT TIME ZONE 'Europe/Prague';
    next CONSTANT timestamptz := (account_movements.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague';
    kept_until timestamptz;
BEGIN
    SELECT (max(d.day) + 1)::timestamp AT TIME ZONE 'Europe/Prague' INTO kept_until FROM casino.day_total d;
    IF (SELECT sum(p.last_entry_no) FROM casino.player p)
       <> (SELECT coalesce(sum(d.entries), 0) FROM casino.day_total d)
          + (SELECT count(*) FROM casino.ledger l WHERE l.posted_at >= kept_until) THEN
        kept_until := NULL;
    END IF;
    RETURN QUERY
    WITH moved AS (
        SELECT k.debit_account, k.credit_account, m.before, m.amount
          FROM (SELECT t.kind, t.before, sum(t.amount) AS amount
                  FROM (SELECT d.kind, d.day < account_movements.from_day AS before, d.amount
                          FROM casino.day_total d WHERE kept_until IS NOT NULL AND d.day <= account_movements.to_day
                        UNION ALL
                        SELECT l.kind, l.posted_at < first, l.amount
                          FROM casino.ledger l WHERE l.posted_at < next AND l.posted_at >= coalesce(kept_until, '-infinity')) t
                 GROUP BY t.kind, t.before) m
          JOIN casino.entry_kinds() k ON k.kind = m.kind
    ), sums AS (
        SELECT a.account, coalesce(sum(a.debit - a.credit) FILTER (WHERE m.before), 0.00) AS opening,
               coalesce(sum(a.debit) FILTER (WHERE NOT m.before), 0.00) AS debits, coalesce(sum(a.credit) FILTER (WHERE NOT m.before), 0.00) AS credits
          FROM moved m
         CROSS JOIN LATERAL (VALUES (m.debit_account, m.amount, 0.00), (m.credit_account, 0.00, m.amount)) AS a (account, debit, credit)
         GROUP BY a.account)
    SELECT n.account, coalesce(s.opening, 0.00), coalesce(s.debits, 0.00), coalesce(s.credits, 0.00),
           coalesce(s.opening + s.debits - s.credits, 0.00)
      FROM (SELECT k.debit_account AS account FROM casino.entry_kinds() k UNION SELECT k.credit_account FROM casino.entry_kinds() k) n
      LEFT JOIN sums s ON s.account = n.account
     ORDER BY n.account;
END
$fn$;
COMMENT ON FUNCTION casino.account_movements(date, date) IS 'Each account over Prague days: balance before, debits, credits, balance after; a balance is debits less credits from the first entry on, as in casino.trial_balance, and each of the columns opening and closing adds up to zero';

CREATE FUNCTION casino.keep_day_totals(to_day date DEFAULT NULL) RETURNS integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.keep_day_totals(date) IS 'Keeps what finished Prague days have moved, up to one (NULL: yesterday), so that account_movements() need not read them again; all days anew when an entry was dated back into one. Returns how many days were kept';

CREATE FUNCTION casino.keep_day_totals_impl(to_day date) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    yesterday CONSTANT date := (clock_timestamp() AT TIME ZONE 'Europe/Prague')::date - 1;
    last CONSTANT date := least(coalesce(keep_day_totals_impl.to_day, yesterday), yesterday);
    kept date;
    known bigint;
    present bigint;
    days integer;
BEGIN
    PERFORM casino.take_lock('keep_day_totals');
    SELECT max(d.day), coalesce(sum(d.entries), 0) INTO kept, known FROM casino.day_total d;
    SELECT coalesce((SELECT sum(p.last_entry_no) FROM casino.player p), 0)
           - (SELECT count(*) FROM casino.ledger l WHERE l.posted_at >= (kept + 1)::timestamp AT TIME ZONE 'Europe/Prague') INTO present;
    IF kept IS NOT NULL AND known <> present THEN
        DELETE FROM casino.day_total;
        kept := NULL;
    END IF;
    WITH day AS (
        INSERT INTO casino.day_total AS d (day, kind, entries, amount)
        SELECT (l.posted_at AT TIME ZONE 'Europe/Prague')::date, l.kind, count(*), sum(l.amount)
          FROM casino.ledger l
         WHERE l.posted_at >= coalesce((kept + 1)::timestamp AT TIME ZONE 'Europe/Prague', '-infinity')
           AND l.posted_at < (last + 1)::timestamp AT TIME ZONE 'Europe/Prague'
         GROUP BY 1, 2
        RETURNING d.day)
    SELECT count(DISTINCT day.day) INTO days FROM day;
    RETURN days;
END
$fn$;
COMMENT ON FUNCTION casino.keep_day_totals_impl(date) IS 'Body of keep_day_totals(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------------------ what is owed

-- What was won and not paid, and asked for and not paid, at a time.  It is what is so now, less what came since, and what has ended since.
CREATE FUNCTION casino.payment_deadline(at timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (what text, player_id bigint, entry_no bigint, round_id bigint, amount numeric, since timestamptz, due_at timestamptz, overdue boolean)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT o.what, o.player_id, o.entry_no, o.round_id, o.amount, o.since, d.due_at, payment_deadline.at >= d.due_at
      FROM (SELECT 'winnings' AS what, u.player_id, u.entry_no, u.round_id, u.payout AS amount, u.evaluated_at AS since, 30 AS days
              FROM casino.unpaid_winnings u WHERE u.evaluated_at <= payment_deadline.at
            UNION ALL
            -- paid since, or voided since: then only the stake is known to have been owed (R9.7)
            SELECT 'winnings', l.player_id, l.stake_entry_no, l.round_id, l.amount, r.evaluated_at, 30
              FROM casino.ledger l
              JOIN casino.round r ON r.round_id = l.round_id AND r.evaluated_at <= payment_deadline.at
             WHERE l.posted_at > payment_deadline.at AND l.kind IN ('payout', 'refund') AND l.amount > 0
            UNION ALL
            SELECT 'withdrawal', w.player_id, w.entry_no, NULL, w.amount, w.posted_at, 60
              FROM casino.open_withdrawal o
              JOIN casino.ledger w ON w.player_id = o.player_id AND w.entry_no = o.entry_no
             WHERE w.posted_at <= payment_deadline.at
            UNION ALL
            SELECT 'withdrawal', w.player_id, w.entry_no, NULL, w.amount, w.posted_at, 60
              FROM casino.ledger l
              JOIN casino.ledger w ON w.player_id = l.player_id AND w.entry_no = l.withdrawal_entry_no
             WHERE l.posted_at > payment_deadline.at AND l.kind IN ('withdrawal_cancelled', 'cash_paid', 'transfer_paid')
               AND w.posted_at <= payment_deadline.at) o
     CROSS JOIN LATERAL (SELECT casino.payment_due_at(o.since, o.days) AS due_at) d
     ORDER BY d.due_at, o.player_id, o.entry_no
$fn$;
COMMENT ON FUNCTION casino.payment_deadline(timestamptz) IS 'Winnings held back and withdrawals neither paid nor cancelled at a time (default: now), with the first instant that is too late for them, the next one first (D4 §11.1, §11.2)';

CREATE FUNCTION casino.liability(at timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (wallets numeric, open_stakes numeric, withheld_winnings numeric, withdrawals_payable numeric, total numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT w.wallets, s.open_stakes, d.withheld, d.withdrawals, w.wallets + s.open_stakes + d.withheld + d.withdrawals
      FROM (SELECT coalesce((SELECT sum(p.balance) FROM casino.player p), 0.00)
                   - coalesce((SELECT sum(l.amount * k.wallet_sign) FROM casino.ledger l JOIN casino.entry_kinds() k ON k.kind = l.kind
                                WHERE l.posted_at > liability.at), 0.00) AS wallets) w
     CROSS JOIN (SELECT coalesce(sum(s.amount), 0.00) AS open_stakes
                   FROM (SELECT r.round_id FROM casino.round r WHERE r.status IN ('open', 'closed') AND r.opened_at <= liability.at
                         UNION ALL
                         SELECT r.round_id FROM casino.round r WHERE r.evaluated_at > liability.at AND r.opened_at <= liability.at) r
                   JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake' AND s.posted_at <= liability.at
                  WHERE NOT EXISTS (SELECT FROM casino.ledger f
                                     WHERE f.player_id = s.player_id AND f.stake_entry_no = s.entry_no AND f.posted_at <= liability.at)) s
     CROSS JOIN (SELECT coalesce(sum(d.amount) FILTER (WHERE d.what = 'winnings'), 0.00) AS withheld,
                        coalesce(sum(d.amount) FILTER (WHERE d.what = 'withdrawal'), 0.00) AS withdrawals
                   FROM casino.payment_deadline(liability.at) d) d
$fn$;
COMMENT ON FUNCTION casino.liability(timestamptz) IS 'CZK owed to players at a time (default: now): wallets, stakes of rounds not evaluated, winnings held back, withdrawals asked for and not paid, and all together';

-- ------------------------------------------------------------------------------------------------ players and persons

CREATE FUNCTION casino.player_day(from_day date, to_day date)
RETURNS TABLE (day date, player_id bigint, deposits numeric, withdrawn numeric, paid_out numeric, adjustments numeric, rounds bigint, wagers bigint,
               staked numeric, returned numeric, winnings numeric, result numeric, corrected numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT e.day, e.player_id, e.deposits, e.withdrawn, e.paid_out, e.adjustments, e.rounds, e.wagers, e.staked, e.returned, e.winnings,
           e.winnings + e.returned - e.staked + e.corrected, e.corrected
      FROM (SELECT (l.posted_at AT TIME ZONE 'Europe/Prague')::date AS day, l.player_id,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind = 'deposit'), 0.00) AS deposits,
                   coalesce(sum(CASE l.kind WHEN 'withdrawal' THEN l.amount ELSE -l.amount END) FILTER (WHERE l.kind IN ('withdrawal', 'withdrawal_cancelled')), 0.00) AS withdrawn,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind IN ('cash_paid', 'transfer_paid')), 0.00) AS paid_out,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind = 'adjustment'), 0.00) AS adjustments,
                   count(DISTINCT l.round_id) FILTER (WHERE l.kind = 'stake') AS rounds,
                   count(*) FILTER (WHERE l.kind = 'stake') AS wagers,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind = 'stake'), 0.00) AS staked,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind = 'refund'), 0.00) AS returned,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind = 'payout'), 0.00) AS winnings,
                   coalesce(sum(l.amount) FILTER (WHERE l.kind IN ('correction', 'adjustment') AND l.round_id IS NOT NULL), 0.00) AS corrected
              FROM casino.ledger l
             WHERE l.posted_at >= player_day.from_day::timestamp AT TIME ZONE 'Europe/Prague'
               AND l.posted_at < (player_day.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
             GROUP BY 1, 2) e
     ORDER BY e.day, e.player_id
$fn$;
COMMENT ON FUNCTION casino.player_day(date, date) IS 'By Prague day and player: money in, withdrawals asked for less those cancelled, money paid out, corrections, rounds and wagers, stakes, stakes returned, winnings, and the result of play, negative when he lost; corrected is what of that corrections of results, and adjustments that name a round, gave; by the day of each posting';

-- One person may have several accounts.  The 24 hours end with an entry of the day; one exactly 24 hours before is not among them (D4 §11.2 a, R9.4).
CREATE FUNCTION casino.person_day(from_day date, to_day date)
RETURNS TABLE (day date, external_ref text, accounts bigint, deposits numeric, cash_in numeric, cash_out numeric, transfers_out numeric, staked numeric,
               winnings numeric, cash_in_24h numeric, cash_out_24h numeric, money_in_24h numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT e.day, e.external_ref, count(DISTINCT e.player_id), sum(e.money_in), sum(e.cash_in), sum(e.cash_out), sum(e.transfer),
           sum(e.stake), sum(e.win), max(e.cash_in_24h), max(e.cash_out_24h), max(e.money_in_24h)
      FROM (SELECT (m.posted_at AT TIME ZONE 'Europe/Prague')::date AS day, m.*,
                   sum(m.cash_in) OVER last_24h AS cash_in_24h, sum(m.cash_out) OVER last_24h AS cash_out_24h, sum(m.money_in) OVER last_24h AS money_in_24h
              FROM (SELECT p.external_ref, l.player_id, l.posted_at,
                           CASE WHEN l.kind = 'deposit' THEN l.amount ELSE 0.00 END AS money_in,
                           CASE WHEN l.kind = 'deposit' AND l.method IN (SELECT w.method FROM casino.payment_method w WHERE w.is_cash) THEN l.amount ELSE 0.00 END AS cash_in,
                           CASE WHEN l.kind = 'cash_paid' THEN l.amount ELSE 0.00 END AS cash_out,
                           CASE WHEN l.kind = 'transfer_paid' THEN l.amount ELSE 0.00 END AS transfer,
                           CASE WHEN l.kind = 'stake' THEN l.amount WHEN l.kind = 'refund' THEN -l.amount ELSE 0.00 END AS stake,
                           CASE WHEN l.kind IN ('payout', 'correction') THEN l.amount ELSE 0.00 END AS win
                      FROM casino.ledger l
                      JOIN casino.player p ON p.player_id = l.player_id
                     WHERE l.posted_at > person_day.from_day::timestamp AT TIME ZONE 'Europe/Prague' - interval '24 hours'
                       AND l.posted_at < (person_day.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague'
                       AND l.kind IN ('deposit', 'cash_paid', 'transfer_paid', 'stake', 'refund', 'payout', 'correction')) m
            WINDOW last_24h AS (PARTITION BY m.external_ref ORDER BY m.posted_at RANGE interval '23:59:59.999999' PRECEDING)) e
     WHERE e.day BETWEEN person_day.from_day AND person_day.to_day
     GROUP BY e.day, e.external_ref
     ORDER BY e.day, e.external_ref
$fn$;
COMMENT ON FUNCTION casino.person_day(date, date) IS 'By Prague day and person, all accounts together: money in, cash in and out, transfers out, stakes less those returned, winnings, and the most cash in, cash out and money in within any 24 hours that end on the day, for the duties against money laundering';

CREATE FUNCTION casino.large_win(from_day date, to_day date, at_least numeric DEFAULT 100000)
RETURNS TABLE (day date, evaluated_at timestamptz, player_id bigint, external_ref text, game text, table_name text, round_id bigint, round_ref text,
               staked numeric, won numeric, profit numeric, withheld numeric, corrected numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH corrected AS MATERIALIZED (
        SELECT c.player_id, c.round_id, max(c.day) AS day, sum(c.amount) AS amount
          FROM casino.figure_corrections(large_win.from_day, large_win.to_day) c GROUP BY c.player_id, c.round_id),
    evaluated AS (
        SELECT f.day, f.evaluated_at, f.player_id, f.round_id, f.table_id, sum(f.staked) AS staked, sum(f.paid + f.withheld) AS won, sum(f.withheld) AS withheld
          FROM casino.figure_wagers(large_win.from_day, large_win.to_day) f
         WHERE NOT f.returned AND f.evaluated_at IS NOT NULL AND f.status IN ('settled', 'withheld', 'voided')
         GROUP BY f.day, f.evaluated_at, f.player_id, f.round_id, f.table_id),
    -- of rounds that were evaluated before: what the last version gives the player
    later AS (
        SELECT c.day, r.evaluated_at, c.player_id, c.round_id, r.table_id, sum(w.staked) AS staked, sum(w.payout) - c.amount AS won, 0.00 AS withheld
          FROM corrected c
          JOIN casino.round r ON r.round_id = c.round_id
          JOIN casino.evaluation w ON w.round_id = c.round_id AND w.player_id = c.player_id
         WHERE NOT EXISTS (SELECT FROM evaluated e WHERE e.round_id = c.round_id AND e.player_id = c.player_id)
         GROUP BY c.day, r.evaluated_at, c.player_id, c.round_id, r.table_id, c.amount)
    SELECT w.day, w.evaluated_at, w.player_id, p.external_ref, t.game, t.name, w.round_id, r.round_ref, w.staked, w.won + w.corrected,
           w.won + w.corrected - w.staked, w.withheld, w.corrected
      FROM (SELECT x.*, coalesce(c.amount, 0.00) AS corrected
              FROM (SELECT e.* FROM evaluated e UNION ALL SELECT l.* FROM later l) x
              LEFT JOIN corrected c ON c.round_id = x.round_id AND c.player_id = x.player_id) w
      JOIN casino.player p ON p.player_id = w.player_id
      JOIN casino.game_table t ON t.table_id = w.table_id
      JOIN casino.round r ON r.round_id = w.round_id
     WHERE w.won + w.corrected - w.staked >= large_win.at_least
     ORDER BY w.won + w.corrected - w.staked DESC, w.evaluated_at, w.player_id
$fn$;
COMMENT ON FUNCTION casino.large_win(date, date, numeric) IS 'Who won at least so much in one round evaluated on Prague days (R9.5), all his wagers of the round together: what he got less what he staked on it. withheld is what of it is not paid yet, corrected what corrections on these days added: a round evaluated before is listed on the day of its correction';

-- A line an entry, in the order of their times; the balance is reckoned in that order, so that one period closes with what the next opens with.
CREATE FUNCTION casino.player_statement(player_id bigint, from_day date, to_day date)
RETURNS TABLE (line_no bigint, at timestamptz, entry_no bigint, kind text, game text, table_name text, round_ref text, bet text, change numeric,
               balance numeric, result text, grade text, payout numeric, reason text, automatic boolean)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE ROWS 1000;
COMMENT ON FUNCTION casino.player_statement(bigint, date, date) IS 'A player''s statement over Prague days: the opening balance first, then his entries in the order of their times with game, table, round and bet, then the closing balance. The line of a stake has what became of it and what it was paid, as far as that is known now; automatic marks games that were finished without him';

CREATE FUNCTION casino.player_statement_impl(player_id bigint, from_day date, to_day date)
RETURNS TABLE (line_no bigint, at timestamptz, entry_no bigint, kind text, game text, table_name text, round_ref text, bet text, change numeric,
               balance numeric, result text, grade text, payout numeric, reason text, automatic boolean)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    first CONSTANT timestamptz := player_statement_impl.from_day::timestamp AT TIME ZONE 'Europe/Prague';
    next CONSTANT timestamptz := (player_statement_impl.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague';
    opening numeric;
BEGIN
    SELECT p.balance - coalesce((SELECT sum(l.amount * k.wallet_sign) FROM casino.ledger l JOIN casino.entry_kinds() k ON k.kind = l.kind
                                  WHERE l.player_id = player_statement_impl.player_id AND l.posted_at >= first), 0.00)
      INTO opening FROM casino.player p WHERE p.player_id = player_statement_impl.player_id;
    IF NOT FOUND THEN
        PERFORM casino.refuse_unknown_player(player_statement_impl.player_id);
    END IF;
    RETURN QUERY
    WITH entry AS MATERIALIZED (
        SELECT row_number() OVER in_time AS line_no, l.*, l.amount * k.wallet_sign AS change,
               opening + sum(l.amount * k.wallet_sign) OVER in_time AS balance_then
          FROM casino.ledger l
          JOIN casino.entry_kinds() k ON k.kind = l.kind
         WHERE l.player_id = player_statement_impl.player_id AND l.posted_at >= first AND l.posted_at < next
        WINDOW in_time AS (ORDER BY l.posted_at, l.entry_no)
    )
    SELECT 0::bigint, first, NULL::bigint, 'opening', NULL, NULL, NULL, NULL, NULL::numeric, opening, NULL, NULL, NULL::numeric, NULL, NULL::boolean
    UNION ALL
    SELECT e.line_no, e.posted_at, e.entry_no, e.kind, t.game, t.name, r.round_ref, coalesce(e.bet, s.bet)::text, e.change, e.balance_then,
           w.status, coalesce(e.grade, w.grade), w.payout, e.reason,
           CASE WHEN e.kind = 'stake' THEN EXISTS (SELECT FROM casino.automatic_completion a
                                                    WHERE a.player_id = e.player_id AND a.round_id = e.round_id AND a.automatic) END
      FROM entry e
      LEFT JOIN casino.round r ON r.round_id = e.round_id
      LEFT JOIN casino.game_table t ON t.table_id = r.table_id
      LEFT JOIN casino.ledger s ON s.player_id = e.player_id AND s.entry_no = e.stake_entry_no
      LEFT JOIN LATERAL (SELECT x.status, x.grade, x.payout FROM casino.wager x
                          WHERE e.kind = 'stake' AND x.player_id = e.player_id AND x.entry_no = e.entry_no) w ON true
    UNION ALL
    SELECT (SELECT count(*) + 1 FROM entry), next, NULL, 'closing', NULL, NULL, NULL, NULL, (SELECT coalesce(sum(e.change), 0.00) FROM entry e),
           opening + (SELECT coalesce(sum(e.change), 0.00) FROM entry e), NULL, NULL, NULL, NULL, NULL
     ORDER BY 1;
END
$fn$;
COMMENT ON FUNCTION casino.player_statement_impl(bigint, date, date) IS 'Body of player_statement(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------------------ protection

CREATE FUNCTION casino.protection(at timestamptz DEFAULT clock_timestamp())
RETURNS TABLE (player_id bigint, external_ref text, protection text, source text, since timestamptz, until timestamptz, amount numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT x.player_id, p.external_ref, x.protection, x.source, x.since, x.until, x.amount
      FROM (SELECT e.player_id, 'exclusion' AS protection, e.source, e.excluded_from AS since, e.excluded_until AS until, NULL::numeric AS amount
              FROM casino.exclusion_period e WHERE e.excluded_from <= protection.at AND e.excluded_until > protection.at
            UNION ALL
            SELECT m.player_id, 'limit', f.measure || ' a ' || f.period, h.effective_from, f.next_from, f.amount
              FROM (SELECT DISTINCT l.player_id FROM casino.player_limit l WHERE l.effective_from <= protection.at) m
             CROSS JOIN LATERAL casino.limits_in_force(m.player_id, protection.at) f
             CROSS JOIN LATERAL (SELECT l.effective_from FROM casino.player_limit l
                                  WHERE l.player_id = m.player_id AND l.measure = f.measure AND l.period = f.period AND l.effective_from <= protection.at
                                  ORDER BY l.limit_no DESC LIMIT 1) h
             WHERE f.amount IS NOT NULL
            UNION ALL
            -- a break is due after an evaluation of the last quarter of an hour
            SELECT b.player_id, 'break', 'betting sequence', q.started_at, q.ends_at, NULL
              FROM (SELECT DISTINCT s.player_id
                      FROM casino.round r
                      JOIN casino.ledger s ON s.round_id = r.round_id AND s.kind = 'stake'
                     WHERE r.evaluated_at > protection.at - interval '15 minutes' AND r.evaluated_at <= protection.at) b
              JOIN casino.betting_sequence q ON q.player_id = b.player_id
             WHERE q.break_due AND q.last_evaluated_at <= protection.at AND q.ends_at > protection.at) x
      JOIN casino.player p ON p.player_id = x.player_id
     ORDER BY x.player_id, x.protection, x.source, x.since
$fn$;
COMMENT ON FUNCTION casino.protection(timestamptz) IS 'Who is protected at a time (default: now) and how: exclusions and breaks with their end, limits with their amount and the time a laxer one asked for comes into effect (D4 §6.2, §6.5, §8.3)';

-- ------------------------------------------------------------------------------------------------ tables against expectation

-- What a day's stakes were to bring.  All that one round decides is taken together: of roulette number by number, of other games as if
-- every bet had the same cards, so that the variance is not too small (R9.3).
CREATE FUNCTION casino.expected_result(day date)
RETURNS TABLE (table_id bigint, plan_id bigint, result numeric, expected numeric, variance numeric)
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
    WITH position AS MATERIALIZED (
        SELECT w.round_id, w.table_id, w.plan_id, w.kind, w.selection, sum(w.staked) AS staked, sum(w.won) AS won
          FROM casino.watched_wagers(expected_result.day) w
         GROUP BY w.round_id, w.table_id, w.plan_id, w.kind, w.selection
    ), plan_return AS MATERIALIZED (
        SELECT k.plan_id, k.kind, k.covers, coalesce(r.selection, '') AS selection, r.rtp, sqrt(r.variance) AS deviation, r.best_num::numeric / r.best_den + 1 AS most
          FROM (SELECT DISTINCT p.plan_id, p.kind, g.family = 'roulette' AS covers
                  FROM position p JOIN casino.game_plan n ON n.plan_id = p.plan_id JOIN casino.game g ON g.game = n.game) k
         CROSS JOIN LATERAL casino.plan_returns(k.plan_id, k.kind) r
         WHERE r.rtp IS NOT NULL
    ), counted AS MATERIALIZED (
        SELECT p.*, r.rtp, r.deviation, r.most, r.covers
          FROM position p JOIN plan_return r ON r.plan_id = p.plan_id AND r.kind = p.kind AND r.selection = p.selection
    ), number AS (
        SELECT c.round_id, n.number, sum(c.staked * c.most) AS back
          FROM counted c
         CROSS JOIN LATERAL unnest(CASE WHEN c.covers THEN casino.covers(casino.bet(c.kind, nullif(c.selection, ''), 1)) END) AS n (number)
         GROUP BY c.round_id, n.number
    ), wheel AS (
        SELECT n.round_id, sum(n.back * n.back) / 37 - (sum(n.back) / 37) ^ 2 AS variance FROM number n GROUP BY n.round_id
    ), of_round AS (
        SELECT c.round_id, c.table_id, c.plan_id, -sum(c.won) AS result, sum(c.staked * (1 - c.rtp)) AS expected,
               coalesce(max(w.variance), sum(c.staked * c.deviation) ^ 2) AS variance
          FROM counted c
          LEFT JOIN wheel w ON w.round_id = c.round_id
         GROUP BY c.round_id, c.table_id, c.plan_id
    )
    SELECT o.table_id, o.plan_id, sum(o.result), sum(o.expected), sum(o.variance) FROM of_round o GROUP BY o.table_id, o.plan_id
$fn$;
COMMENT ON FUNCTION casino.expected_result(date) IS 'Part of daily_table(): what the house won on a day from bets whose return is counted, what it was to win, and the variance of that';

CREATE FUNCTION casino.daily_table(from_day date, to_day date)
RETURNS TABLE (day date, game text, table_id bigint, table_name text, plan_id bigint, plan_version integer, rounds_settled bigint, rounds_withheld bigint,
               rounds_voided bigint, rounds_open bigint, wagers bigint, staked numeric, won numeric, withheld numeric, returned numeric, ggr numeric,
               hold numeric, expected_hold numeric, z numeric, corrected numeric)
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C STABLE STRICT PARALLEL UNSAFE ROWS 100;
COMMENT ON FUNCTION casino.daily_table(date, date) IS 'By Prague day of the evaluation, table and plan version: rounds by status (those not evaluated on the day they were opened), wagers that stand, stakes, what was won of them, what of that is held back, stakes returned, GGR (stakes less what was won, less corrected), hold (GGR to stakes), the hold that the exact counts give for these stakes, and how many standard deviations the result is off; corrected is what corrections posted on the day, whenever the round was evaluated, gave the players. NULL where nothing was staked or nothing is counted';

CREATE FUNCTION casino.daily_table_impl(from_day date, to_day date)
RETURNS TABLE (day date, game text, table_id bigint, table_name text, plan_id bigint, plan_version integer, rounds_settled bigint, rounds_withheld bigint,
               rounds_voided bigint, rounds_open bigint, wagers bigint, staked numeric, won numeric, withheld numeric, returned numeric, ggr numeric,
               hold numeric, expected_hold numeric, z numeric, corrected numeric)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH of_round AS MATERIALIZED (
        SELECT f.day, f.table_id, f.plan_id, count(*) FILTER (WHERE f.status = 'settled') AS settled, count(*) FILTER (WHERE f.status = 'withheld') AS withheld,
               count(*) FILTER (WHERE f.status = 'voided') AS voided, count(*) FILTER (WHERE f.status IN ('open', 'closed')) AS open
          FROM casino.figure_rounds(daily_table_impl.from_day, daily_table_impl.to_day) f
         GROUP BY f.day, f.table_id, f.plan_id
    ), of_wager AS MATERIALIZED (
        SELECT f.day, f.table_id, f.plan_id, count(*) FILTER (WHERE NOT f.returned) AS wagers,
               coalesce(sum(f.staked) FILTER (WHERE NOT f.returned), 0.00) AS staked, sum(f.paid + f.withheld) AS won, sum(f.withheld) AS withheld,
               coalesce(sum(f.staked) FILTER (WHERE f.returned), 0.00) AS returned
          FROM casino.figure_wagers(daily_table_impl.from_day, daily_table_impl.to_day) f
         WHERE f.evaluated_at IS NOT NULL
         GROUP BY f.day, f.table_id, f.plan_id
    ), of_correction AS MATERIALIZED (
        SELECT c.day, c.table_id, c.plan_id, sum(c.amount) AS amount
          FROM casino.figure_corrections(daily_table_impl.from_day, daily_table_impl.to_day) c GROUP BY c.day, c.table_id, c.plan_id
    ), expectation AS MATERIALIZED (
        SELECT d.day, e.* FROM (SELECT DISTINCT r.day FROM of_round r) d CROSS JOIN LATERAL casino.expected_result(d.day) e
    )
    SELECT k.day, t.game, k.table_id, t.name, k.plan_id, p.version, coalesce(r.settled, 0), coalesce(r.withheld, 0), coalesce(r.voided, 0), coalesce(r.open, 0),
           coalesce(w.wagers, 0), coalesce(w.staked, 0.00), coalesce(w.won, 0.00), coalesce(w.withheld, 0.00), coalesce(w.returned, 0.00),
           coalesce(w.staked - w.won, 0.00) - coalesce(c.amount, 0.00),
           round((w.staked - w.won - coalesce(c.amount, 0.00)) / nullif(w.staked, 0), 6), round(e.expected / nullif(w.staked, 0), 6),
           round((e.result - e.expected) / nullif(sqrt(e.variance), 0), 3), coalesce(c.amount, 0.00)
      FROM (SELECT x.day, x.table_id, x.plan_id FROM of_round x UNION SELECT y.day, y.table_id, y.plan_id FROM of_correction y) k
      JOIN casino.game_table t ON t.table_id = k.table_id
      JOIN casino.game_plan p ON p.plan_id = k.plan_id
      LEFT JOIN of_round r ON r.day = k.day AND r.table_id = k.table_id AND r.plan_id = k.plan_id
      LEFT JOIN of_wager w ON w.day = k.day AND w.table_id = k.table_id AND w.plan_id = k.plan_id
      LEFT JOIN of_correction c ON c.day = k.day AND c.table_id = k.table_id AND c.plan_id = k.plan_id
      LEFT JOIN expectation e ON e.day = k.day AND e.table_id = k.table_id AND e.plan_id = k.plan_id
     ORDER BY k.day, t.game, t.name, p.version;
END
$fn$;
COMMENT ON FUNCTION casino.daily_table_impl(date, date) IS 'Body of daily_table(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------------------ events, recall

CREATE FUNCTION casino.significant_event(from_day date, to_day date)
RETURNS TABLE (at timestamptz, event text, player_id bigint, round_id bigint, entry_no bigint, amount numeric, reason text, detail jsonb,
               recorded_at timestamptz, role text, actor text)
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    first CONSTANT timestamptz := significant_event.from_day::timestamp AT TIME ZONE 'Europe/Prague';
    next CONSTANT timestamptz := (significant_event.to_day + 1)::timestamp AT TIME ZONE 'Europe/Prague';
BEGIN
    RETURN QUERY
    SELECT e.at, e.event, e.player_id, e.round_id, e.entry_no, e.amount, e.reason, jsonb_strip_nulls(e.detail), e.recorded_at, w.role, w.actor
      FROM (SELECT b.occurred_at AS at, 'breach: ' || b.rule AS event, b.player_id, NULL::bigint AS round_id, b.entry_no, NULL::numeric AS amount,
                   NULL::text AS reason, b.detail, b.recorded_at, b.recorded_by
              FROM casino.breach b WHERE b.occurred_at >= first AND b.occurred_at < next
            UNION ALL
            SELECT l.posted_at, 'correction', l.player_id, l.round_id, l.entry_no, l.amount, l.reason, '{}', l.recorded_at, l.recorded_by
              FROM casino.ledger l WHERE l.posted_at >= first AND l.posted_at < next AND l.kind = 'adjustment'
            UNION ALL
            SELECT r.voided_at, 'round voided', NULL, r.round_id, NULL, r.paid, r.void_reason,
                   jsonb_build_object('evaluated_at', CASE WHEN r.voided_at > r.evaluated_at THEN r.evaluated_at END), r.evaluation_recorded_at, r.voided_by
              FROM casino.round r WHERE r.voided_at >= first AND r.voided_at < next
            UNION ALL
            SELECT r.withheld_at, 'winnings of a round withheld', NULL, r.round_id, NULL, r.paid, r.withheld_reason, '{}', r.evaluation_recorded_at, r.withheld_by
              FROM casino.round r WHERE r.withheld_at >= first AND r.withheld_at < next
            UNION ALL
            SELECT r.withheld_paid_at, 'winnings of a round released', NULL, r.round_id, NULL, r.paid, r.withheld_paid_reason,
                   jsonb_build_object('withheld_at', r.withheld_at), NULL, r.withheld_paid_by
              FROM casino.round r WHERE r.withheld_paid_at >= first AND r.withheld_paid_at < next
            UNION ALL
            SELECT h.withheld_at, 'winnings of a player withheld', h.player_id, h.round_id, NULL, NULL, h.reason, '{}', h.recorded_at, h.recorded_by
              FROM casino.withholding h WHERE h.withheld_at >= first AND h.withheld_at < next
            UNION ALL
            SELECT n.ended_at, 'withholding ended: ' || n.how, n.player_id, n.round_id, NULL, NULL, n.reason, '{}', n.recorded_at, n.recorded_by
              FROM casino.withholding_end n WHERE n.ended_at >= first AND n.ended_at < next
            UNION ALL
            SELECT x.corrected_at, 'cards corrected', NULL, x.round_id, NULL, NULL, x.reason,
                   jsonb_build_object('deal_no', x.deal_no, 'wrong_deal_no', x.wrong_deal_no, 'wagers_stand', x.wagers_stand, 'returned', x.returned), x.recorded_at, x.recorded_by
              FROM casino.deal_correction x WHERE x.corrected_at >= first AND x.corrected_at < next
            UNION ALL
            SELECT x.proposed_at, 'correction of a result proposed', NULL, x.round_id, NULL, NULL, x.reason, jsonb_build_object('correction_no', x.correction_no), x.recorded_at, x.recorded_by
              FROM casino.round_correction x WHERE x.proposed_at >= first AND x.proposed_at < next
            UNION ALL
            SELECT x.decided_at, CASE x.status WHEN 'rejected' THEN 'correction of a result rejected' ELSE 'result corrected' END, NULL, x.round_id, NULL, x.posted, x.reason,
                   jsonb_build_object('correction_no', x.correction_no, 'version', x.version, 'claimed', x.claimed), x.recorded_at, x.recorded_by
              FROM casino.correction_decision x WHERE x.decided_at >= first AND x.decided_at < next
            UNION ALL
            SELECT x.claimed_at, 'claim', x.player_id, x.round_id, x.stake_entry_no, x.amount, NULL, jsonb_build_object('claim_no', x.claim_no), x.recorded_at, x.recorded_by
              FROM casino.claim x WHERE x.claimed_at >= first AND x.claimed_at < next
            UNION ALL
            SELECT x.ended_at, 'claim ended: ' || x.how, NULL, NULL, NULL, NULL, x.reason, jsonb_build_object('claim_no', x.claim_no), x.recorded_at, x.recorded_by
              FROM casino.claim_end x WHERE x.ended_at >= first AND x.ended_at < next
            UNION ALL
            SELECT d.disconnected_at, 'disconnected after betting closed', d.player_id, d.round_id, NULL, NULL, NULL, '{}', d.recorded_at, d.recorded_by
              FROM casino.disconnection d WHERE d.disconnected_at >= first AND d.disconnected_at < next
            UNION ALL
            SELECT x.excluded_from, 'exclusion: ' || x.source, x.player_id, NULL, NULL, NULL, NULL, jsonb_build_object('until', x.excluded_until), x.recorded_at, x.recorded_by
              FROM casino.exclusion x WHERE x.excluded_from >= first AND x.excluded_from < next
            UNION ALL
            SELECT x.ended_at, 'exclusion ended', x.player_id, NULL, NULL, NULL, x.reason, jsonb_build_object('exclusion_no', x.exclusion_no), x.recorded_at, x.recorded_by
              FROM casino.exclusion_end x WHERE x.ended_at >= first AND x.ended_at < next
            UNION ALL
            SELECT x.requested_at, 'limit set', x.player_id, NULL, NULL, x.amount, NULL,
                   jsonb_build_object('measure', x.measure, 'period', x.period, 'effective_from', x.effective_from), x.recorded_at, x.recorded_by
              FROM casino.player_limit x WHERE x.requested_at >= first AND x.requested_at < next
            UNION ALL
            SELECT x.registered_at, 'payment account registered', x.player_id, NULL, NULL, NULL, NULL, jsonb_build_object('account', x.account), x.recorded_at, x.recorded_by
              FROM casino.payment_account x WHERE x.registered_at >= first AND x.registered_at < next
            UNION ALL
            SELECT x.approved_at, 'transfer approved', x.player_id, NULL, x.entry_no, NULL, NULL, '{}', x.recorded_at, x.recorded_by
              FROM casino.withdrawal_approval x WHERE x.approved_at >= first AND x.approved_at < next
            UNION ALL
            SELECT x.excused_at, 'delay excused', x.player_id, NULL, x.entry_no, NULL, x.reason, '{}', x.recorded_at, x.recorded_by
              FROM casino.excused_delay x WHERE x.excused_at >= first AND x.excused_at < next
            UNION ALL
            SELECT x.refused_at, 'refused: ' || x.action, x.player_id, x.round_id, NULL, x.amount, x.message, jsonb_build_object('code', x.code, 'detail', x.detail), x.recorded_at, x.recorded_by
              FROM casino.refusal x WHERE x.refused_at >= first AND x.refused_at < next
            UNION ALL
            SELECT x.handed_at, 'box handed over', x.owner, x.round_id, NULL, NULL, NULL, jsonb_build_object('seat', x.seat, 'former_owner', x.former_owner), x.recorded_at, x.recorded_by
              FROM casino.box_handover x WHERE x.handed_at >= first AND x.handed_at < next
            UNION ALL
            SELECT greatest(v.valid_from, v.recorded_at), 'table limits set', NULL, NULL, NULL, NULL, NULL,
                   jsonb_build_object('table_id', v.table_id, 'version', v.version, 'min_stake', v.min_stake, 'max_stake', v.max_stake), v.recorded_at, v.recorded_by
              FROM casino.table_version v WHERE greatest(v.valid_from, v.recorded_at) >= first AND greatest(v.valid_from, v.recorded_at) < next
            UNION ALL
            SELECT p.valid_from, 'plan in force', NULL, NULL, NULL, NULL, p.document, jsonb_build_object('game', p.game, 'version', p.version), NULL, p.recorded_by
              FROM casino.game_plan p WHERE p.valid_from >= first AND p.valid_from < next) e
      LEFT JOIN casino.recorder w ON w.recorder_id = e.recorded_by
     ORDER BY e.at, e.event, e.player_id, e.round_id, e.entry_no;
END
$fn$;
COMMENT ON FUNCTION casino.significant_event(date, date) IS 'What happened on Prague days beside play: breaches, corrections, voided rounds, winnings withheld and released, disconnections, exclusions, limits, payment accounts, approvals, excuses, refusals, boxes handed over, new limits of tables and plans, each with who recorded it';

CREATE FUNCTION casino.game_recall(round_id bigint) RETURNS jsonb
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    played casino.round;
BEGIN
    SELECT r.* INTO played FROM casino.round r WHERE r.round_id = game_recall.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', game_recall.round_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN jsonb_build_object(
        'round', jsonb_build_object('round_id', played.round_id, 'round_ref', played.round_ref, 'status', played.status, 'void_reason', played.void_reason,
                                    'withheld_reason', played.withheld_reason,
                                    'withheld_paid_reason', played.withheld_paid_reason, 'wagers', played.wagers, 'players', played.players, 'staked', played.staked,
                                    'paid', played.paid),
        'times', jsonb_build_object('opened', played.opened_at, 'betting_until', played.betting_until, 'betting_closed', played.betting_closed_at,
                                    'actions_closed', played.actions_closed_at,
                                    'evaluated', played.evaluated_at, 'evaluation_recorded', played.evaluation_recorded_at, 'withheld', played.withheld_at,
                                    'withheld_paid', played.withheld_paid_at, 'voided', played.voided_at),
        'table', (SELECT jsonb_build_object('table_id', t.table_id, 'name', t.name, 'game', t.game, 'version', v.version, 'min_stake', v.min_stake,
                                            'max_stake', v.max_stake, 'surrender', v.surrender, 'behind', v.behind, 'seats', v.seats,
                                            'limits', (SELECT coalesce(jsonb_object_agg(m.kind, jsonb_build_object('min', m.min_stake, 'max', m.max_stake)), '{}')
                                                         FROM casino.table_limit m WHERE m.table_id = v.table_id AND m.version = v.version))
                    FROM casino.game_table t
                    JOIN casino.table_version v ON v.table_id = t.table_id AND v.version = played.table_version
                   WHERE t.table_id = played.table_id),
        'plan', (SELECT jsonb_build_object('plan_id', p.plan_id, 'version', p.version, 'document', p.document, 'valid_from', p.valid_from,
                            'round_max_stake', p.round_max_stake, 'declared_round_win', p.declared_round_win,
                            'rules', (SELECT coalesce(jsonb_object_agg(x.rule, jsonb_build_object('value', x.value, 'paragraph', x.paragraph)), '{}')
                                        FROM casino.plan_rule x WHERE x.plan_id = p.plan_id),
                            'bets', (SELECT coalesce(jsonb_object_agg(b.kind, jsonb_build_object(
                                                'min_stake', b.min_stake, 'max_stake', b.max_stake, 'declared_win', b.declared_win, 'paragraph', b.paragraph,
                                                'pays', (SELECT coalesce(jsonb_object_agg(y.grade, jsonb_build_object('odds', y.num || ':' || y.den, 'paragraph', y.paragraph)), '{}')
                                                           FROM casino.paytable y WHERE y.plan_id = b.plan_id AND y.kind = b.kind))), '{}')
                                       FROM casino.bet_rule b
                                      WHERE b.plan_id = p.plan_id
                                        AND b.kind IN (SELECT casino.kind(s.bet) FROM casino.ledger s WHERE s.round_id = played.round_id AND s.kind = 'stake')))
                   FROM casino.game_plan p WHERE p.plan_id = played.plan_id),
        'document', played.outcome_document,
        'outcome', played.outcome,
        'deals', (SELECT coalesce(jsonb_agg(jsonb_build_object('deal_no', d.deal_no, 'at', d.dealt_at, 'recorded', d.recorded_at, 'document', d.document)
                                              || CASE WHEN c.round_id IS NULL THEN '{}' ELSE jsonb_build_object('corrects', jsonb_build_object(
                                                     'wrong_deal_no', c.wrong_deal_no, 'reason', c.reason, 'wagers_stand', c.wagers_stand, 'returned', c.returned,
                                                     'role', w.role, 'actor', w.actor)) END ORDER BY d.deal_no), '[]')
                    FROM casino.deal d
                    LEFT JOIN casino.deal_correction c ON c.round_id = d.round_id AND c.deal_no = d.deal_no
                    LEFT JOIN casino.recorder w ON w.recorder_id = c.recorded_by
                   WHERE d.round_id = played.round_id),
        'cards', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('side', d.side, 'seat', nullif(d.seat, 0), 'group', nullif(d.group_no, 0), 'hand', d.hand,
                                                'cards', d.cards::text, 'surrendered', nullif(d.surrendered, false), 'folded', nullif(d.folded, false),
                                                'even_money', nullif(d.even_money, false), 'even_money_players', nullif(d.even_money_players, '{}'),
                                                'players', nullif(d.players, '{}')))
                                            ORDER BY d.side, d.seat, d.group_no, d.hand), '[]')
                    FROM casino.dealt_hand d WHERE d.round_id = played.round_id),
        'wagers', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                            'player_id', w.player_id, 'entry_no', w.entry_no, 'at', w.posted_at, 'bet', w.bet::text, 'seat', w.seat, 'hand', w.hand, 'staked', w.staked,
                            'request_id', w.request_id, 'status', w.status, 'grade', w.grade, 'payout', w.payout, 'paid_entry_no', w.paid_entry_no,
                            'paid_at', p.posted_at, 'paid_kind', p.kind, 'reason', p.reason)) ORDER BY w.posted_at, w.player_id, w.entry_no), '[]')
                     FROM casino.wager w
                     LEFT JOIN casino.ledger p ON p.player_id = w.player_id AND p.entry_no = w.paid_entry_no
                    WHERE w.round_id = played.round_id),
        'handovers', (SELECT coalesce(jsonb_agg(jsonb_build_object('seat', h.seat, 'owner', h.owner, 'former_owner', h.former_owner, 'at', h.handed_at)
                                                ORDER BY h.seat, h.handover_no), '[]')
                        FROM casino.box_handover h WHERE h.round_id = played.round_id),
        'disconnections', (SELECT coalesce(jsonb_agg(jsonb_build_object('player_id', d.player_id, 'at', d.disconnected_at) ORDER BY d.disconnected_at, d.player_id), '[]')
                             FROM casino.disconnection d WHERE d.round_id = played.round_id),
        'withholdings', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('player_id', h.player_id, 'reason', h.reason, 'at', h.withheld_at,
                                                       'ended', h.how, 'ended_at', h.ended_at, 'end_reason', h.end_reason)) ORDER BY h.player_id), '[]')
                           FROM (SELECT player_id, w.reason, w.withheld_at, e.how, e.reason AS end_reason, e.ended_at
                                   FROM (SELECT o.* FROM casino.withholding o WHERE o.round_id = played.round_id) w
                                   -- of a round withheld as a whole single players are paid or voided, too
                                   FULL JOIN (SELECT o.* FROM casino.withholding_end o WHERE o.round_id = played.round_id) e USING (player_id)) h),
        -- a correction names its round, and is one of a player who had a stake there or of nobody else
        'corrections', (SELECT coalesce(jsonb_agg(jsonb_build_object('player_id', l.player_id, 'entry_no', l.entry_no, 'amount', l.amount, 'reason', l.reason, 'at', l.posted_at)
                                                  ORDER BY l.posted_at, l.player_id, l.entry_no), '[]')
                          FROM casino.ledger l WHERE l.round_id = played.round_id AND l.kind IN ('adjustment', 'correction')),
        'versions', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('correction_no', c.correction_no, 'version', d.version, 'decision', coalesce(d.status, 'waits'),
                                                   'document', c.outcome_document, 'reason', c.reason, 'proposed', c.proposed_at, 'decided', d.decided_at,
                                                   'rejected_because', d.reason, 'entries', d.entries, 'posted', d.posted, 'claimed', d.claimed,
                                                   'proposed_by', p.actor, 'proposed_role', p.role, 'decided_by', q.actor, 'decided_role', q.role)) || jsonb_build_object('former', d.former)
                                               ORDER BY c.correction_no), '[]')
                       FROM casino.round_correction c
                       LEFT JOIN casino.correction_decision d ON d.correction_no = c.correction_no
                       LEFT JOIN casino.recorder p ON p.recorder_id = c.recorded_by
                       LEFT JOIN casino.recorder q ON q.recorder_id = d.recorded_by
                      WHERE c.round_id = played.round_id),
        'claims', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('claim_no', m.claim_no, 'player_id', m.player_id, 'stake_entry_no', m.stake_entry_no, 'amount', m.amount,
                                                 'at', m.claimed_at, 'ended', e.how, 'ended_at', e.ended_at, 'end_reason', e.reason)) ORDER BY m.player_id, m.claim_no), '[]')
                     FROM casino.claim m LEFT JOIN casino.claim_end e ON e.claim_no = m.claim_no
                    WHERE m.round_id = played.round_id),
        'breaches', (SELECT coalesce(jsonb_agg(jsonb_build_object('player_id', b.player_id, 'entry_no', b.entry_no, 'rule', b.rule, 'at', b.occurred_at, 'detail', b.detail)
                                               ORDER BY b.player_id, b.entry_no, b.rule), '[]')
                       FROM casino.ledger s JOIN casino.breach b ON b.player_id = s.player_id AND b.entry_no = s.entry_no
                      WHERE s.round_id = played.round_id AND s.kind = 'stake'),
        'recorded_by', (SELECT jsonb_object_agg(x.act, jsonb_strip_nulls(jsonb_build_object('role', w.role, 'actor', w.actor)))
                          FROM (VALUES ('opened', played.opened_by), ('betting_closed', played.betting_closed_by), ('actions_closed', played.actions_closed_by),
                                       ('evaluated', played.evaluated_by), ('withheld', played.withheld_by), ('withheld_paid', played.withheld_paid_by),
                                       ('voided', played.voided_by)) AS x (act, recorder)
                          JOIN casino.recorder w ON w.recorder_id = x.recorder));
END
$fn$;
COMMENT ON FUNCTION casino.game_recall(bigint) IS 'Everything that is kept of a round in one value: limits of the table then, plan with its paragraphs, times, the outcome document as it was received, deals as they came, cards, wagers with their decisions and payments, corrections, breaches, and who recorded what';
-- The report of a day: its figures in one value, and as a page that reads well on paper, on a phone, in light and dark.  The page is made
-- by SQL/XML functions, which escape what people typed; nothing of it is put together as text but numbers.

CREATE FUNCTION casino.daily_report(day date) RETURNS jsonb
LANGUAGE sql STABLE STRICT SET search_path = pg_catalog, pg_temp SET timezone = 'Europe/Prague' SET datestyle = 'ISO' AS $fn$
    SELECT jsonb_build_object(
        'day', daily_report.day,
        'tables', (SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY t.game, t.table_name), '[]') FROM casino.daily_table(daily_report.day, daily_report.day) t),
        'ggr', (SELECT coalesce(jsonb_agg(jsonb_build_object('day', g.day, 'game', g.game, 'ggr', g.ggr) ORDER BY g.day, g.game), '[]')
                  FROM (SELECT t.day, t.game, sum(t.ggr) AS ggr FROM casino.daily_table(daily_report.day - 6, daily_report.day) t GROUP BY t.day, t.game) g),
        'tax_base', (SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') FROM casino.tax_base(daily_report.day, daily_report.day) t),
        'accounts', (SELECT jsonb_agg(to_jsonb(a)) FROM casino.account_movements(daily_report.day, daily_report.day) a),
        'liability', (SELECT to_jsonb(l) FROM casino.liability((daily_report.day + 1)::timestamp AT TIME ZONE 'Europe/Prague' - interval '1 microsecond') l),
        'stakes_by_hour', (SELECT jsonb_agg(coalesce(s.staked, 0.00) ORDER BY h.hour)
                             FROM generate_series(0, 23) h (hour)
                             LEFT JOIN (SELECT extract(hour FROM l.posted_at AT TIME ZONE 'Europe/Prague')::integer AS hour, sum(l.amount) AS staked
                                          FROM casino.ledger l
                                         WHERE l.kind = 'stake' AND l.posted_at >= daily_report.day::timestamp AT TIME ZONE 'Europe/Prague'
                                           AND l.posted_at < (daily_report.day + 1)::timestamp AT TIME ZONE 'Europe/Prague' GROUP BY 1) s ON s.hour = h.hour),
        'deadlines', (SELECT coalesce(jsonb_agg(jsonb_build_object('due_day', d.due, 'what', d.what, 'count', d.number, 'amount', d.amount) ORDER BY d.due, d.what), '[]')
                        FROM (SELECT (p.due_at AT TIME ZONE 'Europe/Prague')::date - 1 AS due, p.what, count(*) AS number, sum(p.amount) AS amount
                                FROM casino.payment_deadline((daily_report.day + 1)::timestamp AT TIME ZONE 'Europe/Prague' - interval '1 microsecond') p GROUP BY 1, 2) d),
        'large_wins', (SELECT coalesce(jsonb_agg(to_jsonb(w)), '[]') FROM casino.large_win(daily_report.day, daily_report.day) w),
        'events', (SELECT coalesce(jsonb_agg(to_jsonb(e)), '[]') FROM (SELECT * FROM casino.significant_event(daily_report.day, daily_report.day) LIMIT 1000) e),
        'differences', (SELECT coalesce(jsonb_agg(jsonb_build_object('run_no', d.run_no, 'difference_no', d.difference_no, 'check_name', d.check_name, 'rule', d.rule,
                                    'player_id', d.player_id, 'round_id', d.round_id, 'entry_no', d.entry_no, 'expected', d.expected, 'found', d.found,
                                    'note', (SELECT n.note FROM casino.difference_note n WHERE n.run_no = d.run_no AND n.difference_no = d.difference_no ORDER BY n.note_no DESC LIMIT 1))
                                    ORDER BY d.difference_no), '[]')
                          FROM (SELECT x.* FROM casino.difference x
                                 WHERE x.run_no = (SELECT max(r.run_no) FROM casino.reconciliation r WHERE r.from_day <= daily_report.day AND r.to_day = daily_report.day)
                                 ORDER BY x.difference_no LIMIT 1000) d),
        'reconciliation', (SELECT to_jsonb(r) FROM casino.reconciliation r WHERE r.from_day <= daily_report.day AND r.to_day = daily_report.day ORDER BY r.run_no DESC LIMIT 1))
$fn$;
COMMENT ON FUNCTION casino.daily_report(date) IS 'The report of a Prague day in one value: tables, GGR of the week, tax base, accounts, liability at its end, stakes by hour, deadlines ahead, large wins, events, what the last reconciliation of the day found';

CREATE FUNCTION casino.keep_daily_report(run_no bigint, day date) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    INSERT INTO casino.day_report (day, run_no, report, made_at) VALUES (day, run_no, casino.daily_report(day), clock_timestamp());
END
$fn$;
COMMENT ON FUNCTION casino.keep_daily_report(bigint, date) IS 'Part of reconciliation_step(): keeps daily_report() of the day as the night found it';

-- Rows of a table from an array of objects; columns by name, those that start with # are numbers.
CREATE FUNCTION casino.report_table(title text, rows jsonb, columns text[]) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT xmlelement(name section, xmlelement(name h2, report_table.title),
               CASE WHEN jsonb_array_length(report_table.rows) = 0 THEN xmlelement(name p, 'None.')
                    ELSE xmlelement(name div, xmlattributes('wide' AS class), xmlelement(name "table",
                        xmlelement(name thead, xmlelement(name tr, (SELECT xmlagg(xmlelement(name th, xmlattributes(CASE WHEN c LIKE '#%' THEN 'n' END AS class),
                                                                                               replace(ltrim(c, '#'), '_', ' ')) ORDER BY n)
                                                                      FROM unnest(report_table.columns) WITH ORDINALITY u (c, n)))),
                        -- xmlagg() copies all it has for each row: fifty rows, fifty of fifty, and those
                        xmlelement(name tbody, (SELECT xmlagg(m.rows ORDER BY m.n)
                            FROM (SELECT f.n / 50 AS n, xmlagg(f.rows ORDER BY f.n) AS rows
                                    FROM (SELECT (r.ordinality - 1) / 50 AS n,
                                                 xmlagg(xmlelement(name tr, (SELECT xmlagg(xmlelement(name td, xmlattributes(CASE WHEN c LIKE '#%' THEN 'n' END AS class),
                                                                                                      -- characters that XML does not have
                                                                                                      regexp_replace(coalesce(r.value ->> ltrim(c, '#'), ''),
                                                                                                                     '[\u0001-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]', '?', 'g')) ORDER BY u.n)
                                                                               FROM unnest(report_table.columns) WITH ORDINALITY u (c, n))) ORDER BY r.ordinality) AS rows
                                            FROM jsonb_array_elements(report_table.rows) WITH ORDINALITY r
                                           GROUP BY 1) f
                                   GROUP BY 1) m)))) END)
$fn$;
COMMENT ON FUNCTION casino.report_table(text, jsonb, text[]) IS 'Part of daily_report_html(): a table of a page';

-- Bars around zero, one below the other, so that names can be read on a phone too: label and value each; with a band, its middle and half width.
CREATE FUNCTION casino.report_bars(title text, labels text[], amounts numeric[], middles numeric[] DEFAULT NULL, halves numeric[] DEFAULT NULL) RETURNS xml
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    WITH bar AS (
        SELECT b.n, b.label, coalesce(b.amount, 0) AS amount, b.middle, coalesce(b.half, 0) AS half
          FROM unnest(report_bars.labels, report_bars.amounts, report_bars.middles, report_bars.halves) WITH ORDINALITY b (label, amount, middle, half, n)
    ), scale AS (
        SELECT count(*) AS bars, greatest(max(b.amount), max(b.middle + b.half), 0) AS most, least(min(b.amount), min(b.middle - b.half), 0) AS least FROM bar b
    ), place AS (
        SELECT b.*, (b.n - 1) * 20 AS y, round(170 + 220 * (least(b.amount, 0) - s.least) / nullif(s.most - s.least, 0), 1) AS x, round(220 * abs(b.amount) / nullif(s.most - s.least, 0), 1) AS width,
               round(170 + 220 * (b.middle - b.half - s.least) / nullif(s.most - s.least, 0), 1) AS band_x, round(440 * b.half / nullif(s.most - s.least, 0), 1) AS band_width,
               round(170 + 220 * (0 - s.least) / nullif(s.most - s.least, 0), 1) AS zero
          FROM bar b CROSS JOIN scale s
    )
    SELECT xmlelement(name section, xmlelement(name h2, report_bars.title),
               CASE WHEN NOT EXISTS (SELECT FROM place p WHERE p.x IS NOT NULL) THEN xmlelement(name p, 'None.') ELSE
               xmlelement(name svg, xmlattributes('http://www.w3.org/2000/svg' AS xmlns, format('0 0 480 %s', (SELECT s.bars * 20 + 2 FROM scale s)) AS "viewBox",
                                                                'img' AS role, report_bars.title AS "aria-label"),
                   (SELECT xmlagg(xmlelement(name g,
                        xmlelement(name title, p.label || ': ' || p.amount),
                        CASE WHEN p.middle IS NOT NULL THEN xmlelement(name rect, xmlattributes('band' AS class, p.band_x AS x, p.y + 1 AS y, greatest(p.band_width, 1) AS width, 18 AS height)) END,
                        xmlelement(name rect, xmlattributes(CASE WHEN p.amount < 0 THEN 'minus' ELSE 'plus' END AS class, p.x AS x, p.y + 5 AS y, p.width AS width, 10 AS height)),
                        xmlelement(name text, xmlattributes(0 AS x, p.y + 14 AS y), CASE WHEN length(p.label) > 26 THEN left(p.label, 25) || '…' ELSE p.label END),
                        xmlelement(name text, xmlattributes('v' AS class, 480 AS x, p.y + 14 AS y), p.amount::text)) ORDER BY p.n) FROM place p),
                   (SELECT xmlelement(name line, xmlattributes(max(p.zero) AS x1, max(p.zero) AS x2, 0 AS y1, max(p.y) + 20 AS y2)) FROM place p)) END)
$fn$;
COMMENT ON FUNCTION casino.report_bars(text, text[], numeric[], numeric[], numeric[]) IS 'Part of daily_report_html(): bars as SVG, with the band in which they were to be';

CREATE FUNCTION casino.daily_report_html(day date) RETURNS text
LANGUAGE plpgsql STABLE STRICT SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT jsonb := casino.daily_report(day);
    style CONSTANT text := 'body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:82em;padding:1em;color:#1b1b1b;background:#fff}'
        'h1{font-size:1.5em}h2{font-size:1.1em;margin:1.4em 0 .4em}table{border-collapse:collapse;font-size:.9em}th,td{padding:.25em .6em;border-bottom:1px solid #ccc;text-align:left;vertical-align:top}'
        'th{vertical-align:bottom;font-weight:600}td{min-width:6em;max-width:26em;overflow-wrap:anywhere}td:first-child{min-width:10.5em}td.n{min-width:0}.n{text-align:right;font-variant-numeric:tabular-nums;}td.n{white-space:nowrap}.wide{overflow-x:auto}'
        'svg{width:100%;max-width:640px;height:auto;display:block}svg text{font-size:11px;fill:#333}svg .v{text-anchor:end;font-variant-numeric:tabular-nums}'
        'svg line{stroke:#888}.plus{fill:#2a6f97}.minus{fill:#b5383b}.band{fill:#e6d9a8}.bad{color:#b5383b}.good{color:#2b7a3d}'
        '@media (min-width:64em){.plots{columns:2}.plots section{break-inside:avoid}.plots section:first-child h2{margin-top:0}.plots{margin-top:1.4em}}'
        '@media (prefers-color-scheme:dark){body{color:#e4e4e4;background:#16181b}th,td{border-color:#444}svg text{fill:#d0d0d0}.plus{fill:#6db1d6}.minus{fill:#e57a77}.band{fill:#4d4526}.bad{color:#ef8a87}.good{color:#7fc98f}}'
        '@media (max-width:40em){body{padding:.6em;font-size:14px}svg text{font-size:12.5px}}'
        '@page{size:A4 landscape;margin:12mm}'
        '@media print{.plots{break-before:page}h2{break-inside:avoid}body{color:#000;background:#fff;max-width:none;padding:0}.plots{columns:2}svg,tr{break-inside:avoid}h2{break-after:avoid}.wide{overflow:visible}table{font-size:7.5pt}th,td{padding:.2em .35em;border-color:#aaa}td{min-width:4em}td:first-child{min-width:8em}'
        'svg text{fill:#000}.plus{fill:#2a6f97}.minus{fill:#b5383b}.band{fill:#e6d9a8}.bad{color:#b5383b}.good{color:#2b7a3d}rect{print-color-adjust:exact}}';
    body xml;
BEGIN
    SELECT xmlconcat(
        xmlelement(name h1, 'Gaming day ' || day),
        xmlelement(name p, xmlattributes(CASE WHEN r #>> '{reconciliation,status}' = 'clean' THEN 'good' ELSE 'bad' END AS class),
                   CASE WHEN r -> 'reconciliation' = 'null' THEN 'The day was not reconciled.'
                        ELSE format('Reconciliation %s: %s, %s differences.', r #>> '{reconciliation,run_no}', r #>> '{reconciliation,status}', jsonb_array_length(r -> 'differences')) END),
        casino.report_table('Differences', r -> 'differences', '{check_name,rule,#player_id,#round_id,#entry_no,expected,found,note}'),
        casino.report_table('Owed at the end of the day, CZK', jsonb_build_array(r -> 'liability'), '{#wallets,#open_stakes,#withheld_winnings,#withdrawals_payable,#total}'),
        casino.report_table('Tables', (SELECT coalesce(jsonb_agg(t || jsonb_build_object('hold', round((t ->> 'hold')::numeric, 3),
                                                                                            'expected_hold', round((t ->> 'expected_hold')::numeric, 3)) ORDER BY n), '[]')
                                                    FROM jsonb_array_elements(r -> 'tables') WITH ORDINALITY x (t, n)), '{game,table_name,#rounds_settled,#rounds_withheld,#rounds_voided,#rounds_open,#wagers,#staked,#won,#withheld,#returned,#ggr,#hold,#expected_hold,#z}'),
        xmlelement(name div, xmlattributes('plots' AS class),
            (SELECT casino.report_bars('Hold by table against expectation (band: two standard deviations)', array_agg(t ->> 'table_name'), array_agg(round((t ->> 'hold')::numeric, 3)),
                                       array_agg((t ->> 'expected_hold')::numeric),
                                       array_agg(abs(2 * ((t ->> 'hold')::numeric - (t ->> 'expected_hold')::numeric) / nullif((t ->> 'z')::numeric, 0))))
               FROM jsonb_array_elements(r -> 'tables') t WHERE t ->> 'hold' IS NOT NULL),
            (SELECT casino.report_bars('GGR by game and day, CZK', array_agg(substr(g ->> 'day', 6) || ' ' || (g ->> 'game') ORDER BY n), array_agg((g ->> 'ggr')::numeric ORDER BY n))
               FROM jsonb_array_elements(r -> 'ggr') WITH ORDINALITY x (g, n)),
            (SELECT casino.report_bars('Stakes by hour, CZK', array_agg((n - 1)::text ORDER BY n), array_agg(h::text::numeric ORDER BY n)) FROM jsonb_array_elements(r -> 'stakes_by_hour') WITH ORDINALITY x (h, n)),
            (SELECT casino.report_bars('Deadlines ahead, CZK by the last day', array_agg((d ->> 'due_day') || ' ' || (d ->> 'what') ORDER BY n), array_agg((d ->> 'amount')::numeric ORDER BY n))
               FROM jsonb_array_elements(r -> 'deadlines') WITH ORDINALITY x (d, n))),
        casino.report_table('Accounts, CZK', r -> 'accounts', '{account,#opening,#debits,#credits,#closing}'),
        casino.report_table('Tax base, CZK', r -> 'tax_base', '{game,#stakes,#returned,#winnings,#corrected,#base}'),
        casino.report_table('Large wins', r -> 'large_wins', '{external_ref,game,table_name,round_ref,#staked,#won,#profit,#withheld}'),
        casino.report_table('Events', (SELECT coalesce(jsonb_agg(jsonb_set(e, '{at}', to_jsonb(replace(left(e ->> 'at', 19), 'T', ' '))) ORDER BY n), '[]')
                                          FROM jsonb_array_elements(r -> 'events') WITH ORDINALITY x (e, n)), '{at,event,#player_id,#round_id,#entry_no,#amount,reason,role,actor}')) INTO body;
    RETURN '<!DOCTYPE html>' || E'\n' || xmlelement(name html, xmlattributes('en' AS lang),
        xmlelement(name head, xmlelement(name meta, xmlattributes('utf-8' AS charset)), xmlelement(name meta, xmlattributes('viewport' AS name, 'width=device-width, initial-scale=1' AS content)),
                   xmlelement(name title, 'Gaming day ' || day), xmlelement(name style, style)),
        xmlelement(name body, body))::text;
END
$fn$;
COMMENT ON FUNCTION casino.daily_report_html(date) IS 'daily_report() as one self-contained page, for the screen, a phone and paper, light and dark; nothing in it is a script or fetched, and what people typed is escaped';
-- The event stream: a publication of the ledger and the rounds. Whoever reads it is ahead of nobody: rows come when they are committed.

CREATE FUNCTION casino.publish(publication name DEFAULT 'casino') RETURNS name
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    missing CONSTANT text := (SELECT string_agg('casino.' || t.name, ', ') FROM unnest('{ledger,round}'::text[]) t (name)
                               WHERE NOT EXISTS (SELECT FROM pg_publication_tables p
                                                  WHERE p.pubname = publish.publication AND p.schemaname = 'casino' AND p.tablename = t.name));
BEGIN
    IF publication IS NULL THEN
        RAISE EXCEPTION 'publication must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_publication p WHERE p.pubname = publish.publication) THEN
        EXECUTE format('CREATE PUBLICATION %I FOR TABLE %s', publication, missing);
        EXECUTE format('COMMENT ON PUBLICATION %I IS %L', publication, 'Entries of casino.ledger and rounds of casino as they are committed');
    ELSIF missing IS NOT NULL THEN
        EXECUTE format('ALTER PUBLICATION %I ADD TABLE %s', publication, missing);
    END IF;
    RETURN publication;
END
$fn$;
COMMENT ON FUNCTION casino.publish(name) IS 'Makes a publication of the ledger and the rounds for logical replication, or completes it, and returns its name; the same again changes nothing. Its reader needs a role with REPLICATION and, for the first copy, the profile stream';
-- What a hub calls in a cell (doc/scale.md): one function for calls that change something, one for what is read.  Both are for the
-- hub's role (profile hub) and nobody else; they run as the owner of the ledger, so that no other right is needed.

CREATE TYPE casino.cell_answer AS (
    cell    integer,
    code    text,
    message text,
    detail  text,
    hint    text,
    result  jsonb,
    obeyed  bigint
);
COMMENT ON TYPE casino.cell_answer IS 'What a cell says to a call of its hub: its own number, the SQLSTATE (00000: done), the message of a refusal, and the result';
COMMENT ON COLUMN casino.cell_answer.cell IS 'Number of the cell that answers';
COMMENT ON COLUMN casino.cell_answer.code IS 'SQLSTATE; 00000: done, or done before';
COMMENT ON COLUMN casino.cell_answer.message IS 'Why not';
COMMENT ON COLUMN casino.cell_answer.detail IS 'Detail of the message';
COMMENT ON COLUMN casino.cell_answer.hint IS 'Hint of the message';
COMMENT ON COLUMN casino.cell_answer.result IS 'What the function called has returned';
COMMENT ON COLUMN casino.cell_answer.obeyed IS 'Last decision on the table that the cell has obeyed; 0: none';

-- Calls that only the hub makes in a cell: they tell all cells the same, or draw numbers that are the hub's
CREATE FUNCTION casino.hub_calls(OUT name text) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 12 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT unnest('{register_player,add_game_table,set_table_limits,open_round,close_betting,deal,close_actions,hand_over_box,check_outcome,settle_round,void_round,pay_withheld,withhold_winnings,void_wagers}'::text[])
$fn$;
COMMENT ON FUNCTION casino.hub_calls() IS 'Functions that in a cell nobody but the hub calls: they must be told to all cells alike';

CREATE FUNCTION casino.in_cell() RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN to_regclass('casino.cell') IS NOT NULL AND EXISTS (SELECT FROM casino.cell);
END
$fn$;
COMMENT ON FUNCTION casino.in_cell() IS 'Is this database a cell of a hub';

CREATE FUNCTION casino.for_hub_only(routine oid) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN casino.in_cell()
           AND EXISTS (SELECT FROM pg_proc p
                        WHERE p.oid = routine
                          AND p.proname IN (SELECT c.name FROM casino.hub_calls() c));
END
$fn$;
COMMENT ON FUNCTION casino.for_hub_only(oid) IS 'Part of grant_access(): is it a function that in this cell only the hub calls';

CREATE FUNCTION casino.obey(decision_no bigint, call text, arguments jsonb, dry boolean DEFAULT false, actor text DEFAULT NULL, epoch bigint DEFAULT 0,
                            table_id bigint DEFAULT NULL, told jsonb DEFAULT NULL, in_order boolean DEFAULT true) RETURNS casino.cell_answer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.obey(bigint, text, jsonb, boolean, text, bigint, bigint, jsonb, boolean) IS
'In a cell: carries out a call of the hub and says what came of it, a refusal too; dry: says what would come of it and changes nothing. A hub of an earlier epoch than one obeyed before is refused. told: what the cells have said to have obeyed on the table, {"cell": decision_no}; a cell that has obeyed less does nothing but say so. in_order: false for a decision before which others are missing';

-- R13.18: of two copies of a hub the one that has asked the cells last decides.  Who is told something holds the lock shared until that is
-- committed, so that a hub that takes over reads what the other one has told.
CREATE FUNCTION casino.obeys(epoch bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    taken_over CONSTANT text := 'hub epoch';
BEGIN
    IF epoch > (SELECT s.last_value FROM casino.hub_epoch_seq s) THEN
        PERFORM casino.take_lock(taken_over);
        PERFORM setval('casino.hub_epoch_seq', greatest(obeys.epoch, (SELECT s.last_value FROM casino.hub_epoch_seq s)));
    ELSE
        PERFORM casino.take_lock(taken_over, shared => true);
    END IF;
    RETURN epoch >= (SELECT s.last_value FROM casino.hub_epoch_seq s);
END
$fn$;
COMMENT ON FUNCTION casino.obeys(bigint) IS 'Part of obey(): is it the hub that has taken over last; a later one is noted';

-- A lock that somebody holds on must not hold up the hub, which goes on with the other cells (R13.37)
CREATE FUNCTION casino.obey_impl(decision_no bigint, call text, arguments jsonb, dry boolean, actor text, epoch bigint, table_id bigint, told jsonb, in_order boolean)
RETURNS casino.cell_answer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $fn$
DECLARE
    answer casino.cell_answer;
    a CONSTANT jsonb := arguments;
    at CONSTANT timestamptz := (arguments ->> 'at')::timestamptz;
    round_id CONSTANT bigint := (arguments ->> 'round_id')::bigint;
BEGIN
    SELECT c.cell INTO answer.cell FROM casino.cell c;
    IF answer.cell IS NULL THEN
        RAISE EXCEPTION 'this database is not a cell' USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'casino.become_cell() makes it one.';
    END IF;
    IF NOT casino.obeys(coalesce(epoch, 0)) THEN
        answer.code := '55000';
        answer.message := 'another hub has taken over';
        answer.detail := format('This cell obeys a hub of epoch %s, this one is of epoch %s.', (SELECT s.last_value FROM casino.hub_epoch_seq s), coalesce(epoch, 0));
        answer.hint := 'Stop this hub; the other one has read from the cells what was decided.';
        answer.result := jsonb_build_object('epoch', (SELECT s.last_value FROM casino.hub_epoch_seq s));
        RETURN answer;
    END IF;
    -- R13.31: a cell that was put back to an earlier state agrees to nothing, and does nothing, before it has been told again
    SELECT o.decision_no INTO answer.obeyed FROM casino.obeyed o WHERE o.table_id = obey_impl.table_id;
    answer.obeyed := coalesce(answer.obeyed, 0);
    IF answer.obeyed < (told ->> answer.cell::text)::bigint THEN
        answer.code := '55000';
        answer.message := 'this cell has lost what it had obeyed';
        answer.detail := format('The last decision on table %s that it knows of is %s, the hub has its answer to %s.', table_id, answer.obeyed, told ->> answer.cell::text);
        answer.hint := 'casino.catch_up() at the hub tells it again.';
        answer.result := jsonb_build_object('obeyed', answer.obeyed);
        RETURN answer;
    END IF;
    answer.code := '00000';
    -- who decided at the hub is recorded with what he decided
    PERFORM set_config('casino.actor', coalesce(actor, ''), true);
    BEGIN
        CASE call
            WHEN 'follow' THEN
                NULL;
            WHEN 'register_player' THEN
                answer.result := to_jsonb(casino.register_player(a ->> 'external_ref'));
            WHEN 'add_game_table' THEN
                answer.result := to_jsonb(casino.add_game_table(a ->> 'game', a ->> 'name', (a ->> 'min_stake')::numeric, (a ->> 'max_stake')::numeric,
                                                                a -> 'options', (a ->> 'table_id')::bigint));
            WHEN 'set_table_limits' THEN
                answer.result := to_jsonb(casino.set_table_limits((a ->> 'table_id')::bigint, (a ->> 'min_stake')::numeric, (a ->> 'max_stake')::numeric,
                                                                  a -> 'options', at));
            WHEN 'open_round' THEN
                answer.result := to_jsonb(casino.open_round((a ->> 'table_id')::bigint, a ->> 'round_ref', at, round_id, (a ->> 'betting_until')::timestamptz));
                PERFORM casino.require_same_plan(round_id, (a ->> 'plan_version')::integer);
            WHEN 'close_betting' THEN
                PERFORM casino.close_betting(round_id, at);
            WHEN 'deal' THEN
                PERFORM casino.deal(round_id, a -> 'document', at);
            WHEN 'close_actions' THEN
                PERFORM casino.close_actions(round_id, at);
            WHEN 'hand_over_box' THEN
                PERFORM casino.hand_over_box(round_id, (a ->> 'seat')::integer, (a ->> 'player_id')::bigint, at);
            WHEN 'check_outcome' THEN
                answer.result := to_jsonb(casino.check_outcome(round_id, a -> 'outcome', at));
            WHEN 'try_outcome' THEN
                -- of a round that is still played: what would come of closing it now
                PERFORM casino.close_betting(round_id, at);
                IF (a ->> 'in_play')::boolean THEN
                    PERFORM casino.close_actions(round_id, at);
                END IF;
                PERFORM casino.check_outcome(round_id, a -> 'outcome', at);
            WHEN 'settle_round' THEN
                -- told once more after it was withheld and voided
                IF NOT EXISTS (SELECT FROM casino.round r WHERE r.round_id = (a ->> 'round_id')::bigint AND r.status = 'voided' AND r.outcome_document = a -> 'outcome') THEN
                    answer.result := to_jsonb(casino.settle_round(round_id, a -> 'outcome', at, (a ->> 'withhold')::boolean, a ->> 'withhold_reason'));
                END IF;
            WHEN 'void_round' THEN
                answer.result := to_jsonb(casino.void_round(round_id, a ->> 'reason', at));
            WHEN 'pay_withheld' THEN
                answer.result := to_jsonb(casino.pay_withheld_for(round_id, at, (a ->> 'player_id')::bigint, a ->> 'reason', a ->> 'authority'));
            WHEN 'withhold_winnings' THEN
                PERFORM casino.withhold_winnings(round_id, (a ->> 'player_id')::bigint, a ->> 'reason', at);
            WHEN 'void_wagers' THEN
                answer.result := to_jsonb(casino.void_wagers(round_id, (a ->> 'player_id')::bigint, a ->> 'reason', at));
            ELSE
                RAISE EXCEPTION 'unknown call "%"', call USING ERRCODE = 'invalid_parameter_value';
        END CASE;
        IF dry THEN
            RAISE EXCEPTION 'dry run' USING ERRCODE = 'KD000';
        END IF;
        IF decision_no > 0 AND in_order AND table_id IS NOT NULL THEN
            answer.obeyed := casino.note_obeyed(table_id, decision_no);
        END IF;
    EXCEPTION
        WHEN SQLSTATE 'KD000' THEN
            NULL;
        WHEN OTHERS THEN
            GET STACKED DIAGNOSTICS answer.code = RETURNED_SQLSTATE, answer.message = MESSAGE_TEXT,
                answer.detail = PG_EXCEPTION_DETAIL, answer.hint = PG_EXCEPTION_HINT;
            answer.result := NULL;
    END;
    RETURN answer;
END
$fn$;
COMMENT ON FUNCTION casino.obey_impl(bigint, text, jsonb, boolean, text, bigint, bigint, jsonb, boolean) IS 'Body of obey(), run as the owner of the ledger';

-- Decisions on a table come in their order; an earlier one that comes again changes nothing.
CREATE FUNCTION casino.note_obeyed(of_table bigint, decision bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    last bigint;
BEGIN
    INSERT INTO casino.obeyed AS o VALUES (of_table, decision, clock_timestamp())
        ON CONFLICT (table_id) DO UPDATE SET decision_no = EXCLUDED.decision_no, obeyed_at = EXCLUDED.obeyed_at WHERE o.decision_no < EXCLUDED.decision_no;
    SELECT o.decision_no INTO STRICT last FROM casino.obeyed o WHERE o.table_id = of_table;
    RETURN last;
END
$fn$;
COMMENT ON FUNCTION casino.note_obeyed(bigint, bigint) IS 'Part of obey(): the last decision on a table that was carried out here';

-- R13.14: a round is settled by the plan it was opened under, cells that would settle by different ones must not open it
CREATE FUNCTION casino.require_same_plan(round_id bigint, version integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    here record;
BEGIN
    SELECT p.game, p.version INTO here FROM casino.round r JOIN casino.game_plan p ON p.plan_id = r.plan_id WHERE r.round_id = require_same_plan.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', round_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    IF here.version <> require_same_plan.version THEN
        RAISE EXCEPTION 'version % of the plan of % is in force here, version % at the hub', here.version, here.game, require_same_plan.version
            USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Load the same plan versions at the hub and in all cells, then call casino.catch_up() at the hub.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.require_same_plan(bigint, integer) IS 'Part of obey(): 55000 when a round would be played by another plan version than at the hub';

CREATE FUNCTION casino.cell_read(what text, arguments jsonb DEFAULT '{}', OUT cell integer, OUT data jsonb) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.cell_read(text, jsonb) IS 'In a cell: what the hub reads of it, a row each: report, rounds, tables, persons, and the figures that are summed';

CREATE FUNCTION casino.cell_read_impl(what text, arguments jsonb, OUT cell integer, OUT data jsonb) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $fn$
#variable_conflict use_column
DECLARE
    a CONSTANT jsonb := arguments;
    me integer;
    at CONSTANT timestamptz := (arguments ->> 'at')::timestamptz;
    first CONSTANT date := (arguments ->> 'from_day')::date;
    last CONSTANT date := (arguments ->> 'to_day')::date;
    since CONSTANT timestamptz := (arguments ->> 'since')::timestamptz;
BEGIN
    SELECT c.cell INTO me FROM casino.cell c;
    CASE what
        WHEN 'report' THEN
            RETURN QUERY SELECT me, to_jsonb(s) || casino.cell_presence() || casino.cell_report() FROM casino.cell_state() s;
        WHEN 'presence' THEN
            RETURN QUERY SELECT me, casino.cell_presence();
        WHEN 'rounds' THEN
            RETURN QUERY
                SELECT me, jsonb_build_object('round_id', r.round_id, 'table_id', r.table_id, 'round_ref', r.round_ref, 'status', r.status, 'opened_at', r.opened_at,
                                              'betting_until', r.betting_until, 'betting_closed_at', r.betting_closed_at, 'actions_closed_at', r.actions_closed_at,
                                              'evaluated_at', r.evaluated_at, 'outcome', r.outcome_document,
                                              'withheld_paid_at', r.withheld_paid_at, 'withheld_paid_reason', r.withheld_paid_reason,
                                              'withheld_at', r.withheld_at, 'withheld_reason', r.withheld_reason,
                                              'voided_at', r.voided_at, 'reason', r.void_reason, 'plan_version', p.version,
                                              'deals', (SELECT jsonb_agg(jsonb_build_object('document', d.document, 'at', d.dealt_at) ORDER BY d.deal_no)
                                                          FROM casino.deal d WHERE d.round_id = r.round_id))
                  FROM casino.round r JOIN casino.game_plan p ON p.plan_id = r.plan_id
                 WHERE r.status IN ('open', 'closed', 'withheld') OR r.opened_at >= since OR r.evaluated_at >= since OR r.voided_at >= since OR r.withheld_paid_at >= since
                 ORDER BY r.round_id;
        WHEN 'tables' THEN
            -- a row for each version of its limits
            RETURN QUERY
                SELECT me, jsonb_build_object('table_id', t.table_id, 'game', t.game, 'name', t.name, 'home_cell', t.home_cell, 'min_stake', v.min_stake, 'max_stake', v.max_stake,
                                              'version', v.version, 'valid_from', v.valid_from,
                                              'options', jsonb_strip_nulls(jsonb_build_object('seats', v.seats, 'home_cell', t.home_cell))
                                                         || jsonb_build_object('surrender', v.surrender, 'behind', v.behind, 'limits', casino.table_limits_of(t.table_id, v.version)))
                  FROM casino.game_table t JOIN casino.table_version v ON v.table_id = t.table_id
                 ORDER BY t.table_id, v.version;
        WHEN 'persons' THEN
            RETURN QUERY SELECT DISTINCT me, jsonb_build_object('external_ref', p.external_ref) FROM casino.player p WHERE p.registered_at >= since;
        WHEN 'round_figures' THEN
            RETURN QUERY
                SELECT me, jsonb_build_object('round_id', r.round_id, 'status', r.status, 'outcome', r.outcome, 'wagers', r.wagers, 'players', r.players,
                                              'staked', r.staked, 'paid', r.paid)
                  FROM casino.round r WHERE r.evaluated_at >= casino.day_start(first) AND r.evaluated_at < casino.day_start(last + 1);
        WHEN 'trial_balance' THEN
            RETURN QUERY SELECT me, to_jsonb(t) FROM casino.trial_balance t;
        WHEN 'open_rounds' THEN
            RETURN QUERY SELECT me, to_jsonb(o) FROM casino.open_rounds(at) o;
        WHEN 'daily_table' THEN
            RETURN QUERY SELECT me, to_jsonb(t) FROM casino.daily_table(first, last) t;
        WHEN 'tax_base' THEN
            RETURN QUERY SELECT me, to_jsonb(t) FROM casino.tax_base(first, last) t;
        WHEN 'account_movements' THEN
            RETURN QUERY SELECT me, to_jsonb(m) FROM casino.account_movements(first, last) m;
        WHEN 'liability' THEN
            RETURN QUERY SELECT me, to_jsonb(l) FROM casino.liability(at) l;
        WHEN 'night' THEN
            RETURN QUERY
                SELECT me, to_jsonb(n) || jsonb_build_object('differences', (SELECT count(*) FROM casino.difference d WHERE d.run_no = n.run_no),
                                                             'seal', (SELECT max(s.seal_no) FROM casino.day_seal s WHERE s.day = n.to_day))
                  FROM (SELECT r.* FROM casino.reconciliation r WHERE r.night AND r.from_day = first ORDER BY r.run_no DESC LIMIT 1) n;
        ELSE
            RAISE EXCEPTION 'unknown reading "%"', what USING ERRCODE = 'invalid_parameter_value';
    END CASE;
END
$fn$;
COMMENT ON FUNCTION casino.cell_read_impl(text, jsonb) IS 'Body of cell_read(), run as the owner of the ledger';

-- Which copy of the data answers: the timeline of the write-ahead log grows with every promotion and every restore to a point in time
CREATE FUNCTION casino.timeline() RETURNS integer
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer
$fn$;
COMMENT ON FUNCTION casino.timeline() IS 'Timeline of the server: another one than before tells that a standby was promoted or a backup restored';

CREATE FUNCTION casino.cell_presence() RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN jsonb_build_object(
        'cell', (SELECT c.cell FROM casino.cell c),
        'obeyed', (SELECT coalesce(jsonb_object_agg(o.table_id, o.decision_no), '{}') FROM casino.obeyed o),
        'epoch', (SELECT s.last_value FROM casino.hub_epoch_seq s),
        -- what a hub that is not older than this cell knows, too
        'last_round', (SELECT max(r.round_id) FROM casino.round r),
        'last_table', (SELECT max(t.table_id) FROM casino.game_table t),
        'last_person', (SELECT p.external_ref FROM casino.player p ORDER BY p.player_id DESC LIMIT 1));
END
$fn$;
COMMENT ON FUNCTION casino.cell_presence() IS 'Part of cell_read(): that the cell is there, what it has obeyed and what it knows of last';

CREATE FUNCTION casino.cell_report() RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN jsonb_build_object(
        'clock', clock_timestamp(),
        'last_clean_night', (SELECT max(r.to_day) FROM casino.reconciliation r WHERE r.night AND r.status = 'clean'),
        'players', (SELECT count(*) FROM casino.player),
        -- who else may make calls that are the hub's; the owner and superusers can whatever is granted
        'others', (SELECT coalesce(jsonb_agg(format('%s may call casino.%s()', CASE x.grantee WHEN 0 THEN 'everybody' ELSE pg_get_userbyid(x.grantee) END, p.proname)
                                             ORDER BY x.grantee, p.proname), '[]')
                     FROM pg_proc p CROSS JOIN LATERAL aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x
                    WHERE p.pronamespace = 'casino'::regnamespace AND x.grantee <> p.proowner AND casino.for_hub_only(p.oid)
                      AND NOT EXISTS (SELECT FROM pg_class l WHERE l.oid = 'casino.ledger'::regclass AND l.relowner = x.grantee)));
END
$fn$;
COMMENT ON FUNCTION casino.cell_report() IS 'Part of cell_read(): what the hub compares when a cell joins and from time to time';
-- The hub of several cells (doc/scale.md): its tables, the servers of PL/Proxy, and the functions of one server routed to the cells.
-- Everything here is made by install_hub(), owned by its caller and dumped; a database without PL/Proxy never needs it.

CREATE FUNCTION casino.install_hub_tables() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    CREATE TABLE casino.hub (
        only_one          boolean PRIMARY KEY CHECK (only_one),
        of_cells          integer NOT NULL CHECK (of_cells BETWEEN 1 AND 1024),
        role              name NOT NULL,
        betting_time      interval NOT NULL CHECK (betting_time > interval '0'),
        replayed          interval NOT NULL CHECK (replayed > interval '0'),
        system_identifier bigint NOT NULL,
        timeline          integer NOT NULL,
        database          oid NOT NULL,
        relation          oid NOT NULL,
        epoch             bigint NOT NULL CHECK (epoch > 0),
        superseded_at     timestamptz,
        away_until        timestamptz NOT NULL,
        installed_at      timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.hub IS 'This database is a hub: how many cells it can ever have, and which copy of it has decided last';
    COMMENT ON COLUMN casino.hub.only_one IS 'There is one row';
    COMMENT ON COLUMN casino.hub.of_cells IS 'Numbers of cells there can be, in use or free';
    COMMENT ON COLUMN casino.hub.role IS 'Role as which the hub tells the cells what was decided; there it has the profile hub';
    COMMENT ON COLUMN casino.hub.betting_time IS 'betting_until of a round for which none was given: so long after it was opened';
    COMMENT ON COLUMN casino.hub.replayed IS 'A restored hub asks the cells for what came so long before the last that it knows itself, and since then';
    COMMENT ON COLUMN casino.hub.system_identifier IS 'pg_control_system() of the server; another one: restored from a dump';
    COMMENT ON COLUMN casino.hub.timeline IS 'Timeline of the server that has asked the cells what they know; another one: it must ask again before it decides';
    COMMENT ON COLUMN casino.hub.database IS 'Object identifier of the database that has decided last; another one: restored from a dump, perhaps beside it';
    COMMENT ON COLUMN casino.hub.relation IS 'Object identifier of this table; another one: restored from a dump into the same database';
    COMMENT ON COLUMN casino.hub.epoch IS 'Grows with every hub that takes over; the cells refuse an earlier one';
    COMMENT ON COLUMN casino.hub.superseded_at IS 'A cell obeys a later hub: this one decides nothing, until install_hub() is run again';
    COMMENT ON COLUMN casino.hub.away_until IS 'Then it took over, or had to say that no cell could be reached: a close of betting called at the table before that may come late';
    COMMENT ON COLUMN casino.hub.installed_at IS 'When install_hub() was first run';

    CREATE TABLE casino.hub_cell (
        cell              integer PRIMARY KEY CHECK (cell >= 0),
        conninfo          text NOT NULL,
        added_at          timestamptz NOT NULL,
        takes_persons     boolean NOT NULL,
        persons           bigint NOT NULL CHECK (persons >= 0),
        down_since        timestamptz,
        down_reason       text,
        learned           boolean NOT NULL
    );
    COMMENT ON TABLE casino.hub_cell IS 'Cells in use';
    COMMENT ON COLUMN casino.hub_cell.cell IS 'Number of the cell';
    COMMENT ON COLUMN casino.hub_cell.conninfo IS 'Where it is, without a user; the servers casino and casino_cells have the same';
    COMMENT ON COLUMN casino.hub_cell.added_at IS 'When it was added';
    COMMENT ON COLUMN casino.hub_cell.takes_persons IS 'New persons may get their home here';
    COMMENT ON COLUMN casino.hub_cell.persons IS 'Persons whose home it is';
    COMMENT ON COLUMN casino.hub_cell.down_since IS 'It could not be reached; what is decided meanwhile waits for casino.catch_up()';
    COMMENT ON COLUMN casino.hub_cell.down_reason IS 'Why it could not be reached';
    COMMENT ON COLUMN casino.hub_cell.learned IS 'False after the hub was restored, until it has read what the cell knows';

    CREATE TABLE casino.hub_takeover (
        epoch    bigint PRIMARY KEY,
        taken_at timestamptz NOT NULL,
        reason   text NOT NULL,
        login    text NOT NULL,
        without  integer[] NOT NULL,
        rounds   bigint[] NOT NULL
    );
    COMMENT ON TABLE casino.hub_takeover IS 'Append-only: this hub, restored, decides again though some cells have not told it what they know, because its owner said so (decide_without())';
    COMMENT ON COLUMN casino.hub_takeover.epoch IS 'Epoch in which it decides since';
    COMMENT ON COLUMN casino.hub_takeover.taken_at IS 'When that was said';
    COMMENT ON COLUMN casino.hub_takeover.reason IS 'Why it could not wait';
    COMMENT ON COLUMN casino.hub_takeover.login IS 'Role that had logged in';
    COMMENT ON COLUMN casino.hub_takeover.without IS 'Cells that had not told it what they know: what only they were told may be decided otherwise';
    COMMENT ON COLUMN casino.hub_takeover.rounds IS 'Rounds not ended then, whose end one of these cells may have been told';
    CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON casino.hub_takeover FOR EACH ROW EXECUTE FUNCTION casino.refuse_change();
    CREATE TRIGGER append_only_statement BEFORE TRUNCATE ON casino.hub_takeover FOR EACH STATEMENT EXECUTE FUNCTION casino.refuse_change();
    ALTER TABLE casino.hub_takeover ENABLE ALWAYS TRIGGER append_only;
    ALTER TABLE casino.hub_takeover ENABLE ALWAYS TRIGGER append_only_statement;
    COMMENT ON TRIGGER append_only ON casino.hub_takeover IS 'It stays on record';
    COMMENT ON TRIGGER append_only_statement ON casino.hub_takeover IS 'It stays on record';

    CREATE TABLE casino.hub_person (
        external_ref text PRIMARY KEY,
        cell         integer NOT NULL REFERENCES casino.hub_cell,
        assigned_at  timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.hub_person IS 'The home cell of each person; it never changes';
    COMMENT ON COLUMN casino.hub_person.external_ref IS 'The person, as canonical_ref() writes it';
    COMMENT ON COLUMN casino.hub_person.cell IS 'Home cell';
    COMMENT ON COLUMN casino.hub_person.assigned_at IS 'Since when';

    CREATE TABLE casino.hub_table (
        table_id  bigint PRIMARY KEY,
        game      text NOT NULL REFERENCES casino.game,
        name      text NOT NULL,
        home_cell integer REFERENCES casino.hub_cell,
        UNIQUE (game, name)
    );
    COMMENT ON TABLE casino.hub_table IS 'Tables, with their numbers in all cells';
    COMMENT ON COLUMN casino.hub_table.table_id IS 'Number of the table';
    COMMENT ON COLUMN casino.hub_table.game IS 'Game';
    COMMENT ON COLUMN casino.hub_table.name IS 'Name';
    COMMENT ON COLUMN casino.hub_table.home_cell IS 'Of a table with seats: the cell whose players take part; NULL: players of all cells';

    -- R13.31
    CREATE TABLE casino.hub_told (
        cell        integer NOT NULL REFERENCES casino.hub_cell,
        table_id    bigint NOT NULL,
        decision_no bigint NOT NULL,
        PRIMARY KEY (cell, table_id)
    );
    COMMENT ON TABLE casino.hub_told IS 'What each cell has said to have obeyed: one that says less was put back, and is told again';
    COMMENT ON COLUMN casino.hub_told.cell IS 'Cell';
    COMMENT ON COLUMN casino.hub_told.table_id IS 'Table';
    COMMENT ON COLUMN casino.hub_told.decision_no IS 'The last decision on the table that the cell had obeyed when it was last asked';

    CREATE TABLE casino.hub_round (
        round_id          bigint PRIMARY KEY,
        table_id          bigint NOT NULL REFERENCES casino.hub_table,
        round_ref         text NOT NULL,
        status            text NOT NULL CHECK (status IN ('open', 'closed', 'withheld', 'settled', 'voided', 'withdrawn')),
        opened_at         timestamptz NOT NULL,
        betting_until     timestamptz NOT NULL,
        betting_closed_at timestamptz,
        actions_closed_at timestamptz,
        evaluated_at      timestamptz,
        outcome           jsonb,
        reason            text,
        learned           boolean NOT NULL DEFAULT false,
        UNIQUE (table_id, round_ref)
    );
    CREATE UNIQUE INDEX hub_round_unevaluated ON casino.hub_round (table_id) WHERE status IN ('open', 'closed') AND NOT learned;
    CREATE INDEX hub_round_table ON casino.hub_round (table_id) WHERE status IN ('open', 'closed');
    CREATE INDEX hub_round_evaluated_at ON casino.hub_round (evaluated_at);
    COMMENT ON INDEX casino.hub_round_unevaluated IS 'The hub opens one round at a time on a table; what a restored hub has read from the cells may leave another one to be ended';
    COMMENT ON INDEX casino.hub_round_table IS 'Finds the unevaluated rounds of a table';
    COMMENT ON INDEX casino.hub_round_evaluated_at IS 'Finds the rounds of a day';
    COMMENT ON TABLE casino.hub_round IS 'Rounds as the hub has decided; the money is in the cells';
    COMMENT ON COLUMN casino.hub_round.round_id IS 'Number of the round in all cells';
    COMMENT ON COLUMN casino.hub_round.table_id IS 'Table';
    COMMENT ON COLUMN casino.hub_round.round_ref IS 'The provider''s name of the round';
    COMMENT ON COLUMN casino.hub_round.status IS 'As in casino.round; withdrawn: no cell has opened it, see casino.hub_withdrawal';
    COMMENT ON COLUMN casino.hub_round.opened_at IS 'When it was opened';
    COMMENT ON COLUMN casino.hub_round.betting_until IS 'No cell takes a stake at this time or later, whether it hears of the close or not';
    COMMENT ON COLUMN casino.hub_round.betting_closed_at IS 'When betting closed';
    COMMENT ON COLUMN casino.hub_round.actions_closed_at IS 'When the players'' decisions ended';
    COMMENT ON COLUMN casino.hub_round.evaluated_at IS 'When it was settled or voided';
    COMMENT ON COLUMN casino.hub_round.outcome IS 'Outcome document it was decided by';
    COMMENT ON COLUMN casino.hub_round.reason IS 'Why it was voided';
    COMMENT ON COLUMN casino.hub_round.learned IS 'It was read from a cell after the hub was restored';

    CREATE TABLE casino.hub_decision (
        decision_no bigint PRIMARY KEY,
        call        text NOT NULL,
        table_id    bigint NOT NULL REFERENCES casino.hub_table,
        round_id    bigint REFERENCES casino.hub_round,
        arguments   jsonb NOT NULL,
        decided_at  timestamptz NOT NULL,
        decided_by  text NOT NULL,
        login       text NOT NULL
    );
    CREATE INDEX hub_decision_round ON casino.hub_decision (round_id, decision_no);
    CREATE INDEX hub_decision_table ON casino.hub_decision (table_id, decision_no) WHERE round_id IS NULL;
    CREATE INDEX hub_decision_decided_at ON casino.hub_decision (decided_at);
    CREATE SEQUENCE casino.hub_decision_no_seq AS bigint;
    COMMENT ON SEQUENCE casino.hub_decision_no_seq IS 'Numbers of decisions';
    COMMENT ON INDEX casino.hub_decision_round IS 'Finds the decisions on a round';
    COMMENT ON INDEX casino.hub_decision_table IS 'Finds the decisions on a table';
    COMMENT ON INDEX casino.hub_decision_decided_at IS 'Finds what a restored cell is told again';
    COMMENT ON TABLE casino.hub_decision IS 'Append-only: every call that all cells are told, written before the first of them is';
    COMMENT ON COLUMN casino.hub_decision.decision_no IS 'The calls of one table are carried out in this order in every cell';
    COMMENT ON COLUMN casino.hub_decision.call IS 'Function, see casino.hub_calls()';
    COMMENT ON COLUMN casino.hub_decision.table_id IS 'Table';
    COMMENT ON COLUMN casino.hub_decision.round_id IS 'Round; NULL: of the table';
    COMMENT ON COLUMN casino.hub_decision.arguments IS 'Its arguments, with the time at which it holds';
    COMMENT ON COLUMN casino.hub_decision.decided_at IS 'When it was written';
    COMMENT ON COLUMN casino.hub_decision.decided_by IS 'Person whom the session named in casino.actor, or else its login; the cells record it as casino.actor. cell N: read from there after the hub was restored';
    COMMENT ON COLUMN casino.hub_decision.login IS 'Role that had logged in at the hub';

    CREATE TABLE casino.hub_withdrawal (
        decision_no  bigint PRIMARY KEY REFERENCES casino.hub_decision,
        withdrawn_at timestamptz NOT NULL
    );
    COMMENT ON TABLE casino.hub_withdrawal IS 'Decisions that no cell had obeyed when a hub took over: what the cells say goes before them (R13.34)';
    COMMENT ON COLUMN casino.hub_withdrawal.decision_no IS 'Decision';
    COMMENT ON COLUMN casino.hub_withdrawal.withdrawn_at IS 'When';

    CREATE TABLE casino.hub_answer (
        decision_no bigint NOT NULL REFERENCES casino.hub_decision,
        cell        integer NOT NULL REFERENCES casino.hub_cell,
        table_id    bigint NOT NULL,
        answered_at timestamptz,
        tried_at    timestamptz,
        code        text,
        message     text,
        result      jsonb,
        excused_by  text,
        PRIMARY KEY (decision_no, cell)
    );
    CREATE INDEX hub_answer_waiting ON casino.hub_answer (cell, table_id, decision_no) WHERE answered_at IS NULL;
    COMMENT ON INDEX casino.hub_answer_waiting IS 'Finds what a cell has not answered';
    COMMENT ON TABLE casino.hub_answer IS 'What each cell has answered to each decision, or has to';
    COMMENT ON COLUMN casino.hub_answer.decision_no IS 'Decision';
    COMMENT ON COLUMN casino.hub_answer.cell IS 'Cell';
    COMMENT ON COLUMN casino.hub_answer.table_id IS 'Table of the decision';
    COMMENT ON COLUMN casino.hub_answer.answered_at IS 'When it was carried out there; NULL: it is sent again';
    COMMENT ON COLUMN casino.hub_answer.tried_at IS 'When it was last sent';
    COMMENT ON COLUMN casino.hub_answer.code IS 'SQLSTATE of a refusal: an alarm, see casino.cell_status';
    COMMENT ON COLUMN casino.hub_answer.message IS 'Message of a refusal, or why it was excused';
    COMMENT ON COLUMN casino.hub_answer.result IS 'What the call returned there, the settlement of its players';
    COMMENT ON COLUMN casino.hub_answer.excused_by IS 'Who took the decision back for this cell, see excuse_cell()';

    -- a decision never changes; the triggers fire always, as those of the ledger
    CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON casino.hub_decision FOR EACH ROW EXECUTE FUNCTION casino.refuse_change();
    CREATE TRIGGER append_only_statement BEFORE TRUNCATE ON casino.hub_decision FOR EACH STATEMENT EXECUTE FUNCTION casino.refuse_change();
    ALTER TABLE casino.hub_decision ENABLE ALWAYS TRIGGER append_only;
    ALTER TABLE casino.hub_decision ENABLE ALWAYS TRIGGER append_only_statement;
    COMMENT ON TRIGGER append_only ON casino.hub_decision IS 'Decisions do not change';
    COMMENT ON TRIGGER append_only_statement ON casino.hub_decision IS 'Decisions do not change';

    -- a hub has no players, tables and rounds of its own: whoever calls the functions of one server by mistake, for instance in a
    -- dump restored without install_hub(), is told
    CREATE TRIGGER hub_has_none BEFORE INSERT ON casino.player FOR EACH STATEMENT EXECUTE FUNCTION casino.hub_guard();
    CREATE TRIGGER hub_has_none BEFORE INSERT ON casino.game_table FOR EACH STATEMENT EXECUTE FUNCTION casino.hub_guard();
    CREATE TRIGGER hub_has_none BEFORE INSERT ON casino.round FOR EACH STATEMENT EXECUTE FUNCTION casino.hub_guard();
    COMMENT ON TRIGGER hub_has_none ON casino.player IS 'Players are in the cells';
    COMMENT ON TRIGGER hub_has_none ON casino.game_table IS 'Tables are in the cells';
    COMMENT ON TRIGGER hub_has_none ON casino.round IS 'Rounds are in the cells';

    CREATE VIEW casino.cell_status AS SELECT s.* FROM casino.cell_states() s;
    COMMENT ON VIEW casino.cell_status IS 'Each cell asked now: is it up, what has it not answered or refused, does it have the same plans, tables and time';
    COMMENT ON COLUMN casino.cell_status.cell IS 'Number of the cell';
    COMMENT ON COLUMN casino.cell_status.up IS 'It has just answered';
    COMMENT ON COLUMN casino.cell_status.problem IS 'What somebody must look at; NULL: nothing';
    COMMENT ON COLUMN casino.cell_status.clock_difference IS 'Its clock less the hub''s';
    COMMENT ON COLUMN casino.cell_status.waiting IS 'Decisions it has not answered';
    COMMENT ON COLUMN casino.cell_status.oldest IS 'Age of the oldest of them';
    COMMENT ON COLUMN casino.cell_status.refused IS 'Of them, those it has refused';
    COMMENT ON COLUMN casino.cell_status.same_plans IS 'Its plan digest is the hub''s';
    COMMENT ON COLUMN casino.cell_status.table_digest IS 'Its table digest; equal in all cells that have answered everything';
    COMMENT ON COLUMN casino.cell_status.last_clean_night IS 'Last Prague day whose night was clean there';
    COMMENT ON COLUMN casino.cell_status.players IS 'Accounts there';
    COMMENT ON COLUMN casino.cell_status.conninfo IS 'Where it is';
END
$fn$;
COMMENT ON FUNCTION casino.install_hub_tables() IS 'Part of install_hub(): the tables of a hub';

CREATE FUNCTION casino.hub_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RAISE EXCEPTION 'this database is a hub: it has no row in casino.%', TG_TABLE_NAME
        USING ERRCODE = 'object_not_in_prerequisite_state',
              HINT = 'After a restore and after ALTER EXTENSION casino UPDATE run casino.install_hub(), which routes the functions to the cells.';
END
$fn$;
COMMENT ON FUNCTION casino.hub_guard() IS 'Trigger at a hub: players, tables and rounds are in the cells';

-- What becomes of each function of the interface at a hub.  What is not named here works there as anywhere: it reads plans or nothing.
CREATE FUNCTION casino.hub_routes(OUT name text, OUT route text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 60 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT n.name, r.route
      FROM (VALUES
        -- to the cell of the player: PL/Proxy takes the number itself modulo of_cells, which is casino.cell_of()
        ('player', 'place_bets place_bet place_bets_balance try_place_bets cancel_bet disconnect deposit try_deposit adjust request_withdrawal try_request_withdrawal
                    exclude_player end_exclusion set_limit set_payment_account close_account count_other_play excuse_delay'),
        -- there, too, and what only reads
        ('read', 'limits_in_force limit_usage explain_break player_statement proof'),
        -- to the cell of the player whose withdrawal it is
        ('withdrawal', 'pay_withdrawal try_pay_withdrawal cancel_withdrawal approve_withdrawal'),
        -- decided at the hub
        ('hub', 'register_player add_game_table set_table_limits open_round close_betting deal close_actions hand_over_box settle_round void_round pay_withheld withhold_winnings void_wagers last_deal open_rounds'),
        -- each player's part to his cell
        ('split', 'place_many'),
        -- rows of all cells, one after the other
        ('all', 'player_day person_day large_win payment_deadline significant_event protection'),
        -- sums over all cells
        ('sum', 'daily_table tax_base account_movements liability'),
        -- run in the cells themselves
        ('none', 'position_limits offer offers round_result may_play round_view nightly reconcile seal verify seal_document export_day load_provider_report keep_day_totals record_overdue watch_day rebuild become_cell game_recall
                  daily_report daily_report_html check_outcome table_limits_at explain_difference recheck')
      ) r (route, names)
     CROSS JOIN LATERAL regexp_split_to_table(r.names, '\s+') n (name)
$fn$;
COMMENT ON FUNCTION casino.hub_routes() IS 'Where each function of the interface goes at a hub: player, read, withdrawal, hub, split, all, sum or none';

-- R13.19: what is recorded names a person, whom PL/Proxy does not send: the call has him as an argument, and the cell sets him before it does anything.
CREATE FUNCTION casino.route_relay(f oid, target text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    p pg_proc;
    arguments CONSTANT text := pg_get_function_arguments(f);
    result CONSTANT text := pg_get_function_result(f);
    call text;
BEGIN
    SELECT x.* INTO STRICT p FROM pg_proc x WHERE x.oid = f;
    call := format('casino.%I(%s)', p.proname, array_to_string(p.proargnames[1:p.pronargs], ', '));
    EXECUTE format('CREATE OR REPLACE FUNCTION casino.%I(%s) RETURNS %s LANGUAGE plproxy VOLATILE AS %L', 'send_' || p.proname, arguments, result,
                   format('CLUSTER ''casino''; RUN ON %s; %s;', target,
                          CASE WHEN p.prorettype = 'record'::regtype THEN format('TARGET casino.%I', p.proname) ELSE 'SELECT ' || call END));
    EXECUTE format('CREATE OR REPLACE FUNCTION casino.%I(actor text, %s) RETURNS %s LANGUAGE plproxy VOLATILE AS %L', 'send_' || p.proname, arguments, result,
                   format('CLUSTER ''casino''; RUN ON %s; %s;', target,
                          CASE WHEN p.prorettype = 'record'::regtype
                               THEN format('SELECT relay_f.* FROM (SELECT pg_catalog.set_config(''casino.actor'', actor, true) AS relay_c OFFSET 0) relay_a
                                              CROSS JOIN LATERAL (SELECT relay_b.* FROM %s relay_b WHERE relay_a.relay_c IS NOT NULL OFFSET 0) relay_f', call)
                               ELSE format('SELECT CASE WHEN pg_catalog.set_config(''casino.actor'', actor, true) IS NOT NULL THEN %s END', call) END));
    EXECUTE format('COMMENT ON FUNCTION casino.%I(%s) IS %L', 'send_' || p.proname, pg_get_function_identity_arguments(f), format('Part of %s() at a hub', p.proname));
    EXECUTE format('COMMENT ON FUNCTION casino.%I(actor text, %s) IS %L', 'send_' || p.proname, pg_get_function_identity_arguments(f),
                   format('Part of %s() at a hub, on behalf of a person', p.proname));
    EXECUTE format('REVOKE ALL ON FUNCTION casino.%1$I(%2$s), casino.%1$I(actor text, %2$s) FROM PUBLIC', 'send_' || p.proname, pg_get_function_identity_arguments(f));
END
$fn$;
COMMENT ON FUNCTION casino.route_relay(oid, text) IS 'Part of the hub: functions of PL/Proxy that send a call with and without a person';

CREATE FUNCTION casino.only_in_cells() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RAISE EXCEPTION 'this database is a hub: call this in each cell' USING ERRCODE = 'feature_not_supported', HINT = 'casino.hub_cell says where the cells are.';
END
$fn$;
COMMENT ON FUNCTION casino.only_in_cells() IS 'At a hub: what functions say that work in the cells only';

-- A player's requests are his own, so that they go to his cell; the answers come in the order of the requests.
CREATE FUNCTION casino.hub_split(round_id bigint, player_ids bigint[], bets casino.bet[], request_ids text[], seats integer[], hands integer[],
                                 at timestamptz) RETURNS SETOF casino.placed
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    n CONSTANT integer[] := ARRAY[coalesce(cardinality(player_ids), 0)];
BEGIN
    PERFORM casino.check_many(round_id, player_ids, bets, request_ids, seats, hands);
    IF array_position(ARRAY(SELECT unnest(player_ids)), NULL) IS NOT NULL THEN
        RAISE EXCEPTION 'player_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    -- PL/Proxy takes lists
    player_ids := ARRAY(SELECT unnest(player_ids));
    bets := ARRAY(SELECT unnest(bets));
    request_ids := CASE WHEN request_ids IS NULL THEN array_fill(NULL::text, n) ELSE ARRAY(SELECT unnest(request_ids)) END;
    seats := CASE WHEN seats IS NULL THEN array_fill(NULL::integer, n) ELSE ARRAY(SELECT unnest(seats)) END;
    hands := CASE WHEN hands IS NULL THEN array_fill(NULL::integer, n) ELSE ARRAY(SELECT unnest(hands)) END;
    RETURN QUERY
        SELECT p.* FROM casino.hub_place_many(coalesce(current_setting('casino.actor', true), ''), round_id, player_ids, bets, request_ids, seats, hands, at) p
         ORDER BY (SELECT min(u.n) FROM unnest(player_ids, request_ids, seats, hands) WITH ORDINALITY u (player_id, request_id, seat, hand, n)
                    WHERE (u.player_id, u.request_id, u.seat, u.hand) IS NOT DISTINCT FROM (p.player_id, p.request_id, p.seat, p.hand));
END
$fn$;
COMMENT ON FUNCTION casino.hub_split(bigint, bigint[], casino.bet[], text[], integer[], integer[], timestamptz) IS 'Part of place_many() at a hub: each player''s part goes to his cell';

-- The functions of one server under their own names.  They stay members of the extension, with their privileges and comments; a dump
-- leaves them out, and install_hub() makes them again.
CREATE FUNCTION casino.route_functions() RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    f record;
    made integer := 0;
    library text;
BEGIN
    SELECT p.probin INTO STRICT library FROM pg_proc p WHERE p.oid = 'casino.obey(bigint, text, jsonb, boolean, text, bigint, bigint, jsonb, boolean)'::regprocedure;
    FOR f IN
        SELECT r.route, p.oid, p.proname, pg_get_function_arguments(p.oid) AS arguments,
               pg_get_function_result(p.oid) AS result, p.prokind
          FROM casino.hub_routes() r
          JOIN pg_proc p ON p.pronamespace = 'casino'::regnamespace AND p.proname = r.name
          JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
    LOOP
        CASE f.route
            WHEN 'player', 'withdrawal' THEN
                PERFORM casino.route_relay(f.oid, CASE f.route WHEN 'player' THEN 'player_id' ELSE 'casino.cell_of_withdrawal(id)' END);
                EXECUTE format('CREATE OR REPLACE FUNCTION casino.%I(%s) RETURNS %s LANGUAGE c VOLATILE PARALLEL UNSAFE AS %L, ''casino_sql_relay''',
                               f.proname, f.arguments, f.result, library);
            WHEN 'read', 'all' THEN
                EXECUTE format('CREATE OR REPLACE FUNCTION casino.%I(%s) RETURNS %s LANGUAGE plproxy VOLATILE AS %L', f.proname, f.arguments, f.result,
                               'CLUSTER ''casino''; RUN ON ' || CASE f.route WHEN 'read' THEN 'casino.cell_to_ask(player_id)' ELSE 'casino.hub_cells()' END || ';');
            WHEN 'split' THEN
                CREATE OR REPLACE FUNCTION casino.hub_place_many(actor text, round_id bigint, player_ids bigint[], bets casino.bet[], request_ids text[], seats integer[],
                                                                 hands integer[], at timestamptz)
                RETURNS SETOF casino.placed LANGUAGE plproxy VOLATILE AS $proxy$
                    CLUSTER 'casino'; SPLIT player_ids, bets, request_ids, seats, hands; RUN ON casino.cell_of(player_ids);
                    SELECT relay_f.* FROM (SELECT pg_catalog.set_config('casino.actor', actor, true) AS relay_c OFFSET 0) relay_a
                     CROSS JOIN LATERAL (SELECT relay_b.* FROM casino.place_many(round_id, player_ids, bets, request_ids, seats, hands, at) relay_b
                                          WHERE relay_a.relay_c IS NOT NULL OFFSET 0) relay_f;
                $proxy$;
                COMMENT ON FUNCTION casino.hub_place_many(text, bigint, bigint[], casino.bet[], text[], integer[], integer[], timestamptz) IS 'Part of place_many() at a hub';
                EXECUTE format('CREATE OR REPLACE FUNCTION casino.%I(%s) RETURNS %s LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS %L',
                               f.proname, f.arguments, f.result, 'BEGIN RETURN QUERY SELECT p.* FROM casino.hub_split(round_id, player_ids, bets, request_ids, seats, hands, at) p; END');
            WHEN 'hub', 'sum' THEN
                EXECUTE format('CREATE OR REPLACE FUNCTION casino.%I(%s) RETURNS %s LANGUAGE c VOLATILE PARALLEL UNSAFE AS %L, ''casino_sql_hub_as_owner''',
                               f.proname, f.arguments, f.result, library);
            ELSE
                EXECUTE format('CREATE OR REPLACE %s casino.%I(%s) %s LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %L',
                               CASE f.prokind WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END, f.proname, f.arguments,
                               CASE WHEN f.prokind <> 'p' THEN 'RETURNS ' || f.result || ' VOLATILE' ELSE '' END, 'BEGIN PERFORM casino.only_in_cells(); END');
        END CASE;
        made := made + 1;
    END LOOP;
    RETURN made;
END
$fn$;
COMMENT ON FUNCTION casino.route_functions() IS 'Part of install_hub(): makes the functions of one server functions of the hub';
-- Calls of a hub: a decision is written durably, then sent to every cell, and who has answered is noted (doc/scale.md).  The caller's
-- transaction at the hub writes nothing but who has answered, which is asked again when it is lost: what is decided is committed over a connection of the hub to itself before the first cell
-- hears of it, so that neither a crash nor a ROLLBACK leaves cells that know more than the hub (R13.15).

CREATE TYPE casino.hub_call_table AS (
    table_id  bigint,
    game      text,
    name      text,
    home_cell integer,
    family    text
);
COMMENT ON TYPE casino.hub_call_table IS 'Part of the hub: a table that is decided upon';
COMMENT ON COLUMN casino.hub_call_table.table_id IS 'Number of the table';
COMMENT ON COLUMN casino.hub_call_table.game IS 'Game';
COMMENT ON COLUMN casino.hub_call_table.name IS 'Name';
COMMENT ON COLUMN casino.hub_call_table.home_cell IS 'Home cell of a table with seats';
COMMENT ON COLUMN casino.hub_call_table.family IS 'Family of the game';

CREATE TYPE casino.hub_call_round AS (
    round_id          bigint,
    table_id          bigint,
    status            text,
    opened_at         timestamptz,
    betting_closed_at timestamptz,
    actions_closed_at timestamptz,
    evaluated_at      timestamptz,
    outcome           jsonb,
    reason            text,
    home_cell         integer,
    in_play           boolean
);
COMMENT ON TYPE casino.hub_call_round IS 'Part of the hub: a round that is decided upon';
COMMENT ON COLUMN casino.hub_call_round.round_id IS 'Number of the round';
COMMENT ON COLUMN casino.hub_call_round.table_id IS 'Table';
COMMENT ON COLUMN casino.hub_call_round.status IS 'As in casino.round';
COMMENT ON COLUMN casino.hub_call_round.opened_at IS 'When it was opened';
COMMENT ON COLUMN casino.hub_call_round.betting_closed_at IS 'When betting closed';
COMMENT ON COLUMN casino.hub_call_round.actions_closed_at IS 'When the players'' decisions ended';
COMMENT ON COLUMN casino.hub_call_round.evaluated_at IS 'When it was settled or voided';
COMMENT ON COLUMN casino.hub_call_round.outcome IS 'Outcome document it was decided by';
COMMENT ON COLUMN casino.hub_call_round.reason IS 'Why it was voided';
COMMENT ON COLUMN casino.hub_call_round.home_cell IS 'Home cell of its table';
COMMENT ON COLUMN casino.hub_call_round.in_play IS 'Has its game wagers that are placed in play?';

-- R13.18: is it the copy that has asked the cells last?  A promoted standby has another timeline; a dump that was restored is another
-- database, or its tables are others.
CREATE FUNCTION casino.hub_is_current() RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN (SELECT h.superseded_at IS NULL AND h.timeline = casino.timeline() AND casino.hub_is_here(h.database, h.relation) FROM casino.hub h);
END
$fn$;
COMMENT ON FUNCTION casino.hub_is_current() IS 'Part of the hub: may it decide';

CREATE FUNCTION casino.hub_is_here(database oid, relation oid) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN relation = 'casino.hub'::regclass AND database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database());
END
$fn$;
COMMENT ON FUNCTION casino.hub_is_here(oid, oid) IS 'Part of the hub: false in a dump that was restored';

CREATE FUNCTION casino.hub_not_superseded() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    since CONSTANT timestamptz := (SELECT h.superseded_at FROM casino.hub h);
BEGIN
    IF since IS NOT NULL THEN
        RAISE EXCEPTION 'another hub has taken over' USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = format('A cell said so at %s.', since),
            HINT = 'Stop this hub. When it is to be the hub again, stop the other one, run casino.install_hub() and casino.catch_up() here.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_not_superseded() IS 'Part of the hub: 55000 when a cell obeys another one';

-- Asked before a decision, and once more where the decision is written (R13.30)
CREATE FUNCTION casino.hub_may_decide() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    silent CONSTANT text := (SELECT string_agg('cell ' || c.cell, ', ' ORDER BY c.cell) FROM casino.hub_cell c WHERE NOT c.learned);
BEGIN
    IF casino.hub_is_current() THEN
        RETURN;
    END IF;
    PERFORM casino.hub_not_superseded();
    RAISE EXCEPTION 'the hub was restored from a standby or a backup and may not know what it decided last'
        USING ERRCODE = 'object_not_in_prerequisite_state',
              DETAIL = coalesce(format('Not yet read: %s.', silent), 'No cell has been asked yet.'),
              HINT = 'SELECT * FROM casino.catch_up() reads it from the cells. Where a cell is lost for long: casino.decide_without().';
END
$fn$;
COMMENT ON FUNCTION casino.hub_may_decide() IS 'Part of the hub: 55000 when another hub has taken over, or this one was restored and has not read from the cells what it decided';

-- Before anything is decided: one session at a time a table or person, and by a hub that knows what its cells know.
CREATE FUNCTION casino.hub_enter(what text, id text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'a hub decides in transactions that are READ COMMITTED'
            USING ERRCODE = 'feature_not_supported', DETAIL = 'What it decides is committed at once, so that the cells hear of nothing else; an older snapshot would not show it.';
    END IF;
    PERFORM casino.take_lock(format('hub %s %s', what, id));
    PERFORM casino.hub_may_decide();
END
$fn$;
COMMENT ON FUNCTION casino.hub_enter(text, text) IS 'Part of the hub: before a decision';

-- ------------------------------------------------------------------------------------------------ asking cells

-- R13.19: the person whom the session names, or else its login
CREATE FUNCTION casino.hub_actor() RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN coalesce(nullif(current_setting('casino.actor', true), ''), session_user);
END
$fn$;
COMMENT ON FUNCTION casino.hub_actor() IS 'Part of the hub: who decides, as the cells record it in casino.actor';

-- R13.31: what a cell says to have obeyed on a table.  One that says less than before was put back to an earlier state: what it had answered
-- since is sent again.
CREATE FUNCTION casino.hub_note_told(of_cell integer, of_table bigint, obeyed bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    told CONSTANT bigint := (SELECT t.decision_no FROM casino.hub_told t WHERE t.cell = of_cell AND t.table_id = of_table);
BEGIN
    IF obeyed IS NULL OR obeyed = told OR told IS NULL AND obeyed = 0 THEN
        RETURN;
    END IF;
    IF obeyed < told THEN
        UPDATE casino.hub_answer a SET answered_at = NULL
         WHERE a.cell = of_cell AND a.table_id = of_table AND a.decision_no > obeyed AND a.answered_at IS NOT NULL AND a.excused_by IS NULL;
    END IF;
    INSERT INTO casino.hub_told VALUES (of_cell, of_table, obeyed)
        ON CONFLICT (cell, table_id) DO UPDATE SET decision_no = EXCLUDED.decision_no;
END
$fn$;
COMMENT ON FUNCTION casino.hub_note_told(integer, bigint, bigint) IS 'Part of the hub: notes what a cell says to have obeyed on a table, and takes back answers that it has lost';

CREATE FUNCTION casino.hub_has_lost(answer casino.cell_answer) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(answer.code = '55000' AND answer.result ? 'obeyed', false);
COMMENT ON FUNCTION casino.hub_has_lost(casino.cell_answer) IS 'Part of the hub: does a cell say that it has lost what it had obeyed';

-- R13.30: a cell that obeys a later hub says so; this one is silent from then on, and its caller is told
CREATE FUNCTION casino.hub_heard(answers casino.cell_answer[], table_id bigint) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF EXISTS (SELECT FROM unnest(answers) a WHERE a.code = '55000' AND a.result ? 'epoch') THEN
        PERFORM casino.hub_write('superseded', '{}');
        PERFORM casino.hub_not_superseded();
    END IF;
    IF table_id IS NOT NULL THEN
        -- what this hub has not decided: it was put back to an earlier state, with no other mark of it
        IF EXISTS (SELECT FROM unnest(answers) a WHERE a.obeyed > (SELECT s.last_value FROM casino.hub_decision_no_seq s)) THEN
            PERFORM casino.hub_write('older', '{}');
            PERFORM casino.hub_may_decide();
        END IF;
        PERFORM casino.hub_note_told(a.cell, hub_heard.table_id, a.obeyed) FROM unnest(answers) a ORDER BY a.cell;
    END IF;
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino.hub_heard(casino.cell_answer[], bigint) IS 'Part of the hub: 55000 when a cell obeys another hub; notes what the cells have obeyed';

-- One message to some cells.  A cell that cannot be reached answers 08006 here: PL/Proxy fails as a whole when one connection does, so the
-- cells are then asked one by one.
CREATE FUNCTION casino.hub_message(cells integer[], decision_no bigint, call text, arguments jsonb, dry boolean, actor text, table_id bigint, told jsonb, in_order boolean)
RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    answers casino.cell_answer[];
    one casino.cell_answer;
    cell integer;
    epoch CONSTANT bigint := (SELECT h.epoch FROM casino.hub h);
BEGIN
    -- of one cell twice: a connection that was broken since its last use is opened anew
    FOR attempt IN 1 .. CASE WHEN cardinality(cells) = 1 THEN 2 ELSE 1 END LOOP
        BEGIN
            SELECT array_agg(s) INTO answers FROM casino.hub_send(cells, decision_no, call, arguments, dry, actor, epoch, table_id, told, in_order) s;
            IF ARRAY(SELECT a.cell FROM unnest(answers) a ORDER BY 1) <> ARRAY(SELECT c FROM unnest(cells) c ORDER BY 1) THEN
                RAISE EXCEPTION 'another cell answers there' USING ERRCODE = 'connection_failure';
            END IF;
            RETURN answers;
        EXCEPTION WHEN OTHERS THEN
            one := (cells[1], '08006', SQLERRM, NULL, NULL, NULL, NULL);
        END;
    END LOOP;
    IF cardinality(cells) = 1 THEN
        RETURN ARRAY[one];
    END IF;
    answers := '{}';
    FOREACH cell IN ARRAY cells LOOP
        answers := answers || casino.hub_message(ARRAY[cell], decision_no, call, arguments, dry, actor, table_id, told, in_order);
    END LOOP;
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino.hub_message(integer[], bigint, text, jsonb, boolean, text, bigint, jsonb, boolean) IS 'Part of the hub: sends cells a call all at once; 08006 for one that cannot be reached';

CREATE FUNCTION casino.hub_ask(cells integer[], decision_no bigint, call text, arguments jsonb, dry boolean DEFAULT false, actor text DEFAULT NULL,
                               table_id bigint DEFAULT NULL, in_order boolean DEFAULT true) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    told CONSTANT jsonb := (SELECT jsonb_object_agg(t.cell, t.decision_no) FROM casino.hub_told t WHERE t.table_id = hub_ask.table_id AND t.cell = ANY (cells));
BEGIN
    IF coalesce(cardinality(cells), 0) = 0 THEN
        RETURN '{}';
    END IF;
    RETURN casino.hub_heard(casino.hub_message(cells, decision_no, call, arguments, dry, coalesce(actor, casino.hub_actor()), table_id, told, in_order), table_id);
END
$fn$;
COMMENT ON FUNCTION casino.hub_ask(integer[], bigint, text, jsonb, boolean, text, bigint, boolean) IS 'Part of the hub: asks cells all at once and returns the answer of each; 08006 for one that cannot be reached';

-- Of what is no decision: a cell that has lost something is told again first, and then asked once more
CREATE FUNCTION casino.hub_ask_all(cells integer[], call text, arguments jsonb, dry boolean, table_id bigint) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    answers casino.cell_answer[] := casino.hub_ask(cells, 0, call, arguments, dry, table_id => table_id);
    lost CONSTANT integer[] := ARRAY(SELECT a.cell FROM unnest(answers) a WHERE casino.hub_has_lost(a) ORDER BY 1);
    one integer;
BEGIN
    FOREACH one IN ARRAY lost LOOP
        IF casino.hub_deliver(one, table_id) THEN
            answers := ARRAY(SELECT a::casino.cell_answer FROM unnest(answers) a WHERE a.cell <> one) || casino.hub_ask(ARRAY[one], 0, call, arguments, dry, table_id => table_id);
        END IF;
    END LOOP;
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino.hub_ask_all(integer[], text, jsonb, boolean, bigint) IS 'Part of the hub: asks cells of what is no decision, after those that have lost something were told again';

-- What to try again instead of raising an alarm: connections, conflicts of transactions, shortages, shutdowns
CREATE FUNCTION casino.passes_by(code text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN left(code, 2) IN ('08', '40', '53', '57', '58') OR code = '55P03';
COMMENT ON FUNCTION casino.passes_by(text) IS 'Part of the hub: is an error one that another attempt need not meet';

-- It cannot be reached, or waits for a lock and has given up: it has not answered, and hears of what is decided later (R13.37)
CREATE FUNCTION casino.hub_silent(code text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(code IN ('08006', '55P03'), false);
COMMENT ON FUNCTION casino.hub_silent(text) IS 'Part of the hub: has a cell not answered';

-- The first refusal of some answers, as the hub's own error
CREATE FUNCTION casino.raise_refusal(answers casino.cell_answer[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    a casino.cell_answer;
BEGIN
    FOREACH a IN ARRAY answers LOOP
        IF a.code <> '00000' AND NOT casino.hub_silent(a.code) THEN
            a.detail := format('Cell %s: %s', a.cell, coalesce(nullif(a.detail, ''), a.message));
            IF a.hint <> '' THEN
                RAISE EXCEPTION USING ERRCODE = a.code, MESSAGE = a.message, DETAIL = a.detail, HINT = a.hint;
            END IF;
            RAISE EXCEPTION USING ERRCODE = a.code, MESSAGE = a.message, DETAIL = a.detail;
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.raise_refusal(casino.cell_answer[]) IS 'Part of the hub: an error when a cell has refused, with its code';

CREATE FUNCTION casino.raise_unreached(answers casino.cell_answer[], what text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF NOT EXISTS (SELECT FROM unnest(answers) a WHERE NOT casino.hub_silent(a.code)) THEN
        -- a close of betting that is called meanwhile may come later (R13.36)
        PERFORM casino.hub_write('away', '{}');
        RAISE EXCEPTION 'no cell that has to % could be reached', what
            USING ERRCODE = 'connection_failure',
                  DETAIL = coalesce((SELECT string_agg(format('Cell %s: %s', a.cell, a.message), E'\n') FROM unnest(answers) a), 'None of them is up.'),
                  HINT = 'casino.cell_status shows the cells; casino.catch_up() takes a cell back that is up again.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.raise_unreached(casino.cell_answer[], text) IS 'Part of the hub: 08006 when nobody has answered';

-- ------------------------------------------------------------------------------------------------ what the hub writes
-- Run over the connection of the hub to itself (casino.hub_write), so that it is committed when it returns.

-- A row that the caller's own transaction has changed would be waited for without end: nobody sees such a wait, the lock's time ends it.
CREATE FUNCTION casino.hub_write_here(what text, a jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $fn$
DECLARE
    number bigint;
    home integer;
BEGIN
    CASE what
        WHEN 'decide' THEN
            -- R13.30: nothing is written after another hub has taken over
            PERFORM FROM casino.hub FOR SHARE;
            PERFORM casino.hub_may_decide();
            RETURN to_jsonb(casino.hub_write_decision(a ->> 'call', (a ->> 'table_id')::bigint, (a ->> 'round_id')::bigint, a -> 'arguments', a ->> 'by',
                                                      (a ->> 'only_cell')::integer, login => a ->> 'login'));
        WHEN 'down' THEN
            UPDATE casino.hub_cell c SET down_since = coalesce(c.down_since, clock_timestamp()), down_reason = a ->> 'reason' WHERE c.cell = (a ->> 'cell')::integer;
        WHEN 'reached' THEN
            PERFORM casino.hub_note_reached((a ->> 'cell')::integer, (a ->> 'since')::timestamptz);
        WHEN 'away' THEN
            UPDATE casino.hub SET away_until = clock_timestamp();
        WHEN 'person' THEN
            PERFORM FROM casino.hub FOR SHARE;
            PERFORM casino.hub_may_decide();
            SELECT p.cell INTO home FROM casino.hub_person p WHERE p.external_ref = a ->> 'external_ref';
            IF home IS NULL THEN
                SELECT c.cell INTO home FROM casino.hub_cell c WHERE c.takes_persons AND c.down_since IS NULL ORDER BY c.persons, c.cell LIMIT 1;
                IF home IS NOT NULL THEN
                    PERFORM casino.hub_keep_person(a ->> 'external_ref', home);
                END IF;
            END IF;
            RETURN to_jsonb(home);
        WHEN 'learn' THEN
            PERFORM casino.hub_learn(a);
        WHEN 'restored' THEN
            UPDATE casino.hub_cell SET learned = false;
            UPDATE casino.hub SET timeline = 0, epoch = casino.hub_new_epoch(greatest(epoch, (a ->> 'epoch')::bigint));
            -- numbers that the lost part of the hub may have given are not given again; of decisions a later hub has greater ones than any before
            PERFORM setval('casino.round_id_seq', nextval('casino.round_id_seq') + 1000000), setval('casino.table_id_seq', nextval('casino.table_id_seq') + 1000),
                    setval('casino.hub_decision_no_seq', greatest(nextval('casino.hub_decision_no_seq'), (SELECT h.epoch FROM casino.hub h)));
        WHEN 'older' THEN
            UPDATE casino.hub SET timeline = -1;
        WHEN 'current' THEN
            UPDATE casino.hub SET timeline = casino.timeline(), away_until = clock_timestamp();
        WHEN 'without' THEN
            INSERT INTO casino.hub_takeover
            SELECT h.epoch, clock_timestamp(), a ->> 'reason', a ->> 'login', ARRAY(SELECT c::integer FROM jsonb_array_elements_text(a -> 'cells') c),
                   ARRAY(SELECT r.round_id FROM casino.hub_round r WHERE r.status IN ('open', 'closed', 'withheld') ORDER BY 1)
              FROM casino.hub h;
        WHEN 'superseded' THEN
            UPDATE casino.hub SET superseded_at = coalesce(superseded_at, clock_timestamp());
        WHEN 'excuse' THEN
            UPDATE casino.hub_answer x SET answered_at = clock_timestamp(), message = a ->> 'reason', excused_by = a ->> 'by'
             WHERE x.decision_no = (a ->> 'decision_no')::bigint AND x.cell = (a ->> 'cell')::integer AND x.answered_at IS NULL;
            GET DIAGNOSTICS number = ROW_COUNT;
            RETURN to_jsonb(number);
        ELSE
            RAISE EXCEPTION 'unknown writing "%"', what USING ERRCODE = 'invalid_parameter_value';
    END CASE;
    RETURN NULL;
END
$fn$;
COMMENT ON FUNCTION casino.hub_write_here(text, jsonb) IS 'Part of the hub: writes what was decided, at the end of hub_write()';

-- What a decision makes of the hub's round; false: it was decided otherwise
CREATE FUNCTION casino.hub_effect(call text, of_table bigint, id bigint, arguments jsonb, learned boolean DEFAULT false) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    a CONSTANT jsonb := arguments;
    at CONSTANT timestamptz := (arguments ->> 'at')::timestamptz;
BEGIN
    CASE call
        WHEN 'open_round' THEN
            INSERT INTO casino.hub_round AS r (round_id, table_id, round_ref, status, opened_at, betting_until, learned)
            VALUES (id, of_table, a ->> 'round_ref', 'open', at, (a ->> 'betting_until')::timestamptz, learned)
                ON CONFLICT (round_id) DO UPDATE SET status = 'open', opened_at = EXCLUDED.opened_at, betting_until = EXCLUDED.betting_until, learned = EXCLUDED.learned
             WHERE r.status = 'withdrawn';
        WHEN 'close_betting' THEN
            UPDATE casino.hub_round r SET status = 'closed', betting_closed_at = at WHERE r.round_id = id AND r.status = 'open';
        WHEN 'close_actions' THEN
            UPDATE casino.hub_round r SET actions_closed_at = at WHERE r.round_id = id AND r.status = 'closed' AND r.actions_closed_at IS NULL;
        WHEN 'settle_round' THEN
            UPDATE casino.hub_round r
               SET status = CASE WHEN (a ->> 'withhold')::boolean THEN 'withheld' ELSE 'settled' END, outcome = a -> 'outcome', evaluated_at = at
             WHERE r.round_id = id AND r.status = 'closed';
        WHEN 'void_round' THEN
            UPDATE casino.hub_round r SET status = 'voided', reason = a ->> 'reason', evaluated_at = at WHERE r.round_id = id AND r.status IN ('open', 'closed', 'withheld');
        WHEN 'pay_withheld' THEN
            UPDATE casino.hub_round r SET status = 'settled' WHERE r.round_id = id AND r.status = 'withheld';
        ELSE
            RETURN true;
    END CASE;
    RETURN FOUND;
END
$fn$;
COMMENT ON FUNCTION casino.hub_effect(text, bigint, bigint, jsonb, boolean) IS 'Part of the hub: what a decision makes of the hub''s round; false when the round is otherwise';

CREATE FUNCTION casino.hub_write_decision(call text, table_id bigint, round_id bigint, arguments jsonb, decided_by text, only_cell integer DEFAULT NULL,
                                          learned boolean DEFAULT false, login text DEFAULT session_user) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    a CONSTANT jsonb := arguments;
    number bigint;
BEGIN
    IF call = 'add_game_table' THEN
        INSERT INTO casino.hub_table VALUES (table_id, a ->> 'game', a ->> 'name', (a -> 'options' ->> 'home_cell')::integer);
    END IF;
    -- the caller has looked under the lock of the table: only another copy of this hub could have been faster
    IF NOT casino.hub_effect(call, table_id, round_id, arguments, learned) THEN
        RAISE EXCEPTION '% of round % was decided otherwise', call, round_id USING ERRCODE = 'serialization_failure';
    END IF;
    number := nextval('casino.hub_decision_no_seq');
    INSERT INTO casino.hub_decision VALUES (number, call, table_id, round_id, arguments, clock_timestamp(), decided_by, login);
    INSERT INTO casino.hub_answer (decision_no, cell, table_id)
    SELECT number, c.cell, hub_write_decision.table_id FROM casino.hub_cell c WHERE only_cell IS NULL OR c.cell = only_cell;
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.hub_write_decision(text, bigint, bigint, jsonb, text, integer, boolean, text) IS 'Part of the hub: writes a decision, its effect on the hub''s round, and who has to answer';

-- R13.34: a hub that takes over withdraws what no cell is known to have obeyed: nobody was told that it holds.  What a cell has obeyed without
-- its answer being noted is read from the cell again.
CREATE FUNCTION casino.hub_withdraw() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    withdrawn CONSTANT bigint[] := ARRAY(
        SELECT DISTINCT w.decision_no FROM casino.hub_answer w JOIN casino.hub_decision d ON d.decision_no = w.decision_no
         WHERE w.answered_at IS NULL AND d.call <> 'add_game_table'
           AND NOT EXISTS (SELECT FROM casino.hub_answer o WHERE o.decision_no = w.decision_no AND o.answered_at IS NOT NULL));
    r record;
    d record;
BEGIN
    INSERT INTO casino.hub_withdrawal SELECT n, clock_timestamp() FROM unnest(withdrawn) n;
    UPDATE casino.hub_answer a SET answered_at = clock_timestamp(), message = 'withdrawn when the hub took over', excused_by = 'hub'
     WHERE a.decision_no = ANY (withdrawn);
    FOR r IN SELECT DISTINCT e.round_id, e.table_id FROM casino.hub_decision e WHERE e.decision_no = ANY (withdrawn) AND e.round_id IS NOT NULL ORDER BY 1 LOOP
        UPDATE casino.hub_round h SET status = 'withdrawn', betting_closed_at = NULL, actions_closed_at = NULL, evaluated_at = NULL, outcome = NULL, reason = NULL
         WHERE h.round_id = r.round_id;
        FOR d IN SELECT e.call, e.arguments, h.learned FROM casino.hub_decision e JOIN casino.hub_round h ON h.round_id = e.round_id
                  WHERE e.round_id = r.round_id AND casino.hub_stands(e.decision_no) ORDER BY e.decision_no LOOP
            PERFORM casino.hub_effect(d.call, r.table_id, r.round_id, d.arguments, d.learned);
        END LOOP;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.hub_withdraw() IS 'Part of catch_up(): a hub that takes over keeps no decision that no cell has obeyed';

CREATE FUNCTION casino.hub_stands(decision bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT NOT EXISTS (SELECT FROM casino.hub_withdrawal w WHERE w.decision_no = decision)
$fn$;
COMMENT ON FUNCTION casino.hub_stands(bigint) IS 'Part of the hub: was a decision not withdrawn';

-- In the caller's transaction: an answer that is lost with it is asked for again, and a message less for each decision.
CREATE FUNCTION casino.hub_note(decision_no bigint, cell integer, code text, message text, result jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    UPDATE casino.hub_answer a
       SET tried_at = clock_timestamp(), answered_at = CASE WHEN hub_note.code = '00000' THEN clock_timestamp() END,
           code = nullif(hub_note.code, '00000'), message = hub_note.message, result = hub_note.result
     WHERE a.decision_no = hub_note.decision_no AND a.cell = hub_note.cell AND a.answered_at IS NULL;
    IF code = '08006' THEN
        PERFORM casino.hub_write('down', jsonb_build_object('cell', cell, 'reason', message));
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_note(bigint, integer, text, text, jsonb) IS 'Part of the hub: notes the answer of a cell';

CREATE FUNCTION casino.hub_keep_person(external_ref text, cell integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    INSERT INTO casino.hub_person VALUES (external_ref, cell, clock_timestamp()) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        UPDATE casino.hub_cell c SET persons = c.persons + 1 WHERE c.cell = hub_keep_person.cell;
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_keep_person(text, integer) IS 'Part of the hub: gives a person a home cell';

CREATE FUNCTION casino.hub_note_reached(of_cell integer, since timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF since IS NOT NULL THEN
        UPDATE casino.hub_answer a SET answered_at = NULL
          FROM casino.hub_decision d
         WHERE d.decision_no = a.decision_no AND a.cell = of_cell AND a.answered_at IS NOT NULL AND a.excused_by IS NULL AND d.decided_at >= since;
    END IF;
    UPDATE casino.hub_cell c SET down_since = NULL, down_reason = NULL WHERE c.cell = of_cell AND c.down_since IS NOT NULL;
END
$fn$;
COMMENT ON FUNCTION casino.hub_note_reached(integer, timestamptz) IS 'Part of catch_up(): a cell is up; since: it is told again what was decided from then on';

-- ------------------------------------------------------------------------------------------------ carrying out

-- What a cell has to answer on a table before a decision, in its order; true when nothing is left
CREATE FUNCTION casino.hub_deliver(cell integer, table_id bigint, before bigint DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    d casino.hub_decision;
    answers casino.cell_answer[];
    refused bigint;
    ended boolean := false;
BEGIN
    FOR d IN
        SELECT e.* FROM casino.hub_answer a JOIN casino.hub_decision e ON e.decision_no = a.decision_no
         WHERE a.cell = hub_deliver.cell AND a.table_id = hub_deliver.table_id AND a.answered_at IS NULL AND (before IS NULL OR a.decision_no < before)
         ORDER BY a.decision_no
    LOOP
        -- a restored hub may have learned how a round ended after it had learned that the next one was opened
        CONTINUE WHEN refused IS NOT NULL AND (d.round_id IS NULL OR d.round_id >= refused);
        answers := casino.hub_ask(ARRAY[cell], d.decision_no, d.call, d.arguments, actor => d.decided_by, table_id => table_id, in_order => refused IS NULL);
        IF casino.hub_has_lost(answers[1]) THEN
            RETURN casino.hub_deliver(cell, table_id, before);
        END IF;
        PERFORM casino.hub_note(d.decision_no, a.cell, a.code, a.message, a.result) FROM unnest(answers) a;
        IF (answers[1]).code <> '00000' THEN
            IF refused IS NOT NULL OR d.call <> 'open_round' OR casino.passes_by((answers[1]).code) THEN
                RETURN false;
            END IF;
            refused := d.round_id;
        ELSIF refused IS NOT NULL THEN
            ended := ended OR d.call IN ('settle_round', 'void_round');
        END IF;
    END LOOP;
    IF refused IS NULL THEN
        RETURN true;
    END IF;
    RETURN ended AND casino.hub_deliver(cell, table_id, before);
END
$fn$;
COMMENT ON FUNCTION casino.hub_deliver(integer, bigint, bigint) IS 'Part of the hub: sends a cell what it has not answered on a table, until it refuses';

CREATE FUNCTION casino.hub_carry_out(decision_no bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    d casino.hub_decision;
    c record;
    cells integer[] := '{}';
    answers casino.cell_answer[];
BEGIN
    SELECT e.* INTO STRICT d FROM casino.hub_decision e WHERE e.decision_no = hub_carry_out.decision_no;
    FOR c IN
        SELECT a.cell, EXISTS (SELECT FROM casino.hub_answer b WHERE b.cell = a.cell AND b.table_id = d.table_id AND b.decision_no < d.decision_no
                                  AND b.answered_at IS NULL) AS behind
          FROM casino.hub_answer a JOIN casino.hub_cell h ON h.cell = a.cell
         WHERE a.decision_no = d.decision_no AND a.answered_at IS NULL AND h.down_since IS NULL AND h.learned ORDER BY a.cell
    LOOP
        IF NOT c.behind OR casino.hub_deliver(c.cell, d.table_id, d.decision_no) THEN
            cells := cells || c.cell;
        END IF;
    END LOOP;
    answers := casino.hub_ask(cells, d.decision_no, d.call, d.arguments, actor => d.decided_by, table_id => d.table_id);
    PERFORM casino.hub_note(d.decision_no, a.cell, a.code, a.message, a.result) FROM unnest(answers) a WHERE NOT casino.hub_has_lost(a);
    PERFORM casino.hub_deliver(a.cell, d.table_id, d.decision_no + 1) FROM unnest(answers) a WHERE casino.hub_has_lost(a);
END
$fn$;
COMMENT ON FUNCTION casino.hub_carry_out(bigint) IS 'Part of the hub: sends a decision to the cells that have not answered it, and notes their answers';

-- R13.30: what no cell has heard of is not answered, at the first call and at its repetitions
CREATE FUNCTION casino.hub_hold(decision_no bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    call CONSTANT text := (SELECT d.call FROM casino.hub_decision d WHERE d.decision_no = hub_hold.decision_no);
    late text;
BEGIN
    PERFORM casino.hub_carry_out(decision_no);
    PERFORM casino.hub_not_superseded();
    SELECT string_agg(format('Cell %s: %s', a.cell, coalesce(a.message, 'is down or behind')), E'\n' ORDER BY a.cell) INTO late
      FROM casino.hub_answer a WHERE a.decision_no = hub_hold.decision_no AND a.answered_at IS NULL;
    IF NOT EXISTS (SELECT FROM casino.hub_answer a WHERE a.decision_no = hub_hold.decision_no AND a.answered_at IS NOT NULL AND a.excused_by IS NULL) THEN
        PERFORM casino.raise_refusal(ARRAY(SELECT (a.cell, coalesce(a.code, '08006'), a.message, NULL, NULL, NULL, NULL)::casino.cell_answer
                                             FROM casino.hub_answer a WHERE a.decision_no = hub_hold.decision_no ORDER BY a.cell));
        RAISE EXCEPTION '% is decided, but no cell has heard of it', call
            USING ERRCODE = 'connection_failure', DETAIL = late, HINT = 'Call it again; casino.catch_up() sends it, too.';
    END IF;
    IF late IS NOT NULL THEN
        RAISE WARNING '% is decided, but not carried out in every cell', call
            USING DETAIL = late, HINT = 'casino.catch_up() sends it again; casino.cell_status shows what is waiting.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_hold(bigint) IS 'Part of the hub: carries a decision out; 55000 when another hub has taken over, 08006 when no cell has heard of it';

CREATE FUNCTION casino.hub_decide(call text, table_id bigint, round_id bigint, arguments jsonb, only_cell integer DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    number bigint;
BEGIN
    number := casino.hub_write('decide', jsonb_build_object('call', call, 'table_id', table_id, 'round_id', round_id, 'arguments', arguments,
                                                            'by', casino.hub_actor(), 'login', session_user, 'only_cell', only_cell))::bigint;
    PERFORM casino.hub_hold(number);
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.hub_decide(text, bigint, bigint, jsonb, integer) IS 'Part of the hub: writes a decision and carries it out';

-- R13.12, R13.13.  Would the cells carry it out?  All that can be reached are asked, also one that has refused something before: what it
-- refuses now is refused.  Only the cell that never opened the round has no wagers in it, and nothing to say.
CREATE FUNCTION casino.hub_try(table_id bigint, call text, arguments jsonb, home_cell integer DEFAULT NULL) RETURNS casino.cell_answer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    answers casino.cell_answer[];
BEGIN
    -- before something ends, who was down is asked whether he still is
    IF call IN ('follow', 'close_actions', 'try_outcome', 'check_outcome', 'void_round', 'pay_withheld')
       OR NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.down_since IS NULL AND c.learned) THEN
        PERFORM casino.hub_reach(c.cell) FROM casino.hub_cell c WHERE c.down_since IS NOT NULL AND c.learned;
    END IF;
    -- who is behind for a passing reason can answer after all
    PERFORM casino.hub_deliver(w.cell, hub_try.table_id)
       FROM (SELECT DISTINCT a.cell FROM casino.hub_answer a JOIN casino.hub_cell c ON c.cell = a.cell
              WHERE a.table_id = hub_try.table_id AND a.answered_at IS NULL AND c.down_since IS NULL AND c.learned) w;
    answers := casino.hub_ask_all(ARRAY(SELECT c.cell FROM casino.hub_cell c WHERE c.down_since IS NULL AND c.learned ORDER BY c.cell),
                                  call, arguments, call <> 'check_outcome', table_id);
    SELECT coalesce(array_agg(a::casino.cell_answer), '{}') INTO answers FROM unnest(answers) a
     WHERE a.code <> '23503'
        OR NOT EXISTS (SELECT FROM casino.hub_answer w JOIN casino.hub_decision d ON d.decision_no = w.decision_no
                        WHERE w.cell = a.cell AND w.answered_at IS NULL AND d.call = 'open_round' AND d.round_id = (hub_try.arguments ->> 'round_id')::bigint);
    -- the players of a table with seats are all in one cell, and nobody else can answer for it
    IF home_cell IS NOT NULL THEN
        PERFORM casino.raise_unreached(ARRAY(SELECT a::casino.cell_answer FROM unnest(answers) a WHERE a.cell = home_cell), format('know (the home cell %s)', home_cell));
    END IF;
    PERFORM casino.raise_unreached(answers, 'know');
    PERFORM casino.hub_write('down', jsonb_build_object('cell', a.cell, 'reason', a.message)) FROM unnest(answers) a WHERE a.code = '08006';
    RETURN answers;
END
$fn$;
COMMENT ON FUNCTION casino.hub_try(bigint, text, jsonb, integer) IS 'Part of the hub: asks the cells what would come of a call';
-- The functions that a hub decides, under the names of one server with hub_ before them: casino.settle_round() at a hub runs
-- casino.hub_settle_round() as the owner.  Arguments and answers are those of one server.

CREATE FUNCTION casino.hub_register_player(external_ref text) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    person_ref CONSTANT text := casino.canonical_ref(external_ref);
    home integer;
    answers casino.cell_answer[];
BEGIN
    IF person_ref IS NULL THEN
        RAISE EXCEPTION 'external_ref must not be empty' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino.bounded(person_ref, 'external_ref', 200);
    SELECT p.cell INTO home FROM casino.hub_person p WHERE p.external_ref = person_ref;
    IF home IS NULL THEN
        PERFORM casino.hub_enter('person', person_ref);
        -- a cell that was not asked yet after the hub was restored may know him
        IF EXISTS (SELECT FROM casino.hub_cell c WHERE NOT c.learned) THEN
            RAISE EXCEPTION 'no new persons are registered before every cell has told the restored hub whom it knows'
                USING ERRCODE = 'object_not_in_prerequisite_state',
                      DETAIL = format('Not asked yet: %s.', (SELECT string_agg('cell ' || c.cell, ', ' ORDER BY c.cell) FROM casino.hub_cell c WHERE NOT c.learned)),
                      HINT = 'SELECT * FROM casino.catch_up() when it is up again.';
        END IF;
        home := casino.hub_write('person', jsonb_build_object('external_ref', person_ref))::integer;
        IF home IS NULL THEN
            RAISE EXCEPTION 'no cell takes new persons' USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'casino.add_cell() adds one; see casino.cell_status.';
        END IF;
    END IF;
    answers := casino.hub_ask(ARRAY[home], 0, 'register_player', jsonb_build_object('external_ref', person_ref));
    PERFORM casino.raise_unreached(answers, 'register the person');
    PERFORM casino.raise_refusal(answers);
    RETURN (answers[1]).result::bigint;
END
$fn$;
COMMENT ON FUNCTION casino.hub_register_player(text) IS 'register_player() at a hub: a person has one home cell, which is written down before it hears of him';

CREATE FUNCTION casino.hub_add_game_table(game text, name text, min_stake numeric, max_stake numeric, options jsonb, table_id bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    given jsonb := coalesce(options, '{}');
    settings record;
    present casino.hub_table;
    arguments jsonb;
    number bigint;
BEGIN
    IF game IS NULL OR min_stake IS NULL OR max_stake IS NULL OR coalesce(btrim(name), '') = '' THEN
        RAISE EXCEPTION 'game, name, min_stake and max_stake must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino.hub_numbers(table_id);
    name := casino.canonical_text(name, 'name');
    PERFORM casino.bounded(name, 'name', 200);
    SELECT * INTO settings FROM casino.table_settings(casino.plan_in_force_or_next(game, clock_timestamp()), game, min_stake, max_stake,
                                                      CASE WHEN jsonb_typeof(given) = 'object' THEN given - 'home_cell' ELSE given END);
    PERFORM casino.hub_enter('new table', game || ' ' || name);
    SELECT t.* INTO present FROM casino.hub_table t WHERE t.game = hub_add_game_table.game AND t.name = hub_add_game_table.name;
    number := coalesce(present.table_id, nextval('casino.table_id_seq'));
    IF settings.seats IS NOT NULL AND NOT given ? 'home_cell' THEN
        -- the cell with the fewest tables of its own
        given := given || jsonb_build_object('home_cell', coalesce(present.home_cell,
            (SELECT c.cell FROM casino.hub_cell c WHERE c.down_since IS NULL
              ORDER BY (SELECT count(*) FROM casino.hub_table t WHERE t.home_cell = c.cell), c.cell LIMIT 1)));
    END IF;
    arguments := jsonb_build_object('game', game, 'name', name, 'min_stake', min_stake, 'max_stake', max_stake, 'options', given, 'table_id', number);
    PERFORM casino.raise_refusal(casino.hub_try(number, 'add_game_table', arguments));
    IF present.table_id IS NULL THEN
        IF given ? 'home_cell' AND NOT EXISTS (SELECT FROM casino.hub_cell c WHERE to_jsonb(c.cell) = given -> 'home_cell') THEN
            RAISE EXCEPTION 'home_cell % is not in use', given -> 'home_cell' USING ERRCODE = 'invalid_parameter_value';
        END IF;
        PERFORM casino.hub_decide('add_game_table', number, NULL, arguments);
    END IF;
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.hub_add_game_table(text, text, numeric, numeric, jsonb, bigint) IS 'add_game_table() at a hub: one number in all cells; a table with seats gets a home cell';

CREATE FUNCTION casino.hub_numbers(number bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF number IS NOT NULL THEN
        RAISE EXCEPTION 'a hub numbers tables and rounds itself' USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_numbers(bigint) IS 'Part of the hub: 22023 for a number given';

CREATE FUNCTION casino.hub_table_of(table_id bigint) RETURNS casino.hub_call_table
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    t casino.hub_call_table;
BEGIN
    IF table_id IS NULL THEN
        RAISE EXCEPTION 'table_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT h.table_id, h.game, h.name, h.home_cell, g.family INTO t FROM casino.hub_table h JOIN casino.game g ON g.game = h.game
     WHERE h.table_id = hub_table_of.table_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % does not exist', table_id
            USING ERRCODE = 'foreign_key_violation', HINT = 'casino.add_game_table() adds one.';
    END IF;
    RETURN t;
END
$fn$;
COMMENT ON FUNCTION casino.hub_table_of(bigint) IS 'Part of the hub: a table, 23503 when there is none';

-- A round under the lock of its table, as it is now
CREATE FUNCTION casino.hub_round_of(id bigint) RETURNS casino.hub_call_round
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r casino.hub_call_round;
    at_table bigint;
BEGIN
    IF id IS NULL THEN
        RAISE EXCEPTION 'round_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    SELECT h.table_id INTO at_table FROM casino.hub_round h WHERE h.round_id = id;
    IF NOT FOUND THEN
        PERFORM casino.hub_enter('round', id::text);
        RAISE EXCEPTION 'round % does not exist', id USING ERRCODE = 'foreign_key_violation';
    END IF;
    PERFORM casino.hub_enter('table', at_table::text);
    SELECT h.round_id, h.table_id, h.status, h.opened_at, h.betting_closed_at, h.actions_closed_at, h.evaluated_at, h.outcome, h.reason, t.home_cell,
           EXISTS (SELECT FROM casino.game_plan p JOIN casino.bet_rule b ON b.plan_id = p.plan_id WHERE p.game = t.game AND b.phase <> 'betting')
      INTO r FROM casino.hub_round h JOIN casino.hub_table t ON t.table_id = h.table_id WHERE h.round_id = id;
    RETURN r;
END
$fn$;
COMMENT ON FUNCTION casino.hub_round_of(bigint) IS 'Part of the hub: a round with its table locked, 23503 when there is none';

-- The last decision of a kind on a round; 0: none
CREATE FUNCTION casino.hub_decided(round_id bigint, call text) RETURNS bigint
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce(max(d.decision_no), 0) FROM casino.hub_decision d WHERE d.round_id = $1 AND d.call = $2 AND casino.hub_stands(d.decision_no)
$fn$;
COMMENT ON FUNCTION casino.hub_decided(bigint, text) IS 'Part of the hub: number of what was decided on a round';

CREATE FUNCTION casino.hub_round_state(r casino.hub_call_round, detail text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RAISE EXCEPTION 'round % is %', r.round_id, r.status USING ERRCODE = 'KR002', DETAIL = detail;
END
$fn$;
COMMENT ON FUNCTION casino.hub_round_state(casino.hub_call_round, text) IS 'Part of the hub: KR002';

CREATE FUNCTION casino.hub_set_table_limits(table_id bigint, min_stake numeric, max_stake numeric, options jsonb, at timestamptz) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    t CONSTANT casino.hub_call_table := casino.hub_table_of(table_id);
    arguments jsonb;
    answers casino.cell_answer[];
    last timestamptz;
BEGIN
    PERFORM casino.hub_enter('table', table_id::text);
    SELECT max(r.opened_at) INTO last FROM casino.hub_round r WHERE r.table_id = t.table_id;
    arguments := jsonb_build_object('table_id', table_id, 'min_stake', min_stake, 'max_stake', max_stake, 'options', coalesce(options, '{}'),
                                    'at', casino.event_time(at, last + interval '1 microsecond'));
    answers := casino.hub_try(table_id, 'set_table_limits', arguments);
    PERFORM casino.raise_refusal(answers);
    PERFORM casino.hub_decide('set_table_limits', table_id, NULL, arguments);
    RETURN (SELECT max(a.result::text::integer) FROM unnest(answers) a WHERE a.code = '00000');
END
$fn$;
COMMENT ON FUNCTION casino.hub_set_table_limits(bigint, numeric, numeric, jsonb, timestamptz) IS 'set_table_limits() at a hub';

CREATE FUNCTION casino.hub_open_round(table_id bigint, round_ref text, at timestamptz, round_id bigint, betting_until timestamptz) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    t CONSTANT casino.hub_call_table := casino.hub_table_of(table_id);
    before casino.hub_round;
    ended timestamptz;
    opened timestamptz;
    plan bigint;
    version integer;
    number bigint;
    arguments jsonb;
    answers casino.cell_answer[];
BEGIN
    IF coalesce(btrim(round_ref), '') = '' THEN
        RAISE EXCEPTION 'table_id and round_ref must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    PERFORM casino.hub_numbers(round_id);
    round_ref := casino.canonical_text(round_ref, 'round_ref');
    PERFORM casino.bounded(round_ref, 'round_ref', 200);
    PERFORM casino.hub_enter('table', table_id::text);
    SELECT r.* INTO before FROM casino.hub_round r WHERE r.table_id = t.table_id AND r.round_ref = hub_open_round.round_ref;
    IF before.status = 'withdrawn' THEN
        number := before.round_id;
    ELSIF FOUND THEN
        IF betting_until <> before.betting_until THEN
            RAISE EXCEPTION 'round "%" was opened with another end of betting', round_ref
                USING ERRCODE = 'KR002', DETAIL = format('betting_until is %s.', before.betting_until);
        END IF;
        PERFORM casino.hub_hold(casino.hub_decided(before.round_id, 'open_round'));
        RETURN before.round_id;
    END IF;
    SELECT r.* INTO before FROM casino.hub_round r WHERE r.table_id = t.table_id AND r.status IN ('open', 'closed');
    IF FOUND THEN
        RAISE EXCEPTION 'table "%" has an unevaluated round', t.name
            USING ERRCODE = 'KR002', DETAIL = format('Round %s ("%s") is %s.', before.round_id, before.round_ref, before.status),
                  HINT = 'Settle or void it first.';
    END IF;
    opened := casino.event_time(at);
    plan := casino.plan_in_force(t.game, opened);
    PERFORM casino.require_plan(plan);
    SELECT p.version INTO version FROM casino.game_plan p WHERE p.plan_id = plan;
    number := coalesce(number, nextval('casino.round_id_seq'));
    arguments := jsonb_build_object('table_id', table_id, 'round_ref', round_ref, 'at', opened, 'round_id', number, 'plan_version', version,
                                    'betting_until', coalesce(betting_until, opened + (SELECT h.betting_time FROM casino.hub h)));
    -- a cell that cannot open it sits it out, which casino.cell_status shows; the others play
    answers := casino.hub_try(table_id, 'open_round', arguments, t.home_cell);
    IF NOT EXISTS (SELECT FROM unnest(answers) a WHERE a.code = '00000' AND coalesce(a.cell = t.home_cell, true)) THEN
        PERFORM casino.raise_refusal(answers);
    END IF;
    PERFORM casino.hub_decide('open_round', table_id, number, arguments);
    RETURN number;
END
$fn$;
COMMENT ON FUNCTION casino.hub_open_round(bigint, text, timestamptz, bigint, timestamptz) IS 'open_round() at a hub: one number and one end of betting in all cells';

CREATE FUNCTION casino.hub_close(r casino.hub_call_round, at timestamptz) RETURNS casino.hub_call_round
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM casino.hub_decide('close_betting', r.table_id, r.round_id, jsonb_build_object('round_id', r.round_id, 'at', at));
    r.status := 'closed';
    r.betting_closed_at := at;
    RETURN r;
END
$fn$;
COMMENT ON FUNCTION casino.hub_close(casino.hub_call_round, timestamptz) IS 'Part of the hub: ends betting in all cells';

CREATE FUNCTION casino.hub_check_time(r casino.hub_call_round, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    last CONSTANT timestamptz := greatest(r.opened_at, r.betting_closed_at, r.actions_closed_at);
BEGIN
    IF at < last THEN
        RAISE EXCEPTION 'time % is before what happened last in round %', at, r.round_id USING ERRCODE = 'KL005', DETAIL = format('That was at %s.', last);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_check_time(casino.hub_call_round, timestamptz) IS 'Part of the hub: KL005 for a time before the last event of a round';

CREATE FUNCTION casino.hub_close_betting(round_id bigint, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino.hub_round_of(round_id);
    t timestamptz;
BEGIN
    IF r.status = 'open' THEN
        -- R13.36: called at the table while the hub could not hear of it
        IF isfinite(at) AND at < (SELECT greatest(h.away_until, pg_postmaster_start_time()) FROM casino.hub h) THEN
            t := at;
        ELSE
            t := casino.event_time(at, r.opened_at);
        END IF;
        PERFORM casino.hub_check_time(r, t);
        -- R13.30: before it is written somebody must be there to hear of it
        PERFORM casino.raise_refusal(casino.hub_try(r.table_id, 'follow', '{}'));
        PERFORM casino.hub_close(r, t);
    ELSIF r.betting_closed_at IS NULL THEN
        PERFORM casino.hub_round_state(r, 'Its betting was never closed.');
    ELSE
        PERFORM casino.hub_hold(casino.hub_decided(round_id, 'close_betting'));
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_close_betting(bigint, timestamptz) IS 'close_betting() at a hub';

CREATE FUNCTION casino.hub_deal(round_id bigint, partial_outcome jsonb, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r casino.hub_call_round;
    arguments jsonb;
    again bigint;
BEGIN
    IF partial_outcome IS NULL THEN
        RAISE EXCEPTION 'partial_outcome must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    r := casino.hub_round_of(round_id);
    SELECT max(d.decision_no) INTO again FROM casino.hub_decision d
     WHERE d.round_id = r.round_id AND d.call = 'deal' AND d.arguments -> 'document' = partial_outcome AND casino.hub_stands(d.decision_no);
    IF again IS NOT NULL THEN
        PERFORM casino.hub_hold(again);
        RETURN;
    END IF;
    IF r.status <> 'closed' THEN
        PERFORM casino.hub_round_state(r, 'Cards are dealt between the close of betting and the evaluation.');
    END IF;
    PERFORM casino.hub_check_players(partial_outcome);
    arguments := jsonb_build_object('round_id', round_id, 'document', partial_outcome, 'at', casino.event_time(at, r.betting_closed_at));
    PERFORM casino.raise_refusal(casino.hub_try(r.table_id, 'deal', arguments, r.home_cell));
    PERFORM casino.hub_decide('deal', r.table_id, round_id, arguments);
END
$fn$;
COMMENT ON FUNCTION casino.hub_deal(bigint, jsonb, timestamptz) IS 'deal() at a hub';

CREATE FUNCTION casino.hub_end_actions(r casino.hub_call_round, at timestamptz) RETURNS casino.hub_call_round
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    arguments CONSTANT jsonb := jsonb_build_object('round_id', r.round_id, 'at', at);
BEGIN
    -- a decision of a player dated after it is KL005 as on one server, for the provider to name another time
    PERFORM casino.raise_refusal(casino.hub_try(r.table_id, 'close_actions', arguments, r.home_cell));
    PERFORM casino.hub_decide('close_actions', r.table_id, r.round_id, arguments);
    r.actions_closed_at := at;
    RETURN r;
END
$fn$;
COMMENT ON FUNCTION casino.hub_end_actions(casino.hub_call_round, timestamptz) IS 'Part of the hub: ends the players'' decisions in all cells';

CREATE FUNCTION casino.hub_close_actions(round_id bigint, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino.hub_round_of(round_id);
    t timestamptz;
BEGIN
    IF r.actions_closed_at IS NOT NULL THEN
        PERFORM casino.hub_hold(casino.hub_decided(round_id, 'close_actions'));
        RETURN;
    END IF;
    IF r.status <> 'closed' THEN
        PERFORM casino.hub_round_state(r, 'Decisions end between the close of betting and the evaluation.');
    END IF;
    t := casino.event_time(at, r.betting_closed_at);
    PERFORM casino.hub_check_time(r, t);
    PERFORM casino.hub_end_actions(r, t);
END
$fn$;
COMMENT ON FUNCTION casino.hub_close_actions(bigint, timestamptz) IS 'close_actions() at a hub';

CREATE FUNCTION casino.hub_hand_over_box(round_id bigint, seat integer, player_id bigint, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino.hub_round_of(round_id);
    arguments jsonb;
BEGIN
    arguments := jsonb_build_object('round_id', round_id, 'seat', seat, 'player_id', player_id,
                                    'at', casino.event_time(at, greatest(r.opened_at, r.betting_closed_at)));
    IF r.home_cell IS NULL THEN
        RAISE EXCEPTION 'round % has no seats', round_id USING ERRCODE = 'KB004', DETAIL = 'Its table has no home cell: the players of all cells take part.';
    END IF;
    PERFORM casino.raise_refusal(ARRAY(SELECT a::casino.cell_answer FROM unnest(casino.hub_try(r.table_id, 'hand_over_box', arguments, r.home_cell)) a
                                        WHERE a.cell = r.home_cell));
    PERFORM casino.hub_decide('hand_over_box', r.table_id, round_id, arguments, r.home_cell);
END
$fn$;
COMMENT ON FUNCTION casino.hub_hand_over_box(bigint, integer, bigint, timestamptz) IS 'hand_over_box() at a hub: in the home cell of the table';

-- KR001: a player whom no cell could know would be missed by all of them.
CREATE FUNCTION casino.hub_check_players(outcome jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    stranger bigint;
BEGIN
    SELECT p INTO stranger FROM unnest(casino.outcome_players(outcome)) p
     WHERE NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.cell = p % (SELECT h.of_cells FROM casino.hub h)) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'illegal outcome' USING ERRCODE = 'KR001', DETAIL = format('Player %s is of no cell in use.', stranger);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_check_players(jsonb) IS 'Part of the hub: KR001 for an outcome that names a player of no cell';

-- What the cells have answered, added up; those that have not are left out, with a notice.
CREATE FUNCTION casino.hub_settlement(round_id bigint, decision_no bigint) RETURNS casino.settlement
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    s casino.settlement;
    missing text;
BEGIN
    SELECT hub_settlement.round_id, NULL, coalesce(sum(x.wagers), 0), coalesce(sum(x.players), 0), coalesce(sum(x.staked), 0.00),
           coalesce(sum(x.paid), 0.00), coalesce(sum(x.house_result), 0.00), max(x.at)
      INTO s
      FROM casino.hub_answer a CROSS JOIN LATERAL jsonb_populate_record(NULL::casino.settlement, a.result) x
     WHERE a.decision_no = hub_settlement.decision_no AND a.answered_at IS NOT NULL AND a.result IS NOT NULL;
    -- as it is now: what was withheld may have been paid since
    SELECT r.status, coalesce(s.at, r.evaluated_at) INTO s.status, s.at FROM casino.hub_round r WHERE r.round_id = hub_settlement.round_id;
    SELECT string_agg(format('cell %s', a.cell), ', ' ORDER BY a.cell) INTO missing
      FROM casino.hub_answer a WHERE a.decision_no = hub_settlement.decision_no AND (a.answered_at IS NULL OR a.excused_by IS NOT NULL);
    IF missing IS NOT NULL THEN
        RAISE NOTICE 'the settlement of round % is without %', round_id, missing;
    END IF;
    RETURN s;
END
$fn$;
COMMENT ON FUNCTION casino.hub_settlement(bigint, bigint) IS 'Part of the hub: sum of the settlements of all cells';

CREATE FUNCTION casino.hub_settle_round(round_id bigint, outcome jsonb, at timestamptz, withhold boolean, withhold_reason text) RETURNS casino.settlement
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r casino.hub_call_round;
    t timestamptz;
    arguments jsonb;
    number bigint;
BEGIN
    IF outcome IS NULL THEN
        RAISE EXCEPTION 'outcome must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    r := casino.hub_round_of(round_id);
    IF r.status = 'voided' THEN
        PERFORM casino.hub_round_state(r, format('It was voided: %s', r.reason));
    END IF;
    IF r.status NOT IN ('open', 'closed') THEN
        -- settled already: the same outcome is answered, whatever the cells say of how it is written; another one is KR002
        IF r.outcome IS DISTINCT FROM outcome THEN
            PERFORM casino.raise_refusal(casino.hub_try(r.table_id, 'check_outcome', jsonb_build_object('round_id', round_id, 'outcome', outcome, 'at', r.evaluated_at,
                                                                                                         'withhold', r.status = 'withheld')));
        END IF;
        number := casino.hub_decided(round_id, 'settle_round');
        PERFORM casino.hub_hold(number);
        RETURN casino.hub_settlement(round_id, number);
    END IF;
    t := casino.event_time(at, greatest(r.opened_at, r.betting_closed_at, r.actions_closed_at));
    PERFORM casino.hub_check_time(r, t);
    PERFORM casino.hub_check_players(outcome);
    -- R13.13: an outcome that is refused leaves betting and decisions as they are
    IF r.status = 'open' OR r.actions_closed_at IS NULL AND r.in_play THEN
        PERFORM casino.raise_refusal(casino.hub_try(r.table_id, 'try_outcome',
                    jsonb_build_object('round_id', round_id, 'outcome', outcome, 'at', t, 'in_play', r.actions_closed_at IS NULL AND r.in_play), r.home_cell));
    END IF;
    -- nothing that the outcome depends on may change in any cell from here on
    IF r.status = 'open' THEN
        r := casino.hub_close(r, t);
    END IF;
    IF r.actions_closed_at IS NULL AND r.in_play THEN
        r := casino.hub_end_actions(r, t);
    END IF;
    arguments := jsonb_build_object('round_id', round_id, 'outcome', outcome, 'at', t, 'withhold_reason', withhold_reason,
                                    'withhold', coalesce(withhold, false) OR casino.hub_decided(round_id, 'withhold_winnings') > 0);
    PERFORM casino.raise_refusal(casino.hub_try(r.table_id, 'check_outcome', arguments, r.home_cell));
    number := casino.hub_decide('settle_round', r.table_id, round_id, arguments);
    RETURN casino.hub_settlement(round_id, number);
END
$fn$;
COMMENT ON FUNCTION casino.hub_settle_round(bigint, jsonb, timestamptz, boolean, text) IS 'settle_round() at a hub: closes in all cells, lets all check the outcome, decides it when none has refused, and sends it';

CREATE FUNCTION casino.hub_void_round(round_id bigint, reason text, at timestamptz) RETURNS casino.settlement
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino.hub_round_of(round_id);
    t timestamptz;
    arguments jsonb;
    number bigint := 0;
BEGIN
    IF r.status = 'voided' AND r.reason IS NOT DISTINCT FROM reason THEN
        number := casino.hub_decided(round_id, 'void_round');
        PERFORM casino.hub_hold(number);
    ELSE
        t := casino.event_time(at, greatest(r.opened_at, r.betting_closed_at, r.actions_closed_at, r.evaluated_at));
        arguments := jsonb_build_object('round_id', round_id, 'reason', reason, 'at', t);
        PERFORM casino.raise_refusal(casino.hub_try(r.table_id, 'void_round', arguments, r.home_cell));
        number := casino.hub_decide('void_round', r.table_id, round_id, arguments);
    END IF;
    RETURN casino.hub_settlement(round_id, number);
END
$fn$;
COMMENT ON FUNCTION casino.hub_void_round(bigint, text, timestamptz) IS 'void_round() at a hub';

-- 23503 as on one server
CREATE FUNCTION casino.hub_known_player(player_id bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF player_id < 1 OR NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.cell = casino.cell_of(player_id)) THEN
        RAISE EXCEPTION 'player % does not exist', player_id
            USING ERRCODE = 'foreign_key_violation', DETAIL = 'His number is of no cell in use.', HINT = 'casino.register_player() makes one.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_known_player(bigint) IS 'Part of the hub: 23503 for a number of no cell in use';

-- What concerns one player is done in his cell, under the lock of the table
CREATE FUNCTION casino.hub_tell(player_id bigint, call text, arguments jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    at_table CONSTANT bigint := (SELECT r.table_id FROM casino.hub_round r WHERE r.round_id = (arguments ->> 'round_id')::bigint);
    answers casino.cell_answer[];
BEGIN
    PERFORM casino.hub_known_player(player_id);
    answers := casino.hub_ask_all(ARRAY[casino.cell_of(player_id)], call, arguments || jsonb_build_object('player_id', player_id), false, at_table);
    PERFORM casino.raise_unreached(answers, 'do it');
    PERFORM casino.raise_refusal(answers);
    RETURN (answers[1]).result;
END
$fn$;
COMMENT ON FUNCTION casino.hub_tell(bigint, text, jsonb) IS 'Part of the hub: a call that only the cell of one player is told';

CREATE FUNCTION casino.hub_withhold_winnings(round_id bigint, player_id bigint, reason text, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino.hub_round_of(round_id);
    arguments CONSTANT jsonb := jsonb_build_object('round_id', r.round_id, 'reason', reason, 'at', casino.event_time(at));
BEGIN
    IF player_id IS NOT NULL THEN
        PERFORM casino.hub_tell(player_id, 'withhold_winnings', arguments);
    ELSE
        PERFORM casino.raise_refusal(casino.hub_try(r.table_id, 'withhold_winnings', arguments, r.home_cell));
        PERFORM casino.hub_decide('withhold_winnings', r.table_id, round_id, arguments);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_withhold_winnings(bigint, bigint, text, timestamptz) IS 'withhold_winnings() at a hub';

CREATE FUNCTION casino.hub_void_wagers(round_id bigint, player_id bigint, reason text, at timestamptz) RETURNS casino.settlement
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino.hub_round_of(round_id);
BEGIN
    IF player_id IS NULL THEN
        RAISE EXCEPTION 'player_id must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    RETURN jsonb_populate_record(NULL::casino.settlement,
                                 casino.hub_tell(player_id, 'void_wagers', jsonb_build_object('round_id', r.round_id, 'reason', reason, 'at', casino.event_time(at))));
END
$fn$;
COMMENT ON FUNCTION casino.hub_void_wagers(bigint, bigint, text, timestamptz) IS 'void_wagers() at a hub';

CREATE FUNCTION casino.hub_pay_withheld(round_id bigint, at timestamptz, player_id bigint, reason text) RETURNS casino.settlement
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r CONSTANT casino.hub_call_round := casino.hub_round_of(round_id);
    arguments jsonb := jsonb_build_object('round_id', round_id, 'at', casino.event_time(at, r.evaluated_at), 'reason', reason,
                                          'authority', casino.release_authority());
    answers casino.cell_answer[];
    number bigint;
BEGIN
    IF player_id IS NOT NULL THEN
        RETURN jsonb_populate_record(NULL::casino.settlement, casino.hub_tell(player_id, 'pay_withheld', arguments));
    END IF;
    IF r.status = 'withheld' THEN
        PERFORM casino.raise_refusal(casino.hub_try(r.table_id, 'pay_withheld', arguments, r.home_cell));
        number := casino.hub_decide('pay_withheld', r.table_id, round_id, arguments);
    ELSE
        number := casino.hub_decided(round_id, 'pay_withheld');
        IF number = 0 THEN
            -- nothing of it is withheld but what single players won, in the cells that do not refuse
            answers := casino.hub_try(r.table_id, 'pay_withheld', arguments, r.home_cell);
            IF NOT EXISTS (SELECT FROM unnest(answers) a WHERE a.code = '00000') THEN
                PERFORM casino.raise_refusal(answers);
            END IF;
            answers := casino.hub_ask_all(ARRAY(SELECT a.cell FROM unnest(answers) a WHERE a.code = '00000' ORDER BY a.cell), 'pay_withheld', arguments, false, r.table_id);
            PERFORM casino.raise_refusal(answers);
            IF EXISTS (SELECT FROM unnest(answers) a WHERE casino.hub_silent(a.code)) OR EXISTS (SELECT FROM casino.hub_cell c WHERE c.down_since IS NOT NULL) THEN
                RAISE EXCEPTION 'not every cell has paid what it withheld' USING ERRCODE = 'connection_failure', HINT = 'Call it again when all cells are up.';
            END IF;
            RETURN casino.hub_settlement(round_id, casino.hub_decided(round_id, 'settle_round'));
        END IF;
        PERFORM casino.hub_hold(number);
    END IF;
    RETURN casino.hub_settlement(round_id, number);
END
$fn$;
COMMENT ON FUNCTION casino.hub_pay_withheld(bigint, timestamptz, bigint, text) IS 'pay_withheld() at a hub: one player in his cell, or everybody in all cells';

CREATE FUNCTION casino.hub_last_deal(round_id bigint) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    PERFORM FROM casino.hub_round r WHERE r.round_id = hub_last_deal.round_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'round % does not exist', round_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN (SELECT d.arguments -> 'document' FROM casino.hub_decision d WHERE d.round_id = hub_last_deal.round_id AND d.call = 'deal' AND casino.hub_stands(d.decision_no)
             ORDER BY d.decision_no DESC LIMIT 1);
END
$fn$;
COMMENT ON FUNCTION casino.hub_last_deal(bigint) IS 'last_deal() at a hub';
-- R13.17: what a hub adds up over its cells.  A sum without a cell would be wrong: when one does not answer there is an error that names it.

CREATE FUNCTION casino.hub_rows(what text, arguments jsonb DEFAULT '{}', OUT cell integer, OUT data jsonb) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
DECLARE
    cells CONSTANT integer[] := ARRAY(SELECT c.cell FROM casino.hub_cell c ORDER BY c.cell);
    down text;
BEGIN
    IF cells = '{}' THEN
        RETURN;
    END IF;
    BEGIN
        RETURN QUERY SELECT f.cell, f.data FROM casino.hub_fetch(cells, hub_rows.what, hub_rows.arguments) f;
        RETURN;
    EXCEPTION WHEN connection_exception OR internal_error OR operator_intervention THEN
        down := SQLERRM;
    END;
    RAISE EXCEPTION 'a sum over all cells needs all of them'
        USING ERRCODE = 'connection_failure', DETAIL = down, HINT = 'casino.cell_status shows which cell is down; each of the others can be asked itself.';
END
$fn$;
COMMENT ON FUNCTION casino.hub_rows(text, jsonb) IS 'Part of the hub: rows of all cells, or an error';

CREATE FUNCTION casino.all_trial_balance(OUT account text, OUT debit numeric, OUT credit numeric, OUT balance numeric) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 20;
COMMENT ON FUNCTION casino.all_trial_balance() IS 'View casino.trial_balance over all cells of a hub; the balances sum to zero';

CREATE FUNCTION casino.all_trial_balance_impl(OUT account text, OUT debit numeric, OUT credit numeric, OUT balance numeric) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    IF to_regclass('casino.hub') IS NULL THEN
        RETURN QUERY SELECT t.account, t.debit, t.credit, t.balance FROM casino.trial_balance t ORDER BY t.account;
    ELSE
        RETURN QUERY
            SELECT t.account, sum(t.debit), sum(t.credit), sum(t.balance)
              FROM casino.hub_rows('trial_balance') r
             CROSS JOIN LATERAL jsonb_to_record(r.data) AS t (account text, debit numeric, credit numeric, balance numeric)
             GROUP BY t.account ORDER BY t.account;
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.all_trial_balance_impl() IS 'Body of all_trial_balance(), run as the owner of the ledger';

CREATE FUNCTION casino.all_daily_table(from_day date, to_day date)
RETURNS TABLE (day date, game text, table_id bigint, table_name text, plan_id bigint, plan_version integer, rounds_settled bigint, rounds_withheld bigint,
               rounds_voided bigint, rounds_open bigint, wagers bigint, staked numeric, won numeric, withheld numeric, returned numeric, ggr numeric,
               hold numeric, expected_hold numeric, z numeric, corrected numeric)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT d.* FROM casino.daily_table(all_daily_table.from_day, all_daily_table.to_day) d;
END
$fn$;
COMMENT ON FUNCTION casino.all_daily_table(date, date) IS 'daily_table() over all cells of a hub, which is what daily_table() gives there';

-- A round is in every cell, its wagers are in that of the player.  z stays NULL: results of one spin in several cells are not independent,
-- so that it cannot be had from theirs; casino.return_watch has it in each cell.
CREATE FUNCTION casino.hub_daily_table(from_day date, to_day date)
RETURNS TABLE (day date, game text, table_id bigint, table_name text, plan_id bigint, plan_version integer, rounds_settled bigint, rounds_withheld bigint,
               rounds_voided bigint, rounds_open bigint, wagers bigint, staked numeric, won numeric, withheld numeric, returned numeric, ggr numeric,
               hold numeric, expected_hold numeric, z numeric, corrected numeric)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT t.day, t.game, t.table_id, min(t.table_name), p.plan_id, t.plan_version, max(t.rounds_settled), max(t.rounds_withheld), max(t.rounds_voided), max(t.rounds_open),
               sum(t.wagers)::bigint, sum(t.staked), sum(t.won), sum(t.withheld), sum(t.returned), sum(t.ggr),
               round(sum(t.ggr) / nullif(sum(t.staked), 0), 6),
               round(sum(t.expected_hold * t.staked) / nullif(sum(t.staked) FILTER (WHERE t.expected_hold IS NOT NULL), 0), 6), NULL::numeric, sum(t.corrected)
          FROM casino.hub_rows('daily_table', jsonb_build_object('from_day', hub_daily_table.from_day, 'to_day', hub_daily_table.to_day)) r
         CROSS JOIN LATERAL jsonb_to_record(r.data)
               AS t (day date, game text, table_id bigint, table_name text, plan_version integer, rounds_settled bigint, rounds_withheld bigint, rounds_voided bigint,
                     rounds_open bigint, wagers bigint, staked numeric, won numeric, withheld numeric, returned numeric, ggr numeric, expected_hold numeric, corrected numeric)
          -- the same version has another number in each database
          JOIN casino.game_plan p ON p.game = t.game AND p.version = t.plan_version
         GROUP BY t.day, t.game, t.table_id, p.plan_id, t.plan_version ORDER BY t.day, t.game, min(t.table_name), t.plan_version;
END
$fn$;
COMMENT ON FUNCTION casino.hub_daily_table(date, date) IS 'daily_table() at a hub';

CREATE FUNCTION casino.hub_tax_base(from_day date, to_day date)
RETURNS TABLE (day date, game text, live boolean, stakes numeric, returned numeric, winnings numeric, base numeric, corrected numeric)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT t.day, t.game, t.live, sum(t.stakes), sum(t.returned), sum(t.winnings), sum(t.base), sum(t.corrected)
          FROM casino.hub_rows('tax_base', jsonb_build_object('from_day', hub_tax_base.from_day, 'to_day', hub_tax_base.to_day)) r
         CROSS JOIN LATERAL jsonb_to_record(r.data) AS t (day date, game text, live boolean, stakes numeric, returned numeric, winnings numeric, base numeric, corrected numeric)
         GROUP BY t.day, t.game, t.live ORDER BY t.day, t.game;
END
$fn$;
COMMENT ON FUNCTION casino.hub_tax_base(date, date) IS 'tax_base() at a hub';

CREATE FUNCTION casino.hub_account_movements(from_day date, to_day date)
RETURNS TABLE (account text, opening numeric, debits numeric, credits numeric, closing numeric)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT t.account, sum(t.opening), sum(t.debits), sum(t.credits), sum(t.closing)
          FROM casino.hub_rows('account_movements', jsonb_build_object('from_day', hub_account_movements.from_day, 'to_day', hub_account_movements.to_day)) r
         CROSS JOIN LATERAL jsonb_to_record(r.data) AS t (account text, opening numeric, debits numeric, credits numeric, closing numeric)
         GROUP BY t.account ORDER BY t.account;
END
$fn$;
COMMENT ON FUNCTION casino.hub_account_movements(date, date) IS 'account_movements() at a hub';

CREATE FUNCTION casino.hub_liability(at timestamptz)
RETURNS TABLE (wallets numeric, open_stakes numeric, withheld_winnings numeric, withdrawals_payable numeric, total numeric)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT sum(t.wallets), sum(t.open_stakes), sum(t.withheld_winnings), sum(t.withdrawals_payable), sum(t.total)
          FROM casino.hub_rows('liability', jsonb_build_object('at', coalesce(hub_liability.at, clock_timestamp()))) r
         CROSS JOIN LATERAL jsonb_to_record(r.data) AS t (wallets numeric, open_stakes numeric, withheld_winnings numeric, withdrawals_payable numeric, total numeric);
END
$fn$;
COMMENT ON FUNCTION casino.hub_liability(timestamptz) IS 'liability() at a hub';

-- Rounds as the hub has them, wagers as the cells have them.
CREATE FUNCTION casino.hub_open_rounds(at timestamptz, OUT table_id bigint, OUT table_name text, OUT game text, OUT round_id bigint,
                                      OUT round_ref text, OUT status text, OUT opened_at timestamptz, OUT betting_closed_at timestamptz,
                                      OUT actions_closed_at timestamptz, OUT age interval, OUT players bigint, OUT wagers bigint, OUT staked numeric,
                                      OUT dealt jsonb, OUT dealt_at timestamptz) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY
        SELECT t.table_id, min(t.table_name), min(t.game), t.round_id, min(t.round_ref), min(t.status), min(t.opened_at), min(t.betting_closed_at),
               min(t.actions_closed_at), max(t.age), sum(t.players)::bigint, sum(t.wagers)::bigint, sum(t.staked),
               (array_agg(t.dealt ORDER BY t.dealt_at DESC NULLS LAST))[1], max(t.dealt_at)
          FROM casino.hub_rows('open_rounds', jsonb_build_object('at', coalesce(hub_open_rounds.at, clock_timestamp()))) r
         CROSS JOIN LATERAL jsonb_to_record(r.data)
               AS t (table_id bigint, table_name text, game text, round_id bigint, round_ref text, status text, opened_at timestamptz, betting_closed_at timestamptz,
                     actions_closed_at timestamptz, age interval, players bigint, wagers bigint, staked numeric, dealt jsonb, dealt_at timestamptz)
         GROUP BY t.table_id, t.round_id ORDER BY min(t.opened_at), t.round_id;
END
$fn$;
COMMENT ON FUNCTION casino.hub_open_rounds(timestamptz) IS 'open_rounds(at) at a hub';

CREATE FUNCTION casino.all_open_rounds(at timestamptz DEFAULT NULL, OUT table_id bigint, OUT table_name text, OUT game text, OUT round_id bigint,
                                      OUT round_ref text, OUT status text, OUT opened_at timestamptz, OUT betting_closed_at timestamptz,
                                      OUT actions_closed_at timestamptz, OUT age interval, OUT players bigint, OUT wagers bigint, OUT staked numeric,
                                      OUT dealt jsonb, OUT dealt_at timestamptz) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT o.* FROM casino.open_rounds(all_open_rounds.at) o;
END
$fn$;
COMMENT ON FUNCTION casino.all_open_rounds(timestamptz) IS 'open_rounds(at) over all cells of a hub, which is what it gives there';

-- ------------------------------------------------------------------------------------------------ nights

CREATE FUNCTION casino.all_report(day date) RETURNS jsonb
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE;
COMMENT ON FUNCTION casino.all_report(date) IS 'One report of all cells on a Prague day: their nights with what did not fit, rounds that are not the same everywhere, plans, tables, and the figures added up';

CREATE FUNCTION casino.all_report_impl(day date) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    nights jsonb;
    rounds jsonb;
    cells jsonb;
BEGIN
    IF to_regclass('casino.hub') IS NULL THEN
        RAISE EXCEPTION 'this database is not a hub' USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'casino.daily_report() is the report of one server.';
    END IF;
    SELECT jsonb_object_agg(c.cell, coalesce(n.night, '"none"')) INTO nights
      FROM casino.hub_cell c
      LEFT JOIN (SELECT r.cell, jsonb_build_object('status', r.data -> 'status', 'differences', r.data -> 'differences', 'seal', r.data -> 'seal',
                                                   'finished_at', r.data -> 'finished_at') AS night
                   FROM casino.hub_rows('night', jsonb_build_object('from_day', all_report_impl.day)) r) n ON n.cell = c.cell;
    -- what the hub has decided against what each cell has done
    SELECT coalesce(jsonb_agg(jsonb_build_object('round_id', d.round_id, 'hub', d.status, 'cells', d.cells) ORDER BY d.round_id), '[]') INTO rounds
      FROM (SELECT coalesce(h.round_id, f.round_id) AS round_id, h.status, f.cells
              FROM (SELECT r.round_id, r.status FROM casino.hub_round r
                     WHERE r.evaluated_at >= casino.day_start(all_report_impl.day) AND r.evaluated_at < casino.day_start(all_report_impl.day + 1)) h
              FULL JOIN (SELECT (r.data ->> 'round_id')::bigint AS round_id, jsonb_object_agg(r.cell, r.data -> 'status') AS cells,
                                count(*) AS n, min(r.data ->> 'status') AS least, max(r.data ->> 'status') AS most, count(DISTINCT r.data -> 'outcome') AS outcomes
                           FROM casino.hub_rows('round_figures', jsonb_build_object('from_day', all_report_impl.day, 'to_day', all_report_impl.day)) r
                          GROUP BY 1) f ON f.round_id = h.round_id
             WHERE h.status IS NULL OR f.round_id IS NULL OR f.least <> h.status OR f.most <> h.status OR f.outcomes > 1
                OR f.n < (SELECT count(*) FROM casino.hub_cell c JOIN casino.hub_round r ON r.round_id = h.round_id AND c.added_at < r.opened_at)) d;
    SELECT jsonb_agg(to_jsonb(s) - 'conninfo' ORDER BY s.cell) INTO cells FROM casino.cell_states_impl() s;
    RETURN jsonb_build_object(
        'day', day,
        'nights', nights,
        'clean', NOT EXISTS (SELECT FROM jsonb_each(nights) n WHERE n.value ->> 'status' IS DISTINCT FROM 'clean')
                 AND rounds = '[]' AND NOT EXISTS (SELECT FROM jsonb_array_elements(cells) c WHERE c ->> 'problem' IS NOT NULL),
        'rounds_that_differ', rounds,
        'cells', cells,
        'daily_table', (SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') FROM casino.hub_daily_table(day, day) t),
        'tax_base', (SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') FROM casino.hub_tax_base(day, day) t),
        'account_movements', (SELECT coalesce(jsonb_agg(to_jsonb(m)), '[]') FROM casino.hub_account_movements(day, day) m),
        'liability', (SELECT to_jsonb(l) FROM casino.hub_liability(casino.day_start(day + 1)) l));
END
$fn$;
COMMENT ON FUNCTION casino.all_report_impl(date) IS 'Body of all_report(), run as the owner of the ledger';
-- Setting up a hub, cells that join, fail and come back, and what is read across cells (doc/scale.md).

-- ------------------------------------------------------------------------------------------------ the hub

CREATE FUNCTION casino.install_hub(of_cells integer DEFAULT NULL, role name DEFAULT 'casino_hub', conninfo text DEFAULT NULL) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    present record;     -- casino.hub, which is made here
    owner name;
    this text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_language l WHERE l.lanname = 'plproxy') THEN
        RAISE EXCEPTION 'a hub needs PL/Proxy' USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'CREATE EXTENSION plproxy (Debian: postgresql-15-plproxy).';
    END IF;
    PERFORM casino.install();
    SELECT pg_get_userbyid(c.relowner) INTO STRICT owner FROM pg_class c WHERE c.oid = 'casino.ledger'::regclass;
    IF to_regclass('casino.hub') IS NULL THEN
        IF EXISTS (SELECT FROM casino.player) OR EXISTS (SELECT FROM casino.game_table) OR EXISTS (SELECT FROM casino.cell) THEN
            RAISE EXCEPTION 'this database has players or tables, or is a cell: it cannot be a hub'
                USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'A hub is a database of its own.';
        END IF;
        IF of_cells IS NULL OR of_cells NOT BETWEEN 1 AND 1024 THEN
            RAISE EXCEPTION 'of_cells must be from 1 to 1024' USING ERRCODE = 'invalid_parameter_value',
                DETAIL = 'It is the number of cells there can ever be: player numbers are spread over so many, in use or free.', HINT = 'Take 16, or 64.';
        END IF;
        PERFORM casino.install_hub_tables();
        -- R13.38: a minute of betting where nobody says more
        INSERT INTO casino.hub VALUES (true, of_cells, role, '1 minute', '1 hour', (SELECT c.system_identifier FROM pg_control_system() c), casino.timeline(),
                                       (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()), 'casino.hub'::regclass, casino.hub_new_epoch(0), NULL,
                                       clock_timestamp(), clock_timestamp());
    END IF;
    SELECT h.* INTO STRICT present FROM casino.hub h;
    IF of_cells <> present.of_cells THEN
        RAISE EXCEPTION 'this hub is made for % cells', present.of_cells
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = 'The numbers of all players say so; that does not change.';
    END IF;
    IF present.system_identifier <> (SELECT c.system_identifier FROM pg_control_system() c) OR present.superseded_at IS NOT NULL
       OR NOT casino.hub_is_here(present.database, present.relation) THEN
        -- restored from a dump, or another hub has decided meanwhile: there may be more decisions than it knows, casino.catch_up() asks
        UPDATE casino.hub SET system_identifier = (SELECT c.system_identifier FROM pg_control_system() c), timeline = -1, superseded_at = NULL,
                              database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()), relation = 'casino.hub'::regclass;
    END IF;
    PERFORM casino.check_conninfo(conninfo);
    this := coalesce(conninfo, format('host=%s port=%s dbname=%s', casino.conninfo_value(btrim(split_part(current_setting('unix_socket_directories'), ',', 1))),
                                      current_setting('port'), casino.conninfo_value(current_database())));
    PERFORM casino.install_hub_servers(present.of_cells, present.role, owner, this || ' user=' || casino.conninfo_value(owner));
    PERFORM casino.check_way_to_itself(this);
    EXECUTE format('CREATE OR REPLACE FUNCTION casino.cell_of(player_id bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS %L',
                   format('SELECT ($1 %% %s)::integer', present.of_cells));
    COMMENT ON FUNCTION casino.cell_of(bigint) IS 'At this hub: cell of a player';
    EXECUTE format('CREATE OR REPLACE FUNCTION casino.cell_of_withdrawal(id bigint) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS %L',
                   format('SELECT ($1 / 1000000000 %% %s)::integer', present.of_cells));
    EXECUTE format('CREATE OR REPLACE FUNCTION casino.cell_to_ask(player_id bigint) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS %L',
                   format('SELECT coalesce(abs($1 %% %s)::integer, 0)', present.of_cells));
    COMMENT ON FUNCTION casino.cell_to_ask(bigint) IS 'At this hub: cell that answers a question about a player, or about nobody';
    COMMENT ON FUNCTION casino.cell_of_withdrawal(bigint) IS 'At this hub: cell of the player whose withdrawal it is';
    REVOKE ALL ON FUNCTION casino.cell_of(bigint), casino.cell_of_withdrawal(bigint), casino.cell_to_ask(bigint) FROM PUBLIC;
    -- who may bet may ask where
    GRANT EXECUTE ON FUNCTION casino.cell_of(bigint), casino.cell_of_withdrawal(bigint), casino.cell_to_ask(bigint) TO PUBLIC;
    CREATE OR REPLACE FUNCTION casino.hub_send(cells integer[], decision_no bigint, call text, arguments jsonb, dry boolean, actor text, epoch bigint, table_id bigint, told jsonb,
                                               in_order boolean)
    RETURNS SETOF casino.cell_answer LANGUAGE plproxy AS $proxy$
        CLUSTER 'casino_cells'; RUN ON pg_catalog.unnest(cells);
        SELECT cell, code, message, detail, hint, result, obeyed FROM casino.obey(decision_no, call, arguments, dry, actor, epoch, table_id, told, in_order);
    $proxy$;
    COMMENT ON FUNCTION casino.hub_send(integer[], bigint, text, jsonb, boolean, text, bigint, bigint, jsonb, boolean) IS 'Calls obey() in some cells, all at once';
    CREATE OR REPLACE FUNCTION casino.hub_fetch(cells integer[], what text, arguments jsonb, OUT cell integer, OUT data jsonb)
    RETURNS SETOF record LANGUAGE plproxy AS $proxy$
        CLUSTER 'casino_cells'; RUN ON pg_catalog.unnest(cells);
        SELECT r.cell, r.data FROM casino.cell_read(what, arguments) r;
    $proxy$;
    COMMENT ON FUNCTION casino.hub_fetch(integer[], text, jsonb) IS 'Calls cell_read() in some cells, all at once';
    CREATE OR REPLACE FUNCTION casino.hub_write(what text, arguments jsonb) RETURNS jsonb LANGUAGE plproxy AS $proxy$
        CLUSTER 'casino_hub'; RUN ON 0;
        SELECT w FROM casino.hub_write_here(what, arguments) w;
    $proxy$;
    COMMENT ON FUNCTION casino.hub_write(text, jsonb) IS 'Writes what was decided, committed when it returns';
    REVOKE ALL ON FUNCTION casino.hub_send(integer[], bigint, text, jsonb, boolean, text, bigint, bigint, jsonb, boolean), casino.hub_fetch(integer[], text, jsonb),
                           casino.hub_write(text, jsonb) FROM PUBLIC;
    PERFORM casino.route_functions();
    REVOKE ALL ON FUNCTION casino.hub_place_many(text, bigint, bigint[], casino.bet[], text[], integer[], integer[], timestamptz) FROM PUBLIC;
    PERFORM casino.guard_mappings();
    RETURN present.of_cells;
END
$fn$;
COMMENT ON FUNCTION casino.install_hub(integer, name, text) IS 'Makes this database the hub of up to so many cells: its tables, owned by the caller, and the functions of one server routed to the cells; run again after a restore or an update. role: as whom the hub calls the cells; conninfo: how it reaches itself, by default over its socket. Returns of_cells';

-- Grows with the clock, so that two copies of one hub that both take over do not have the same
CREATE FUNCTION casino.hub_new_epoch(later_than bigint) RETURNS bigint
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT greatest(later_than + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
$fn$;
COMMENT ON FUNCTION casino.hub_new_epoch(bigint) IS 'Part of the hub: epoch of a hub that takes over';

-- A value in a connection string of libpq
CREATE FUNCTION casino.conninfo_value(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT '''' || replace(replace(value, '\', '\\'), '''', '\''') || ''''
$fn$;
COMMENT ON FUNCTION casino.conninfo_value(text) IS 'Part of the hub: a value quoted for a connection string';

-- Everybody may read the options of a server, and PL/Proxy takes a user named anywhere in the string for all callers.
CREATE FUNCTION casino.check_conninfo(conninfo text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF conninfo ~ '^\s*postgres(ql)?://' THEN
        RAISE EXCEPTION 'conninfo must be a list of keywords and values, not a URI' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF conninfo ~* '(user|password)\s*=' THEN
        RAISE EXCEPTION 'conninfo must not name a user or a password'
            USING ERRCODE = 'invalid_parameter_value', DETAIL = 'Everybody who can connect may read it. Callers have the same names in the cells as at the hub.',
                  HINT = 'Passwords are in the password file of the hub''s server; the key of a certificate (sslkey) is in a file without a passphrase.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.check_conninfo(text) IS 'Part of install_hub() and add_cell(): 22023 for a user, a password or the passphrase of a key';

CREATE FUNCTION casino.check_way_to_itself(conninfo text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    reached boolean;
    reason text;
BEGIN
    CREATE OR REPLACE FUNCTION casino.hub_itself(OUT system_identifier bigint, OUT database oid, OUT login text) RETURNS record LANGUAGE plproxy AS $proxy$
        CLUSTER 'casino_hub'; RUN ON 0;
        SELECT c.system_identifier, d.oid AS database, session_user::text AS login
          FROM pg_catalog.pg_control_system() c, pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database();
    $proxy$;
    COMMENT ON FUNCTION casino.hub_itself() IS 'Which database the server casino_hub leads to';
    REVOKE ALL ON FUNCTION casino.hub_itself() FROM PUBLIC;
    BEGIN
        SELECT t.database = d.oid AND t.system_identifier = c.system_identifier INTO reached
          FROM casino.hub_itself() t, pg_control_system() c, pg_database d WHERE d.datname = current_database();
    EXCEPTION WHEN OTHERS THEN
        reason := SQLERRM;
    END;
    IF reached THEN
        RETURN;
    END IF;
    RAISE EXCEPTION 'the hub does not reach itself by "%"', conninfo
        USING ERRCODE = 'connection_failure', DETAIL = coalesce(reason, 'It leads to another database.'),
              HINT = 'install_hub(conninfo => ...) names the way; pg_hba.conf must let the owner of the tables in over it.';
END
$fn$;
COMMENT ON FUNCTION casino.check_way_to_itself(text) IS 'Part of the hub: 08006 when what is decided could not be written';

-- Two servers for the cells: casino for callers, who have the same names there, and casino_cells for what the hub itself tells them; and one
-- for the hub itself.  A number not in use leads nowhere, with a path that says so.
CREATE FUNCTION casino.install_hub_servers(of_cells integer, role name, owner name, this text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    slots CONSTANT text := (SELECT string_agg(format('p%s %L', n, casino.no_such_cell(n)), ', ' ORDER BY n) FROM generate_series(0, of_cells - 1) n);
    server text;
BEGIN
    FOREACH server IN ARRAY '{casino,casino_cells}'::text[] LOOP
        IF NOT EXISTS (SELECT FROM pg_foreign_server s WHERE s.srvname = server) THEN
            -- no query_timeout: PL/Proxy looks at it when an answer comes, so that it would refuse a long settlement that has been done, each time anew
            EXECUTE format('CREATE SERVER %I FOREIGN DATA WRAPPER plproxy OPTIONS (modular_mapping ''1'', connection_lifetime ''3600'', %s)', server, slots);
        END IF;
    END LOOP;
    IF NOT EXISTS (SELECT FROM pg_foreign_server s WHERE s.srvname = 'casino_hub') THEN
        EXECUTE format('CREATE SERVER casino_hub FOREIGN DATA WRAPPER plproxy OPTIONS (p0 %L)', this);
    ELSE
        EXECUTE format('ALTER SERVER casino_hub OPTIONS (SET p0 %L)', this);
    END IF;
    CREATE USER MAPPING IF NOT EXISTS FOR PUBLIC SERVER casino;
    EXECUTE format('CREATE USER MAPPING IF NOT EXISTS FOR %I SERVER casino_cells OPTIONS (user %L)', owner, role);
    EXECUTE format('CREATE USER MAPPING IF NOT EXISTS FOR %I SERVER casino_hub', owner);
    COMMENT ON SERVER casino IS 'Cells, for callers under their own names';
    COMMENT ON SERVER casino_cells IS 'Cells, for what the hub decides';
    COMMENT ON SERVER casino_hub IS 'This database: what is decided is committed over it before a cell hears of it';
END
$fn$;
COMMENT ON FUNCTION casino.install_hub_servers(integer, name, name, text) IS 'Part of install_hub(): the servers of PL/Proxy';

-- R13.20: whoever calls goes on to the cells under his own name, for which PL/Proxy wants USAGE on the server; that would let him make a
-- mapping of his own and go on as somebody else, with a password that is in the server's file.
CREATE FUNCTION casino.guard_mappings() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    others text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_event_trigger t WHERE t.evtname = 'casino_user_mapping') THEN
        CREATE EVENT TRIGGER casino_user_mapping ON ddl_command_end WHEN TAG IN ('CREATE USER MAPPING', 'ALTER USER MAPPING')
            EXECUTE FUNCTION casino.refuse_mapping();
        ALTER EVENT TRIGGER casino_user_mapping ENABLE ALWAYS;
        COMMENT ON EVENT TRIGGER casino_user_mapping IS 'Callers go on to the cells under their own names';
    END IF;
    SELECT string_agg(format('%s on %s', u.usename, u.srvname), ', ') INTO others FROM pg_user_mappings u JOIN pg_foreign_server s ON s.oid = u.srvid
     WHERE u.srvname IN ('casino', 'casino_cells', 'casino_hub') AND u.umuser NOT IN (0, s.srvowner);
    IF others IS NOT NULL THEN
        RAISE WARNING 'there are user mappings that install_hub() did not make: %', others USING HINT = 'DROP USER MAPPING, if they lead to the cells under another name.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.guard_mappings() IS 'Part of the hub: from then on only the owner of the servers makes user mappings for them';

CREATE FUNCTION casino.refuse_mapping() RETURNS event_trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    server name;
BEGIN
    SELECT u.srvname INTO server FROM pg_event_trigger_ddl_commands() c JOIN pg_user_mappings u ON u.umid = c.objid JOIN pg_foreign_server s ON s.oid = u.srvid
     WHERE c.classid = 'pg_user_mapping'::regclass AND u.srvname IN ('casino', 'casino_cells', 'casino_hub') AND NOT pg_has_role(s.srvowner, 'USAGE');
    IF FOUND THEN
        RAISE EXCEPTION 'only its owner makes user mappings for server %', server
            USING ERRCODE = 'insufficient_privilege', DETAIL = 'Callers of a hub go on to the cells under their own names.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.refuse_mapping() IS 'At a hub, event trigger: 42501 for a user mapping that would lead to the cells as somebody else';

CREATE FUNCTION casino.no_such_cell(cell integer) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN format('host=/there/is/no/cell/%s dbname=none', cell);
COMMENT ON FUNCTION casino.no_such_cell(integer) IS 'Part of install_hub(): where a cell that is not in use is';

CREATE FUNCTION casino.hub_cells() RETURNS SETOF integer
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.hub_cells() IS 'Cells in use: a question to all of them is answered by all or by an error';

CREATE FUNCTION casino.hub_cells_impl() RETURNS SETOF integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN QUERY SELECT c.cell FROM casino.hub_cell c ORDER BY c.cell;
END
$fn$;
COMMENT ON FUNCTION casino.hub_cells_impl() IS 'Body of hub_cells(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------------------ plans

-- A cell that joins later needs the versions that came since install(): those in force are not added by add_plan_version(), but restored.
CREATE FUNCTION casino.plan_script() RETURNS text
LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT E'BEGIN;\nSET LOCAL session_replication_role = replica;\n'
           || coalesce(string_agg(format($q$WITH p AS (
    INSERT INTO casino.game_plan SELECT x.* FROM (SELECT %1$L::jsonb || jsonb_build_object('plan_id', nextval('casino.plan_id_seq')) AS r OFFSET 0) v,
           jsonb_populate_record(NULL::casino.game_plan, v.r) x
     WHERE NOT EXISTS (SELECT FROM casino.game_plan g WHERE (g.game, g.version) = (%2$L, %3$s)) RETURNING plan_id)$q$, to_jsonb(p) - 'plan_id' - 'recorded_by', p.game, p.version)
           || (SELECT string_agg(format($q$, %1$s AS (INSERT INTO casino.%1$I SELECT x.* FROM p, jsonb_array_elements(%2$L) r,
           jsonb_populate_record(NULL::casino.%1$I, r || jsonb_build_object('plan_id', p.plan_id)) x)$q$, c.part, c.rows), E'\n')
                 FROM (VALUES ('plan_rule', (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'plan_id' - 'recorded_by'), '[]') FROM casino.plan_rule r WHERE r.plan_id = p.plan_id)),
                              ('bet_rule', (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'plan_id' - 'recorded_by'), '[]') FROM casino.bet_rule r WHERE r.plan_id = p.plan_id)),
                              ('paytable', (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'plan_id' - 'recorded_by'), '[]') FROM casino.paytable r WHERE r.plan_id = p.plan_id)),
                              ('announced_rule', (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'plan_id' - 'recorded_by'), '[]') FROM casino.announced_rule r WHERE r.plan_id = p.plan_id)))
                      AS c (part, rows))
           || E'\nSELECT 1 FROM p;', E'\n' ORDER BY p.game, p.version), '') || E'\nCOMMIT;'
      FROM casino.game_plan p WHERE p.version > 1
$fn$;
COMMENT ON FUNCTION casino.plan_script() IS 'At a hub: SQL that loads the plan versions added since install() into a cell that does not have them, also those in force; run there by a superuser';

-- ------------------------------------------------------------------------------------------------ cells

CREATE FUNCTION casino.add_cell(cell integer, conninfo text, takes_persons boolean DEFAULT true) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    h casino.hub;
    before casino.hub_cell;
    began timestamptz;
    state jsonb;
    problem text;
BEGIN
    PERFORM casino.take_lock('hub cells');
    SELECT x.* INTO STRICT h FROM casino.hub x;
    IF cell IS NULL OR cell < 0 OR cell >= h.of_cells OR coalesce(btrim(conninfo), '') = '' THEN
        RAISE EXCEPTION 'cell must be from 0 to % and conninfo given', h.of_cells - 1 USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM casino.check_conninfo(conninfo);
    PERFORM casino.hub_not_superseded();
    -- a cell that is cut off must not hold everybody up; PL/Proxy connects without waiting, so that connect_timeout does nothing there
    IF conninfo !~ '\mtcp_user_timeout\s*=' THEN
        conninfo := conninfo || ' tcp_user_timeout=10000';
    END IF;
    IF conninfo !~ '\mkeepalives' THEN
        conninfo := conninfo || ' keepalives_idle=10 keepalives_interval=5 keepalives_count=2';
    END IF;
    -- nobody decides anything between here and the end: what is decided before is sent to the new cell, what comes after finds it in use
    PERFORM casino.take_lock('hub table ' || t.table_id) FROM casino.hub_table t ORDER BY t.table_id;
    SELECT c.* INTO before FROM casino.hub_cell c WHERE c.cell = add_cell.cell;
    IF NOT FOUND THEN
        PERFORM casino.hub_may_decide();
    END IF;
    EXECUTE format('ALTER SERVER casino OPTIONS (SET p%s %L)', cell, conninfo);
    -- a player of a number not in use is refused as on one server, by the cell that was added first
    IF NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.cell <> add_cell.cell AND c.added_at < coalesce(before.added_at, 'infinity')) THEN
        EXECUTE (SELECT format('ALTER SERVER casino OPTIONS (%s)', string_agg(format('SET p%s %L', n, conninfo), ', '))
                   FROM generate_series(0, h.of_cells - 1) n WHERE n = cell OR NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.cell = n));
    END IF;
    EXECUTE format('ALTER SERVER casino_cells OPTIONS (SET p%s %L)', cell, conninfo);
    began := clock_timestamp();
    BEGIN
        SELECT f.data INTO state FROM casino.hub_fetch(ARRAY[add_cell.cell], 'report', '{}') f;
    EXCEPTION WHEN OTHERS THEN
        RAISE EXCEPTION 'cell % cannot be taken in: it does not answer', cell
            USING ERRCODE = 'connection_failure', DETAIL = SQLERRM,
                  HINT = format('In the cell: casino.install(), casino.become_cell(%s, %s), a role %s that may log in, casino.grant_access(%L, ''hub'').', cell, h.of_cells, h.role, h.role);
    END;
    problem := casino.cell_problem(state, cell, began, clock_timestamp());
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'cell % cannot be taken in: %', cell, problem USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    IF (state ->> 'epoch')::bigint > h.epoch THEN
        IF before.cell IS NOT NULL THEN
            RAISE EXCEPTION 'cell % obeys another hub', cell USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = format('Its epoch is %s, this one''s is %s.', state ->> 'epoch', h.epoch),
                HINT = 'Stop that hub, run casino.install_hub() and casino.catch_up() here.';
        END IF;
        UPDATE casino.hub SET epoch = casino.hub_new_epoch((state ->> 'epoch')::bigint);
    END IF;
    IF before.cell IS NULL AND (state ->> 'players')::bigint > 0 THEN
        -- a cell that a hub had before: it tells whom it knows
        RAISE NOTICE 'cell % has % players, whose home it is', cell, state ->> 'players';
    END IF;
    INSERT INTO casino.hub_cell (cell, conninfo, added_at, takes_persons, persons, learned)
    VALUES (cell, conninfo, clock_timestamp(), takes_persons, 0, true)
    ON CONFLICT ON CONSTRAINT hub_cell_pkey DO UPDATE SET conninfo = EXCLUDED.conninfo, takes_persons = EXCLUDED.takes_persons;
    IF before.cell IS NULL THEN
        PERFORM casino.hub_keep_person(p.data ->> 'external_ref', add_cell.cell) FROM casino.hub_fetch(ARRAY[add_cell.cell], 'persons', '{"since": "-infinity"}') p;
        -- all tables, and as far as they are the rounds of which something will be told yet: in play, or withheld
        INSERT INTO casino.hub_answer (decision_no, cell, table_id)
        SELECT d.decision_no, add_cell.cell, d.table_id FROM casino.hub_decision d
          LEFT JOIN casino.hub_round r ON r.round_id = d.round_id
         WHERE (d.round_id IS NULL OR r.status IN ('open', 'closed', 'withheld') AND d.call <> 'hand_over_box')
           AND casino.hub_stands(d.decision_no);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.add_cell(integer, text, boolean) IS 'Takes a cell in, also while others play, or says what is wrong with it; casino.catch_up() then sends it the tables and open rounds. The same cell again: it has moved';

-- What a cell says of itself against what the hub is; NULL: it fits
CREATE FUNCTION casino.cell_problem(state jsonb, cell integer, began timestamptz, ended timestamptz) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    clock CONSTANT timestamptz := (state ->> 'clock')::timestamptz;
    skew CONSTANT interval := interval '5 seconds';      -- as far as an event's time may be off
    here record;
    problems text[] := '{}';
BEGIN
    SELECT h.of_cells, h.role, e.extversion, (SELECT max(v.version) FROM casino.schema_version v) AS schema_version
      INTO here FROM casino.hub h, pg_extension e WHERE e.extname = 'casino';
    IF state ->> 'cell' IS NULL THEN
        problems := problems || format('it is no cell; there: SELECT casino.become_cell(%s, %s)', cell, here.of_cells);
    ELSIF (state ->> 'cell', state ->> 'of_cells') <> (cell::text, here.of_cells::text) THEN
        problems := problems || format('it is cell %s of %s, not cell %s of %s', state ->> 'cell', state ->> 'of_cells', cell, here.of_cells);
    END IF;
    IF (state ->> 'extension_version', state ->> 'schema_version') IS DISTINCT FROM (here.extversion::text, here.schema_version::text) THEN
        problems := problems || format('it has casino %s with tables of version %s, the hub %s with %s', state ->> 'extension_version', state ->> 'schema_version',
                                       here.extversion, here.schema_version);
    END IF;
    IF state ->> 'plan_digest' IS DISTINCT FROM to_jsonb(casino.plan_digest()) #>> '{}' THEN
        problems := problems || 'its plan versions are not the hub''s (casino.plan_digest() differs)'::text;
    END IF;
    IF clock < began - skew OR clock > ended + skew THEN
        problems := problems || format('its clock is off by %s', CASE WHEN clock < began THEN clock - began ELSE clock - ended END);
    END IF;
    IF jsonb_array_length(state -> 'others') > 0 THEN
        problems := problems || format('calls of the hub are open to others there: %s', (SELECT string_agg(o, ', ') FROM jsonb_array_elements_text(state -> 'others') o));
    END IF;
    RETURN nullif(array_to_string(problems, '; '), '');
END
$fn$;
COMMENT ON FUNCTION casino.cell_problem(jsonb, integer, timestamptz, timestamptz) IS 'Part of add_cell() and cell_status: version, numbering, plans, clock and privileges of a cell';

CREATE FUNCTION casino.cell_states(OUT cell integer, OUT up boolean, OUT problem text, OUT clock_difference interval, OUT waiting bigint, OUT oldest interval,
                                   OUT refused bigint, OUT same_plans boolean, OUT table_digest text, OUT last_clean_night date, OUT players bigint,
                                   OUT conninfo text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.cell_states() IS 'What the view cell_status of a hub shows: asks every cell';

CREATE FUNCTION casino.cell_states_impl(OUT cell integer, OUT up boolean, OUT problem text, OUT clock_difference interval, OUT waiting bigint, OUT oldest interval,
                                   OUT refused bigint, OUT same_plans boolean, OUT table_digest text, OUT last_clean_night date, OUT players bigint,
                                   OUT conninfo text) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
#variable_conflict use_column
DECLARE
    c casino.hub_cell;
    h casino.hub;
    began timestamptz[] := '{}';
    ended timestamptz[] := '{}';
    states jsonb[] := '{}';
    reasons text[] := '{}';
    digests text[] := '{}';
    tables text;
    tables_wait boolean;
    waits text;
    state jsonb;
    reason text;
    i integer := 0;
BEGIN
    SELECT x.* INTO STRICT h FROM casino.hub x;
    FOR c IN SELECT x.* FROM casino.hub_cell x ORDER BY x.cell LOOP
        began := began || clock_timestamp();
        state := NULL;
        reason := NULL;
        BEGIN
            SELECT f.data INTO state FROM casino.hub_fetch(ARRAY[c.cell], 'report', '{}') f;
        EXCEPTION WHEN OTHERS THEN
            reason := SQLERRM;
        END;
        ended := ended || clock_timestamp();
        states := states || state;
        reasons := reasons || reason;
        -- who has carried out everything has the tables of the others
        IF NOT EXISTS (SELECT FROM casino.hub_answer a JOIN casino.hub_decision d ON d.decision_no = a.decision_no
                        WHERE a.cell = c.cell AND a.answered_at IS NULL AND d.round_id IS NULL) THEN
            digests := digests || (state ->> 'table_digest');
        END IF;
    END LOOP;
    SELECT d INTO tables FROM unnest(digests) d WHERE d IS NOT NULL GROUP BY d ORDER BY count(*) DESC, d LIMIT 1;
    FOR c IN SELECT x.* FROM casino.hub_cell x ORDER BY x.cell LOOP
        i := i + 1;
        CONTINUE WHEN i > cardinality(began);
        cell := c.cell;
        conninfo := c.conninfo;
        state := states[i];
        reason := reasons[i];
        up := state IS NOT NULL;
        SELECT count(*), clock_timestamp() - min(d.decided_at), count(*) FILTER (WHERE NOT casino.passes_by(a.code)),
               bool_or(d.round_id IS NULL),
               min(format('decision %s (%s of table %s): %s', a.decision_no, d.call, a.table_id, a.message)) FILTER (WHERE a.code = '55P03'),
               coalesce(reason, min(format('decision %s (%s of table %s) is refused: %s', a.decision_no, d.call, a.table_id, a.message)) FILTER (WHERE NOT casino.passes_by(a.code)))
          INTO waiting, oldest, refused, tables_wait, waits, reason
          FROM casino.hub_answer a JOIN casino.hub_decision d ON d.decision_no = a.decision_no
         WHERE a.cell = c.cell AND a.answered_at IS NULL;
        clock_difference := (state ->> 'clock')::timestamptz - (began[i] + (ended[i] - began[i]) / 2);
        same_plans := state ->> 'plan_digest' = to_jsonb(casino.plan_digest()) #>> '{}';
        table_digest := state ->> 'table_digest';
        last_clean_night := (state ->> 'last_clean_night')::date;
        players := (state ->> 'players')::bigint;
        problem := concat_ws('; ', reason,
                             CASE WHEN up AND c.down_since IS NOT NULL THEN 'it was down and waits for casino.catch_up()' END,
                             CASE WHEN up AND casino.hub_lost_tables(c.cell, state) <> '{}' THEN 'it was restored and waits for casino.catch_up()' END,
                             CASE WHEN waits IS NOT NULL THEN 'it does not answer in time: ' || waits END,
                             CASE WHEN up AND (state ->> 'epoch')::bigint > h.epoch THEN 'it obeys another hub' END,
                             CASE WHEN NOT c.learned THEN 'it has not told the restored hub what it knows' END,
                             CASE WHEN up AND table_digest <> tables AND tables_wait IS NOT TRUE
                                  THEN 'its tables or their limits are not those of the other cells (casino.table_digest() differs)' END,
                             CASE WHEN up THEN casino.cell_problem(state, c.cell, began[i], ended[i]) END);
        problem := nullif(problem, '');
        RETURN NEXT;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.cell_states_impl() IS 'Body of cell_states(), run as the owner of the ledger';

-- ------------------------------------------------------------------------------------------------ catching up

CREATE FUNCTION casino.catch_up(since timestamptz DEFAULT NULL, OUT cell integer, OUT up boolean, OUT sent bigint, OUT waiting bigint, OUT problem text) RETURNS SETOF record
    AS 'MODULE_PATHNAME', 'casino_sql_as_owner' LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 10;
COMMENT ON FUNCTION casino.catch_up(timestamptz) IS 'At a hub: takes cells back that are up again and sends each what it has not answered; a restored hub first learns what the cells know, a restored cell is told again what it may have lost. since: everything decided since then is sent once more';

CREATE FUNCTION casino.catch_up_impl(since timestamptz, OUT cell integer, OUT up boolean, OUT sent bigint, OUT waiting bigint, OUT problem text) RETURNS SETOF record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
#variable_conflict use_column
DECLARE
    c record;
    p record;
    one record;
    states jsonb := '{}';
    problems jsonb := '{}';
    before bigint;
    lock text;
BEGIN
    IF to_regclass('casino.hub') IS NULL THEN
        RAISE EXCEPTION 'this database is no hub' USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'casino.install_hub() makes one.';
    END IF;
    PERFORM casino.hub_not_superseded();
    IF NOT (SELECT casino.hub_is_here(h.database, h.relation) FROM casino.hub h) THEN
        RAISE EXCEPTION 'this hub was restored from a dump' USING ERRCODE = 'object_not_in_prerequisite_state',
            DETAIL = 'Where the hub that it is a copy of goes on, the cells would obey this one from here on.', HINT = 'When it is to be the hub: SELECT casino.install_hub().';
    END IF;
    -- one at a time; the other one does it
    IF NOT casino.try_lock('hub catch up') THEN
        RETURN;
    END IF;
    FOR c IN SELECT x.cell FROM casino.hub_cell x ORDER BY x.cell LOOP
        SELECT r.state, r.problem INTO one FROM casino.hub_reach(c.cell, since) r;
        states := states || jsonb_strip_nulls(jsonb_build_object(c.cell, one.state));
        problems := problems || jsonb_strip_nulls(jsonb_build_object(c.cell, one.problem));
    END LOOP;
    PERFORM casino.hub_not_superseded();
    PERFORM casino.hub_read_cells(states);
    FOR c IN SELECT x.cell, x.learned FROM casino.hub_cell x ORDER BY x.cell LOOP
        cell := c.cell;
        up := states ? c.cell::text;
        problem := problems ->> c.cell::text;
        SELECT count(*) INTO before FROM casino.hub_answer a WHERE a.cell = c.cell AND a.answered_at IS NULL;
        IF up THEN
            FOR p IN SELECT DISTINCT a.table_id FROM casino.hub_answer a WHERE a.cell = c.cell AND a.answered_at IS NULL AND c.learned
                      UNION SELECT t FROM unnest(casino.hub_lost_tables(c.cell, states -> c.cell::text)) t WHERE c.learned ORDER BY 1 LOOP
                lock := 'hub table ' || p.table_id;
                -- a session that decides there at this moment delivers what is waiting itself; the lock is of the session, not held to the end
                IF casino.try_lock(lock, of_session => true) THEN
                    BEGIN
                        -- its answer says what it has lost
                        PERFORM casino.hub_ask(ARRAY[c.cell], 0, 'follow', '{}', table_id => p.table_id);
                        PERFORM casino.hub_deliver(c.cell, p.table_id);
                    EXCEPTION WHEN query_canceled OR assert_failure OR OTHERS THEN
                        PERFORM casino.release_lock(lock);
                        RAISE;
                    END;
                    PERFORM casino.release_lock(lock);
                END IF;
            END LOOP;
        END IF;
        SELECT count(*), coalesce(problem, CASE WHEN up AND NOT c.learned THEN 'the hub, restored, waits for the other cells before it reads this one' END, min(format('decision %s: %s %s', a.decision_no, a.code, a.message)) FILTER (WHERE a.code IS NOT NULL)) INTO waiting, problem
          FROM casino.hub_answer a WHERE a.cell = c.cell AND a.answered_at IS NULL;
        sent := before - waiting;
        RETURN NEXT;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.catch_up_impl(timestamptz) IS 'Body of catch_up(), run as the owner of the ledger';

-- Is a cell up?  What it says of itself, or why not.
CREATE FUNCTION casino.hub_reach(cell integer, since timestamptz DEFAULT NULL, OUT state jsonb, OUT problem text) RETURNS record
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    epoch CONSTANT bigint := (SELECT h.epoch FROM casino.hub h);
BEGIN
    -- a connection that was broken since its last use is opened anew
    FOR attempt IN 1 .. 2 LOOP
        BEGIN
            problem := NULL;
            SELECT f.data INTO STRICT state FROM casino.hub_fetch(ARRAY[hub_reach.cell], 'presence', '{}') f;
            IF (state ->> 'cell')::integer IS DISTINCT FROM cell THEN
                RAISE EXCEPTION 'cell % answers there', state ->> 'cell';
            END IF;
            EXIT;
        EXCEPTION WHEN OTHERS THEN
            state := NULL;
            problem := SQLERRM;
        END;
    END LOOP;
    IF state IS NULL THEN
        PERFORM casino.hub_write('down', jsonb_build_object('cell', cell, 'reason', problem));
    ELSIF (state ->> 'epoch')::bigint > epoch AND casino.hub_is_current() THEN
        PERFORM casino.hub_write('superseded', '{}');
        PERFORM casino.hub_not_superseded();
    ELSE
        PERFORM casino.hub_write('reached', jsonb_build_object('cell', cell, 'since', since));
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_reach(integer, timestamptz) IS 'Part of the hub: asks whether a cell is up, and notes it';

-- R13.31: on which tables has a cell less than it has said?
CREATE FUNCTION casino.hub_lost_tables(of_cell integer, state jsonb) RETURNS bigint[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN ARRAY(SELECT t.table_id FROM casino.hub_told t
                  WHERE t.cell = of_cell AND t.decision_no > coalesce((state -> 'obeyed' ->> t.table_id::text)::bigint, 0) ORDER BY 1);
END
$fn$;
COMMENT ON FUNCTION casino.hub_lost_tables(integer, jsonb) IS 'Part of the hub: tables of which a cell has lost decisions that it had obeyed';

-- Has a cell been told of what this hub has not decided?  Then it was restored by means that left no other trace.
CREATE FUNCTION casino.hub_knows_less(state jsonb) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    RETURN (state ->> 'last_round')::bigint > (SELECT s.last_value FROM casino.round_id_seq s)
        OR (state ->> 'last_table')::bigint > (SELECT s.last_value FROM casino.table_id_seq s)
        OR (SELECT max(o.value::bigint) FROM jsonb_each_text(state -> 'obeyed') o) > (SELECT s.last_value FROM casino.hub_decision_no_seq s)
        OR state ->> 'last_person' IS NOT NULL AND NOT EXISTS (SELECT FROM casino.hub_person p WHERE p.external_ref = state ->> 'last_person');
END
$fn$;
COMMENT ON FUNCTION casino.hub_knows_less(jsonb) IS 'Part of catch_up(): is the hub older than a cell';

-- R13.16, R13.18: a hub that was restored tells the cells to obey no other one, and then reads from them what it has forgotten: what one of
-- them was told had been decided.
CREATE FUNCTION casino.hub_read_cells(states jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    obeyed CONSTANT bigint := (SELECT coalesce(max((s.value ->> 'epoch')::bigint), 0) FROM jsonb_each(states) s);
    since timestamptz;
    c record;
    one integer;
    following integer[] := '{}';
    arguments jsonb;
    known jsonb := '[]';
BEGIN
    IF EXISTS (SELECT FROM casino.hub h WHERE h.timeline NOT IN (0, casino.timeline()) OR h.timeline = 0 AND obeyed > h.epoch)
       OR EXISTS (SELECT FROM jsonb_each(states) s JOIN casino.hub_cell x ON x.cell = s.key::integer AND x.learned WHERE casino.hub_knows_less(s.value)) THEN
        PERFORM casino.hub_write('restored', jsonb_build_object('epoch', obeyed));
    ELSIF NOT EXISTS (SELECT FROM casino.hub_cell x WHERE NOT x.learned) THEN
        -- killed before it could write that it is current
        IF (SELECT h.timeline = 0 FROM casino.hub h) THEN
            PERFORM casino.hub_write('current', '{}');
        END IF;
        RETURN;
    END IF;
    -- every cell obeys this hub before the first is read: what another hub has told them until then is read, too
    FOR c IN SELECT x.cell FROM casino.hub_cell x WHERE NOT x.learned AND states ? x.cell::text ORDER BY x.cell LOOP
        IF (SELECT a.code FROM unnest(casino.hub_ask(ARRAY[c.cell], 0, 'follow', '{}')) a) = '00000' THEN
            following := following || c.cell;
        END IF;
    END LOOP;
    -- R13.33: all, or those that the owner goes on with
    IF following = '{}' AND EXISTS (SELECT FROM casino.hub_cell) OR EXISTS (SELECT FROM casino.hub_cell x WHERE NOT x.learned AND x.cell <> ALL (following))
       AND NOT EXISTS (SELECT FROM casino.hub_takeover t JOIN casino.hub h ON h.epoch = t.epoch) THEN
        RETURN;
    END IF;
    SELECT greatest((SELECT max(d.decided_at) FROM casino.hub_decision d), (SELECT max(p.assigned_at) FROM casino.hub_person p))
           - (SELECT h.replayed FROM casino.hub h) INTO since;
    arguments := jsonb_build_object('since', coalesce(since, '-infinity'));
    FOREACH one IN ARRAY following LOOP
        BEGIN
            known := known || (jsonb_build_object(
                'cell', one,
                'tables', (SELECT coalesce(jsonb_agg(f.data), '[]') FROM casino.hub_fetch(ARRAY[one], 'tables', '{}') f),
                'rounds', (SELECT coalesce(jsonb_agg(f.data), '[]') FROM casino.hub_fetch(ARRAY[one], 'rounds', arguments) f),
                'persons', (SELECT coalesce(jsonb_agg(f.data), '[]') FROM casino.hub_fetch(ARRAY[one], 'persons', arguments) f))
                || (SELECT jsonb_build_object('obeyed', f.data -> 'obeyed', 'last_round', f.data -> 'last_round', 'last_table', f.data -> 'last_table')
                      FROM casino.hub_fetch(ARRAY[one], 'presence', '{}') f));
        EXCEPTION WHEN connection_exception OR internal_error OR operator_intervention OR lock_not_available THEN
            RETURN;     -- it is down: all are asked when it is up
        END;
    END LOOP;
    -- together, so that the end of a round that one cell knows comes before the next round that another one knows
    PERFORM casino.hub_write('learn', known);
    IF (SELECT h.timeline = 0 FROM casino.hub h) THEN
        PERFORM casino.hub_write('current', '{}');
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_read_cells(jsonb) IS 'Part of catch_up(): what a restored hub has forgotten';

-- R13.33: the owner's word that a restored hub decides again without cells that are lost for long
CREATE FUNCTION casino.decide_without(reason text) RETURNS integer[]
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    missing integer[];
BEGIN
    IF coalesce(btrim(reason), '') = '' THEN
        RAISE EXCEPTION 'reason must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    IF to_regclass('casino.hub') IS NULL THEN
        RAISE EXCEPTION 'this database is no hub' USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'casino.install_hub() makes one.';
    END IF;
    PERFORM FROM casino.catch_up();
    IF casino.hub_is_current() THEN
        RETURN '{}';
    END IF;
    missing := ARRAY(SELECT c.cell FROM casino.hub_cell c WHERE NOT c.learned AND c.down_since IS NOT NULL ORDER BY c.cell);
    IF (SELECT h.timeline <> 0 FROM casino.hub h) OR missing = '{}' OR NOT EXISTS (SELECT FROM casino.hub_cell c WHERE c.down_since IS NULL) THEN
        RAISE EXCEPTION 'no cell has been asked what it knows' USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'At least one cell must be up; see casino.cell_status.';
    END IF;
    PERFORM casino.hub_write('without', jsonb_build_object('reason', reason, 'login', session_user, 'cells', missing));
    PERFORM FROM casino.catch_up();
    RETURN missing;
END
$fn$;
COMMENT ON FUNCTION casino.decide_without(text) IS 'At a restored hub, by its owner: it decides again though some cells have not told it what they know. Recorded in hub_takeover with who, why and which rounds these cells may have been told another end of; the hub that it was restored from must be stopped before. Returns the cells';

-- known: what some cells know, [{"cell", "tables", "rounds", "persons"}].  Whoever of them knows more of a round completes it.
CREATE FUNCTION casino.hub_learn(known jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    t record;
    r record;
BEGIN
    -- R13.34
    IF NOT casino.hub_is_current() THEN
        PERFORM casino.hub_withdraw();
    END IF;
    -- no number that another hub has given is given again
    PERFORM setval('casino.hub_decision_no_seq', greatest(nextval('casino.hub_decision_no_seq'),
                (SELECT max(o.value::bigint) FROM jsonb_array_elements(known) k CROSS JOIN LATERAL jsonb_each_text(k.value -> 'obeyed') o))),
            setval('casino.round_id_seq', greatest(nextval('casino.round_id_seq'), (SELECT max((k.value ->> 'last_round')::bigint) FROM jsonb_array_elements(known) k))),
            setval('casino.table_id_seq', greatest(nextval('casino.table_id_seq'), (SELECT max((k.value ->> 'last_table')::bigint) FROM jsonb_array_elements(known) k)));
    INSERT INTO casino.hub_told
    SELECT (k.value ->> 'cell')::integer, o.key::bigint, o.value::bigint FROM jsonb_array_elements(known) k CROSS JOIN LATERAL jsonb_each_text(k.value -> 'obeyed') o
        ON CONFLICT (cell, table_id) DO UPDATE SET decision_no = EXCLUDED.decision_no WHERE casino.hub_told.decision_no < EXCLUDED.decision_no;
    PERFORM casino.hub_keep_person(p.value ->> 'external_ref', (k.value ->> 'cell')::integer)
       FROM jsonb_array_elements(known) k CROSS JOIN LATERAL jsonb_array_elements(k.value -> 'persons') p;
    FOR t IN SELECT x.value ->> 'game' AS game, x.value ->> 'name' AS name, (x.value ->> 'table_id')::bigint AS table_id, x.value AS data, k.value ->> 'cell' AS cell
               FROM jsonb_array_elements(known) k CROSS JOIN LATERAL jsonb_array_elements(k.value -> 'tables') x
              WHERE x.value ->> 'version' = '1' ORDER BY 3, 5 LOOP
        IF NOT EXISTS (SELECT FROM casino.hub_table h WHERE h.table_id = t.table_id OR (h.game, h.name) = (t.game, t.name)) THEN
            PERFORM casino.hub_write_decision('add_game_table', t.table_id, NULL, t.data - '{home_cell,version,valid_from}'::text[], 'cell ' || t.cell);
        END IF;
    END LOOP;
    FOR r IN SELECT x.value AS data, k.value ->> 'cell' AS cell, (x.value ->> 'table_id')::bigint AS table_id, (x.value ->> 'opened_at')::timestamptz AS opened_at
               FROM jsonb_array_elements(known) k CROSS JOIN LATERAL jsonb_array_elements(k.value -> 'rounds') x
               JOIN casino.hub_table h ON h.table_id = (x.value ->> 'table_id')::bigint
              ORDER BY (x.value ->> 'round_id')::bigint, 2 LOOP
        PERFORM casino.hub_learn_limits(known, r.table_id, r.opened_at);
        PERFORM casino.hub_learn_round(r.data, 'cell ' || r.cell);
    END LOOP;
    PERFORM casino.hub_learn_limits(known, h.table_id, 'infinity') FROM casino.hub_table h ORDER BY h.table_id;
    UPDATE casino.hub_cell c SET learned = true FROM jsonb_array_elements(known) k WHERE c.cell = (k.value ->> 'cell')::integer;
END
$fn$;
COMMENT ON FUNCTION casino.hub_learn(jsonb) IS 'Part of catch_up(): writes down what cells know and the restored hub does not';

CREATE FUNCTION casino.hub_learn_limits(known jsonb, table_id bigint, until timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    v record;
BEGIN
    FOR v IN SELECT DISTINCT ON (1) (x.value ->> 'valid_from')::timestamptz AS at, x.value AS data, k.value ->> 'cell' AS cell
               FROM jsonb_array_elements(known) k CROSS JOIN LATERAL jsonb_array_elements(k.value -> 'tables') x
              WHERE (x.value ->> 'table_id')::bigint = hub_learn_limits.table_id AND (x.value ->> 'version')::integer > 1 AND (x.value ->> 'valid_from')::timestamptz <= until
              ORDER BY 1, 3 LOOP
        IF NOT EXISTS (SELECT FROM casino.hub_decision d WHERE d.table_id = hub_learn_limits.table_id AND d.round_id IS NULL AND d.call = 'set_table_limits' AND casino.hub_stands(d.decision_no)
                          AND (d.arguments ->> 'at')::timestamptz = v.at) THEN
            PERFORM casino.hub_write_decision('set_table_limits', table_id, NULL, jsonb_build_object('table_id', table_id, 'min_stake', v.data -> 'min_stake',
                                                  'max_stake', v.data -> 'max_stake', 'options', v.data -> 'options', 'at', v.at), 'cell ' || v.cell);
        END IF;
    END LOOP;
END
$fn$;
COMMENT ON FUNCTION casino.hub_learn_limits(jsonb, bigint, timestamptz) IS 'Part of catch_up(): limits of a table that a restored hub does not know';

CREATE FUNCTION casino.hub_learn_round(round jsonb, source text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    r record;
    d record;
    here casino.hub_round;
    withheld boolean;
BEGIN
    SELECT x.* INTO r FROM jsonb_to_record(round)
        AS x (round_id bigint, table_id bigint, round_ref text, status text, opened_at timestamptz, betting_until timestamptz, betting_closed_at timestamptz,
              actions_closed_at timestamptz, evaluated_at timestamptz, withheld_at timestamptz, withheld_reason text, withheld_paid_at timestamptz, withheld_paid_reason text,
              voided_at timestamptz, outcome jsonb, reason text, plan_version integer, deals jsonb);
    -- a round that is voided after its evaluation was withheld till then
    withheld := r.withheld_at IS NOT NULL OR r.status = 'withheld' OR r.withheld_paid_at IS NOT NULL OR r.status = 'voided' AND r.outcome IS NOT NULL;
    SELECT h.* INTO here FROM casino.hub_round h WHERE h.round_id = r.round_id;
    IF NOT FOUND OR here.status = 'withdrawn' THEN
        PERFORM casino.hub_write_decision('open_round', r.table_id, r.round_id,
            jsonb_build_object('table_id', r.table_id, 'round_ref', r.round_ref, 'at', r.opened_at, 'round_id', r.round_id, 'plan_version', r.plan_version,
                               'betting_until', r.betting_until), source, learned => true);
        SELECT h.* INTO here FROM casino.hub_round h WHERE h.round_id = r.round_id;
    END IF;
    IF here.status = 'open' AND r.betting_closed_at IS NOT NULL THEN
        PERFORM casino.hub_write_decision('close_betting', r.table_id, r.round_id, jsonb_build_object('round_id', r.round_id, 'at', r.betting_closed_at), source);
        here.status := 'closed';
    END IF;
    IF here.status IN ('open', 'closed') AND r.withheld_at IS NOT NULL AND casino.hub_decided(r.round_id, 'withhold_winnings') = 0 THEN
        PERFORM casino.hub_write_decision('withhold_winnings', r.table_id, r.round_id,
            jsonb_build_object('round_id', r.round_id, 'reason', r.withheld_reason, 'at', r.withheld_at), source);
    END IF;
    FOR d IN SELECT x.value -> 'document' AS document, x.value -> 'at' AS at FROM jsonb_array_elements(r.deals) WITH ORDINALITY x (value, n) ORDER BY x.n LOOP
        IF here.status = 'closed' AND NOT EXISTS (SELECT FROM casino.hub_decision e WHERE e.round_id = r.round_id AND e.call = 'deal' AND e.arguments -> 'document' = d.document
                                                            AND casino.hub_stands(e.decision_no)) THEN
            PERFORM casino.hub_write_decision('deal', r.table_id, r.round_id, jsonb_build_object('round_id', r.round_id, 'document', d.document, 'at', d.at), source);
        END IF;
    END LOOP;
    IF here.status = 'closed' AND here.actions_closed_at IS NULL AND r.actions_closed_at IS NOT NULL THEN
        PERFORM casino.hub_write_decision('close_actions', r.table_id, r.round_id, jsonb_build_object('round_id', r.round_id, 'at', r.actions_closed_at), source);
    END IF;
    IF here.status = 'closed' AND r.outcome IS NOT NULL AND r.evaluated_at IS NOT NULL THEN
        PERFORM casino.hub_write_decision('settle_round', r.table_id, r.round_id,
            jsonb_build_object('round_id', r.round_id, 'outcome', r.outcome, 'at', r.evaluated_at, 'withhold', withheld, 'withhold_reason', r.withheld_reason), source);
        here.status := CASE WHEN withheld THEN 'withheld' ELSE 'settled' END;
    END IF;
    IF here.status IN ('open', 'closed', 'withheld') AND r.status = 'voided' THEN
        PERFORM casino.hub_write_decision('void_round', r.table_id, r.round_id, jsonb_build_object('round_id', r.round_id, 'reason', r.reason, 'at', coalesce(r.voided_at, r.evaluated_at)), source);
    ELSIF here.status = 'withheld' AND r.withheld_paid_at IS NOT NULL THEN
        PERFORM casino.hub_write_decision('pay_withheld', r.table_id, r.round_id,
            -- a cell has released it: so it was allowed
            jsonb_build_object('round_id', r.round_id, 'at', r.withheld_paid_at, 'reason', r.withheld_paid_reason, 'authority', 'all'), source);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.hub_learn_round(jsonb, text) IS 'Part of catch_up(): what a cell knows of a round and the restored hub does not';

CREATE FUNCTION casino.excuse_cell(cell integer, decision_no bigint, reason text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
BEGIN
    IF coalesce(btrim(reason), '') = '' THEN
        RAISE EXCEPTION 'reason must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    -- in the caller's transaction, which may have noted that the decision was refused
    IF casino.hub_write_here('excuse', jsonb_build_object('cell', cell, 'decision_no', decision_no, 'reason', reason, 'by', session_user))::bigint = 0 THEN
        RAISE EXCEPTION 'decision % is not waiting for cell %', decision_no, cell USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.excuse_cell(integer, bigint, text) IS 'At a hub, by its owner: a decision that a cell refuses is not sent to it any more, because somebody has put things right there; who and why is kept';
-- Privileges: what each kind of work needs, by name, in one list. What is not named here is executed by nobody but the owner,
-- whatever its volatility. test/privileges.sql holds the same list against the catalog: a new name goes there too.

CREATE FUNCTION casino.access_profiles(OUT profile text, OUT object_type text, OUT object_name text) RETURNS SETOF record
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 300 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT r.profile, p.object_type, n.object_name
      FROM (VALUES
        -- everybody: the types with the functions behind their operators and casts, and questions that read nothing
        ('backend compliance nightly cashier supervisor auditor stream', 'type', 'card hand bet'),
        ('backend compliance nightly cashier supervisor auditor stream', 'function',
            'card_lt card_le card_eq card_ne card_ge card_gt hand_lt hand_le hand_eq hand_ne hand_ge hand_gt
             bet_lt bet_le bet_eq bet_ne bet_ge bet_gt
             card_in card_out hand_in hand_out bet_in bet_out hand_append hand_concat hand cards card_count
             bet kind selection stake covers same_position bet_kinds entry_kinds'),
        ('backend compliance nightly cashier supervisor auditor stream', 'function',
            'baccarat_points blackjack_total is_soft is_blackjack poker_rank poker_category best_five split_pots'),

        -- rounds, stakes, money in, withdrawals asked for; exclusions and limits the player asks for
        ('backend', 'function',
            'register_player deposit try_deposit request_withdrawal try_request_withdrawal cancel_withdrawal open_round open_rounds place_bet place_bets place_bets_balance place_many try_place_bets announced_bets
             cancel_bet disconnect close_betting deal close_actions hand_over_box check_outcome settle_round void_round pay_withheld quote max_win explain_break
             exclude_player set_limit limits_in_force count_other_play plan_in_force table_limits_at last_deal position_limits offer offers round_result may_play round_view'),
        ('backend', 'table',
            'game game_plan plan_rule bet_rule paytable announced_rule game_table table_version table_limit round deal deal_correction dealt_hand round_correction correction_decision box_handover disconnection automatic_completion player wager
             statement player_limit exclusion exclusion_period pending_withdrawals unpaid_winnings payment_method'),
        -- what the player's own page shows
        ('backend', 'function', 'limit_usage player_statement'),

        -- withdrawals and withheld winnings
        ('cashier', 'function', 'register_player deposit try_deposit explain_break request_withdrawal try_request_withdrawal pay_withdrawal try_pay_withdrawal cancel_withdrawal set_payment_account pay_withheld'),
        ('cashier', 'table',    'player statement pending_withdrawals unpaid_winnings payment_account payment_method'),

        -- the management: the second pair of eyes, what is withheld, why something was late
        ('supervisor', 'function', 'correct_deal correct_round approve_correction reject_correction settle_claim approve_withdrawal excuse_delay end_exclusion withhold_winnings void_wagers pay_withheld explain_difference'),
        ('supervisor', 'table',
            'player statement wager round deal dealt_hand deal_correction round_correction correction_decision pending_correction claim claim_end open_claim pending_withdrawals unpaid_winnings late_payment payment_account withdrawal_approval excused_delay
             breach recorder exclusion exclusion_end exclusion_period withholding withholding_end reconciliation difference difference_note'),

        -- reads everything, writes nothing
        ('compliance', 'function', 'check_plan quote max_win announced_bets explain_break plan_in_force table_limits_at position_limits offer offers open_rounds round_result last_deal limits_in_force limit_usage'),
        ('compliance', 'table',    '*'),
        -- reads, reconciliation
        ('nightly', 'function', 'check_plan quote max_win plan_in_force table_limits_at position_limits offer offers open_rounds round_result last_deal limits_in_force limit_usage'),
        ('nightly', 'function', 'record_overdue nightly reconcile explain_difference'),
        ('nightly', 'table',    '*'),

        -- seals: the auditor reads everything, verifies and exports, and nothing else
        ('nightly', 'function', 'seal'),
        ('auditor nightly compliance', 'function',
            'verify proof verify_proof seal_document export_day evidence_layouts evidence_sections evidence_leaf ledger_leaf evidence_line evidence_key
             hash_leaf hash_node merkle_root merkle_path merkle_paths stream_tree stream_leaf seal_root seal_of unsealed_rows unsealed_players
             changed_streams export_parts statement_proof verify_statement'),
        ('auditor', 'table', '*'),

        -- the plans audited
        ('backend compliance nightly', 'function', 'bet_return plan_audit'),
        ('compliance nightly auditor', 'function', 'chi_square_probability'),                         -- return_watch
        ('nightly', 'function', 'watch_day'),

        -- cells: what a hub asks, and what a backend that knows the cells reckons with
        ('backend nightly compliance auditor', 'function', 'cell_of cell_state outcome_players'),
        ('nightly compliance auditor', 'function', 'plan_digest table_digest'),

        -- whoever reads the publication: the first copy of its tables
        ('stream', 'table', 'ledger round'),

        -- the figures, with the parts that they read by
        ('compliance nightly', 'function',
            'daily_table tax_base liability account_movements payment_deadline significant_event game_recall player_statement player_day person_day
             large_win protection figure_rounds figure_wagers figure_corrections refuse_unknown_player daily_report daily_report_html report_table report_bars'),
        ('nightly', 'function', 'keep_day_totals load_provider_report recheck'),

        -- cells: what only their hub calls, and what is read at the hub
        ('hub', 'function', 'obey cell_read'),
        ('backend compliance nightly', 'function', 'hub_cells'),
        ('backend', 'function', 'hub_split'), ('backend', 'function', 'check_many'),
        ('compliance nightly', 'function', 'all_trial_balance all_daily_table all_open_rounds all_report cell_states'),
        ('nightly', 'function', 'catch_up'),

        -- what views call: PostgreSQL asks the reader of a view for the right to execute its functions
        ('backend compliance nightly supervisor auditor', 'function', 'evaluated_wager'),                    -- wager, evaluation
        ('backend cashier compliance nightly supervisor auditor', 'function', 'withheld_winnings payment_due_at'), -- unpaid_winnings
        ('backend cashier compliance nightly supervisor auditor', 'function', 'withdrawal_id')                   -- pending_withdrawals
      ) p (profiles, object_type, names)
     CROSS JOIN LATERAL regexp_split_to_table(p.profiles, '\s+') r (profile)
     CROSS JOIN LATERAL regexp_split_to_table(p.names, '\s+') n (object_name)
$fn$;
COMMENT ON FUNCTION casino.access_profiles() IS 'What grant_access() grants: types to use, functions to execute and tables or views to read (* for all but the machinery of the evaluation), by profile';

-- The views that casino.evaluation is made of call graders and read rules as numbers: nobody's question is put to them.
CREATE FUNCTION casino.is_machinery(view name) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN view ~ '^(graded_|evaluation_|blackjack_|casino_holdem_|texas_|standing_stake$|plan_odds$)';
COMMENT ON FUNCTION casino.is_machinery(name) IS 'Is it a view that only casino.evaluation asks; no profile reads it';

-- What a profile is in the catalog, as GRANT names it.
CREATE FUNCTION casino.profile_objects(profile text, OUT kind text, OUT object oid, OUT privilege text, OUT name text) RETURNS SETOF record
LANGUAGE sql STABLE ROWS 300 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT 'schema', 'casino'::regnamespace::oid, 'USAGE', 'SCHEMA casino'
    UNION ALL
    SELECT 'type', t.oid, 'USAGE', 'TYPE ' || t.oid::regtype
      FROM casino.access_profiles() a
      JOIN pg_type t ON t.typnamespace = 'casino'::regnamespace AND t.typname = a.object_name
     WHERE a.profile = profile_objects.profile AND a.object_type = 'type'
    UNION ALL
    -- of that name in the extension: not what somebody else has put into the schema
    SELECT 'routine', p.oid, 'EXECUTE', 'ROUTINE ' || p.oid::regprocedure
      FROM casino.access_profiles() a
      -- a name stands for all functions of that name, a signature for one
      JOIN pg_proc p ON p.pronamespace = 'casino'::regnamespace
                    AND CASE WHEN a.object_name LIKE '%(%' THEN p.oid = to_regprocedure('casino.' || a.object_name)
                             ELSE p.proname = a.object_name END
      JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
     WHERE a.profile = profile_objects.profile AND a.object_type = 'function'
       AND NOT casino.for_hub_only(p.oid)
    UNION ALL
    -- at a hub calls go on to the cells
    SELECT 'routine', p.oid, 'EXECUTE', 'ROUTINE ' || p.oid::regprocedure
      FROM pg_proc p
     WHERE p.pronamespace = 'casino'::regnamespace AND p.proname = 'hub_place_many' AND profile_objects.profile = 'backend'
    UNION ALL
    SELECT 'server', s.oid, 'USAGE', 'FOREIGN SERVER casino'
      FROM pg_foreign_server s
     WHERE s.srvname = 'casino' AND to_regclass('casino.hub') IS NOT NULL
    UNION ALL
    SELECT 'table', c.oid, 'SELECT', 'TABLE ' || c.oid::regclass
      FROM casino.access_profiles() a
      JOIN pg_class c ON c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v')
                     AND (a.object_name = c.relname OR a.object_name = '*' AND NOT casino.is_machinery(c.relname))
     WHERE a.profile = profile_objects.profile AND a.object_type = 'table'
$fn$;
COMMENT ON FUNCTION casino.profile_objects(text) IS 'Part of grant_access(): schema, types, functions and tables of a profile as they are here';

-- GRANT and REVOKE say WARNING where the caller may not, and go on: what came of them is looked at afterwards.
CREATE FUNCTION casino.grant_access(role name, profile text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    object record;
    missing text;
    number bigint;
BEGIN
    IF role IS NULL OR NOT EXISTS (SELECT FROM casino.access_profiles() a WHERE a.profile = grant_access.profile) THEN
        RAISE EXCEPTION 'unknown profile "%"', profile
            USING ERRCODE = 'invalid_parameter_value',
                  HINT = format('Profiles are %s.', (SELECT string_agg(DISTINCT a.profile, ', ') FROM casino.access_profiles() a));
    END IF;
    FOR object IN SELECT o.privilege, o.name FROM casino.profile_objects(profile) o LOOP
        EXECUTE format('GRANT %s ON %s TO %I', object.privilege, object.name, role);
    END LOOP;
    SELECT count(*), string_agg(o.name, ', ' ORDER BY o.name) INTO number, missing
      FROM casino.profile_objects(profile) o
     WHERE NOT CASE o.kind WHEN 'schema' THEN has_schema_privilege(role, o.object, o.privilege)
                           WHEN 'type' THEN has_type_privilege(role, o.object, o.privilege)
                           WHEN 'routine' THEN has_function_privilege(role, o.object, o.privilege)
                           WHEN 'server' THEN has_server_privilege(role, o.object, o.privilege)
                           WHEN 'table' THEN has_table_privilege(role, o.object, o.privilege) END;
    IF number > 0 THEN
        RAISE EXCEPTION 'role "%" could not be given profile "%": % privileges are missing', role, profile, number
            USING ERRCODE = 'insufficient_privilege', DETAIL = left(format('%s may not grant: %s.', current_user, missing), 1000),
                  HINT = format('A superuser gives an owner of the tables what he needs: SELECT casino.give_to(%L).', current_user);
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.grant_access(name, text) IS 'Gives an existing role what its work needs: backend, cashier, supervisor, compliance, auditor, nightly, stream, or hub in a cell; 42501 when the caller may not grant all of it';

CREATE FUNCTION casino.revoke_access(role name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    object record;
    remaining text;
    number bigint;
BEGIN
    IF role IS NULL THEN
        RAISE EXCEPTION 'role must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    FOR object IN SELECT DISTINCT g.name FROM casino.granted_objects() g WHERE g.grantee = (SELECT r.oid FROM pg_roles r WHERE r.rolname = role) LOOP
        EXECUTE format('REVOKE ALL ON %s FROM %I', object.name, role);
    END LOOP;
    -- also that such a role exists
    EXECUTE format('REVOKE ALL ON SCHEMA casino FROM %I', role);
    SELECT count(*), string_agg(DISTINCT format('%s on %s, granted by %s', g.privilege, g.name, pg_get_userbyid(g.grantor)), '; ') INTO number, remaining
      FROM casino.granted_objects() g WHERE g.grantee = (SELECT r.oid FROM pg_roles r WHERE r.rolname = role);
    IF number > 0 THEN
        RAISE EXCEPTION 'role "%" still has % privileges', role, number
            USING ERRCODE = 'insufficient_privilege', DETAIL = left(remaining || '.', 1000),
                  HINT = 'A privilege is taken away by the role that granted it: SET ROLE to that one and call casino.revoke_access() again.';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.revoke_access(name) IS 'Takes from a role all that it was granted in schema casino; 42501 when the caller may not take all of it';

CREATE FUNCTION casino.granted_objects(OUT grantee oid, OUT grantor oid, OUT privilege text, OUT name text) RETURNS SETOF record
LANGUAGE sql STABLE ROWS 1000 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT a.grantee, a.grantor, a.privilege_type, CASE c.relkind WHEN 'S' THEN 'SEQUENCE ' ELSE 'TABLE ' END || c.oid::regclass
      FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a
     WHERE c.relnamespace = 'casino'::regnamespace
    UNION ALL
    SELECT a.grantee, a.grantor, a.privilege_type, 'TABLE ' || c.oid::regclass
      FROM pg_class c
      JOIN pg_attribute t ON t.attrelid = c.oid
     CROSS JOIN LATERAL aclexplode(t.attacl) a
     WHERE c.relnamespace = 'casino'::regnamespace
    UNION ALL
    SELECT a.grantee, a.grantor, a.privilege_type, 'ROUTINE ' || p.oid::regprocedure
      FROM pg_proc p CROSS JOIN LATERAL aclexplode(p.proacl) a
     WHERE p.pronamespace = 'casino'::regnamespace
    UNION ALL
    SELECT a.grantee, a.grantor, a.privilege_type, 'TYPE ' || t.oid::regtype
      FROM pg_type t CROSS JOIN LATERAL aclexplode(t.typacl) a
     WHERE t.typnamespace = 'casino'::regnamespace
    UNION ALL
    SELECT a.grantee, a.grantor, a.privilege_type, 'FOREIGN SERVER ' || quote_ident(s.srvname)
      FROM pg_foreign_server s CROSS JOIN LATERAL aclexplode(s.srvacl) a
     WHERE s.srvname = 'casino' AND to_regclass('casino.hub') IS NOT NULL
    UNION ALL
    SELECT a.grantee, a.grantor, a.privilege_type, 'SCHEMA casino'
      FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) a
     WHERE n.nspname = 'casino'
$fn$;
COMMENT ON FUNCTION casino.granted_objects() IS 'Part of revoke_access(): every privilege granted in schema casino';

CREATE FUNCTION casino.give_to(owner name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = error AS $fn$
DECLARE
    types CONSTANT text := (SELECT string_agg(t.oid::regtype::text, ', ') FROM casino.own_types() t (oid));
    missing bigint;
BEGIN
    IF owner IS NULL THEN
        RAISE EXCEPTION 'owner must be given' USING ERRCODE = 'null_value_not_allowed';
    END IF;
    EXECUTE format('GRANT CREATE ON SCHEMA casino TO %I', owner);
    EXECUTE format('GRANT USAGE ON SCHEMA casino TO %I WITH GRANT OPTION', owner);
    EXECUTE format('GRANT EXECUTE ON ALL ROUTINES IN SCHEMA casino TO %I WITH GRANT OPTION', owner);
    EXECUTE format('GRANT USAGE ON TYPE %s TO %I WITH GRANT OPTION', types, owner);
    SELECT count(*) INTO missing
      FROM (SELECT has_schema_privilege(owner, 'casino', 'CREATE') AND has_schema_privilege(owner, 'casino', 'USAGE WITH GRANT OPTION')
            UNION ALL
            SELECT has_function_privilege(owner, p.oid, 'EXECUTE WITH GRANT OPTION') FROM pg_proc p WHERE p.pronamespace = 'casino'::regnamespace
            UNION ALL
            SELECT has_type_privilege(owner, t.oid, 'USAGE WITH GRANT OPTION') FROM casino.own_types() t (oid)) h (has)
     WHERE NOT h.has;
    IF missing > 0 THEN
        RAISE EXCEPTION 'role "%" could not be given what the owner of the tables needs: % privileges are missing', owner, missing
            USING ERRCODE = 'insufficient_privilege', HINT = 'The superuser who created the extension calls casino.give_to().';
    END IF;
END
$fn$;
COMMENT ON FUNCTION casino.give_to(name) IS 'Gives a role that is no superuser what it needs to own the tables: to call install(), use everything and grant it on. A superuser calls it before install(), and again after ALTER EXTENSION UPDATE';

CREATE FUNCTION casino.own_types() RETURNS SETOF oid
LANGUAGE sql STABLE ROWS 20 SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT t.oid
      FROM pg_type t
      JOIN pg_depend d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
     WHERE t.typnamespace = 'casino'::regnamespace AND t.typtype IN ('b', 'c', 'd', 'e')
       AND t.typsubscript <> 'array_subscript_handler'::regproc
$fn$;
COMMENT ON FUNCTION casino.own_types() IS 'Part of give_to(): the types of the extension';

-- Nothing is granted to PUBLIC: neither functions nor types.  grant_access() gives roles what their work needs.
DO $do$
DECLARE
    object record;
BEGIN
    FOR object IN SELECT p.oid::regprocedure AS name FROM pg_catalog.pg_proc p
                   WHERE p.pronamespace = 'casino'::regnamespace LOOP
        EXECUTE format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', object.name);
    END LOOP;
    FOR object IN SELECT t.oid::regtype AS name FROM pg_catalog.pg_type t
                   WHERE t.typnamespace = 'casino'::regnamespace AND t.typelem = 0
                      OR t.typnamespace = 'casino'::regnamespace AND t.typname = 'hand' LOOP
        EXECUTE format('REVOKE ALL ON TYPE %s FROM PUBLIC', object.name);
    END LOOP;
END
$do$;

-- SQL of ours runs under settings of ours: a body is parsed when it is first run, and by the settings of the session that runs it.
-- These two change what it means; others change how values are printed and read, which no body relies on without saying so.
-- Bodies of the SQL standard (RETURN ...) are parsed already.
CREATE FUNCTION casino.pin_settings() RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    own record;
    pinned integer := 0;
BEGIN
    FOR own IN SELECT p.oid::regprocedure AS name, s.setting
                 FROM pg_proc p
                 JOIN pg_language l ON l.oid = p.prolang
                CROSS JOIN unnest('{standard_conforming_strings=on,quote_all_identifiers=off}'::text[]) s (setting)
                WHERE p.pronamespace = 'casino'::regnamespace AND l.lanname IN ('sql', 'plpgsql') AND p.prosqlbody IS NULL
                  AND NOT coalesce(p.proconfig @> ARRAY[s.setting], false) LOOP
        EXECUTE format('ALTER ROUTINE %s SET %s', own.name, own.setting);
        pinned := pinned + 1;
    END LOOP;
    RETURN pinned;
END
$fn$;
COMMENT ON FUNCTION casino.pin_settings() IS 'Part of the installation: every function of ours in SQL or PL/pgSQL runs under settings of its own, whatever the session has set';
REVOKE ALL ON FUNCTION casino.pin_settings() FROM PUBLIC;
DO $do$
BEGIN
    PERFORM casino.pin_settings();
END
$do$;
