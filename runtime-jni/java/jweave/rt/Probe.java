package jweave.rt;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.net.URI;
import java.net.URL;
import java.security.CodeSource;
import java.util.concurrent.FutureTask;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * What woven code calls. There is one copy in each woven archive, in a package of its own (the weaver
 * renames the class, so its name is not spelled here); all copies share one native library.
 *
 * The class initialiser runs inside somebody else's program, at its first woven method: it throws
 * nothing, asks no class loader of the program, prints at most one line, and costs little. Where a
 * JDK facility is slow to start (java.nio.file, reflection, SecureRandom), an older one is used; and
 * nothing that the JDK's own archive of classes (CDS) lacks: the first class that is not in it takes
 * 0.3 MB and a millisecond.
 */
public final class Probe {
	/** What the rules say about the run time: the weaver puts its text (base/baked.h) in the place of
	 * this constant, wherever that is used. */
	private static final String BAKED = "@jweave-baked@";

	/** Set by the library when it binds this class: 1 recording, 2 not; 0 before. */
	private static int bound;
	/** The archive or folder that this class came from, for the library; null: unknown. */
	private static String place;

	/** Set by the library: where the rules of this archive begin among those of all archives; below 0:
	 * there are none, or the library does not know of them. */
	private static int base = -1;
	/** Bits of its rules that have a switch, the number 1 the lowest: those that are on, and those that
	 * record all calls. */
	private static int switches, plain;

	/** What starting may answer. */
	private static final int NO = 0, YES = 1, NO_STACK = 2;

	/**
	 * What every probe asks first; compiled code folds it away. Neither is true where the first probe
	 * found too little stack for starting: then later ones try again.
	 *
	 * An overflow in an initialiser makes its class unusable for good, and so would one in the middle of
	 * starting make classes of the JDK that the program needs: see room(). This class, too, and every
	 * woven method would fail from then on; but that the VM may do itself, when it finds no stack for
	 * entering the initialiser. It takes a first probe in the last few KB, and a class that was not
	 * loaded by Java code, which takes more than that: from the boot loader, or an archive of CDS.
	 */
	private static final boolean ON, OFF;

	static {
		int answer = NO_STACK;
		try {
			answer = start();
		} catch (Throwable e) {
			/* no stack even for the answer */
		}
		ON = answer == YES;
		OFF = answer == NO;
	}

	/** A later try was the one. */
	private static boolean late;
	private static boolean trying;
	private static int failures;

	/* As they are when it is done, for compiled code. */
	private static final int BASE = base, SWITCHES = switches, PLAIN = plain;

	/** Set by the library, one for all archives: a byte for each gate, 0 where it is open. */
	private static byte[] gates;

	/**
	 * The same as a constant, so that compiled code asks for one byte and no more. The library closes
	 * the gates of methods that are small and hot (budget.h); the gate of an id is
	 * (char) (id ^ id >>> 41), as jwr_gate() says (trace/format/recording.h).
	 */
	private static final byte[] GATES = OFF ? null : gates != null ? gates : new byte[1 << 16];

	/** Set once a run has proved long, or was asked to be fast: Fast is ready. */
	private static boolean fast;
	static long[] functions;

	private Probe() {
	}

	/** Is there a recording? The first who asks begins it. */
	public static boolean isOn() {
		return ON || !OFF && late();
	}

	public static void enter(long id) {
		if (ON || !OFF && late())
			entered(id);
	}

	public static void exit(long id) {
		if (ON || !OFF && late())
			exited(id);
	}

	/*
	 * The same by number: the ids of an archive's own methods are IDS and a number of two bytes, which
	 * is pushed without a constant. Each woven class names these three, and text like that does not
	 * pack: they have the names of attributes (JVMS 4.7), which every class file holds anyway.
	 */

	/** The weaver puts that of the archive in its place, and half the numbers are below 0. */
	private static final long IDS = 0x6a77656176653130L;

	/** What makes a number its gate. Computed, since the weaver puts another IDS in. */
	private static final int GATE = gateOf(IDS);

	private static int gateOf(long id) {
		return (int) (id ^ id >>> 41);
	}

	/** enter */
	public static void Code(int number) {
		if (ON || !OFF && late())
			entered(number);
	}

	/** exit */
	public static void StackMapTable(int number) {
		if (ON || !OFF && late())
			exited(number);
	}

	/** fail */
	public static void LineNumberTable(int number) {
		if (ON || !OFF && late())
			failed(IDS + number);
	}

	/* What the three become where nothing is compiled; the library has one for each archive. */

	private static native void Code0(int number);

	private static native void StackMapTable0(int number);

	private static native void LineNumberTable0(int number);

	/* Apart from what asks ON, so that C1 finds as little as can be where tracing is off; and the gate
	 * apart from what follows it, so that C1 keeps the program's values in registers where it is
	 * closed (0.2 ns a probe; 2 together). FAST is false for most runs, and compiled code then knows
	 * nothing of the other way. */

	private static void entered(long id) {
		if (GATES[(char) (id ^ id >>> 41)] == 0)
			enters(id);
	}

	private static void exited(long id) {
		if (GATES[(char) (id ^ id >>> 41)] == 0)
			exits(id);
	}

	private static void entered(int number) {
		if (GATES[(char) (number ^ GATE)] == 0)
			enters(IDS + number);
	}

	private static void exited(int number) {
		if (GATES[(char) (number ^ GATE)] == 0)
			exits(IDS + number);
	}

	private static void failed(long id) {
		if (GATES[(char) (id ^ id >>> 41)] == 0)
			fail0(id);
	}

	private static void enters(long id) {
		if (!fast || !Fast.enter(id))
			enter0(id);
	}

	private static void exits(long id) {
		if (!fast || !Fast.exit(id))
			exit0(id);
	}

	public static void fail(long id) {
		if (ON || !OFF && late())
			failed(id);
	}

	/*
	 * Probes of methods whose rule does not record every call, or has a switch; HOW (base/baked.h) says
	 * which rules there are. It is a constant where they are called, so that compiled code knows which
	 * rule it is. Which calls are left out, the library knows.
	 */

	private static final int NONE = 0xffff;

	/** The number of the rule that decides; 0: records all. */
	private static int rule(long how) {
		int on = (int) (how >>> 32) & (ON ? SWITCHES : switches);
		if (on == 0)
			return (int) how & 0xffff;
		/* all bits below the highest, too: as many as its number says */
		on |= on >>> 1;
		on |= on >>> 2;
		on |= on >>> 4;
		on |= on >>> 8;
		on |= on >>> 16;
		return ((ON ? PLAIN : plain) & on & ~(on >>> 1)) != 0 ? 0 : ones(on);
	}

	private static int base() {
		return ON ? BASE : base;
	}

	private static int ones(int bits) {
		bits -= bits >>> 1 & 0x55555555;
		bits = (bits & 0x33333333) + (bits >>> 2 & 0x33333333);
		bits = bits + (bits >>> 4) & 0x0f0f0f0f;
		return bits * 0x01010101 >>> 24;
	}

	/** Is there something for the library to do, for the RULE of HOW? */
	private static boolean spares(int rule, long how) {
		return rule != NONE || (how & 0x10000) != 0;
	}

	/** Are calls of ID none that the library wants to hear of? */
	private static boolean deaf(long id) {
		return !isOn() || base() < 0 || GATES[(char) (id ^ id >>> 41)] != 0;
	}

	public static void enter(long id, long how) {
		if (deaf(id))
			return;
		int rule = rule(how);
		if (rule == 0)
			entered(id);
		else if (spares(rule, how))
			enter1(id, rule == NONE ? 0 : base() + rule, (how & 0x10000) != 0);
	}

	/** In front of captures of a result or an exception. */
	public static void end(long id, long how) {
		if (!deaf(id) && rule(how) != 0)
			end1(id);
	}

	public static void exit(long id, long how) {
		if (deaf(id))
			return;
		int rule = rule(how);
		if (rule == 0)
			exited(id);
		else if (spares(rule, how))
			exit1(id);
	}

	public static void fail(long id, long how) {
		if (deaf(id))
			return;
		int rule = rule(how);
		if (rule == 0)
			fail0(id);
		else if (spares(rule, how))
			fail1(id);
	}

	private static native void enter1(long id, int rule, boolean captures);

	private static native void end1(long id);

	private static native void exit1(long id);

	private static native void fail1(long id);

	/*
	 * Captures (trace/format/recording.h has their records). They run inside the program's calls: they call
	 * no method that a class of the program can define, keep no object, and throw nothing.
	 */

	/** Which object: its number, 0 for null. */
	public static void object(Object o) {
		if (!isOn())
			return;
		if (o instanceof Thread)
			thread0((Thread) o);
		else
			object0(o == null ? 0 : identity(o));
	}

	/** What a FutureTask that is not done was made of; else 0. */
	public static void task(Object o) {
		if (!isOn())
			return;
		if (o instanceof FutureTask)
			task1((FutureTask<?>) o);
		else
			object0(0);
	}

	private static void task1(FutureTask<?> o) {
		try {
			task0(o, FutureTask.class);
		} catch (LinkageError e) { /* its own kind is not in the archive */
			object0(0); /* the library of an older version, from another archive */
		}
	}

	/** The same of what is handed over to be run, or returned for that: it is known again when it runs. */
	public static void handed(Object o) {
		if (!isOn())
			return;
		try {
			handed0(o, o instanceof FutureTask ? FutureTask.class : null);
		} catch (LinkageError e) {
			task(o); /* the library of an older version, from another archive */
		}
	}

	/** A body begins that may be that of a task: the FutureTask that this thread runs it for; 0: unknown. */
	public static void runs(long body) {
		if (!isOn())
			return;
		try {
			runs0(body, Thread.currentThread());
		} catch (LinkageError e) {
			object0(0);
		}
	}

	/** It ends: the same, where it was not known when it began. */
	public static void ran(long body) {
		if (!isOn())
			return;
		try {
			ran0(body, Thread.currentThread());
		} catch (LinkageError e) {
			object0(0);
		}
	}

	/** A number. */
	public static void value(long v) {
		if (isOn())
			value0(v);
	}

	/** The number in a box, or of an enum constant; else 0. */
	public static void number(Object o) {
		if (!isOn())
			return;
		long v = 0;
		if (o instanceof Integer || o instanceof Long || o instanceof Double || o instanceof Float
				|| o instanceof Short || o instanceof Byte)
			v = ((Number) o).longValue();
		else if (o instanceof Character)
			v = (Character) o;
		else if (o instanceof Boolean)
			v = (Boolean) o ? 1 : 0;
		else if (o instanceof Enum)
			v = ((Enum<?>) o).ordinal();
		value0(v);
	}

	/** The length of a string, an array or a datagram, what remains in a buffer; else 0. */
	public static void length(Object o) {
		if (!isOn())
			return;
		long n = 0;
		if (o instanceof String)
			n = ((String) o).length();
		else if (o instanceof byte[])
			n = ((byte[]) o).length;
		else if (o instanceof java.nio.Buffer)
			n = ((java.nio.Buffer) o).remaining();
		else if (o != null && o.getClass().isArray())
			n = java.lang.reflect.Array.getLength(o);
		else if (o instanceof java.net.DatagramPacket)
			n = ((java.net.DatagramPacket) o).getLength();
		value0(n);
	}

	/** What there is still room for in a buffer that a call may fill; of anything else 0. */
	public static int room(Object o) {
		return o instanceof java.nio.Buffer ? ((java.nio.Buffer) o).remaining() : 0;
	}

	/** How much of that it has filled; of a datagram, what was received. */
	public static void filled(Object o, int room) {
		if (!isOn())
			return;
		if (o instanceof java.net.DatagramPacket)
			value0(((java.net.DatagramPacket) o).getLength());
		else
			value0(room - room(o));
	}

	/** The name of the class. */
	public static void type(Object o) {
		if (isOn())
			text0(o == null ? null : o.getClass().getName());
	}

	/** The text of a string; of anything else, nothing. */
	public static void text(Object o) {
		if (isOn())
			text0(o instanceof String ? (String) o : null);
	}

	/** By what the library knows the API that says which trace context is current; 0: not asked yet. */
	private static int contexts;

	/** The trace context that is current, where it is another one than before. */
	public static void context() {
		if (!isOn())
			return;
		try {
			contexts = context0(contexts);
		} catch (LinkageError e) { /* its own kind is not in the archive */
			/* the library of an older version, from another archive */
		}
	}

	/*
	 * Exceptions. Nothing of them is kept; a null is none yet: the VM throws another one for it.
	 */

	/** About to be thrown by an athrow. */
	public static void thrown(Object e) {
		if (isOn() && e != null)
			thrown0(identity(e), e.getClass());
	}

	/** On its way to a handler that names its type. */
	public static void caught(Object e) {
		if (isOn() && e != null)
			caught0(identity(e), e.getClass());
	}

	/** On its way out of a method or call. */
	public static void passed(Object e) {
		if (isOn() && e != null)
			passed0(identity(e), e.getClass());
	}

	/** An object was made, at the place of this id. */
	public static void created(long id) {
		if (isOn())
			created0(id);
	}

	private static native void created0(long id);

	/** As jwr_object() and jwr_class() of trace/format/recording.h have it; where another class has the same number, the recorder gives another. */
	private static long identity(Object o) {
		return (o.getClass().getName().hashCode() * 0x9e3779b1 >>> 8 & 0xffffffL) << 31 | System.identityHashCode(o);
	}

	private static native void thrown0(long number, Class<?> type);

	private static native void caught0(long number, Class<?> type);

	private static native void passed0(long number, Class<?> type);

	private static native void object0(long number);

	private static native void value0(long value);

	private static native void thread0(Thread thread);

	private static native void task0(Object task, Class<?> type);

	private static native void handed0(Object task, Class<?> type);

	private static native void runs0(long body, Thread thread);

	private static native void ran0(long body, Thread thread);

	private static native void text0(String text);

	private static native int context0(int contexts);

	private static native void enter0(long id);

	private static native void exit0(long id);

	private static native void fail0(long id);

	/** The library's last word while this class is initialised. */
	private static native void settle0();

	/** Frames that fill the stack that starting takes (100 do, on 17 and 25), and half as much again: of
	 * the interpreter, and at later tries of compiled code, which are a third as large. */
	private static final int FRAMES = 150, FRAMES_COMPILED = 450;

	/** Does the stack have as much? All that fails, if it has not, is this. */
	private static long room(int frames, long a, long b, long c, long d, long e, long f, long g) {
		if (frames == 0)
			return a;
		/* all of them are needed after the call, so that it keeps them */
		return room(frames - 1, b, c, d, e, f, g, a) + a * b + c * d + e * f + g;
	}

	private static int start() {
		try {
			room(failures == 0 ? FRAMES : FRAMES_COMPILED, 1, 2, 3, 4, 5, 6, 7);
			return bound == 0 ? begin() : bind();
		} catch (StackOverflowError e) {
			return NO_STACK;
		} catch (Throwable e) {
			try {
				say(e.toString());
			} catch (Throwable again) {
				/* nothing left to try */
			}
			return NO;
		} finally {
			environment = null;
		}
	}

	private static int begin() throws Throwable {
		boolean sleeps = BAKED.contains("\ntracing\toff\n");
		if (!isOn(sleeps))
			return NO;
		File home = home(Probe.class);
		if (sleeps && isOriginal(home))
			return NO;
		place = home == null ? null : home.getPath();
		String why = null;
		Class<?> anchor = anchor();
		if (anchor == null) {
			why = load(home);
			/* not bound, yet loaded: another copy was first */
			if (bound == 0)
				anchor = anchor();
		}
		if (bound == 0 && anchor != null)
			handOver(anchor);
		if (bound == 0)
			say(why == null ? "the library does not answer" : why);
		return bind();
	}

	private static int bind() {
		return bound == 1 && settle() ? YES : NO;
	}

	/** Has a later probe found the stack that the first one lacked? */
	private static boolean late() {
		return late || again();
	}

	/** One at a time, which may be a woven method that it calls itself. A program that stays at the end
	 * of its stack is not to pay for it at every call. */
	private static boolean again() {
		if (failures >= 1000 && (++failures & failures - 1) != 0)
			return false;
		synchronized (Probe.class) {
			if (trying || late)
				return late;
			trying = true;
		}
		int answer = NO_STACK;
		try {
			answer = start();
		} catch (Throwable e) {
			/* no stack for the answer */
		}
		if (answer == NO_STACK)
			failures++;
		late = answer == YES;
		trying = answer == NO; /* for good */
		return late;
	}

	/** Called by the library, on a thread of its own, with the addresses of two functions (probe_paths.c). */
	private static boolean speedUp(long enter, long exit) {
		try {
			functions = new long[] { enter, exit };
			fast = Fast.ready();
		} catch (Throwable e) {
			/* this VM has no such calls */
		}
		return fast;
	}

	private static boolean settle() {
		try {
			settle0();
		} catch (LinkageError e) {
			/* the library of an older version, from another archive */
		}
		return true;
	}

	private static Class<?> anchor() {
		try {
			return Class.forName("jweave.rt.boot1.Anchor", true, null);
		} catch (ClassNotFoundException e) {
			return null;
		}
	}

	/** Between defining the anchor and binding its native there is a moment: try again, for seconds at most. */
	private static void handOver(Class<?> anchor) throws Throwable {
		for (int tries = 0; bound == 0; tries++) {
			try {
				anchor.getMethod("register", Class.class).invoke(null, Probe.class);
				return;
			} catch (ReflectiveOperationException e) { /* its own kind is not in the archive */
				if (!(e.getCause() instanceof UnsatisfiedLinkError) || tries >= 2500)
					throw e.getCause();
				Thread.sleep(2);
			}
		}
	}

	/** Is tracing on, by -Djweave, else by JWEAVE, else by the archive? The library names a word that says
	 * neither; of an archive that sleeps it is not loaded. */
	private static boolean isOn(boolean sleeps) throws IOException {
		int on = flag(System.getProperty("jweave"));
		if (on < 0)
			on = flag(variable("JWEAVE"));
		String word = on < 0 && sleeps ? option("JWEAVE", "jweave") : null;
		if (word != null)
			say("JWEAVE is '" + word + "', which is not on or off");
		return on < 0 ? !sleeps : on == 1;
	}

	/** 1 or 0, by the words that jw_setting_tracing() knows; -1: it is none of them. */
	private static int flag(String word) {
		String[] words = { "0", "1", "off", "on", "false", "true", "no", "yes" };
		for (int i = 0; i < words.length; i++) {
			if (words[i].equalsIgnoreCase(word))
				return i % 2;
		}
		return -1;
	}

	private static String option(String variable, String property) {
		String value = System.getProperty(property);
		if (value == null)
			value = variable(variable);
		return value == null || value.isEmpty() ? null : value;
	}

	/** The environment as the process was given it, a character for each byte; null: not read yet. */
	private static String environment;

	/** System.getenv(), without the eight classes that it loads. */
	private static String variable(String name) {
		try {
			if (environment == null)
				environment = readEnvironment();
			int at = environment.indexOf("\0" + name + "=");
			if (at < 0)
				return null;
			at += name.length() + 2;
			String value = environment.substring(at, environment.indexOf('\0', at));
			return new String(value.getBytes("ISO-8859-1"), System.getProperty("sun.jnu.encoding"));
		} catch (Exception e) {
			return System.getenv(name);
		}
	}

	@SuppressWarnings("deprecation") // a character for each byte, without a charset
	private static String readEnvironment() throws IOException {
		FileInputStream in = new FileInputStream("/proc/self/environ");
		try {
			StringBuilder text = new StringBuilder("\0");
			byte[] part = new byte[8192];
			for (int n; (n = in.read(part)) > 0;)
				text.append(new String(part, 0, 0, n));
			return text.append('\0').toString();
		} finally {
			in.close();
		}
	}

	private static void say(String why) throws IOException {
		int end = why.indexOf('\n');
		String line = "jweave: tracing is off: " + (end < 0 ? why : why.substring(0, end)) + "\n";
		try {
			/* not System.err: the program may have replaced it */
			OutputStream err = new FileOutputStream(FileDescriptor.err);
			err.write(line.getBytes("UTF-8"));
		} catch (RuntimeException e) { /* of a security manager that has refused the rest */
			System.err.print(line);
		}
	}

	/** The file or folder on disk that a class came from, without asking its loader. */
	private static File home(Class<?> what) {
		CodeSource source = what.getProtectionDomain().getCodeSource();
		URL url = source == null ? null : source.getLocation();
		File home = file(url, withoutEntry(url == null ? bootUrl(what) : url, what));
		return home == null ? shown(what) : home;
	}

	/** Among the copies that `jweave run` shows this process (run_overlay.c), the one that has a class: a loader may have
	 * URLs of its own ("vfs:/content/shop.war"). */
	private static File shown(Class<?> what) {
		String table = variable("JWEAVE_OVERLAY"), entry = entry(what);
		if (table == null)
			return null;
		try {
			String[] paths = shownPaths(table);
			for (int i = 0; i < paths.length; i++)
				if (has(paths[i], entry) || has(paths[i], "WEB-INF/classes/" + entry))
					return new File(paths[i]);
		} catch (Exception e) {
			/* the cache was emptied */
		}
		return null;
	}

	/** The paths of copies in the table (base/overlay.h: the texts at its end). */
	private static String[] shownPaths(String table) throws IOException {
		RandomAccessFile in = new RandomAccessFile(table, "r");
		try {
			in.seek(24);
			in.seek(Long.reverseBytes(in.readLong()));
			byte[] texts = new byte[(int) (in.length() - in.getFilePointer())];
			in.readFully(texts);
			return new String(texts, System.getProperty("sun.jnu.encoding")).split("\0");
		} finally {
			in.close();
		}
	}

	private static boolean has(String path, String entry) throws IOException {
		if (path.endsWith(".class"))
			return false;
		ZipFile zip = new ZipFile(path);
		try {
			return zip.getEntry(entry) != null;
		} finally {
			zip.close();
		}
	}

	/** Is the archive that this class seems to come from not woven? Then somebody has kept a copy of an earlier run's, as
	 * the cache of an OSGi framework does, and there is nobody who knows its methods. */
	private static boolean isOriginal(File home) {
		if (home == null || !home.isFile())
			return false;
		try {
			return !has(home.getPath(), "META-INF/jweave/woven.json");
		} catch (Exception e) { /* an IOException; the archive of 17 has none */
			return false;
		}
	}

	/** The file or folder of URL, which is TEXT; null: of another kind. */
	private static File file(URL url, String text) {
		if (text == null)
			return null;
		/* jar:file:/a.jar!/x and jar:nested:/a.jar/!x: the outermost file */
		if (text.startsWith("jar:"))
			text = text.substring(4);
		int inner = text.indexOf("!/");
		if (text.startsWith("nested:")) {
			text = "file:" + text.substring(7);
			inner = text.indexOf("/!");
		} else if (inner > 0 && url != null && !url.getProtocol().equals("jar")) {
			inner = -1;
		}
		if (inner > 0)
			text = text.substring(0, inner);
		if (!text.startsWith("file:"))
			return null;
		try {
			return new File(new URI(text));
		} catch (Exception e) {
			return new File(text.substring(5)); /* made from an unescaped path */
		}
	}

	/** The class file of WHAT, where --patch-module or -Xbootclasspath/a brought it to the boot loader. */
	private static URL bootUrl(Class<?> what) {
		return what.getClassLoader() == null ? what.getResource("/" + entry(what)) : null;
	}

	/** URL as text, without the class file of WHAT at its end: some loaders (Payara's) name that as where a class is from. */
	private static String withoutEntry(URL url, Class<?> what) {
		String text = url == null ? null : url.toString(), entry = entry(what);
		return text != null && text.endsWith("/" + entry) ? text.substring(0, text.length() - entry.length()) : text;
	}

	private static String entry(Class<?> what) {
		return what.getName().replace('.', '/') + ".class";
	}

	/** Loads the library; what prevented it, or null. */
	private static String load(File home) throws IOException {
		String path = option("JWEAVE_LIB", "jweave.lib");
		if (path != null)
			return tryLoad(new File(path).getAbsoluteFile());
		String arch = System.getProperty("os.arch");
		if ("amd64".equals(arch))
			arch = "x86_64";
		if (BAKED.contains("\nlibrary\tclasspath\n")) {
			home = shared();
			if (home == null)
				return "jweave-rt.jar is not on the class path (or weave with --runtime=embed)";
		}
		String why = loadFor("linux-" + arch, home);
		/* Which libc the JVM has is told best by what it takes. */
		if (why != null && bound == 0 && loadFor("linux-musl-" + arch, home) == null)
			why = null;
		return why;
	}

	private static String loadFor(String platform, File home) throws IOException {
		String entry = "META-INF/jweave/lib/" + platform + "/libjweave-rt.so";
		if (home != null && home.isDirectory()) {
			File file = new File(home, entry);
			return file.isFile() ? tryLoad(file.getAbsoluteFile()) : "no " + file;
		}
		ZipFile zip = home == null ? null : new ZipFile(home);
		try {
			return unpack(zip, entry);
		} finally {
			if (zip != null)
				zip.close();
		}
	}

	/** Where the runtime is that was left to the class path: this loader would have to find it, were
	 * there nothing baked into this class. */
	private static File shared() {
		try {
			return home(Class.forName("jweave.rt.Probe", false, Probe.class.getClassLoader()));
		} catch (ClassNotFoundException e) {
			return null;
		}
	}

	private static InputStream open(ZipFile zip, String entry) throws IOException {
		if (zip == null)
			return ownResource(entry);
		ZipEntry found = zip.getEntry(entry);
		if (found == null) /* a web application that is not unpacked */
			found = zip.getEntry("WEB-INF/classes/" + entry);
		return found == null ? null : zip.getInputStream(found);
	}

	/** Only the JDK's own loaders are asked: a loader of the program might lock or load woven code. */
	private static InputStream ownResource(String entry) {
		ClassLoader loader = Probe.class.getClassLoader();
		if (loader == null || loader == ClassLoader.getSystemClassLoader()
				|| loader == ClassLoader.getSystemClassLoader().getParent())
			return Probe.class.getResourceAsStream("/" + entry);
		return null;
	}

	private static String tryLoad(File file) {
		try {
			System.load(file.getPath());
			return null;
		} catch (LinkageError e) {
			return String.valueOf(e.getMessage());
		}
	}

	/** Into the first place that can hold and execute it. A noexec temporary folder is common. */
	private static String unpack(ZipFile zip, String entry) throws IOException {
		String cache = variable("XDG_CACHE_HOME");
		if (cache == null || cache.isEmpty())
			cache = System.getProperty("user.home") + "/.cache";
		String[] places = { option("JWEAVE_TMP", "jweave.tmp"), System.getProperty("java.io.tmpdir"),
				cache };
		String why = null;
		for (int i = 0; i < places.length; i++) {
			if (places[i] == null)
				continue;
			InputStream in = open(zip, entry);
			if (in == null)
				return "no " + entry + " in " + (zip == null ? "the class path" : zip.getName())
						+ " (JWEAVE_LIB can name the library)";
			try {
				String failed = unpackInto(new File(places[i]).getAbsoluteFile(), in);
				if (failed == null)
					return null;
				if (why == null)
					why = failed;
			} finally {
				in.close();
			}
		}
		return why;
	}

	private static final String ELSEWHERE = " (JWEAVE_TMP names another place)";

	/** What the loader says after the path, which it says twice. */
	private static String why(String failed) {
		int end = failed.lastIndexOf(".so: ");
		return (end < 0 ? failed : failed.substring(end + 5)) + ELSEWHERE;
	}

	private static String unpackInto(File parent, InputStream in) {
		File folder = privateFolder(parent);
		if (folder == null)
			return "cannot make a private folder in " + parent;
		File file = new File(folder, "libjweave-rt.so");
		try {
			/* createNewFile follows no link that somebody has put there */
			if (!file.createNewFile())
				return "somebody else writes into " + folder;
			RandomAccessFile out = new RandomAccessFile(file, "rw");
			try {
				byte[] part = new byte[65536];
				for (int n; (n = in.read(part)) >= 0;)
					out.write(part, 0, n);
			} finally {
				out.close();
			}
			String failed = tryLoad(file);
			return failed == null ? null : "cannot load the recorder from " + parent + ": " + why(failed);
		} catch (Exception e) { /* an IOException; the archive of 17 has none */
			return "cannot unpack the recorder in " + parent + ": " + e.getMessage() + ELSEWHERE;
		} finally {
			file.delete();
			folder.delete();
		}
	}

	/** A new folder that only the user may enter (0700), of a name that nobody can know before. */
	private static File privateFolder(File parent) {
		long salt = System.nanoTime() ^ (long) System.identityHashCode(new Object()) << 32
				^ Runtime.getRuntime().freeMemory() << 16;
		try {
			/* sixteen bytes without the start-up of SecureRandom */
			FileInputStream random = new FileInputStream("/dev/urandom");
			try {
				for (int i = 0; i < 8; i++)
					salt = salt << 8 ^ salt >>> 56 ^ random.read();
			} finally {
				random.close();
			}
		} catch (Exception e) {
			/* the clock and the heap must do: mkdir below never takes an existing folder */
		}
		File folder = new File(parent, "jweave-" + Long.toHexString(salt));
		if (!folder.mkdir())
			return null;
		if (folder.setReadable(false, false) & folder.setWritable(false, false)
				& folder.setExecutable(false, false) & folder.setReadable(true, true)
				& folder.setWritable(true, true) & folder.setExecutable(true, true))
			return folder;
		folder.delete();
		return null;
	}

	/**
	 * What woven code of java.base calls: nothing happens before the VM has booted, as until then there
	 * is nothing that could load the library. One method for each probe.
	 */
	public static final class Early {
		private static boolean on;

		private Early() {
		}

		/** In place of exit, in the first method that the launcher calls: the VM has booted. */
		public static void booted(long id) {
			on = isOn();
		}

		public static void enter(long id) {
			if (on)
				Probe.enter(id);
		}

		public static void exit(long id) {
			if (on)
				Probe.exit(id);
		}

		public static void fail(long id) {
			if (on)
				Probe.fail(id);
		}

		public static void object(Object o) {
			if (on)
				Probe.object(o);
		}

		public static void value(long v) {
			if (on)
				Probe.value(v);
		}

		public static void number(Object o) {
			if (on)
				Probe.number(o);
		}

		public static void length(Object o) {
			if (on)
				Probe.length(o);
		}

		public static int room(Object o) {
			return on ? Probe.room(o) : 0;
		}

		public static void filled(Object o, int room) {
			if (on)
				Probe.filled(o, room);
		}

		public static void type(Object o) {
			if (on)
				Probe.type(o);
		}

		public static void text(Object o) {
			if (on)
				Probe.text(o);
		}

		public static void context() {
			if (on)
				Probe.context();
		}

		public static void task(Object o) {
			if (on)
				Probe.task(o);
		}

		public static void handed(Object o) {
			if (on)
				Probe.handed(o);
		}

		public static void runs(long body) {
			if (on)
				Probe.runs(body);
		}

		public static void ran(long body) {
			if (on)
				Probe.ran(body);
		}

		public static void thrown(Object e) {
			if (on)
				Probe.thrown(e);
		}

		public static void caught(Object e) {
			if (on)
				Probe.caught(e);
		}

		public static void passed(Object e) {
			if (on)
				Probe.passed(e);
		}

		public static void enter(long id, long how) {
			if (on)
				Probe.enter(id, how);
		}

		public static void exit(long id, long how) {
			if (on)
				Probe.exit(id, how);
		}

		public static void fail(long id, long how) {
			if (on)
				Probe.fail(id, how);
		}

		public static void end(long id, long how) {
			if (on)
				Probe.end(id, how);
		}

		public static void created(long id) {
			if (on)
				Probe.created(id);
		}
	}

	/**
	 * The way through FFM (JDK 22 and later): critical calls. A function that answers 0 has done
	 * nothing, since that would take long, and the call is to be made through JNI. By reflection,
	 * since older JDKs compile this and run it.
	 */
	static final class Fast {
		private static final String FFM = "java.lang.foreign.";

		private static final MethodHandle ENTER = handle(functions[0]), EXIT = handle(functions[1]);

		static boolean enter(long id) {
			try {
				return (int) ENTER.invokeExact(id) != 0;
			} catch (Throwable e) {
				return false;
			}
		}

		static boolean exit(long id) {
			try {
				return (int) EXIT.invokeExact(id) != 0;
			} catch (Throwable e) {
				return false;
			}
		}

		/** Not until it is compiled: in the interpreter such a call takes a microsecond. This thread
		 * logs nothing, whatever it calls. */
		static boolean ready() {
			if (ENTER == null || EXIT == null)
				return false;
			for (int i = 0; i < 30000; i++)
				if (enter(0) | exit(0))
					return false;
			return true;
		}

		/** A handle of the function at ADDRESS, long to int; null: this VM gives none without a word. */
		private static MethodHandle handle(long address) {
			try {
				Object granted = Class.class.getMethod("getModule").invoke(Probe.class);
				if (!(Boolean) Class.forName("java.lang.Module").getMethod("isNativeAccessEnabled").invoke(granted))
					return null;
				Class<?> linker = Class.forName(FFM + "Linker"), segment = Class.forName(FFM + "MemorySegment");
				Class<?> type = Class.forName(FFM + "FunctionDescriptor"), layout = Class.forName(FFM + "MemoryLayout");
				Class<?> values = Class.forName(FFM + "ValueLayout"), option = Class.forName(FFM + "Linker$Option");
				Object parameters = Array.newInstance(layout, 1), options = Array.newInstance(option, 1);
				Array.set(parameters, 0, values.getField("JAVA_LONG").get(null));
				Array.set(options, 0, option.getMethod("critical", boolean.class).invoke(null, false));
				Object function = segment.getMethod("ofAddress", long.class).invoke(null, address);
				Object shape = type.getMethod("of", layout, parameters.getClass()).invoke(null,
						values.getField("JAVA_INT").get(null), parameters);
				return (MethodHandle) linker.getMethod("downcallHandle", segment, type, options.getClass())
						.invoke(linker.getMethod("nativeLinker").invoke(null), function, shape, options);
			} catch (Exception e) {
				return null;
			}
		}
	}
}
