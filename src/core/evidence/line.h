/*
 * line.h
 *	  Lines of an export: {"section":{"member":value,...}}, one form only.
 *
 * Members stand in the order of the layout, those that are NULL are left out,
 * there is no white space.  What is read is refused unless it is what would be
 * written, as far as the form goes; what it says, the hashes vouch for.
 */
#ifndef CASINO_LINE_H
#define CASINO_LINE_H

#include "core/error.h"
#include "core/evidence/leaf.h"

/* Append a JSON string: ", \ and control characters are escaped. */
extern void casino_line_string(CasinoBuffer *buffer, const char *text, size_t len);

/* Append a line, without its line end. */
extern void casino_line_write(CasinoBuffer *buffer, const CasinoLayout *layout, const CasinoValue *values);

/* What names the row, for people: its key's values with slashes between. */
extern void casino_line_key(CasinoBuffer *buffer, const CasinoLayout *layout, const CasinoValue *values);

/* First bytes of the hash of a row's leaf when it was sealed.  They tell which line does not fit (R12.72). */
#define CASINO_MARK_LEN	4

/*
 * Read a line without its line end.  Values refer to the line and to "scratch",
 * both of which must stay.  "mark": what stands after the row as
 * ,"mark":"01234567"; NULL: none may stand there.
 */
extern bool casino_line_read(const char *line, size_t len, CasinoBuffer *scratch,
							 const CasinoLayout **layout, CasinoValue values[CASINO_FIELDS_MAX],
							 uint8_t *mark, CasinoError *error);

#endif							/* CASINO_LINE_H */
