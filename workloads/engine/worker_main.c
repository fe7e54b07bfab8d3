// SPDX-License-Identifier: MIT
// Entry of ioduel-worker. Rule: it is started by ioduel only, with its socket
// as descriptor 3.
#include "worker.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>

#define WORKER_SOCKET_FD 3

int
main(void)
{
	int type = 0;
	socklen_t length = sizeof(type);
	if (getsockopt(WORKER_SOCKET_FD, SOL_SOCKET, SO_TYPE, &type, &length) < 0 || type != SOCK_SEQPACKET) {
		fprintf(stderr, "ioduel-worker: is started by ioduel, not by hand\n");
		return EXIT_USAGE;
	}
	fcntl(WORKER_SOCKET_FD, F_SETFD, FD_CLOEXEC);
	return worker_run(WORKER_SOCKET_FD);
}
