#include "tests/trace/make_operations.h"

#include "base/banned.h"

static struct make_site make_all_sites[MAKE_SITES];

/* Names and descriptors say whether a call may end by its time, and whether a lock is shared; in
 * the second half of them more is captured. The name of the first says what it returns. */
char make_abouts[MAKE_SITES][160];
uint32_t make_site_count;

static const char *const make_callees[] = {
	"a.B.readLock()V",
	"java.util.concurrent.CyclicBarrier.await()I",
	"java.util.concurrent.locks.StampedLock.unlock(J)V",
	"java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock.m()Z",
	"java.util.concurrent.locks.StampedLock.tryReadLock(JLjava/util/concurrent/TimeUnit;)J",
	"a.B.m(JLjava/util/concurrent/TimeUnit;)La/C;",
};
enum { MAKE_CALLEES = sizeof(make_callees) / sizeof(*make_callees) };

static void make_add_site(const char *callee, int state, const char *about)
{
	if (make_site_count == MAKE_SITES)
		abort();
	snprintf(make_abouts[make_site_count], sizeof(make_abouts[0]), "%s", about);
	make_all_sites[make_site_count] =
		(struct make_site){ state, callee, make_abouts[make_site_count] };
	make_site_count++;
}

static void make_add_operation(const struct jw_operation *op, size_t form)
{
	bool more = form >= MAKE_CALLEES / 2;
	char about[160];

	snprintf(about, sizeof(about), "%s/%s%s%s%s%s%s%s", jw_operation_kinds[op->type].word,
		 op->word, make_site_count % 3 ? "" : "*4",
		 op->object & JW_OBJECT_THIS ? "|this:identity" : "",
		 op->object & JW_OBJECT_ARG0 ? "|arg0:identity" : "",
		 more ? "|arg0:task|arg1:value" : "",
		 op->object & JW_OBJECT_RETURN ? "|return:identity" : "|return:value",
		 more ? "|return:task|exception:class" : "");
	make_add_site(make_callees[form], op->state, about);
}

static void make_all_operations(void)
{
	for (const struct jw_operation *op = jw_operations; op->word; op++)
		for (size_t form = 0; form < (op->role == JW_ROLE_NONE ? 1 : MAKE_CALLEES); form++)
			make_add_operation(op, form);
	make_add_site(make_callees[0], -1,
		      "|arg0:value:48200001:0:iteration|return:string:48200002:3:text");
	make_add_site(make_callees[0], -1, "|this:class:48200003:0:|exception:identity:48200004");
}

const char *make_operations(void)
{
	static char path[1024];

	if (*path)
		return path;
	make_all_operations();
	snprintf(path, sizeof(path), "%s",
		 make_sites("operations.map", make_all_sites, make_site_count));
	FILE *f = fopen(path, "ab");

	if (!f)
		abort();
	fprintf(f, "a\tspared\t10\t3\t1000\n");
	for (int i = 0; i < MAKE_METHODS; i++)
		fprintf(f, "m\t%d\t%d\t1\tm%d\t()V\tspared\n", i, i + 1, i);
	fclose(f);
	return path;
}
