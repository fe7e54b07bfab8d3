// SPDX-License-Identifier: MIT
// The entry that libFuzzer and the corpus runner call.
#ifndef IODUEL_FUZZ_H
#define IODUEL_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
