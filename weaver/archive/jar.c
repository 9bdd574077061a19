/*
 * jar.c: one archive, and the archives inside it.
 *
 * Jobs are the entries in the order of their local records. work() unpacks, weaves and packs into
 * a slot, on any thread; done() writes, in order, so that the output never depends on the threads.
 * Memory: each thread holds the one entry that it works on, unpacked and woven; a slot what came of
 * it, packed. There are many slots, since archives inside, which are begun first, take as long as a
 * thousand classes, and often come before them.
 */
#include "weaver/archive/jar.h"

#include "base/parallel.h"
#include "weaver/archive/addition.h"
#include "weaver/archive/homes.h"
#include "weaver/archive/idents.h"
#include "weaver/archive/numbers.h"
#include "weaver/archive/packaging.h"
#include "weaver/archive/unit_of_zip.h"
#include "weaver/archive/woven_mark.h"
#include "weaver/archive/zip_order.h"

#include "base/banned.h"

/* What one thread needs for one entry, from one to the next. */
struct scratch {
	struct jw_arena arena;
	struct jw_buf bytes, woven;
};

enum {
	WINDOW = 2048,            /* results that wait for their turn: as many classes are woven */
	HELD_BYTES = 8 << 20,     /* ... while two archives of a megabyte are, if they are small */
	SLOT_BLOCK = 512,         /* of arenas: paths and counts */
	SLOT_KEEP_BYTES = 8 << 10 /* a buffer over this is given back with its result */
};

struct jar_run {
	struct weave_where where;
	const struct jw_zip *zip;
	struct weave_zip_out out;
	struct weave_tally *tally;
	size_t *order; /* job -> index of its entry */
	struct weave_slot *slots;
	struct scratch *scratch;         /* by thread */
	const struct weave_tools *tools; /* by thread */
	const struct jw_file *file;      /* the archive; NULL: it is in memory */
	uint64_t done_bytes, let_go;     /* of the archive */
	bool wove, main_class, has_module;
};

/* ---- before the jobs ---- */

static bool find_signature(const struct jw_zip *zip)
{
	for (size_t i = 0; i < zip->count; i++)
		if (weave_is_signature(zip->entries[i].name))
			return true;
	return false;
}

/* ---- jobs ---- */

static enum jw_status unpack(const struct jar_run *l, const struct jw_zip_entry *entry,
			     struct weave_slot *slot, const struct weave_tools *tools,
			     struct jw_err *e)
{
	const struct weave_unit *unit = l->where.unit;

	if (jw_zip_unpack(l->zip, entry, &unit->limits, tools->inflater, &slot->bytes, e) != JW_OK)
		return weave_err_inside(l->where.prefix, e);
	/* an archive inside is woven for long, and held as its bytes, woven and packed */
	if (l->file && entry->packed >= WEAVE_LET_GO)
		jw_file_let_go(l->file, (size_t)entry->local,
			       (size_t)(entry->local + entry->packed));
	return JW_OK;
}

/* Has the entry of JOB the name and the record of the one before it? The directory names it twice,
 * as some tools that merge archives leave it. */
static bool is_again(const struct jar_run *l, size_t job)
{
	const struct jw_zip_entry *entry = &l->zip->entries[l->order[job]];
	const struct jw_zip_entry *before = job ? &l->zip->entries[l->order[job - 1]] : NULL;

	return before && before->local == entry->local && jw_span_eq(before->name, entry->name) &&
	       before->packed == entry->packed && before->size == entry->size &&
	       before->crc == entry->crc && before->method == entry->method &&
	       before->flags == entry->flags;
}

static enum jw_status work_on(struct jar_run *l, size_t job, struct weave_slot *slot,
			      const struct weave_tools *tools, struct jw_err *e)
{
	const struct weave_unit *unit = l->where.unit;
	const struct jw_zip_entry *entry = &l->zip->entries[l->order[job]];
	enum weave_kind kind = weave_kind(entry->name);

	slot->tally.r.entries++;
	if (is_again(l, job)) {
		slot->fate = WEAVE_AGAIN;
		return JW_OK;
	}
	if (kind == WEAVE_KIND_OTHER || (kind == WEAVE_KIND_ARCHIVE && unit->nested.none))
		return JW_OK;
	if (kind != WEAVE_KIND_SIGNATURE)
		JW_TRY(unpack(l, entry, slot, tools, e));
	const char *path = jw_arena_fmt(&slot->arena, "%s%.*s", l->where.prefix, (int)entry->name.n,
					(const char *)entry->name.p);
	if (!path)
		return jw_nomem(e);
	if (kind == WEAVE_KIND_ARCHIVE)
		JW_TRY(weave_inner(&l->where, path, slot, tools, e));
	else
		JW_TRY(weave_entry(&l->where, kind, path, slot, e));
	if (slot->fate == WEAVE_CHANGE)
		return weave_zip_pack(weave_deflater_for(tools, slot->content.n), slot->content,
				      entry->method, &slot->packed, &slot->data, e);
	return JW_OK;
}

/* The buffers go from a thread's scratch to the slot of the job at hand ... */
static void lend(struct scratch *scratch, struct weave_slot *slot)
{
	jw_arena_reset(&scratch->arena);
	slot->scratch = &scratch->arena;
	slot->bytes = scratch->bytes;
	slot->woven = scratch->woven;
}

/* ... and back, except one that holds the result: that of a stored entry. */
static void take_back(struct scratch *scratch, struct weave_slot *slot)
{
	struct jw_span woven = jw_buf_span(&slot->woven);
	bool result = slot->fate == WEAVE_CHANGE && woven.n && slot->data.packed.p == woven.p;

	scratch->bytes = slot->bytes;
	scratch->woven = result ? (struct jw_buf){ 0 } : slot->woven;
	slot->bytes = (struct jw_buf){ 0 };
	if (!result)
		slot->woven = (struct jw_buf){ 0 };
}

static enum jw_status work(void *ctx, size_t job, size_t slot_index, size_t thread,
			   struct jw_err *e)
{
	struct jar_run *l = ctx;
	struct weave_slot *slot = &l->slots[slot_index];

	lend(&l->scratch[thread], slot);
	slot->arena.block = SLOT_BLOCK;
	enum jw_status status = weave_slot_reset(slot, l->where.unit->job->rules, e);
	if (l->where.depth == 0)
		slot->numbers = weave_numbers_of(l->where.unit, l->order[job]);
	if (status == JW_OK)
		status = work_on(l, job, slot, &l->tools[thread], e);
	take_back(&l->scratch[thread], slot);
	return status;
}

/* What the result in a slot takes. */
static size_t held(void *ctx, size_t slot_index)
{
	const struct jar_run *l = ctx;
	const struct weave_slot *slot = &l->slots[slot_index];

	return slot->packed.cap + slot->woven.cap + slot->tally.map.cap + slot->arena.total;
}

/* A few large results must not hold on to memory in slots of small ones. */
static void shrink(struct weave_slot *slot)
{
	if (slot->packed.cap > SLOT_KEEP_BYTES)
		jw_buf_free(&slot->packed);
	if (slot->tally.map.cap > SLOT_KEEP_BYTES)
		jw_buf_free(&slot->tally.map);
	jw_buf_free(&slot->woven);
}

static enum jw_status first_woven(struct jar_run *l, struct jw_err *e)
{
	if (l->where.is_signed && l->where.unit->job->signatures == WEAVE_SIGNED_FAIL) {
		(void)jw_fail(e, JW_POLICY,
			      "is signed, and weaving would break the signature (--signed=strip "
			      "removes it)");
		(void)weave_err_inside(l->where.prefix, e);
		return jw_err_where(e, "%s", l->where.unit->job->in);
	}
	l->wove = true;
	return JW_OK;
}

/* What was written is not read again: the archive may be larger than the memory. */
static void let_go(struct jar_run *l)
{
	uint64_t taken = l->out.taken;

	if (!l->file || taken < l->let_go + WEAVE_LET_GO)
		return;
	jw_file_let_go(l->file, (size_t)l->let_go, (size_t)taken);
	l->let_go = taken;
}

static enum jw_status take(struct jar_run *l, size_t job, struct weave_slot *slot, struct jw_err *e)
{
	size_t index = l->order[job];
	const struct weave_archive_job *aj = l->where.unit->job;

	if (slot->wove && !l->wove)
		JW_TRY(first_woven(l, e));
	l->main_class = l->main_class || slot->main_class;
	l->has_module = l->has_module || slot->has_module;
	JW_TRY(weave_tally_merge(l->tally, &slot->tally, e));
	if (slot->fate == WEAVE_AGAIN)
		return weave_zip_again(&l->out, index, l->order[job - 1], e);
	l->done_bytes += l->zip->entries[index].packed;
	if (l->file && aj->progress)
		aj->progress(aj->progress_ctx, l->done_bytes, l->zip->bytes.n);
	if (slot->fate == WEAVE_DROP)
		return weave_zip_drop(&l->out, index, e);
	if (slot->fate == WEAVE_CHANGE)
		return weave_zip_change(&l->out, index, &slot->data, e);
	return weave_zip_copy(&l->out, index, e);
}

static enum jw_status done(void *ctx, size_t job, size_t slot_index, struct jw_err *e)
{
	struct jar_run *l = ctx;
	struct weave_slot *slot = &l->slots[slot_index];
	enum jw_status status = take(l, job, slot, e);

	let_go(l);
	shrink(slot);
	return status;
}

/* Archives inside that are begun first: how many, and how many bytes, at most. */
enum { EARLY_MAX = 16, EARLY_BYTES = 16 << 20 };

struct early {
	size_t jobs[EARLY_MAX], first[EARLY_MAX]; /* by number; the order in which they are begun */
	size_t count;
};

static uint64_t size_of_job(const struct jar_run *l, size_t job)
{
	return l->zip->entries[l->order[job]].size;
}

/* Adds JOB. The largest is begun first, so that the others can be done meanwhile. */
static void add_early(const struct jar_run *l, struct early *early, size_t job)
{
	size_t at = early->count;

	early->jobs[early->count++] = job;
	for (; at > 0 && size_of_job(l, early->jobs[early->first[at - 1]]) < size_of_job(l, job);
	     at--)
		early->first[at] = early->first[at - 1];
	early->first[at] = early->count - 1;
}

static void find_early(const struct jar_run *l, struct early *early)
{
	uint64_t room = EARLY_BYTES;

	for (size_t job = 0; job < l->zip->count && early->count < EARLY_MAX; job++) {
		const struct jw_zip_entry *entry = &l->zip->entries[l->order[job]];

		if (weave_kind(entry->name) != WEAVE_KIND_ARCHIVE || entry->size > room)
			continue;
		room -= entry->size;
		add_early(l, early, job);
	}
}

static void free_scratch(struct scratch *scratch)
{
	jw_buf_free(&scratch->bytes);
	jw_buf_free(&scratch->woven);
	jw_arena_free(&scratch->arena);
}

static enum jw_status run_jobs(struct jar_run *l, size_t threads, struct jw_err *e)
{
	size_t window = 1;
	struct early early = { .count = 0 };
	if (threads > 1 && l->zip->count > 1) {
		window = l->zip->count < WINDOW ? l->zip->count : WINDOW;
		find_early(l, &early);
	}
	size_t slots = window + early.count;
	struct jw_parallel p = {
		.jobs = l->zip->count,
		.threads = threads,
		.window = window,
		.held = held,
		.held_max = HELD_BYTES,
		.early = early.jobs,
		.early_count = early.count,
		.early_first = early.first,
		.ctx = l,
		.work = work,
		.done = done,
	};

	l->slots = jw_mem_zalloc(slots, sizeof(*l->slots));
	l->scratch = jw_mem_zalloc(threads, sizeof(*l->scratch));
	enum jw_status status = l->slots && l->scratch ? jw_parallel_run(&p, e) : jw_nomem(e);
	for (size_t i = 0; l->slots && i < slots; i++)
		weave_slot_free(&l->slots[i]);
	for (size_t i = 0; l->scratch && i < threads; i++)
		free_scratch(&l->scratch[i]);
	jw_mem_free(l->slots);
	jw_mem_free(l->scratch);
	return status;
}

/* ---- a level ---- */

/* Is the archive woven already? Then LEVEL->already is set, or it is an error, as on_woven says. */
static enum jw_status check_mark(const struct weave_unit *unit, struct weave_level *level,
				 struct jw_err *e)
{
	if (!jw_zip_find(level->zip, JW_SPAN_LIT(WEAVE_MARK)))
		return JW_OK;
	struct jw_span whole = weave_whole_name(unit, level->prefix);
	if (unit->job->on_woven == WEAVE_WOVEN_ERROR) {
		(void)jw_fail(e, JW_INPUT,
			      "is woven already: weave the original (--on-woven=skip leaves it as "
			      "it is)");
		return weave_err_inside(level->prefix, e);
	}
	level->already = true;
	return weave_tally_note(level->tally, e, "%.*s was woven before, and left as it is",
				(int)whole.n, (const char *)whole.p);
}

/* Opens L and runs its entries; the central directory is still to be written. */
static enum jw_status run_level(struct jar_run *l, size_t threads, struct weave_sink sink,
				struct jw_arena *arena, struct jw_err *e)
{
	JW_TRY(weave_zip_order(l->zip, arena, &l->order, e));
	JW_TRY(weave_zip_out_open(&l->out, l->zip, sink, arena, e));
	l->where.is_signed = find_signature(l->zip);
	JW_TRY(run_jobs(l, threads, e));
	return l->wove ? weave_note_whole(&l->where, l->has_module, l->tally, e) : JW_OK;
}

static enum jw_status inner_level(struct weave_unit *unit, struct weave_level *level,
				  const struct weave_tools *tools, struct jw_err *e)
{
	struct jar_run l = {
		.where = { .unit = unit,
			   .prefix = level->prefix,
			   .depth = level->depth,
			   .salt = weave_hash_of_zip(level->zip) },
		.zip = level->zip,
		.tally = level->tally,
		.tools = tools,
	};
	struct jw_arena arena = { 0 };

	level->wove = level->already = false;
	JW_TRY(check_mark(unit, level, e));
	if (level->already)
		return JW_OK;
	enum jw_status status = run_level(&l, 1, level->sink, &arena, e);
	if (status == JW_OK && l.wove)
		status = weave_zip_finish(&l.out, e);
	weave_zip_out_close(&l.out);
	jw_arena_free(&arena);
	level->wove = l.wove;
	return status;
}

/* ---- a unit ---- */

struct adding {
	struct jar_run *level;
	struct jw_buf packed;
	uint32_t dos_time;
};

static enum jw_status add(void *ctx, struct jw_span name, struct jw_span bytes, uint16_t method,
			  struct jw_err *e)
{
	struct adding *a = ctx;
	struct weave_zip_data data;

	/* quickly, whatever its size: one thread does this while the others wait */
	JW_TRY(weave_zip_pack(a->level->tools[0].small, bytes, method, &a->packed, &data, e));
	return weave_zip_add(&a->level->out, name, &data, a->dos_time, e);
}

static enum jw_status finish_unit(struct jar_run *l, struct jw_err *e)
{
	struct adding adding = { .level = l, .dos_time = weave_zip_newest(l->zip) };
	struct weave_addition a = {
		.unit = l->where.unit,
		.packaging =
			l->where.unit->bundle ? WEAVE_PACKAGING_JAR : weave_packaging_of(l->zip),
		.main_class = l->main_class,
		.tally = l->tally,
		.dos_time = adding.dos_time,
		.add = add,
		.ctx = &adding,
	};
	enum jw_status status = JW_OK;

	/* where archives alone were woven, each has its own */
	if (!l->where.unit->bundle || l->tally->idents.n > 0)
		status = weave_add_all(&a, e);
	jw_buf_free(&adding.packed);
	JW_TRY(status);
	return weave_zip_finish(&l->out, e);
}

static enum jw_status run_unit(struct jar_run *l, size_t threads, struct weave_sink sink,
			       struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	enum jw_status status = run_level(l, threads, sink, &arena, e);

	if (status == JW_OK)
		status = weave_check_idents(l->where.unit, l->tally, e);
	if (status == JW_OK && l->wove && !l->where.unit->collided)
		status = finish_unit(l, e);
	weave_zip_out_close(&l->out);
	jw_arena_free(&arena);
	return status;
}

/* Of all entries unpacked, if the directory is right. */
static uint64_t size_of(const struct jw_zip *zip)
{
	uint64_t size = 0;

	for (size_t i = 0; i < zip->count; i++)
		size += zip->entries[i].size < UINT32_MAX ? zip->entries[i].size : UINT32_MAX;
	return size;
}

enum jw_status weave_jar_unit(struct weave_unit *unit, struct weave_level *level, size_t threads,
			      struct jw_err *e)
{
	struct jar_run l = {
		.where = { .unit = unit, .prefix = level->prefix, .salt = unit->salt },
		.zip = level->zip,
		.file = level->file,
		.tally = level->tally,
	};
	enum jw_status status = JW_OK;

	level->wove = level->already = false;
	JW_TRY(check_mark(unit, level, e));
	if (level->already)
		return JW_OK;
	unit->plain_map = *level->prefix == 0 && !unit->bundle && !unit->job->full_map &&
			  weave_packaging_of(level->zip) == WEAVE_PACKAGING_JAR;
	if (unit->plain_map)
		JW_TRY(weave_plain_map(unit, level->zip, e));
	threads = threads ? threads : jw_processors();
	uint64_t size = size_of(level->zip);
	struct weave_tools *tools = jw_mem_zalloc(threads, sizeof(*tools));
	if (!tools)
		return jw_nomem(e);
	for (size_t i = 0; i < threads && status == JW_OK; i++)
		status = weave_tools_open(&tools[i], unit->job->level, size, e);
	l.tools = tools;
	if (status == JW_OK)
		status = run_unit(&l, threads, level->sink, e);
	for (size_t i = 0; i < threads; i++)
		weave_tools_close(&tools[i]);
	jw_mem_free(tools);
	level->wove = l.wove;
	return status;
}

/* ---- archives inside ---- */

/* One run of UNIT, an archive in a bundle, into SLOT. */
static enum jw_status run_bundled(struct weave_unit *unit, struct weave_level *level,
				  struct weave_slot *slot, struct jw_err *e)
{
	struct weave_tally own = { 0 };
	enum jw_status status = weave_tally_open(&own, &slot->arena, unit->job->rules, e);

	jw_buf_clear(&slot->woven);
	level->sink = (struct weave_sink){ .memory = &slot->woven };
	level->tally = &own;
	if (status == JW_OK)
		status = weave_jar_unit(unit, level, 1, e);
	level->tally = &slot->tally;
	if (status == JW_OK && !unit->collided) {
		/* its map is in it, and its ids are no others' concern */
		jw_buf_clear(&own.map);
		jw_buf_clear(&own.plain);
		jw_buf_clear(&own.idents);
		status = weave_tally_merge(&slot->tally, &own, e);
	}
	weave_tally_close(&own);
	return status;
}

/* An archive in a bundle: a unit of its own. */
static enum jw_status inner_unit(const struct weave_where *where, struct weave_level *level,
				 struct weave_slot *slot, struct jw_err *e)
{
	struct weave_unit unit = *where->unit;
	int runs = 0;

	unit.arena = &slot->arena;
	unit.salts = NULL;
	unit.depth++;
	JW_TRY(weave_unit_of_zip(&unit, level->zip, e));
	do {
		JW_TRY(weave_begin_run(&unit, &runs, e));
		JW_TRY(run_bundled(&unit, level, slot, e));
	} while (unit.collided);
	return JW_OK;
}

/* Weaves the archive ZIP, which is PATH inside WHERE, into SLOT. */
static enum jw_status opened_inner(const struct weave_where *where, const char *path,
				   const struct jw_zip *zip, struct weave_slot *slot,
				   const struct weave_tools *tools, struct jw_err *e)
{
	struct weave_level level = {
		.zip = zip,
		.prefix = jw_arena_fmt(&slot->arena, "%s!/", path),
		.depth = where->depth + 1,
		.sink = { .memory = &slot->woven },
		.tally = &slot->tally,
	};

	if (!level.prefix)
		return jw_nomem(e);
	if (where->unit->bundle && where->depth == 0)
		JW_TRY(inner_unit(where, &level, slot, e));
	else
		JW_TRY(inner_level(where->unit, &level, tools, e));
	if (!level.wove)
		return JW_OK;
	JW_TRY(jw_buf_finish(&slot->woven, "nested archive", e));
	slot->wove = true;
	slot->fate = WEAVE_CHANGE;
	slot->content = jw_buf_span(&slot->woven);
	return JW_OK;
}

enum jw_status weave_inner(const struct weave_where *where, const char *path,
			   struct weave_slot *slot, const struct weave_tools *tools,
			   struct jw_err *e)
{
	struct jw_err why = { 0 };
	struct jw_zip zip;

	if (!weave_wants_nested(&where->unit->nested, jw_span_str(path)))
		return JW_OK;
	if (where->unit->depth + where->depth + 1 >= WEAVE_DEPTH_MAX)
		return weave_tally_note(&slot->tally, e,
					"%s was not looked into: it is %d archives deep", path,
					WEAVE_DEPTH_MAX);
	enum jw_status status = jw_zip_open(jw_buf_span(&slot->bytes), &slot->arena, &zip, &why);
	if (status == JW_OK)
		return opened_inner(where, path, &zip, slot, tools, e);
	/* test data and the like is often named .jar: what is no archive is left as it is */
	if (status == JW_INPUT)
		return weave_tally_note(&slot->tally, e, "%s was left as it is: %s", path,
					why.text);
	*e = why;
	return status;
}
