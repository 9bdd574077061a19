/*
 * objects.h: objects and classes as numbers of a recording (trace/format/recording.h), made of
 * their identity hashes.
 *
 * A number is unique with a chance, not for sure: 24 bits are of the class, the rest of the object.
 * Where JVM TI is refused there are no numbers.
 */
#ifndef RT_OBJECTS_H
#define RT_OBJECTS_H

#include <jni.h>
#include <stdint.h>

/* The number of OBJECT; 0: NULL, or there is none. Gives it an identity hash. */
uint64_t rt_object_number(JNIEnv *env, jobject object);

/* The identity hash of CLASS as numbers have it; its name is in meta. */
uint32_t rt_class_hash(JNIEnv *env, jclass class);

/* Tells meta, once, the name of CLASS, whose 24 bits of identity hash are HASH. */
void rt_name_class(JNIEnv *env, jclass class, uint32_t hash);

#endif
