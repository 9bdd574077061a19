import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import jweave.rt.Probe;

/**
 * What a wait takes, in a program that has called a traced method on each thread and calls none any more: two threads that
 * pass an item to and fro (synchronous, transfer, array), a lock that nobody else wants (lock), a park that need not wait
 * (permit), 1 KB to and fro over loopback, by streams (socket) or by a channel and a selector that each side waits in
 * (selector). KIND ROUNDS: prints picoseconds a round, the median of five.
 */
public class Handover {
	interface Rounds {
		void play(int n) throws Exception;
	}

	static BlockingQueue<Object> queue(String kind) {
		switch (kind) {
		case "synchronous":
			return new SynchronousQueue<>();
		case "transfer":
			return new LinkedTransferQueue<>();
		default:
			return new ArrayBlockingQueue<>(1);
		}
	}

	static void sendBack(BlockingQueue<Object> from, BlockingQueue<Object> to, int n) {
		Probe.enter(2);
		Probe.exit(2);
		try {
			for (int i = 0; i < n; i++)
				to.put(from.take());
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	static void pass(String kind, int n) throws Exception {
		BlockingQueue<Object> there = queue(kind), back = queue(kind);
		Thread other = new Thread(() -> sendBack(there, back, n), "other");
		other.start();
		for (int i = 0; i < n; i++) {
			there.put(kind);
			back.take();
		}
		other.join();
	}

	static int count;

	static void lock(int n) {
		ReentrantLock lock = new ReentrantLock();
		for (int i = 0; i < n; i++) {
			lock.lock();
			count++;
			lock.unlock();
		}
	}

	static void permit(int n) {
		Thread me = Thread.currentThread();
		for (int i = 0; i < n; i++) {
			LockSupport.unpark(me);
			LockSupport.park(me);
		}
	}

	static final int SIZE = 1024;

	interface Side {
		void play() throws IOException;
	}

	/** What the other side does, on a thread of its own. */
	static Thread answer(Side side) {
		Thread other = new Thread(() -> {
			Probe.enter(2);
			Probe.exit(2);
			try {
				side.play();
			} catch (IOException e) {
				throw new IllegalStateException(e);
			}
		}, "other");
		other.start();
		return other;
	}

	static void fill(InputStream in, byte[] bytes) throws IOException {
		for (int at = 0, n; at < SIZE; at += n)
			if ((n = in.read(bytes, at, SIZE - at)) < 0)
				throw new IOException("the other side has closed");
	}

	static void talk(Socket socket, boolean first, int n) throws IOException {
		byte[] bytes = new byte[SIZE];
		socket.setTcpNoDelay(true);
		for (int i = 0; i < n; i++) {
			if (first)
				socket.getOutputStream().write(bytes);
			fill(socket.getInputStream(), bytes);
			if (!first)
				socket.getOutputStream().write(bytes);
		}
	}

	static void socket(int n) throws Exception {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			Thread other = answer(() -> {
				try (Socket s = server.accept()) {
					talk(s, false, n);
				}
			});
			try (Socket s = new Socket(server.getInetAddress(), server.getLocalPort())) {
				talk(s, true, n);
			}
			other.join();
		}
	}

	static void talk(SocketChannel channel, boolean first, int n) throws IOException {
		ByteBuffer bytes = ByteBuffer.allocateDirect(SIZE);
		channel.socket().setTcpNoDelay(true);
		channel.configureBlocking(false);
		try (Selector selector = Selector.open()) {
			channel.register(selector, SelectionKey.OP_READ);
			for (int i = 0; i < n; i++) {
				if (first)
					write(channel, bytes);
				bytes.clear();
				while (bytes.hasRemaining()) {
					selector.select();
					selector.selectedKeys().clear();
					if (channel.read(bytes) < 0)
						throw new IOException("the other side has closed");
				}
				if (!first)
					write(channel, bytes);
			}
		}
	}

	static void write(SocketChannel channel, ByteBuffer bytes) throws IOException {
		bytes.clear();
		while (bytes.hasRemaining())
			channel.write(bytes);
	}

	static void selector(int n) throws Exception {
		try (ServerSocketChannel server = ServerSocketChannel.open()) {
			server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
			Thread other = answer(() -> {
				try (SocketChannel c = server.accept()) {
					talk(c, false, n);
				}
			});
			try (SocketChannel c = SocketChannel.open(server.getLocalAddress())) {
				talk(c, true, n);
			}
			other.join();
		}
	}

	static Rounds rounds(String kind) {
		switch (kind) {
		case "lock":
			return Handover::lock;
		case "permit":
			return Handover::permit;
		case "socket":
			return Handover::socket;
		case "selector":
			return Handover::selector;
		default:
			return n -> pass(kind, n);
		}
	}

	public static void main(String[] args) throws Exception {
		int n = Integer.parseInt(args[1]);
		Rounds rounds = rounds(args[0]);
		long[] ps = new long[5];
		Probe.enter(1);
		Probe.exit(1);
		rounds.play(n);
		for (int i = 0; i < ps.length; i++) {
			long begin = System.nanoTime();
			rounds.play(n);
			ps[i] = (System.nanoTime() - begin) * 1000 / n;
		}
		java.util.Arrays.sort(ps);
		System.out.println(ps[ps.length / 2]);
	}
}
