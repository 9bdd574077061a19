<%@ page contentType="text/plain" session="false" %><%!
	private int sum(int n) {
		int s = 0;
		for (int i = 1; i <= n; i++)
			s += i;
		return s;
	}
%><% int n = Integer.parseInt(request.getParameter("n")); %>sum <%= sum(n) %>
