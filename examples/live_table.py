#!/usr/bin/env python3
"""A server of live tables, asynchronous: live_table.py DRIVER ROUNDS, with psycopg (3) or asyncpg. Connects
as libpq does (PGHOST ...), also through pgbouncer in transaction pooling. Players read Czech or English.
The database knows the rules: limits, the wagers that a player may make now, reasons of refusals, results."""
import asyncio
import json
import random
import re
import sys
import uuid

AGAIN_AT_ONCE = {"40001", "40P01"}          # serialization failure, deadlock
# lock or statement timeout, too many connections; the server stops, crashed, starts; a standby now
AGAIN_LATER = {"55P03", "57014", "53300", "57P01", "57P02", "57P03", "25006"}

class Psycopg:
    async def open(self, size):
        import psycopg
        import psycopg_pool
        self.lost = psycopg.OperationalError
        # prepare_threshold=None: a pgbouncer before 1.21 does not know prepared statements
        self.pool = psycopg_pool.AsyncConnectionPool("", max_size=size, open=False, timeout=60,
                                                     kwargs={"autocommit": True, "prepare_threshold": None})
        await self.pool.open()

    async def run(self, query, args):
        async with self.pool.connection() as connection:
            return await (await connection.execute(re.sub(r"\$\d", "%s", query), args)).fetchall()

class Asyncpg:
    async def open(self, size):
        import asyncpg
        # the pool says InternalClientError of a connection that was cut while it was handed back
        self.lost = (asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
        self.pool = await asyncpg.create_pool(min_size=2, max_size=size, statement_cache_size=0)

    async def run(self, query, args):
        return await self.pool.fetch(query, *args)

class Casino:
    """Each call is one statement and one transaction; sent again until it is answered."""

    def __init__(self, driver):
        self.driver, self.told, self.heard = driver, set(), set()

    async def rows(self, query, *args):
        for attempt in range(1, 12):
            try:
                return await self.driver.run(query, args)
            except Exception as error:
                state = getattr(error, "sqlstate", None)
                lost = state[:2] == "08" if state else isinstance(error, self.driver.lost)
                if attempt == 11 or not (lost or state in AGAIN_AT_ONCE | AGAIN_LATER):
                    raise
                if state not in AGAIN_AT_ONCE:
                    await asyncio.sleep(random.uniform(0.5, 1) * min(0.02 * 2 ** attempt, 2))

    async def value(self, query, *args):
        return (await self.rows(query, *args))[0][0]

class Player:
    def __init__(self, casino, name, lang):
        self.casino, self.name, self.lang = casino, name, lang

    async def join(self):
        self.id = await self.casino.value("SELECT casino.register_player($1)", self.name)
        await self.casino.value("SELECT casino.deposit($1, $2, $3)", self.id, 5000, f"first of {self.name}")

    async def bet(self, round_id, bets, seat=None):
        key = str(uuid.uuid4())
        accepted, entries, self.balance, message = (await self.casino.rows(
            "SELECT t.accepted, t.entry_nos, t.balance, casino.message_for_player(t.reason, t.data, $1)"
            "  FROM casino.try_place_bets($2, $3, $4::text[]::casino.bet[], $5, $6) t",
            self.lang, round_id, self.id, bets, key, seat))[0]
        if accepted:
            self.casino.told |= {(self.id, key, entry) for entry in entries}
        else:
            self.casino.heard.add(message)
        return accepted

class Table:
    def __init__(self, casino, number, game, players):
        self.casino, self.id, self.boxes, self.players = casino, number, game == "blackjack_synot", players

    async def play(self, rounds):
        for number in range(rounds):
            round_id = await self.casino.value("SELECT casino.open_round($1, $2)", self.id, f"round {number}")
            await asyncio.gather(*(self.client(round_id, *seated) for seated in enumerate(self.players, 1)))
            await self.casino.rows("SELECT casino.close_betting($1)::text", round_id)
            outcome = await self.cards(round_id) if self.boxes else f'{{"number": {random.randrange(37)}}}'
            await self.casino.rows("SELECT casino.settle_round($1, $2::text::jsonb)::text", round_id, outcome)
            self.results = await self.casino.rows(          # here a server sends them on
                "SELECT player_id, paid, balance FROM casino.round_result($1)", round_id)

    async def client(self, round_id, seat, player):
        await asyncio.sleep(random.random() / 20)
        if not self.boxes:
            await player.bet(round_id, random.choice([["red@50", "straight:17@10"], ["black@5"]]))
        elif await player.bet(round_id, ["main@100"], seat):        # and a client that comes back
            view = await self.casino.value("SELECT casino.round_view($1, $2)::text", self.id, player.id)
            assert json.loads(view)["wagers"][0]["bet"] == "main@100.00"

    async def cards(self, round_id):
        """The dealer's part of blackjack; points and the wagers of the players are asked of the database."""
        shoe = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"] * 8
        random.shuffle(shoe)
        hands = {seat: shoe.pop() + shoe.pop() for seat in range(1, len(self.players) + 1)}
        dealer = shoe.pop()
        for seat, player in enumerate(self.players, 1):
            await self.casino.rows("SELECT casino.deal($1, $2::text::jsonb)::text", round_id,
                                   document(dealer, hands))
            offered = [row[0] for row in await self.casino.rows(
                "SELECT bet::text FROM casino.may_play($1, $2) WHERE why_not IS NULL"
                "   AND casino.kind(bet) = 'double_down'", round_id, player.id)]
            if offered and 9 <= await self.points(hands[seat]) <= 11:
                assert await player.bet(round_id, offered, seat)    # an offer is taken
                hands[seat] += shoe.pop()
            else:
                hands[seat] = await self.draw(hands[seat], 16, shoe)
        alive = min([await self.points(cards) for cards in hands.values()]) <= 21
        return document(await self.draw(dealer + shoe.pop(), 17 if alive else 0, shoe), hands)

    async def points(self, cards):
        return await self.casino.value("SELECT casino.blackjack_total($1::text::casino.hand)", cards)

    async def draw(self, cards, until, shoe):
        while await self.points(cards) < until:
            cards += shoe.pop()
        return cards

def document(dealer, hands):
    hands = [{"seat": seat, "cards": cards} for seat, cards in hands.items()]
    return json.dumps({"dealer": dealer, "hands": hands})

async def main(driver, rounds):
    await driver.open(8)
    casino = Casino(driver)
    tables = []
    for number, game in await casino.rows("SELECT table_id, game FROM casino.offers() ORDER BY table_id"):
        players = [Player(casino, f"{game} {n}", random.choice(["cs", "en"])) for n in range(7)]
        await asyncio.gather(*(player.join() for player in players))
        tables.append(Table(casino, number, game, players))
    await asyncio.gather(*(table.play(rounds) for table in tables))
    booked = await casino.rows("SELECT player_id, request_id, entry_no FROM casino.wager")
    alike = "" if casino.told == set(map(tuple, booked)) else "not "
    print(f"{len(tables) * rounds} rounds, the books are {alike}as the players were told")
    print("\n".join(sorted(casino.heard)))

asyncio.run(main({"psycopg": Psycopg, "asyncpg": Asyncpg}[sys.argv[1]](), int(sys.argv[2])))
