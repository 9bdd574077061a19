package org.jweave.gradle;

import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.tasks.CacheableTask;
import org.gradle.api.tasks.OutputFile;
import org.gradle.api.tasks.TaskAction;

/** Makes a woven copy of an archive. */
@CacheableTask
public abstract class WeaveJar extends WeaveTask {
	/** Where the copy goes. */
	@OutputFile
	public abstract RegularFileProperty getOutput();

	@TaskAction
	void go() {
		weave(getInput().getSingleFile(), getOutput().get().getAsFile());
	}
}
