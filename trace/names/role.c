#include "trace/names/role.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/java_options.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

enum form { ALONE, OPTION, WORD };

static const struct known {
	enum trace_role_order order;
	const char *main, *words, *name;
	enum form form;
	const char *argument;
} known[] = {
#define TRACE_ROLE(order, main, words, name, form, argument) \
	{ TRACE_ROLE_##order, main, words, name, form, argument },
#include "trace/names/roles.def"
};

enum { KNOWN = sizeof(known) / sizeof(known[0]) };

/* ---- what was started ---- */

/* The next word of *TEXT, which moves past it; empty: there is none. */
static struct jw_span next_word(const char **text)
{
	*text += strspn(*text, " ");
	struct jw_span word = jw_span(*text, strcspn(*text, " "));

	*text += word.n;
	return word;
}

/* The main class or jar, and what follows, of a whole command line. */
static const char *after_options(const char *command)
{
	next_word(&command); /* java */
	for (;;) {
		const char *here = command + strspn(command, " ");
		struct jw_span word = next_word(&command);

		if (jw_span_eq_str(word, "-jar") || jw_span_eq_str(word, "-m") ||
		    jw_span_eq_str(word, "--module"))
			return command + strspn(command, " ");
		if (!word.n || (word.p[0] != '-' && word.p[0] != '@'))
			return here;
		if (jw_java_takes_word(word))
			next_word(&command);
	}
}

/* "module/pack.Main" is pack.Main; a jar keeps its path. */
static struct jw_span class_of(struct jw_span main)
{
	const uint8_t *slash = main.n ? memchr(main.p, '/', main.n) : NULL;

	if (!slash || jw_span_ends(main, JW_SPAN_LIT(".jar")))
		return main;
	size_t at = (size_t)(slash - main.p) + 1;
	return jw_span_sub(main, at, main.n - at);
}

/* PATTERN: text with at most one star. */
static bool fits(const char *pattern, struct jw_span text)
{
	const char *star = strchr(pattern, '*');

	if (!star)
		return jw_span_eq_str(text, pattern);
	struct jw_span front = jw_span(pattern, (size_t)(star - pattern)),
		       end = jw_span_str(star + 1);
	return text.n >= front.n + end.n && jw_span_starts(text, front) && jw_span_ends(text, end);
}

/* The word of ARGUMENTS after OPTION ("--id 3", "--id=3"); empty: there is none. */
static struct jw_span value_of(const char *arguments, const char *option)
{
	struct jw_span name = jw_span_str(option), word;

	while ((word = next_word(&arguments)).n) {
		if (jw_span_eq(word, name))
			return next_word(&arguments);
		if (jw_span_starts(word, name) && word.n > name.n && word.p[name.n] == '=')
			return jw_span_sub(word, name.n + 1, word.n - name.n - 1);
	}
	return word;
}

/* The word of ARGUMENTS that begins with FRONT; empty: there is none. */
static struct jw_span word_with(const char *arguments, const char *front)
{
	struct jw_span word;

	while ((word = next_word(&arguments)).n && !jw_span_starts(word, jw_span_str(front)))
		;
	return word;
}

static bool number_of(struct jw_span text, uint64_t *out)
{
	uint64_t n = 0;

	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] < '0' || text.p[i] > '9' || i >= 18)
			return false;
		n = 10 * n + (uint64_t)(text.p[i] - '0');
	}
	*out = n;
	return text.n > 0;
}

/* ---- one process ---- */

static const char *keep(struct jw_arena *arena, struct jw_span text)
{
	return jw_arena_str(arena, text);
}

/* "executor 3": its number is 3. */
static void take_name(const char *name, struct trace_role *out, struct jw_arena *arena)
{
	const char *blank = strrchr(name, ' ');

	out->name = out->kind = name;
	out->numbered = blank && number_of(jw_span_str(blank + 1), &out->number);
	if (out->numbered)
		out->kind = keep(arena, jw_span(name, (size_t)(blank - name)));
}

/* What the user says; where it is a role of the table, too, it has its order. */
static void take_said(const char *said, struct trace_role *out, struct jw_arena *arena)
{
	take_name(said, out, arena);
	out->known = true;
	for (size_t i = 0; out->kind && i < KNOWN; i++)
		if (strcmp(out->kind, known[i].name) == 0) {
			out->order = known[i].order;
			return;
		}
}

static void take_known(const struct known *role, const char *arguments, struct trace_role *out,
		       struct jw_arena *arena)
{
	struct jw_span which = { 0 };

	out->order = role->order;
	out->known = true;
	out->name = out->kind = role->name;
	if (role->form == OPTION)
		which = value_of(arguments, role->argument);
	else if (role->form == WORD)
		which = word_with(arguments, role->argument);
	if (!which.n)
		return;
	out->name = role->form == WORD ? keep(arena, which)
				       : jw_arena_fmt(arena, "%s %.*s", role->name, (int)which.n,
						      (const char *)which.p);
	out->numbered = role->form == OPTION && number_of(which, &out->number);
}

/* The short name of a class, or of a jar. */
static const char *short_name(struct jw_span main, struct jw_arena *arena)
{
	bool jar = jw_span_ends(main, JW_SPAN_LIT(".jar"));
	size_t at = main.n;

	while (at && main.p[at - 1] != (jar ? '/' : '.'))
		at--;
	return keep(arena, jw_span_sub(main, at, main.n - at));
}

static const char *application_of(const struct trace_recording *rec, const char *arguments,
				  struct jw_arena *arena)
{
	if (rec->application[0])
		return rec->application;
	struct jw_span id = value_of(arguments, "--app-id");
	if (id.n)
		return keep(arena, id);
	/* attempt_1410901177871_0001_m_000003_0 */
	struct jw_span attempt = word_with(arguments, "attempt_");
	size_t n = 0, bars = 0;
	for (; n < attempt.n; n++)
		if (attempt.p[n] == '_' && ++bars == 3)
			return jw_arena_fmt(arena, "application_%.*s",
					    (int)(n - strlen("attempt_")),
					    (const char *)attempt.p + strlen("attempt_"));
	return "";
}

enum jw_status trace_role_of(const struct trace_recording *rec, struct jw_arena *arena,
			     struct trace_role *out, struct jw_err *e)
{
	const char *arguments = rec->main[0] ? rec->main : after_options(rec->command);
	struct jw_span main = class_of(next_word(&arguments));
	const struct known *role = NULL;

	*out = (struct trace_role){ .name = "",
				    .kind = "",
				    .main = "",
				    .arguments = arguments,
				    .order = TRACE_ROLE_OTHER,
				    .pid = rec->pid,
				    .host = rec->host,
				    .began = rec->start_point.wall_ns };
	for (size_t i = 0; i < KNOWN && !role; i++)
		if (fits(known[i].main, main) && strstr(arguments, known[i].words))
			role = &known[i];
	out->application = application_of(rec, arguments, arena);
	if (rec->role[0]) {
		take_said(rec->role, out, arena);
	} else if (role) {
		take_known(role, arguments, out, arena);
	} else if (rec->has_rank) {
		out->kind = "rank";
		out->order = TRACE_ROLE_WORKER;
		out->number = rec->rank;
		out->known = out->numbered = out->is_rank = true;
		out->ranks = rec->ranks;
		out->name = jw_arena_fmt(arena, "rank %llu", (unsigned long long)rec->rank);
	} else {
		out->name = out->kind = short_name(main, arena);
		out->main = jw_span_ends(main, JW_SPAN_LIT(".jar")) ? "" : keep(arena, main);
	}
	return out->name && out->kind && out->main && out->application ? JW_OK : jw_nomem(e);
}

/* ---- all of a job ---- */

/* As strcmp(), but digits count as numbers: "m_2" is before "m_10". */
static int compare_names(const char *a, const char *b)
{
	static const char digits[] = "0123456789";

	while (*a && *b) {
		size_t x = strspn(a, digits), y = strspn(b, digits);

		if (x && y) {
			for (; x > 1 && *a == '0'; x--)
				a++;
			for (; y > 1 && *b == '0'; y--)
				b++;
			int differ = x != y ? (x < y ? -1 : 1) : strncmp(a, b, x);
			if (differ)
				return differ;
			a += x;
			b += y;
		} else if (*a != *b) {
			break;
		} else {
			a++;
			b++;
		}
	}
	return (unsigned char)*a - (unsigned char)*b;
}

static int by_role(const void *a, const void *b)
{
	const struct trace_role *x = a, *y = b;
	int differ = 0;

	if (x->of_jobs != y->of_jobs)
		return x->of_jobs < y->of_jobs ? -1 : 1;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	if (x->order != TRACE_ROLE_OTHER)
		differ = compare_names(x->kind, y->kind);
	if (!differ && x->numbered && y->numbered && strcmp(x->kind, y->kind) == 0)
		differ = x->number < y->number ? -1 : x->number > y->number;
	else if (!differ && x->order != TRACE_ROLE_OTHER)
		differ = compare_names(x->name, y->name);
	return differ ? differ : x->at < y->at ? -1 : x->at > y->at;
}

static int by_name(const void *a, const void *b)
{
	const struct trace_role *const *x = a, *const *y = b;
	int differ = strcmp((*x)->name, (*y)->name);

	return differ ? differ : (*x)->at < (*y)->at ? -1 : (*x)->at > (*y)->at;
}

static int by_application(const void *a, const void *b)
{
	const struct trace_role *const *x = a, *const *y = b;
	int differ = strcmp((*x)->application, (*y)->application);

	return differ ? differ : (*x)->at < (*y)->at ? -1 : (*x)->at > (*y)->at;
}

static int by_first(const void *a, const void *b)
{
	const struct trace_role *const *x = a, *const *y = b;

	return (*x)->at < (*y)->at ? -1 : (*x)->at > (*y)->at;
}

static int by_life(const void *a, const void *b)
{
	const struct trace_role *const *x = a, *const *y = b;

	if ((*x)->began != (*y)->began)
		return (*x)->began < (*y)->began ? -1 : 1;
	return (*x)->at < (*y)->at ? -1 : (*x)->at > (*y)->at;
}

static bool is_lone_driver(const struct trace_role *r)
{
	return r->order == TRACE_ROLE_DRIVER && !r->application[0];
}

/* LIST is sorted by begin. A driver does not know which its application is: it is the one that begins next,
 * if between two drivers one alone does; after a driver without any it may be that one's. ROOM is for N. */
static void find_drivers(struct trace_role **list, size_t n, const char **room)
{
	size_t told = 0;
	bool waits = false;

	for (size_t i = 0, end; i < n; i = end) {
		bool driver = is_lone_driver(list[i]), several = false;
		const char *first = NULL;

		for (end = driver ? i + 1 : i; end < n && !is_lone_driver(list[end]); end++) {
			const char *application = list[end]->application;
			bool is_new = application[0];

			for (size_t k = 0; k < told && is_new; k++)
				is_new = strcmp(room[k], application) != 0;
			if (!is_new)
				continue;
			several |= first != NULL;
			first = room[told++] = application;
		}
		if (driver && first && !several && !waits)
			list[i]->application = first;
		waits = driver && !first;
	}
}

/* LIST is sorted by application: each gets the number of its first one in order of `at`. */
static void number_applications(struct trace_role **list, size_t n, struct trace_role **firsts)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		if (list[i]->application[0] &&
		    (!i || strcmp(list[i - 1]->application, list[i]->application) != 0))
			firsts[count++] = list[i];
	if (count > 1)
		qsort(firsts, count, sizeof(struct trace_role *), by_first);
	for (size_t i = 0; i < count; i++)
		firsts[i]->of_jobs = (uint32_t)i + 1;
	for (size_t i = 0; i < n; i++) {
		if (!list[i]->application[0])
			list[i]->of_jobs = count > 1 ? (uint32_t)count + 1 : 1;
		else if (!list[i]->of_jobs)
			list[i]->of_jobs = list[i - 1]->of_jobs;
	}
}

/* How many arguments are looked at, and how long one may be that is to be a part of a name. */
enum { ARGUMENTS = 8, ARGUMENT_MAX = 32 };

/* The argument AT of ROLE, of a path its last part; empty: it has none, or one that is no name. */
static struct jw_span argument(const struct trace_role *role, unsigned at)
{
	const char *rest = role->arguments;
	struct jw_span word;

	do
		word = next_word(&rest);
	while (word.n && at--);
	for (size_t i = word.n; i-- > 0;)
		if (word.p[i] == '/')
			return i + 1 + ARGUMENT_MAX >= word.n
				       ? jw_span_sub(word, i + 1, word.n - i - 1)
				       : jw_span(NULL, 0);
	return word.n <= ARGUMENT_MAX ? word : jw_span(NULL, 0);
}

static int by_text(const void *a, const void *b)
{
	return jw_span_cmp(*(const struct jw_span *)a, *(const struct jw_span *)b);
}

/* The first argument that all N of LIST have, each another one (or, in PART, not all the same);
 * ARGUMENTS: there is none. ROOM is for N. */
static unsigned telling_argument(struct trace_role *const *list, size_t n, bool part,
				 struct jw_span *room)
{
	for (unsigned at = 0; at < ARGUMENTS; at++) {
		size_t i = 0, same = 0;

		while (i < n && (room[i] = argument(list[i], at)).n)
			i++;
		if (i < n)
			continue;
		qsort(room, n, sizeof(*room), by_text);
		for (i = 1; i < n; i++)
			same += jw_span_eq(room[i - 1], room[i]);
		if (same == 0 || (part && same + 1 < n))
			return at;
	}
	return ARGUMENTS;
}

/* Another name for ROLE, whose own several have; on HOSTS, if these have several. */
static const char *name_apart(const struct trace_role *role, unsigned at, bool hosts,
			      struct jw_arena *arena)
{
	struct jw_span told = at < ARGUMENTS ? argument(role, at) : jw_span(NULL, 0);

	if (told.n)
		return jw_arena_fmt(arena, "%s %.*s", role->name, (int)told.n,
				    (const char *)told.p);
	return jw_arena_fmt(arena, "%s %llu%s%s", role->name, (unsigned long long)role->pid,
			    hosts ? "@" : "", hosts ? role->host : "");
}

/* How many of LIST (by name) have the name of the first; do they have several hosts, or pids? */
static size_t count_namesakes(struct trace_role *const *list, size_t n, bool *hosts, bool *pids)
{
	size_t end = 1;

	*hosts = *pids = false;
	for (; end < n && strcmp(list[end]->name, list[0]->name) == 0; end++) {
		*hosts |= strcmp(list[end]->host, list[0]->host) != 0;
		*pids |= list[end]->pid != list[0]->pid;
	}
	return end;
}

/* All N of LIST get other names; HOSTS: by their hosts, too. */
static bool rename_all(struct trace_role **list, size_t n, unsigned at, bool hosts,
		       struct jw_arena *arena)
{
	for (size_t i = 0; i < n; i++) {
		list[i]->name = name_apart(list[i], at, hosts, arena);
		if (!list[i]->name)
			return false;
	}
	return true;
}

/* Gives those of LIST (by name) that share theirs another one. PARTS: first by an argument that some
 * have in common, where none is of each. */
static bool tell_apart(struct trace_role **list, size_t n, bool parts, struct jw_span *room,
		       struct jw_arena *arena)
{
	for (size_t i = 0, namesakes; i < n; i += namesakes) {
		bool hosts, pids;

		namesakes = count_namesakes(list + i, n - i, &hosts, &pids);
		/* without any name, host and pid are shown anyway */
		if (namesakes == 1 || !*list[i]->name)
			continue;
		unsigned at = telling_argument(list + i, namesakes, false, room);
		unsigned part = at == ARGUMENTS && parts
					? telling_argument(list + i, namesakes, true, room)
					: ARGUMENTS;

		if (at == ARGUMENTS && part == ARGUMENTS && !hosts && !pids)
			continue;
		if (!rename_all(list + i, namesakes, part < ARGUMENTS ? part : at, hosts, arena))
			return false;
		if (part == ARGUMENTS)
			continue;
		qsort(list + i, namesakes, sizeof(struct trace_role *), by_name);
		if (!tell_apart(list + i, namesakes, false, room, arena))
			return false;
	}
	return true;
}

/* Processes of several pid namespaces may have all in common but when they began: they get their
 * numbers. LIST has room for all N of ROLES, which are in order. */
static bool number_twins(struct trace_role *roles, size_t n, struct trace_role **list,
			 struct jw_arena *arena)
{
	for (size_t i = 0; i < n; i++)
		list[i] = &roles[i];
	if (n > 1)
		qsort(list, n, sizeof(struct trace_role *), by_name);
	for (size_t i = 0, end; i < n; i = end) {
		const char *name = list[i]->name;
		bool twins = false; /* two of one process, as a dump, are none */

		for (end = i + 1; end < n && strcmp(list[end]->name, name) == 0; end++)
			twins |= list[end]->began != list[i]->began;
		for (size_t k = i; k < end && twins && *name; k++) {
			list[k]->name =
				jw_arena_fmt(arena, "%s #%zu", name, (size_t)(list[k] - roles) + 1);
			if (!list[k]->name)
				return false;
		}
	}
	return true;
}

/* Of LIST (by name) those that share theirs, but are of several main classes, are called by all of these. */
static void call_whole(struct trace_role **list, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		const char *name = list[i]->name;
		bool whole = list[i]->main[0], several = false;

		for (end = i + 1; end < n && strcmp(list[end]->name, name) == 0; end++) {
			whole &= list[end]->main[0] != 0;
			several |= strcmp(list[end]->main, list[i]->main) != 0;
		}
		for (size_t k = i; k < end && whole && several; k++)
			list[k]->name = list[k]->kind = list[k]->main;
	}
	if (n > 1)
		qsort(list, n, sizeof(struct trace_role *), by_name);
}

enum jw_status trace_roles_settle(struct trace_role *roles, size_t n, struct jw_arena *arena,
				  struct jw_err *e)
{
	struct trace_role **list = JW_NEW_ARRAY(arena, struct trace_role *, 2 * n + 1);
	struct jw_span *room = JW_NEW_ARRAY(arena, struct jw_span, n + 1);

	if (!list || !room)
		return jw_nomem(e);
	for (size_t i = 0; i < n; i++) {
		roles[i].at = (uint32_t)i;
		roles[i].of_jobs = 0;
		list[i] = &roles[i];
	}
	if (n > 1)
		qsort(list, n, sizeof(struct trace_role *), by_life);
	find_drivers(list, n, (const char **)(void *)(list + n));
	if (n > 1)
		qsort(list, n, sizeof(struct trace_role *), by_application);
	number_applications(list, n, list + n);
	if (n > 1)
		qsort(list, n, sizeof(struct trace_role *), by_name);
	call_whole(list, n);
	if (!tell_apart(list, n, true, room, arena))
		return jw_nomem(e);
	if (n > 1)
		qsort(roles, n, sizeof(*roles), by_role);
	return number_twins(roles, n, list, arena) ? JW_OK : jw_nomem(e);
}
