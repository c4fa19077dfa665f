package dev.latchkey;

import dev.latchkey.server.CommandWords;
import dev.latchkey.server.EarlyVertx;
import dev.latchkey.server.LatchkeyCommand;
import dev.latchkey.server.Processes;
import dev.latchkey.server.Wiring;

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
