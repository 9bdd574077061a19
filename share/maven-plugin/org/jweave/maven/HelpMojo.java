package org.jweave.maven;

import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.descriptor.MojoDescriptor;
import org.apache.maven.plugin.descriptor.Parameter;
import org.apache.maven.plugin.descriptor.PluginDescriptor;
import org.codehaus.plexus.configuration.PlexusConfiguration;

/** jweave:help says what the goals do, and what they can be told, as the descriptor has it. */
public final class HelpMojo extends AbstractMojo {
	PluginDescriptor descriptor;

	@Override
	public void execute() {
		StringBuilder text = new StringBuilder("jweave " + descriptor.getVersion() + ": weaves tracing into compiled Java");

		for (MojoDescriptor goal : descriptor.getMojos()) {
			text.append("\n\njweave:").append(goal.getGoal());
			if (goal.getPhase() != null)
				text.append(", in the phase ").append(goal.getPhase());
			text.append("\n  ").append(goal.getDescription());
			for (Parameter it : goal.getParameters())
				if (it.isEditable())
					put(text, it, goal.getMojoConfiguration().getChild(it.getName()));
		}
		getLog().info(text);
	}

	private static void put(StringBuilder text, Parameter it, PlexusConfiguration said) {
		String property = said.getValue(""), usual = said.getAttribute("default-value");

		text.append("\n    <").append(it.getName()).append(">");
		if (property.startsWith("${"))
			text.append(" -D").append(property, 2, property.length() - 1);
		text.append("\n        ").append(it.getDescription());
		if (usual != null)
			text.append(" By default ").append(usual).append(".");
	}
}
