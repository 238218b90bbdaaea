/*
 * seal.h
 *	  A seal: what it is the root of, its document, and proofs of single
 *	  entries.  RFC 9162 trees all the way up (doc/evidence.md):
 *
 *	  entries of a player since his last seal -> root of his stream;
 *	  streams of all players -> root of section "ledger";
 *	  rows of any other section -> its root;
 *	  header and sections -> root of the seal, which the next header carries.
 */
#ifndef CASINO_SEAL_H
#define CASINO_SEAL_H

#include "core/error.h"
#include "core/evidence/leaf.h"
#include "core/evidence/merkle.h"

/* More than there are layouts (leaf_layouts.c): a day may have rows of each. */
#define CASINO_SECTIONS_MAX	128
#define CASINO_SECTION_NAME_MAX	63

/* What a seal covers of one player: entries first to last, and all before by the running hash. */
typedef struct CasinoStream
{
	int64_t		player_id;
	int64_t		first_entry_no;
	int64_t		last_entry_no;
	int64_t		entries;
	CasinoHash	root;			/* of the entries */
	CasinoHash	running;		/* node of the running hash before and root */
} CasinoStream;

typedef struct CasinoSection
{
	char		name[CASINO_SECTION_NAME_MAX + 1];
	int64_t		count;			/* rows; of the ledger entries, though the leaves of its tree are players */
	CasinoHash	root;
} CasinoSection;

typedef struct CasinoSeal
{
	int64_t		seal_no;
	int64_t		day;
	int64_t		sealed_at;
	int64_t		entries;
	int64_t		players;
	CasinoHash	previous;		/* root of the seal before; zero of the first */
	int			nsections;
	CasinoSection sections[CASINO_SECTIONS_MAX];
	CasinoHash	root;
} CasinoSeal;

extern void casino_stream_leaf(CasinoSha256 sha256, const CasinoStream *stream, CasinoHash *leaf);

/* Root that header and sections give. */
extern void casino_seal_root(CasinoSha256 sha256, const CasinoSeal *seal, CasinoHash *root);

/*
 * Read a seal document.  Refused: anything but an object with the members of a
 * document, each once and of its type, and a root that does not follow from
 * the others.
 */
extern bool casino_seal_read(CasinoSha256 sha256, const char *text, size_t len, CasinoSeal *seal,
							 CasinoError *error);

/* Index and count of a section, NULL when the seal has none of that name. */
extern const CasinoSection *casino_seal_section(const CasinoSeal *seal, const char *name);

/*
 * Does the proof show that its entry was sealed under this root?  The
 * buffers are to work in.  The error says why it does not.
 */
extern bool casino_proof_verify(CasinoSha256 sha256, const char *text, size_t len, const CasinoHash *root,
								CasinoBuffer *entry, CasinoBuffer *scratch, CasinoBuffer *leaf,
								CasinoError *error);

/* What a statement is held against, and where its entries go. */
typedef struct CasinoStatement
{
	/* is it the root of a seal that is trusted? */
	bool		(*known) (const CasinoHash *root, void *arg);
	void		(*entry) (const char *line, size_t len, void *arg); /* NULL: to nobody */
	void	   *arg;
} CasinoStatement;

/*
 * Does the statement show entries of one player, none left out between the
 * first and the last, all sealed under trusted roots?  Entries are handed out
 * as they are verified: what was handed out counts only when it returns true.
 */
extern bool casino_statement_verify(CasinoSha256 sha256, const char *text, size_t len, CasinoStatement *with,
									CasinoBuffer *entry, CasinoBuffer *scratch, CasinoBuffer *leaf,
									CasinoError *error);

#endif							/* CASINO_SEAL_H */
