/*
 * hub.pml
 *	  The protocol between a hub and its cells, for Spin (model/README.md).
 *
 * A table's decisions have one order: open, close, end, after, next.  So a log
 * is one value for each kind.  "Number" of a decision is the epoch of the hub
 * that wrote it and its kind: it grows from hub to hub.
 *
 * A run is a list of settings (model/runs).  NO_... takes out one step of the
 * protocol; a property that depends on it must then be violated.
 */

#ifndef CELLS
#define CELLS 2
#endif
#ifndef TABLES
#define TABLES 1
#endif
#ifndef CALLS
#define CALLS 2				/* of the provider, at each hub */
#endif
#ifndef SESSIONS
#define SESSIONS 1			/* of the provider, at the first hub */
#endif
#ifndef CUTS
#define CUTS 0				/* connections between hub and cell that break */
#endif
#ifndef LOST
#define LOST 0				/* calls carried out whose answers are lost */
#endif
#ifndef DELAYED
#define DELAYED 0			/* calls carried out after the hub has given them up */
#endif
#ifndef KILLS
#define KILLS 0				/* sessions and catch_up() ended at a step */
#endif
#ifndef PUTBACKS
#define PUTBACKS 0			/* times that the last cell is put back to an older copy */
#endif
#ifndef COPIES
#define COPIES 0			/* an older copy of the hub takes over, the first goes on */
#endif
#ifndef AGAIN
#define AGAIN 0				/* the superseded hub is made the hub again */
#endif
#ifndef JOINS
#define JOINS 0				/* the last cell joins while others play */
#endif
#ifndef EXCUSES
#define EXCUSES 0			/* decisions excused after somebody put things right */
#endif
#ifndef SWITCHES
#define SWITCHES 0			/* the owner lets a restored hub decide without a cell */
#endif
#ifndef PLAYERS
#define PLAYERS 1			/* cells that have a player, from the last one */
#endif
#ifndef CANCELS
#define CANCELS 0			/* stakes that players take back, a cell */
#endif
#ifndef UNTIL
#define UNTIL 9				/* betting_until, by the clock; 9: later than all */
#endif
#ifndef TICKS
#define TICKS 0				/* of the clock, beside those of what is dated */
#endif

/* kinds of decisions, in their order */
#define OPEN 0
#define CLOSE 1
#define END 2				/* 1, 2: that outcome; VOID; HELD: outcome 1, withheld */
#define AFTER 3				/* PAID, BACK: what was withheld; FIXED: outcome 2 instead of 1 */
#define NEXT 4
#define KINDS 5

#define VOID 3
#define HELD 4
#define PAID 1
#define BACK 2
#define FIXED 3

/* a round in a cell */
#define NONE 0
#define IS_OPEN 1
#define CLOSED 2
#define SETTLED 3
#define VOIDED 4
#define WITHHELD 5

/* a stake; what is graded, returned or taken back has had its money moved */
#define LIES 1
#define GRADED 2
#define RETURNED 3
#define TAKEN_BACK 4
#define WAITS 5				/* graded, its payout withheld */

/* what a cell answers */
#define DONE 0
#define REFUSED 1
#define OTHER_HUB 2
#define GONE 3
#define NO_ROUND 4
#define BEHIND 5

#define BIT(n) (1 << (n))
#define HAS(set, n) (((set) >> (n)) & 1)
#define ALL (BIT(CELLS) - 1)

typedef Round {
	byte state; byte outcome; byte closed_at; byte last;
	byte stake; byte staked_at; byte back_at;
	bit was_held; bit was_fixed; bit next; bit found; bit moved; bit moved_again
}
typedef Cell {
	byte epoch; byte told_of;
	Round on[TABLES]
}
typedef Log {
	byte is[KINDS];			/* 0: not decided */
	byte by[KINDS];			/* epoch of the hub that wrote it */
	byte has[CELLS];		/* kinds that the cell has answered */
	byte excused[CELLS];
	byte closed_at
}
typedef Hub {
	Log on[TABLES];
	byte use; byte down; byte learned; byte epoch; byte locked;
	bit runs; bit current; bit superseded; bit restoring; bit read
}

Hub hub[2], older;
Cell cell[CELLS], kept;
byte cut[2];				/* cells that the hub does not reach */
byte now = 1, epochs = 1;
bit copied, kept_one, quiet, joined;
byte cuts = CUTS, lost = LOST, delays = DELAYED, kills = KILLS, putbacks = PUTBACKS;
byte copies = COPIES, again = AGAIN, excuses = EXCUSES, switches = SWITCHES, joins = JOINS;
byte busy;

/* arguments of obey(), set and read in one step */
hidden byte r_kind, r_is, r_at, r_epoch, r_number, r_noted, r_outcome, k_, n_;

/* a call on its way */
byte way_kind = 255, way_cell, way_table, way_is, way_at, way_epoch, way_number, way_noted;

/* what providers were answered */
byte answered[TABLES * KINDS], answered_close[TABLES];
/* the outcome that money was moved by; set by the first cell that does */
byte paid_by[TABLES];

#define NUMBER(h, t, k) (hub[h].on[t].by[k] * 8 + (k))
#define REACHES(h, c) (!HAS(cut[h], c))
#define UNTOLD(h, t, c, k) (hub[h].on[t].is[k] && !HAS(hub[h].on[t].has[c], k) && \
	!HAS(hub[h].on[t].excused[c], k))
#define BEFORE(h, t, c, k) ((k > OPEN && UNTOLD(h, t, c, OPEN)) || (k > CLOSE && UNTOLD(h, t, c, CLOSE)) || \
	(k > END && UNTOLD(h, t, c, END)) || (k > AFTER && UNTOLD(h, t, c, AFTER)) || (k > NEXT && \
	UNTOLD(h, t, c, NEXT)))
#define DEC(h, t, k) hub[h].on[t].is[k]
#define ROUND(c, t) cell[c].on[t]

#ifdef REFUSING
/* the last cell refuses outcome 2 when it has a stake */
#define REFUSES(c, t, v) (v == 2 && c == CELLS - 1 && ROUND(c, t).stake == LIES)
#else
#define REFUSES(c, t, v) false
#endif

/* ---------------------------------------------------------------- a cell */

/* The number that the cell must have reached: the greatest that the hub has noted, hub_told. */
inline number_noted()
{
	r_noted = 0;
#ifndef NO_CHAIN
	k_ = 0;
	do
	:: k_ < KINDS ->
		if
		:: HAS(hub[h].on[t].has[c], k_) && NUMBER(h, t, k_) > r_noted -> r_noted = NUMBER(h, t, k_)
		:: else
		fi;
		k_++
	:: else -> break
	od;
	k_ = 0
#endif
}
#define SAYS_LESS(h, t, c) ((HAS(hub[h].on[t].has[c], OPEN) && NUMBER(h, t, OPEN) > ROUND(c, t).last) || \
	(HAS(hub[h].on[t].has[c], CLOSE) && NUMBER(h, t, CLOSE) > ROUND(c, t).last) || \
	(HAS(hub[h].on[t].has[c], END) && NUMBER(h, t, END) > ROUND(c, t).last) || \
	(HAS(hub[h].on[t].has[c], AFTER) && NUMBER(h, t, AFTER) > ROUND(c, t).last) || \
	(HAS(hub[h].on[t].has[c], NEXT) && NUMBER(h, t, NEXT) > ROUND(c, t).last))

/* A round has ended by this outcome in this cell: in all cells by the same. */
inline one_outcome()
{
#ifndef SWITCHED
	assert(paid_by[t] == 0 || paid_by[t] == r_outcome);
#endif
	paid_by[t] = r_outcome;
	r_outcome = 0
}

/* (6) money moves for a stake once, and once more for a correction. */
inline move_money(to)
{
	assert(!ROUND(c, t).moved);
	ROUND(c, t).stake = to;
	ROUND(c, t).moved = 1
}

inline give_back_late()
{
#ifndef NO_LATE
	if
	:: ROUND(c, t).stake == LIES && ROUND(c, t).staked_at > r_at -> move_money(RETURNED)
	:: else
	fi;
#endif
#ifndef NO_FINDING
	if
	:: ROUND(c, t).stake == TAKEN_BACK && ROUND(c, t).staked_at <= r_at && ROUND(c, t).back_at > r_at ->
		ROUND(c, t).found = 1
	:: else
	fi
#else
	skip
#endif
}

inline grade()
{
	r_outcome = (r_is == HELD -> 1 : r_is);
	one_outcome();
	ROUND(c, t).outcome = (r_is == HELD -> 1 : r_is);
	ROUND(c, t).was_held = (r_is == HELD);
	ROUND(c, t).state = (r_is == HELD -> WITHHELD : SETTLED);
	if
	:: ROUND(c, t).stake == LIES || (ROUND(c, t).stake == GRADED && r_is != HELD) ->
		/* (3) what was staked after the close that the provider was answered is never graded */
#ifndef SWITCHED
		assert(!(answered_close[t] && ROUND(c, t).staked_at > answered_close[t]));
#endif
		if
		:: r_is == HELD -> ROUND(c, t).stake = WAITS
		:: else -> move_money(GRADED)
		fi
	:: else
	fi
}

/*
 * obey(): epoch, then number, then the call.  number 0: a question, or a dry
 * call; it changes nothing.
 */
inline obey()
{
	d_step {
	a = DONE;
	if
#ifndef NO_EPOCH
	:: r_epoch < cell[c].epoch -> a = OTHER_HUB
#endif
	:: else -> cell[c].epoch = (r_epoch > cell[c].epoch -> r_epoch : cell[c].epoch)
	fi;
	if
	:: a == DONE && ROUND(c, t).last < r_noted -> a = BEHIND
	:: else
	fi;
	if
	:: a != DONE
	:: else ->
		if
		:: r_kind == OPEN ->
			if
			:: ROUND(c, t).state == NONE && ROUND(c, t).next -> a = REFUSED
			:: ROUND(c, t).state == NONE && r_number && !ROUND(c, t).next -> ROUND(c, t).state = IS_OPEN
			:: else
			fi
		:: r_kind == CLOSE ->
			if
			:: ROUND(c, t).state == NONE -> a = NO_ROUND
			:: ROUND(c, t).state == VOIDED && !ROUND(c, t).closed_at -> a = REFUSED
#ifndef NO_SAME_END
			/* a question does not say when */
			:: r_number && ROUND(c, t).closed_at && ROUND(c, t).closed_at != r_at -> a = REFUSED
#endif
			:: ROUND(c, t).state == IS_OPEN && r_number ->
				ROUND(c, t).state = CLOSED; ROUND(c, t).closed_at = r_at; give_back_late()
			:: else
			fi
		:: r_kind == END && r_is != VOID ->
			if
			:: ROUND(c, t).state == NONE -> a = NO_ROUND
			:: ROUND(c, t).state == IS_OPEN ->
#ifdef NO_CLOSED_FIRST
				if
				:: r_number -> ROUND(c, t).closed_at = r_at; give_back_late(); grade()
				:: else
				fi
#else
				a = REFUSED
#endif
			:: ROUND(c, t).state == CLOSED ->
				if
				:: REFUSES(c, t, r_is) -> a = REFUSED
				:: !REFUSES(c, t, r_is) && r_number -> grade()
				:: else
				fi
			/* r_noted once more; what was decided after it may have come since */
			:: ROUND(c, t).state == SETTLED || ROUND(c, t).state == WITHHELD ||
				(ROUND(c, t).state == VOIDED && ROUND(c, t).was_held) ->
				if
				:: r_is == HELD && ROUND(c, t).was_held
				:: r_is != HELD && !ROUND(c, t).was_held && r_is == (ROUND(c, t).was_fixed ->
					1 : ROUND(c, t).outcome) ->
#ifdef NO_REPETITION
					if
					:: r_number -> grade()
					:: else
					fi
#else
					skip
#endif
				:: else -> a = REFUSED
				fi
			:: else -> a = REFUSED
			fi
		:: r_kind == END && r_is == VOID ->
			if
			:: ROUND(c, t).state == NONE -> a = NO_ROUND
			:: ROUND(c, t).state == IS_OPEN || ROUND(c, t).state == CLOSED ->
				if
				:: r_number -> r_outcome = VOID; one_outcome(); ROUND(c, t).state = VOIDED;
					if
					:: ROUND(c, t).stake == LIES -> move_money(RETURNED)
					:: else
					fi
				:: else
				fi
			:: ROUND(c, t).state == VOIDED && !ROUND(c, t).was_held
			:: else -> a = REFUSED
			fi
		:: r_kind == AFTER && r_is != FIXED ->
			if
			:: ROUND(c, t).state == WITHHELD ->
				if
				:: r_number -> ROUND(c, t).state = (r_is == PAID -> SETTLED : VOIDED);
					if
					:: ROUND(c, t).stake == WAITS -> move_money((r_is == PAID -> GRADED : RETURNED))
					:: else
					fi
				:: else
				fi
			:: ROUND(c, t).was_held && ROUND(c, t).state == (r_is == PAID -> SETTLED : VOIDED)
			:: ROUND(c, t).state == NONE -> a = NO_ROUND
			:: else -> a = REFUSED
			fi
		:: r_kind == AFTER && r_is == FIXED ->
			if
			:: ROUND(c, t).state == SETTLED && !ROUND(c, t).was_held && ROUND(c, t).outcome == 1 ->
				if
				:: r_number -> ROUND(c, t).outcome = 2; ROUND(c, t).was_fixed = 1;
					if
					:: ROUND(c, t).stake == GRADED -> assert(!ROUND(c, t).moved_again);
						ROUND(c, t).moved_again = 1
					:: else
					fi
				:: else
				fi
			:: ROUND(c, t).state == SETTLED && ROUND(c, t).was_fixed
			:: ROUND(c, t).state == NONE -> a = NO_ROUND
			:: else -> a = REFUSED
			fi
		:: r_kind == NEXT ->
			if
			:: ROUND(c, t).state == IS_OPEN || ROUND(c, t).state == CLOSED -> a = REFUSED
			:: else ->
				if
				:: r_number -> ROUND(c, t).next = 1
				:: else
				fi
			fi
		fi;
		if
		:: a == DONE && r_number > ROUND(c, t).last -> ROUND(c, t).last = r_number
		:: else
		fi
	fi;
	r_kind = 0; r_is = 0; r_at = 0; r_epoch = 0; r_number = 0; r_noted = 0
	}
}

/* ---------------------------------------------------------------- one call and its answer */

/* The call of decision kk; it may not arrive, be carried out and not answered, or be carried out later. */
inline arguments(kk)
{
	d_step { number_noted(); r_kind = kk; r_is = DEC(h, t, kk); r_at = hub[h].on[t].closed_at;
		r_epoch = hub[h].epoch; r_number = NUMBER(h, t, kk) }
}
inline send(kk)
{
	if
	:: atomic { !REACHES(h, c) -> a = GONE }
	:: atomic { REACHES(h, c) -> arguments(kk); obey() }
#if LOST > 0
	:: atomic { REACHES(h, c) && lost > 0 -> lost--; arguments(kk); obey(); a = GONE }
#endif
#if DELAYED > 0
	:: atomic { delays > 0 && way_kind == 255 -> delays--; number_noted(); way_kind = kk; way_cell = c;
		way_table = t; way_is = DEC(h, t, kk);
		way_at = hub[h].on[t].closed_at; way_epoch = hub[h].epoch; way_number = NUMBER(h, t, kk);
			way_noted = r_noted; r_noted = 0; a = GONE }
#endif
	fi
}

#if DELAYED > 0
active proctype On_its_way()
{
	byte a, c, t;
	do
	:: atomic { way_kind != 255 -> c = way_cell; t = way_table; r_kind = way_kind; r_is = way_is;
		r_at = way_at; r_epoch = way_epoch;
		r_number = way_number; r_noted = way_noted; obey(); a = 0; c = 0; t = 0;
		way_cell = 0; way_table = 0; way_is = 0; way_at = 0; way_epoch = 0; way_number = 0; way_noted = 0;
			way_kind = 255 }
	:: quiet -> break
	od
}
#endif

/* The cell says less than the hub has noted: it was put back, what is above is told again. */
inline take_back()
{
	d_step {
	k_ = 0;
	do
	:: k_ < KINDS ->
		if
		:: HAS(hub[h].on[t].has[c], k_) && NUMBER(h, t, k_) > ROUND(c, t).last ->
			hub[h].on[t].has[c] = hub[h].on[t].has[c] & (255 - BIT(k_))
		:: else
		fi;
		k_++
	:: else -> break
	od;
	k_ = 0 }
}

/* What comes of an answer, for all who ask. */
inline heard()
{
	if
	:: a == OTHER_HUB -> hub[h].superseded = 1
	:: a == GONE -> hub[h].down = hub[h].down | BIT(c)
	:: a == BEHIND -> take_back()
	:: else
	fi
}

/* The first decision before kind mm that the cell has not answered, in n_; KINDS: none. */
inline next_untold(mm)
{
	d_step {
	n_ = 0;
	do
	:: n_ < mm && !UNTOLD(h, t, c, n_) -> n_++
	:: n_ < mm && UNTOLD(h, t, c, n_) -> break
	:: n_ >= mm -> n_ = KINDS; break
	od }
}
/* hub_deliver(), one of them; in a what the cell said */
inline deliver_one()
{
	send(n_);
	heard();
	if
	:: a == DONE -> hub[h].on[t].has[c] = hub[h].on[t].has[c] | BIT(n_)
	:: else
	fi;
	n_ = 0
}

/* hub_reach(): is it up, what does it say of itself */
inline reach()
{
	if
	:: !HAS(hub[h].use, c)
	:: HAS(hub[h].use, c) && !REACHES(h, c) -> hub[h].down = hub[h].down | BIT(c)
	:: HAS(hub[h].use, c) && REACHES(h, c) && cell[c].epoch > hub[h].epoch && hub[h].current ->
		hub[h].superseded = 1
	:: else ->
		hub[h].down = hub[h].down & (255 - BIT(c));
#ifdef NO_LOCK_FOR_TAKING_BACK
		take_back()
#endif
	fi
}

/* ---------------------------------------------------------------- a session at the hub */

inline choose()
{
	if
	:: !DEC(h, t, CLOSE) && !DEC(h, t, END) -> k = CLOSE; v = 1
	:: DEC(h, t, CLOSE) && !DEC(h, t, END) -> k = END; v = 1
#if defined(REFUSING) || defined(OUTCOMES)
	:: DEC(h, t, CLOSE) && !DEC(h, t, END) -> k = END; v = 2
#endif
	:: !DEC(h, t, END) -> k = END; v = VOID
#ifdef HOLDS
	:: DEC(h, t, CLOSE) && !DEC(h, t, END) -> k = END; v = HELD
	:: DEC(h, t, END) == HELD && !DEC(h, t, AFTER) -> k = AFTER; v = PAID
	:: DEC(h, t, END) == HELD && !DEC(h, t, AFTER) -> k = AFTER; v = BACK
#endif
#ifdef FIXES
	:: DEC(h, t, END) == 1 && !DEC(h, t, AFTER) && !DEC(h, t, NEXT) -> k = AFTER; v = FIXED
#endif
	:: DEC(h, t, END) && (DEC(h, t, END) != HELD || DEC(h, t, AFTER)) && !DEC(h, t, NEXT) -> k = NEXT; v = 1
#ifdef REPEATS
	/* the last one again: the caller was not answered, or asks twice */
	:: DEC(h, t, NEXT) -> k = NEXT; v = 0
	:: !DEC(h, t, NEXT) && DEC(h, t, END) -> k = END; v = 0
	:: !DEC(h, t, END) && DEC(h, t, CLOSE) -> k = CLOSE; v = 0
#endif
	:: else -> k = KINDS
	fi
}

/* (1), (5) What a provider is answered: nobody was answered otherwise, and a hub that is current knows it. */
inline answer_caller()
{
#ifndef SWITCHED
	assert(!answered[t * KINDS + k] || answered[t * KINDS + k] == DEC(h, t, k));
#if COPIES > 0
	assert(!hub[1 - h].current || hub[1 - h].superseded || hub[1 - h].epoch < hub[h].epoch ||
		hub[1 - h].on[t].is[k] == DEC(h, t, k));
#endif
#endif
	answered[t * KINDS + k] = DEC(h, t, k);
	if
	:: k == CLOSE && (!answered_close[t] || hub[h].on[t].closed_at < answered_close[t]) ->
		answered_close[t] = hub[h].on[t].closed_at
	:: else
	fi
}

/* what a session is about to do */
#define IDLE 0
#define ASKS 1				/* hub_try(): the cells what would come of it */
#define WRITES 2			/* hub_write('decide') */
#define SENDS 3				/* hub_carry_out() */
#define ANSWERS 4			/* its transaction commits the notes, the caller is answered */

/* R13.42: a correction is decided with every cell */
#ifdef NO_ALL_FOR_CORRECTION
#define NEEDS_ALL 0
#else
#define NEEDS_ALL (k == AFTER && v == FIXED)
#endif

/* One message of hub_try(): bad when a cell refuses, none answers, or another hub has taken over */
inline ask_one()
{
	if
	:: !HAS(hub[h].use & hub[h].learned, c) -> c++
	:: HAS(hub[h].use & hub[h].learned, c) && HAS(hub[h].down, c) ->
		if
		:: k != NEXT -> reach()
		:: else
		fi;
		if
		:: HAS(hub[h].down, c) -> c++; bad = bad || NEEDS_ALL
		:: else
		fi;
#ifndef NO_SUPERSEDED_HEARD
		bad = bad || hub[h].superseded
#endif
	:: else ->
		next_untold(k);
		if
		:: n_ < KINDS && !stuck ->
			deliver_one();
			stuck = (a == REFUSED || a == NO_ROUND)
		:: else ->
			if
			:: !REACHES(h, c) -> a = GONE
			:: REACHES(h, c) -> number_noted(); r_kind = k; r_is = v; r_epoch = hub[h].epoch; obey()
			fi;
			heard();
			if
			:: a == BEHIND
			:: a == DONE || (a == NO_ROUND && UNTOLD(h, t, c, OPEN)) -> some = 1; stuck = 0; c++
			:: a == GONE || (a == REFUSED && k == NEXT) -> stuck = 0; c++; bad = bad || NEEDS_ALL
			:: else -> bad = 1
			fi
		fi;
		bad = bad || (a == OTHER_HUB);
		n_ = 0; a = 0
	fi;
	if
	:: bad || (c == CELLS && !some) -> leave()
	:: c == CELLS && some && !bad -> c = 0; some = 0; does = WRITES
	:: else
	fi
}

/* One message of hub_carry_out(); who has answered is noted when the caller's transaction commits */
inline send_one()
{
	if
	:: !HAS(hub[h].use & hub[h].learned, c) || HAS(hub[h].down, c) || !UNTOLD(h, t, c, k) ->
		ready = 0; c++
	:: else ->
		/* is it behind: looked at before it is sent, under the lock of the table */
#ifdef NO_ORDER
		n_ = KINDS; ready = 1;
#else
		next_untold(k);
#endif
		if
		:: ready ->
			ready = 0;
			send(k);
			heard();
			if
			:: a == DONE -> got = got | BIT(c); c++
			:: a == BEHIND
			:: else -> c++
			fi
		:: !ready && n_ < KINDS ->
			deliver_one();
			if
			:: a == DONE || a == BEHIND
			:: else -> c++
			fi
		:: else -> ready = 1
		fi;
		other = other || (a == OTHER_HUB);
		n_ = 0; a = 0
	fi;
	if
	:: c == CELLS -> c = 0; does = ANSWERS
	:: else
	fi
}

inline leave()
{
	hub[h].locked = hub[h].locked & (255 - BIT(t));
	t = 0; k = 0; v = 0; c = 0; a = 0; e = 0; got = 0; bad = 0; some = 0; other = 0; stuck = 0; ready = 0;
		n_ = 0; does = IDLE
}

proctype Session(byte h)
{
	byte n, t, k, v, c, a, e, got, does;
	bit bad, some, other, stuck, ready;
	do
	/* hub_enter(): the table's lock, and a hub that decides */
	:: atomic { does == IDLE && n < CALLS && hub[h].runs && hub[h].locked != BIT(TABLES) - 1 ->
		n++;
#if TABLES > 1
		if
		:: !HAS(hub[h].locked, 1) -> t = 1
		:: !HAS(hub[h].locked, 0)
		fi;
#endif
		hub[h].locked = hub[h].locked | BIT(t);
		if
		:: !hub[h].current || hub[h].superseded -> leave()
		:: else ->
			choose();
			e = hub[h].epoch;
			if
			:: k == KINDS -> leave()
			:: k < KINDS && v == 0 -> does = SENDS			/* repeated */
#ifdef NO_CHECK
			:: k < KINDS && v != 0 -> does = WRITES
#else
			:: k < KINDS && v != 0 -> does = ASKS
#endif
			fi
		fi }
	:: atomic { does == ASKS -> ask_one() }
	:: atomic { does == WRITES ->
		if
#ifndef NO_SUPERSEDED_WRITING
		:: hub[h].superseded || !hub[h].current || hub[h].epoch != e -> leave()
#endif
		:: DEC(h, t, k) -> leave()
		:: else ->
#ifdef FIXES
			/* (9) every cell has ended the round before its result is corrected */
			assert(k != AFTER || v != FIXED ||
				(HAS(hub[h].on[t].has[0], END) && HAS(hub[h].on[t].has[1], END)));
#endif
			DEC(h, t, k) = v; hub[h].on[t].by[k] = hub[h].epoch; v = 0; e = 0; does = SENDS;
			if
			/* what is dated later comes later */
			:: k == CLOSE -> hub[h].on[t].closed_at = now; now++
			:: else
			fi
		fi }
	:: atomic { does == SENDS -> send_one() }
	:: atomic { does == ANSWERS ->
		do
		:: c < CELLS ->
			if
			:: HAS(got, c) -> hub[h].on[t].has[c] = hub[h].on[t].has[c] | BIT(k)
			:: else
			fi;
			if
			:: HAS(hub[h].on[t].has[c], k) -> some = 1
			:: else
			fi;
			c++
		:: else -> break
		od;
		if
#ifndef NO_ERROR
		/* 55000: another hub; 08006: no cell has it */
		:: other || hub[h].superseded || !some
#endif
		:: else -> answer_caller()
		fi;
		leave() }
#if KILLS > 0
#ifdef NO_WRITING_FIRST
	/* killed after it was sent, before it was written */
	:: atomic { kills > 0 && does == ANSWERS -> kills--; DEC(h, t, k) = 0; hub[h].on[t].by[k] = 0; leave() }
#else
	:: atomic { kills > 0 && does != IDLE -> kills--; leave() }
#endif
#endif
	:: atomic { does == IDLE -> n = 0; break }
	od;
	busy--
}

/* ---------------------------------------------------------------- catch_up() */

#define END_OF(c, t) ((ROUND(c, t).state == WITHHELD || ROUND(c, t).was_held) -> \
	HELD : (ROUND(c, t).state == VOIDED -> VOID : \
	(ROUND(c, t).state == SETTLED -> (ROUND(c, t).was_fixed -> 1 : ROUND(c, t).outcome) : 0)))
#define AFTER_OF(c, t) (ROUND(c, t).was_fixed -> FIXED : ((ROUND(c, t).was_held && \
	ROUND(c, t).state != WITHHELD) -> \
	(ROUND(c, t).state == SETTLED -> PAID : BACK) : 0))
#if CELLS > 2
#define ANYBODY_HAS(h, t) (hub[h].on[t].has[0] | hub[h].on[t].has[1] | hub[h].on[t].has[2])
#else
#define ANYBODY_HAS(h, t) (hub[h].on[t].has[0] | hub[h].on[t].has[1])
#endif

inline write_down(kk)
{
	hub[h].on[t].is[kk] = x; hub[h].on[t].by[kk] = hub[h].epoch; x = 0
}

/*
 * hub_learn(): what no cell is known to have obeyed is withdrawn, because
 * nobody was told that it holds; then what the cells in who have obeyed is
 * written down as far as this hub does not have it.
 */
inline learn()
{
	d_step {
	t = 0;
	do
	:: t < TABLES ->
#ifndef NO_YIELDING
		c = CLOSE;
		do
		:: c < KINDS ->
			if
			:: !hub[h].current && !HAS(ANYBODY_HAS(h, t), c) -> hub[h].on[t].is[c] = 0; hub[h].on[t].by[c] = 0
			:: else
			fi;
			c++
		:: else -> break
		od;
#endif
		c = 0;
		do
		:: c < CELLS ->
			if
			:: HAS(who, c) ->
				if
				:: ROUND(c, t).closed_at && !DEC(h, t, CLOSE) && !DEC(h, t, END) -> x = 1; write_down(CLOSE);
					hub[h].on[t].closed_at = ROUND(c, t).closed_at
				:: else
				fi;
				if
				:: END_OF(c, t) && !DEC(h, t, END) -> x = END_OF(c, t); write_down(END)
				:: else
				fi;
				if
				:: AFTER_OF(c, t) && !DEC(h, t, AFTER) -> x = AFTER_OF(c, t); write_down(AFTER)
				:: else
				fi;
				if
				:: ROUND(c, t).next && !DEC(h, t, NEXT) -> x = 1; write_down(NEXT)
				:: else
				fi
			:: else
			fi;
			c++
		:: else -> break
		od;
		t++
	:: else -> break
	od;
	t = 0; c = 0; who = 0 }
}

inline follow()
{
	if
	:: !REACHES(h, c)
	:: REACHES(h, c) && cell[c].epoch > hub[h].epoch -> hub[h].superseded = 1
	:: else -> cell[c].epoch = hub[h].epoch; hub[h].learned = hub[h].learned | BIT(c)
	fi
}

#define MISSING(h) (hub[h].use & (ALL - hub[h].learned))
/* a cell in use was told of more cells than this hub has */
#define KNOWS_ALL(h) ((HAS(hub[h].use, 0) -> cell[0].told_of : 0) == 0 || \
	(cell[0].told_of & (ALL - hub[h].use)) == 0)

/* what catch_up() is about to do */
#define REACHES_ALL 1
#define TAKES_OVER 2			/* hub_write('restored') */
#define FOLLOWS 3
#define LEARNS 4
#define IS_CURRENT 5
#define DELIVERS 6

inline stop()
{
	t = 0; c = 0; a = 0; n_ = 0; does = IDLE
}
#ifdef NO_REPORT
#define REPORTS_MORE_OR_LESS BEFORE(h, t, c, KINDS)
#else
#define REPORTS_MORE_OR_LESS (BEFORE(h, t, c, KINDS) || (REACHES(h, c) && SAYS_LESS(h, t, c)))
#endif
#define HEARD_LATER(c) (HAS(hub[h].use, c) && !HAS(hub[h].down, c) && cell[c].epoch > hub[h].epoch)

proctype Catch_up(byte h, times)
{
	byte n, t, c, a, x, who, save, does;
	bit mine;
	do
	:: atomic { does == IDLE && n < times && hub[h].runs && !hub[h].superseded -> n++; does = REACHES_ALL }
	:: atomic { does == REACHES_ALL ->
		reach();
		c++;
		if
		:: hub[h].superseded -> stop()
		:: !hub[h].superseded && c == CELLS -> c = 0; does = (hub[h].current -> DELIVERS : TAKES_OVER)
		:: else
		fi }
	:: atomic { does == TAKES_OVER ->
		if
		:: !hub[h].restoring || HEARD_LATER(0) || HEARD_LATER(CELLS - 1) ->
			epochs++; hub[h].epoch = epochs; hub[h].learned = 0; hub[h].restoring = 1; hub[h].read = 0
		:: else
		fi;
#ifdef NO_FOLLOWING_FIRST
		who = hub[h].use; learn();
#endif
		does = FOLLOWS }
	:: atomic { does == FOLLOWS ->
		if
		:: HAS(MISSING(h), c) && !HAS(hub[h].down, c) -> follow()
		:: else
		fi;
		c++;
		if
		:: hub[h].superseded -> stop()
		:: !hub[h].superseded && c == CELLS -> c = 0; does = LEARNS
		:: else
		fi }
	:: atomic { does == LEARNS ->
#ifdef NO_LATER_CURRENT
		if
		:: hub[h].read -> stop()
		:: else
		fi;
#endif
		if
		:: does == IDLE
#ifdef NO_LEARNING_FROM_ALL
		:: does != IDLE && hub[h].learned && !hub[h].read ->
			who = hub[h].learned; learn(); hub[h].learned = hub[h].use; hub[h].read = 1; does = IS_CURRENT
#else
		/* of all cells together, so that what one knows of a round comes in its order */
		:: does != IDLE && !MISSING(h) && KNOWS_ALL(h) ->
#if !defined(NO_LEARNING) && !defined(NO_FOLLOWING_FIRST)
			if
			:: !hub[h].read -> who = hub[h].use; learn()
			:: else
			fi;
#endif
			hub[h].read = 1; does = IS_CURRENT
#endif
		:: else -> does = DELIVERS
		fi }
	:: atomic { does == IS_CURRENT ->
		if
		:: !hub[h].superseded -> hub[h].current = 1; hub[h].restoring = 0; hub[h].read = 0
		:: else
		fi;
		does = DELIVERS }
	:: atomic { does == DELIVERS ->
		if
		:: !hub[h].current || t == TABLES ->
			/* (7) undisturbed it ends as a hub that decides, or as one that is superseded */
			assert(!quiet || hub[h].current || hub[h].superseded || !KNOWS_ALL(h));
			stop()
#if SWITCHES > 0
		/* a cell that the owner's switch went without follows and tells before it is told anything */
		:: hub[h].current && t < TABLES && HAS(MISSING(h), c) && !HAS(hub[h].down, c) ->
			follow();
			if
			:: HAS(hub[h].learned, c) -> who = BIT(c); save = c; learn(); c = save; save = 0
			:: else -> c++
			fi
#endif
		:: else ->
			if
			:: HAS(hub[h].use & hub[h].learned, c) && !HAS(hub[h].down, c) && REPORTS_MORE_OR_LESS && (mine ||
				!HAS(hub[h].locked, t)) ->
				hub[h].locked = hub[h].locked | BIT(t); mine = 1;
#ifndef NO_REPORT
				/* under the table's lock its answer says what it has lost */
				if
				:: REACHES(h, c) -> take_back()
				:: else
				fi;
#endif
				next_untold(KINDS);
				if
				:: n_ < KINDS -> deliver_one()
				:: else -> a = REFUSED
				fi;
				if
				:: a == DONE || a == BEHIND
				:: else -> c++; mine = 0; hub[h].locked = hub[h].locked & (255 - BIT(t))
				fi;
				a = 0
			:: else -> c++;
				if
				:: mine -> mine = 0; hub[h].locked = hub[h].locked & (255 - BIT(t))
				:: else
				fi
			fi;
			if
			:: c == CELLS -> c = 0; t++
			:: else
			fi
		fi }
#if KILLS > 0
	:: atomic { kills > 0 && !quiet && does != IDLE -> kills--;
		if
		:: mine -> mine = 0; hub[h].locked = hub[h].locked & (255 - BIT(t))
		:: else
		fi;
		stop() }
#endif
	:: atomic { does == IDLE && (n == times || hub[h].superseded || !hub[h].runs) -> n = 0; break }
	od;
	busy--
}

#if JOINS > 0
/* add_cell(): under the locks of all tables; every cell in use is told of it first */
proctype Add_cell(byte h)
{
	byte t, k;
	if
	:: atomic { quiet -> goto out }
	:: atomic { !quiet && hub[h].locked == 0 -> hub[h].locked = BIT(TABLES) - 1 }
	fi;
#ifndef NO_TELLING_OF_CELLS
	atomic {
	if
	:: !hub[h].current || hub[h].superseded || cut[h] || cell[0].epoch > hub[h].epoch || (CELLS > 2 &&
		cell[CELLS - 2].epoch > hub[h].epoch) -> hub[h].locked = 0; goto out
	:: else -> cell[0].told_of = ALL
	fi };
#endif
	atomic {
	if
	:: !hub[h].current || hub[h].superseded
	:: else ->
		hub[h].use = ALL; hub[h].learned = hub[h].learned | BIT(CELLS - 1);
			cell[CELLS - 1].epoch = hub[h].epoch; cell[CELLS - 1].told_of = ALL;
		/* it hears of no round that has ended, but of those withheld */
		do
		:: t < TABLES ->
			if
			:: DEC(h, t, END) && (DEC(h, t, END) != HELD || DEC(h, t, AFTER)) ->
				hub[h].on[t].excused[CELLS - 1] = BIT(OPEN) | BIT(CLOSE) | BIT(END) | BIT(AFTER)
			:: else
			fi;
			t++
		:: else -> break
		od
	fi;
	hub[h].locked = 0 };
out:	busy--
}
#endif

/* ---------------------------------------------------------------- players, and what goes wrong */

proctype Player(byte c, t)
{
	byte cancels = CANCELS;
	do
#ifdef NO_UNTIL
	:: atomic { !quiet && ROUND(c, t).state == IS_OPEN && !ROUND(c, t).stake ->
#else
	:: atomic { !quiet && ROUND(c, t).state == IS_OPEN && !ROUND(c, t).stake && now < UNTIL ->
#endif
		/* (3) nothing is taken at betting_until or later */
		assert(now < UNTIL);
		ROUND(c, t).stake = LIES; ROUND(c, t).staked_at = now }
#if CANCELS > 0
	:: atomic { !quiet && cancels > 0 && ROUND(c, t).state == IS_OPEN && ROUND(c, t).stake == LIES &&
		now < UNTIL ->
		cancels--; ROUND(c, t).back_at = now; assert(!ROUND(c, t).moved); ROUND(c, t).stake = TAKEN_BACK;
			ROUND(c, t).moved = 1 }
#endif
	:: atomic { quiet -> cancels = 0; break }
	od
}

inline copy_round(p, q)
{
	p.state = q.state; p.outcome = q.outcome; p.closed_at = q.closed_at; p.last = q.last; p.stake = q.stake;
		p.staked_at = q.staked_at; p.back_at = q.back_at;
	p.was_held = q.was_held; p.was_fixed = q.was_fixed; p.next = q.next; p.found = q.found; p.moved = q.moved;
		p.moved_again = q.moved_again
}
inline copy_cell(x, y)
{
	x.epoch = y.epoch; x.told_of = y.told_of;
	copy_round(x.on[0], y.on[0]);
#if TABLES > 1
	copy_round(x.on[1], y.on[1])
#endif
}
inline copy_log(p, q)
{
	p.is[0] = q.is[0]; p.is[1] = q.is[1]; p.is[2] = q.is[2]; p.is[3] = q.is[3]; p.is[4] = q.is[4];
	p.by[0] = q.by[0]; p.by[1] = q.by[1]; p.by[2] = q.by[2]; p.by[3] = q.by[3]; p.by[4] = q.by[4];
	p.has[0] = q.has[0]; p.excused[0] = q.excused[0];
#if CELLS > 1
	p.has[1] = q.has[1]; p.excused[1] = q.excused[1];
#endif
#if CELLS > 2
	p.has[2] = q.has[2]; p.excused[2] = q.excused[2];
#endif
	p.closed_at = q.closed_at
}
inline copy_hub(x, y)
{
	copy_log(x.on[0], y.on[0]);
#if TABLES > 1
	copy_log(x.on[1], y.on[1]);
#endif
	x.use = y.use; x.down = y.down; x.learned = y.learned; x.epoch = y.epoch
}

proctype World()
{
	do
	:: atomic { !quiet && now <= TICKS -> now++ }
#if CUTS > 0
	:: atomic { !quiet && cuts > 0 -> cuts--;
		if
		:: cut[0] = cut[0] | 1
		:: cut[0] = cut[0] | BIT(CELLS - 1)
#if COPIES > 0
		:: cut[1] = cut[1] | 1
		:: cut[1] = cut[1] | BIT(CELLS - 1)
#endif
		fi }
	:: atomic { !quiet && cut[0] -> cut[0] = 0 }
	:: atomic { !quiet && cut[1] -> cut[1] = 0 }
#endif
#if PUTBACKS > 0
	:: atomic { !quiet && putbacks > 0 && !kept_one -> kept_one = 1; copy_cell(kept, cell[CELLS - 1]) }
	/* the copy stays: another one of the same age may take the place of this one */
	:: atomic { !quiet && putbacks > 0 && kept_one -> putbacks--; copy_cell(cell[CELLS - 1], kept);
		if
		:: kept_one = 0
		:: skip
		fi }
#endif
#if COPIES > 0
	:: atomic { !quiet && copies > 0 && !copied -> copied = 1; copy_hub(older, hub[0]) }
	:: atomic { !quiet && copies > 0 && copied && !hub[1].runs -> copies--; copy_hub(hub[1], older);
		hub[1].runs = 1;
		busy++; run Session(1); busy++; run Catch_up(1, 1 + KILLS + SWITCHES) }
#endif
#if AGAIN > 0
	/* install_hub() there; the other one is stopped, or forgotten */
	:: atomic { !quiet && again > 0 && hub[0].superseded && hub[0].locked == 0 -> again--;
		hub[0].superseded = 0; hub[0].current = 0; hub[0].restoring = 0; hub[0].read = 0; busy++;
			run Catch_up(0, 1);
		if
		:: hub[1].current = 0; hub[1].superseded = 1
		:: skip
		fi }
#endif
#if SWITCHES > 0
	:: atomic { !quiet && switches > 0 && hub[1].restoring && hub[1].learned && MISSING(1) &&
		!hub[1].superseded -> switches--;
		hub[1].current = 1; hub[1].restoring = 0 }
#endif
	:: atomic { !quiet && busy == 0 && way_kind == 255 -> quiet = 1; cut[0] = 0; cut[1] = 0; break }
	od
}

/* When nothing disturbs any more, catch_up() runs, and what has come of all is looked at. */
proctype Judge()
{
	byte h, t, c, k;
	(quiet);
	atomic {
	if
	:: hub[1].runs && !hub[1].superseded -> h = 1
	:: else -> h = 0
	fi;
	if
	:: h == 0 && hub[0].superseded -> hub[0].superseded = 0; hub[0].current = 0; hub[0].restoring = 0;
		hub[0].read = 0
	:: else
	fi;
	busy = 1; run Catch_up(h, 2) };
	(busy == 0);
	if
	:: atomic { hub[h].superseded && h == 1 -> h = 0; busy = 1; run Catch_up(0, 2) }; (busy == 0)
	:: atomic { hub[h].superseded && h == 0 && hub[1].runs -> h = 1; busy = 1; run Catch_up(1, 2) };
		(busy == 0)
	:: else
	fi;
#if JOINS > 0
	/* the owner adds the cell that a restored hub does not know of */
	atomic {
	if
	:: !hub[h].current && !KNOWS_ALL(h) ->
		hub[h].use = ALL;
		do
		:: t < TABLES ->
			if
			:: DEC(h, t, END) && (DEC(h, t, END) != HELD || DEC(h, t, AFTER)) ->
				hub[h].on[t].excused[CELLS - 1] = BIT(OPEN) | BIT(CLOSE) | BIT(END) | BIT(AFTER)
			:: else
			fi;
			t++
		:: else -> break
		od;
		t = 0; busy = 1; run Catch_up(h, 2)
	:: else
	fi };
	(busy == 0);
#endif
#if EXCUSES > 0
	/* somebody voids by hand what a cell refuses, and excuses it: what follows is told */
	atomic {
	c = CELLS - 1;
	if
	:: UNTOLD(h, t, c, END) && ROUND(c, t).state == CLOSED ->
		ROUND(c, t).state = VOIDED;
		if
		:: ROUND(c, t).stake == LIES -> move_money(RETURNED)
		:: else
		fi;
		hub[h].on[t].excused[c] = BIT(END) | BIT(AFTER);
		busy = 1; run Catch_up(h, 1)
	:: else
	fi;
	c = 0 };
	(busy == 0);
#endif
	atomic {
	/* (7) somebody decides */
	assert(hub[h].current);
	do
	:: t < TABLES ->
		/* (1) what a provider was answered stands */
		k = 0;
#ifndef SWITCHED
		do
		:: k < KINDS -> assert(!answered[t * KINDS + k] || answered[t * KINDS + k] == DEC(h, t, k)); k++
		:: else -> break
		od;
		assert(!answered_close[t] || answered_close[t] == hub[h].on[t].closed_at);
#endif
		c = 0;
		do
		:: c < CELLS && HAS(hub[h].use, c) ->
			/* (2) each cell has carried out all that was decided, or says that it has not */
#if !defined(SWITCHED) && (!defined(REFUSING) || EXCUSES > 0 || CUTS == 0)
			assert(!BEFORE(h, t, c, KINDS));
#endif
			if
			:: BEFORE(h, t, c, KINDS) || HAS(hub[h].on[t].excused[c], END)
			:: else ->
				assert(END_OF(c, t) == DEC(h, t, END) && AFTER_OF(c, t) == DEC(h, t, AFTER));
				assert(!DEC(h, t, CLOSE) || ROUND(c, t).closed_at == hub[h].on[t].closed_at);
				assert(ROUND(c, t).next == DEC(h, t, NEXT));
				assert(DEC(h, t, END) || ROUND(c, t).state == (DEC(h, t, CLOSE) -> CLOSED : IS_OPEN));
				/* (6) when the round has ended, every stake has */
				assert(!DEC(h, t, END) || (DEC(h, t, END) == HELD && !DEC(h, t, AFTER)) ||
					ROUND(c, t).stake == 0 || ROUND(c, t).moved);
				assert(ROUND(c, t).stake != GRADED || ROUND(c, t).moved_again == (DEC(h, t, AFTER) == FIXED));
				/* (3) what was staked after the close is not graded; what lay there and was taken back
				   after it is found */
				assert(ROUND(c, t).stake != GRADED || ROUND(c, t).staked_at <= hub[h].on[t].closed_at);
				assert(!DEC(h, t, CLOSE) || ROUND(c, t).stake != TAKEN_BACK ||
					ROUND(c, t).staked_at > hub[h].on[t].closed_at
					|| ROUND(c, t).back_at <= hub[h].on[t].closed_at || ROUND(c, t).found)
			fi;
			c++
		:: else -> break
		od;
		t++
	:: else -> break
	od }
}

init
{
	byte c, t;
	atomic {
	hub[0].runs = 1; hub[0].current = 1; hub[0].epoch = 1; hub[0].use = ALL;
#if JOINS > 0
	hub[0].use = BIT(CELLS - 1) - 1;
#endif
	hub[0].learned = hub[0].use;
	do
	:: t < TABLES ->
		DEC(0, t, OPEN) = 1; hub[0].on[t].by[OPEN] = 1; answered[t * KINDS + OPEN] = 1;
		c = 0;
		do
		:: c < CELLS ->
			if
			:: HAS(hub[0].use, c) -> cell[c].epoch = 1; cell[c].told_of = hub[0].use;
				ROUND(c, t).state = IS_OPEN; ROUND(c, t).last = NUMBER(0, t, OPEN);
				hub[0].on[t].has[c] = BIT(OPEN)
			:: else
			fi;
			if
			:: c >= CELLS - PLAYERS -> run Player(c, t)
			:: else
			fi;
			c++
		:: else -> break
		od;
		t++
	:: else -> break
	od;
	c = 0; t = 0;
	do
	:: c < SESSIONS -> busy++; run Session(0); c++
	:: else -> break
	od;
	busy++; run Catch_up(0, 1);
#if JOINS > 0
	busy++; run Add_cell(0);
#endif
	c = 0;
#ifdef SPLIT
	/* each hub reaches one cell, until all is quiet */
	cut[0] = BIT(CELLS - 1); cut[1] = BIT(0);
#endif
	run World(); run Judge()
	}
}
