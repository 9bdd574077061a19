/*
 * monitors.h: whether probes may be at the monitors of a method. Asked once its calls are placed.
 */
#ifndef JW_WEAVER_MONITORS_H
#define JW_WEAVER_MONITORS_H

#include "weaver/class/body.h"

/* Leaves the method at hand where probes at its monitors would keep HotSpot from compiling it; fills
 * in what their handlers need (weave_call.held, .operand; b->handler_held). Costs one walk along
 * every way through the code, where there is a monitor among the calls. */
enum jw_status JW_MUST_USE weave_monitors_check(struct weave_body *b, struct jw_err *e);

#endif
