import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import java.io.Writer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;

/** A small cluster of Hadoop in one JVM, until its standard input ends: Cluster FOLDER JARS. It writes FOLDER/conf, for
 * HADOOP_CONF_DIR, and FOLDER/up when it is ready. Its containers are JVMs of their own, whose class path is JARS. */
public class Cluster {
	private final StringBuilder text = new StringBuilder("<configuration>\n");

	private Cluster add(String key, String value) {
		text.append("<property><name>").append(key).append("</name><value>").append(value).append("</value></property>\n");
		return this;
	}

	private void write(File file) throws IOException {
		try (Writer writer = new FileWriter(file)) {
			writer.write(text.append("</configuration>\n").toString());
		}
	}

	public static void main(String[] args) throws Exception {
		File folder = new File(args[0]), conf = new File(folder, "conf");
		String temporary = new File(folder, "tmp").getAbsolutePath(), staging = temporary + "/staging";
		Configuration settings = new Configuration();
		settings.set("hadoop.tmp.dir", temporary);
		settings.set("yarn.app.mapreduce.am.staging-dir", staging);
		settings.set("yarn.nodemanager.pmem-check-enabled", "false");
		settings.set("yarn.nodemanager.vmem-check-enabled", "false");
		settings.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
		settings.setInt("yarn.scheduler.minimum-allocation-mb", 256);
		settings.setInt("yarn.nodemanager.resource.memory-mb", 4096);
		MiniMRYarnCluster cluster = new MiniMRYarnCluster("case", 1);
		cluster.init(settings);
		cluster.start();
		conf.mkdirs();
		Cluster yarn = new Cluster().add("yarn.application.classpath", args[1]);
		for (String key : new String[] { "yarn.resourcemanager.address", "yarn.resourcemanager.scheduler.address", "mapreduce.jobhistory.address" })
			yarn.add(key, cluster.getConfig().get(key));
		Cluster mapred = new Cluster().add("mapreduce.framework.name", "yarn").add("mapreduce.application.classpath", "")
			.add("yarn.app.mapreduce.am.staging-dir", staging).add("hadoop.tmp.dir", temporary)
			.add("mapreduce.map.speculative", "false").add("mapreduce.reduce.speculative", "false")
			.add("mapreduce.job.reduce.slowstart.completedmaps", "1").add("mapreduce.jobhistory.jhist.format", "json");
		for (String of : new String[] { "mapreduce.map.memory.mb", "mapreduce.reduce.memory.mb", "yarn.app.mapreduce.am.resource.mb" })
			mapred.add(of, "512");
		for (String of : new String[] { "mapreduce.map.java.opts", "mapreduce.reduce.java.opts", "yarn.app.mapreduce.am.command-opts" })
			mapred.add(of, "-Xmx350m --add-opens=java.base/java.lang=ALL-UNNAMED");
		new Cluster().write(new File(conf, "core-site.xml"));
		yarn.write(new File(conf, "yarn-site.xml"));
		mapred.write(new File(conf, "mapred-site.xml"));
		new File(folder, "up").createNewFile();
		while (System.in.read() >= 0) {
		}
		Runtime.getRuntime().halt(0);
	}
}
