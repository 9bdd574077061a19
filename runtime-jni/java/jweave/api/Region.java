package jweave.api;

import java.util.concurrent.ConcurrentHashMap;

/**
 * A named part of what a thread does; the trace has it among the woven methods, nested as they are.
 *
 * <pre>
 * static final Region LOAD = Region.of("load");
 *
 * try (Region r = LOAD.begin()) {
 *     ...
 * }
 * </pre>
 *
 * One object serves all threads, and recursion; begin() and end() cost what the probes of a woven method do.
 */
public final class Region implements AutoCloseable {
	private static final ConcurrentHashMap<String, Region> ALL = new ConcurrentHashMap<String, Region>();

	private final String name;
	/** 0: not known yet. A race costs a second look at the same id. */
	private long id;

	private Region(String name) {
		this.name = name;
	}

	/** The region of this name. A null name is that of "null". */
	public static Region of(String name) {
		String key = String.valueOf(name);
		Region region = ALL.get(key);
		if (region == null) {
			ALL.putIfAbsent(key, new Region(key));
			region = ALL.get(key);
		}
		return region;
	}

	/** It begins, in this thread. Returns itself, for try-with-resources. */
	public Region begin() {
		if (Trace.on())
			Trace.enter(id());
		return this;
	}

	/** It ends, in this thread. */
	public void end() {
		if (Trace.on())
			Trace.exit(id());
	}

	/** The same as end(). */
	@Override
	public void close() {
		end();
	}

	@Override
	public String toString() {
		return name;
	}

	private long id() {
		if (id == 0)
			id = Trace.region(name);
		return id;
	}
}
