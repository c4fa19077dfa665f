package dev.latchkey.service.cli;

/** What the commands execute once their options are valid. Every method returns an exit code. */
public interface CommandActions {

  /**
   * Serves until SIGTERM or SIGINT.
   *
   * @param config the configuration
   */
  int serve(ServeConfig config);

  /**
   * Updates the schemas of the keys and the ledger.
   *
   * @param database the database
   */
  int migrate(PostgresLocation database);

  /** Prints the DDL of all migrations to standard output. */
  int printDdl();

  /**
   * Prints the personal data of a customer or a key, and removes it if told.
   *
   * @param stores where the data is; not in memory
   * @param options whose data, a customer's or a key's
   */
  int erase(StoreConfig stores, EraseOptions options);

  /**
   * Runs the simulated PSP until SIGTERM or SIGINT.
   *
   * @param options the options
   */
  int psp(PspOptions options);
}
