package dev.latchkey.service.cli;

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
              + " --no-migrate afterwards (LATCHKEY_PRINT=true, default: false).")
  private boolean print;

  private final CommandActions actions;

  MigrateCommand(CommandActions actions) {
    super(config -> actions.migrate(config.stores().postgres().orElseThrow()));
    this.actions = actions;
  }

  @Override
  boolean listens() {
    return false;
  }

  @Override
  public Integer call() {
    if (print) {
      return actions.printDdl();
    }
    stores.requiredPostgres();
    return super.call();
  }
}
