/*
 * bet_text.c
 *	  Text of bets: kind[:selection]@amount, and of amounts in CZK.
 */
#include <string.h>

#include "core/bet.h"
#include "core/text.h"

/*
 * skip_digits
 *		Index of the first byte at or after `at` that is no digit.
 */
static size_t
skip_digits(const char *text, size_t len, size_t at)
{
	while (at < len && casino_text_is_digit(text[at]))
		at++;
	return at;
}

/*
 * not_a_number
 *		Refuse a text that is no amount at all.
 */
static bool
not_a_number(const char *text, size_t len, CasinoError *error)
{
	return casino_fail(error, CASINO_MALFORMED,
					   "\"%.*s\" is not an amount such as 12.50.",
					   casino_text_quoted(len), text);
}

/*
 * casino_amount_parse
 *		Amount text in CZK ("12", "12.5", "12.50") to haléře.
 *
 * Digits without leading zeros, optionally a point and decimals.
 * CASINO_MALFORMED for anything else; CASINO_OUT_OF_RANGE for a leading minus,
 * parts of a haléř, zero, and more than CASINO_STAKE_MAX.
 */
bool
casino_amount_parse(const char *text, size_t len, int64_t *halere, CasinoError *error)
{
	size_t		start = len > 0 && text[0] == '-' ? 1 : 0;
	size_t		point = skip_digits(text, len, start);
	size_t		end = point;
	size_t		i;
	int64_t		value = 0;

	if (point == start || (text[start] == '0' && point - start > 1))
		return not_a_number(text, len, error);
	if (point < len && text[point] == '.')
	{
		end = skip_digits(text, len, point + 1);
		if (end == point + 1)
			return not_a_number(text, len, error);
	}
	if (end != len)
		return not_a_number(text, len, error);

	if (start > 0)
		return casino_fail(error, CASINO_OUT_OF_RANGE, "The amount %.*s is negative.",
						   casino_text_quoted(len), text);
	for (i = point + 3; i < end; i++)
	{
		if (text[i] != '0')
			return casino_fail(error, CASINO_OUT_OF_RANGE,
							   "The amount %.*s has more than two decimals.",
							   casino_text_quoted(len), text);
	}

	/* digits before the point and two after it, the missing ones as zeros */
	for (i = 0; i < point + 2; i++)
	{
		size_t		at = i < point ? i : i + 1;
		int			digit = at < end ? text[at] - '0' : 0;

		value = value * 10 + digit;
		if (value > CASINO_STAKE_MAX)
			return casino_fail(error, CASINO_OUT_OF_RANGE,
							   "The amount %.*s is above 999999999999.99.",
							   casino_text_quoted(len), text);
	}
	if (value == 0)
		return casino_fail(error, CASINO_OUT_OF_RANGE, "The amount is zero.");
	*halere = value;
	return true;
}

/*
 * parse_selection
 *		Numbers 0 to 99 with hyphens between, at most six; not empty.
 */
static bool
parse_selection(const char *text, size_t len, uint8_t numbers[CASINO_BET_NUMBERS_MAX],
				size_t *count, CasinoError *error)
{
	size_t		at = 0;

	*count = 0;
	for (;;)
	{
		int			number;
		size_t		taken = casino_text_number(text + at, len - at, &number);

		if (taken == 0)
			break;
		if (*count == CASINO_BET_NUMBERS_MAX)
			return casino_fail(error, CASINO_MALFORMED,
							   "A selection has %d numbers at most.",
							   CASINO_BET_NUMBERS_MAX);
		numbers[(*count)++] = (uint8_t) number;
		at += taken;
		if (at == len)
			return true;
		if (text[at] != '-')
			break;
		at++;
	}
	return casino_fail(error, CASINO_MALFORMED,
					   "\"%.*s\" is not a selection such as 17-20.",
					   casino_text_quoted(len), text);
}

/*
 * casino_bet_make_text
 *		A bet of kind, selection text (NULL or empty for none) and stake in
 *		haléře; refusals as casino_bet_make and CASINO_MALFORMED for the text.
 */
bool
casino_bet_make_text(int kind, const char *selection, size_t len, int64_t stake,
					 CasinoBet *bet, CasinoError *error)
{
	uint8_t		numbers[CASINO_BET_NUMBERS_MAX];
	size_t		count = 0;

	if (selection != NULL && len > 0 &&
		!parse_selection(selection, len, numbers, &count, error))
		return false;
	return casino_bet_make(kind, numbers, count, stake, bet, error);
}

/*
 * casino_bet_parse
 *		Read a whole text kind[:selection]@amount, without blanks anywhere.
 *
 * CASINO_MALFORMED for the form, the kind and the selection,
 * CASINO_OUT_OF_RANGE for an amount (see casino_amount_parse); *bet is written
 * on success only.
 */
bool
casino_bet_parse(const char *text, size_t len, CasinoBet *bet, CasinoError *error)
{
	const char *sign = len > 0 ? memchr(text, '@', len) : NULL;
	const char *colon;
	const char *name_end;
	size_t		name_len;
	size_t		selection_len = 0;
	int			kind;
	int64_t		stake;

	if (sign == NULL)
		return casino_fail(error, CASINO_MALFORMED,
						   "\"%.*s\" is not of the form kind[:selection]@amount.",
						   casino_text_quoted(len), text);
	colon = memchr(text, ':', (size_t) (sign - text));
	name_end = colon != NULL ? colon : sign;
	name_len = (size_t) (name_end - text);

	kind = casino_bet_kind_lookup(text, name_len);
	if (kind == 0)
		return casino_fail(error, CASINO_MALFORMED, "There is no kind of bet \"%.*s\".",
						   casino_text_quoted(name_len), text);
	if (colon != NULL)
	{
		selection_len = (size_t) (sign - colon - 1);
		if (selection_len == 0)
			return casino_fail(error, CASINO_MALFORMED,
							   "The colon after %s has no selection.",
							   casino_bet_kind_name(kind));
	}
	if (!casino_amount_parse(sign + 1, len - (size_t) (sign - text) - 1, &stake, error))
		return false;
	return casino_bet_make_text(kind, colon != NULL ? colon + 1 : NULL, selection_len,
								stake, bet, error);
}

/* Append digits of a number that is not negative, at least so many. */
static size_t
put_digits(char *text, uint64_t number, int least)
{
	char		digits[24];
	size_t		n = 0;

	for (; number > 0 || least > 0; least--)
	{
		digits[n++] = (char) ('0' + number % 10);
		number /= 10;
	}
	for (size_t i = 0; i < n; i++)
		text[i] = digits[n - 1 - i];
	return n;
}

/* Append the selection; first_four has but one position and prints none. */
static size_t
put_selection(char *text, const CasinoBet *bet)
{
	size_t		len = 0;

	if (casino_bet_kind_shape(bet->kind) == CASINO_SELECT_FIXED)
		return 0;
	for (int i = 0; i < bet->count && i < CASINO_BET_NUMBERS_MAX; i++)
	{
		if (i > 0)
			text[len++] = '-';
		len += put_digits(text + len, bet->numbers[i], 1);
	}
	return len;
}

/*
 * casino_bet_print_selection
 *		Write the selection alone ("17-20", "2", "") with NUL; returns its
 *		length.
 */
size_t
casino_bet_print_selection(const CasinoBet *bet, char text[CASINO_BET_TEXT_SIZE])
{
	size_t		len = put_selection(text, bet);

	text[len] = '\0';
	return len;
}

/*
 * casino_bet_print
 *		Write the canonical text of a made bet with NUL; returns its length.
 *		Written out by hand: an export has as many bets as lines.
 */
size_t
casino_bet_print(const CasinoBet *bet, char text[CASINO_BET_TEXT_SIZE])
{
	const char *name = casino_bet_kind_name(bet->kind);
	uint64_t	size = bet->stake < 0 ? 0 - (uint64_t) bet->stake : (uint64_t) bet->stake;
	size_t		len;
	size_t		selection;

	if (name == NULL)
		name = "?";
	len = strlen(name);
	memcpy(text, name, len);
	selection = put_selection(text + len + 1, bet);
	if (selection > 0)
	{
		text[len] = ':';
		len += selection + 1;
	}
	text[len++] = '@';
	if (bet->stake < 0)
		text[len++] = '-';
	len += put_digits(text + len, size / 100, 1);
	text[len++] = '.';
	len += put_digits(text + len, size % 100, 2);
	text[len] = '\0';
	return len;
}
