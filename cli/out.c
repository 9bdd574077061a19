/*
 * out.c: results to stdout, messages and progress to stderr.
 *
 * Results wait in a buffer and go out in large writes; the first write that fails is remembered,
 * and cli_flush() reports it: a full disk is a failure like any other. Where nobody reads stdout
 * any more, a command that makes nothing else ends there (signals.h); one that does goes on first.
 * Messages are one line each, whatever the names in them hold.
 */
#include "cli/out.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/out_file.h"
#include "cli/safe_text.h"
#include "cli/signals.h"

#include "base/banned.h"

#define OUT_WAIT ((size_t)64 << 10)

/* ---- results ---- */

/* Commands that make files, start a program, or decide, whoever reads what they print. */
#define MAKES(name) (UINT32_C(1) << CLI_CMD_##name)
static const uint32_t makers = MAKES(weave) | MAKES(init) | MAKES(run) | MAKES(prv) | MAKES(score) |
			       MAKES(diff) | MAKES(export) | MAKES(view);
#undef MAKES

static void out_fails(struct cli *cli, int why)
{
	cli->out_failed = JW_IO;
	cli->out_errno = why;
	if (why == EPIPE && !(makers >> cli->args.command & 1))
		cli_signals_no_reader();
}

/* Results that somebody else wants. */
static void send_away(struct cli *cli, struct cli_divert *to)
{
	if (to->status == JW_OK)
		to->status = cli->out.failed != JW_OK
				     ? jw_nomem(to->e)
				     : to->take(to->to, jw_buf_span(&cli->out), to->e);
	jw_buf_clear(&cli->out);
}

static void send_out(struct cli *cli)
{
	struct jw_span s = jw_buf_span(&cli->out);

	if (cli->divert) {
		send_away(cli, cli->divert);
		return;
	}
	while (s.n && cli->out_failed == JW_OK) {
		ssize_t n = write(STDOUT_FILENO, s.p, s.n);

		if (n > 0)
			s = jw_span_sub(s, (size_t)n, s.n);
		else if (n == 0 || errno != EINTR)
			out_fails(cli, n == 0 ? ENOSPC : errno);
	}
	if (cli->out.failed != JW_OK && cli->out_failed == JW_OK)
		cli->out_failed = cli->out.failed;
	jw_buf_clear(&cli->out);
}

static void tell_waiting(struct cli *cli);

void cli_put_span(struct cli *cli, struct jw_span s)
{
	tell_waiting(cli);
	jw_put_bytes(&cli->out, s);
	if (cli->out.n >= OUT_WAIT)
		send_out(cli);
}

void cli_divert(struct cli *cli, struct cli_divert *divert)
{
	send_out(cli);
	cli->divert = divert;
}

void cli_put(struct cli *cli, const char *fmt, ...)
{
	char text[4096];
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n < sizeof(text)) {
		cli_put_span(cli, jw_span(text, (size_t)n));
		return;
	}
	char *longer = jw_arena_alloc(&cli->arena, (size_t)n + 1, 1);
	if (!longer) {
		cli->out.failed = JW_NOMEM;
		return;
	}
	va_start(ap, fmt);
	vsnprintf(longer, (size_t)n + 1, fmt, ap);
	va_end(ap);
	cli_put_span(cli, jw_span(longer, (size_t)n));
}

enum jw_status cli_write_file(const char *path, mode_t mode, struct jw_span text, struct jw_err *e)
{
	struct jw_out out = { 0 };
	enum jw_status status = jw_out_open(path, mode, &out, e);

	if (status == JW_OK)
		status = jw_out_write(&out, text, e);
	if (status == JW_OK)
		status = jw_out_commit(&out, e);
	jw_out_abort(&out);
	return status;
}

enum jw_status cli_flush(struct cli *cli, struct jw_err *e)
{
	tell_waiting(cli);
	send_out(cli);
	if (cli->out_failed == JW_OK)
		return JW_OK;
	if (cli->out_failed != JW_IO)
		return jw_nomem(e);
	return jw_fail_stdout(e, cli->out_errno, "cannot write to standard output");
}

/* ---- messages ---- */

/* Nobody can be told of a write to stderr that fails. */
static void send_err(struct jw_span s)
{
	while (s.n) {
		ssize_t n = write(STDERR_FILENO, s.p, s.n);

		if (n > 0)
			s = jw_span_sub(s, (size_t)n, s.n);
		else if (n == 0 || errno != EINTR)
			return;
	}
}

static void wipe_progress(struct cli *cli)
{
	if (cli->progress_shown)
		send_err(JW_SPAN_LIT("\r\033[K"));
	cli->progress_shown = false;
}

static void message(struct cli *cli, const char *color, const char *kind, struct jw_span text)
{
	struct jw_buf line = { 0 };

	wipe_progress(cli);
	send_out(cli); /* so that lines on a terminal keep the order in which they were written */
	jw_put_fmt(&line, "jweave: %s%s%s", cli->color ? color : "", kind,
		   cli->color && *color ? "\033[0m" : "");
	cli_put_escaped(&line, text);
	jw_put_u1(&line, '\n');
	if (line.failed == JW_OK)
		send_err(jw_buf_span(&line));
	jw_buf_free(&line);
}

static void warn(struct cli *cli, const char *text)
{
	message(cli, "\033[1;33m", "warning: ", jw_span_str(text));
}

/* Of each kind one warning, with how many more there are. */
static void tell_waiting(struct cli *cli)
{
	const char *text;
	size_t more;

	while (cli_alike_next(&cli->alike, &text, &more)) {
		const char *counted =
			more ? jw_arena_fmt(&cli->arena,
					    "%s (and %zu more of this kind: -v tells each)", text,
					    more)
			     : NULL;

		warn(cli, counted ? counted : text);
	}
}

void cli_error(struct cli *cli, const char *text)
{
	tell_waiting(cli);
	message(cli, "\033[1;31m", "error: ", jw_span_str(text));
}

#define TEXT_MAX 8192

void cli_warn(struct cli *cli, const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n >= 0 && (cli_verbose(cli) || !cli_alike_waits(&cli->alike, &cli->arena, text)))
		warn(cli, text);
}

JW_PRINTF(4, 0)
static void message_v(struct cli *cli, const char *color, const char *kind, const char *fmt,
		      va_list ap)
{
	char text[TEXT_MAX];
	int n = vsnprintf(text, sizeof(text), fmt, ap);

	if (n < 0)
		return;
	tell_waiting(cli);
	message(cli, color, kind,
		jw_span(text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1));
}

void cli_note(struct cli *cli, const char *fmt, ...)
{
	va_list ap;

	if (cli_quiet(cli))
		return;
	va_start(ap, fmt);
	message_v(cli, "\033[1;36m", "note: ", fmt, ap);
	va_end(ap);
}

void cli_detail(struct cli *cli, const char *fmt, ...)
{
	va_list ap;

	if (!cli_verbose(cli))
		return;
	va_start(ap, fmt);
	message_v(cli, "", "", fmt, ap);
	va_end(ap);
}

/* ---- progress ---- */

#define PROGRESS_AFTER 1.0 /* seconds: shorter work needs none */
#define PROGRESS_EVERY 0.2

static double now(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct cli_progress cli_progress_begin(struct cli *cli, const char *what, bool bytes)
{
	return (struct cli_progress){ .cli = cli, .what = what, .began = now(), .bytes = bytes };
}

void cli_progress_text(struct jw_buf *out, const struct cli_progress *p, double passed, double done,
		       double all)
{
	double share = all > 0 && done <= all ? done / all : 1;

	jw_put_fmt(out, "%s %3.0f %%", p->what, 100 * share);
	if (p->bytes && passed > 0)
		jw_put_fmt(out, ", %.1f MB/s", done / passed / 1e6);
	if (share > 0 && share < 1) {
		double left = passed / share - passed;
		unsigned seconds = left < 359999 ? (unsigned)(left + 0.5) : 359999;

		jw_put_fmt(out, ", %u:%02u left", seconds / 60, seconds % 60);
	}
}

void cli_progress_step(struct cli_progress *p, double done, double all)
{
	double t;
	struct jw_buf line = { 0 };

	if (!p->cli->progress_allowed)
		return;
	t = now();
	if (t - p->began < PROGRESS_AFTER || t - p->drawn < PROGRESS_EVERY)
		return;
	p->drawn = t;
	jw_put_str(&line, "\r");
	cli_progress_text(&line, p, t - p->began, done, all);
	jw_put_str(&line, "\033[K");
	if (line.failed == JW_OK)
		send_err(jw_buf_span(&line));
	jw_buf_free(&line);
	p->cli->progress_shown = true;
}

void cli_progress_told(void *progress, double done, double all)
{
	cli_progress_step(progress, done, all);
}

void cli_progress_end(struct cli_progress *p)
{
	wipe_progress(p->cli);
}
