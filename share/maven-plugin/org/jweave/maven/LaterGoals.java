package org.jweave.maven;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import org.apache.maven.execution.ExecutionEvent;
import org.apache.maven.execution.ExecutionListener;
import org.apache.maven.execution.MavenExecutionRequest;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.lifecycle.LifecycleExecutionException;
import org.apache.maven.lifecycle.LifecycleExecutor;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.project.MavenProject;

/**
 * Goals that run after jweave:weave. In a phase they run in the order of the POM, those of a parent's POM first; so one
 * that makes the project's archive anew (spring-boot:repackage, shade:shade) may come after it, and what was woven would
 * be the archive of before. Maven tells its listener of each goal that has run, and this is a listener in front of it.
 */
final class LaterGoals implements ExecutionListener {
	/** Goals that make the archive anew, whatever it is that they make it of. */
	private static final List<String> MAKERS = Arrays.asList("repackage", "shade", "proguard", "war", "ear");
	private final ExecutionListener next;
	private final Map<MavenProject, List<WeaveMojo>> waiting = new IdentityHashMap<>();

	private LaterGoals(ExecutionListener next) {
		this.next = next;
	}

	/** The last goal after OWN, in its phase, that makes the archive anew; null: there is none. */
	static MojoExecution maker(LifecycleExecutor lifecycle, MavenSession build, MojoExecution own) throws MojoExecutionException {
		if (own.getLifecyclePhase() == null) // it was asked for by name, so it runs when it shall
			return null;
		MojoExecution maker = null;
		boolean after = false;

		try {
			for (MojoExecution it : lifecycle.calculateExecutionPlan(build, false, own.getLifecyclePhase()).getMojoExecutions()) {
				if (after && MAKERS.contains(it.getGoal()) && own.getLifecyclePhase().equals(it.getLifecyclePhase()))
					maker = it;
				after |= same(it, own);
			}
		} catch (Exception e) { // Maven's has ten kinds, and has made this plan before
			throw new MojoExecutionException("jweave: Maven does not say which goals are in the phase " +
				own.getLifecyclePhase() + ": " + e.getMessage(), e);
		}
		return maker;
	}

	static boolean same(MojoExecution one, MojoExecution other) {
		return name(one).equals(name(other)) && one.getGroupId().equals(other.getGroupId());
	}

	/** As in a POM: spring-boot-maven-plugin:repackage (default). */
	static String name(MojoExecution it) {
		return it.getArtifactId() + ":" + it.getGoal() + " (" + it.getExecutionId() + ")";
	}

	/** MOJO wants to be told of each goal of its project that has run. */
	static void tell(MavenExecutionRequest request, WeaveMojo mojo) {
		synchronized (request) { // projects may be built at the same time
			ExecutionListener now = request.getExecutionListener();
			LaterGoals goals = now instanceof LaterGoals ? (LaterGoals) now : new LaterGoals(now);

			request.setExecutionListener(goals);
			synchronized (goals.waiting) {
				goals.waiting.computeIfAbsent(mojo.project, it -> new ArrayList<>()).add(mojo);
			}
		}
	}

	@Override
	public void mojoSucceeded(ExecutionEvent event) {
		List<WeaveMojo> mojos;

		if (next != null)
			next.mojoSucceeded(event);
		synchronized (waiting) {
			mojos = new ArrayList<>(waiting.getOrDefault(event.getProject(), new ArrayList<>()));
		}
		for (WeaveMojo mojo : mojos)
			if (!same(mojo.execution, event.getMojoExecution()))
				after(mojo, event);
	}

	private static void after(WeaveMojo mojo, ExecutionEvent event) {
		try {
			mojo.after(event.getMojoExecution());
		} catch (MojoExecutionException | MojoFailureException e) {
			// what Maven's own caller makes of a goal that fails, and expects here
			LaterGoals.<RuntimeException>raise(new LifecycleExecutionException(mojo.execution, event.getProject(), e));
		}
	}

	@SuppressWarnings("unchecked")
	private static <E extends Exception> void raise(Exception e) throws E {
		throw (E) e;
	}

	@Override
	public void projectDiscoveryStarted(ExecutionEvent event) {
		if (next != null)
			next.projectDiscoveryStarted(event);
	}

	@Override
	public void sessionStarted(ExecutionEvent event) {
		if (next != null)
			next.sessionStarted(event);
	}

	@Override
	public void sessionEnded(ExecutionEvent event) {
		if (next != null)
			next.sessionEnded(event);
	}

	@Override
	public void projectSkipped(ExecutionEvent event) {
		if (next != null)
			next.projectSkipped(event);
	}

	@Override
	public void projectStarted(ExecutionEvent event) {
		if (next != null)
			next.projectStarted(event);
	}

	@Override
	public void projectSucceeded(ExecutionEvent event) {
		if (next != null)
			next.projectSucceeded(event);
	}

	@Override
	public void projectFailed(ExecutionEvent event) {
		if (next != null)
			next.projectFailed(event);
	}

	@Override
	public void mojoSkipped(ExecutionEvent event) {
		if (next != null)
			next.mojoSkipped(event);
	}

	@Override
	public void mojoStarted(ExecutionEvent event) {
		if (next != null)
			next.mojoStarted(event);
	}

	@Override
	public void mojoFailed(ExecutionEvent event) {
		if (next != null)
			next.mojoFailed(event);
	}

	@Override
	public void forkStarted(ExecutionEvent event) {
		if (next != null)
			next.forkStarted(event);
	}

	@Override
	public void forkSucceeded(ExecutionEvent event) {
		if (next != null)
			next.forkSucceeded(event);
	}

	@Override
	public void forkFailed(ExecutionEvent event) {
		if (next != null)
			next.forkFailed(event);
	}

	@Override
	public void forkedProjectStarted(ExecutionEvent event) {
		if (next != null)
			next.forkedProjectStarted(event);
	}

	@Override
	public void forkedProjectSucceeded(ExecutionEvent event) {
		if (next != null)
			next.forkedProjectSucceeded(event);
	}

	@Override
	public void forkedProjectFailed(ExecutionEvent event) {
		if (next != null)
			next.forkedProjectFailed(event);
	}
}
