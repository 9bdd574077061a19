/*
 * objects.h: objects and classes as numbers of a recording (trace/format/recording.h): of classes
 * made of their names, of objects of their identity hashes and classes.
 *
 * A number is unique with a chance, not for sure: 24 bits are of the class, the rest of the object.
 * Two classes have one only if their name is the same, as long as the table of them has room.
 * Where JVM TI is refused there are no numbers but those of exceptions, which Probe.java makes.
 */
#ifndef RT_OBJECTS_H
#define RT_OBJECTS_H

#include <jni.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace/format/recording.h"

/* The number of OBJECT; 0: NULL, or there is none. Gives it an identity hash. */
uint64_t rt_object_number(JNIEnv *env, jobject object);

/* Is NUMBER, of an object that has one, that of a lock which HotSpot has while it initializes a class? */
bool rt_is_init_lock(uint64_t number);

/* The number of CLASS; its name is in meta. */
uint32_t rt_class_number(JNIEnv *env, jclass class);

/* The number of an exception of CLASS that Probe.java has made NUMBER for, who does not know of other
 * classes with the same. */
uint64_t rt_exception_number(JNIEnv *env, jclass class, uint64_t number);

/* Classes of numbers that Probe.java has made, which have no names yet: number + 1. */
enum { RT_SEEN_CLASSES = 1 << 12 };
extern _Atomic uint32_t rt_seen_classes[RT_SEEN_CLASSES];
void rt_class_is_seen_first(uint32_t number);

/* Probe.java has made OBJECT, the number of one. */
static inline void rt_class_is_seen(uint64_t object)
{
	uint32_t number = (uint32_t)(object >> JWR_HASH_BITS) & JWR_CLASS_NUMBER_MASK;
	_Atomic uint32_t *at = &rt_seen_classes[number % RT_SEEN_CLASSES];

	if (__builtin_expect(atomic_load_explicit(at, memory_order_relaxed) != number + 1, 0))
		rt_class_is_seen_first(number);
}

/* Gives meta the names of those that are loaded: at the end, while the VM can tell. */
void rt_name_seen_classes(JNIEnv *env);

#endif
