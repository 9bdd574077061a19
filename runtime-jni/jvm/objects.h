/*
 * objects.h: objects and classes as numbers of a recording (trace/format/recording.h): of classes
 * made of their names, of objects of their identity hashes and classes. Probe.java makes the same.
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

/* The number of CLASS; its name is in meta. */
uint32_t rt_class_number(JNIEnv *env, jclass class);

/* Tells meta, once, the name of CLASS, which has this NUMBER. */
void rt_name_class(JNIEnv *env, jclass class, uint32_t number);

#endif
