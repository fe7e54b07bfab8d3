// SPDX-License-Identifier: MIT
// Signal handling in one place. Rule: handlers use async-signal-safe calls only.
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int polite[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT};
static const int fatal[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGSYS, SIGTRAP};

#define GROUPS_MAX 4
static void (*restore_terminal)(void);
static volatile pid_t guarded_group[GROUPS_MAX];

int
signals_open(void)
{
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(polite) / sizeof(polite[0]); i++)
		sigaddset(&set, polite[i]);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	signal(SIGPIPE, SIG_IGN);
	int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

int
signals_next(int fd)
{
	struct signalfd_siginfo info;
	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	return (int)info.ssi_signo;
}

static void
on_fatal(int number)
{
	if (restore_terminal)
		restore_terminal();
	for (int i = 0; i < GROUPS_MAX; i++)
		if (guarded_group[i] > 0)
			kill(-guarded_group[i], SIGKILL);
	signal(number, SIG_DFL);
	raise(number);
}

void
signals_guard(void (*restore)(void))
{
	struct sigaction action;
	memset(&action, 0, sizeof(action));
	restore_terminal = restore;
	action.sa_handler = on_fatal;
	action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		sigaction(fatal[i], &action, NULL);
}

void
signals_guard_group(int slot, pid_t group)
{
	if (slot >= 0 && slot < GROUPS_MAX)
		guarded_group[slot] = group;
}

void
signals_reset_in_child(void)
{
	sigset_t none;
	sigemptyset(&none);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
}
