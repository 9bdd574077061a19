/*
 * methodmap.h: the table that gives method ids their names. Written by the weaver into the jar
 * (META-INF/jweave/HASH.map), read when a recording is converted.
 *
 * Text, UTF-8, one item a line, fields separated by TAB, escaped as in recording.h's meta:
 *     jweave-map <TAB> 1                2 <TAB> SALT: with lines r and k; 16 hex digits, of the
 *                                       hashes of the classes that these are about; 3: with n, too
 *     c  CLASSHASH  CLASS  SOURCE       a class: ten hex digits, Java name (dots, $), file or empty
 *     m  INDEX  LINE  ACCESS  NAME  DESCRIPTOR  RULE  [LABEL  [OPERATION  [CAPTURE...]]]
 *                                       a woven method of the class above: index in the class's
 *                                       method table, first line (0: unknown), access flags (hex),
 *                                       rule id, and the label where the rules give one
 *     s  INDEX  LINE  STATE  OWNER  NAME  DESCRIPTOR  METHOD  METHODDESCRIPTOR  RULE
 *        [LABEL  [OPERATION  [CAPTURE...]]]
 *                                       a woven call site in the class above: index from 32768 on,
 *                                       line of the call, Paraver state inside (-: none), the
 *                                       method called, as the call names it, and the method that
 *                                       calls
 *
 *     a  RULE  EVERY  DEPTH  NS         calls that RULE chose were not all recorded: one of EVERY,
 *                                       none deeper than DEPTH, none shorter than NS (0: all of
 *                                       them); before the methods and call sites of the rule
 *
 *     h  HOW  TYPE...                   captures of these types, at most 16, hold: what they show
 *                                       lasts until the call ends, or (HOW: around, not call) one
 *                                       around it; before the methods and call sites
 *
 *     l  RULE  END  NAME  WHAT...       what RULE chose is an end (send, receive, both) of messages
 *                                       whose key, of the same NAME, is these 1 to 4 captures; before
 *                                       the methods and call sites of the rule
 *
 *     r  RULE  [LABEL]                  the names of further methods stand in the class files
 *                                       beside the table (same archive or folder, a/B.class); they
 *                                       belong to the first rule of these, but for:
 *     k  CLASSHASH  INDEX:NUMBER...     a class whose methods belong, from INDEX on, to the rule of
 *                                       line r NUMBER (from 0)
 *
 *     n  SPACE  CLASS  SHARE...         methods have numbers, in ids with SPACE in place of a class
 *                                       hash: woven code begins with the number (jwr_pushed_number)
 *                                       and a call of CLASS (internal name). To find them soon: how
 *                                       many the classes of the archive have, four together, a
 *                                       blank after each, in the order of its directory (all names
 *                                       that end in ".class"); the last one: those that are left
 *
 * OPERATION is what the call or method does, of base/operations.def: "thread/start", or
 * "io/read*4": SIZE bytes when it returns (and did not return a captured value below 0). Empty
 * fields stand for no label, no operation.
 *
 * CAPTURE is one field each, in the order of their records (recording.h: this and args by number
 * after the enter, then what is filled and return before the exit, or exception before the fail):
 *     WHAT:AS[:TYPE[:MAX[:LABEL]]]      "this:identity", "arg2:value:48200001:0:iteration"
 * TYPE is a Paraver event type that shows it (0: none of its own), MAX how many distinct texts are
 * told apart (0: no limit).
 *
 * A label is text with {class} {simpleClass} {package} {method} {params} {return} {source} {line}
 * {rule} in it, or without. Sorted as the classes stand in the archive; a class woven twice
 * (multi-release) is once per body.
 */
#ifndef JW_TRACE_METHODMAP_H
#define JW_TRACE_METHODMAP_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/operations.h"
#include "base/status.h"

#define JWMAP_FOLDER "META-INF/jweave/"
#define JWMAP_SUFFIX ".map"

/* The class hash of a class name in internal form (slashes): 40 bits. SALT is of the archive's
 * content: two versions of a class may run in one process, and the same index is not the same
 * method in both. It is another one where classes of one archive collide, or stand in it in several
 * versions. */
uint64_t trace_class_hash(struct jw_span internal_name, uint64_t salt);

/* ---- writing ---- */

/* The line a table begins with; then, for each class, its line and those of its methods. SOURCE:
 * the name of its source file, or empty. */
void trace_map_put_header(struct jw_buf *out);
void trace_map_put_class(struct jw_buf *out, uint64_t class_hash, struct jw_span internal_name,
			 struct jw_span source);

/* An end of messages: the captures of a method or call that are their key. */
struct trace_map_link {
	const char *name;
	enum jw_link_end end;
	uint8_t n, early;             /* parts; those that are known when it begins */
	uint8_t parts[JW_LINK_PARTS]; /* places among the captures */
};

/* What a method or call is about; all zero: nothing. */
struct trace_map_about {
	const struct jw_operation *operation; /* NULL: none */
	uint32_t size;                        /* of the operation, 0: unknown */
	const struct jw_capture *captures;    /* in the order of their records */
	size_t capture_count;
	const struct trace_map_link *link; /* read only; NULL: none */
};

struct trace_map_method {
	uint16_t index, access;
	uint32_t line;                                /* first line, 0: unknown */
	struct jw_span name, descriptor, rule, label; /* name and descriptor in modified UTF-8 */
	struct trace_map_about about;
};
void trace_map_put_method(struct jw_buf *out, const struct trace_map_method *method);

struct trace_map_site {
	uint16_t index;
	uint32_t line;
	int state; /* below 0: none */
	struct jw_span owner, name, descriptor, method, method_descriptor, rule, label;
	struct trace_map_about about;
};
void trace_map_put_site(struct jw_buf *out, const struct trace_map_site *site);

/* What a rule did not record; 0: nothing for this reason. */
struct trace_map_sampling {
	uint32_t every, max_depth;
	uint64_t min_ns;
};
void trace_map_put_sampling(struct jw_buf *out, struct jw_span rule,
			    const struct trace_map_sampling *sampling);

/* The line that the captures of COUNT event types, at most 16, hold so long; none where COUNT is 0. */
void trace_map_put_held(struct jw_buf *out, enum jw_hold hold, const uint32_t *types, size_t count);

/* The line that what RULE chose is an end of messages. */
void trace_map_put_link(struct jw_buf *out, struct jw_span rule, const struct jw_link *link);

/* The lines of methods whose names stand in class files: first every rule, then the classes. */
struct trace_map_plain {
	uint64_t class_hash;
	uint16_t index; /* from this method on */
	uint32_t rule;  /* its number in the order of trace_map_put_rule() */
};
/* Instead of trace_map_put_header(). SALT: that of the classes' hashes. */
void trace_map_put_plain_header(struct jw_buf *out, uint64_t salt);
void trace_map_put_rule(struct jw_buf *out, struct jw_span rule, struct jw_span label);
void trace_map_put_plain(struct jw_buf *out, const struct trace_map_plain *runs, size_t count);

enum { TRACE_MAP_TOGETHER = 4 /* classes of one SHARE */ };

/* The line n, up to the first SHARE; then each of them, and LF. A table with it is begun by
 * trace_map_put_numbered_header() instead. */
void trace_map_put_numbers(struct jw_buf *out, uint64_t space, struct jw_span class);
void trace_map_put_share(struct jw_buf *out, uint32_t count);
void trace_map_put_numbered_header(struct jw_buf *out, uint64_t salt);

/* Text as one escaped field (TAB, LF, CR, backslash and other control characters become \xHH);
 * modified UTF-8 (JVMS 4.4.7) becomes UTF-8, what is neither becomes U+FFFD. */
void trace_put_field(struct jw_buf *out, struct jw_span text);

/* ---- reading ---- */

struct trace_method {
	uint64_t id;
	uint64_t same; /* the id under which it is shown: of calls of one method, that of the first
			*/
	uint32_t line;
	uint16_t access;
	bool call; /* a call site: the names are those of the method called, `line` is the call's */
	int16_t state;                                         /* of a call, below 0: none */
	const char *class_name;                                /* Java name, UTF-8 */
	const char *in_class, *in_method, *in_descriptor;      /* of a call: the code that calls */
	const char *source, *name, *descriptor, *rule, *label; /* "" where unknown */
	/* calls of it are not all there; NULL: they are */
	const struct trace_map_sampling *sampling;
	struct trace_map_about about;
};

/* "1 of 100, depth 3, from 1.5ms" */
void trace_put_sampling(struct jw_buf *out, const struct trace_map_sampling *sampling);

struct trace_map; /* many tables, one lookup */

/* An empty map, which trace_map_free() frees with all that it hands out; NULL: no memory. */
struct trace_map *trace_map_new(void);
void trace_map_free(struct trace_map *map);

/* The tables to come name what a summary adds up, which are calls of any length: what says of a
 * rule how long they are at least does not hold. */
void trace_map_of_sums(struct trace_map *map);

/* Adds the text of one table; ORIGIN names it in messages. Damaged lines: JW_INPUT with the line.
 * The same id with another name is a collision: kept as first read, counted, both names remembered.
 */
enum jw_status JW_MUST_USE trace_map_add(struct trace_map *map, struct jw_span text,
					 const char *origin, struct jw_err *e);

/* The same, of a table that is in the archive or folder PLACE (NULL: it is alone, and names
 * that it leaves to class files are lost). */
enum jw_status JW_MUST_USE trace_map_add_at(struct trace_map *map, struct jw_span text,
					    const char *origin, const char *place,
					    struct jw_err *e);

/* Adds the methods of IDS that tables leave to class files. To be called before names are asked
 * for; what cannot be read stays without a name. */
enum jw_status JW_MUST_USE trace_map_name(struct trace_map *map, const uint64_t *ids, size_t count,
					  struct jw_err *e);

/* Has a table been added that leaves names to class files, and is alone? */
bool trace_map_is_alone(const struct trace_map *map);

/* Adds every table in PATH: a jar (nested jars too), a class directory, or a .map file. *FOUND: how
 * many tables. A missing file or one that is no archive is not an error here: *FOUND is 0. */
enum jw_status JW_MUST_USE trace_map_add_path(struct trace_map *map, const char *path,
					      size_t *found, struct jw_err *e);

/* The id under which ID is shown: every call of one method has one label, wherever it is made, so
 * that time in Thread.sleep is one sum; the call sites stay apart in the map. */
uint64_t trace_map_same(const struct trace_map *map, uint64_t id);

/* The method of ID, or NULL; valid until the next table is added. */
const struct trace_method *trace_map_find(const struct trace_map *map, uint64_t id);

/* The method of ID if being inside it says something: a call with a state, or whatever has an
 * operation or captures; else NULL. Cheap for the others. MAP may be NULL. */
const struct trace_method *trace_map_telling(const struct trace_map *map, uint64_t id);
/* Is there one that is no call? */
bool trace_map_has_telling_methods(const struct trace_map *map);

/* The labels that captures have, each once, *N of them, in ARENA; NULL: no memory. */
const char *const *trace_map_labels(const struct trace_map *map, struct jw_arena *arena, size_t *n);

/* How many ids have a name, and how many ids came with two. */
size_t trace_map_count(const struct trace_map *map);
size_t trace_map_collisions(const struct trace_map *map);

/* "a.B.m()V and c.D.n()V" of the Ith collision; NULL after the last that was remembered. */
const char *trace_map_collision(const struct trace_map *map, size_t i);

#endif
