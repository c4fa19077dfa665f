package dev.latchkey.service.cli;

import java.util.ArrayList;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Adds interfaces of options to commands, completes their help, and rejects values. */
final class OptionGroups {

  private OptionGroups() {}

  /** Adds the options of an annotated interface; returns the instance that picocli fills. */
  static <T> T add(CommandSpec command, Class<T> options) {
    CommandSpec mixin = CommandSpec.forAnnotatedObject(options);
    command.addMixin(options.getSimpleName(), mixin);
    return options.cast(mixin.userObject());
  }

  /** Appends environment variable and default to the description of every option. */
  static void completeHelp(CommandSpec command) {
    for (OptionSpec option : new ArrayList<>(command.options())) {
      if (!option.usageHelp()) {
        boolean flag = option.type() == boolean.class;
        String byDefault = flag ? "false" : option.defaultValue();
        String setting =
            " (%s, default: %s)"
                .formatted(
                    SettingSources.variableOf(option.longestName()) + (flag ? "=true" : ""),
                    byDefault == null ? "none" : byDefault);
        command.remove(option);
        command.addOption(
            option.toBuilder()
                .description(String.join("", option.description()) + setting)
                .build());
      }
    }
  }

  /**
   * Returns the rejection of a value, which ends the command with exit code 2.
   *
   * @param command the command
   * @param option its long name
   * @param reason without the value if that is a secret
   */
  static ParameterException invalid(CommandSpec command, String option, String reason) {
    return new ParameterException(
        command.commandLine(),
        "Invalid value for option '" + option + "': " + reason,
        command.findOption(option),
        "");
  }
}
