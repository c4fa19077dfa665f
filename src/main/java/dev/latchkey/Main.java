package dev.latchkey;

import dev.latchkey.service.Processes;
import dev.latchkey.service.Wiring;
import dev.latchkey.service.cli.LatchkeyCommand;

/** Entry point of the fat jar. */
public final class Main {
  private Main() {}

  /**
   * Executes a command and exits with its code.
   *
   * @param args command and options
   */
  public static void main(String[] args) {
    LatchkeyCommand command =
        new LatchkeyCommand(System.getenv(), new Processes(), Wiring.otherCommands());
    System.exit(command.execute(args));
  }
}
