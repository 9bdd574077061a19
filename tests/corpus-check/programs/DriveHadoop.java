import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Hadoop's own example, in its local runner: the words of two files, counted. */
public class DriveHadoop {
    public static class Words extends Mapper<Object, Text, Text, IntWritable> {
        @Override
        protected void map(Object key, Text line, Context context) throws IOException, InterruptedException {
            for (String word : line.toString().split("\\W+"))
                if (!word.isEmpty())
                    context.write(new Text(word), new IntWritable(1));
        }
    }

    public static class Sum extends Reducer<Text, IntWritable, Text, IntWritable> {
        @Override
        protected void reduce(Text word, Iterable<IntWritable> counts, Context context)
                throws IOException, InterruptedException {
            int sum = 0;
            for (IntWritable one : counts)
                sum += one.get();
            context.write(word, new IntWritable(sum));
        }
    }

    public static void main(String[] args) throws Exception {
        System.setErr(new PrintStream(OutputStream.nullOutputStream())); /* its log tells the time */
        Job job = Job.getInstance(new Configuration(), "words");
        job.setJarByClass(DriveHadoop.class);
        job.setMapperClass(Words.class);
        job.setCombinerClass(Sum.class);
        job.setReducerClass(Sum.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        FileInputFormat.addInputPath(job, new Path("acme/Own.java"));
        FileInputFormat.addInputPath(job, new Path("in.js"));
        FileOutputFormat.setOutputPath(job, new Path("made"));
        System.out.println(job.waitForCompletion(false));
        System.out.println(job.getCounters().findCounter(TaskCounter.MAP_OUTPUT_RECORDS).getValue());
        System.out.println(job.getCounters().findCounter(TaskCounter.REDUCE_OUTPUT_RECORDS).getValue());
    }
}
