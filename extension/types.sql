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
COMMENT ON TYPE casino.card
    IS 'a playing card: rank 23456789TJQKA and suit cdhs, as As or Td; sorts by rank, then suit';

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
COMMENT ON FUNCTION casino.card_cmp(casino.card, casino.card)
    IS 'less-equal-greater: by rank (2 lowest, ace highest), then suit (c, d, h, s)';

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
COMMENT ON OPERATOR FAMILY casino.card_ops USING btree
    IS 'order of card: by rank (2 lowest, ace highest), then suit (c, d, h, s)';
COMMENT ON OPERATOR CLASS casino.card_ops USING btree
    IS 'order of card: by rank (2 lowest, ace highest), then suit (c, d, h, s)';

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
COMMENT ON FUNCTION casino.hand_subscript_handler(pg_catalog.internal)
    IS 'subscripting of hand: hand[i] fetches a card';

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
COMMENT ON TYPE casino.hand
    IS 'up to 24 cards of any number of decks in the order dealt, as As Td 5c; hand[1] is the first';

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
COMMENT ON FUNCTION casino.hand_cmp(casino.hand, casino.hand)
    IS 'less-equal-greater: card by card, a hand before the hands it begins';

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
COMMENT ON OPERATOR FAMILY casino.hand_ops USING btree
    IS 'order of hand: card by card, a hand before the hands it begins';
COMMENT ON OPERATOR CLASS casino.hand_ops USING btree
    IS 'order of hand: card by card, a hand before the hands it begins';

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
COMMENT ON FUNCTION casino.hand(casino.card[])
    IS 'hand of these cards; refuses null elements, more than one dimension and more than 24 cards';

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
COMMENT ON TYPE casino.bet
	IS 'a bet as kind[:selection]@amount in CZK: straight:17@100.00, split:17-20@50.00, red@10.00, '
	   '21+3@25.00';

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
COMMENT ON FUNCTION casino.bet_cmp(casino.bet, casino.bet)
    IS 'less-equal-greater: by kind in the order of bet_kinds(), selection, stake';

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
COMMENT ON OPERATOR FAMILY casino.bet_ops USING btree
    IS 'order of bet: by kind in the order of bet_kinds(), selection, stake';
COMMENT ON OPERATOR CLASS casino.bet_ops USING btree
    IS 'order of bet: by kind in the order of bet_kinds(), selection, stake';

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
CREATE FUNCTION casino.bet(kind pg_catalog.text, selection pg_catalog.text, stake pg_catalog.numeric)
RETURNS casino.bet
	AS 'MODULE_PATHNAME', 'casino_sql_bet_make'
	LANGUAGE C IMMUTABLE CALLED ON NULL INPUT PARALLEL SAFE;
COMMENT ON FUNCTION casino.bet(pg_catalog.text, pg_catalog.text, pg_catalog.numeric)
    IS 'bet of a kind, a selection (NULL for none) and a stake in CZK';

CREATE FUNCTION casino.kind(casino.bet) RETURNS pg_catalog.text
	AS 'MODULE_PATHNAME', 'casino_sql_bet_kind'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.kind(casino.bet) IS 'kind of the bet';

CREATE FUNCTION casino.selection(casino.bet) RETURNS pg_catalog.text
	AS 'MODULE_PATHNAME', 'casino_sql_bet_selection'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.selection(casino.bet)
    IS 'selection of the bet as printed, NULL when its kind has none';

CREATE FUNCTION casino.stake(casino.bet) RETURNS pg_catalog.numeric
	AS 'MODULE_PATHNAME', 'casino_sql_bet_stake'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.stake(casino.bet) IS 'stake of the bet in CZK; the notional stake of a free wager';

CREATE FUNCTION casino.covers(casino.bet) RETURNS pg_catalog.int4[]
	AS 'MODULE_PATHNAME', 'casino_sql_bet_covers'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.covers(casino.bet)
    IS 'roulette numbers the bet covers, ascending; empty for the bets of other games';

CREATE FUNCTION casino.same_position(casino.bet, casino.bet) RETURNS pg_catalog.bool
	AS 'MODULE_PATHNAME', 'casino_sql_bet_same_position'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION casino.same_position(casino.bet, casino.bet)
    IS 'same kind and selection, whatever the stakes';

CREATE FUNCTION casino.bet_kinds(OUT kind pg_catalog.text, OUT selection pg_catalog.text,
                                 OUT free pg_catalog.bool)
RETURNS SETOF pg_catalog.record
	AS 'MODULE_PATHNAME', 'casino_sql_bet_kinds'
	LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
	ROWS 45;
COMMENT ON FUNCTION casino.bet_kinds()
    IS 'all kinds of bets, what their selection is (none, numbers, fixed, third, points) and whether they '
       'cost nothing';
