package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.store.EffectProbe;
import dev.latchkey.store.postgres.effect.PostgresEffectKind;
import dev.latchkey.store.postgres.effect.PostgresEffectKinds;
import dev.latchkey.testing.servers.Database;
import java.util.List;
import java.util.Optional;

/** The three effects of the contract test, over two tables of their own. */
public final class EffectsInPostgres implements EffectProbe, PostgresEffectKinds {

  private static final String TABLES =
      """
      CREATE TABLE IF NOT EXISTS test_mark (mark text PRIMARY KEY CHECK (length(mark) < 100));
      CREATE TABLE IF NOT EXISTS test_counter (name text PRIMARY KEY, n bigint NOT NULL);
      """;

  record Applies(String name, String mark) implements Effect {}

  record Refused(String name) implements Effect {}

  record Counts(String name, String counter) implements Effect {}

  private record Kind(String name, String ctes) implements PostgresEffectKind {
    @Override
    public List<Column> columns() {
      return List.of(new Column("what", "text"));
    }

    @Override
    public Object[] values(Effect effect) {
      return new Object[] {what(effect)};
    }

    @Override
    public String row(Effect effect) {
      return name + ":" + what(effect);
    }

    private static String what(Effect effect) {
      if (effect instanceof Applies it) {
        return it.mark();
      }
      return effect instanceof Counts it ? it.counter() : effect.name();
    }
  }

  private static final PostgresEffectKind APPLIES =
      new Kind(
          "applies",
          """
          applies_changed AS (
            INSERT INTO test_mark (mark) SELECT what FROM applies_input ORDER BY what RETURNING mark
          ), applies_applied AS (
            SELECT i.ord FROM applies_input i JOIN applies_changed c ON c.mark = i.what
          )
          """);

  private static final PostgresEffectKind REFUSED =
      new Kind("refused", "refused_applied AS (SELECT ord FROM refused_input WHERE what IS NULL)");

  private static final PostgresEffectKind COUNTS =
      new Kind(
          "counts",
          """
          counts_changed AS (
            INSERT INTO test_counter AS t (name, n)
            SELECT what, 1 FROM counts_input ORDER BY what
            ON CONFLICT (name) DO UPDATE SET n = t.n + 1
            RETURNING name
          ), counts_applied AS (
            SELECT i.ord FROM counts_input i JOIN counts_changed c ON c.name = i.what
          )
          """);

  private final Database database;

  EffectsInPostgres(Database database) {
    this.database = database;
    database.value(TABLES);
  }

  @Override
  public Optional<PostgresEffectKind> kindOf(Effect effect) {
    if (effect instanceof Applies) {
      return Optional.of(APPLIES);
    }
    if (effect instanceof Counts) {
      return Optional.of(COUNTS);
    }
    return effect instanceof Refused ? Optional.of(REFUSED) : Optional.empty();
  }

  @Override
  public Effect applies(String what) {
    return new Applies("applies", what);
  }

  @Override
  public Effect refused() {
    return new Refused("refused");
  }

  @Override
  public Effect counts(String counter) {
    return new Counts("counts", counter);
  }

  @Override
  public boolean isApplied(String what) {
    return database.value("SELECT mark FROM test_mark WHERE mark = '" + what + "'") != null;
  }

  @Override
  public long counted(String counter) {
    String n = database.value("SELECT n FROM test_counter WHERE name = '" + counter + "'");
    return n == null ? 0 : Long.parseLong(n);
  }
}
