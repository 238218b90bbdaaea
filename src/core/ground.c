/*
 * ground.c
 *	  Grounds of a void or of a withholding: see ground.h.
 */
#include "core/ground.h"

#include <string.h>

#include "core/text.h"

static const char prefix[] = "ground_";

#define PREFIX_LENGTH	(sizeof(prefix) - 1)
#define CODE_LENGTH		40
#define TEXT_LENGTH		1000	/* as of a reason */

bool
casino_rule_is_ground(const char *rule)
{
	return strncmp(rule, prefix, PREFIX_LENGTH) == 0;
}

bool
casino_ground_check(const char *rule, const char *text, CasinoError *error)
{
	const char *code = rule + PREFIX_LENGTH;
	size_t		length = strspn(code, "abcdefghijklmnopqrstuvwxyz_");

	/* "other" stands in no list: it is what no list has */
	if (length == 0 || length > CODE_LENGTH || code[length] != '\0' || strcmp(code, "other") == 0)
		return casino_fail(error, CASINO_MALFORMED, "\"%.*s\" is not a ground.",
						   casino_text_quoted(strlen(rule)), rule);
	if (strspn(text, " \t\r\n") == strlen(text) || strlen(text) > TEXT_LENGTH)
		return casino_fail(error, CASINO_MALFORMED, "\"%.*s\" is not a text of the rule %s.",
						   casino_text_quoted(strlen(text)), text, rule);
	return true;
}
