/*
 * merkle.c
 *	  Merkle trees of RFC 9162 section 2.1.
 */
#include "core/evidence/merkle.h"

#include <string.h>

#define LEAF_PREFIX	0x00
#define NODE_PREFIX	0x01

void
casino_merkle_leaf(CasinoSha256 sha256, const void *data, size_t len, CasinoHash *hash)
{
	sha256(LEAF_PREFIX, data, len, hash);
}

void
casino_merkle_node(CasinoSha256 sha256, const CasinoHash *left, const CasinoHash *right, CasinoHash *hash)
{
	CasinoHash	both[2];

	both[0] = *left;
	both[1] = *right;
	sha256(NODE_PREFIX, both, sizeof(both), hash);
}

/* How many complete subtrees a tree of so many leaves has: the bits of the number. */
static int
subtrees(uint64_t count)
{
	int			n = 0;

	for (; count != 0; count &= count - 1)
		n++;
	return n;
}

/*
 * casino_merkle_add
 *		As a binary counter: each carry joins two subtrees of one size.
 */
void
casino_merkle_add(CasinoSha256 sha256, CasinoMerkle *tree, const CasinoHash *leaf)
{
	int			top = subtrees(tree->count);
	uint64_t	carry;

	tree->stack[top] = *leaf;
	for (carry = tree->count; carry & 1; carry >>= 1, top--)
		casino_merkle_node(sha256, &tree->stack[top - 1], &tree->stack[top], &tree->stack[top - 1]);
	tree->count++;
}

void
casino_merkle_root(CasinoSha256 sha256, const CasinoMerkle *tree, CasinoHash *root)
{
	int			top = subtrees(tree->count);
	CasinoHash	right;

	if (top == 0)
	{
		sha256(-1, "", 0, root);
		return;
	}
	right = tree->stack[--top];
	while (top-- > 0)
		casino_merkle_node(sha256, &tree->stack[top], &right, &right);
	*root = right;
}

/* Root of leaves in memory. */
static void
root_of(CasinoSha256 sha256, const CasinoHash *leaves, uint64_t count, CasinoHash *root)
{
	CasinoMerkle tree;

	tree.count = 0;
	for (uint64_t i = 0; i < count; i++)
		casino_merkle_add(sha256, &tree, &leaves[i]);
	casino_merkle_root(sha256, &tree, root);
}

/* Largest power of two below count, which is 2 or more. */
static uint64_t
split_of(uint64_t count)
{
	uint64_t	k = 1;

	while (k < count - k)
		k <<= 1;
	return k;
}

int
casino_merkle_path(CasinoSha256 sha256, const CasinoHash *leaves, uint64_t count, uint64_t index,
				   CasinoHash path[CASINO_PATH_MAX])
{
	CasinoHash	from_root[CASINO_PATH_MAX];
	int			length = 0;

	if (index >= count)
		return -1;
	while (count > 1)
	{
		uint64_t	k = split_of(count);

		if (index < k)
		{
			root_of(sha256, leaves + k, count - k, &from_root[length++]);
			count = k;
		}
		else
		{
			root_of(sha256, leaves, k, &from_root[length++]);
			leaves += k;
			index -= k;
			count -= k;
		}
	}
	for (int i = 0; i < length; i++)
		path[i] = from_root[length - 1 - i];
	return length;
}

uint64_t
casino_merkle_nodes(uint64_t count)
{
	uint64_t	nodes = count;

	while (count > 1)
	{
		count = (count + 1) / 2;
		nodes += count;
	}
	return nodes;
}

void
casino_merkle_levels(CasinoSha256 sha256, CasinoHash *levels, uint64_t count)
{
	while (count > 1)
	{
		CasinoHash *above = levels + count;

		for (uint64_t i = 0; i + 1 < count; i += 2)
			casino_merkle_node(sha256, &levels[i], &levels[i + 1], &above[i / 2]);
		if (count % 2 == 1)
			above[count / 2] = levels[count - 1];
		levels = above;
		count = (count + 1) / 2;
	}
}

int
casino_merkle_levels_path(const CasinoHash *levels, uint64_t count, uint64_t index,
						  CasinoHash path[CASINO_PATH_MAX])
{
	int			length = 0;

	if (index >= count)
		return -1;
	for (; count > 1; count = (count + 1) / 2, index /= 2)
	{
		if ((index ^ 1) < count)
			path[length++] = levels[index ^ 1];
		levels += count;
	}
	return length;
}

/*
 * casino_merkle_verify
 *		Section 2.1.3.2 word by word: fn and sn are index and last index.
 */
bool
casino_merkle_verify(CasinoSha256 sha256, const CasinoHash *leaf, uint64_t index, uint64_t count,
					 const CasinoHash *path, int length, const CasinoHash *root)
{
	uint64_t	fn = index;
	uint64_t	sn;
	CasinoHash	r = *leaf;

	if (index >= count || length < 0)
		return false;
	sn = count - 1;
	for (int i = 0; i < length; i++)
	{
		if (sn == 0)
			return false;
		if ((fn & 1) != 0 || fn == sn)
		{
			casino_merkle_node(sha256, &path[i], &r, &r);
			while ((fn & 1) == 0 && fn != 0)
			{
				fn >>= 1;
				sn >>= 1;
			}
		}
		else
			casino_merkle_node(sha256, &r, &path[i], &r);
		fn >>= 1;
		sn >>= 1;
	}
	return sn == 0 && casino_hash_equal(&r, root);
}

/*
 * casino_merkle_consistent
 *		Section 2.1.4.2 word by word: fn and sn are the last indexes, fr and sr
 *		the roots that the path gives.
 */
bool
casino_merkle_consistent(CasinoSha256 sha256, uint64_t from, uint64_t to, const CasinoHash *path, int length,
						 const CasinoHash *from_root, const CasinoHash *to_root)
{
	uint64_t	fn = from - 1;
	uint64_t	sn = to - 1;
	bool		whole = (from & (from - 1)) == 0;
	CasinoHash	fr;
	CasinoHash	sr;

	if (from == 0 || from > to || length < 0)
		return false;
	if (from == to)
		return length == 0 && casino_hash_equal(from_root, to_root);
	if (length == 0)
		return false;
	/* a complete tree is the first node of its path itself */
	fr = whole ? *from_root : path[0];
	sr = fr;
	for (; (fn & 1) != 0; fn >>= 1)
		sn >>= 1;
	for (int i = whole ? 0 : 1; i < length; i++)
	{
		if (sn == 0)
			return false;
		if ((fn & 1) != 0 || fn == sn)
		{
			casino_merkle_node(sha256, &path[i], &fr, &fr);
			casino_merkle_node(sha256, &path[i], &sr, &sr);
			while ((fn & 1) == 0 && fn != 0)
			{
				fn >>= 1;
				sn >>= 1;
			}
		}
		else
			casino_merkle_node(sha256, &sr, &path[i], &sr);
		fn >>= 1;
		sn >>= 1;
	}
	return sn == 0 && casino_hash_equal(&fr, from_root) && casino_hash_equal(&sr, to_root);
}
