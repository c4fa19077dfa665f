package dev.latchkey.service;

import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;

/** {@code migrate}: the options of {@code serve}, of which the database must be there. */
@Command(
    name = "migrate",
    description =
        "Brings the Postgres schema up to date and exits. Takes the options of serve, so that both"
            + " can be given the same.")
final class MigrateCommand extends ServeCommand {

  MigrateCommand(ToIntFunction<PostgresLocation> run) {
    super(config -> run.applyAsInt(config.stores().postgres().orElseThrow()));
  }

  @Override
  boolean listens() {
    return false;
  }

  @Override
  public Integer call() {
    stores.requiredPostgres();
    return super.call();
  }
}
