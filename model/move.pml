/*
 * move.pml
 *	  A player moves from one cell to another, for Spin (model/README.md).
 *
 * One player, who plays in cell 0 until somebody moves the account to cell 1
 * or 2.  A hub writes the move down, tells cell 0 that the account leaves,
 * notes it, tells the other cell that it enters, notes that, and answers.
 * NO_... takes out one step of it.
 */

#ifndef CALLS
#define CALLS 2				/* of move_player(), at each hub */
#endif
#ifndef KILLS
#define KILLS 0				/* sessions and catch_up() ended at a step */
#endif
#ifndef LOST
#define LOST 0				/* calls carried out whose answers are lost */
#endif
#ifndef DELAYED
#define DELAYED 0			/* calls carried out long after the hub has given them up */
#endif
#ifndef CUTS
#define CUTS 0				/* calls that do not reach their cell */
#endif
#ifndef PUTBACKS
#define PUTBACKS 0			/* times that a cell, or the hub, is put back to an older copy */
#endif
#ifndef STAKES
#define STAKES 2			/* of the player: each is open for a while, and counts in the limits */
#endif
#define CELLS 3

/* the account in a cell */
#define NONE 0
#define OPEN 1
#define LEFT 2

/* a move in the hub's book */
#define NOTHING 0
#define WRITTEN 1
#define GONE 2
#define ENTERED 3

/* what a cell answers */
#define DONE 0
#define REFUSED 1
#define SILENT 2
#define OTHER_HUB 3

typedef Cell {
	byte state; byte to;		/* the cell it has left for */
	byte money; byte count;		/* of now; */
	byte goes; byte goes_count;	/* what left */
	bit busy;			/* a stake is open */
	byte epoch
}
typedef Hub {
	byte move; byte to; byte epoch;
	bit locked; bit runs; bit superseded
}

Cell cell[CELLS], kept_cell;
Hub hub[2], kept_hub;
byte kept = 255;			/* which cell, 3: the hub; 255: nothing was kept */
byte kills = KILLS, lost = LOST, delays = DELAYED, cuts = CUTS, putbacks = PUTBACKS;
byte stakes = STAKES, staked, busy;
bit quiet, put_back_once;

/* a call on its way: of which kind, 1: it leaves, 2: it enters */
byte way_kind, way_to, way_money, way_count, way_epoch;
bit way_again;

/* arguments and answer of a call, set and read in one step */
hidden byte r_money, r_count;

#define HEARS(c, e) (e >= cell[c].epoch)

/* leave_cell(): all or nothing; told again it says the same. */
inline leave(x_dest, x_again, x_number)
{
	d_step {
	if
	:: !HEARS(0, x_number) -> a = OTHER_HUB
	:: else -> cell[0].epoch = x_number;
		if
		:: cell[0].state == LEFT ->
			a = (cell[0].to == x_dest -> DONE : REFUSED)
#ifdef NO_REPETITION
			; cell[0].goes = 0
#endif
#ifndef NO_HINDRANCE
		:: cell[0].state == OPEN && cell[0].busy && !x_again -> a = REFUSED
#endif
		:: else -> cell[0].state = LEFT; cell[0].to = x_dest; cell[0].goes = cell[0].money;
			cell[0].goes_count = cell[0].count; cell[0].money = 0;
			/* (4) nothing is open where the account has left, but where the cell was put back */
			assert(x_again || !cell[0].busy);
			a = DONE
		fi;
		r_money = cell[0].goes; r_count = cell[0].goes_count
	fi
	}
}

/* enter_cell() */
inline enter(x_dest, x_m, x_n, x_number)
{
	d_step {
	if
	:: !HEARS(x_dest, x_number) -> a = OTHER_HUB
	:: else -> cell[x_dest].epoch = x_number;
		if
#ifndef NO_REPETITION
		:: cell[x_dest].state == OPEN -> a = DONE
#endif
		:: else -> cell[x_dest].state = OPEN; cell[x_dest].money = cell[x_dest].money + x_m;
			cell[x_dest].count = x_n; a = DONE
		fi
	fi
	}
}

/* A message to a cell: it may not arrive, be carried out without an answer, or be carried out later. */
#define TO_BE_SENT(kind, dest, m, n, again) \
	:: atomic { cuts > 0 -> cuts--; a = SILENT } \
	:: atomic { delays > 0 && way_kind == 0 -> delays--; way_kind = kind; way_to = dest; way_money = m; \
		way_count = n; way_again = again; way_epoch = hub[h].epoch; a = SILENT }

inline send_leave(again)
{
	if
	:: atomic { true -> leave(hub[h].to, again, hub[h].epoch); money = r_money; count = r_count; r_money = 0;
		r_count = 0 }
	:: atomic { lost > 0 -> lost--; leave(hub[h].to, again, hub[h].epoch); a = SILENT; r_money = 0;
		r_count = 0 }
	TO_BE_SENT(1, hub[h].to, 0, 0, again)
	fi
}

inline send_enter()
{
	if
	:: atomic { true -> enter(hub[h].to, money, count, hub[h].epoch) }
	:: atomic { lost > 0 -> lost--; enter(hub[h].to, money, count, hub[h].epoch); a = SILENT }
	TO_BE_SENT(2, hub[h].to, money, count, 0)
	fi
}

#if DELAYED > 0
active proctype On_its_way()
{
	byte a;
	do
	:: atomic { way_kind == 1 -> leave(way_to, way_again, way_epoch); r_money = 0; r_count = 0; way_kind = 0;
		way_to = 0; way_again = 0; way_epoch = 0; a = 0 }
	:: atomic { way_kind == 2 -> enter(way_to, way_money, way_count, way_epoch); way_kind = 0; way_to = 0;
		way_money = 0; way_count = 0; way_epoch = 0; a = 0 }
	:: quiet && way_kind == 0 -> break
	od
}
#endif

#define MAY_DIE :: atomic { kills > 0 && !quiet -> kills--; goto dead }

/* hub_finish_move(), under the lock of the move; "done" is 1 at its end */
inline finish()
{
	if
	:: true
	MAY_DIE
	fi;
	send_leave((hub[h].move >= GONE));
	if
	:: a == REFUSED ->
		atomic { if
		:: hub[h].move == WRITTEN -> hub[h].move = NOTHING; hub[h].to = 0
		:: else
		fi; goto refused }
	:: a == OTHER_HUB -> atomic { hub[h].superseded = 1; goto refused }
	:: a == SILENT -> goto refused
	:: else
	fi;
	if
	:: true
	MAY_DIE
	fi;
#ifdef STALE
	count = dry_count;
#endif
	/* hub_write('left'): a hub that is superseded writes nothing */
	atomic { if
	:: hub[h].superseded || !hub[h].runs || hub[h].move == NOTHING -> goto refused
	:: else -> hub[h].move = (hub[h].move > GONE -> hub[h].move : GONE)
	fi };
	if
	:: true
	MAY_DIE
	fi;
	send_enter();
	if
	:: a != DONE -> atomic { if
		:: a == OTHER_HUB -> hub[h].superseded = 1
		:: else
		fi; goto refused }
	:: else
	fi;
	if
	:: true
	MAY_DIE
	fi;
	atomic { if
	:: hub[h].superseded || !hub[h].runs || hub[h].move == NOTHING -> goto refused
	:: else -> hub[h].move = ENTERED
	fi };
	if
	:: true
	MAY_DIE
	fi;
	done = 1
}

/* move_player() */
proctype Session(byte h)
{
	byte calls = CALLS, a, money, count, dry_count, dest;
	bit done;
	do
	:: calls == 0 || quiet || !hub[h].runs || hub[h].superseded -> break
	:: calls > 0 && hub[h].runs && !quiet && !hub[h].superseded && !hub[h].locked ->
		atomic { !hub[h].locked -> hub[h].locked = 1; calls-- };
		done = 0;
		if
		:: dest = 1
		:: dest = 2
		fi;
		if
		:: hub[h].move != NOTHING && hub[h].to != dest -> goto refused
		:: hub[h].move == ENTERED && hub[h].to == dest -> done = 1
		:: hub[h].move != NOTHING && hub[h].move != ENTERED && hub[h].to == dest -> finish()
		:: hub[h].move == NOTHING ->
			/* both cells are asked, and nothing is done */
			dry_count = cell[0].count;
			if
			:: true
			MAY_DIE
			fi;
			/* hub_write('move') */
			atomic { if
			:: hub[h].superseded || !hub[h].runs -> goto refused
			:: else -> hub[h].move = WRITTEN; hub[h].to = dest
			fi };
			finish()
		fi;
		atomic {
		if
		/* (1) what was answered is so: the account is there, unless the cell was put back since */
		:: done -> assert(put_back_once || cell[dest].state == OPEN)
		:: else
		fi;
		hub[h].locked = 0; a = 0; money = 0; count = 0; dry_count = 0; dest = 0; done = 0 }
		goto next;
refused:	atomic { hub[h].locked = 0; a = 0; money = 0; count = 0; dry_count = 0; dest = 0; done = 0 }
		goto next;
dead:		atomic { hub[h].locked = 0; a = 0; money = 0; count = 0; dry_count = 0; dest = 0; done = 0 };
next:		skip
	od;
	busy--
}

/* What the cells have and the hub lacks is learned; what the hub has and a cell lacks is told again. */
inline catch_up()
{
	atomic { if
	:: hub[h].superseded || !hub[h].runs || hub[h].locked -> goto unlocked
	:: else -> hub[h].locked = 1
	fi };
	/* cell 0 says who has left */
#ifndef NO_LEARNING
	atomic { if
	:: HEARS(0, hub[h].epoch) && cell[0].state == LEFT && hub[h].move < GONE ->
		hub[h].move = GONE; hub[h].to = cell[0].to
	:: else
	fi };
#endif
	if
	:: true
	MAY_DIE
	fi;
	/* the other cell says who has entered */
	atomic { if
	:: hub[h].to && cell[hub[h].to].state == OPEN && hub[h].move == GONE -> hub[h].move = ENTERED
	:: else
	fi };
#ifdef NO_RETELLING
	atomic { if
	:: hub[h].move == NOTHING || hub[h].move == ENTERED -> goto refused
	:: else
	fi };
#else
	atomic { if
	:: hub[h].move == NOTHING ||
		(hub[h].move == ENTERED && cell[0].state == LEFT && cell[hub[h].to].state == OPEN) -> goto refused
	:: else
	fi };
#endif
	finish()
}

proctype Catch_up(byte h)
{
	byte a, money, count, dry_count;
	bit done;
	do
	:: quiet || !hub[h].runs || hub[h].superseded -> break
	:: else ->
		catch_up();
refused:	atomic { hub[h].locked = 0; a = 0; money = 0; count = 0; done = 0 };
		break;
dead:		atomic { hub[h].locked = 0; a = 0; money = 0; count = 0; done = 0 };
		break;
unlocked:	break
	od;
	busy--
}

/* The player: a stake is open for a while where the account is. */
active proctype Player()
{
	do
	:: atomic { stakes > 0 && !quiet && cell[0].state == OPEN && !cell[0].busy -> stakes--; staked++;
		cell[0].count++; cell[0].busy = 1 }
	:: atomic { cell[0].busy -> cell[0].busy = 0 }
	:: atomic { stakes > 0 && !quiet && cell[1].state == OPEN -> stakes--; staked++; cell[1].count++ }
	:: atomic { stakes > 0 && !quiet && cell[2].state == OPEN -> stakes--; staked++; cell[2].count++ }
	:: quiet && !cell[0].busy -> break
	od
}

#if PUTBACKS > 0
active proctype Putting_back()
{
	byte c;
	do
	:: atomic { kept == 255 && !quiet && hub[0].runs ->
		if
		:: c = 0; kept_cell.state = cell[0].state; kept_cell.to = cell[0].to; kept_cell.money = cell[0].money;
			kept_cell.count = cell[0].count; kept_cell.goes = cell[0].goes;
			kept_cell.goes_count = cell[0].goes_count
		:: c = 1; kept_cell.state = cell[1].state; kept_cell.money = cell[1].money;
			kept_cell.count = cell[1].count
		:: c = 3; kept_hub.move = hub[0].move; kept_hub.to = hub[0].to
		fi;
		kept = c }
	:: atomic { kept != 255 && putbacks > 0 && !quiet && !hub[0].locked -> putbacks--; put_back_once = 1;
		if
		:: kept == 3 -> hub[0].move = kept_hub.move; hub[0].to = kept_hub.to
		:: else -> cell[kept].state = kept_cell.state; cell[kept].to = kept_cell.to;
			cell[kept].money = kept_cell.money; cell[kept].count = kept_cell.count;
			cell[kept].goes = kept_cell.goes; cell[kept].goes_count = kept_cell.goes_count; cell[kept].busy = 0
		fi }
	:: quiet -> break
	od
}
#endif

init
{
	byte h, a, money, count, dry_count, rounds = 2;
	bit done;
	atomic {
		cell[0].state = OPEN; cell[0].money = 1; hub[0].runs = 1;
		busy = 2;
		run Session(0); run Catch_up(0)
	};
	atomic { busy == 0 -> quiet = 1 };
	/* nothing disturbs any more */
	atomic { kills = 0; lost = 0; delays = 0; cuts = 0; h = (hub[1].runs -> 1 : 0) };
	atomic { way_kind == 0 && !cell[0].busy -> skip };
	do
	:: rounds > 0 -> rounds--;
		catch_up();
refused:	atomic { hub[h].locked = 0; a = 0; money = 0; count = 0; done = 0 };
		goto next;
dead:		skip;
unlocked:	skip;
next:		skip
	:: else -> break
	od;
	atomic {
		/* (2) the player is in one cell, with the money: nothing lost, nothing doubled */
		assert((cell[0].state == OPEN) + (cell[1].state == OPEN) + (cell[2].state == OPEN) == 1);
		assert(cell[0].money + cell[1].money + cell[2].money == 1);
		assert(cell[0].state == LEFT || cell[0].money == 1);
		/* (3) every stake is counted where the player goes on */
		assert(put_back_once || cell[0].state == OPEN && cell[0].count == staked ||
			cell[1].state == OPEN && cell[1].count == staked ||
			cell[2].state == OPEN && cell[2].count == staked)
	}
}
