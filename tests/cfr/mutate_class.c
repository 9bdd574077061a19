#include "tests/cfr/mutate_class.h"

#include "base/banned.h"

/* Names, descriptors and attributes that mean something to a reader of classes. */
static const char *const texts[] = { "<init>",
				     "<clinit>",
				     "m",
				     "()V",
				     "(JLjava/lang/Object;[[I)D",
				     "(IDFZ)J",
				     "()I",
				     "()Ljava/lang/Thread;",
				     "Code",
				     "StackMapTable",
				     "LineNumberTable",
				     "Exceptions",
				     "LocalVariableTable",
				     "LocalVariableTypeTable",
				     "RuntimeVisibleTypeAnnotations",
				     "RuntimeInvisibleTypeAnnotations",
				     "RuntimeVisibleAnnotations",
				     "Synthetic",
				     "BootstrapMethods",
				     "NestMembers",
				     "Record",
				     "Signature",
				     "SourceFile",
				     "java/lang/Object",
				     "java/lang/Throwable",
				     "java/lang/Thread",
				     "java/lang/Runnable",
				     "java/util/concurrent/locks/ReentrantLock",
				     "java/util/concurrent/locks/LockSupport",
				     "java/util/concurrent/CompletableFuture",
				     "java/io/FileInputStream",
				     "java/net/DatagramSocket",
				     "java/nio/channels/SocketChannel",
				     "java/util/concurrent/BlockingQueue",
				     "java/util/concurrent/FutureTask",
				     "read",
				     "([BII)I",
				     "receive",
				     "(Ljava/net/DatagramPacket;)V",
				     "(Ljava/nio/ByteBuffer;)I",
				     "put",
				     "take",
				     "(Ljava/lang/Object;)V",
				     "close",
				     "lock",
				     "unlock",
				     "run",
				     "start",
				     "park",
				     "wait",
				     "(J)V",
				     "I",
				     "J",
				     "[I",
				     "Ljava/lang/String;",
				     "finalize",
				     "a.b",
				     "\xc0\x80" };

/* ---- constants ---- */

static bool mutate_reference(struct mutant *m)
{
	struct jw_span entry = cfr_pool_entry(&m->cls.pool, mutant_constant(m, 0));

	if (entry.n != 2 && entry.n != 4)
		return false;
	size_t at = entry.n == 4 ? mutant_draw(m, 2) * 2u : 0;

	jw_put_u2(&m->comes, mutant_other(m, jw_span_u2(entry, at)));
	return mutant_replaces(m, entry.p + at, 2);
}
static bool mutate_text(struct mutant *m)
{
	struct jw_span text = cfr_pool_utf8(&m->cls.pool, mutant_constant(m, CFR_CONSTANT_Utf8));
	const char *other = texts[mutant_draw(m, sizeof(texts) / sizeof(texts[0]))];

	if (!text.p)
		return false;
	jw_put_u2(&m->comes, strlen(other));
	jw_put_str(&m->comes, other);
	return mutant_replaces(m, text.p - 2, text.n + 2);
}

/* ---- the class and its members ---- */

static bool mutate_version(struct mutant *m)
{
	uint32_t last = mutant_draw(m, 4) ? m->cls.major : CFR_MAJOR_KNOWN + 2;

	if (last < CFR_MAJOR_MIN)
		return false;
	jw_put_u2(&m->comes, CFR_MAJOR_MIN + mutant_draw(m, last + 1 - CFR_MAJOR_MIN));
	return mutant_replaces(m, m->bytes.p + 6, 2);
}

/* A flag, the name or the descriptor. */
static bool mutate_member(struct mutant *m)
{
	const struct cfr_member *method = mutant_method(m);

	if (!method)
		return false;
	uint32_t field = mutant_draw(m, 3);
	uint16_t value = jw_span_u2(method->bytes, field * 2u);

	jw_put_u2(&m->comes,
		  field == 0 ? value ^ 1u << mutant_draw(m, 16) : mutant_other(m, value));
	return mutant_replaces(m, method->bytes.p + field * 2u, 2);
}

/* A method comes twice, or goes. */
static bool mutate_methods(struct mutant *m)
{
	const struct cfr_member *method = mutant_method(m);

	if (!method)
		return false;
	const uint8_t *from = m->bytes.p + m->cls.methods_at;
	size_t before = (size_t)(method->bytes.p - from);
	bool twice = mutant_draw(m, 4) != 0;

	jw_put_u2(&m->comes, twice ? m->cls.method_count + 1u : m->cls.method_count - 1u);
	jw_put_bytes(&m->comes, jw_span(from + 2, before - 2));
	if (twice) { /* the first one has another name */
		uint16_t name = jw_span_u2(method->bytes, 2);

		jw_put_u2(&m->comes, method->access);
		jw_put_u2(&m->comes, mutant_draw(m, 4) ? mutant_other(m, name) : name);
		jw_put_bytes(&m->comes, jw_span_sub(method->bytes, 4, SIZE_MAX));
		jw_put_bytes(&m->comes, method->bytes);
	}
	return mutant_replaces(m, from, before + method->bytes.n);
}

/* Of a class or a member, an attribute comes twice (perhaps with another name), or goes. */
static bool mutate_attributes(struct mutant *m)
{
	const struct cfr_member *method = mutant_method(m);
	const struct cfr_attrs *all = method && mutant_draw(m, 2) ? &method->attrs : &m->cls.attrs;
	struct cfr_attr_iter it = cfr_attrs_iter(&m->cls, all);
	struct cfr_attr attr;

	if (all->count == 0)
		return false;
	for (uint32_t i = mutant_draw(m, all->count); cfr_attr_next(&it, &attr) && i > 0; i--)
		;
	if (jw_span_eq_str(attr.name, "Code")) /* none, or two: no JVM takes that */
		return false;
	const uint8_t *from = all->bytes.p - 2;
	size_t before = attr.at - (size_t)(from - m->bytes.p), n = attr.info.n + 6;
	bool twice = mutant_draw(m, 2);
	uint16_t name = jw_span_u2(m->bytes, attr.at);

	jw_put_u2(&m->comes, twice ? all->count + 1u : all->count - 1u);
	jw_put_bytes(&m->comes, jw_span(from + 2, before - 2));
	if (twice) {
		jw_put_u2(&m->comes, mutant_draw(m, 2) ? name : mutant_other(m, name));
		jw_put_bytes(&m->comes, jw_span(from + before + 2, n - 2));
		jw_put_bytes(&m->comes, jw_span(from + before, n));
	}
	return mutant_replaces(m, from, before + n);
}

void mutate_class(struct jw_span in, struct jw_buf *out, uint32_t *state)
{
	static bool (*const mutations[])(struct mutant *) = {
		mutate_code,    mutate_code,     mutate_code,     mutate_code,
		mutate_code,    mutate_opcode,   mutate_opcode,   mutate_operand,
		mutate_operand, mutate_handlers, mutate_handlers, mutate_reference,
		mutate_text,    mutate_member,   mutate_methods,  mutate_attributes,
		mutate_version,
	};
	uint32_t which = draw(state, sizeof(mutations) / sizeof(mutations[0]));
	struct jw_arena arena = { 0 };
	struct mutant m = { .bytes = in, .arena = &arena, .state = *state };
	struct jw_err e = { 0 };

	if (cfr_class_open(in, &arena, &m.cls, &e) == JW_OK) {
		if (mutations[which](&m) && m.comes.failed == JW_OK) {
			jw_put_bytes(out, jw_span_sub(in, 0, m.at));
			jw_put_bytes(out, jw_buf_span(&m.comes));
			jw_put_bytes(out, jw_span_sub(in, m.at + m.gone, SIZE_MAX));
		}
		cfr_class_close(&m.cls);
	}
	*state = m.state;
	jw_buf_free(&m.comes);
	jw_arena_free(&arena);
}
