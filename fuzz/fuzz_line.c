/*
 * fuzz_line.c
 *	  libFuzzer driver: lines of exports.  What is read is written again as it
 *	  was, and has a leaf.
 */
#include "fuzz.h"

#include "core/evidence/line.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CasinoBuffer scratch = {NULL, 0, 0, false, realloc};
	CasinoBuffer out = {NULL, 0, 0, false, realloc};
	const CasinoLayout *layout;
	CasinoValue values[CASINO_FIELDS_MAX];
	uint8_t		mark[CASINO_MARK_LEN];
	CasinoError error;

	if (casino_line_read((const char *) data, size, &scratch, &layout, values, NULL, &error))
	{
		casino_line_write(&out, layout, values);
		if (out.len != size || memcmp(out.data, data, size) != 0)
			abort();
		casino_leaf_put(&out, layout, values);
		out.len = 0;
		casino_line_key(&out, layout, values);
	}
	(void) casino_line_read((const char *) data, size, &scratch, &layout, values, mark, &error);
	free(scratch.data);
	free(out.data);
	return 0;
}
