package dev.latchkey.service;

import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code migrate}: the options of {@code serve}, of which the database must be there. */
@Command(
    name = "migrate",
    description =
        "Brings the Postgres schema up to date and exits. Takes the options of serve, so that both"
            + " can be given the same.")
final class MigrateCommand extends ServeCommand {

  @Option(
      names = "--print",
      description =
          "Only print the DDL of all migrations, for psql. Needs no database; serve with"
              + " --no-migrate afterwards.")
  private boolean print;

  MigrateCommand(ToIntFunction<PostgresLocation> run) {
    super(config -> run.applyAsInt(config.stores().postgres().orElseThrow()));
  }

  @Override
  boolean listens() {
    return false;
  }

  @Override
  @SuppressWarnings("SystemOut") // the script is meant for standard output
  public Integer call() {
    if (print) {
      System.out.print(DatabaseSchemas.ddl());
      return 0;
    }
    stores.requiredPostgres();
    return super.call();
  }
}
