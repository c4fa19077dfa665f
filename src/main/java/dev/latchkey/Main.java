package dev.latchkey;

import dev.latchkey.service.CommandWords;
import dev.latchkey.service.EarlyVertx;
import dev.latchkey.service.LatchkeyCommand;
import dev.latchkey.service.Processes;
import dev.latchkey.service.Wiring;

/** Entry point of the fat jar. */
public final class Main {
  private Main() {}

  /**
   * Runs a command and exits with its code.
   *
   * @param args command and options
   */
  public static void main(String[] args) {
    EarlyVertx vertx = new EarlyVertx(CommandWords.serves(args));
    LatchkeyCommand command =
        new LatchkeyCommand(
            System.getenv(),
            config -> Processes.serve(config, vertx),
            Processes::migrate,
            Processes::psp,
            Wiring.moreCommands());
    int code = command.execute(args);
    vertx.await();
    System.exit(code);
  }
}
