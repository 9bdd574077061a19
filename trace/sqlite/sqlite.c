/*
 * sqlite.c: see sqlite.h.
 */
#include "base/memory.h"
#include "trace/sqlite/library.h"
#include "trace/sqlite/sqlite.h"
#include "trace/sqlite/sqlite_int.h"

#include "base/banned.h"

#define BATCH      64 /* rows of one statement */
#define INDEX_MOST 2000000

/* A number, or NULL. */
struct waiting {
	int64_t number;
	bool is_null;
};

struct rows {
	sqlite3_stmt *one, *many; /* owned; many: of BATCH rows */
	size_t width, n;          /* rows that wait */
	struct waiting *waiting;  /* owned; NULL: they have texts, and do not wait */
	uint64_t count;
};

struct trace_sqlite {
	const struct trace_destination *to;
	struct trace_sqlite_library lib;
	sqlite3 *db; /* owned */
	struct rows tables[TRACE_TABLES];
	struct jw_err why; /* the first failure */
};

/* ---- failures ---- */

/* What SQLite says of the latest call. */
static enum jw_status fails(struct trace_sqlite *s, struct jw_err *e)
{
	return jw_fail(e, JW_IO, "%s: cannot write the database: %s", s->to->spill,
		       s->db ? s->lib.sqlite3_errmsg(s->db) : "out of memory");
}

static void row_fails(struct trace_sqlite *s)
{
	if (s->why.status == JW_OK)
		(void)fails(s, &s->why);
}

static enum jw_status run(struct trace_sqlite *s, const char *sql, struct jw_err *e)
{
	return s->lib.sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? JW_OK : fails(s, e);
}

/* ---- statements ---- */

static enum jw_status prepare(struct trace_sqlite *s, enum trace_table_id table, size_t rows,
			      sqlite3_stmt **out, struct jw_err *e)
{
	struct jw_buf sql = { 0 };

	jw_put_fmt(&sql, "INSERT INTO %s VALUES ", trace_tables[table].name);
	for (size_t i = 0; i < rows; i++) {
		jw_put_str(&sql, i ? ",(?" : "(?");
		for (size_t k = 1; k < s->tables[table].width; k++)
			jw_put_str(&sql, ",?");
		jw_put_str(&sql, ")");
	}
	enum jw_status status = jw_buf_finish(&sql, "statement", e);

	if (status == JW_OK && s->lib.sqlite3_prepare_v2(s->db, (const char *)sql.p, (int)sql.n,
							 out, NULL) != SQLITE_OK)
		status = fails(s, e);
	jw_buf_free(&sql);
	return status;
}

static bool has_texts(enum trace_table_id table)
{
	size_t first = trace_tables_first(table), width = trace_tables_width(table);

	for (size_t i = first; i < first + width; i++)
		if (trace_columns[i].type >= TRACE_COLUMN_TEXT)
			return true;
	return false;
}

static enum jw_status open_table(struct trace_sqlite *s, enum trace_table_id table,
				 struct jw_err *e)
{
	struct rows *r = &s->tables[table];
	struct jw_buf sql = { 0 };

	r->width = trace_tables_width(table);
	trace_sqlite_put_table(&sql, table);
	jw_put_u1(&sql, 0);
	enum jw_status status = jw_buf_finish(&sql, "statement", e);

	if (status == JW_OK)
		status = run(s, (const char *)sql.p, e);
	jw_buf_free(&sql);
	if (status == JW_OK)
		status = prepare(s, table, 1, &r->one, e);
	if (status != JW_OK || has_texts(table))
		return status;
	r->waiting = jw_mem_zalloc(BATCH * r->width, sizeof(*r->waiting));
	return r->waiting ? prepare(s, table, BATCH, &r->many, e) : jw_nomem(e);
}

static enum jw_status open_all(void *ctx, struct jw_err *e)
{
	struct trace_sqlite *s = ctx;
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

	JW_TRY(trace_sqlite_load(&s->lib, e));
	/* counting bytes takes a mutex each time; one that is begun elsewhere goes on counting */
	(void)s->lib.sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	if (s->lib.sqlite3_open_v2(s->to->path, &s->db, flags, NULL) != SQLITE_OK)
		return fails(s, e);
	JW_TRY(run(s,
		   "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
		   "PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -8192; BEGIN",
		   e));
	for (enum trace_table_id i = 0; i < TRACE_TABLES; i++)
		JW_TRY(open_table(s, i, e));
	return JW_OK;
}

/* ---- rows ---- */

static void step(struct trace_sqlite *s, sqlite3_stmt *statement)
{
	if (s->lib.sqlite3_step(statement) != SQLITE_DONE)
		row_fails(s);
	(void)s->lib.sqlite3_reset(statement);
}

static void bind(struct trace_sqlite *s, sqlite3_stmt *statement, const struct waiting *from,
		 size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int place = (int)i + 1;

		if (from[i].is_null)
			(void)s->lib.sqlite3_bind_null(statement, place);
		else
			(void)s->lib.sqlite3_bind_int64(statement, place, from[i].number);
	}
}

static void flush(struct trace_sqlite *s, struct rows *r)
{
	if (r->n == BATCH) {
		bind(s, r->many, r->waiting, BATCH * r->width);
		step(s, r->many);
	} else {
		for (size_t i = 0; i < r->n; i++) {
			bind(s, r->one, r->waiting + i * r->width, r->width);
			step(s, r->one);
		}
	}
	r->n = 0;
}

static void put_at_once(struct trace_sqlite *s, struct rows *r, const struct trace_cell *cells)
{
	int bad = 0;

	for (size_t i = 0; i < r->width; i++) {
		const struct trace_cell *c = &cells[i];
		int place = (int)i + 1;

		if (c->kind == TRACE_CELL_TEXT)
			bad |= s->lib.sqlite3_bind_text64(r->one, place, (const char *)c->text.p,
							  c->text.n, SQLITE_STATIC, SQLITE_UTF8);
		else if (c->kind == TRACE_CELL_NUMBER)
			bad |= s->lib.sqlite3_bind_int64(r->one, place, c->number);
		else
			bad |= s->lib.sqlite3_bind_null(r->one, place);
	}
	if (bad != SQLITE_OK)
		row_fails(s);
	step(s, r->one);
}

static void take_row(void *ctx, enum trace_table_id table, const struct trace_cell *cells)
{
	struct trace_sqlite *s = ctx;
	struct rows *r = &s->tables[table];

	if (s->why.status != JW_OK)
		return;
	r->count++;
	if (!r->waiting) {
		put_at_once(s, r, cells);
		return;
	}
	struct waiting *to = r->waiting + r->n++ * r->width;

	for (size_t i = 0; i < r->width; i++)
		to[i] = (struct waiting){ cells[i].number, cells[i].kind == TRACE_CELL_NULL };
	if (r->n == BATCH)
		flush(s, r);
}

/* ---- from begin to end ---- */

static enum jw_status check(void *ctx, struct jw_err *e)
{
	struct trace_sqlite *s = ctx;

	if (s->why.status != JW_OK && e)
		*e = s->why;
	return s->why.status;
}

static enum jw_status make_indexes(struct trace_sqlite *s, struct jw_err *e)
{
	for (const struct trace_sqlite_index *i = trace_sqlite_indexes; i->name; i++) {
		struct jw_buf sql = { 0 };

		if (s->tables[i->table].count > INDEX_MOST)
			continue;
		jw_put_fmt(&sql, "CREATE INDEX %s ON %s (%s)", i->name, trace_tables[i->table].name,
			   i->columns);
		jw_put_u1(&sql, 0);
		enum jw_status status = jw_buf_finish(&sql, "statement", e);

		if (status == JW_OK)
			status = run(s, (const char *)sql.p, e);
		jw_buf_free(&sql);
		JW_TRY(status);
	}
	return JW_OK;
}

static enum jw_status close_all(void *ctx, struct jw_err *e)
{
	struct trace_sqlite *s = ctx;

	for (enum trace_table_id i = 0; i < TRACE_TABLES; i++)
		if (s->tables[i].waiting)
			flush(s, &s->tables[i]);
	JW_TRY(check(s, e));
	JW_TRY(make_indexes(s, e));
	JW_TRY(run(s, (const char *)trace_sqlite_views, e));
	/* the planner knows how many rows there are */
	JW_TRY(run(s, "PRAGMA user_version = 1; PRAGMA analysis_limit = 1000; ANALYZE; COMMIT", e));
	for (enum trace_table_id i = 0; i < TRACE_TABLES; i++) {
		(void)s->lib.sqlite3_finalize(s->tables[i].one);
		(void)s->lib.sqlite3_finalize(s->tables[i].many);
		s->tables[i].one = s->tables[i].many = NULL;
	}
	int closed = s->lib.sqlite3_close_v2(s->db);

	s->db = NULL;
	return closed == SQLITE_OK ? JW_OK : fails(s, e);
}

static void free_all(void *ctx)
{
	struct trace_sqlite *s = ctx;

	if (!s)
		return;
	for (enum trace_table_id i = 0; i < TRACE_TABLES; i++) {
		if (s->lib.sqlite3_finalize) { /* loaded */
			(void)s->lib.sqlite3_finalize(s->tables[i].one);
			(void)s->lib.sqlite3_finalize(s->tables[i].many);
		}
		jw_mem_free(s->tables[i].waiting);
	}
	if (s->db)
		(void)s->lib.sqlite3_close_v2(s->db);
	jw_mem_free(s);
}

const struct trace_table_writer trace_sqlite_writer = { open_all, take_row, check, close_all,
							free_all };

struct trace_sqlite *trace_sqlite_new(const struct trace_destination *to)
{
	struct trace_sqlite *s = jw_mem_zalloc(1, sizeof(*s));

	if (s)
		s->to = to;
	return s;
}
