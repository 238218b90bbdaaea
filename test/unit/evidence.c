/*
 * evidence.c
 *	  Unit program of the evidence: Merkle trees against the vectors of the
 *	  certificate-transparency project and against the definition of RFC 9162,
 *	  leaves against bytes written by hand, lines, documents and proofs against
 *	  every single change of a character.
 */
#include <stdlib.h>

#include "core/evidence/canonical_json.h"
#include "check.h"
#include "core/evidence/line.h"
#include "core/evidence/merkle.h"
#include "core/evidence/seal.h"
#include "sha256.h"
#include "core/evidence/value_text.h"

static CasinoError err;

static void
hex_of(const CasinoHash *hash, char text[65])
{
	casino_hex_print(hash->bytes, CASINO_HASH_LEN, text);
}

#define CHECK_HASH(hash, want)	do { char t_[65]; hex_of(&(hash), t_); CHECK_TEXT(t_, want); } while (0)

/* ------------------------------------------------------------ trees */

/* leaves of the test vectors of certificate-transparency (merkle_tree_test.cc) */
static const char *const ct_leaves[8] = {
	"", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"
};
static const char *const ct_roots[9] = {
	"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
	"fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
	"aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
	"d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
	"4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
	"76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
	"ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
	"5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
};

static const struct
{
	int			index;
	int			count;
	const char *path[4];
}			ct_paths[] = {
	{0, 1, {NULL}},
	{0, 8, {"96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
			"5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
	"6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4", NULL}},
	{5, 8, {"bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
			"ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
	"d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7", NULL}},
	{2, 3, {"fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125", NULL}},
	{1, 5, {"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
			"5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
	"bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b", NULL}},
};

static void
test_ct_vectors(void)
{
	CasinoHash	leaves[8];
	CasinoMerkle tree = {0};
	CasinoHash	root;

	casino_merkle_root(test_sha256, &tree, &root);
	CHECK_HASH(root, ct_roots[0]);
	for (int i = 0; i < 8; i++)
	{
		uint8_t		bytes[16];
		size_t		len = strlen(ct_leaves[i]) / 2;

		CHECK(casino_hex_parse(ct_leaves[i], 2 * len, bytes));
		casino_merkle_leaf(test_sha256, bytes, len, &leaves[i]);
		casino_merkle_add(test_sha256, &tree, &leaves[i]);
		casino_merkle_root(test_sha256, &tree, &root);
		CHECK_HASH(root, ct_roots[i + 1]);
	}
	for (size_t i = 0; i < sizeof(ct_paths) / sizeof(ct_paths[0]); i++)
	{
		CasinoHash	path[CASINO_PATH_MAX];
		int			length = casino_merkle_path(test_sha256, leaves, (uint64_t) ct_paths[i].count,
												(uint64_t) ct_paths[i].index, path);
		int			want = 0;

		while (ct_paths[i].path[want] != NULL)
			want++;
		CHECK_INT(length, want);
		for (int j = 0; j < want && j < length; j++)
			CHECK_HASH(path[j], ct_paths[i].path[j]);
	}
}

/* MTH and PATH as RFC 9162 defines them, without a thought */
static CasinoHash
defined_root(const CasinoHash *leaves, uint64_t n)
{
	CasinoHash	both[2];
	CasinoHash	root;
	uint64_t	k = 1;

	if (n == 1)
		return leaves[0];
	while (2 * k < n)
		k *= 2;
	both[0] = defined_root(leaves, k);
	both[1] = defined_root(leaves + k, n - k);
	test_sha256(1, both, sizeof(both), &root);
	return root;
}

static int
defined_path(const CasinoHash *leaves, uint64_t n, uint64_t m, CasinoHash *path)
{
	uint64_t	k = 1;
	int			length;

	if (n == 1)
		return 0;
	while (2 * k < n)
		k *= 2;
	if (m < k)
	{
		length = defined_path(leaves, k, m, path);
		path[length++] = defined_root(leaves + k, n - k);
	}
	else
	{
		length = defined_path(leaves + k, n - k, m - k, path);
		path[length++] = defined_root(leaves, k);
	}
	return length;
}

#define TREES	70

static void
test_definition(void)
{
	CasinoHash	leaves[TREES];
	CasinoHash *levels;
	CasinoMerkle tree = {0};

	for (int i = 0; i < TREES; i++)
		casino_merkle_leaf(test_sha256, &i, sizeof(i), &leaves[i]);
	for (uint64_t n = 1; n <= TREES; n++)
	{
		CasinoHash	root;
		CasinoHash	want = defined_root(leaves, n);
		CasinoHash	path[CASINO_PATH_MAX];

		casino_merkle_add(test_sha256, &tree, &leaves[n - 1]);
		casino_merkle_root(test_sha256, &tree, &root);
		CHECK(casino_hash_equal(&root, &want));
		CHECK_INT(casino_merkle_path(test_sha256, leaves, n, n, path), -1);
		/* the whole tree at once, in just the room that it says it needs */
		levels = malloc(casino_merkle_nodes(n) * sizeof(CasinoHash));
		if (levels == NULL)
			abort();
		memcpy(levels, leaves, n * sizeof(CasinoHash));
		casino_merkle_levels(test_sha256, levels, n);
		CHECK(casino_hash_equal(&levels[casino_merkle_nodes(n) - 1], &root));
		CHECK_INT(casino_merkle_levels_path(levels, n, n, path), -1);
		for (uint64_t m = 0; m < n; m++)
		{
			CasinoHash	defined[CASINO_PATH_MAX];
			int			length = casino_merkle_path(test_sha256, leaves, n, m, path);
			bool		elsewhere = false;

			CHECK_INT(length, defined_path(leaves, n, m, defined));
			CHECK(memcmp(path, defined, (size_t) length * sizeof(CasinoHash)) == 0);
			CHECK_INT(casino_merkle_levels_path(levels, n, m, path), length);
			CHECK(memcmp(path, defined, (size_t) length * sizeof(CasinoHash)) == 0);
			CHECK(casino_merkle_verify(test_sha256, &leaves[m], m, n, path, length, &root));
			/* what must be refused: another leaf, place, a path too short or too long, a path changed */
			CHECK(!casino_merkle_verify(test_sha256, &leaves[(m + 1) % TREES], m, n, path, length, &root));
			for (uint64_t other = 0; other < n; other++)
				if (other != m && casino_merkle_verify(test_sha256, &leaves[m], other, n, path, length,
													   &root))
					elsewhere = true;
			CHECK(!elsewhere);
			CHECK(!casino_merkle_verify(test_sha256, &leaves[m], n, n, path, length, &root));
			CHECK(length == 0 || !casino_merkle_verify(test_sha256, &leaves[m], m, n, path, length - 1,
													   &root));
			path[length] = root;
			CHECK(!casino_merkle_verify(test_sha256, &leaves[m], m, n, path, length + 1, &root));
			for (int i = 0; i < length; i++)
			{
				path[i].bytes[i] ^= 1;
				CHECK(!casino_merkle_verify(test_sha256, &leaves[m], m, n, path, length, &root));
				path[i].bytes[i] ^= 1;
			}
		}
		free(levels);
	}
	{
		/* no tree: the empty one has no entry, and its root proves none */
		CasinoHash	root = leaves[0];

		CHECK(!casino_merkle_verify(test_sha256, &leaves[0], 0, 0, NULL, 0, &root));
		CHECK(!casino_merkle_verify(test_sha256, &leaves[0], 0, 1, NULL, -1, &root));
		/* a node is no leaf: the root of two passed off as the only leaf of a tree needs another hash */
		CHECK(!casino_merkle_verify(test_sha256, &leaves[1], 0, 1, NULL, 0, &root));
	}
}

/* ------------------------------------------------------------ leaves and lines */

static CasinoBuffer line_buffer = {NULL, 0, 0, false, realloc};
static CasinoBuffer scratch = {NULL, 0, 0, false, realloc};
static CasinoBuffer leaf = {NULL, 0, 0, false, realloc};

static bool
reads(const char *line)
{
	const CasinoLayout *layout;
	CasinoValue values[CASINO_FIELDS_MAX];

	return casino_line_read(line, strlen(line), &scratch, &layout, values, NULL, &err);
}

/* Leaf of a line in hexadecimal digits, and the line as it is written again. */
static void
check_leaf(const char *line, const char *want)
{
	const CasinoLayout *layout;
	CasinoValue values[CASINO_FIELDS_MAX];
	char		text[4096];

	if (!casino_line_read(line, strlen(line), &scratch, &layout, values, NULL, &err))
	{
		CHECK_TEXT(err.detail, "a line that can be read");
		return;
	}
	leaf.len = 0;
	casino_leaf_put(&leaf, layout, values);
	casino_hex_print(leaf.data, leaf.len, text);
	CHECK_TEXT(text, want);
	line_buffer.len = 0;
	casino_line_write(&line_buffer, layout, values);
	casino_buffer_put(&line_buffer, "", 1);
	CHECK_TEXT(line_buffer.data, line);
}

#define ENTRY \
	"{\"ledger\":{\"player_id\":7,\"entry_no\":2,\"kind\":\"stake\",\"amount\":\"12.50\",\"round_id\":3," \
	"\"bet\":\"split:17-20@12.50\",\"request_id\":\"a\\\"b\\\\c\\u0001\xc5\xa1\",\"balance\":\"87.50\"," \
	"\"posted_at\":\"2026-11-20T19:00:00.000001Z\"," \
	"\"recorded_at\":\"2000-01-01T00:00:00.000000Z\",\"recorded_by\":1}}"

static void
test_leaves(void)
{
	/* each field by hand: presence, then the value */
	check_leaf(ENTRY,
			   "64" "01"		/* tag 100, version 1 */
			   "01" "0000000000000007"	/* player_id */
			   "01" "0000000000000002"	/* entry_no */
			   "01" "00000005" "7374616b65" /* kind: stake */
			   "01" "00000000000004e2"	/* amount: 1250 haléře */
			   "01" "0000000000000003"	/* round_id */
			   "01" "02" "02" "111400000000" "00000000000004e2" /* bet: split (kind 2), two numbers 17 and
																 * 20, 1250 */
			   "00" "00" "00" "00"	/* seat, hand, stake_entry_no, grade */
			   "01" "00000008" "6122625c6301c5a1"	/* request_id: a"b\c, byte 1, š */
			   "00" "00" "00" "00" "00" "00" "00"	/* request_line to place */
			   "01" "000000000000222e"	/* balance: 8750 */
			   "01" "000303b89e9bac01"	/* 848 516 400 s after 2000-01-01, and one microsecond */
			   "01" "0000000000000000"
			   "01" "0000000000000001"	/* recorded_by */
			   "00");			/* correction_no */
	check_leaf(
			   "{\"dealt_hand\":{\"round_id\":1,\"side\":\"box\",\"seat\":0,\"group_no\":1,\"hand\":1,"
			   "\"cards\":\"As 2c\",\"surrendered\":true,\"folded\":false,"
			   "\"even_money\":false,\"even_money_players\":[],\"players\":[3,-1]}}",
			   "10"
			   "01"
			   "01"
			   "0000000000000001"
			   "01"
			   "00000003"
			   "626f78"
			   "01"
			   "0000000000000000"
			   "01"
			   "0000000000000001"
			   "01"
			   "0000000000000001"
			   "01"
			   "00000002"
			   "3300"
			   "01"
			   "01"
			   "01"
			   "00"
			   "01"
			   "00"
			   "01"
			   "00000000"
			   "01"
			   "00000002"
			   "0000000000000003"
			   "ffffffffffffffff");
	check_leaf(
			   "{\"other_play\":{\"player_id\":1,\"play_no\":1,\"product\":\"\",\"staked\":\"0.00\","
			   "\"result\":\"-0.05\",\"played_at\":\"infinity\",\"recorded_at\":\"-infinity\","
			   "\"recorded_by\":-9223372036854775808}}",
			   "1a"
			   "01"
			   "01"
			   "0000000000000001"
			   "01"
			   "0000000000000001"
			   "01"
			   "00000000"
			   "01"
			   "0000000000000000"
			   "01"
			   "fffffffffffffffb"
			   "00"
			   "01"
			   "7fffffffffffffff"
			   "01"
			   "8000000000000000"
			   "01"
			   "8000000000000000");

	/*
	 * an array that is none of ours: presence 2 and its text; one that could be written as an array is
	 * refused
	 */
	check_leaf("{\"dealt_hand\":{\"players\":{\"odd\":\"{NULL}\"}}}",
			   "10" "01" "00" "00" "00" "00" "00" "00" "00" "00" "00" "00"
			   "02" "00000006" "7b4e554c4c7d");
	CHECK(reads("{\"dealt_hand\":{\"players\":{\"odd\":\"[2:3]={1,2}\"}}}"));
	CHECK(reads("{\"refusal\":{\"bets\":{\"odd\":\"{{red@10},{black@10}}\"}}}"));
	CHECK(!reads("{\"dealt_hand\":{\"players\":{\"odd\":\"{1,2}\"}}}"));
	CHECK(!reads("{\"dealt_hand\":{\"players\":{\"odd\":\"NULL\"}}}"));
	CHECK(!reads("{\"dealt_hand\":{\"players\":{\"odd\":\"\"}}}"));

	/*
	 * a time before the year 1, after which a quote stands where the usual one ends; one that is there twice
	 */
	check_leaf("{\"provider_record\":{\"at\":\"@-211813488000000000\",\"data\":{}}}",
			   "23" "01" "00" "00" "00" "00" "00" "00" "00" "00" "00" "00"
			   "01" "fd0f7cc1411fa000" "01" "00000002" "7b7d");
	check_leaf("{\"disconnection\":{\"disconnected_at\":\"2000-01-01T00:00:00.000001Z\","
			   "\"recorded_at\":\"2000-01-01T00:00:00.000001Z\"}}",
			   "19" "01" "00" "00" "01" "0000000000000001" "01" "0000000000000001" "00");
	check_leaf("{\"deal\":{\"round_id\":1,\"deal_no\":1,\"document\":{\"a\":[1,-2.50,true,null,\"\\\"\"]}}}",
			   "0f" "01" "01" "0000000000000001" "01" "0000000000000001"
			   "01" "0000001e" "7b2261223a5b312c2d322e35302c747275652c6e756c6c2c225c22225d7d" "00" "00" "00");
	check_leaf("{\"refusal\":{\"bets\":[\"red@1.00\",\"main@2.00\"],\"amount\":{\"odd\":\"NaN\"}}}",
			   "16" "01" "00" "00" "00" "00" "01" "00000002" "0a00000000000000" "0000000000000064"
			   "1a00000000000000"
			   "00000000000000c8" "00" "00" "02" "00000003" "4e614e" "00" "00" "00" "00" "00" "00" "00" "00"
			   "00"
			   "00" "00");
}

/* no two layouts have a tag, a name or a member in common that would make lines ambiguous */
static void
test_layouts(void)
{
	int			n;
	const CasinoLayout *all = casino_layouts(&n);

	for (int i = 0; i < n; i++)
	{
		CHECK(all[i].nfields <= CASINO_FIELDS_MAX);
		CHECK(casino_layout_find(all[i].section, strlen(all[i].section)) == &all[i]);
		CHECK((all[i].tag == 0) == (all[i].table == NULL));
		CHECK(all[i].tag < 200);
		for (int j = 0; j < i; j++)
			CHECK(all[i].tag == 0 || all[i].tag != all[j].tag);
		for (int j = 0; j < all[i].nfields; j++)
			for (int k = 0; k < j; k++)
				CHECK(strcmp(all[i].fields[j].name, all[i].fields[k].name) != 0);
	}
	CHECK_TEXT(all[n - 1].section, "ledger");
}

static void
test_refused_lines(void)
{
	static const char *const refused[] =
	{"", "{", "{}", "[]", "{\"ledger\":{}", "{\"ledger\":{}}}", "{\"ledger\":{}} ", " {\"ledger\":{}}",
		"{\"nothing\":{}}", "{\"ledger\":{\"entry_no\":1,\"player_id\":1}}",	/* order */
		"{\"ledger\":{\"player_id\":1,\"player_id\":1}}",	/* twice */
		"{\"ledger\":{\"player_id\":1,\"other\":1}}", "{\"ledger\":{,\"player_id\":1}}",
		"{\"ledger\":{\"player_id\":1,}}", "{\"ledger\":{\"player_id\":01}}",
		"{\"ledger\":{\"player_id\":-0}}",
		"{\"ledger\":{\"player_id\":+1}}", "{\"ledger\":{\"player_id\":1.0}}",
		"{\"ledger\":{\"player_id\":1e1}}",
		"{\"ledger\":{\"player_id\":\"1\"}}", "{\"ledger\":{\"player_id\":9223372036854775808}}",
		"{\"ledger\":{\"player_id\":null}}", "{\"ledger\":{\"player_id\": 1}}",
		"{\"ledger\":{\"amount\":\"1\"}}",
		"{\"ledger\":{\"amount\":\"1.5\"}}", "{\"ledger\":{\"amount\":\"01.50\"}}",
		"{\"ledger\":{\"amount\":\".50\"}}", "{\"ledger\":{\"amount\":\"-0.00\"}}",
		"{\"ledger\":{\"amount\":\"92233720368547758.08\"}}", "{\"ledger\":{\"amount\":1.50}}",
		"{\"ledger\":{\"bet\":\"split:20-17@1.00\"}}", "{\"ledger\":{\"bet\":\"red@1\"}}",
		"{\"ledger\":{\"bet\":\"red@1.00 \"}}", "{\"dealt_hand\":{\"cards\":\"AsKd\"}}",
		"{\"dealt_hand\":{\"cards\":\"10d\"}}",
		/* of the length of the canonical text */
		"{\"dealt_hand\":{\"cards\":\"as Kd\"}}", "{\"dealt_hand\":{\"cards\":\"AS KD\"}}",
		"{\"ledger\":{\"bet\":\"RED@1.00\"}}",
		/* a blank is no sign that is escaped, nor is one beyond a byte */
		"{\"deal\":{\"document\":\"\\u0020\"}}", "{\"deal\":{\"document\":\"\\u0101\"}}",
		"{\"ledger\":{\"posted_at\":\"2026-02-30T00:00:00.000000Z\"}}",
		"{\"ledger\":{\"posted_at\":\"2026-02-28T24:00:00.000000Z\"}}",
		"{\"ledger\":{\"posted_at\":\"2026-02-28T00:00:00Z\"}}", "{\"ledger\":{\"posted_at\":\"@0\"}}",
		"{\"ledger\":{\"kind\":\"a\nb\"}}", "{\"ledger\":{\"kind\":\"\\n\"}}",
		"{\"ledger\":{\"kind\":\"\\u0041\"}}", "{\"ledger\":{\"kind\":\"\\u0000\"}}",
		"{\"ledger\":{\"kind\":\"a}}", "{\"ledger\":{\"kind\":\"a\\\"}}", "{\"game\":{\"live\":1}}",
		"{\"game\":{\"live\":True}}", "{\"dealt_hand\":{\"players\":[1,]}}",
		"{\"dealt_hand\":{\"players\":[1 ,2]}}", "{\"deal\":{\"document\":{\"a\":1,\"a\":2}}}",
		"{\"deal\":{\"document\":{\"b\":1,\"a\":2}}}",	/* one form only */
		"{\"deal\":{\"document\":{\"aa\":1,\"b\":2}}}", "{\"deal\":{\"document\":{\"ab\":1,\"a\\\"\":2}}}",
		"{\"deal\":{\"document\":01}}", "{\"deal\":{\"document\":-0}}", "{\"deal\":{\"document\":-0.00}}",
		"{\"deal\":{\"document\":1e5}}", "{\"deal\":{\"document\":1E5}}", "{\"deal\":{\"document\":.5}}",
		"{\"deal\":{\"document\":+1}}", "{\"deal\":{\"document\":NaN}}", "{\"deal\":{\"document\":\"\\n\"}}",
		"{\"deal\":{\"document\":\"\\u0041\"}}", "{\"deal\":{\"document\":\"\\u001F\"}}",
		"{\"deal\":{\"document\":[1,]}}", "{\"deal\":{\"document\":[,1]}}",
		"{\"deal\":{\"document\":[1 ,2]}}",
		"{\"deal\":{\"document\":[1}}", "{\"deal\":{\"document\":{\"a\":1]}}",
		"{\"deal\":{\"document\":[1]]}}",
		"{\"deal\":{\"document\":{1:2}}}", "{\"deal\":{\"document\":True}}", "{\"deal\":{\"document\":}}",
		"{\"deal\":{\"document\":[[[[]]]}}", "{\"deal\":{\"document\":{\"a\":{\"a\":1,\"a\":1}}}}",
		/* an amount has one form: what is money is not odd */
		"{\"ledger\":{\"amount\":{\"odd\":\"1.00\"}}}", "{\"ledger\":{\"amount\":{\"odd\":\"1\"}}}",
		"{\"ledger\":{\"amount\":{\"odd\":\"1.5\"}}}", "{\"ledger\":{\"amount\":{\"odd\":\"1.0050\"}}}",
		"{\"ledger\":{\"amount\":{\"odd\":\"01.005\"}}}", "{\"ledger\":{\"amount\":{\"odd\":\"\"}}}",
		"{\"ledger\":{\"amount\":{\"odd\":\"-\"}}}", "{\"ledger\":{\"amount\":{\"odd\":\"nan\"}}}",
		"{\"ledger\":{\"amount\":{\"odd\":\"1e5\"}}}",
		"{\"ledger\":{\"amount\":{\"odd\":\"92233720368547758.07\"}}}",
		"{\"ledger\":{\"amount\":{\"odd\":\"-92233720368547758.08\"}}}",
		"{\"ledger\":{\"amount\":{\"odd\":\"1.005.1\"}}}",
		"{\"ledger\":{\"amount\":{\"odd\":\"NaN\",\"odd\":\"NaN\"}}}",
		/* no UTF-8: a byte alone, cut off, overlong, a surrogate, beyond U+10FFFF */
		"{\"ledger\":{\"kind\":\"\x80\"}}", "{\"ledger\":{\"kind\":\"\xc5\"}}",
		"{\"ledger\":{\"kind\":\"\xc0\xaf\"}}", "{\"ledger\":{\"kind\":\"\xe0\x80\xaf\"}}",
		"{\"ledger\":{\"kind\":\"\xed\xa0\x80\"}}", "{\"ledger\":{\"kind\":\"\xf4\x90\x80\x80\"}}",
		"{\"ledger\":{\"kind\":\"\xff\"}}", "{\"ledger\":{\"kind\":\"\xf0\x8f\xbf\xbf\"}}",
		"{\"ledger\":{\"kind\":\"\xe2\x82\"}}", "{\"deal\":{\"document\":{\"a\": 1}}}",
		"{\"deal\":{\"document\":{\"a\"}}}", "{\"deal\":{\"document\":-}}", "{\"deal\":{\"document\":1.}}",
		"{\"stream\":{\"running\":\"00\"}}",
	"{\"stream\":{\"running\":\"0000000000000000000000000000000000000000000000000000000000000000A\"}}"};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		count_check(!reads(refused[i]), __FILE__, __LINE__, "refused", refused[i]);
	/* however deep: nothing is called within itself */
	{
		enum
		{
			DEPTH = 1000000
		};
		char	   *deep = malloc(2 * DEPTH + 32);

		strcpy(deep, "{\"deal\":{\"document\":");
		memset(deep + 20, '[', DEPTH);
		memset(deep + 20 + DEPTH, ']', DEPTH);
		strcpy(deep + 20 + 2 * DEPTH, "}}");
		CHECK(reads(deep));
		strcpy(deep + 19 + 2 * DEPTH, "}}");
		CHECK(!reads(deep));
		free(deep);
	}
	CHECK(reads(
				"{\"deal\":{\"document\":{\"a\":-0.50,\"b\":{},\"\\\"\\\\\":[],"
				"\"ab\":[0,1.0,\"\\u0001\",true,false,null,{\"a\":{\"a\":1}}]}}}"));
	CHECK(reads("{\"ledger\":{\"kind\":\"\xc5\xa1\xe2\x82\xac\xf0\x9f\x8e\xb2\x7f\"}}"));
	CHECK(reads("{\"ledger\":{\"amount\":{\"odd\":\"92233720368547758.08\"}}}"));
	CHECK(reads("{\"ledger\":{\"amount\":{\"odd\":\"-92233720368547758.09\"}}}"));
	CHECK(reads("{\"ledger\":{\"amount\":{\"odd\":\"92233720368547759\"}}}"));
	CHECK(reads("{\"ledger\":{\"amount\":{\"odd\":\"-0.001\"}}}"));
	CHECK(reads("{\"ledger\":{\"amount\":{\"odd\":\"-Infinity\"}}}"));
	CHECK(reads("{\"deal\":{\"document\":[[[[]]]]}}"));
	CHECK(reads("{\"deal\":{\"document\":\"\\u001f\"}}"));
	CHECK(reads("{\"ledger\":{}}"));
	{
		const CasinoLayout *layout;
		CasinoValue values[CASINO_FIELDS_MAX];
		uint8_t		mark[CASINO_MARK_LEN];
		const char *marked = "{\"ledger\":{},\"mark\":\"0001020f\"}";

		CHECK(casino_line_read(marked, strlen(marked), &scratch, &layout, values, mark, &err));
		CHECK_INT(mark[3], 15);
		CHECK(!casino_line_read(marked, strlen(marked), &scratch, &layout, values, NULL, &err));
		CHECK(!casino_line_read("{\"ledger\":{}}", 13, &scratch, &layout, values, mark, &err));
	}
}

static void
check_member(const char *json, const char *name, const char *want)
{
	const char *value;
	size_t		len;
	char		text[64];

	if (!casino_canonical_member(json, strlen(json), name, &value, &len))
	{
		CHECK_TEXT("none", want);
		return;
	}
	snprintf(text, sizeof(text), "%.*s", (int) len, value);
	CHECK_TEXT(text, want);
}

/* the member at the top and no other of its name: not one further in, not one in a string */
static void
test_members(void)
{
	check_member("{\"number\":17}", "number", "17");
	check_member("{\"x\":{\"number\":5},\"number\":17}", "number", "17");
	check_member("{\"x\":[{\"number\":5}],\"note\":\"\\\"number\\\":5,}{\",\"number\":17,\"others\":1}",
				 "number",
				 "17");
	check_member("{\"x\":{\"number\":5}}", "number", "none");
	check_member("{\"numbers\":5}", "number", "none");
	check_member("{}", "number", "none");
	check_member("[]", "number", "none");
	check_member("17", "number", "none");
	check_member("\"number\"", "number", "none");
	check_member("{\"number\":{\"a\":[1,2]}}", "number", "{\"a\":[1,2]}");
	{
		const CasinoLayout *layout;
		CasinoValue values[CASINO_FIELDS_MAX];

		/* a NUL is no end */
		CHECK(!casino_line_read("{\"ledger\":{\"kind\":\"a\0b\"}}", 25, &scratch, &layout, values, NULL,
								&err));
		CHECK(!casino_line_read("{\"ledger\":{}}\0", 14, &scratch, &layout, values, NULL, &err));
	}
}

static void
test_times(void)
{
	static const struct
	{
		int64_t		time;
		const char *text;
	}			times[] = {
		{0, "2000-01-01T00:00:00.000000Z"},
		{-1, "1999-12-31T23:59:59.999999Z"},
		{INT64_C(5097600) * 1000000, "2000-02-29T00:00:00.000000Z"},
		{INT64_C(68169600) * 1000000, "2002-02-28T00:00:00.000000Z"},	/* 789 days */
		{INT64_C(-946684800) * 1000000, "1970-01-01T00:00:00.000000Z"},
		{INT64_MAX, "infinity"}, {INT64_MIN, "-infinity"},
		{INT64_C(252455616000) * 1000000, "@252455616000000000"},	/* 10000-01-01 */
		{INT64_C(252455615999) * 1000000, "9999-12-31T23:59:59.000000Z"},
		{INT64_C(-63082281600) * 1000000, "0001-01-01T00:00:00.000000Z"},
		{INT64_C(-63082281600) * 1000000 - 1, "@-63082281600000001"},
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
	{
		char		text[CASINO_TIME_TEXT_SIZE];
		int64_t		time = 42;

		CHECK_INT(casino_time_print(times[i].time, text), strlen(times[i].text));
		text[strlen(times[i].text)] = '\0';
		CHECK_TEXT(text, times[i].text);
		CHECK(casino_time_parse(times[i].text, strlen(times[i].text), &time));
		CHECK_INT(time, times[i].time);
	}
	/* each day of 900 years follows the one before, counted by the rule of leap years */
	{
		int			year = 1600;
		int			month = 1;
		int			mday = 1;
		static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
		bool		right = true;

		for (int64_t day = -146097; year < 2500; day++)
		{
			char		want[64];
			char		got[11] = "";
			int64_t		back = 0;
			bool		leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

			snprintf(want, sizeof(want), "%04d-%02d-%02d", year, month, mday);
			if (!casino_date_print(day, got) || strcmp(got, want) != 0 ||
				!casino_date_parse(want, 10, &back) ||
				back != day)
				right = false;
			if (++mday > days[month - 1] + (leap && month == 2))
			{
				mday = 1;
				if (++month > 12)
				{
					month = 1;
					year++;
				}
			}
		}
		CHECK(right);
	}
}

/* ------------------------------------------------------------ seals and proofs */

static void
put(CasinoBuffer *buffer, const char *text)
{
	casino_buffer_put(buffer, text, strlen(text));
}

static void
put_number(CasinoBuffer *buffer, int64_t number)
{
	char		text[32];

	snprintf(text, sizeof(text), "%" PRId64, number);
	put(buffer, text);
}

static void
put_hash(CasinoBuffer *buffer, const CasinoHash *hash)
{
	char		text[65];

	hex_of(hash, text);
	put(buffer, "\"");
	put(buffer, text);
	put(buffer, "\"");
}

static void
put_seal(CasinoBuffer *buffer, const CasinoSeal *seal)
{
	put(buffer, "{\"version\":1,\"seal_no\":");
	put_number(buffer, seal->seal_no);
	put(buffer, ",\"day\":\"2026-11-20\",\"sealed_at\":\"2026-11-21T04:00:00.000000Z\",\"entries\":");
	put_number(buffer, seal->entries);
	put(buffer, ",\"players\":");
	put_number(buffer, seal->players);
	put(buffer, ",\"previous\":");
	put_hash(buffer, &seal->previous);
	put(buffer, ",\"sections\":[");
	for (int i = 0; i < seal->nsections; i++)
	{
		put(buffer, i == 0 ? "{\"section\":\"" : ",{\"section\":\"");
		put(buffer, seal->sections[i].name);
		put(buffer, "\",\"count\":");
		put_number(buffer, seal->sections[i].count);
		put(buffer, ",\"root\":");
		put_hash(buffer, &seal->sections[i].root);
		put(buffer, "}");
	}
	put(buffer, "],\"root\":");
	put_hash(buffer, &seal->root);
	put(buffer, "}");
}

static void
put_path(CasinoBuffer *buffer, const CasinoHash *path, int length)
{
	put(buffer, "[");
	for (int i = 0; i < length; i++)
	{
		if (i > 0)
			put(buffer, ",");
		put_hash(buffer, &path[i]);
	}
	put(buffer, "]");
}

#define PLAYERS	3
#define ENTRIES	3

static CasinoBuffer entry_buffer = {NULL, 0, 0, false, realloc};

static bool
proves(const char *text, size_t len, const CasinoHash *root)
{
	return casino_proof_verify(test_sha256, text, len, root, &entry_buffer, &scratch, &leaf, &err);
}

/* A seal of three players with three entries each, and the proof of an entry. */
static void
make_proof(int player, int entry, CasinoSeal *seal, CasinoBuffer *proof, CasinoBuffer *document)
{
	CasinoHash	streams[PLAYERS];
	CasinoHash	entries[PLAYERS][ENTRIES];
	CasinoStream made[PLAYERS];
	CasinoHash	path[CASINO_PATH_MAX];
	CasinoMerkle tree = {0};
	char		lines[PLAYERS][ENTRIES][256];
	int			length;

	memset(seal, 0, sizeof(*seal));
	for (int p = 0; p < PLAYERS; p++)
	{
		CasinoMerkle own = {0};

		memset(&made[p], 0, sizeof(made[p]));
		made[p].player_id = p + 1;
		made[p].first_entry_no = 5;
		made[p].last_entry_no = 4 + ENTRIES;
		made[p].entries = ENTRIES;
		for (int e = 0; e < ENTRIES; e++)
		{
			const CasinoLayout *layout;
			CasinoValue values[CASINO_FIELDS_MAX];

			snprintf(lines[p][e], sizeof(lines[p][e]),
					 "{\"ledger\":{\"player_id\":%d,\"entry_no\":%d,\"kind\":\"deposit\","
					 "\"amount\":\"%d.00\"}}",
					 p + 1, e + 5, 10 * p + e + 1);
			CHECK(casino_line_read(lines[p][e], strlen(lines[p][e]), &scratch, &layout, values, NULL, &err));
			leaf.len = 0;
			casino_leaf_put(&leaf, layout, values);
			casino_merkle_leaf(test_sha256, leaf.data, leaf.len, &entries[p][e]);
			casino_merkle_add(test_sha256, &own, &entries[p][e]);
		}
		casino_merkle_root(test_sha256, &own, &made[p].root);
		casino_stream_leaf(test_sha256, &made[p], &streams[p]);
		casino_merkle_add(test_sha256, &tree, &streams[p]);
	}
	seal->seal_no = 2;
	seal->previous.bytes[0] = 1;
	seal->entries = PLAYERS * ENTRIES;
	seal->players = PLAYERS;
	CHECK(casino_date_parse("2026-11-20", 10, &seal->day));
	CHECK(casino_time_parse("2026-11-21T04:00:00.000000Z", 27, &seal->sealed_at));
	seal->nsections = 2;
	strcpy(seal->sections[0].name, "round");
	seal->sections[0].count = 1;
	strcpy(seal->sections[1].name, "ledger");
	seal->sections[1].count = PLAYERS * ENTRIES;
	casino_merkle_root(test_sha256, &tree, &seal->sections[1].root);
	casino_seal_root(test_sha256, seal, &seal->root);

	document->len = 0;
	put_seal(document, seal);
	proof->len = 0;
	put(proof, "{\"version\":1,\"entry\":");
	casino_line_string(proof, lines[player][entry], strlen(lines[player][entry]));
	put(proof, ",\"stream\":{\"player_id\":");
	put_number(proof, made[player].player_id);
	put(proof, ",\"first_entry_no\":5,\"last_entry_no\":");
	put_number(proof, made[player].last_entry_no);
	put(proof, ",\"entries\":");
	put_number(proof, made[player].entries);
	put(proof, ",\"root\":");
	put_hash(proof, &made[player].root);
	put(proof, ",\"running\":");
	put_hash(proof, &made[player].running);
	put(proof, "},\"path\":");
	length = casino_merkle_path(test_sha256, entries[player], ENTRIES, (uint64_t) entry, path);
	put_path(proof, path, length);
	put(proof, ",\"stream_index\":");
	put_number(proof, player);
	put(proof, ",\"stream_path\":");
	length = casino_merkle_path(test_sha256, streams, PLAYERS, (uint64_t) player, path);
	put_path(proof, path, length);
	put(proof, ",\"seal\":");
	put_seal(proof, seal);
	put(proof, "}");
}

static void
test_proofs(void)
{
	CasinoBuffer proof = {NULL, 0, 0, false, realloc};
	CasinoBuffer document = {NULL, 0, 0, false, realloc};
	CasinoSeal	seal;
	CasinoSeal	again;
	static const char others[] = "0123456789abcdefA\"{}[],:-. x";

	for (int player = 0; player < PLAYERS; player++)
		for (int entry = 0; entry < ENTRIES; entry++)
		{
			int			accepted = 0;

			make_proof(player, entry, &seal, &proof, &document);
			CHECK(proves(proof.data, proof.len, &seal.root));
			CHECK(casino_seal_read(test_sha256, document.data, document.len, &again, &err));
			if (player == 0 && entry == 0)
			{
				CasinoBuffer other = {NULL, 0, 0, false, realloc};

				/* a member twice, the same both times; each blank of JSON */
				put(&other, "{\"version\":1,");
				casino_buffer_put(&other, proof.data + 1, proof.len - 1);
				CHECK(!proves(other.data, other.len, &seal.root));
				other.len = 0;
				casino_buffer_put(&other, proof.data, proof.len - 1);
				put(&other, ",\"stream_index\":0}");
				CHECK(!proves(other.data, other.len, &seal.root));
				other.len = 0;
				put(&other, "\r\n\t {\r\n\t ");
				casino_buffer_put(&other, proof.data + 1, proof.len - 1);
				put(&other, "\n\r");
				CHECK(proves(other.data, other.len, &seal.root));
				free(other.data);
			}
			/* cut anywhere, with something after it, with any character changed, doubled or left out */
			for (size_t i = 0; i < proof.len; i++)
			{
				char		was = proof.data[i];
				CasinoBuffer other = {NULL, 0, 0, false, realloc};

				accepted += proves(proof.data, i, &seal.root);
				for (size_t j = 0; j < sizeof(others) - 1; j++)
				{
					if (others[j] == was || (player != entry && j % 7 != i % 7))
						continue;
					proof.data[i] = others[j];
					accepted += proves(proof.data, proof.len, &seal.root);
				}
				proof.data[i] = was;
				casino_buffer_put(&other, proof.data, i);
				casino_buffer_put(&other, proof.data + i + 1, proof.len - i - 1);
				accepted += proves(other.data, other.len, &seal.root);
				other.len = 0;
				casino_buffer_put(&other, proof.data, i + 1);
				casino_buffer_put(&other, proof.data + i, proof.len - i);
				accepted += proves(other.data, other.len, &seal.root);
				free(other.data);
			}
			CHECK_INT(accepted, 0);
			put(&proof, "{}");
			CHECK(!proves(proof.data, proof.len, &seal.root));
			proof.len -= 2;
			seal.root.bytes[31] ^= 1;
			CHECK(!proves(proof.data, proof.len, &seal.root));
			CHECK_TEXT(err.detail, "It is a proof of another seal.");
		}
	/* the same of documents; white space is allowed, and any order of members */
	{
		int			accepted = 0;

		for (size_t i = 0; i < document.len; i++)
		{
			char		was = document.data[i];

			accepted += casino_seal_read(test_sha256, document.data, i, &again, &err);
			for (size_t j = 0; j < sizeof(others) - 1; j++)
				if (others[j] != was)
				{
					document.data[i] = others[j];
					accepted += casino_seal_read(test_sha256, document.data, document.len, &again, &err);
				}
			document.data[i] = was;
		}
		CHECK_INT(accepted, 0);
	}
	free(proof.data);
	free(document.data);
}

/* Is the document of this seal, with the root that it gives, read?  The reason otherwise. */
static const char *
document_of(CasinoSeal *seal)
{
	static CasinoBuffer document = {NULL, 0, 0, false, realloc};
	CasinoSeal	again;

	casino_seal_root(test_sha256, seal, &seal->root);
	document.len = 0;
	put_seal(&document, seal);
	return casino_seal_read(test_sha256, document.data, document.len, &again, &err) ? "read" : err.detail;
}

/* what no honest seal says, though its root follows from it */
static void
test_impossible_seals(void)
{
	CasinoBuffer proof = {NULL, 0, 0, false, realloc};
	CasinoBuffer document = {NULL, 0, 0, false, realloc};
	CasinoSeal	seal;
	CasinoSeal	other;
	CasinoSeal	again;

	make_proof(0, 0, &seal, &proof, &document);
	CHECK_TEXT(document_of(&seal), "read");
	other = seal;
	other.players = 0;
	CHECK_TEXT(document_of(&other), "Its numbers of entries do not fit together.");
	other = seal;
	other.players = PLAYERS * ENTRIES + 1;
	CHECK_TEXT(document_of(&other), "Its numbers of entries do not fit together.");
	other = seal;
	other.entries = 1;
	CHECK_TEXT(document_of(&other), "Its numbers of entries do not fit together.");
	other = seal;
	memset(&other.previous, 0, sizeof(other.previous));
	CHECK_TEXT(document_of(&other), "The first seal follows none, and each other one follows one.");
	other = seal;
	other.seal_no = 1;
	CHECK_TEXT(document_of(&other), "The first seal follows none, and each other one follows one.");
	other = seal;
	other.seal_no = 1;
	memset(&other.previous, 0, sizeof(other.previous));
	CHECK_TEXT(document_of(&other), "read");
	/* a seal of nothing is one */
	other = seal;
	other.entries = other.players = 0;
	other.nsections = 0;
	CHECK_TEXT(document_of(&other), "read");
	other = seal;
	other.sections[0].count = 0;
	CHECK(strncmp(document_of(&other), "It is not a seal document", 25) == 0);
	other = seal;
	other.sections[1] = other.sections[0];
	CHECK(strncmp(document_of(&other), "It is not a seal document", 25) == 0);
	/* a proof in a seal of nobody's entries: no index is below a count of nothing */
	for (size_t i = 0; i < 3; i++)
	{
		static const char *const documents[] = {
			"", "{\"version\":1,\"seal_no\":1e0}", "\xef\xbb\xbf{}"
		};

		CHECK(!casino_seal_read(test_sha256, documents[i], strlen(documents[i]), &again, &err));
	}
	free(proof.data);
	free(document.data);
}

int
main(void)
{
	CasinoHash	hash;

	/* FIPS 180-4 examples: what the tests hash with is SHA-256 */
	test_sha256(-1, "abc", 3, &hash);
	CHECK_HASH(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	test_sha256('a', "bcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 55, &hash);
	CHECK_HASH(hash, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	test_ct_vectors();
	test_definition();
	test_layouts();
	test_leaves();
	test_refused_lines();
	test_members();
	test_times();
	test_proofs();
	test_impossible_seals();
	free(line_buffer.data);
	free(scratch.data);
	free(leaf.data);
	free(entry_buffer.data);
	return conclude("evidence");
}
