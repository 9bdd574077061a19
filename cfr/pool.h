/*
 * pool.h: the constant pool (JVMS 4.4), read in place. pool_add.h appends to it.
 *
 * Old entries never move: an index of the input means the same in the output. Opening costs two
 * passes over the entries; reading one is a look at its offset.
 */
#ifndef JW_CFR_POOL_H
#define JW_CFR_POOL_H

#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"

/* X(name, tag, bytes after the tag (0: Utf8, by its length), slots) : JVMS table 4.4-A. */
#define CFR_CONSTANT_LIST(X)            \
	X(Utf8, 1, 0, 1)                \
	X(Integer, 3, 4, 1)             \
	X(Float, 4, 4, 1)               \
	X(Long, 5, 8, 2)                \
	X(Double, 6, 8, 2)              \
	X(Class, 7, 2, 1)               \
	X(String, 8, 2, 1)              \
	X(Fieldref, 9, 4, 1)            \
	X(Methodref, 10, 4, 1)          \
	X(InterfaceMethodref, 11, 4, 1) \
	X(NameAndType, 12, 4, 1)        \
	X(MethodHandle, 15, 3, 1)       \
	X(MethodType, 16, 2, 1)         \
	X(Dynamic, 17, 4, 1)            \
	X(InvokeDynamic, 18, 4, 1)      \
	X(Module, 19, 2, 1)             \
	X(Package, 20, 2, 1)

enum cfr_constant {
#define CFR_CONSTANT_ENUM(name, tag, bytes, slots) CFR_CONSTANT_##name = tag,
	CFR_CONSTANT_LIST(CFR_CONSTANT_ENUM)
#undef CFR_CONSTANT_ENUM
};

enum { CFR_POOL_MAX = 65535 }; /* constant_pool_count at most: the last index is one less */

struct cfr_pool_index; /* of the entries that pool_add.h looks for; made by its first call */

struct cfr_pool {
	struct jw_span bytes; /* the class file; borrowed */
	/* per index: offset of the entry's tag in `bytes`; 0: no entry starts here */
	const uint32_t *at;
	uint32_t count;      /* constant_pool_count of the input */
	uint32_t start, end; /* offsets of the count field, and of the end of the pool */
	struct jw_buf added; /* entries appended, in their file form */
	uint32_t next;       /* index of the next new entry; starts at count */
	struct cfr_pool_index *index;
};

/* Indexes the pool that starts at OFFSET (its count field) of BYTES: tags known, lengths inside,
 * and in a second pass every reference points at an entry of the right tag. JW_INPUT says which
 * index; an unknown tag is JW_UNSUPPORTED. */
enum jw_status JW_MUST_USE cfr_pool_open(struct jw_span bytes, size_t offset,
					 struct jw_arena *arena, struct cfr_pool *out,
					 struct jw_err *e);

/* The tag at INDEX of the input pool, 0 when no entry starts there (entries added do not count). */
uint8_t cfr_pool_tag(const struct cfr_pool *pool, uint32_t index);

/* The bytes of the Utf8 at INDEX; of the name of the Class, Module or Package at INDEX. An empty
 * span with p == NULL when INDEX is not such an entry. */
struct jw_span cfr_pool_utf8(const struct cfr_pool *pool, uint32_t index);
struct jw_span cfr_pool_class(const struct cfr_pool *pool, uint32_t index);

/* A Fieldref, Methodref, InterfaceMethodref, Dynamic or InvokeDynamic taken apart; false when INDEX
 * is none. `owner` is empty for the dynamic ones. */
struct cfr_ref {
	uint8_t tag;
	uint16_t first;            /* the index of its Class, or of the bootstrap method */
	uint16_t descriptor_index; /* of the Utf8 */
	struct jw_span owner, name, descriptor;
};
bool cfr_pool_ref(const struct cfr_pool *pool, uint32_t index, struct cfr_ref *out);

/* The bytes after the tag at INDEX (an entry of the input); an empty span when there is none. */
struct jw_span cfr_pool_entry(const struct cfr_pool *pool, uint32_t index);

/* The name ("Methodref") of TAG, "?" when there is no such tag. */
const char *cfr_constant_name(uint8_t tag);

#endif
