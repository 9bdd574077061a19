/*
 * baked.h: what a woven archive says to its runtime: the text that the weaver puts in place of a
 * constant of the runtime class (BAKED of Probe.java), made by rules/, read by runtime-jni/.
 *
 * Lines of fields with a TAB between. ASCII: other bytes, controls and backslashes are \xHH (two
 * hex digits each).
 *
 *     jweave-baked 1
 *     library classpath            the library is not in this archive (--runtime=classpath)
 *     tracing off                  as JWEAVE=off does, unless the user says JWEAVE=on
 *     NAME VALUE                   a default, as JWEAVE_NAME and -Djweave.name give it
 *     rule ID EVERY DEPTH NS SWITCH
 *                                  what a rule leaves out: it records one call of EVERY, none
 *                                  deeper than DEPTH, none shorter than NS; 0: all. SWITCH: on
 *                                  or off, unless JWEAVE_ENABLE or JWEAVE_DISABLE names it; -: it
 *                                  has none. The first line has the number 1; those with a switch
 *                                  come first, in the order of the rules
 *
 * With nothing to say, the constant is left as it was.
 *
 * Probes of methods that are traced by a rule with a number push a second long after the id, HOW:
 *
 *     bits 0 to 15     number of the rule; 0: records all, 65535: none
 *     bit 16           captures follow its enter record or precede its exit record
 *     bits 32 to 63    rules with a switch that chose the method, too, the number 1 in bit 32: the
 *                      highest of them that is on decides instead
 */
#ifndef JW_BASE_BAKED_H
#define JW_BASE_BAKED_H

#define JW_BAKED_PLACE "@jweave-baked@" /* what the weaver looks for */
#define JW_BAKED_HEAD  "jweave-baked\t1\n"
#define JW_BAKED_MAX   65535 /* bytes: it is one constant (JVMS 4.4.7) */
#define JW_BAKED_SPARE 47    /* of them the weaver's own */

#define JW_HOW_RULES    65534 /* the highest number */
#define JW_HOW_NONE     65535 /* in the place of a number: not traced */
#define JW_HOW_CAPTURES 0x10000
#define JW_HOW_SWITCHES 32 /* the first bit of them, and how many there are */

#endif
