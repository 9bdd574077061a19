import com.sun.net.httpserver.HttpServer;
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.*;
import jweave.rt.Probe;

/**
 * Reads and writes in each way that the JDK has, and counts by itself what crossed: a line "NAME written read" for each.
 * Arguments: what to do, and how often.
 */
public class Io {
	static final InetAddress here = InetAddress.getLoopbackAddress();

	interface Work {
		void run() throws Exception;
	}

	static Thread start(String name, Work work) {
		Thread t = new Thread(() -> {
			Probe.enter(1);
			try {
				work.run();
			} catch (Exception e) {
				e.printStackTrace();
			}
			Probe.exit(1);
		}, name);
		t.start();
		return t;
	}

	/** Each client sends messages of 1000 bytes and waits for each to come back. */
	static void streams(int clients, int messages) throws Exception {
		try (ServerSocket server = new ServerSocket(0, 50, here)) {
			List<Thread> all = new ArrayList<>();
			for (int c = 0; c < clients; c++) {
				all.add(start("client " + c, () -> {
					try (Socket s = new Socket(here, server.getLocalPort())) {
						byte[] b = new byte[1000];
						DataInputStream in = new DataInputStream(s.getInputStream());
						for (int m = 0; m < messages; m++) {
							s.getOutputStream().write(b);
							in.readFully(b);
						}
					}
				}));
				Socket s = server.accept();
				all.add(start("server " + c, () -> {
					byte[] b = new byte[1000];
					DataInputStream in = new DataInputStream(s.getInputStream());
					for (int m = 0; m < messages; m++) {
						in.readFully(b);
						s.getOutputStream().write(b);
					}
					in.read();
					s.close();
				}));
			}
			for (Thread t : all)
				t.join();
		}
		System.out.println("streams " + 2L * clients * messages * 1000 + " " + 2L * clients * messages * 1000);
	}

	static void fill(SocketChannel c, ByteBuffer b) throws IOException {
		for (b.clear(); b.hasRemaining();)
			if (c.read(b) < 0)
				throw new EOFException();
		b.flip();
	}

	/** Blocking channels; half of what is sent is gathered from two buffers. */
	static void channels(int messages) throws Exception {
		try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(here, 0))) {
			Thread t = start("server", () -> {
				try (SocketChannel c = server.accept()) {
					ByteBuffer b = ByteBuffer.allocateDirect(2000);
					for (int m = 0; m < messages; m++) {
						fill(c, b);
						c.write(b);
					}
				}
			});
			try (SocketChannel c = SocketChannel.open(server.getLocalAddress())) {
				ByteBuffer all = ByteBuffer.allocate(2000);
				for (int m = 0; m < messages; m++) {
					ByteBuffer[] two = { ByteBuffer.allocate(500), ByteBuffer.allocate(1500) };
					while (two[1].hasRemaining())
						c.write(two);
					fill(c, all);
				}
			}
			t.join();
		}
		System.out.println("channels " + 4000L * messages + " " + 4000L * messages);
	}

	/** An echo of one thread, by a selector; the client connects without blocking. */
	static void selector(int messages) throws Exception {
		try (Selector selector = Selector.open(); ServerSocketChannel server = ServerSocketChannel.open()) {
			server.bind(new InetSocketAddress(here, 0)).configureBlocking(false);
			server.register(selector, SelectionKey.OP_ACCEPT);
			Thread t = start("selector", () -> {
				ByteBuffer b = ByteBuffer.allocateDirect(4096);
				for (boolean open = true; open;) {
					selector.select();
					for (SelectionKey key : selector.selectedKeys()) {
						if (key.isAcceptable()) {
							SocketChannel c = server.accept();
							c.configureBlocking(false);
							c.register(selector, SelectionKey.OP_READ);
							continue;
						}
						SocketChannel c = (SocketChannel)key.channel();
						b.clear();
						if (c.read(b) < 0) {
							c.close();
							open = false;
						}
						for (b.flip(); b.hasRemaining();)
							c.write(b);
					}
					selector.selectedKeys().clear();
				}
			});
			try (SocketChannel c = SocketChannel.open()) {
				c.configureBlocking(false);
				if (!c.connect(server.getLocalAddress()))
					while (!c.finishConnect())
						Thread.onSpinWait();
				c.configureBlocking(true);
				ByteBuffer b = ByteBuffer.allocate(700);
				for (int m = 0; m < messages; m++) {
					b.clear();
					while (b.hasRemaining())
						c.write(b);
					fill(c, b);
				}
			}
			t.join();
		}
		System.out.println("selector " + 1400L * messages + " " + 1400L * messages);
	}

	static volatile int selects;

	/** A selector that has nothing is woken. */
	static void wakeups(int n) throws Exception {
		try (Selector selector = Selector.open()) {
			Thread t = start("selector", () -> {
				for (selects = 1; selects <= n; selects++)
					selector.select();
			});
			for (int i = 1; i <= n; i++) {
				while (selects < i)
					Thread.onSpinWait();
				Thread.sleep(5);
				selector.wakeup();
			}
			t.join();
		}
		System.out.println("wakeups 0 0");
	}

	static void http(int messages) throws Exception {
		HttpServer server = HttpServer.create(new InetSocketAddress(here, 0), 0);
		server.createContext("/", x -> {
			byte[] body = x.getRequestBody().readAllBytes();
			x.sendResponseHeaders(200, body.length);
			x.getResponseBody().write(body);
			x.close();
		});
		server.start();
		long length = 0;
		HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
		URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
		for (int m = 0; m < messages; m++)
			length += client.send(HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofByteArray(new byte[300])).build(),
				HttpResponse.BodyHandlers.ofByteArray()).body().length;
		// what is in a read or a write when it is closed, or when the VM ends, is open: first the server's thread
		// comes out of its last write, then the client's reads the end
		Thread.sleep(100);
		server.stop(0);
		Thread.sleep(100);
		System.out.println("http " + length + " " + length);
	}

	static void datagrams(int messages) throws Exception {
		try (DatagramSocket a = new DatagramSocket(0, here); DatagramChannel b = DatagramChannel.open()) {
			b.bind(new InetSocketAddress(here, 0)).connect(new InetSocketAddress(here, a.getLocalPort()));
			a.connect(b.getLocalAddress());
			byte[] bytes = new byte[100];
			ByteBuffer buffer = ByteBuffer.allocateDirect(100);
			for (int m = 0; m < messages; m++) {
				a.send(new DatagramPacket(bytes, 100));
				buffer.clear();
				b.read(buffer);
				buffer.flip();
				b.write(buffer);
				a.receive(new DatagramPacket(bytes, 100));
			}
		}
		System.out.println("datagrams " + 200L * messages + " " + 200L * messages);
	}

	/** A file by a stream, by a channel and by random access, each: written, then read. */
	static void files(int times) throws Exception {
		byte[] b = new byte[1000];
		try (FileOutputStream out = new FileOutputStream("stream.bin")) {
			for (int i = 0; i < times; i++)
				out.write(b);
			out.write(7);
			out.getFD().sync();
		}
		long read = 0;
		try (FileInputStream in = new FileInputStream("stream.bin")) {
			read += in.read() == 0 ? 1 : 0;
			for (int n; (n = in.read(b)) > 0;)
				read += n;
		}
		System.out.println("stream.bin " + (1000L * times + 1) + " " + read);
		try (FileChannel c = FileChannel.open(Path.of("channel.bin"), StandardOpenOption.CREATE, StandardOpenOption.WRITE,
				StandardOpenOption.READ, StandardOpenOption.TRUNCATE_EXISTING)) {
			for (int i = 0; i < times; i++)
				c.write(ByteBuffer.wrap(b));
			c.write(new ByteBuffer[] { ByteBuffer.allocate(10), ByteBuffer.allocate(20) });
			c.write(ByteBuffer.wrap(b), 0);
			c.force(true);
			c.map(FileChannel.MapMode.READ_WRITE, 0, 10).force();
			c.position(0);
			read = 0;
			for (int n; (n = c.read(ByteBuffer.allocate(300))) > 0;)
				read += n;
			read += c.read(ByteBuffer.allocate(50), 5);
			System.out.println("channel.bin " + (1000L * times + 30 + 1000) + " " + read);
		}
		try (RandomAccessFile f = new RandomAccessFile("random.bin", "rw")) {
			for (int i = 0; i < times; i++)
				f.write(b);
			f.write(1);
			f.seek(0);
			read = f.read() == 0 ? 1 : 0;
			for (int n; (n = f.read(b)) > 0;)
				read += n;
		}
		System.out.println("random.bin " + (1000L * times + 1) + " " + read);
	}

	/** A file is sent by the kernel. */
	static void sendfile(int times) throws Exception {
		Files.write(Path.of("sent.bin"), new byte[10000]);
		try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(here, 0))) {
			Thread t = start("server", () -> {
				try (SocketChannel c = server.accept()) {
					while (c.read(ByteBuffer.allocateDirect(4096)) >= 0)
						continue;
				}
			});
			try (SocketChannel c = SocketChannel.open(server.getLocalAddress());
					FileChannel f = FileChannel.open(Path.of("sent.bin"))) {
				for (int i = 0; i < times; i++)
					for (long at = 0; at < 10000;)
						at += f.transferTo(at, 10000 - at, c);
			}
			t.join();
		}
		System.out.println("sendfile " + 10000L * times + " " + 10000L * times);
	}

	/** A byte that no read and no write moves. */
	static void urgent() throws Exception {
		try (ServerSocket server = new ServerSocket(0, 1, here); Socket a = new Socket(here, server.getLocalPort());
				Socket b = server.accept()) {
			a.getOutputStream().write(new byte[10]);
			b.getInputStream().readNBytes(10);
			a.sendUrgentData(1);
		}
		System.out.println("urgent 10 10");
	}

	/**
	 * A socket is closed when most of what it has written is still in the kernel. The other end has closed its half before,
	 * or has not; it reads at once, or when all is closed, with so little room that the kernel has to wait for that.
	 */
	static void closes(int connections) throws Exception {
		long bytes = 0;
		for (int i = 0; i < connections; i++) {
			boolean half = i % 2 == 0, later = i / 2 % 2 == 0, shuts = i / 4 % 2 == 0;
			byte[] b = new byte[later ? 100000 : 1 << 20];
			bytes += b.length;
			try (ServerSocket server = new ServerSocket(0, 1, here); Socket client = new Socket()) {
				if (later)
					client.setReceiveBufferSize(4096);
				client.connect(server.getLocalSocketAddress());
				Socket s = server.accept();
				Thread t = start("server", () -> {
					s.setSendBufferSize(1 << 20);
					if (half)
						s.getInputStream().read();
					s.getOutputStream().write(b);
					if (shuts)
						s.shutdownOutput();
					s.close();
				});
				if (half)
					client.shutdownOutput();
				if (later)
					t.join();
				while (client.getInputStream().read(b) >= 0)
					continue;
				t.join();
			}
		}
		System.out.println("closes " + bytes + " " + bytes);
	}

	/** The other end closes and has not read what has come: so what is still in the kernel is never sent. */
	static void reset() throws Exception {
		try (ServerSocket server = new ServerSocket(0, 1, here); Socket client = new Socket()) {
			client.setReceiveBufferSize(4096);
			client.connect(server.getLocalSocketAddress());
			try (Socket s = server.accept()) {
				s.setSendBufferSize(1 << 20);
				s.getOutputStream().write(new byte[100000]);
				s.shutdownOutput();
				client.close();
				Thread.sleep(50);
			}
		}
		System.out.println("reset 100000 0");
	}

	static Socket[] pair() throws Exception {
		try (ServerSocket server = new ServerSocket(0, 1, here)) {
			return new Socket[] { new Socket(here, server.getLocalPort()), server.accept() };
		}
	}

	static void send(Socket from, Socket to, int n) throws Exception {
		from.getOutputStream().write(new byte[n]);
		to.getInputStream().readNBytes(n);
	}

	/** Connections that are there before the first probe runs, and have moved bytes. */
	static void late(Socket[] pair) throws Exception {
		send(pair[0], pair[1], 50);
		send(pair[1], pair[0], 7);
		pair[0].close();
		pair[1].close();
		System.out.println("late 57 57");
	}

	/** A read that takes 200 ms, with others that do not wait; one of a thread that calls nothing traced before; and one of another connection. */
	static void reads() throws Exception {
		Socket[] one = pair(), two = pair();
		Thread reader = start("reader", () -> one[1].getInputStream().readNBytes(100));
		Thread first = new Thread(() -> {
			try {
				two[1].getInputStream().read();
			} catch (IOException e) {
				e.printStackTrace();
			}
			Probe.enter(1);
			Probe.exit(1);
		}, "first");
		first.start();
		Thread.sleep(200);
		one[0].getOutputStream().write(new byte[100]);
		two[0].getOutputStream().write(1);
		reader.join();
		first.join();
		one[1].getOutputStream().write(new byte[50]);
		Thread.sleep(20);
		for (int i = 0; i < 50; i++)
			one[0].getInputStream().read();
		for (Socket s : one)
			s.close();
		Socket[] next = pair(); /* with the same descriptors */
		Thread again = start("again", () -> next[1].getInputStream().read());
		Thread.sleep(50);
		next[0].getOutputStream().write(1);
		again.join();
	}

	/** Waits MESSAGES times before it calls anything that is traced. */
	static void idle(int messages) throws Exception {
		Thread t = new Thread(() -> {
			try (Selector selector = Selector.open()) {
				for (int m = 0; m < messages; m++)
					selector.select(1);
			} catch (IOException e) {
				e.printStackTrace();
			}
			Probe.enter(1);
			Probe.exit(1);
		}, "idle");
		t.start();
		t.join();
	}

	static void child() throws Exception {
		Process p = new ProcessBuilder("sh", "-c", "cat; sleep 0.2; exit 3").start();
		p.getOutputStream().write(new byte[500]);
		p.getOutputStream().close();
		int n = p.getInputStream().readAllBytes().length;
		System.out.println("child " + n + " " + p.waitFor());
	}

	public static void main(String[] args) throws Exception {
		int n = args.length > 1 ? Integer.parseInt(args[1]) : 10;
		Socket[] before = pair();
		send(before[0], before[1], 3000);
		send(before[1], before[0], 200);
		Probe.enter(1);
		for (String what : args[0].split(","))
			switch (what) {
			case "streams": streams(3, n); break;
			case "channels": channels(n); break;
			case "selector": selector(n); break;
			case "wakeups": wakeups(n); break;
			case "http": http(n); break;
			case "datagrams": datagrams(n); break;
			case "files": files(n); break;
			case "sendfile": sendfile(n); break;
			case "idle": idle(n); break;
			case "reads": reads(); break;
			case "child": child(); break;
			case "urgent": urgent(); break;
			case "closes": closes(4 * n); break;
			case "reset": reset(); break;
			case "late": late(before); break;
			default: throw new IllegalArgumentException(what);
			}
		Probe.exit(1);
	}
}
