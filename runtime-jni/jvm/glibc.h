/*
 * glibc.h: the library runs where glibc is older than where it was built (GLIBC_2.17 and later).
 *
 * Woven jars travel. What glibc 2.32 to 2.34 moved from libpthread and libdl into libc, and there gave
 * new versions, it keeps under the old ones too; a JVM has all of them loaded, old or new. Included
 * before everything else in every file of the library (Makefile: RT_FLAGS); glibc.c has the rest. A
 * test holds what the library asks for. No header may be included here: some files of the library
 * define what they want of libc first.
 */
#ifndef RT_GLIBC_H
#define RT_GLIBC_H

#if defined(__x86_64__)
#define RT_GLIBC_FIRST "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define RT_GLIBC_FIRST "GLIBC_2.17"
#endif

#ifdef RT_GLIBC_FIRST
#define RT_GLIBC_OLD(name) __asm__(".symver " #name "," #name "@" RT_GLIBC_FIRST)
RT_GLIBC_OLD(dladdr);
RT_GLIBC_OLD(dlclose);
RT_GLIBC_OLD(dlopen);
RT_GLIBC_OLD(dlsym);
RT_GLIBC_OLD(pthread_attr_getstack);
RT_GLIBC_OLD(pthread_attr_setstacksize);
RT_GLIBC_OLD(pthread_create);
RT_GLIBC_OLD(pthread_detach);
RT_GLIBC_OLD(pthread_getattr_np);
RT_GLIBC_OLD(pthread_getcpuclockid);
RT_GLIBC_OLD(pthread_getspecific);
RT_GLIBC_OLD(pthread_join);
RT_GLIBC_OLD(pthread_key_create);
RT_GLIBC_OLD(pthread_key_delete);
RT_GLIBC_OLD(pthread_mutex_trylock);
RT_GLIBC_OLD(pthread_once);
RT_GLIBC_OLD(pthread_setspecific);
RT_GLIBC_OLD(pthread_sigmask);
#endif

#endif
