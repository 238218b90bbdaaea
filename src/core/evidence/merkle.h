/*
 * merkle.h
 *	  Merkle trees of RFC 9162 section 2.1: roots, inclusion proofs and their
 *	  verification.  SHA-256 is the caller's: the server has PostgreSQL's own,
 *	  the programs have a library's.
 */
#ifndef CASINO_MERKLE_H
#define CASINO_MERKLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CASINO_HASH_LEN		32

/* a path of a tree of 2^63 leaves is not longer */
#define CASINO_PATH_MAX		63

typedef struct CasinoHash
{
	uint8_t		bytes[CASINO_HASH_LEN];
} CasinoHash;

/* SHA-256 of a prefix byte (0 to 255; none if negative) and len bytes of data. */
typedef void (*CasinoSha256) (int prefix, const void *data, size_t len, CasinoHash *hash);

/* Hash of a leaf: SHA-256(0x00 || data).  Of a node: SHA-256(0x01 || left || right). */
extern void casino_merkle_leaf(CasinoSha256 sha256, const void *data, size_t len, CasinoHash *hash);
extern void casino_merkle_node(CasinoSha256 sha256, const CasinoHash *left, const CasinoHash *right,
							   CasinoHash *hash);

/* A tree that grows leaf by leaf; all zero is the empty one. */
typedef struct CasinoMerkle
{
	uint64_t	count;
	CasinoHash	stack[CASINO_PATH_MAX + 1]; /* complete subtrees, the largest first */
} CasinoMerkle;

extern void casino_merkle_add(CasinoSha256 sha256, CasinoMerkle *tree, const CasinoHash *leaf);

/* Root of what was added so far; of nothing it is SHA-256(). */
extern void casino_merkle_root(CasinoSha256 sha256, const CasinoMerkle *tree, CasinoHash *root);

/*
 * PATH(index, leaves) of section 2.1.3.1, the leaf's sibling first.  Returns
 * its length, -1 when there is no such leaf.
 */
extern int	casino_merkle_path(CasinoSha256 sha256, const CasinoHash *leaves, uint64_t count,
							   uint64_t index, CasinoHash path[CASINO_PATH_MAX]);

/*
 * The same for many leaves of one tree: all its nodes, level by level, the
 * leaves first.  A node without a sibling goes up as it is.  "levels" has room
 * for casino_merkle_nodes(count) hashes, the first "count" of which are the
 * leaves.
 */
extern uint64_t casino_merkle_nodes(uint64_t count);
extern void casino_merkle_levels(CasinoSha256 sha256, CasinoHash *levels, uint64_t count);
extern int	casino_merkle_levels_path(const CasinoHash *levels, uint64_t count, uint64_t index,
									  CasinoHash path[CASINO_PATH_MAX]);

/*
 * Section 2.1.3.2: is the leaf with this hash the one at "index" of a tree of
 * "count" leaves with that root?  Index, count and the length of the path must
 * fit together, whatever the hashes are.
 */
extern bool casino_merkle_verify(CasinoSha256 sha256, const CasinoHash *leaf, uint64_t index,
								 uint64_t count, const CasinoHash *path, int length,
								 const CasinoHash *root);

/*
 * Section 2.1.4.2: does the path show that the tree of "to" leaves begins with
 * the tree of "from" leaves?
 */
extern bool casino_merkle_consistent(CasinoSha256 sha256, uint64_t from, uint64_t to, const CasinoHash *path,
									 int length, const CasinoHash *from_root, const CasinoHash *to_root);

static inline bool
casino_hash_equal(const CasinoHash *a, const CasinoHash *b)
{
	uint8_t		differ = 0;

	for (int i = 0; i < CASINO_HASH_LEN; i++)
		differ |= a->bytes[i] ^ b->bytes[i];
	return differ == 0;
}

#endif							/* CASINO_MERKLE_H */
