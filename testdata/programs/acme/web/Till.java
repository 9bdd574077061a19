package acme.web;

import acme.shop.Shop;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** GET /till?amount=N pays, GET /till?order=N waits for the clerk. */
@WebServlet("/till")
@WebListener
public class Till extends HttpServlet implements ServletContextListener {
	private static final long serialVersionUID = 1;

	@Override
	protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
		response.setContentType("text/plain");
		response.getWriter().println(answer(request.getParameter("amount"), request.getParameter("order")));
	}

	private String answer(String amount, String order) {
		try {
			if (amount != null)
				return "paid " + (Shop.SHOP.pay(Integer.parseInt(amount)) > 0);
			return "served " + (Shop.SHOP.order(Integer.parseInt(order)) > 0);
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}

	@Override
	public void contextInitialized(ServletContextEvent event) {
		Shop.SHOP.open();
	}

	@Override
	public void contextDestroyed(ServletContextEvent event) {
		try {
			Shop.SHOP.close();
		} catch (InterruptedException e) {
			throw new IllegalStateException(e);
		}
	}
}
