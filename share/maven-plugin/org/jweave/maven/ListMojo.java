package org.jweave.maven;

import java.io.File;

import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;

/** jweave:list says which methods would be woven, and by which rule. */
public final class ListMojo extends RulesMojo {
	@Override
	void go() throws MojoExecutionException, MojoFailureException {
		File in = input();

		if (in != null)
			run(line -> getLog().info(line), "list", "-r", rules().getPath(), in.getPath());
	}
}
