package org.jweave.gradle;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.Callable;

import javax.inject.Inject;

import org.gradle.api.Action;
import org.gradle.api.GradleException;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.artifacts.Configuration;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.Directory;
import org.gradle.api.file.RegularFile;
import org.gradle.api.plugins.JavaPlugin;
import org.gradle.api.provider.Provider;
import org.gradle.api.provider.ProviderFactory;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.SourceSetContainer;
import org.gradle.api.tasks.TaskProvider;
import org.gradle.api.tasks.bundling.AbstractArchiveTask;
import org.gradle.api.tasks.testing.Test;
import org.gradle.testing.jacoco.plugins.JacocoTaskExtension;
import org.gradle.language.base.plugins.LifecycleBasePlugin;
import org.gradle.util.GradleVersion;
import org.jweave.build.Program;

/**
 * The plugin org.jweave: tasks that weave what the project makes, and tests that are traced.
 *
 * <pre>
 *   jweaveJar       build/libs/NAME-traced.jar, with assemble if there is a rules file
 *   jweaveClasses   build/jweave/classes
 *   jweaveList      which methods would be woven
 *   jweaveReport    where the time of the latest trace went
 *   jweave...       before each task of tests, if they are traced: what is on its class path, woven
 * </pre>
 */
public class JweavePlugin implements Plugin<Project> {
	private static final String GROUP = "jweave", OLDEST = "7.0", RULES = "jweave.json";
	private final ProviderFactory providers;

	@Inject
	public JweavePlugin(ProviderFactory providers) {
		this.providers = providers;
	}

	@Override
	public void apply(Project project) {
		if (GradleVersion.current().compareTo(GradleVersion.version(OLDEST)) < 0)
			throw new GradleException("org.jweave needs Gradle " + OLDEST + " or later, and this is " + GradleVersion.current().getVersion());
		JweaveExtension said = extension(project);
		ConfigurableFileCollection program = program(project, said);
		Provider<Directory> own = project.getLayout().getBuildDirectory().dir("jweave");

		project.getTasks().withType(JweaveTask.class).configureEach(task -> {
			task.setGroup(GROUP);
			task.getProgram().from(program);
			task.getFolder().set(project.getLayout().getProjectDirectory());
			Provider<Boolean> skip = said.getSkip();
			task.onlyIf(it -> !skip.get());
		});
		project.getTasks().withType(RulesTask.class).configureEach(task -> {
			task.getRules().convention(rules(project, said));
			task.getRulesFiles().from(task.getRules().map(file -> RulesFiles.of(file.getAsFile())));
		});
		project.getTasks().withType(WeaveTask.class).configureEach(task -> task.getArguments().convention(said.getArguments()));
		project.getTasks().register("jweaveReport", ReportTask.class, task -> {
			task.setDescription("Says where the time of the latest trace went (-Pjweave.trace=FILE: of that one).");
			task.getTrace().convention(property("trace"));
			task.getTests().convention(own);
			task.getOthers().convention(providers.provider(() -> others(project, task.getPath(), own.get().getAsFile())));
			task.mustRunAfter(project.getTasks().withType(Test.class));
		});
		project.getPlugins().withType(JavaPlugin.class, java -> weaving(project, said, own));
		project.afterEvaluate(it -> tests(it, said, own));
	}

	private JweaveExtension extension(Project project) {
		JweaveExtension said = project.getExtensions().create("jweave", JweaveExtension.class);
		Directory here = project.getLayout().getProjectDirectory();

		said.getRules().convention(here.file(RULES));
		said.getPresets().convention(property("presets").map(text -> Arrays.asList(text.split(","))).orElse(Collections.emptyList()));
		said.getArguments().convention(Collections.emptyList());
		said.getTestArguments().convention(Collections.emptyList());
		said.getClassifier().convention("traced");
		said.getTraceTests().convention(flag("traceTests"));
		said.getSkip().convention(flag("skip"));
		said.getProgram().convention(property("program").map(here::file));
		return said;
	}

	/** The rules file: that of the command line, whatever the build script says. */
	private Provider<RegularFile> rules(Project project, JweaveExtension said) {
		return property("rules").map(project.getLayout().getProjectDirectory()::file).orElse(said.getRules());
	}

	/** Is it to be there? Without one of the usual name nothing is woven; one that is named and missing is a fault. */
	private static boolean isMeant(File rules, File project) {
		return rules.isFile() || !rules.equals(new File(project, RULES));
	}

	/** Where other modules have traces, if TASK is not asked for by its path: the folder of each, and that of its tests. */
	private static List<File> others(Project project, String task, File own) {
		Path here = project.getProjectDir().toPath();
		List<File> others = new ArrayList<>();

		for (String name : project.getGradle().getStartParameter().getTaskNames())
			if (name.contains(":") && (name.equals(task) || (":" + name).equals(task)))
				return others;
		for (Project it : project.getRootProject().getAllprojects()) {
			if (it == project)
				continue;
			others.add(it.getProjectDir());
			if (own.toPath().startsWith(here)) // those of another are not known, if it builds elsewhere
				others.add(it.getProjectDir().toPath().resolve(here.relativize(own.toPath())).toFile());
		}
		return others;
	}

	private Provider<String> property(String name) {
		return providers.gradleProperty("jweave." + name);
	}

	/** -PNAME and -PNAME=true, but not -PNAME=false. */
	private Provider<Boolean> flag(String name) {
		return property(name).map(text -> !text.equals("false")).orElse(false);
	}

	/** The program, or its jar: of the extension, else of this version and machine from the project's repositories. */
	private ConfigurableFileCollection program(Project project, JweaveExtension said) {
		Configuration jar = project.getConfigurations().create("jweaveProgram", it -> {
			it.setDescription("The program jweave, if none is named.");
			it.setVisible(false);
			it.setCanBeConsumed(false);
			it.defaultDependencies(all -> {
				if (Program.classifier() != null)
					all.add(project.getDependencies().create("org.jweave:jweave:" + version() + ":" + Program.classifier() + "@jar"));
			});
		});

		return project.getObjects().fileCollection().from(
			said.getProgram().map(file -> (Object) file).orElse(providers.provider(() -> jar)));
	}

	private static String version() {
		Properties said = new Properties();

		try (InputStream in = JweavePlugin.class.getResourceAsStream("plugin.properties")) {
			said.load(in);
		} catch (IOException e) {
			throw new GradleException("org.jweave: its jar cannot be read", e);
		}
		return said.getProperty("version");
	}

	private void weaving(Project project, JweaveExtension said, Provider<Directory> own) {
		TaskProvider<AbstractArchiveTask> jar = project.getTasks().named(JavaPlugin.JAR_TASK_NAME, AbstractArchiveTask.class);
		SourceSet main = project.getExtensions().getByType(SourceSetContainer.class).getByName(SourceSet.MAIN_SOURCE_SET_NAME);

		TaskProvider<WeaveJar> woven = project.getTasks().register("jweaveJar", WeaveJar.class, task -> {
			task.setDescription("Makes a woven copy of the jar.");
			task.getInput().from(jar);
			task.getOutput().convention(jar.flatMap(it -> it.getDestinationDirectory().file(
				it.getArchiveFileName().zip(said.getClassifier(), JweavePlugin::named))));
		});
		project.getTasks().register("jweaveClasses", WeaveClasses.class, task -> {
			task.setDescription("Makes woven copies of the folders of classes.");
			task.getInput().from(main.getOutput().getClassesDirs());
			task.getOutput().convention(own.map(folder -> folder.dir("classes")));
		});
		project.getTasks().register("jweaveList", ListTask.class, task -> {
			task.setDescription("Says which methods would be woven, and by which rule.");
			task.getInput().from(jar);
		});
		project.getTasks().named(LifecycleBasePlugin.ASSEMBLE_TASK_NAME).configure(task -> task.dependsOn(
			(Callable<?>) () -> isMeant(rules(project, said).get().getAsFile(), project.getProjectDir()) ? Collections.singletonList(woven) : Collections.emptyList()));
	}

	/** NAME.jar: NAME-CLASSIFIER.jar */
	private static String named(String name, String classifier) {
		int dot = name.lastIndexOf('.');

		return dot < 0 ? name + "-" + classifier : name.substring(0, dot) + "-" + classifier + name.substring(dot);
	}

	/** Before each task of tests comes one that weaves what is on its class path. */
	private void tests(Project project, JweaveExtension said, Provider<Directory> own) {
		if (!said.getTraceTests().get() || said.getSkip().get())
			return;
		for (String name : project.getTasks().withType(Test.class).getNames()) {
			TaskProvider<Test> test = project.getTasks().named(name, Test.class);
			if (isMeasured(test.get())) {
				project.getLogger().warn("jweave: {} runs without tracing, since JaCoCo, which measures coverage, needs its classes " +
					"as they were compiled; to trace it: tasks.named('{}') { jacoco { enabled = false } }", test.get().getPath(), name);
				continue;
			}
			ConfigurableFileCollection classPath = project.getObjects().fileCollection();
			Provider<Directory> traces = own.map(folder -> folder.dir(name));
			TaskProvider<TraceTestsTask> woven = project.getTasks().register("jweave" + name.substring(0, 1).toUpperCase(Locale.ROOT) +
				name.substring(1), TraceTestsTask.class, task -> weaveFor(task, test.get(), classPath, said, rules(project, said), traces, own.map(folder -> folder.dir(name + "-woven"))));
			Provider<Directory> words = woven.flatMap(TraceTestsTask::getOutput);

			test.configure(task -> {
				classPath.from(task.getClasspath());
				task.setClasspath(project.getObjects().fileCollection().from(words.map(folder -> new Words(folder.getAsFile()).classPath())));
				task.getOutputs().dir(traces).withPropertyName("jweaveTraces");
				task.doFirst(new BeforeTests(words, traces));
			});
		}
	}

	/** JaCoCo finds no coverage of woven classes. */
	private static boolean isMeasured(Test test) {
		Object jacoco = test.getExtensions().findByName("jacoco");

		return jacoco instanceof JacocoTaskExtension && ((JacocoTaskExtension) jacoco).isEnabled();
	}

	private void weaveFor(TraceTestsTask task, Test test, ConfigurableFileCollection classPath, JweaveExtension said,
			Provider<RegularFile> named, Provider<Directory> traces, Provider<Directory> output) {
		File here = test.getProject().getProjectDir();
		Provider<RegularFile> rules = named.map(file -> isMeant(file.getAsFile(), here) ? file : null);

		task.setDescription("Weaves what is on the class path of " + test.getName() + ".");
		task.getClassPath().from(classPath);
		task.getRules().set(rules.map(file -> file.getAsFile().getPath()));
		task.getRulesFiles().from(rules.map(file -> RulesFiles.of(file.getAsFile())).orElse(Collections.emptyList()));
		task.getPresets().convention(said.getPresets());
		task.getArguments().convention(said.getTestArguments());
		task.getJavaHome().set(test.getJavaLauncher().map(java -> java.getMetadata().getInstallationPath().getAsFile().getPath()));
		task.getTraces().set(traces.map(folder -> folder.getAsFile().getPath()));
		task.getOutput().convention(output);
		task.getOutputs().upToDateWhen(it -> Words.whole(((TraceTestsTask) it).getOutput().get().getAsFile()));
	}

	/** Old traces go, and the JVM of the tests is told what `jweave run` would tell it. */
	private static final class BeforeTests implements Action<Task> {
		private final Provider<Directory> words, traces;

		BeforeTests(Provider<Directory> words, Provider<Directory> traces) {
			this.words = words;
			this.traces = traces;
		}

		@Override
		public void execute(Task task) {
			Words said = new Words(words.get().getAsFile());

			JweaveTask.empty(traces.get().getAsFile().toPath());
			((Test) task).environment(said.variables());
			if (!((Test) task).getEnvironment().containsKey("JWEAVE")) // what is woven for a run waits for it
				((Test) task).environment("JWEAVE", "on");
			((Test) task).jvmArgs(said.options());
		}
	}
}
