#!/usr/bin/env python3
"""A round by psycopg 3: open, bet, settle, read the answer. Connects as libpq does (PGHOST, PGUSER, ...); argument: the table's number."""
import os
import random
import sys
import time
from dataclasses import dataclass
from decimal import Decimal

import psycopg
from psycopg.adapt import Dumper, Loader
from psycopg.types import TypeInfo
from psycopg.types.composite import CompositeInfo, register_composite


# Types: what casino prints is what it reads, so that text is all that has to be carried. A type of its own in Python is what
# tells psycopg to send it as casino.bet, casino.hand or casino.card, also inside lists.
class Card(str):
    pass


class Hand(str):
    def cards(self):
        return [Card(card) for card in self.split()]


@dataclass(frozen=True)
class Bet:
    kind: str
    stake: Decimal
    selection: str = ""

    def __str__(self):
        return f"{self.kind}{':' + self.selection if self.selection else ''}@{self.stake}"

    @classmethod
    def parse(cls, text):
        what, stake = text.split("@")
        kind, _, selection = what.partition(":")
        return cls(kind, Decimal(stake), selection)


def register_types(connection):
    """Once a connection: casino's card, hand and bet, with their arrays, and the row type settlement."""
    for name, cls, parse in (("card", Card, Card), ("hand", Hand, Hand), ("bet", Bet, Bet.parse)):
        info = TypeInfo.fetch(connection, f"casino.{name}")
        info.register(connection)

        class TypeDumper(Dumper):
            oid = info.oid

            def dump(self, value):
                return str(value).encode()

        class TypeLoader(Loader):
            def load(self, data, parse=parse):
                return parse(bytes(data).decode())

        connection.adapters.register_dumper(cls, TypeDumper)
        connection.adapters.register_loader(info.oid, TypeLoader)
    register_composite(CompositeInfo.fetch(connection, "casino.settlement"), connection)


# What may be sent again, with the same request_id: nothing else has happened, or it is answered as the first time.
AGAIN_AT_ONCE = {"40001", "40P01"}                  # serialization failure, deadlock
AGAIN_LATER = {"55P03", "57014", "53300"}           # lock_timeout, statement_timeout or cancelled, too many connections
CONNECT_AGAIN = {"57P01", "57P02", "57P03", "25006"}  # server stopped, crashed or starting; a standby now. And all of class 08


class Casino:
    """One connection, made anew when it is lost."""

    def __init__(self, attempts=8):
        self.attempts = attempts
        self.connection = None

    def connect(self):
        # prepare_threshold=None: by itself psycopg prepares what it has sent five times, and behind a pgbouncer older than 1.21
        # in transaction pooling the next server connection does not know the statement
        self.connection = psycopg.connect(os.environ.get("CASINO_DSN", ""), autocommit=True, prepare_threshold=None)
        register_types(self.connection)

    def call(self, query, *parameters):
        """Run one statement, which is one transaction, until it is answered; returns its first row."""
        for attempt in range(1, self.attempts + 1):
            try:
                if self.connection is None or self.connection.closed:
                    self.connect()
                return self.connection.execute(query, parameters).fetchone()
            except psycopg.Error as error:
                state = error.sqlstate
                lost = state is None or state.startswith("08") or state in CONNECT_AGAIN
                # a lost connection shows as an OperationalError, without a code; what psycopg refuses itself is none
                if state is None and not isinstance(error, psycopg.OperationalError):
                    raise
                if attempt == self.attempts or not (lost or state in AGAIN_AT_ONCE | AGAIN_LATER):
                    raise
                if lost and self.connection is not None:
                    self.connection.close()
                if state not in AGAIN_AT_ONCE:
                    time.sleep(random.uniform(0.5, 1) * min(0.05 * 2 ** attempt, 2))


def main(table):
    casino = Casino()
    (player,) = casino.call("SELECT casino.register_player(%s)", "python")
    casino.call("SELECT casino.deposit(%s, %s, %s)", player, Decimal("1000.00"), "python deposit 1")
    (round_id,) = casino.call("SELECT casino.open_round(%s, %s)", table, "python 1")

    bets = [Bet("red", Decimal("100.00")), Bet("straight", Decimal("50.00"), "17")]
    entries, balance = casino.call("SELECT entry_nos, balance FROM casino.place_bets_balance(%s, %s, %s, %s)", round_id, player, bets, "python bet 1")
    print(f"placed as entries {', '.join(map(str, entries))}; balance {balance}")
    try:
        casino.call("SELECT casino.place_bets(%s, %s, %s, %s)", round_id, player, [Bet("black", Decimal("1000.00"))], "python bet 2")
    except psycopg.Error as error:
        # a refusal: never sent again
        print(f"refused: {error.sqlstate} {error.diag.message_detail}")

    casino.call("SELECT casino.close_betting(%s)", round_id)
    (end,) = casino.call("SELECT casino.settle_round(%s, %s)", round_id, '{"number": 17}')
    print(f"{end.status}: {end.wagers} wagers, staked {end.staked}, paid {end.paid}, house {end.house_result}")
    (wagers,) = casino.call("SELECT array_agg(bet ORDER BY entry_no) FROM casino.wager WHERE round_id = %s AND status = 'won'", round_id)
    for bet in wagers:
        print(f"won: {bet.kind} {bet.selection} with {bet.stake}")
    (total, hand) = casino.call("SELECT casino.blackjack_total(%s), casino.hand_append(%s, %s)", Hand("As 5d"), Hand("As 5d"), Card("Kc"))
    print(f"As 5d is {total}; with a king {' '.join(hand.cards())}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
