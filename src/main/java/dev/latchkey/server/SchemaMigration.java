package dev.latchkey.server;

import java.sql.SQLException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Brings the Postgres schema up to date. Several nodes may do so at once: one does, others wait.
 */
final class SchemaMigration {

  /** The driver's own, which writes several lines to standard error; kept, or it is forgotten. */
  private static final Logger DRIVER = Logger.getLogger("org.postgresql");

  private static final String SCRIPTS = "classpath:db/migration";

  /** The schema could not be brought up to date; the message is one line and tells no secret. */
  static final class FailedException extends Exception {
    private static final long serialVersionUID = 1L;

    FailedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private SchemaMigration() {}

  /**
   * Applies what is missing. Blocks, for as long as that takes; the login at most 10 s.
   *
   * @param database where
   * @return how many migrations were applied
   * @throws FailedException when the database cannot be reached, or refuses
   */
  static int run(PostgresLocation database) throws FailedException {
    DRIVER.setLevel(Level.OFF);
    try {
      return Flyway.configure(SchemaMigration.class.getClassLoader())
          .dataSource(database.dataSource())
          .locations(SCRIPTS)
          .load()
          .migrate()
          .migrationsExecuted;
    } catch (FlywayException e) {
      throw new FailedException(
          "the schema of " + database + " was not brought up to date: " + reason(e), e);
    }
  }

  /** What the database said, or the driver, rather than the many lines around it. */
  private static String reason(FlywayException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException) {
        return firstLine(cause);
      }
    }
    return firstLine(e);
  }

  private static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
