/*
 * code_facts.h: what the guard and the rules ask of a body, without opening it.
 *
 * One pass over the instructions and one over the line tables; nothing is allocated.
 */
#ifndef JW_CFR_CODE_FACTS_H
#define JW_CFR_CODE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cfr/class.h"

struct cfr_code_facts {
	uint32_t bytes;   /* code_length */
	uint32_t lines;   /* distinct lines in the LineNumberTables; 0: none */
	bool has_loop;    /* a branch or switch goes backwards, or to itself */
	bool has_call;    /* any invoke, invokedynamic included */
	bool has_monitor; /* monitorenter or monitorexit; ACC_SYNCHRONIZED is the caller's to add */
	bool throws;      /* athrow, or a handler that names a type */
};

/* Needs no validation first, and is safe on any bytes. False when METHOD has no Code, or one that
 * cannot be walked to its end. */
bool cfr_code_facts(const struct cfr_class *cls, const struct cfr_member *method,
		    struct cfr_code_facts *out);

#endif
