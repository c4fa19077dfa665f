package dev.latchkey.service.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Refusals of options that fit their type and nothing else, worded as picocli words its own. */
final class BadOption {

  private BadOption() {}

  /**
   * Returns the refusal of a value, which ends the command with exit code 2.
   *
   * @param command whose option it is
   * @param option its long name
   * @param why what is wrong, without the value where that is a secret
   */
  static ParameterException of(CommandSpec command, String option, String why) {
    return new ParameterException(
        command.commandLine(),
        "Invalid value for option '" + option + "': " + why,
        command.findOption(option),
        "");
  }
}
