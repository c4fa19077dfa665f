package dev.latchkey.service.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/** {@code psp}. */
final class PspCommand implements Callable<Integer> {

  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
  private final PspOptions options = OptionGroups.add(spec, PspOptions.class);
  private final CommandActions actions;

  private PspCommand(CommandActions actions) {
    this.actions = actions;
    spec.name("psp").usageMessage().description("Runs the simulated payment service provider.");
  }

  static CommandSpec create(CommandActions actions) {
    return new PspCommand(actions).spec;
  }

  @Override
  public Integer call() {
    return actions.psp(options);
  }
}
