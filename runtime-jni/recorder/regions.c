#include "runtime-jni/recorder/regions.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime-jni/recorder/budget.h"
#include "runtime-jni/recorder/session.h"
#include "trace/format/methodmap.h"

#include "base/banned.h"

#define MOST_NAME 1024 /* bytes; labels of a trace are cut far below */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool begun, failed; /* the map */

static void put_lines(struct jw_buf *out, uint64_t hash, struct jw_span name)
{
	const struct trace_map_method method = {
		.name = name,
		.rule = JW_SPAN_LIT("region"),
		.label = JW_SPAN_LIT("{method}"),
	};

	if (!begun)
		trace_map_put_header(out);
	trace_map_put_class(out, hash, JW_SPAN_LIT("region"), (struct jw_span){ 0 });
	trace_map_put_method(out, &method);
}

/* In one write, so that kill -9 leaves whole lines. */
static bool append(const char *folder, struct jw_span lines)
{
	char path[4096];
	int n = snprintf(path, sizeof(path), "%s/" JWR_REGIONS, folder);

	if (n < 0 || (size_t)n >= sizeof(path))
		return false;
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		return false;
	ssize_t written = write(fd, lines.p, lines.n);
	close(fd);
	return written >= 0 && (size_t)written == lines.n;
}

static void tell(uint64_t hash, struct jw_span name)
{
	struct rt_recorder_status status;
	struct jw_buf lines = { 0 };

	if (failed || !rt_recorder_status(&status))
		return;
	put_lines(&lines, hash, name);
	failed = lines.failed || !append(status.names.folder, jw_buf_span(&lines));
	begun = true;
	jw_buf_free(&lines);
	if (failed)
		rt_note("names of regions could not be written: some are told by their number");
}

uint64_t rt_region(const char *name)
{
	struct jw_span whole = jw_span_str(name);
	struct jw_buf as_class = { 0 };
	int saved = errno;

	if (whole.n > MOST_NAME)
		whole.n = MOST_NAME;
	jw_put_str(&as_class, "region;");
	jw_put_bytes(&as_class, whole);
	uint64_t hash = as_class.failed ? 0 : trace_class_hash(jw_buf_span(&as_class), 0);
	jw_buf_free(&as_class);
	pthread_mutex_lock(&lock);
	tell(hash, whole);
	pthread_mutex_unlock(&lock);
	errno = saved;
	rt_budget_except(jwr_method_id(hash, 0));
	return jwr_method_id(hash, 0);
}
