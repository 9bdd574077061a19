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
#include <stdint.h>

/* The number of OBJECT; 0: NULL, or there is none. Gives it an identity hash. */
uint64_t rt_object_number(JNIEnv *env, jobject object);

/* The number of CLASS; its name is in meta. */
uint32_t rt_class_number(JNIEnv *env, jclass class);

/* The number of an exception of CLASS that Probe.java has made NUMBER for, who does not know of other
 * classes with the same. */
uint64_t rt_exception_number(JNIEnv *env, jclass class, uint64_t number);

#endif
