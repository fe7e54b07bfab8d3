// SPDX-License-Identifier: MIT
// The small shell behind support_shell.h. One rule: the job gets default signals,
// a fixed locale and a home of its own, whatever the test program was started with.
#include "support_shell.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t shell_job;
static volatile sig_atomic_t shell_wants_fg;

static void
shell_on_usr1(int signo)
{
	(void)signo;
	shell_wants_fg = 1;
}

static _Noreturn void
shell_exec(const struct vt_options *o, const char *const *argv)
{
	char text[4200];
	const char *home = o->home ? o->home : "/";

	const struct rlimit no_core = {0, 0};

	setpgid(0, 0);
	tcsetpgrp(0, getpid());
	setrlimit(RLIMIT_CORE, &no_core);
	if (o->file_bytes_max > 0) {
		const struct rlimit limit = {o->file_bytes_max, o->file_bytes_max};
		setrlimit(RLIMIT_FSIZE, &limit);
	}
	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	setenv("TERM", o->term ? o->term : "xterm-256color", 1);
	setenv("LC_ALL", o->locale ? o->locale : "C.UTF-8", 1);
	setenv("TZ", "UTC", 1);
	setenv("HOME", home, 1);
	snprintf(text, sizeof(text), "%s/data", home);
	setenv("XDG_DATA_HOME", text, 1);
	snprintf(text, sizeof(text), "%s/config", home);
	setenv("XDG_CONFIG_HOME", text, 1);
	static const char *const unset[] = {"COLORTERM", "NO_COLOR", "COLUMNS", "LINES", "TMUX", "IODUEL_WORKER"};
	for (size_t i = 0; i < sizeof(unset) / sizeof(unset[0]); i++)
		unsetenv(unset[i]);
	for (const char *const *e = o->env; e && *e; e++)
		putenv(strdup(*e));
	if (chdir(o->cwd ? o->cwd : home) < 0)
		_exit(126);
	execv(argv[0], (char *const *)(uintptr_t)argv);
	_exit(127);
}

void
shell_main(const struct vt_options *o, const char *const *argv, int slave, int events)
{
	struct sigaction on_usr1 = {.sa_handler = shell_on_usr1};
	struct shell_event event;

	setsid();
	ioctl(slave, TIOCSCTTY, 0);
	for (int fd = 0; fd < 3; fd++)
		dup2(slave, fd);
	signal(SIGTTOU, SIG_IGN);
	if (o->leader_ignores_hup)
		signal(SIGHUP, SIG_IGN);
	sigaction(SIGUSR1, &on_usr1, NULL);
	shell_job = fork();
	if (shell_job == 0) {
		close(events);
		if (slave > 2)
			close(slave);
		shell_exec(o, argv);
	}
	setpgid(shell_job, shell_job);
	tcsetpgrp(0, shell_job);
	event = (struct shell_event){.pid = shell_job, .status = -1};
	if (write(events, &event, sizeof(event)) < 0)
		_exit(1);
	for (;;) {
		int status;
		pid_t pid = waitpid(shell_job, &status, WUNTRACED | WCONTINUED);
		if (pid < 0 && errno != EINTR)
			_exit(1);
		if (pid == shell_job) {
			event.status = status;
			if (write(events, &event, sizeof(event)) < 0)
				_exit(1);
			if (WIFSTOPPED(status))
				tcsetpgrp(0, getpgrp());
			if (WIFEXITED(status) || WIFSIGNALED(status))
				_exit(0);
		}
		if (shell_wants_fg) {
			shell_wants_fg = 0;
			tcsetpgrp(0, shell_job);
			kill(-shell_job, SIGCONT);
		}
	}
}
