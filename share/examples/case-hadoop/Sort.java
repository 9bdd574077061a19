import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Sorts orders by what they cost: Sort make FOLDER ORDERS, then Sort FOLDER OUT [even]. Each reduce sorts a range of prices;
 * part 0 to 3, one after the other, are in order. Ranges are equally wide, so that one has most orders, as most cost
 * little; unless they are made even. */
public class Sort {
	static final int MOST = 10000, PARTS = 4, FILES = 4;

	/** Most orders are small: the smallest of seven prices. */
	static int price(Random random) {
		int least = MOST;
		for (int i = 0; i < 7; i++)
			least = Math.min(least, random.nextInt(MOST));
		return least;
	}

	public static class ByPrice extends Mapper<LongWritable, Text, LongWritable, Text> {
		@Override
		protected void map(LongWritable at, Text line, Context context) throws IOException, InterruptedException {
			context.write(new LongWritable(Long.parseLong(line.toString().split(" ")[0])), line);
		}
	}

	/** Ranges that are equally wide. */
	public static class Wide extends Partitioner<LongWritable, Text> {
		@Override
		public int getPartition(LongWritable price, Text line, int parts) {
			return (int) (price.get() * parts / MOST);
		}
	}

	/** Ranges that have equally many orders: what share of them is cheaper. */
	public static class Even extends Partitioner<LongWritable, Text> {
		@Override
		public int getPartition(LongWritable price, Text line, int parts) {
			return (int) (parts * (1 - Math.pow(1 - (price.get() + 0.5) / MOST, 7)));
		}
	}

	/** What is costly of an order: its invoice. */
	public static class Invoices extends Reducer<LongWritable, Text, LongWritable, Text> {
		@Override
		protected void reduce(LongWritable price, Iterable<Text> lines, Context context) throws IOException, InterruptedException {
			for (Text line : lines) {
				double sum = price.get();
				for (int i = 0; i < 20000; i++)
					sum += Math.sqrt(sum + i);
				context.write(price, new Text(line + " " + (long) sum));
			}
		}
	}

	static void make(String folder, int orders) throws IOException {
		Random random = new Random(1);
		for (int file = 0; file < FILES; file++) {
			Path path = new Path(folder, "orders-" + file);
			try (FSDataOutputStream out = path.getFileSystem(new Configuration()).create(path)) {
				for (int i = 0; i < orders / FILES; i++)
					out.write((price(random) + " order " + (file * orders / FILES + i) + "\n").getBytes("US-ASCII"));
			}
		}
	}

	public static void main(String[] args) throws Exception {
		if (args[0].equals("make")) {
			make(args[1], Integer.parseInt(args[2]));
			return;
		}
		Job job = Job.getInstance(new Configuration(), "sort");
		job.setJarByClass(Sort.class);
		job.setMapperClass(ByPrice.class);
		job.setReducerClass(Invoices.class);
		job.setPartitionerClass(args.length > 2 ? Even.class : Wide.class);
		job.setOutputKeyClass(LongWritable.class);
		job.setOutputValueClass(Text.class);
		job.setNumReduceTasks(PARTS);
		FileInputFormat.addInputPath(job, new Path(args[0]));
		FileOutputFormat.setOutputPath(job, new Path(args[1]));
		System.exit(job.waitForCompletion(true) ? 0 : 1);
	}
}
