/*
 * recording.h: what the recorder leaves on disk, and what everything in trace/ reads.
 *
 * The one header that the recorder's hot path includes. Little-endian (all supported machines are).
 * Format version JWR_VERSION, of a summary JWR_VERSION_SUMS; readers know every older version; a
 * newer one is refused by name.
 *
 *   NAME.jwr/                 a folder: the recording of one process
 *     meta                    text: what is known once (see "meta" below); append-only
 *     data                    chunks, append-only; each starts at a multiple of JWR_ALIGN
 *     data.1, data.2, ...     in its place where recording is a ring: each as `data` is, the oldest
 *                             removed
 *     windows                 live windows of threads, fixed size each (may lie elsewhere:
 *                             meta's "windows" line says where)
 *     tables                  of a summary: tables that have outgrown their windows (it is where
 *                             `windows` does; PATH.tables beside a PATH elsewhere)
 *     regions.map             names of the program's own regions, a method map (methodmap.h)
 *     archives/1, 2, ...      links to woven archives that had to do with it: their method maps are
 *                             read here first
 *     control                 socket: while the process lives it answers requests (jweave ctl)
 *
 * Record (16 bytes): what happened, when.
 *     u64 tick                raw clock (see "clock" in meta)
 *     u64 word                kind << 56 | payload
 *
 * Payload of the method kinds: the method id, 40 bits of class hash over 16 bits of method index
 * (jwr_method_id). The table that names ids is the method map (methodmap.h).
 *
 * Virtual threads have no stream of their own: their records stand in those of their carriers. A
 * window or chunk begins with records of the carrier itself; a SWITCH says whose the next ones are,
 * until another one, or an END of the same id. The first SWITCH to an id comes before all of its
 * records; nothing of it follows its END. An END of an id without any SWITCH means nothing.
 *
 * Captures: the OBJECT and VALUE records right after an ENTER are the captures of its join point
 * that are taken before it runs, in the order in which the method map lists them; those right
 * before an EXIT are the captures of what it returned, those right before a FAIL of the exception. A
 * VALUE of more than 56 bits comes after its WIDE.
 *
 * Exceptions: THROWN where woven code throws one, or where one that nobody has seen yet passes
 * through it; again where it is thrown again, by a finally or whoever has caught it. CAUGHT where a
 * handler of woven code that names its type takes it.
 *
 * Objects: a number that one object of the process keeps while it lives; 0: null, or unknown. A
 * java.lang.Thread: JWR_OBJECT_THREAD and its Java id. Any other: its identity hash, and above it
 * the number of its class (jwr_object).
 *
 * Window (JWR_WINDOW_SIZE bytes): a header page (struct jwr_window) and JWR_WINDOW_RECORDS records.
 * The owner thread alone writes records and `cursor`: record first, cursor after it. A full window,
 * or the end of its thread, becomes one chunk in `data`, written by one pwrite at an offset
 * reserved by an atomic add; then the cursor goes back, and `seq` is raised, in this order. After
 * kill -9 the window still holds what was stored: its records count unless `data` has a whole chunk
 * of the same thread and seq.
 *
 * Chunk: struct jwr_chunk, then `bytes` of records; padded to JWR_ALIGN. One of JWR_PAGE bytes or
 * more begins at a multiple of that; what this leaves free before it, and a hole (the process died
 * between reservation and write), reads as zeros: step JWR_ALIGN until the next magic.
 *
 * Summary (mode summary): no records. Each thread has a table of rows, one for each method that it
 * has called (struct jwr_row), and a stack of the calls that are open (struct jwr_frame). Both lie
 * in its window, after the header page, until they outgrow it: then in `tables`. A table that may
 * not grow, or whose thread ends, becomes one chunk in `data` (struct jwr_sums_chunk, then its rows
 * in any order), and begins anew, under the next seq: what a thread has done is the sum of its
 * chunks and of its window, unless there is a chunk of the window's seq. In a window whose process
 * was killed calls are open: they have taken until the last instant that is known, or until the
 * pause that began then. The rows of a carrier's virtual threads, all together, stand in a window
 * of their own, that of a "thread" with the flag s.
 *
 * meta: one item a line, fields separated by TAB; TAB, LF, backslash and control characters in a
 * field are written \xHH (two hex digits). UTF-8. First line "jweave-recording<TAB>1". Unknown
 * items are ignored.
 *
 *     clock tsc | cntvct | monotonic          what ticks count; converted by the clock points
 *     clock-point TICK MONO_NS WALL_NS        taken at start and at a clean end
 *     alive TICK MONO_NS WALL_NS              the same, now and then: so long, at least, it lived
 *     boot ID SLEPT_NS [NUMBER]               the kernel's boot id, how long the machine had slept,
 *                                             and the time namespace (/proc/self/ns/time): who has
 *                                             the same clocks
 *     host NAME / pid N / rank N [OF] / command TEXT / java VERSION / vm NAME / cwd PATH
 *     main TEXT                               the main class or jar, and the program's arguments
 *     job FOLDER / application ID / role TEXT the folder of the job's recordings; what the system
 *                                             that started it calls the job; what the process is
 *                                             in it, where the user has said so
 *     limit MAX_BYTES FLOOR_BYTES             the size cap and the free-space floor in force
 *     windows PATH | anonymous                file of the windows; anonymous: kill -9 not covered
 *     map PATH_OR_URL                         where a method map may be: class path, code source
 *     thread UID START_TICK FIRST_TICK TID JAVA_ID FLAGS NAME
 *                                             first event of a thread. START_TICK 0: it was alive
 *                                             before recording began. FLAGS: d daemon, v virtual,
 *                                             j the VM itself, s sums of the virtual threads that
 *                                             one carrier ran, c threads of which nothing was
 *                                             recorded: what they have lost; or -
 *     class NUMBER NAME                       the class of an object that was waited for, by its
 *                                             number (jwr_class)
 *     net-namespace INODE                     the network namespace of the process
 *     connection NUMBER TICK ROLE FAMILY LOCAL PORT PEER PORT INODE WRITTEN READ
 *                                             a socket that was seen first at TICK. ROLE: connect,
 *                                             accept, listen, or late: it was there before, and
 *                                             so many bytes had been moved. FAMILY: tcp, udp, unix;
 *                                             of a unix socket PORT 0, LOCAL and PEER paths; PEER
 *                                             "": none. INODE: of the socket. A twelfth field
 *                                             "named": only waits are told, not what crosses
 *     connection-end NUMBER TICK WRITTEN READ AS
 *                                             it is closed, or recording ends: what natives that
 *                                             tell have moved. AS: whole, as the kernel says, too;
 *                                             other: some went another way; open: it is in use
 *     file NUMBER PATH                        a file that is read or written, by the same numbers. A third
 *                                             field "named" as above
 *     place NUMBER CLASS METHOD SOURCE LINE   where a thread waits: what PLACE records say. SOURCE
 *                                             "", LINE 0: unknown. A sixth field "sleep": a virtual
 *                                             thread that parks here sleeps; "load": what waits is the
 *                                             JDK, which loads a class for the method; "put": which
 *                                             puts something into a queue for it; "join": Thread.join
 *     held WAITER TICK HOLDER                 a thread that waits for a monitor for longer than a second, or for
 *                                             a lock at the end, by its id in Java; who had that at TICK
 *                                             (jwr_thread_object), as HOLDER tells of a monitor when the
 *                                             wait for it is over
 *     tap NATIVE                              this native of the JDK was bound anew, so that it
 *                                             tells (runtime-jni/jvm/taps.def)
 *     tap-refused NATIVE WHY                  it could not be: nothing is known of what it does
 *     virtual ID NAME                         a virtual thread that has logged and has a name
 *     virtual-end ID NAME                     its name at its end, where that is another one, or
 *                                             the first
 *     text NUMBER TEXT                        what a VALUE record of a capture as class or string
 *                                             is (a class by its Java name); 0 is null, and texts
 *                                             not told
 *     thread-end UID TICK NAME [CPU_NS]       its end, its name then, and its CPU time, since its
 *                                             start or, where that is unknown, its first event
 *     thread-name UID TICK NAME               it has another name now than before
 *     thread-cpu UID NS                       the CPU time of a thread that lived at the end
 *     cpu TICK NS                             the CPU time of the process, from its start to then:
 *                                             when recording began, and at the end
 *     event-label TYPE LABEL                  what events of the program's own are called
 *     event-value TYPE VALUE LABEL            and what a value of them is; the first one counts
 *     probes TICK WAY                         from then on one archive's probes go another way: ffm
 *     mode flight-recorder                    the oldest chunks of threads may be missing
 *     mode summary                            sums alone, no events
 *     note TEXT                               what was refused or went wrong
 *     lost UID COUNT                          events of a thread that were not recorded
 *     threads-gone COUNT                      of a flight recorder: threads of which nothing is left,
 *                                             nor any line; the latest counts
 *     pause TICK / resume TICK                recording was paused from here / to here
 *     budget SHARE                            the share of the CPU time that recording may take;
 *                                             above it, methods are closed
 *     closed TICK ID                          from here on calls of this method, and of all others
 *                                             with its gate (jwr_gate), are not recorded: records
 *                                             of them are those of threads that were just at it,
 *                                             and do not count
 *     detail BEGIN END                        but all of them are between these two ticks
 *     except ID                               but calls of this one, which has no gate
 *     short-waits TICK NS                     from here on waits inside the JDK (PARK, AWAIT) that
 *                                             are shorter are not recorded, nor who ended them,
 *                                             but their sum (SHORT)
 *     stop TICK REASON                        recording stopped early (cap, floor, write error)
 *     data BYTES                              at the end: so many has the file, the last chunk
 *                                             padded (not of a ring)
 *     end TICK REASON                         the process ended in good order
 */
#ifndef JW_TRACE_RECORDING_H
#define JW_TRACE_RECORDING_H

#include <stdint.h>

#define JWR_VERSION      1
#define JWR_VERSION_SUMS 2
#define JWR_DATA         "data"
#define JWR_TABLES       "tables"
#define JWR_CONTROL      "control"
#define JWR_REGIONS      "regions.map"
#define JWR_ARCHIVES     "archives"
#define JWR_MAGIC        UINT32_C(0x3152574a) /* "JWR1" */
#define JWR_ALIGN        512
#define JWR_HEADER_SIZE  4096
#define JWR_RECORDS_SIZE 65536
#define JWR_WINDOW_SIZE  (JWR_HEADER_SIZE + JWR_RECORDS_SIZE)
#define JWR_PAGE         4096 /* of a file in the page cache */
/* At this cursor a window is full: with its header the chunk is 64 KiB then, 16 whole pages of the
 * file. (Pages that two chunks share cost 2.7 ns an event.) Older recorders filled all of it. */
#define JWR_WINDOW_FULL (JWR_WINDOW_SIZE - 64)
#define JWR_FULL_CHUNK  JWR_RECORDS_SIZE

/* X(name, number, what the payload is) : kinds of records. Numbers never change. */
#define JWR_KIND_LIST(X)                                                                          \
	X(NONE, 0, "never written: an empty slot; 1: taken back, as if it had not been")          \
	X(ENTER, 1, "method id: a method begins")                                                 \
	X(EXIT, 2, "method id: a method returns")                                                 \
	X(FAIL, 3, "method id: a method ends by an exception")                                    \
	X(SWITCH, 4, "virtual thread id: it runs on this thread now; 0: the thread itself")       \
	X(END, 5, "virtual thread id: it has ended")                                              \
	X(GC_BEGIN, 6, "0: a pause of the garbage collector begins")                              \
	X(GC_END, 7, "0: it ends")                                                                \
	X(CONTENDED, 8, "object: the thread waits to enter its monitor")                          \
	X(ENTERED, 9, "object: it has entered")                                                   \
	X(WAIT, 10, "object: Object.wait() begins")                                               \
	X(WAITED, 11, "object: the wait is over")                                                 \
	X(OBJECT, 12, "object: what the traced call or method is about")                          \
	X(VALUE, 13, "signed: a value that it captured")                                          \
	X(EXPIRED, 14,                                                                            \
	  "object: the wait is over since its time is (WAITED: since something woke it)")         \
	X(EVENT, 16, "event type: an event of the program's own; its value follows")              \
	X(EVENT_VALUE, 17, "its value, below 2^53 + 1")                                           \
	X(THROWN, 18, "object: an exception is thrown, or was seen on its way")                   \
	X(CAUGHT, 19, "object: a handler has it")                                                 \
	X(ALLOC, 20, "class and size: one allocation of many (jwr_alloc)")                        \
	X(CREATED, 21, "id of the place: it has made an object; of an array, its length follows") \
	X(CLOSED, 22, "method id: its calls are no longer recorded (`closed` of meta)")           \
	X(DETAIL, 23, "1: all gates are open (`detail` of meta); 0: no longer")                   \
	X(PLACE, 24,                                                                              \
	  "number: where the thread is that CONTENDED, WAIT, PARK or AWAIT, which follows, "      \
	  "is of")                                                                                \
	X(PARK, 25, "object: the thread parks (LockSupport.park) for it; 0: it told none")        \
	X(PARKED, 26, "0: it goes on; 1: a virtual thread that was on no carrier")                \
	X(UNPARK, 27, "thread: it may go on, or not park next; object: so may who parks for it")  \
	X(AWAIT, 28, "what (jwr_await): the thread waits for something that is no other thread")  \
	X(AWAITED, 29, "what, and what came of it (jwr_awaited): that is over")                   \
	X(OFFSET, 30,                                                                             \
	  "bytes moved the same way before the AWAITED that follows, where no record said so")    \
	X(WIDE, 31, "the highest 8 of the 64 bits of the VALUE that follows")                     \
	X(START, 32, "thread: it is started (Thread.start, whoever calls it)")                    \
	X(CONTEXT, 33, "a part of the trace context of the thread from now on (jwr_context)")     \
	X(HOLDER, 34,                                                                             \
	  "thread: it was seen to have the monitor whose ENTERED follows, or the lock of the "    \
	  "PARK before; 0: it has it no longer")                                                  \
	X(WAKE, 35, "number of a waker: who selects with it goes on, or will the next time")      \
	X(INTERRUPT, 36, "thread: it is interrupted (Thread.interrupt, whoever calls it)")        \
	X(SHORT, 37, "ns (jwr_short): in waits too short to be told, up to now")                  \
	X(DEPTH, 38, "open calls of the method whose FAIL follows (jwr_depth); others ended untold")

enum jwr_kind {
#define JWR_KIND_ENUM(name, number, text) JWR_##name = number,
	JWR_KIND_LIST(JWR_KIND_ENUM)
#undef JWR_KIND_ENUM
};

/* How long all gates are open for a DETAIL, about; a system that is busy makes some of them longer. */
#define JWR_DETAIL_US 100

struct jwr_record {
	uint64_t tick;
	uint64_t word;
};

#define JWR_PAYLOAD_BITS 56
#define JWR_TAKEN_BACK   UINT64_C(1) /* the word of a record of kind NONE that was one */
#define JWR_PAYLOAD_MASK ((UINT64_C(1) << JWR_PAYLOAD_BITS) - 1)
#define JWR_INDEX_BITS   16
/* Ids of call sites have it; of methods, only those after 32768 others of their class. */
#define JWR_SITE_BIT   UINT64_C(0x8000)
#define JWR_CLASS_MASK ((UINT64_C(1) << (JWR_PAYLOAD_BITS - JWR_INDEX_BITS)) - 1)

/* The second word of a record: its kind in the highest byte, its payload in the others. */
static inline uint64_t jwr_word(enum jwr_kind kind, uint64_t payload)
{
	return (uint64_t)kind << JWR_PAYLOAD_BITS | (payload & JWR_PAYLOAD_MASK);
}

static inline enum jwr_kind jwr_word_kind(uint64_t word)
{
	return (enum jwr_kind)(word >> JWR_PAYLOAD_BITS);
}

static inline uint64_t jwr_word_payload(uint64_t word)
{
	return word & JWR_PAYLOAD_MASK;
}

/* The id of method INDEX of the class whose hash is CLASS_HASH (its low 40 bits count). */
static inline uint64_t jwr_method_id(uint64_t class_hash, uint16_t index)
{
	return (class_hash & JWR_CLASS_MASK) << JWR_INDEX_BITS | index;
}

/*
 * Woven archives number their own methods: the class hash is then one of the archive, the index a
 * number. Code pushes it as the operand of sipush, which is signed (JVMS 6.5); what is added to
 * that is the id of the number in the middle.
 */
static inline uint16_t jwr_pushed_number(uint64_t id)
{
	return (uint16_t)(id ^ 0x8000);
}
static inline uint64_t jwr_number_base(uint64_t class_hash)
{
	return jwr_method_id(class_hash, 0x8000);
}

/* The gate of ID: what a runtime closes so that calls of a method are no longer recorded; other
 * methods may share it. Of ids whose class hash is that of an archive each has its own. */
#define JWR_GATES 65536
static inline uint16_t jwr_gate(uint64_t id)
{
	return (uint16_t)(id ^ id >> 41);
}

/* Set in the number of a java.lang.Thread; the low bits are the thread's Java id. */
#define JWR_OBJECT_THREAD (UINT64_C(1) << (JWR_PAYLOAD_BITS - 1))

/* The number of the thread whose Java id is ID. */
static inline uint64_t jwr_thread_object(uint64_t id)
{
	return JWR_OBJECT_THREAD | (id & (JWR_OBJECT_THREAD - 1));
}

/* Below it is the identity hash, above it these bits of the class. */
#define JWR_HASH_BITS         31
#define JWR_HASH_MASK         0x7fffffff
#define JWR_CLASS_NUMBER_MASK 0xffffff

/* The number of a class, from what hashCode() says of its getName(). Not from its own identity
 * hash: that of a class that comes from the JDK's archive may be one that the VM gives out again.
 * Where a class with another name has it already, the class has one of the next numbers. */
static inline uint32_t jwr_class(uint32_t hash_of_name)
{
	return hash_of_name * 0x9e3779b1u >> 8;
}

/* What the class of an int[] without elements is called: such a one HotSpot locks while it initializes a class. */
#define JWR_INIT_LOCK "int[0]"

/* The number of an object that is no thread, from its identity hash (31 bits) and the number of its
 * class. */
static inline uint64_t jwr_object(uint32_t hash, uint32_t class)
{
	return (uint64_t)(class & JWR_CLASS_NUMBER_MASK) << JWR_HASH_BITS | (hash & JWR_HASH_MASK);
}

/* An allocation of BYTES (2^31 - 1 means that many or more), by the number of the class: as the
 * number of an object whose hash is the size. */
static inline uint64_t jwr_alloc(uint64_t bytes, uint32_t class)
{
	return jwr_object(bytes > INT32_MAX ? INT32_MAX : (uint32_t)bytes, class);
}

/* The size in the payload of an ALLOC. */
static inline uint64_t jwr_alloc_bytes(uint64_t payload)
{
	return payload & INT32_MAX;
}

/*
 * A trace context (W3C Trace Context): the trace id, 128 bits, and the span id, 64. Four CONTEXT
 * follow each other, of the parts 0 to 3: 48 bits each of the ids, the highest first. All bits 0: none
 * is current.
 */
#define JWR_CONTEXT_PARTS     4
#define JWR_CONTEXT_PART_BITS 48
struct jwr_context {
	uint64_t trace_high, trace_low, span;
};

/* The payload of PART of C. */
static inline uint64_t jwr_context_part(const struct jwr_context *c, unsigned part)
{
	const uint64_t bits[JWR_CONTEXT_PARTS] = {
		c->trace_high >> 16,
		c->trace_high << 32 | c->trace_low >> 32,
		c->trace_low << 16 | c->span >> 48,
		c->span,
	};

	return (uint64_t)part << JWR_CONTEXT_PART_BITS |
	       (bits[part] & ((UINT64_C(1) << JWR_CONTEXT_PART_BITS) - 1));
}

/* The payload of a PARKED of a virtual thread that is mounted again. */
#define JWR_PARKED_MOUNT 1

/* Of SHORT: so many NS since the SHORT before, in parks and sleeps, or IO. */
static inline uint64_t jwr_short(uint64_t ns, int io)
{
	return ns << 1 | (io != 0);
}

static inline uint64_t jwr_short_ns(uint64_t payload)
{
	return payload >> 1;
}

static inline int jwr_short_io(uint64_t payload)
{
	return payload & 1;
}

/* COUNT calls of the method of ID, by the low bits of that. */
static inline uint64_t jwr_depth(uint64_t count, uint64_t id)
{
	return count << 32 | (uint32_t)id;
}

static inline unsigned jwr_depth_is_of(uint64_t payload, uint64_t id)
{
	return (uint32_t)payload == (uint32_t)id;
}

/* X(name, number, text) : what a thread waits for in an AWAIT. Numbers never change. Of all but
 * SLEEP, SELECT and CHILD (a process id) its number is that of a channel in meta; 0: not told. */
#define JWR_AWAIT_LIST(X)                             \
	X(SLEEP, 1, "Thread.sleep")                   \
	X(SELECT, 2, "any channel of a selector")     \
	X(POLL, 3, "a channel that can be used")      \
	X(ACCEPT, 4, "a connection")                  \
	X(CONNECT, 5, "a connection that is made")    \
	X(READ, 6, "bytes that are read")             \
	X(WRITE, 7, "bytes that are written")         \
	X(FORCE, 8, "a file that is written to disk") \
	X(CHILD, 9, "a process that ends")            \
	X(LOCK, 10, "a file that is locked")

enum jwr_await {
#define JWR_AWAIT_ENUM(name, number, text) JWR_AWAIT_##name = number,
	JWR_AWAIT_LIST(JWR_AWAIT_ENUM)
#undef JWR_AWAIT_ENUM
};

#define JWR_AWAIT_BITS 8

/* The payload of an AWAIT: WHAT in the lowest byte; above it which one, by a NUMBER, or 0. */
static inline uint64_t jwr_await(enum jwr_await what, uint64_t number)
{
	return (uint64_t)what | (number << JWR_AWAIT_BITS & JWR_PAYLOAD_MASK);
}

/* What an AWAIT waits for, and which one. */
static inline unsigned jwr_await_what(uint64_t payload)
{
	return payload & ((1u << JWR_AWAIT_BITS) - 1);
}

static inline uint64_t jwr_await_number(uint64_t payload)
{
	return payload >> JWR_AWAIT_BITS;
}

/*
 * The payload of an AWAITED: WHAT in the lowest byte; above it 16 bits of MARK; above that AMOUNT,
 * 32 bits. Of READ and WRITE AMOUNT is the bytes that were moved, MARK ends how many have been so
 * far, the same way, of a connection: a reader who has counted something else has missed a record.
 * Of ACCEPT and CONNECT AMOUNT is the number of the connection that there is now; 0: none. Of SELECT
 * it is the number of the waker (WAKE) that has ended it, among others; 0: none.
 */
#define JWR_MARK_BITS 16
static inline uint64_t jwr_awaited(enum jwr_await what, uint64_t amount, uint64_t mark)
{
	return (uint64_t)what | (mark & 0xffff) << JWR_AWAIT_BITS |
	       (amount & UINT32_MAX) << (JWR_AWAIT_BITS + JWR_MARK_BITS);
}

static inline uint64_t jwr_awaited_amount(uint64_t payload)
{
	return payload >> (JWR_AWAIT_BITS + JWR_MARK_BITS);
}

static inline uint64_t jwr_awaited_mark(uint64_t payload)
{
	return payload >> JWR_AWAIT_BITS & 0xffff;
}

/* The value of a VALUE record. */
static inline int64_t jwr_word_value(uint64_t word)
{
	return (int64_t)(word << (64 - JWR_PAYLOAD_BITS)) >> (64 - JWR_PAYLOAD_BITS);
}

/* The same of a VALUE of which a WIDE has the HIGHEST bits. */
static inline int64_t jwr_wide_value(uint64_t highest, uint64_t word)
{
	return (int64_t)(highest << JWR_PAYLOAD_BITS | jwr_word_payload(word));
}

/* One instant on three clocks. */
struct jwr_clock_point {
	uint64_t tick;
	uint64_t mono_ns; /* CLOCK_MONOTONIC */
	uint64_t wall_ns; /* CLOCK_REALTIME */
};

/* ---- a summary ---- */

/* What a thread has done of one kind: key is a word as that of a record, payload and all.
 *     ENTER method      its calls
 *     CONTENDED object  blocked at its monitor; WAIT object: in Object.wait(); GC_BEGIN: pauses
 *     PARK object       parked for one of its class (its own hash is 0); PARKED: while no call was
 *                       open; AWAIT what
 *     ALLOC class       allocations, with bytes in place of times (jwr_alloc of 0 bytes)
 * Times are ticks. */
struct jwr_row {
	uint64_t key;   /* 0: a free place */
	uint64_t calls; /* that began */
	uint64_t fails; /* ended by an exception; of a WAIT: by its time limit */
	uint64_t total; /* time of those that ended, inside another call of the method not counted
			 * again
			 */
	uint64_t own;   /* the same without the calls that they made */
	uint64_t longest;
	uint32_t open; /* how many are open on the thread's stack */
	uint32_t unused[3];
};

struct jwr_frame {
	uint64_t key;
	uint64_t enter;
	uint64_t inner; /* time of the calls that it made, so far */
	uint32_t row;   /* its place in the table, for the process itself */
	uint32_t unused;
};

/* A place in a file: in the window (offset from its start), or JWR_IN_TABLES; 0: nowhere, the
 * memory was anonymous. */
#define JWR_IN_TABLES  (UINT64_C(1) << 63)
#define JWR_PLACE_BITS 8 /* the lowest: log2 of how many rows or frames it has room for */
/* 512 rows of 64 bytes and 1024 frames of 32 bytes fill JWR_RECORDS_SIZE */
#define JWR_WINDOW_ROWS_LOG   9
#define JWR_WINDOW_FRAMES_LOG 10
#define JWR_FRAMES_AT         (JWR_HEADER_SIZE + JWR_RECORDS_SIZE / 2)

/* The place at OFFSET of what has room for 2^COUNT_LOG; then each of the two of a place. */
static inline uint64_t jwr_place(uint64_t offset, unsigned count_log)
{
	return offset << JWR_PLACE_BITS | count_log;
}

static inline uint64_t jwr_place_offset(uint64_t place)
{
	return (place & ~JWR_IN_TABLES) >> JWR_PLACE_BITS;
}

static inline unsigned jwr_place_log(uint64_t place)
{
	return place & ((1u << JWR_PLACE_BITS) - 1);
}

#define JWR_WAITS 4

/* What went otherwise than it should. */
struct jwr_odds {
	uint64_t lone;     /* exits without an enter */
	uint64_t inferred; /* calls that ended without an exit */
	uint64_t cut;      /* calls that were open when recording was paused: they end there */
	uint64_t headless; /* exits that may be those of calls that began while it was */
	uint64_t deep; /* calls nested too deep: they are counted, their time is their caller's */
	uint64_t virtuals; /* virtual threads that were seen here first */
};

/* In the header page of a window. The owner alone writes it, but for `limit`. */
struct jwr_sums {
	uint64_t limit;        /* at this depth an enter takes the slow path; 0: everything does */
	uint64_t depth;        /* of the stack */
	uint64_t version;      /* odd: a change is going on */
	uint64_t last;         /* tick of the latest one */
	uint64_t rows, frames; /* their places */
	uint64_t pauses;       /* how many of meta's there had been when the stack was cut last */
	uint64_t wait_count;   /* open waits, and contention: */
	struct {
		uint64_t key, since;
	} waits[JWR_WAITS];
	struct jwr_odds odds;
};

/* The header of a table in `data`. */
struct jwr_sums_chunk {
	uint32_t magic; /* JWR_SUMS_MAGIC */
	uint32_t thread;
	uint32_t seq;
	uint32_t rows; /* that follow */
	struct jwr_clock_point began, ended;
	struct jwr_odds odds;
	uint64_t unused[2];
};
#define JWR_SUMS_MAGIC UINT32_C(0x3153574a) /* "JWS1" */

/* The header page of a window. `cursor` and `limit` are byte offsets from its start. */
struct jwr_window {
	uint64_t cursor; /* where the next record goes: JWR_HEADER_SIZE .. JWR_WINDOW_SIZE */
	uint64_t limit;  /* cursor == limit: the slow path (window full, recording stopped) */
	uint32_t magic;  /* JWR_MAGIC while a thread owns the window, else 0 */
	uint32_t thread; /* uid: 1, 2, ... in order of first events */
	uint32_t seq;    /* number of the chunk that these will become, per thread, from 0 */
	/* 1: right after the cursor is the record of a wait that its thread tells once it is over:
	 * so it counts if nothing else comes */
	uint32_t waits;
	uint64_t lost;                /* events that could not be recorded */
	struct jwr_clock_point began; /* when this chunk's first record could be written */
	uint64_t unused_too[8];
	struct jwr_sums sums; /* at JWR_SUMS_AT: of a summary alone */
};
#define JWR_SUMS_AT 128

/* The header of a chunk in `data`. */
struct jwr_chunk {
	uint32_t magic; /* JWR_MAGIC */
	uint32_t thread;
	uint32_t seq;
	uint32_t bytes; /* of records that follow: a multiple of 16, at most JWR_RECORDS_SIZE */
	struct jwr_clock_point began, ended;
};

_Static_assert(JWR_WINDOW_SIZE - JWR_WINDOW_FULL == sizeof(struct jwr_chunk) &&
		       JWR_FULL_CHUNK % JWR_PAGE == 0,
	       "a full window becomes a chunk of whole pages");

#endif
