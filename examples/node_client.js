#!/usr/bin/env node
// A round by node-postgres (pg): open, bet, settle, read the answer. Connects by PGHOST, PGUSER, ...; argument: the table's number.
'use strict';
const { Client } = require('pg');

// What may be sent again, with the same request_id: nothing else has happened, or it is answered as the first time.
const atOnce = new Set(['40001', '40P01']);                        // serialization failure, deadlock
const later = new Set(['55P03', '57014', '53300']);                // lock_timeout, statement_timeout or cancelled, too many connections
const connectAgain = new Set(['57P01', '57P02', '57P03', '25006']); // server stopped, crashed or starting; a standby now. And class 08
const attempts = 8;

// What comes from the server has severity and an SQLSTATE; what the system or the driver says of a lost connection has not.
const isLost = (error) => error.severity === undefined
  ? /^E[A-Z]+$/.test(error.code || '') || /^Connection terminated|not queryable|Client was closed/.test(error.message)
  : error.code.startsWith('08') || connectAgain.has(error.code);

class Casino {
  async connect() {
    const client = new Client();
    client.on('error', () => { this.client = null; });        // lost between two statements
    await client.connect();
    this.client = client;
  }

  // Run one statement, which is one transaction, until it is answered; gives its rows. bigint and numeric come as strings: no
  // haléř is lost to floating point. Statements have no name, so that nothing is prepared that a pgbouncer does not know.
  async rows(text, ...values) {
    for (let attempt = 1; ; attempt++) {
      try {
        if (!this.client) await this.connect();
        return (await this.client.query(text, values)).rows;
      } catch (error) {
        const lost = isLost(error);
        if (attempt === attempts || !(lost || atOnce.has(error.code) || later.has(error.code))) throw error;
        if (lost && this.client) {
          this.client.end().catch(() => {});
          this.client = null;
        }
        if (!atOnce.has(error.code)) {
          await new Promise((done) => setTimeout(done, Math.min(50 * 2 ** attempt, 2000) * (0.5 + Math.random() / 2)));
        }
      }
    }
  }

  async row(text, ...values) {
    return (await this.rows(text, ...values))[0];
  }
}

async function main(table) {
  const casino = new Casino();
  const { player } = await casino.row('SELECT casino.register_player($1) AS player', 'node');
  await casino.row('SELECT casino.deposit($1, $2, $3)', player, '1000.00', 'node deposit 1');
  const { round } = await casino.row('SELECT casino.open_round($1, $2) AS round', table, 'node 1');

  // a list of strings is sent as casino.bet[]
  const placed = await casino.row('SELECT entry_nos, balance FROM casino.place_bets_balance($1, $2, $3, $4)', round, player,
    ['red@100', 'straight:17@50'], 'node bet 1');
  console.log(`placed as entries ${placed.entry_nos.join(', ')}; balance ${placed.balance}`);
  try {
    await casino.row('SELECT casino.place_bets($1, $2, $3, $4)', round, player, ['black@1000'], 'node bet 2');
  } catch (error) {
    console.log(`refused: ${error.code} ${error.detail}`);    // never sent again
  }

  await casino.row('SELECT casino.close_betting($1)', round);
  const end = await casino.row('SELECT * FROM casino.settle_round($1, $2)', round, { number: 17 });
  console.log(`${end.status}: ${end.wagers} wagers, staked ${end.staked}, paid ${end.paid}, house ${end.house_result}`);
  // a bet comes as a string, bet[] too, unless it is asked for as text[]
  for (const { bet } of await casino.rows("SELECT bet FROM casino.wager WHERE round_id = $1 AND status = 'won' ORDER BY entry_no", round)) {
    const [, kind, selection, stake] = /^([^:@]+):?([^@]*)@(.*)$/.exec(bet);
    console.log(`won: ${kind} ${selection} with ${stake}`);
  }
  const { total, hand } = await casino.row('SELECT casino.blackjack_total($1) AS total, casino.hand_append($1, $2) AS hand', 'As 5d', 'Kc');
  console.log(`As 5d is ${total}; with a king ${hand}`);
  await casino.client.end();
}

main(Number(process.argv[2])).catch((error) => { console.error(error); process.exit(1); });
