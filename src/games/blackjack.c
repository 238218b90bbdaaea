/*
 * blackjack.c
 *	  SQL functions of blackjack: totals, rule sets, marks and grading.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

#include "games/blackjack_marks.h"
#include "games/blackjack_table.h"
#include "casino.h"
#include "core/games/blackjack_grade.h"
#include "core/games/blackjack_hand.h"
#include "core/games/blackjack_rules.h"

/* blackjack_total(hand) */
PG_FUNCTION_INFO_V1(casino_sql_blackjack_total);
Datum
casino_sql_blackjack_total(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;

	PG_GETARG_HAND(0, &hand);
	PG_RETURN_INT32(casino_blackjack_total(&hand));
}

/* is_soft(hand) */
PG_FUNCTION_INFO_V1(casino_sql_is_soft);
Datum
casino_sql_is_soft(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;

	PG_GETARG_HAND(0, &hand);
	PG_RETURN_BOOL(casino_blackjack_is_soft(&hand));
}

/* is_blackjack(hand) */
PG_FUNCTION_INFO_V1(casino_sql_is_blackjack);
Datum
casino_sql_is_blackjack(PG_FUNCTION_ARGS)
{
	CasinoHand	hand;

	PG_GETARG_HAND(0, &hand);
	PG_RETURN_BOOL(casino_blackjack_is_blackjack(&hand));
}

/* blackjack_rules(rules jsonb): a plan's rules as one number, for grade_blackjack() */
PG_FUNCTION_INFO_V1(casino_sql_blackjack_rules);
Datum
casino_sql_blackjack_rules(PG_FUNCTION_ARGS)
{
	CasinoBlackjackRules rules;

	casino_blackjack_rules_of(casino_rules_of_document(PG_GETARG_JSONB_P(0)), &rules, NULL);
	PG_RETURN_INT64(casino_blackjack_rules_pack(&rules));
}

/* blackjack_mark(bet, hand): the bit of a wager in its player's marks */
PG_FUNCTION_INFO_V1(casino_sql_blackjack_mark);
Datum
casino_sql_blackjack_mark(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(casino_blackjack_mark(PG_GETARG_BET(0)->kind, PG_GETARG_INT32(1)));
}

/*
 * grade_blackjack(bet, hand, marks, rules, hands, dealer, surrendered,
 * even_money): "hands" are those of the wager's box or player in their order,
 * "marks" those of the player's wagers there.
 */
PG_FUNCTION_INFO_V1(casino_sql_grade_blackjack);
Datum
casino_sql_grade_blackjack(PG_FUNCTION_ARGS)
{
	const CasinoBet *bet = PG_GETARG_BET(0);
	int			number = PG_GETARG_INT32(1);
	int64		marks = PG_GETARG_INT64(2);
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(4);
	CasinoBlackjackRules rules;
	CasinoHand	hands[MARK_HANDS];
	CasinoHand	dealer;
	CasinoBlackjackWager wager = {0};
	CasinoGrade grade;
	CasinoError error;
	Datum	   *datums;
	int			n;

	if (!casino_blackjack_rules_unpack(PG_GETARG_INT64(3), &rules, &error))
		casino_ereport(&error, "invalid rule set of blackjack");

	/* the hands of the box, and which of them is the wager's */
	n = casino_array_elements(array, "hands", -1, false, TYPALIGN_INT, &datums, NULL);
	if (n < 1 || n > MARK_HANDS || number < 1 || number > n)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("hand %d of %d hands has no cards", number, n)));
	for (int i = 0; i < n; i++)
		casino_datum_get_hand(datums[i], &hands[i]);
	PG_GETARG_HAND(5, &dealer);

	/* side bets look at the first hand, splits at the second, the play at its own */
	wager.rules = &rules;
	wager.own = &hands[number - 1];
	wager.first = &hands[0];
	wager.second = n > 1 ? &hands[1] : NULL;
	wager.dealer = &dealer;
	wager.flags = casino_blackjack_wager_flags(marks, number, PG_GETARG_BOOL(6), PG_GETARG_BOOL(7));
	grade = casino_grade_blackjack(bet->kind, &wager);
	if (grade == CASINO_GRADE_NONE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the cards do not decide a %s wager of blackjack", casino_bet_kind_name(bet->kind))));
	PG_RETURN_DATUM(CStringGetTextDatum(casino_grade_name(grade)));
}
