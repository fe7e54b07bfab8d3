// SPDX-License-Identifier: MIT
// Brings one file to its medium without waiting: fdatasync may take seconds, so a process of its own calls it.
#ifndef IODUEL_FILE_SYNC_H
#define IODUEL_FILE_SYNC_H

#include <ioduel/error.h>

struct file_sync;

// Looks after the file behind fd and, the first time, the folder that holds its name; both stay the caller's. sync is
// what is called (fdatasync; tests count). NULL and err where the process cannot be made.
struct file_sync *file_sync_new(int fd, int folder_fd, int (*sync)(int fd), struct error *err);
// Leaves at once, also while the process still waits for the medium. Accepts NULL.
void file_sync_free(struct file_sync *s);

// Asks that what was written so far goes to the medium; 1 if asked, 0 if it is still busy with the last time.
int file_sync_ask(struct file_sync *s);
// Takes the answer, if there is one: 1 all is on the medium that was written before the last question, 0 still busy
// or nothing asked, -errno where the medium refused (once for each question).
int file_sync_answer(struct file_sync *s);

#endif
