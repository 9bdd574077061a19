package acme;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;

/**
 * Workers that read and write, each method in a thread of its name. A comment after a call says what it does:
 * the operation, how often (*: as often as it takes), and how many bytes (or characters) in all. Arguments: a
 * folder for files.
 */
public class Io {
	interface Work {
		void run() throws IOException;
	}

	static void streams(File f) throws IOException {
		OutputStream out = new FileOutputStream(f); // open 1
		for (int i = 0; i < 5; i++)
			out.write(new byte[100]); // write 5 500
		out.write(new byte[100], 10, 30); // write 1 30
		out.write(7); // write 1 1
		out.flush(); // flush 1
		out.close(); // close 1
		InputStream in = new FileInputStream(f); // open 1
		in.read(); // read 1 1
		in.read(new byte[200]); // read 1 200
		in.read(new byte[200], 0, 31); // read 1 31
		in.skip(99); // seek 1
		in.readNBytes(50); // read 1 50
		in.readAllBytes(); // read 1 150
		in.read(); // read 1 0
		in.read(new byte[9]); // read 1 0
		in.close(); // close 1
	}

	static void buffered(File f) throws IOException {
		OutputStream out = new BufferedOutputStream(new FileOutputStream(f)); // open 1
		for (int i = 0; i < 1000; i++)
			out.write(i); // write 1000 1000
		out.close(); // close 1
		DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(f))); // open 1
		in.readInt(); // read 1 4
		in.readLong(); // read 1 8
		in.readShort(); // read 1 2
		in.readByte(); // read 1 1
		in.readFully(new byte[85]); // read 1 85
		in.skipBytes(100); // seek 1
		try {
			in.readFully(new byte[5000]); // read 1 0
		} catch (EOFException e) {
			in.close(); // close 1
		}
	}

	static void random(File f) throws IOException {
		RandomAccessFile file = new RandomAccessFile(f, "rw"); // open 1
		file.write(new byte[64]); // write 1 64
		file.writeInt(1); // write 1 4
		file.writeLong(1); // write 1 8
		file.writeUTF("four"); // writeText 1 4
		file.seek(2); // seek 1
		file.read(new byte[10]); // read 1 10
		file.readUnsignedByte(); // read 1 1
		file.setLength(10); // seek 1
		file.close(); // close 1
	}

	static void channel(File f) throws IOException {
		FileChannel c = FileChannel.open(f.toPath(), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE); // open 1
		for (int i = 0; i < 3; i++)
			c.write(ByteBuffer.allocate(64)); // write 3 192
		c.write(ByteBuffer.allocate(8), 400); // write 1 8
		c.position(0); // file 1
		c.read(ByteBuffer.allocate(100)); // read 1 100
		c.read(new ByteBuffer[] { ByteBuffer.allocate(10), ByteBuffer.allocate(20) }); // read 1 30
		c.read(ByteBuffer.allocate(50), 5000); // read 1 0
		c.force(true); // flush 1
		c.close(); // close 1
	}

	static void files(File f) throws IOException {
		Path path = f.toPath();
		Files.write(path, new byte[300]); // write 1 300
		Files.readAllBytes(path); // read 1 300
		Files.writeString(path, "h\u00e4llo"); // writeText 1 5
		Files.readString(path); // readText 1 5
		Files.readAllLines(path); // readText 1 0
		Files.size(path); // file 1
		Files.delete(path); // file 1
	}

	static void text(File f) throws IOException {
		FileWriter out = new FileWriter(f); // open 1
		out.write("twelve chars"); // writeText 1 12
		out.write(new char[7], 2, 3); // writeText 1 3
		out.write('x'); // writeText 1 1
		out.append("ab"); // writeText 1 2
		out.close(); // close 1
		BufferedReader in = new BufferedReader(new FileReader(f)); // open 1
		in.read(); // readText 1 1
		in.read(new char[5]); // readText 1 5
		in.readLine(); // readText 1 12
		in.readLine(); // readText 1 0
		in.close(); // close 1
	}

	static void server(ServerSocket server) throws IOException {
		Socket s = server.accept(); // accept 1
		s.getInputStream().readNBytes(new byte[5000], 0, 4000); // read 1 4000
		s.getOutputStream().write(new byte[10]); // write 1 10
		s.close(); // close 1
	}

	static void client(int port) throws IOException {
		InetAddress here = InetAddress.getLoopbackAddress();
		Socket s = new Socket(here, port); // connect 1
		OutputStream out = s.getOutputStream();
		for (int i = 0; i < 8; i++)
			out.write(new byte[500]); // write 8 4000
		s.getInputStream().readNBytes(10); // read 1 10
		s.close(); // close 1
	}

	static void names() throws IOException {
		InetAddress here = InetAddress.getByName("127.0.0.1"); // resolve 1
		InetAddress.getAllByName("127.0.0.2"); // resolve 1
		InetAddress.getByAddress(new byte[] { 127, 0, 0, 1 });
		new InetSocketAddress("127.0.0.3", 80); // resolve 1
		new InetSocketAddress(here, 80);
		InetAddress.getLoopbackAddress().getHostName(); // resolve 1
		Socket s = new Socket(); // open 1
		s.close(); // close 1
		s = SocketFactory.getDefault().createSocket(); // open 1
		s.close(); // close 1
		ServerSocket server = new ServerSocket(0, 5, here);
		s = SocketFactory.getDefault().createSocket(here, server.getLocalPort()); // connect 1
		s.close(); // close 1
		server.close(); // close 1
	}

	static void acceptor(ServerSocketChannel server) throws IOException {
		SocketChannel c = server.accept(); // accept 1
		ByteBuffer all = ByteBuffer.allocate(300);
		while (all.hasRemaining())
			c.read(all); // read * 300
		c.close(); // close 1
	}

	static void connector(ServerSocketChannel server) throws IOException {
		SocketChannel c = SocketChannel.open(server.getLocalAddress()); // connect 1
		c.write(ByteBuffer.allocate(300)); // write 1 300
		c.close(); // close 1
	}

	static void sender(InetSocketAddress to) throws IOException {
		DatagramSocket s = new DatagramSocket();
		for (int i = 0; i < 3; i++)
			s.send(new DatagramPacket(new byte[500], 200, to)); // write 3 600
		s.close(); // close 1
	}

	static void receiver(DatagramSocket s) throws IOException {
		for (int i = 0; i < 3; i++)
			s.receive(new DatagramPacket(new byte[500], 500)); // read 3 600
		s.close(); // close 1
	}

	/* three that come, and one that does not; the buffer has something in it before */
	static void channelReceiver(DatagramChannel c) throws IOException {
		ByteBuffer all = ByteBuffer.allocate(1000);
		all.put((byte) 1);
		for (int i = 0; i < 3; i++)
			c.receive(all); // read 3 450
		c.configureBlocking(false);
		if (c.receive(all) == null) // read 1
			c.close(); // close 1
	}

	static void channelSender(SocketAddress to) throws IOException {
		DatagramChannel c = DatagramChannel.open(); // open 1
		for (int i = 0; i < 3; i++)
			c.send(ByteBuffer.allocate(150), to); // write 3 450
		c.close(); // close 1
	}

	static final List<Thread> threads = new ArrayList<>();

	static void start(String name, Work work) {
		Thread t = new Thread(() -> {
			try {
				work.run();
			} catch (IOException e) {
				throw new IllegalStateException(e);
			}
		}, name);
		threads.add(t);
		t.start();
	}

	public static void main(String[] args) throws Exception {
		File folder = new File(args[0]);
		InetAddress here = InetAddress.getLoopbackAddress();
		ServerSocket server = new ServerSocket(0, 5, here);
		ServerSocketChannel acceptor = ServerSocketChannel.open().bind(new InetSocketAddress(here, 0));
		DatagramSocket receiver = new DatagramSocket(0, here);
		DatagramChannel channel = DatagramChannel.open().bind(new InetSocketAddress(here, 0));
		start("streams", () -> streams(new File(folder, "streams")));
		start("buffered", () -> buffered(new File(folder, "buffered")));
		start("random", () -> random(new File(folder, "random")));
		start("channel", () -> channel(new File(folder, "channel")));
		start("files", () -> files(new File(folder, "files")));
		start("text", () -> text(new File(folder, "text")));
		start("server", () -> server(server));
		start("client", () -> client(server.getLocalPort()));
		start("names", () -> names());
		start("acceptor", () -> acceptor(acceptor));
		start("connector", () -> connector(acceptor));
		start("receiver", () -> receiver(receiver));
		start("sender", () -> sender(new InetSocketAddress(here, receiver.getLocalPort())));
		start("channelReceiver", () -> channelReceiver(channel));
		start("channelSender", () -> channelSender(channel.getLocalAddress()));
		for (Thread t : threads)
			t.join();
		System.out.println("done");
	}
}
