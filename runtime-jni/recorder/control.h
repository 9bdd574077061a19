/*
 * control.h: what `jweave ctl` talks to: a socket "control" in the folder of the recording, and one
 * thread that waits there. No signal, no port, no name in the network.
 *
 * The client finds the folder among the open files of the process (/proc/PID/fd), which the kernel
 * shows to the same user and to root alone, across mount namespaces too; the socket's mode is 0600,
 * and who connects is asked for by SO_PEERCRED. A request is one line, the answer is text until the
 * end: what was done, or "error: " and why not.
 *
 *     status | start | stop | dump
 */
#ifndef RT_CONTROL_H
#define RT_CONTROL_H

/* Listens in the recording that has begun; what prevents it is noted there. Once. */
void rt_control_open(void);

/* No request is taken any more; removes the socket. */
void rt_control_close(void);

#endif
