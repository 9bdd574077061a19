import java.math.BigDecimal;
import java.util.List;

/** What is tested: a sum of prices. */
public class Prices {
	static BigDecimal price(String text) {
		return new BigDecimal(text);
	}

	static BigDecimal sum(List<String> prices) {
		BigDecimal sum = BigDecimal.ZERO;

		for (String one : prices)
			sum = sum.add(price(one));
		return sum;
	}
}
