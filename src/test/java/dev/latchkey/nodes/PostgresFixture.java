package dev.latchkey.nodes;

import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PgMessage;
import dev.latchkey.testing.servers.RealServers;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Records and payments in one database, which the nodes reach by way of a proxy that counts. */
final class PostgresFixture implements NodesFixture {

  private static final List<String> UNCALLED =
      List.of("SELECT 1", "LISTEN", "SET transaction_timeout");
  private static final String PURGE = "pg_try_advisory";

  private final KeyRows rows;
  private final CuttingProxy proxy;
  private final Database throughProxy;
  private final Ear ear;

  PostgresFixture() {
    this(RealServers.freshDatabase());
  }

  PostgresFixture(Database database) {
    rows = new KeyRows(database);
    proxy = CuttingProxy.before(database);
    throughProxy = proxy.through(database);
    ear = new Ear(database);
  }

  KeyRows rows() {
    return rows;
  }

  @Override
  public Map<String, String> environment() {
    return Map.of("LATCHKEY_STORE", "postgres", "LATCHKEY_POSTGRES_URI", throughProxy.uri());
  }

  @Override
  public OptionalLong events(String key) {
    return OptionalLong.of(rows.events(key));
  }

  @Override
  public void forget() {
    proxy.forget();
    ear.forget();
  }

  private List<String> statements() {
    return proxy.trace().stream().filter(message -> message.runs("")).map(PgMessage::sql).toList();
  }

  @Override
  public long commands() {
    return statements().stream()
        .filter(sql -> UNCALLED.stream().noneMatch(sql::startsWith) && !sql.contains(PURGE))
        .count();
  }

  /**
   * A watch registers its interest and looks after that; a claim that travels alone tries a first
   * use, and looks when it is none.
   */
  @Override
  public int commandsPer(String operation) {
    return operation.equals("watch") || operation.equals("claim") ? 2 : 1;
  }

  @Override
  public long notices() {
    return ear.heard();
  }

  @Override
  public long listenedAnew() {
    return statements().stream().filter(sql -> sql.startsWith("LISTEN")).count();
  }

  @Override
  public void close() {
    ear.close();
    proxy.close();
  }
}
