import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import scala.Tuple2;

/** Spark in one process: a shuffle, generated code, SQL, and files written and read again. */
public class DriveSpark {
    public static void main(String[] args) throws Exception {
        System.setErr(new PrintStream(OutputStream.nullOutputStream())); /* its log tells the time */
        SparkSession spark = SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false")
                .config("spark.sql.shuffle.partitions", "4").getOrCreate();
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 20000; i++)
            numbers.add(i);
        System.out.println(new JavaSparkContext(spark.sparkContext()).parallelize(numbers, 8)
                .mapToPair(n -> new Tuple2<>(n % 97, 1)).reduceByKey((a, b) -> a + b).sortByKey().take(7));
        Dataset<Row> sums = spark.range(0, 50000, 1, 8).withColumn("k", functions.col("id").mod(13)).groupBy("k")
                .agg(functions.sum("id").as("s"), functions.count("id").as("c")).orderBy("k");
        sums.collectAsList().forEach(System.out::println);
        sums.createOrReplaceTempView("t");
        spark.sql("SELECT MAX(s), MIN(c) FROM t WHERE k > 3").collectAsList().forEach(System.out::println);
        sums.write().json("made");
        System.out.println(spark.read().json("made").count());
        spark.stop();
        /* names of parts are random */
        try (Stream<Path> made = Files.walk(Path.of("made"))) {
            for (Path p : (Iterable<Path>) made.sorted(Comparator.reverseOrder())::iterator)
                Files.delete(p);
        }
    }
}
