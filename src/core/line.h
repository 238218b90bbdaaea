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

#include "error.h"
#include "leaf.h"

/* 2026-11-20T19:00:00.000000Z; "@" and microseconds for years that have not four digits */
#define CASINO_TIME_TEXT_SIZE	32
#define CASINO_TIME_INFINITY	INT64_MAX
#define CASINO_TIME_MINUS_INFINITY	INT64_MIN

extern size_t casino_time_print(int64_t time, char text[CASINO_TIME_TEXT_SIZE]);
extern bool casino_time_parse(const char *text, size_t len, int64_t *time);

/* 2026-11-20 of days since 2000-01-01; false for years that have not four digits */
extern bool casino_date_print(int64_t day, char text[11]);
extern bool casino_date_parse(const char *text, size_t len, int64_t *day);

/* 12.50 and -0.05 */
#define CASINO_MONEY_TEXT_SIZE	32
extern size_t casino_money_print(int64_t halere, char text[CASINO_MONEY_TEXT_SIZE]);

extern void casino_hex_print(const void *bytes, size_t len, char *text);
extern bool casino_hex_parse(const char *text, size_t len, uint8_t *bytes);

/* Append a JSON string: ", \ and control characters are escaped. */
extern void casino_line_string(CasinoBuffer *buffer, const char *text, size_t len);

/* Append a line, without its line end. */
extern void casino_line_write(CasinoBuffer *buffer, const CasinoLayout *layout, const CasinoValue *values);

/* What names the row, for people: its key's values with slashes between. */
extern void casino_line_key(CasinoBuffer *buffer, const CasinoLayout *layout, const CasinoValue *values);

/* First bytes of the hash that a row's leaf had when it was sealed: they tell which line does not fit. */
#define CASINO_MARK_LEN	8

/*
 * Read a line without its line end.  Values refer to the line and to "scratch",
 * both of which must stay.  "mark": what stands after the row as
 * ,"mark":"0123456789abcdef"; NULL: none may stand there.
 */
extern bool casino_line_read(const char *line, size_t len, CasinoBuffer *scratch,
							 const CasinoLayout **layout, CasinoValue values[CASINO_FIELDS_MAX],
							 uint8_t *mark, CasinoError *error);

#endif							/* CASINO_LINE_H */
