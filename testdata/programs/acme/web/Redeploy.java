package acme.web;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/**
 * Redeploy BASE WAR N: a Tomcat in this process, which N times deploys the web application, asks it for
 * two pages and takes it away again. Prints how many answers were right, and how many of the N class
 * loaders are still there when everything that nobody uses has been collected.
 */
public class Redeploy {
	private static int ask(int port, String page, String answer) throws Exception {
		URL url = new URL("http://127.0.0.1:" + port + "/shop/" + page);
		try (BufferedReader in = new BufferedReader(new InputStreamReader(url.openStream(), "UTF-8"))) {
			return answer.equals(in.readLine()) ? 1 : 0;
		}
	}

	private static int alive(List<WeakReference<ClassLoader>> loaders) {
		int n = 0;
		for (WeakReference<ClassLoader> loader : loaders)
			n += loader.get() == null ? 0 : 1;
		return n;
	}

	public static void main(String[] args) throws Exception {
		int n = Integer.parseInt(args[2]), right = 0;
		List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
		Tomcat tomcat = new Tomcat();
		tomcat.setBaseDir(args[0]);
		tomcat.setPort(0);
		tomcat.setSilent(true);
		tomcat.getHost().setAppBase("webapps");
		new File(args[0], "webapps").mkdirs();
		tomcat.getConnector().setProperty("address", "127.0.0.1");
		tomcat.start();
		for (int i = 0; i < n; i++) {
			Context shop = tomcat.addWebapp("/shop", new File(args[1]).getAbsolutePath());
			loaders.add(new WeakReference<>(shop.getLoader().getClassLoader()));
			int port = tomcat.getConnector().getLocalPort();
			right += ask(port, "till?amount=1", "paid true") + ask(port, "till?order=1", "served true");
			tomcat.getHost().removeChild(shop);
			shop = null;
		}
		for (int i = 0; i < 100 && alive(loaders) > 0; i++) {
			System.gc();
			Thread.sleep(20);
		}
		System.out.println("right " + right);
		System.out.println("alive " + alive(loaders));
		tomcat.stop();
		tomcat.destroy();
	}
}
