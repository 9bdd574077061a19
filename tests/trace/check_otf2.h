/*
 * check_otf2.h: does libotf2 read an archive that jweave wrote by it?
 */
#ifndef JW_TESTS_TRACE_CHECK_OTF2_H
#define JW_TESTS_TRACE_CHECK_OTF2_H

/* Aborts when it complains, time goes back, or a region is left that was not entered; ANCHOR:
 * traces.otf2. Where this program was built without libotf2, nothing is done. */
void check_otf2(const char *anchor);

#endif
