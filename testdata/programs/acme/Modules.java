package acme;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;

/** Something of java.xml, java.desktop and java.net.http. */
public class Modules {
	static String xml() throws Exception {
		StringWriter w = new StringWriter();
		TransformerFactory.newInstance().newTransformer().transform(
				new DOMSource(DocumentBuilderFactory.newInstance().newDocumentBuilder()
						.parse(new ByteArrayInputStream("<a><b c='1'>x</b></a>".getBytes()))),
				new StreamResult(w));
		return w.toString();
	}

	static boolean image() throws Exception {
		BufferedImage image = new BufferedImage(50, 50, BufferedImage.TYPE_INT_RGB);
		image.createGraphics().fillOval(3, 3, 40, 40);
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		return ImageIO.write(image, "png", out) && out.size() > 100;
	}

	static String http() {
		/* a port that nobody listens to */
		try {
			return HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:1/")).build(),
					HttpResponse.BodyHandlers.ofString()).body();
		} catch (Exception e) {
			return e.getClass().getSimpleName();
		}
	}

	public static void main(String[] args) throws Exception {
		System.out.println(xml());
		System.out.println(image());
		System.out.println(http());
	}
}
