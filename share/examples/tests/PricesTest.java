import static org.junit.Assert.assertEquals;

import java.math.BigDecimal;
import java.util.Arrays;
import org.junit.Test;

public class PricesTest {
	@Test
	public void sumsPrices() {
		assertEquals(new BigDecimal("6.00"), Prices.sum(Arrays.asList("1.50", "4.50")));
	}

	@Test(expected = NumberFormatException.class)
	public void refusesWords() {
		Prices.sum(Arrays.asList("1.50", "much"));
	}
}
