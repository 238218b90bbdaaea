#!/usr/bin/env node
// live_table.py in small, by node-postgres (pg): live_table.js ROUNDS. Tables of roulette and blackjack,
// players who read Czech or English. Connects by PGHOST, PGUSER, ..., also through pgbouncer in transaction
// pooling.
'use strict';
const { randomUUID } = require('crypto');
const { Pool } = require('pg');

const atOnce = new Set(['40001', '40P01']);         // serialization failure, deadlock
// lock or statement timeout, too many connections; the server stops, crashed, starts; a standby now
const later = new Set(['55P03', '57014', '53300', '57P01', '57P02', '57P03', '25006']);
const pool = new Pool({ max: 8 });
pool.on('error', () => {});                         // cut while nobody used it: the pool makes another
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// An error of the server has a severity; one of the system or the driver about a lost connection has not.
const isLost = (error) => error.severity === undefined
  ? /^E[A-Z]+$/.test(error.code || '') || /^Connection terminated|not queryable/.test(error.message)
  : error.code.startsWith('08');

// Each call is one statement and one transaction; sent again until it is answered.
async function rows(text, ...values) {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await pool.query(text, values)).rows;
    } catch (error) {
      if (attempt === 11 || !(isLost(error) || atOnce.has(error.code) || later.has(error.code))) throw error;
      if (!atOnce.has(error.code)) {
        await pause(Math.min(20 * 2 ** attempt, 2000) * (0.5 + Math.random() / 2));
      }
    }
  }
}
const value = async (text, ...values) => Object.values((await rows(text, ...values))[0])[0];

const told = new Set();                             // player, request, entry: as the players were answered
const heard = new Set();                            // texts of refusals

async function bet(player, round, bets, seat = null) {
  const key = randomUUID();
  const [answer] = await rows(
    `SELECT t.accepted, t.entry_nos, t.balance, casino.message_for_player(t.reason, t.data, $1) AS message
       FROM casino.try_place_bets($2, $3, $4::text[]::casino.bet[], $5, $6) t`,
    player.lang, round, player.id, bets, key, seat);
  if (answer.accepted) answer.entry_nos.forEach((entry) => told.add([player.id, key, entry].join()));
  else heard.add(answer.message);
  return answer.accepted;
}

// The double down is on offer: may_play() knows when.
async function double(player, round, seat) {
  const offered = await rows(
    `SELECT bet::text FROM casino.may_play($1, $2)
      WHERE why_not IS NULL AND casino.kind(bet) = 'double_down'`, round, player.id);
  const accepted = await bet(player, round, offered.map((offer) => offer.bet), seat);
  if (!accepted) throw new Error('an offer was refused');
}

async function play(table, rounds) {
  const boxes = table.game === 'blackjack_synot';
  const cards = (dealer, hand) =>
    JSON.stringify({ dealer, hands: table.players.map((_, n) => ({ seat: n + 1, cards: hand })) });
  for (let n = 0; n < rounds; n++) {
    const round = await value('SELECT casino.open_round($1, $2)', table.table_id, `round ${n}`);
    await Promise.all(table.players.map((player, seat) => boxes
      ? bet(player, round, ['main@100'], seat + 1)
      : bet(player, round, seat % 2 ? ['black@5'] : ['red@50', 'straight:17@10'])));
    await rows('SELECT casino.close_betting($1)', round);
    if (boxes) {
      await rows('SELECT casino.deal($1, $2)', round, cards('6h', '5c 6d'));
      await Promise.all(table.players.map((player, seat) => double(player, round, seat + 1)));
    }
    await rows('SELECT casino.settle_round($1, $2)', round,
      boxes ? cards('6h Ts 5s', '5c 6d 9h') : { number: Math.floor(Math.random() * 37) });
    // here a server sends them on
    await rows('SELECT player_id, paid, balance FROM casino.round_result($1)', round);
  }
}

async function main(rounds) {
  const tables = await rows('SELECT table_id, game FROM casino.offers() ORDER BY table_id');
  for (const table of tables) {
    table.players = await Promise.all([...Array(7).keys()].map(async (n) => {
      const id = await value('SELECT casino.register_player($1)', `${table.game} ${n}`);
      await rows('SELECT casino.deposit($1, $2, $3)', id, 5000, `first of ${id}`);
      return { id, lang: n % 4 === 1 ? 'cs' : 'en' };
    }));
  }
  await Promise.all(tables.map((table) => play(table, rounds)));
  const booked = (await rows('SELECT player_id, request_id, entry_no FROM casino.wager'))
    .map((wager) => Object.values(wager).join());
  const alike = booked.length === told.size && booked.every((wager) => told.has(wager));
  const not = alike ? '' : 'not ';
  console.log(`${tables.length * rounds} rounds, the books are ${not}as the players were told`);
  console.log([...heard].sort().join('\n'));
  await pool.end();
}

main(Number(process.argv[2])).catch((error) => { console.error(error); process.exit(1); });
