/*
 * terminal.c: see terminal.h.
 */
#include "cli/terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/out.h"
#include "cli/safe_text.h"

#include "base/banned.h"

#define LEAST_WIDTH 24 /* of a name, however narrow the terminal is */

enum { COLOR_AUTO, COLOR_ALWAYS }; /* ORDER: the words of --color */

static struct winsize screen(void)
{
	struct winsize size = { 0 };

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return (struct winsize){ 0 };
	return size;
}

size_t cli_screen_columns(void)
{
	return screen().ws_col;
}

size_t cli_screen_lines(void)
{
	return screen().ws_row;
}

bool cli_colored(const struct cli *cli)
{
	return cli->color &&
	       (cli->args.numbers[CLI_OPT_color] == COLOR_ALWAYS || isatty(STDOUT_FILENO));
}

void cli_put_bold(struct cli *cli, bool begins)
{
	if (cli_colored(cli))
		cli_put(cli, "%s", begins ? CLI_BOLD : CLI_NORMAL);
}

/* The bytes of the first COUNT characters of S. */
static size_t bytes_of(struct jw_span s, size_t count)
{
	size_t at = 0;

	while (count-- > 0 && at < s.n) {
		uint32_t point;
		size_t n = jw_utf8_at(jw_span_sub(s, at, s.n), &point);

		at += n ? n : 1;
	}
	return at;
}

void cli_put_cut(struct jw_buf *out, struct jw_span text, size_t width)
{
	size_t all = cli_width(text);

	if (all <= width) {
		jw_put_bytes(out, text);
		return;
	}
	/* the end of a name says more than its begin: the method */
	size_t kept = width > 2 ? width - 2 : 0, head = kept / 3;
	size_t head_bytes = bytes_of(text, head), tail = bytes_of(text, all - (kept - head));

	jw_put_bytes(out, jw_span_sub(text, 0, head_bytes));
	jw_put_str(out, "..");
	jw_put_bytes(out, jw_span_sub(text, tail, text.n));
}

/* How wide the line is until now. What was sent already is not known: then it is too wide. */
static size_t used(const struct cli *cli)
{
	struct jw_span line = jw_buf_span(&cli->out);
	size_t at = line.n;

	while (at > 0 && line.p[at - 1] != '\n')
		at--;
	return cli_width(jw_span_sub(line, at, line.n));
}

void cli_put_method_cut(struct cli *cli, const char *label)
{
	const char *bracket = strstr(label, " [");
	size_t n = bracket ? (size_t)(bracket - label) : strlen(label);
	size_t columns = cli_screen_columns(), before = columns ? used(cli) : 0;
	struct jw_buf name = { 0 }, cut = { 0 };

	while (n && label[n - 1] == ' ')
		n--;
	cli_put_escaped(&name, jw_span(label, n ? n : strlen(label)));
	if (columns && columns < before + LEAST_WIDTH)
		columns = before + LEAST_WIDTH;
	cli_put_cut(&cut, jw_buf_span(&name), columns ? columns - before : SIZE_MAX);
	cli_put_span(cli, jw_buf_span(&cut));
	jw_buf_free(&name);
	jw_buf_free(&cut);
}
