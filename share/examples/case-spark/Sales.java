import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** What each shop has sold: Sales ORDERS [salted]. Most orders are of one shop, so that one task has most of the work, unless
 * its orders are spread over 16 keys. */
public class Sales {
	static final int SHOPS = 51, SPREAD = 16;

	static int shopOf(int order) {
		return order % 10 < 7 ? 0 : order % 50;
	}

	/** What is costly of an order. */
	static double price(int order) {
		double sum = order;
		for (int i = 0; i < 3000; i++)
			sum += Math.sqrt(sum + i);
		return sum;
	}

	static double total(Iterable<Integer> orders) {
		double sum = 0;
		for (int order : orders)
			sum += price(order);
		return sum;
	}

	public static void main(String[] args) {
		int orders = Integer.parseInt(args[0]), spread = args.length > 1 ? SPREAD : 1;
		JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("sales"));
		List<Integer> all = new ArrayList<>();
		for (int i = 0; i < orders; i++)
			all.add(i);
		JavaRDD<Integer> rows = spark.parallelize(all, 8);
		long shops = rows.mapToPair(order -> new Tuple2<>(shopOf(order) + SHOPS * (order % spread), order))
			.groupByKey(8)
			.mapToPair(key -> new Tuple2<>(key._1 % SHOPS, total(key._2)))
			.reduceByKey(Double::sum, 8)
			.count();
		System.out.println(shops + " shops");
		spark.stop();
	}
}
