package org.jweave.gradle;

import java.util.Arrays;

import java.io.File;

import org.gradle.api.tasks.TaskAction;
import org.gradle.work.DisableCachingByDefault;

/** Says which methods would be woven, and by which rule. */
@DisableCachingByDefault(because = "says something, and makes nothing")
public abstract class ListTask extends RulesTask {
	@TaskAction
	void go() {
		for (File in : getInput())
			run(getLogger()::quiet, Arrays.asList("list", "-r", rules(), "--", in.getPath()));
	}
}
