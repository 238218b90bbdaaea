-- What all histories have: the extension, a login for each session, and names for the answers
CREATE EXTENSION casino;
SELECT casino.install();
-- a session each, and one more for the ending
CREATE ROLE h0 SUPERUSER LOGIN;
CREATE ROLE h1 SUPERUSER LOGIN;
CREATE ROLE h2 SUPERUSER LOGIN;
CREATE ROLE h3 SUPERUSER LOGIN;
CREATE ROLE h4 SUPERUSER LOGIN;
CREATE SCHEMA h;
-- days of seals: each one seals all that is there
CREATE SEQUENCE h.seal;
-- play of before the history is dated back
SELECT casino.mark_replay(casino.prague_day(now()) - 4, casino.prague_day(now()), 'the players'' past');
-- the proposed correction's place among those of its round
CREATE FUNCTION h.correct(round_id bigint, outcome jsonb, reason text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    number CONSTANT bigint := casino.correct_round(round_id, outcome, reason);
BEGIN
    RETURN (SELECT count(*) FROM casino.round_correction c
             WHERE c.round_id = correct.round_id AND c.correction_no <= number);
END $$;
