/*
 * serve.c: see serve.h.
 */
#include "cli/serve.h"

#include "cli/serve_library.h"

#if !JW_HAVE_libmicrohttpd
#include "base/banned.h"

enum jw_status cli_serve_check(struct jw_err *e)
{
	return jw_fail(e, JW_IO,
		       "this jweave serves no pages: it was built without libmicrohttpd (Debian: "
		       "libmicrohttpd-dev); without --serve there is a page as a file");
}

enum jw_status cli_serve(struct cli *cli, const struct trace_index *index, unsigned port,
			 bool browse, struct jw_err *e)
{
	(void)cli;
	(void)index;
	(void)port;
	(void)browse;
	return cli_serve_check(e);
}
#else
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/memory.h"
#include "cli/browser.h"
#include "cli/out.h"
#include "cli/serve_answer.h"

#include "base/banned.h"

enum {
	CONNECTIONS = 200,
	REQUEST_BYTES = 16 << 10,
	IDLE_SECONDS = 15, /* of a connection */
	/* of the page: after it said that it is closed; when nothing asks at all */
	GONE_SECONDS = 90,
	SILENT_SECONDS = 600,
};
#define WAITING_BYTES ((size_t)256 << 20)

struct server {
	struct cli_serve_site site;
	struct cli_serve_library lib;
	struct MHD_Daemon *daemon;
	_Atomic size_t waiting; /* bytes of answers that are not sent yet */
	_Atomic int64_t heard;  /* when a request came; 0: never */
	_Atomic bool gone;      /* the page said so, and nothing asked since */
};

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1;
}

/* ---- answers ---- */

/* X(name, value): headers of every answer. */
#define HEADER_LIST(X)                                 \
	X("Cache-Control", "no-store")                 \
	X("X-Content-Type-Options", "nosniff")         \
	X("X-Frame-Options", "DENY")                   \
	X("Referrer-Policy", "no-referrer")            \
	X("Cross-Origin-Opener-Policy", "same-origin") \
	X("Cross-Origin-Resource-Policy", "same-origin")

/* The page has a policy of its own, too; this is for whatever else a browser may take for one. */
#define NO_PAGE  "default-src 'none'; frame-ancestors 'none'; sandbox"
#define THE_PAGE "frame-ancestors 'none'"

/* Bytes that are being sent. */
struct sent {
	struct server *server;
	size_t n;
	uint8_t *bytes;
};

static void free_sent(void *cls)
{
	struct sent *sent = cls;

	atomic_fetch_sub(&sent->server->waiting, sent->n);
	jw_mem_free(sent->bytes);
	jw_mem_free(sent);
}

static struct MHD_Response *respond_bytes(struct server *s, struct jw_buf *body)
{
	struct sent *sent = jw_mem_zalloc(1, sizeof(*sent));

	if (!sent)
		return NULL;
	*sent = (struct sent){ s, body->n, body->p };
	*body = (struct jw_buf){ 0 };
	atomic_fetch_add(&s->waiting, sent->n);
	struct MHD_Response *r = s->lib.MHD_create_response_from_buffer_with_free_callback_cls(
		sent->n, sent->bytes, free_sent, sent);

	if (!r)
		free_sent(sent);
	return r;
}

static struct MHD_Response *respond_page(const struct server *s)
{
	struct trace_index_page page = trace_index_page(s->site.index);
	int fd = dup(page.fd);
	struct MHD_Response *r =
		fd < 0 ? NULL : s->lib.MHD_create_response_from_fd_at_offset64(page.n, fd, page.at);

	if (!r && fd >= 0)
		(void)close(fd);
	return r;
}

static struct MHD_Response *respond(struct server *s, struct cli_serve_answer *a)
{
	if (a->kind == CLI_SERVE_PAGE)
		return respond_page(s);
	if (a->body.failed != JW_OK)
		return NULL;
	return respond_bytes(s, &a->body);
}

static enum MHD_Result send_answer(struct server *s, struct MHD_Connection *c,
				   struct cli_serve_answer *a)
{
	static const char *const types[] = {
		[CLI_SERVE_TEXT] = "text/plain; charset=utf-8",
		[CLI_SERVE_BYTES] = "application/octet-stream",
		[CLI_SERVE_PAGE] = "text/html; charset=utf-8",
		[CLI_SERVE_HERE] = "text/plain",
		[CLI_SERVE_GONE] = "text/plain",
	};
	struct MHD_Response *r = respond(s, a);

	if (!r)
		return MHD_NO;
	bool done = s->lib.MHD_add_response_header(r, "Content-Type", types[a->kind]) == MHD_YES &&
		    s->lib.MHD_add_response_header(r, "Content-Security-Policy",
						   a->kind == CLI_SERVE_PAGE ? THE_PAGE
									     : NO_PAGE) == MHD_YES;
#define HEADER(name, value) \
	done = done && s->lib.MHD_add_response_header(r, name, value) == MHD_YES;
	HEADER_LIST(HEADER)
#undef HEADER
	if (a->status == 405)
		done = done && s->lib.MHD_add_response_header(r, "Allow", "GET") == MHD_YES;
	enum MHD_Result sent = done ? s->lib.MHD_queue_response(c, a->status, r) : MHD_NO;

	s->lib.MHD_destroy_response(r);
	return sent;
}

/* ---- requests ---- */

static const char *value(const struct server *s, struct MHD_Connection *c, enum MHD_ValueKind kind,
			 const char *name)
{
	return s->lib.MHD_lookup_connection_value(c, kind, name);
}

/* X(member, name): headers that say who asks. */
#define WHO_LIST(X)         \
	X(host, "Host")     \
	X(origin, "Origin") \
	X(site, "Sec-Fetch-Site")

struct asker {
#define MEMBER(member, name) const char *member;
	WHO_LIST(MEMBER)
#undef MEMBER
	bool twice; /* one of them is there twice, and one may be of another site */
};

/* The library tells texts without lengths, of what it calls lengths, too: what comes after a zero byte in a path
 * or a header is seen by nobody here. What is before it is all that is compared and answered. */
static enum MHD_Result note_asker(void *cls, enum MHD_ValueKind kind, const char *name,
				  const char *text)
{
	struct asker *who = cls;

	(void)kind;
#define NOTE(member, of)                           \
	if (strcasecmp(name, of) == 0) {           \
		who->twice |= who->member != NULL; \
		who->member = text ? text : "";    \
	}
	WHO_LIST(NOTE)
#undef NOTE
	return MHD_YES;
}

/* Once for the head of a request, where what has a body is refused; and again at its end.
 * NOLINTBEGIN(readability-function-size, readability-non-const-parameter): as the library calls it */
static enum MHD_Result take_request(void *cls, struct MHD_Connection *c, const char *path,
				    const char *method, const char *version, const char *upload,
				    size_t *upload_n, void **state)
/* NOLINTEND(readability-function-size, readability-non-const-parameter) */
{
	struct server *s = cls;
	struct asker who = { 0 };

	(void)s->lib.MHD_get_connection_values(c, MHD_HEADER_KIND, note_asker, &who);
	const struct cli_serve_request request = {
		.method = method,
		.path = path,
		.host = who.twice ? NULL : who.host,
		.origin = who.origin,
		.site = who.site,
		.rows = value(s, c, MHD_GET_ARGUMENT_KIND, "rows"),
		.from = value(s, c, MHD_GET_ARGUMENT_KIND, "from"),
		.to = value(s, c, MHD_GET_ARGUMENT_KIND, "to"),
		.has_body = value(s, c, MHD_HEADER_KIND, "Content-Length") ||
			    value(s, c, MHD_HEADER_KIND, "Transfer-Encoding"),
	};
	struct cli_serve_answer answer;

	(void)version;
	(void)upload;
	(void)upload_n;
	if (!*state && !request.has_body) {
		*state = s;
		return MHD_YES;
	}
	if (atomic_load(&s->waiting) > WAITING_BYTES)
		return MHD_NO;
	cli_serve_answer(&s->site, &request, &answer);
	if (answer.kind != CLI_SERVE_TEXT) {
		atomic_store(&s->heard, now());
		atomic_store(&s->gone, answer.kind == CLI_SERVE_GONE);
	}
	enum MHD_Result sent = send_answer(s, c, &answer);

	jw_buf_free(&answer.body);
	return sent;
}

/* ---- from begin to end ---- */

/* Nothing that is asked for needs %XX: as it was sent it is no path that there is. */
static size_t leave_escaped(void *cls, struct MHD_Connection *c, char *text)
{
	(void)cls;
	(void)c;
	return strlen(text);
}

static enum jw_status make_token(char *out, struct jw_err *e)
{
	uint8_t bytes[(CLI_SERVE_TOKEN - 1) / 2];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return jw_fail(e, JW_IO, "the system gives no random bytes");
	for (size_t i = 0; i < sizeof(bytes); i++) {
		out[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		out[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	out[CLI_SERVE_TOKEN - 1] = 0;
	return JW_OK;
}

static enum jw_status start(struct server *s, unsigned port, struct jw_err *e)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons((uint16_t)port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	errno = 0;
	s->daemon = s->lib.MHD_start_daemon(
		MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, take_request, s,
		MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES,
		MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL,
		MHD_OPTION_END);
	if (!s->daemon)
		return jw_fail_errno(e, errno ? errno : EADDRINUSE,
				     "the page cannot be served at port %u of 127.0.0.1", port);
	const union MHD_DaemonInfo *info =
		s->lib.MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);

	s->site.port = info ? info->port : port;
	return JW_OK;
}

/* The address must be in no list of processes, where other users see it: the desktop gets a file of the
 * user's own that leads there. NULL: there is no folder that nobody else sees. */
static const char *make_door(struct cli *cli, const char *address)
{
	const char *folder = getenv("XDG_RUNTIME_DIR");
	struct jw_err ignored = { 0 };
	char *path = folder && *folder == '/' ? jw_arena_fmt(&cli->arena, "%s/jweave-view-%ld.html",
							     folder, (long)getpid())
					      : NULL;
	char *text = jw_arena_fmt(&cli->arena,
				  "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" "
				  "content=\"no-referrer\"><meta http-equiv=\"refresh\" "
				  "content=\"0;url=%s\"><title>jweave</title>\n",
				  address);

	if (!path || !text || cli_write_file(path, 0600, jw_span_str(text), &ignored) != JW_OK)
		return NULL;
	jw_guard_add(path);
	return path;
}

static bool is_over(struct server *s)
{
	int64_t heard = atomic_load(&s->heard);
	int64_t most = atomic_load(&s->gone) ? GONE_SECONDS : SILENT_SECONDS;

	return heard && now() - heard > most;
}

static enum jw_status answer_until_over(struct cli *cli, struct server *s, bool browse,
					struct jw_err *e)
{
	const struct timespec moment = { .tv_nsec = 500000000 };
	const char *address =
		jw_arena_fmt(&cli->arena, "http://127.0.0.1:%u/%s/", s->site.port, s->site.token);

	if (!address)
		return jw_nomem(e);
	cli_put(cli, "%s\n", address);
	JW_TRY(cli_flush(cli, e));
	const char *door = browse ? make_door(cli, address) : NULL;

	if (door)
		(void)cli_browse(door);
	while (!is_over(s))
		(void)nanosleep(&moment, NULL);
	if (door) {
		(void)unlink(door);
		jw_guard_drop(door);
	}
	return JW_OK;
}

enum jw_status cli_serve_check(struct jw_err *e)
{
	struct cli_serve_library lib;

	return cli_serve_load(&lib, e);
}

enum jw_status cli_serve(struct cli *cli, const struct trace_index *index, unsigned port,
			 bool browse, struct jw_err *e)
{
	struct server s = { .site = { .index = index } };

	JW_TRY(cli_serve_load(&s.lib, e));
	JW_TRY(make_token(s.site.token, e));
	JW_TRY(start(&s, port, e));
	enum jw_status status = answer_until_over(cli, &s, browse, e);

	s.lib.MHD_stop_daemon(s.daemon);
	return status;
}
#endif
