/*
 * banned.h: libc functions that have no safe use here. Included last by every .c file; a use is a
 * compile error that names the function.
 */
#ifndef JW_BASE_BANNED_H
#define JW_BASE_BANNED_H

#define JW_BANNED(name) jw_##name##_is_banned_use_the_bounded_form

#undef strcpy
#define strcpy(d, s) JW_BANNED(strcpy)
#undef strcat
#define strcat(d, s) JW_BANNED(strcat)
#undef strncpy
#define strncpy(d, s, n) JW_BANNED(strncpy)
#undef strncat
#define strncat(d, s, n) JW_BANNED(strncat)
#undef sprintf
#define sprintf(...) JW_BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) JW_BANNED(vsprintf)
#undef strtok
#define strtok(s, d) JW_BANNED(strtok)
#undef atoi
#define atoi(s) JW_BANNED(atoi)
#undef atol
#define atol(s) JW_BANNED(atol)
#undef alloca
#define alloca(n) JW_BANNED(alloca)
#undef gets
#define gets(s) JW_BANNED(gets)

#endif
