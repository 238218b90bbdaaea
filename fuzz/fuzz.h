/*
 * fuzz.h
 *	  What the libFuzzer drivers share.
 */
#ifndef CASINO_FUZZ_H
#define CASINO_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition) do { if (!(condition)) abort(); } while (0)

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif							/* CASINO_FUZZ_H */
