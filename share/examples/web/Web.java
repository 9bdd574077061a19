import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A web application of one page, that asks itself twenty times. /slow is slow. */
public class Web {
	static void page(HttpExchange exchange) throws IOException {
		byte[] answer = render(exchange.getRequestURI().getPath());

		exchange.sendResponseHeaders(200, answer.length);
		exchange.getResponseBody().write(answer);
		exchange.close();
	}

	static byte[] render(String path) {
		if (path.equals("/slow"))
			lookUp();
		return path.getBytes();
	}

	static void lookUp() {
		try {
			Thread.sleep(30);
		} catch (InterruptedException e) {
			Thread.currentThread().interrupt();
		}
	}

	static void ask(String url) throws IOException {
		try (InputStream in = new URL(url).openStream()) {
			while (in.read() >= 0)
				continue;
		}
	}

	public static void main(String[] args) throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		ExecutorService pool = Executors.newFixedThreadPool(3);

		server.createContext("/", Web::page);
		server.setExecutor(pool);
		server.start();
		for (int i = 0; i < 20; i++)
			ask("http://127.0.0.1:" + server.getAddress().getPort() + (i % 5 == 0 ? "/slow" : "/"));
		server.stop(0);
		pool.shutdown();
		System.out.println("20 pages");
	}
}
