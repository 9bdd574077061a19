// One copy of what netty's own transport has of natives, and a program that uses them all: taps_copies.t makes a file of
// each class, and puts the package of the copy in place of PREFIX.

// channel/epoll/Native
package PREFIXio.netty.channel.epoll;

public class Native {
	public static native void eventFdWrite(int fd, long value);

	public static native int epollWait(int epoll, long events, int n, int timeout);

	public static native int epollWait0(int epoll, long events, int n, int timer, int seconds, int nanos);

	public static native long epollWait0(int epoll, long events, int n, int timer, int seconds, int nanos, long leastMs);
}

// channel/uring/Native
package PREFIXio.netty.channel.uring;

public class Native {
	public static native int ioUringEnter(int ring, int submitted, int least, int flags);
}

// channel/epoll/LinuxSocket
package PREFIXio.netty.channel.epoll;

import PREFIXio.netty.channel.DefaultFileRegion;

public class LinuxSocket {
	public static native long sendFile(int fd, DefaultFileRegion region, long base, long at, long n);
}

// channel/DefaultFileRegion
package PREFIXio.netty.channel;

public class DefaultFileRegion {
}

// channel/unix/FileDescriptor
package PREFIXio.netty.channel.unix;

import java.nio.ByteBuffer;

public class FileDescriptor {
	public static native int read(int fd, ByteBuffer buffer, int at, int end);

	public static native int readAddress(int fd, long address, int at, int end);

	public static native int write(int fd, ByteBuffer buffer, int at, int end);

	public static native int writeAddress(int fd, long address, int at, int end);

	public static native long writev(int fd, ByteBuffer[] buffers, int at, int n, long most);

	public static native long writevAddresses(int fd, long address, int n);

	public static native int close(int fd);
}

// channel/unix/Socket
package PREFIXio.netty.channel.unix;

import java.nio.ByteBuffer;

public class Socket {
	public static native int accept(int fd, byte[] from);

	public static native int connect(int fd, boolean v6, byte[] address, int scope, int port);

	public static native int connectDomainSocket(int fd, byte[] path);

	public static native int finishConnect(int fd);

	public static native int recv(int fd, ByteBuffer buffer, int at, int end);

	public static native int recvAddress(int fd, long address, int at, int end);

	public static native int send(int fd, ByteBuffer buffer, int at, int end);

	public static native int sendAddress(int fd, long address, int at, int end);
}

// channel/Help
package PREFIXio.netty.channel;

import PREFIXio.netty.channel.epoll.*;
import PREFIXio.netty.channel.unix.*;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.concurrent.*;
import jweave.rt.Probe;

public class Help implements Callable<String> {
	static native int socket(boolean unix, boolean waits);

	static native int listen(int fd);

	static native int listenUnix(int fd, byte[] path);

	static native int epoll();

	/** A waker, for EPOLL. */
	static native int eventFd(int epoll);

	static native long memory(int n, boolean pieces);

	static final byte[] HERE = { 127, 0, 0, 1 };
	static final int N = 1024;

	/** Carries what one thread has made to the other, one at a time. */
	final SynchronousQueue<Integer> sizes = new SynchronousQueue<>();
	final Semaphore done = new Semaphore(0);
	int taken;

	static void sleep() {
		try {
			Thread.sleep(30);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static int must(long result) {
		if (result < 0)
			throw new IllegalStateException("errno " + -result);
		return (int) result;
	}

	/** Accepts three connections, and takes what comes on the first: each message by another native. */
	void serve(int tcp, int unix) {
		Probe.enter(1);
		try {
			int fd = must(Socket.accept(tcp, new byte[50]));
			done.release();
			long address = memory(N, false);
			ByteBuffer buffer = ByteBuffer.allocateDirect(N);
			for (int i = 0, n; (n = sizes.take()) > 0; i++) {
				taken += must(i % 4 == 0 ? FileDescriptor.readAddress(fd, address, 10, N)
						: i % 4 == 1 ? FileDescriptor.read(fd, buffer, 10, N)
						: i % 4 == 2 ? Socket.recvAddress(fd, address, 10, N) : Socket.recv(fd, buffer, 10, N));
				done.release();
			}
			int second = must(Socket.accept(tcp, new byte[50])), third = must(Socket.accept(unix, new byte[50]));
			done.release();
			if (FileDescriptor.readAddress(fd, address, 0, N) != 0)
				throw new IllegalStateException("no end");
			for (int each : new int[] { fd, second, third })
				must(FileDescriptor.close(each));
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
		Probe.exit(1);
	}

	void hand(long result) throws InterruptedException {
		sizes.put(must(result));
		done.acquire();
	}

	/** What was written, and read. */
	public String call() throws Exception {
		byte[] path = (System.nanoTime() + ".socket").getBytes();
		int tcp = must(socket(false, true)), unix = must(socket(true, true)), port = must(listen(tcp));
		must(listenUnix(unix, path));
		Thread server = new Thread(() -> serve(tcp, unix), "server");
		server.start();
		Probe.enter(1);
		int fd = must(socket(false, true));
		must(Socket.connect(fd, false, HERE, 0, port));
		done.acquire();
		long address = memory(N, false);
		ByteBuffer buffer = ByteBuffer.allocateDirect(N);
		hand(FileDescriptor.writeAddress(fd, address, 1, 101));
		hand(FileDescriptor.write(fd, buffer, 1, 201));
		hand(Socket.sendAddress(fd, address, 0, 300));
		hand(Socket.send(fd, buffer, 0, 400));
		hand(FileDescriptor.writev(fd, new ByteBuffer[] { null, buffer, buffer }, 1, 2, 500));
		hand(FileDescriptor.writevAddresses(fd, memory(600, true), 2));
		hand(LinuxSocket.sendFile(fd, new DefaultFileRegion(), 0, 0, 700));
		sizes.put(0);
		int second = must(socket(false, false)), third = must(socket(true, true));
		if (Socket.connect(second, false, HERE, 0, port) != -115) // EINPROGRESS
			throw new IllegalStateException("connected at once");
		must(Socket.connectDomainSocket(third, path));
		done.acquire();
		must(Socket.finishConnect(second));
		int epoll = must(epoll());
		must(Native.epollWait(epoll, address, 8, 0));
		must(Native.epollWait(epoll, address, 8, 5));
		must(Native.epollWait0(epoll, address, 8, -1, 0, 5000000));
		must(Native.epollWait0(epoll, address, 8, -1, 0, 5000000, 1));
		must(PREFIXio.netty.channel.uring.Native.ioUringEnter(0, 1, 0, 0));
		must(PREFIXio.netty.channel.uring.Native.ioUringEnter(0, 0, 1, 1));
		int waker = must(eventFd(epoll));
		for (int i = 0; i < 2; i++) {
			Thread wakes = new Thread(() -> {
				Probe.enter(1);
				sleep();
				Native.eventFdWrite(waker, 1);
				Probe.exit(1);
			});
			wakes.start();
			if (i == 0)
				must(Native.epollWait0(epoll, address, 8, -1, 50, 0));
			else
				must(Native.epollWait0(epoll, address, 8, -1, 50, 0, 1) >> 32);
			wakes.join();
		}
		for (int each : new int[] { fd, second, third, epoll, waker, tcp, unix })
			must(FileDescriptor.close(each));
		server.join();
		Probe.exit(1);
		return "2800 " + taken;
	}

	/** What CLASS, a Help of LOADER, says that was written and read. */
	static Object use(ClassLoader loader, String name, String library) throws Exception {
		Callable<?> copy = (Callable<?>) Class.forName(name, true, loader).getConstructor().newInstance();
		((Runnable) Class.forName(name + "$Load", true, loader).getConstructor(String.class).newInstance(library)).run();
		return copy.call();
	}

	/**
	 * Arguments: pairs of a class Help and the library that it needs. A pair of "in" and a folder: the next class is there, is loaded by a
	 * loader of its own, and is unloaded after.
	 */
	public static void main(String[] args) throws Exception {
		Probe.enter(1); // the recording begins
		for (int i = 0; i < args.length; i += 2) {
			if (!args[i].equals("in")) {
				System.out.println(use(Help.class.getClassLoader(), args[i], args[i + 1]));
				continue;
			}
			URLClassLoader loader = new URLClassLoader(new URL[] { new File(args[i + 1]).toURI().toURL() });
			i += 2;
			System.out.println(use(loader, args[i], args[i + 1]));
			WeakReference<ClassLoader> gone = new WeakReference<>(loader);
			loader.close();
			loader = null;
			for (int tries = 0; gone.get() != null && tries < 100; tries++) {
				System.gc();
				Thread.sleep(10);
			}
			if (gone.get() != null)
				throw new IllegalStateException("it stays");
		}
		Probe.exit(1);
	}

	/** The library is of the loader of the class that loads it. */
	public static class Load implements Runnable {
		final String path;

		public Load(String path) {
			this.path = path;
		}

		public void run() {
			System.load(path);
		}
	}
}
