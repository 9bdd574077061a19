package org.jweave.maven;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.apache.maven.artifact.Artifact;
import org.apache.maven.lifecycle.LifecycleExecutor;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.project.MavenProjectHelper;
import org.jweave.build.Sums;

/**
 * jweave:weave makes a woven copy of the project's archive, or of its classes, unless the copy is of just this input,
 * these rules files, this program and these arguments already.
 */
public final class WeaveMojo extends RulesMojo {
	/** Where the copy goes; by default beside the input: NAME-traced.jar, classes-traced. */
	File output;
	/** What the name of the copy ends with, and its classifier when it is attached. */
	String classifier;
	/** The copy of an archive is installed and deployed with the project. */
	boolean attach;
	/** More options of `jweave weave`. */
	String[] arguments;
	File folder;
	/** This one, as Maven calls it. */
	MojoExecution execution;
	private MavenProjectHelper helper;
	private LifecycleExecutor lifecycle;
	/** What it waits for: a goal that is about to make the archive anew. */
	private MojoExecution maker;
	/** The archive that was woven, as it was then; null: none was. */
	private String woven;

	@Override
	void go() throws MojoExecutionException, MojoFailureException {
		maker = LaterGoals.maker(lifecycle, build, execution);
		if (maker == null)
			weave();
		else
			getLog().info("jweave: weaves after " + LaterGoals.name(maker) + ", which is after it in this phase");
		if (maker != null || woven != null)
			LaterGoals.tell(build.getRequest(), this);
	}

	/** Another goal of the project has run. */
	void after(MojoExecution goal) throws MojoExecutionException, MojoFailureException {
		if (maker != null) {
			if (!LaterGoals.same(goal, maker))
				return;
			maker = null;
			weave();
			return;
		}
		File now = made();
		if (woven == null || now == null || !now.isFile() || woven.equals(state(now)))
			return;
		if (goal.getGoal().equals("sign")) { // the copy is signed, too
			woven = state(now);
			return;
		}
		getLog().info("jweave: " + LaterGoals.name(goal) + " has changed " + now.getName() + ", so it is woven again");
		weave();
	}

	private void weave() throws MojoExecutionException, MojoFailureException {
		File in = input();

		woven = null;
		if (in == null)
			return;
		File out = output != null ? output : beside(in);
		if (!new File(folder, "jweave").isDirectory() && !new File(folder, "jweave").mkdirs())
			throw new MojoExecutionException("jweave: cannot make the folder " + new File(folder, "jweave"));
		try {
			weave(in, out);
		} catch (IOException e) {
			throw new MojoExecutionException("jweave: " + e.getMessage(), e);
		}
		if (in.isFile())
			woven = state(in);
		if (attach && out.isFile())
			attach(out);
	}

	/** With the type that its name says (war, ear), in place of what the same goal attached before. */
	private void attach(File out) {
		String type = out.getName().substring(out.getName().lastIndexOf('.') + 1);

		for (Artifact it : project.getAttachedArtifacts())
			if (classifier.equals(it.getClassifier()) && type.equals(it.getType())) {
				it.setFile(out);
				return;
			}
		helper.attachArtifact(project, type, classifier, out);
	}

	/** What changes of a file when it is written, or another takes its place. */
	private static String state(File file) throws MojoExecutionException {
		try {
			BasicFileAttributes of = Files.readAttributes(file.toPath(), BasicFileAttributes.class);

			return file + " " + of.fileKey() + " " + of.size() + " " + of.lastModifiedTime();
		} catch (IOException e) {
			throw new MojoExecutionException("jweave: " + e.getMessage(), e);
		}
	}

	private void weave(File in, File out) throws IOException, MojoExecutionException, MojoFailureException {
		File stamp = new File(folder, "jweave/" + out.getName() + ".sums");
		File depfile = new File(folder, "jweave/" + out.getName() + ".d");
		String who = Sums.sum(program().toPath()) + " " + in + " " + rules() + " " + Arrays.toString(arguments);

		if (Sums.same(stamp, out, who)) {
			getLog().info("jweave: " + out.getName() + " is up to date");
			return;
		}
		Files.deleteIfExists(stamp.toPath());
		List<String> words = new ArrayList<>(Arrays.asList("weave", "--depfile", depfile.getPath()));
		if (arguments != null)
			words.addAll(Arrays.asList(arguments));
		words.addAll(Arrays.asList("--", in.getPath(), rules().getPath(), out.getPath()));
		run(line -> getLog().info(line), words.toArray(new String[0]));
		List<Path> made = read(depfile);
		if (!made.contains(in.toPath()))
			made.add(in.toPath());
		made.add(out.toPath());
		Sums.keep(stamp, made, who);
	}

	/** The files after the colon of a make rule: a space in a name has a backslash before it, a $ is doubled. */
	private List<Path> read(File depfile) throws IOException {
		String rule = new String(Files.readAllBytes(depfile.toPath()), StandardCharsets.UTF_8)
			.replace("\\\n", " ");
		List<Path> files = new ArrayList<>();

		rule = rule.split("\n", 2)[0];
		rule = rule.substring(rule.indexOf(": ") + 2);
		for (String word : rule.split("(?<!\\\\)\\s+"))
			if (!word.isEmpty())
				files.add(project.getBasedir().toPath().resolve(word.replaceAll("\\\\(.)", "$1").replace("$$", "$")));
		return files;
	}

	private File beside(File in) {
		String name = in.getName();
		int dot = in.isFile() ? name.lastIndexOf('.') : -1;

		return new File(in.getParentFile(), dot < 0 ? name + "-" + classifier :
			name.substring(0, dot) + "-" + classifier + name.substring(dot));
	}
}
