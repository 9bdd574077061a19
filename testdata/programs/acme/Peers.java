package acme;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocketFactory;

/**
 * Two JVMs that talk by TCP in one of several ways: the first starts the second, and asks it. Each question is a call of
 * request(), which cannot return before the other one has answered.
 *
 *     ask KIND CLIENTS MESSAGES        echo, tls, rmi, url, http, jdbc
 */
public class Peers {
	static final InetAddress here = InetAddress.getLoopbackAddress();

	interface Front extends Remote {
		byte[] ask(byte[] question) throws RemoteException;
	}

	static class Server extends UnicastRemoteObject implements Front {
		private static final long serialVersionUID = 1;

		Server() throws RemoteException {
		}

		public byte[] ask(byte[] question) {
			return answer(question);
		}
	}

	static byte[] answer(byte[] question) {
		return question.clone();
	}

	// ---- who serves ----

	static void echo(Socket s) {
		try (s) {
			InputStream in = s.getInputStream();
			byte[] question = new byte[100];

			while (in.readNBytes(question, 0, 100) == 100)
				s.getOutputStream().write(answer(question));
		} catch (IOException e) {
			System.err.println(e);
		}
	}

	static int serveSockets(ServerSocketFactory factory) throws Exception {
		ServerSocket server = factory.createServerSocket(0, 50, here);
		Thread t = new Thread(() -> {
			try {
				for (int i = 0;; i++) {
					Socket s = server.accept();
					new Thread(() -> echo(s), "echo " + i).start();
				}
			} catch (IOException e) {
				System.err.println(e);
			}
		}, "accepts");

		t.setDaemon(true);
		t.start();
		return server.getLocalPort();
	}

	static int serveHttp() throws Exception {
		HttpServer server = HttpServer.create(new InetSocketAddress(here, 0), 0);

		server.setExecutor(Executors.newFixedThreadPool(4));
		server.createContext("/", exchange -> {
			byte[] body = answer(exchange.getRequestBody().readAllBytes());

			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		server.start();
		return server.getAddress().getPort();
	}

	static int serveRmi() throws Exception {
		ServerSocket free = new ServerSocket(0);
		int port = free.getLocalPort();

		free.close();
		LocateRegistry.createRegistry(port).rebind("front", new Server());
		return port;
	}

	static int serveJdbc() throws Exception {
		Object server = Class.forName("org.h2.tools.Server").getMethod("createTcpServer", String[].class)
				.invoke(null, (Object)new String[] { "-tcpPort", "0", "-ifNotExists" });

		server.getClass().getMethod("start").invoke(server);
		return (Integer)server.getClass().getMethod("getPort").invoke(server);
	}

	static int serve(String kind) throws Exception {
		switch (kind) {
		case "echo":
			return serveSockets(ServerSocketFactory.getDefault());
		case "tls":
			return serveSockets(SSLServerSocketFactory.getDefault());
		case "rmi":
			return serveRmi();
		case "jdbc":
			return serveJdbc();
		default:
			return serveHttp();
		}
	}

	// ---- who asks ----

	interface Ask {
		byte[] ask(byte[] question) throws Exception;
	}

	static byte[] request(Ask by, byte[] question) throws Exception {
		return by.ask(question);
	}

	static Ask bySocket(SocketFactory factory, int port) throws Exception {
		Socket s = factory.createSocket(here, port);
		InputStream in = s.getInputStream();

		return question -> {
			if (question == null) {
				s.close();
				return null;
			}
			s.getOutputStream().write(question);
			return in.readNBytes(question.length);
		};
	}

	static Ask byUrl(int port) {
		return question -> {
			if (question == null)
				return null;
			HttpURLConnection c =
					(HttpURLConnection)new java.net.URL("http://127.0.0.1:" + port + "/").openConnection();
			c.setDoOutput(true);
			c.setFixedLengthStreamingMode(question.length);
			c.getOutputStream().write(question);
			try (InputStream in = c.getInputStream()) {
				return in.readAllBytes();
			}
		};
	}

	static Ask byClient(int port) {
		HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

		return question -> question == null ? null
				: client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
						.POST(HttpRequest.BodyPublishers.ofByteArray(question)).build(),
						HttpResponse.BodyHandlers.ofByteArray()).body();
	}

	static Ask byRmi(int port) throws Exception {
		Registry registry = LocateRegistry.getRegistry("127.0.0.1", port);
		Front front = (Front)registry.lookup("front");

		return question -> question == null ? null : front.ask(question);
	}

	static Ask byJdbc(int port) throws Exception {
		Connection c = DriverManager.getConnection("jdbc:h2:tcp://127.0.0.1:" + port + "/mem:peers", "sa", "");
		PreparedStatement s = c.prepareStatement("select cast(? as varbinary)");

		return question -> {
			if (question == null) {
				c.close();
				return null;
			}
			s.setBytes(1, question);
			try (ResultSet r = s.executeQuery()) {
				r.next();
				return r.getBytes(1);
			}
		};
	}

	static Ask asker(String kind, int port) throws Exception {
		switch (kind) {
		case "echo":
			return bySocket(SocketFactory.getDefault(), port);
		case "tls":
			return bySocket(SSLSocketFactory.getDefault(), port);
		case "rmi":
			return byRmi(port);
		case "jdbc":
			return byJdbc(port);
		case "url":
			return byUrl(port);
		default:
			return byClient(port);
		}
	}

	static void client(String kind, int port, int messages) {
		try {
			Ask by = asker(kind, port);
			byte[] question = new byte[100];

			for (int i = 0; i < messages; i++) {
				question[0] = (byte)i;
				byte[] answer = request(by, question);
				if (answer.length != 100 || answer[0] != (byte)i)
					throw new IllegalStateException("answer " + i);
			}
			by.ask(null);
		} catch (Exception e) {
			e.printStackTrace();
		}
	}

	static Process start(String kind) throws Exception {
		List<String> command = new ArrayList<>();

		command.add(new File(System.getProperty("java.home"), "bin/java").getPath());
		for (String name : List.of("keyStore", "keyStorePassword"))
			if (System.getProperty("javax.net.ssl." + name) != null)
				command.add("-Djavax.net.ssl." + name + "=" + System.getProperty("javax.net.ssl." + name));
		command.addAll(List.of("-Djava.rmi.server.hostname=127.0.0.1", "-cp", System.getProperty("java.class.path"), "acme.Peers",
				"serve", kind));
		ProcessBuilder other = new ProcessBuilder(command);
		other.redirectError(ProcessBuilder.Redirect.INHERIT);
		other.environment().put("OMPI_COMM_WORLD_RANK", "0");
		return other.start();
	}

	public static void main(String[] args) throws Exception {
		String kind = args[1];

		if (args[0].equals("serve")) {
			System.out.println(serve(kind));
			System.in.read();
			System.exit(0); // servers have threads that never end
		}
		Process process = start(kind);
		int port = Integer.parseInt(new BufferedReader(new InputStreamReader(process.getInputStream())).readLine());
		List<Thread> clients = new ArrayList<>();

		for (int i = 0; i < Integer.parseInt(args[2]); i++) {
			Thread t = new Thread(() -> client(kind, port, Integer.parseInt(args[3])), "client " + i);
			clients.add(t);
			t.start();
		}
		for (Thread t : clients)
			t.join();
		process.getOutputStream().close();
		System.out.println("status " + process.waitFor());
		System.exit(0);
	}
}
