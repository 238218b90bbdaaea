-- The worked bytes of doc/evidence.md, and a stream of two entries up to its leaf in the seal, computed with
-- nothing of ours: sha256(), int8send().
SET client_min_messages = warning;
SELECT no_plan();
\set document `cat doc/evidence.md`
CREATE TEMP TABLE row_of AS SELECT jsonb_populate_record(NULL::casino.ledger,
    '{"player_id": 7, "entry_no": 2, "kind": "stake", "amount": 12.5, "round_id": 3,
      "bet": "split:17-20@12.50", "balance": 87.5,
      "posted_at": "2000-01-01 00:00:01Z", "recorded_at": "2000-01-01 00:00:01Z", "recorded_by": 1}') AS l;
SELECT is((SELECT encode(casino.evidence_leaf('ledger', l), 'hex') FROM row_of),
          regexp_replace(substring(:'document' FROM '(64 01  01 0000000000000007[^`]*)```'), '\s', '', 'g'),
              'the row of a stake is as the page has it');
SELECT is(casino.hash_leaf('\x6401'), sha256('\x006401'), 'a leaf');
SELECT is(substring(:'document' FROM 'Kinds of bets: ([^.]*)\.') !~ '\m46 '
          AND bool_and(regexp_replace(:'document', '\s+', ' ', 'g') LIKE '%' || k.n || ' ' || k.kind || '%'),
              true, 'the kinds are numbered as they are')
  FROM (SELECT b.kind, row_number() OVER () AS n FROM casino.bet_kinds() b) k;

SELECT casino.register_player('by hand') AS p \gset
SELECT casino.deposit(:p, 10), casino.deposit(:p, 20) \g /dev/null
SELECT casino.seal(casino.prague_day(clock_timestamp())) \g /dev/null
WITH leaf AS (SELECT sha256('\x00' || casino.ledger_leaf(l)) AS hash, l.entry_no FROM casino.ledger l
              WHERE l.player_id = :p),
     stream AS (SELECT sha256('\x01' || a.hash || b.hash) AS root FROM leaf a, leaf b
                WHERE a.entry_no = 1 AND b.entry_no = 2),
     running AS (SELECT s.root, sha256('\x01' || decode(repeat('00', 32), 'hex') || s.root) AS running
                 FROM stream s)
SELECT is(ARRAY[s.root, s.running, casino.stream_leaf(s.player_id, 1, 2, 2, s.root, s.running)],
          ARRAY[r.root, r.running, sha256('\x00c901' || int8send(:p) || int8send(1) || int8send(2)
                                          || int8send(2) || r.root || r.running)], 'a stream of two entries')
  FROM running r, casino.sealed_player s WHERE s.player_id = :p;
SELECT * FROM finish();
