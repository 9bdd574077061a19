#include "runtime-jni/recorder/run_message.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/open_archives.h"
#include "base/settings.h"

#include "base/banned.h"

enum { MOST_OPEN = 4096 };

struct telling {
	struct jw_buf *out;
	unsigned count;
};

static void put_open(void *ctx, const char *path)
{
	struct telling *t = ctx;

	if (t->count == MOST_OPEN || strchr(path, '\n'))
		return;
	jw_put_fmt(t->out, "open\t%s\n", path);
	t->count++;
}

static const char *listener;

void rt_starter_listens_at(const char *file)
{
	listener = file;
}

/* NULL: there is none. */
static const char *the_file(void)
{
	return listener ? listener : getenv(JW_TELL_VARIABLE);
}

bool rt_starter_listens(void)
{
	const char *file = the_file();

	return file && *file;
}

void rt_put_loaded(struct jw_buf *text, unsigned classes, const char *package)
{
	if (!strpbrk(package, "\t\n"))
		jw_put_fmt(text, "loaded\t%u\t%s\n", classes, package);
}

void rt_tell_starter_text(const struct jw_buf *text)
{
	const char *file = the_file();
	int fd = file ? open(file, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;

	if (fd < 0)
		return;
	/* one write: lines of several processes do not mix */
	ssize_t done = text->failed ? 0 : write(fd, text->p, text->n);
	(void)done; /* only something less is said then */
	close(fd);
}

void rt_tell_starter_said(void)
{
	struct jw_buf line = { 0 };

	jw_put_str(&line, "said\n");
	rt_tell_starter_text(&line);
	jw_buf_free(&line);
}

void rt_tell_starter(const struct trace_summary *s, const char *base, const char *suffix)
{
	struct jw_buf line = { 0 };
	struct telling telling = { &line, 0 };

	if (!rt_starter_listens() || strchr(base, '\n'))
		return;
	jw_put_fmt(&line, "trace\t%llu\t%llu\t%u\t%u\t%llu\t%llu\t%s%s\n",
		   (unsigned long long)s->calls, (unsigned long long)s->others, s->methods,
		   s->threads, (unsigned long long)s->duration_ns, (unsigned long long)s->inside_ns,
		   base, suffix);
	for (size_t i = 0; i < s->small_count; i++)
		jw_put_fmt(&line, "small\t%s\t%s\t%s\n", s->small[i].class_name, s->small[i].name,
			   s->small[i].descriptor);
	jw_each_open_archive("/proc/self/fd", put_open, &telling);
	rt_tell_starter_text(&line);
	jw_buf_free(&line);
}
