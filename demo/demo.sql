-- Part of a gaming day, played from given times: `make demo` runs this file on a throwaway server.
-- One chapter a file; each opens its rounds, plays them and prints what happened. A new family of games is a chapter
-- of its own after baccarat.sql (times between 14:36 and 14:39, players 28 to 40); round.sql prints its rounds.
-- What all this prints is recorded in demo.out: make examples writes it, a test compares it.
\set ON_ERROR_STOP on
\encoding UTF8
\pset pager off
\pset footer off
\set SHOW_CONTEXT never
SET client_min_messages = warning;
SET timezone = 'Europe/Prague';
SET datestyle = 'ISO';
SET search_path = casino, public;

\ir house.sql
\ir roulette.sql
\ir baccarat.sql
\ir incidents.sql
\ir refusals.sql
\ir duties.sql
\ir evening.sql
