package org.jweave.gradle;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.gradle.api.provider.ListProperty;
import org.gradle.api.tasks.CacheableTask;
import org.gradle.api.tasks.Input;

/** Makes woven copies. The same input, rules, program and arguments give the same bytes, so they may come from a cache. */
@CacheableTask
public abstract class WeaveTask extends RulesTask {
	/** More options of `jweave weave`. */
	@Input
	public abstract ListProperty<String> getArguments();

	final void weave(File in, File out) {
		List<String> words = new ArrayList<>();

		words.add("weave");
		words.addAll(getArguments().get());
		words.addAll(Arrays.asList("--", in.getPath(), rules(), out.getPath()));
		run(getLogger()::lifecycle, words);
	}
}
