// SPDX-License-Identifier: MIT
// The table of backends. Rule: one line per backend.
#include <ioduel/backend.h>

#include <string.h>

const struct backend *const backend_table[] = { &backend_uring, &backend_sync, &backend_null, &backend_fault, NULL };

const struct backend *
backend_find(const char *name)
{
	for (int i = 0; backend_table[i]; i++)
		if (strcmp(backend_table[i]->name, name) == 0)
			return backend_table[i];
	return NULL;
}
