/*
 * pots.c
 *	  Unit program of the pots of a Texas Hold'em cash game.
 *
 * A hand is written "seat:haléře cards" with f for folded; the result as
 * "amount@level[contenders]:seat=share..." a pot, and what went back.  The
 * expectations are worked out by hand in the comments.
 */
#include "core/games/pots.h"
#include "core/games/poker_rank.h"
#include "poker_test.h"

static CasinoError err;

/*
 * On this board no flush is possible, Q-T makes the one straight.  From the
 * best: Kc Kh, Jc Jd, 9c 9d, 7c 7h, 2d 2h (three of a kind), Ac Ad and Ah As
 * (equal), Ac Kc and Ad Kh (kings, ace; equal), Qd Qh and Qc Qs (equal).
 */
#define BOARD	"2c 7d 9h Js Kd"

/* the royal flush lies on the board: everybody's hand is equal */
#define EQUAL	"As Ks Qs Js Ts"

static CasinoPotHand
hand_of(const char *seats, const char *board, int button)
{
	CasinoPotHand hand;
	const char *at = seats;

	memset(&hand, 0, sizeof(hand));
	hand.button = button;
	hand.board = cards(board);
	while (*at != '\0')
	{
		int			seat = 0;
		long long	amount = 0;
		int			taken = 0;
		CasinoPotSeat *s;

		if (sscanf(at, "%d:%lld%n", &seat, &amount, &taken) != 2 || seat < 1 || seat > 10)
		{
			printf("bad hand: %s\n", seats);
			exit(2);
		}
		at += taken;
		s = &hand.seats[seat - 1];
		s->contributed = amount;
		while (*at != '\0' && *at != ',')
		{
			if (*at == 'f')
				s->folded = true;
			else if (*at != ' ')
			{
				char		two[6];
				CasinoHand	hole;

				snprintf(two, sizeof(two), "%.5s", at);
				hole = cards(two);
				memcpy(s->cards, hole.cards, 2);
				s->has_cards = true;
				at += 4;
			}
			at++;
		}
		at += strspn(at, ", ");
	}
	return hand;
}

static void
describe(const CasinoPots *pots, char *text, size_t size)
{
	size_t		len = 0;
	int			i;
	int			seat;
	bool		back = false;

	text[0] = '\0';
	for (i = 0; i < pots->count; i++)
	{
		const CasinoPot *pot = &pots->pots[i];
		const char *before = "";

		len += (size_t) snprintf(text + len, size - len, "%s%lld@%lld[", i > 0 ? "; " : "",
								 (long long) pot->amount, (long long) pot->level);
		for (seat = 1; seat <= 10; seat++)
		{
			if (pot->contenders & CASINO_SEAT_BIT(seat))
			{
				len += (size_t) snprintf(text + len, size - len, "%s%d", before, seat);
				before = " ";
			}
		}
		len += (size_t) snprintf(text + len, size - len, "]:");
		before = "";
		for (seat = 1; seat <= 10; seat++)
		{
			if (pot->winners & CASINO_SEAT_BIT(seat))
			{
				len += (size_t) snprintf(text + len, size - len, "%s%d=%lld", before, seat,
										 (long long) pot->shares[seat - 1]);
				before = ",";
			}
		}
	}
	for (seat = 1; seat <= 10; seat++)
	{
		if (pots->returned[seat - 1] != 0)
		{
			len += (size_t) snprintf(text + len, size - len, "%s%d=%lld", back ? "," : "; back ", seat,
									 (long long) pots->returned[seat - 1]);
			back = true;
		}
	}
}

static void
check_hand(const char *seats, const char *board, int button, const char *want)
{
	CasinoPotHand hand = hand_of(seats, board, button);
	CasinoPots	pots;
	char		got[512];
	int64_t		sum = 0;
	int			i;

	if (!casino_pots_settle(&hand, &pots, &err))
	{
		CHECK_FOR(false, err.detail);
		return;
	}
	describe(&pots, got, sizeof(got));
	CHECK_TEXT(got, want);
	for (i = 0; i < 10; i++)
		sum += pots.won[i] + pots.returned[i] - hand.seats[i].contributed;
	CHECK_INT(sum, 0);
}

static void
test_two_players(void)
{
	/* 1: everybody folds to the big blind: 25 against 25, the other 25 were not called */
	check_hand("1:2500 f, 2:5000", "", 1, "5000@2500[2]:2=5000; back 2=2500");
	/* 2: showdown, three kings against aces */
	check_hand("1:10000 Kc Kh, 2:10000 Ac Ad", BOARD, 1, "20000@10000[1 2]:1=20000");
	/* 3: kings with an ace on both sides */
	check_hand("1:10000 Ac Kc, 2:10000 Ad Kh", BOARD, 1, "20000@10000[1 2]:1=10000,2=10000");
	/* 4: all in for 40 against 100: 60 go back, whoever wins */
	check_hand("1:10000 Kc Kh, 2:4000 Ac Ad", BOARD, 1, "8000@4000[1 2]:1=8000; back 1=6000");
	check_hand("1:10000 Ac Ad, 2:4000 Kc Kh", BOARD, 1, "8000@4000[1 2]:2=8000; back 1=6000");
	/* 6: a raise to 300 over 100 is not called: 200 go back, 100 + 100 are won unseen, on the flop */
	check_hand("1:30000, 2:10000 f", "2c 7d 9h", 2, "20000@10000[1]:1=20000; back 1=20000");
	/* 7: an odd pot needs odd money of somebody else: 333 + 333 are even */
	check_hand("3:333 2c 3c, 8:333 4c 5c", EQUAL, 8, "666@333[3 8]:3=333,8=333");
	/* 8: kicker 8 against 7 of the board (A K J 9 8 : A K J 9 7) */
	check_hand("1:5000 Ac 8c, 2:5000 Ad 3d", BOARD, 1, "10000@5000[1 2]:1=10000");
	/* 9: 9 9 A K Q lie on the board, no kicker plays */
	check_hand("1:5000 8c 7c, 2:5000 6c 5c", "As Kd Qh 9c 9d", 1, "10000@5000[1 2]:1=5000,2=5000");
	/* 10: flush with the ace against flush with the queen */
	check_hand("1:5000 Qh Th, 2:5000 Ah 3h", "2h 7h 9h Js Kd", 1, "10000@5000[1 2]:2=10000");
	/* 11: one's own money alone, nobody else put in anything */
	check_hand("5:5000", "", 1, "; back 5=5000");
}

static void
test_odd_money(void)
{
	/* 12: 3 * 50.01 = 150.03 between 1 and 2: 75.01 and one over, to the first left of the button */
	check_hand("1:5001 Ac Ad, 2:5001 Ah As, 3:5001 f", BOARD, 1, "15003@5001[1 2]:1=7501,2=7502");
	check_hand("1:5001 Ac Ad, 2:5001 Ah As, 3:5001 f", BOARD, 2, "15003@5001[1 2]:1=7502,2=7501");
	check_hand("1:5001 Ac Ad, 2:5001 Ah As, 3:5001 f", BOARD, 3, "15003@5001[1 2]:1=7502,2=7501");
	/* 15: the button at the empty seats 7 and 10 */
	check_hand("1:5001 Ac Ad, 2:5001 Ah As, 3:5001 f", BOARD, 7, "15003@5001[1 2]:1=7502,2=7501");
	check_hand("1:5001 Ac Ad, 2:5001 Ah As, 3:5001 f", BOARD, 10, "15003@5001[1 2]:1=7502,2=7501");
	/* 17: 150.02 among 1, 4, 9: 50 each and two over; left of 4 come 9, then 1, the button last */
	check_hand("1:5000 2c 3c, 4:5000 4c 5c, 9:5000 6c 7c, 6:2 f", EQUAL, 4,
			   "15002@5000[1 4 9]:1=5001,4=5000,9=5001");
	/* 18: the same with the button at 9: 1 and 4 */
	check_hand("1:5000 2c 3c, 4:5000 4c 5c, 9:5000 6c 7c, 6:2 f", EQUAL, 9,
			   "15002@5000[1 4 9]:1=5001,4=5001,9=5000");

	/*
	 * 19: pots with the same contenders are one: 4 * 0.51 + 3 * 0.01 + 2 * 0.48 = 3.03, one odd haléř, for
	 * 1 left of 4
	 */
	check_hand("1:100 2c 3c, 2:100 4c 5c, 3:51 f, 4:52 f", EQUAL, 4,
			   "303@100[1 2]:1=152,2=151");
}

static void
test_side_pots(void)
{
	/* 20: 3 * 30 for the best, who is all in; 2 * 70 for the second */
	check_hand("1:3000 Kc Kh, 2:10000 Jc Jd, 3:10000 Ac Ad", BOARD, 3,
			   "9000@3000[1 2 3]:1=9000; 14000@10000[2 3]:2=14000");
	/* 21: the short one loses: two pots, one winner */
	check_hand("1:3000 Qd Qh, 2:10000 Jc Jd, 3:10000 Ac Ad", BOARD, 3,
			   "9000@3000[1 2 3]:2=9000; 14000@10000[2 3]:2=14000");

	/*
	 * 22: money of 1, who folded, lies in the main pot; levels 25 and 80 have the same contenders: 3 * 25 +
	 * 2 * 55 = 185; 120 of 3 were not called
	 */
	check_hand("1:2500 f, 2:8000 Ac Ad, 3:20000 Kc Kh", BOARD, 1,
			   "18500@8000[2 3]:3=18500; back 3=12000");
	/* 23: folded money in the side pot: 4 * 20, then 3 * 40 for 3 and 4 */
	check_hand("1:2000 Kc Kh, 2:6000 f, 3:6000 Ac Ad, 4:6000 Jc Jd", BOARD, 1,
			   "8000@2000[1 3 4]:1=8000; 12000@6000[3 4]:4=12000");
	/* 24: a folded seat's level cuts no pot: 60 + 60 + 12.34 */
	check_hand("1:6000 Kc Kh, 2:1234 f, 3:6000 Ac Ad", BOARD, 1, "13234@6000[1 3]:1=13234");
	/* 25: the side pot has lost its second contender: 2 * 70 for 3, whose aces lose the main pot */
	check_hand("1:2000 Kc Kh, 2:9000 f, 3:9000 Ac Ad", BOARD, 1,
			   "6000@2000[1 3]:1=6000; 14000@9000[3]:3=14000");
	/* 26: a tie in the main pot, none in the side pot */
	check_hand("1:3000 Ac Kc, 2:8000 Ad Kh, 3:8000 Qd Qh", BOARD, 1,
			   "9000@3000[1 2 3]:1=4500,2=4500; 10000@8000[2 3]:2=10000");
	/* 27: a tie in the side pot, none in the main pot */
	check_hand("1:3000 Kc Kh, 2:8000 Ac Ad, 3:8000 Ah As", BOARD, 1,
			   "9000@3000[1 2 3]:1=9000; 10000@8000[2 3]:2=5000,3=5000");
	/* 28: two all in for the same: 4 * 15 between the aces; 2 * 35 for the queens */
	check_hand("1:1500 Ac Ad, 2:1500 Ah As, 3:5000 Qd Qh, 4:5000 Qc 8c", BOARD, 1,
			   "6000@1500[1 2 3 4]:1=3000,2=3000; 7000@5000[3 4]:3=7000");

	/*
	 * 29: 4 * 5 + 3 * 5.01 = 35.03 for three: 11.67 and two over, to 1 and 2 left of 3; 2 * 10.01 = 20.02
	 * for 2 and 3
	 */
	check_hand("1:1001 2c 3c, 2:2002 4c 5c, 3:2002 6c 7c, 4:500 f", EQUAL, 3,
			   "3503@1001[1 2 3]:1=1168,2=1168,3=1167; 2002@2002[2 3]:2=1001,3=1001");

	/*
	 * 30: odd in both: 4 * 10 = 13.33 each and one over, to 3; 3 * 5.01 + 2 * 4.99 = 25.01, 12.50 each and
	 * one over, to 3
	 */
	check_hand("1:1000 2c 3c, 2:2000 4c 5c, 3:2000 6c 7c, 4:1501 f", EQUAL, 2,
			   "4000@1000[1 2 3]:1=1333,2=1333,3=1334; 2501@2000[2 3]:2=1250,3=1251");
	/* 31: a haléř all in wins three: one of each */
	check_hand("1:1 Kc Kh, 2:100 Ac Ad, 3:100 Qd Qh", BOARD, 1,
			   "3@1[1 2 3]:1=3; 198@100[2 3]:2=198");
	/* 32: the small blind was all he had: 3 * 25, 2 * 25 */
	check_hand("1:2500 Kc Kh, 2:5000 Ac Ad, 3:5000 Qd Qh", BOARD, 10,
			   "7500@2500[1 2 3]:1=7500; 5000@5000[2 3]:2=5000");
}

static void
test_many_players(void)
{
	/* 33: four all in, the shorter the better: 4 * 10, 3 * 10, 2 * 10, and 10 not called */
	check_hand("1:1000 Kc Kh, 2:2000 Jc Jd, 3:3000 9c 9d, 4:4000 7c 7h", BOARD, 1,
			   "4000@1000[1 2 3 4]:1=4000; 3000@2000[2 3 4]:2=3000; 2000@3000[3 4]:3=2000; back 4=1000");
	/* 34: the longest has the best: all pots */
	check_hand("1:1000 2d 2h, 2:2000 7c 7h, 3:3000 9c 9d, 4:4000 Kc Kh", BOARD, 1,
			   "4000@1000[1 2 3 4]:4=4000; 3000@2000[2 3 4]:4=3000; 2000@3000[3 4]:4=2000; back 4=1000");
	/* 35: the one in the middle: 5 * 10, 4 * 10, 3 * 10; the last 2 * 10 are not his */
	check_hand("1:1000 2d 2h, 2:2000 7c 7h, 3:3000 Kc Kh, 4:4000 Jc Jd, 5:4000 9c 9d", BOARD, 1,
			   "5000@1000[1 2 3 4 5]:3=5000; 4000@2000[2 3 4 5]:3=4000; "
			   "3000@3000[3 4 5]:3=3000; 2000@4000[4 5]:4=2000");
	/* 36: nine equal hands */
	check_hand("1:5000 2c 3c, 2:5000 4c 5c, 3:5000 6c 7c, 4:5000 8c 9c, 5:5000 2d 3d, "
			   "6:5000 4d 5d, 7:5000 6d 7d, 8:5000 8d 9d, 9:5000 2h 3h", EQUAL, 1,
			   "45000@5000[1 2 3 4 5 6 7 8 "
			   "9]:1=5000,2=5000,3=5000,4=5000,5=5000,6=5000,7=5000,8=5000,9=5000");
	/* 37: eight fold their 25 to a raise to 100: 75 go back, 9 * 25 are won */
	check_hand("1:2500 f, 2:2500 f, 3:2500 f, 4:2500 f, 5:2500 f, 6:2500 f, 7:2500 f, 8:2500 f, 9:10000",
			   "", 1, "22500@2500[9]:9=22500; back 9=7500");

	/*
	 * 38: nine players, 400 in all. up to 5: 9 * 5 = 45; to 10: 8 * 5 = 40 (7 is out): main pot 85, seat 1
	 * to 25: 7 * 15 = 105 (2 3 4 5 6 8 9); to 40: 6 * 15 = 90 (2 is out): 195, seat 3 to 50: 4 * 10 = 40 (5
	 * 6 8 9); to 70: 3 * 20 = 60 (8 is out): 100, seat 5 the last 20 of 9 go back
	 */
	check_hand("1:1000 Kc Kh, 2:2500 f, 3:4000 Jc Jd, 4:4000 f, 5:7000 9c 9d, 6:7000 7c 7h, "
			   "7:500 f, 8:5000 f, 9:9000 2d 2h", BOARD, 6,
			   "8500@1000[1 3 5 6 9]:1=8500; 19500@4000[3 5 6 9]:3=19500; "
			   "10000@7000[5 6 9]:5=10000; back 9=2000");

	/*
	 * 39: 5 * 15 + 4 * 15.01 = 135.04 with the same four contenders (1 is out), between the aces of 2 and 5;
	 * 2 * 5 for the queens of 3
	 */
	check_hand("1:1500 f, 2:3001 Ac Ad, 3:3501 Qd Qh, 4:3501 Qc 8c, 5:3001 Ah As", BOARD, 1,
			   "13504@3001[2 3 4 5]:2=6752,5=6752; 1000@3501[3 4]:3=1000");
	/* 40: a seat that put in nothing is nowhere; cards shown without need do not matter */
	check_hand("1:0, 2:5000 Kc Kh, 3:5000 f 3c 4c, 4:0 f, 10:5000 Ac Ad", BOARD, 4,
			   "15000@5000[2 10]:2=15000");
	/* 41: ten players, the odd ones of 10 * 0.07 + 0.05 among seven */
	check_hand("1:7 2c 3c, 2:7 4c 5c, 3:7 6c 7c, 4:7 8c 9c, 5:7 2d 3d, 6:7 4d 5d, 7:7 6d 7d, "
			   "8:7 f, 9:7 f, 10:5 f", EQUAL, 5,
			   "68@7[1 2 3 4 5 6 7]:1=10,2=10,3=10,4=9,5=9,6=10,7=10");
}

static void
check_refused(const char *seats, const char *board, int button, CasinoErrorCode code, const char *want)
{
	CasinoPotHand hand = hand_of(seats, board, button);
	CasinoPots	pots;
	static const CasinoPots none;

	CHECK(!casino_pots_settle(&hand, &pots, &err));
	CHECK_TEXT(err.detail, want);
	CHECK_INT(err.code, code);
	CHECK(memcmp(&pots, &none, sizeof(none)) == 0);
	err.detail[0] = '\0';
}

static void
test_refused(void)
{
	CasinoPotHand hand;
	CasinoPots	pots;

	check_refused("1:100 f, 2:100 f", "", 1, CASINO_ILLEGAL_OUTCOME,
				  "No seat with money in the pot is left (R6.11).");
	check_refused("1:0, 2:0", "", 1, CASINO_ILLEGAL_OUTCOME,
				  "No seat with money in the pot is left (R6.11).");
	check_refused("1:30000 f, 2:10000", "", 1, CASINO_ILLEGAL_OUTCOME,
				  "Seat 1 folded, though nobody else had put in as much (R6.11).");
	check_refused("1:30000 f, 2:10000, 3:30000 f", "", 1, CASINO_ILLEGAL_OUTCOME,
				  "Everybody who put in more than 100.00 folded; the last of them cannot have (R6.11).");
	check_refused("1:100 Kc Kh, 2:100", BOARD, 1, CASINO_ILLEGAL_OUTCOME,
				  "Seat 2 did not fold and shows no cards at the showdown (D2 Texas Holdem, Showdown).");
	check_refused("1:100 Kc Kh, 2:100 Ac Ad", "2c 7d 9h Js", 1, CASINO_ILLEGAL_OUTCOME,
				  "The board has 4 cards and 2 seats are left; a showdown needs five "
				  "(D2 Texas Holdem, Showdown).");
	check_refused("1:100 f, 2:100", "2c 7d", 1, CASINO_ILLEGAL_OUTCOME,
				  "The board has 2 cards; it has 0, 3, 4 or 5 (D2 Texas Holdem, Flop to River).");
	check_refused("1:100 f, 2:100", "2c", 1, CASINO_ILLEGAL_OUTCOME,
				  "The board has 1 card; it has 0, 3, 4 or 5 (D2 Texas Holdem, Flop to River).");
	check_refused("1:100 f, 2:100", "2c 3c 4c 5c 6c 7c", 1, CASINO_ILLEGAL_OUTCOME,
				  "The board has 6 cards; it has 0, 3, 4 or 5 (D2 Texas Holdem, Flop to River).");
	check_refused("1:100 Kc Kh, 2:100 Kc Ad", BOARD, 1, CASINO_ILLEGAL_OUTCOME,
				  "The card Kc was dealt twice from one deck (R6.14).");
	check_refused("1:100 Kc Kh, 2:100 Ac Js", BOARD, 1, CASINO_ILLEGAL_OUTCOME,
				  "The card Js was dealt twice from one deck (R6.14).");
	check_refused("1:100, 2:100 f Ac Ac", "", 1, CASINO_ILLEGAL_OUTCOME,
				  "The card Ac was dealt twice from one deck (R6.14).");
	check_refused("1:100, 2:100 f", "", 0, CASINO_OUT_OF_RANGE,
				  "The button lies at a seat from 1 to 10, not at 0.");
	check_refused("1:100, 2:100 f", "", 11, CASINO_OUT_OF_RANGE,
				  "The button lies at a seat from 1 to 10, not at 11.");
	check_refused("1:100, 2:-1 f", "", 1, CASINO_OUT_OF_RANGE, "The contribution of seat 2 is out of range.");
	check_refused("1:100000000000000, 2:1 f", "", 1, CASINO_OUT_OF_RANGE,
				  "The contribution of seat 1 is out of range.");
	hand = hand_of("1:100 Kc Kh, 2:100 Ac Ad", BOARD, 1);
	hand.seats[1].cards[0] = 52;
	CHECK(!casino_pots_settle(&hand, &pots, &err));
	CHECK_TEXT(err.detail, "Byte 52 is not a card.");

	/* won without a showdown: any street's board */
	check_hand("1:100, 2:100 f", "2c 7d 9h", 1, "200@100[1]:1=200");
	check_hand("1:100, 2:100 f", "2c 7d 9h Js", 1, "200@100[1]:1=200");
	check_hand("1:100, 2:100 f", BOARD, 1, "200@100[1]:1=200");
	/* the most there can be */
	check_hand("1:99999999999999 Kc Kh, 2:99999999999999 Ac Ad", BOARD, 1,
			   "199999999999998@99999999999999[1 2]:1=199999999999998");

	hand = hand_of("1:100, 2:100 f, 3:0", "", 1);
	CHECK_INT(casino_pots_must_show(&hand), 0);
	hand = hand_of("1:100, 2:100 f, 3:10, 10:5", "", 1);
	CHECK_INT(casino_pots_must_show(&hand), 1 << 0 | 1 << 2 | 1 << 9);
	CHECK_INT(casino_first_left_of(10, 0), 0);
	CHECK_INT(casino_first_left_of(10, 1 << 9), 10);
	CHECK_INT(casino_first_left_of(9, 1 << 9 | 1), 10);
}

/* ---------- against a settlement haléř by haléř ---------- */

/*
 * Every haléř of every seat is taken alone: the n-th haléř of all who have one
 * lies together; alone it goes back, else those who did not fold play for it.
 * What was collected for the same players is handed out one by one, going
 * round from the left of the button.
 */
static bool
settle_slowly(const CasinoPotHand *hand, int64_t *got)
{
	static int64_t purse[1 << 10];
	int64_t		n;
	int			set;
	int			i;

	memset(purse, 0, sizeof(purse));
	for (i = 0; i < 10; i++)
		got[i] = 0;
	for (n = 1;; n++)
	{
		int			there = 0;
		int			last = 0;
		int			players = 0;

		for (i = 0; i < 10; i++)
		{
			if (hand->seats[i].contributed < n)
				continue;
			there++;
			last = i;
			if (!hand->seats[i].folded)
				players |= 1 << i;
		}
		if (there == 0)
			break;
		if (players == 0)
			return false;
		if (there == 1)
			got[last]++;
		else
			purse[players] += there;
	}
	if (n == 1)
		return false;
	for (set = 1; set < 1 << 10; set++)
	{
		int			best = -1;
		int			winners = 0;
		int			at = hand->button - 1;

		if (purse[set] == 0)
			continue;
		for (i = 0; i < 10; i++)
		{
			CasinoCard	seven[7];
			int			value;

			if (!(set >> i & 1))
				continue;
			memcpy(seven, hand->seats[i].cards, 2);
			memcpy(seven + 2, hand->board.cards, 5);
			value = slow_best(seven, 7);
			if (value > best)
				winners = 0;
			if (value >= best)
			{
				best = value;
				winners |= 1 << i;
			}
		}
		while (purse[set] > 0)
		{
			at = (at + 1) % 10;
			if (winners >> at & 1)
			{
				got[at]++;
				purse[set]--;
			}
		}
	}
	return true;
}

static void
test_property(void)
{
	int			wrong = 0;
	int			unbalanced = 0;
	int			too_much = 0;
	int			settled = 0;
	int			tied = 0;
	int			sided = 0;
	int			n;

	for (n = 0; n < 60000; n++)
	{
		CasinoPotHand hand;
		CasinoPots	pots;
		CasinoCard	deal[25];
		int64_t		slow[10];
		int64_t		sum = 0;
		int			levels = 1 + (int) random_below(5);
		bool		legal;
		int			i;
		int			k;

		memset(&hand, 0, sizeof(hand));
		hand.button = 1 + (int) random_below(10);
		hand.board.count = 5;
		random_deal(deal, 25);
		memcpy(hand.board.cards, deal, 5);
		if (n % 3 == 0)			/* many ties: the royal flush on the board, in place of what is there */
		{
			hand.board = cards(EQUAL);
			for (i = 5, k = 0; i < 25; i++)
			{
				while (memchr(hand.board.cards, k, 5) != NULL)
					k++;
				deal[i] = (CasinoCard) k++;
			}
		}
		for (i = 0; i < 10; i++)
		{
			hand.seats[i].has_cards = true;
			memcpy(hand.seats[i].cards, deal + 5 + 2 * i, 2);
			hand.seats[i].folded = random_below(3) == 0;
			if (random_below(4) != 0)
				hand.seats[i].contributed = n % 2 == 0 ? (int64_t) random_below(60) :
					10 * (int64_t) random_below((uint64_t) levels) + 7;
		}
		legal = settle_slowly(&hand, slow);
		if (legal != casino_pots_settle(&hand, &pots, &err))
		{
			wrong++;
			continue;
		}
		if (!legal)
			continue;
		settled++;
		sided += pots.count > 1 ? 1 : 0;
		for (i = 0; i < pots.count; i++)
			tied += pots.pots[i].amount != pots.pots[i].shares[casino_first_left_of(1,
																					pots.pots[i].winners) - 1]
				? 1
				: 0;
		for (i = 0; i < 10; i++)
		{
			int64_t		reach = 0;

			wrong += pots.won[i] + pots.returned[i] != slow[i] ? 1 : 0;
			sum += pots.won[i] + pots.returned[i] - hand.seats[i].contributed;
			for (k = 0; k < 10; k++)
				reach += hand.seats[k].contributed < hand.seats[i].contributed ?
					hand.seats[k].contributed : hand.seats[i].contributed;
			too_much += pots.won[i] > reach ? 1 : 0;
		}
		unbalanced += sum != 0 ? 1 : 0;
	}
	CHECK_INT(wrong, 0);
	CHECK_INT(unbalanced, 0);
	CHECK_INT(too_much, 0);
	/* the hands are worth the comparison */
	CHECK(settled > 30000 && sided > 10000 && tied > 10000);
}

int
main(void)
{
	test_two_players();
	test_odd_money();
	test_side_pots();
	test_many_players();
	test_refused();
	test_property();
	return conclude("pots");
}
