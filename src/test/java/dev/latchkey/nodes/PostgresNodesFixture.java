package dev.latchkey.nodes;

import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PgMessage;
import dev.latchkey.testing.servers.RealServers;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Keys and payments in one database behind a proxy that counts. */
final class PostgresNodesFixture implements NodesFixture {

  private static final List<String> HOUSEKEEPING =
      List.of("SELECT 1", "LISTEN", "SET transaction_timeout");
  private static final String PURGE = "pg_try_advisory";

  private final DatabaseRows rows;
  private final CuttingProxy proxy;
  private final Database throughProxy;
  private final NotificationListener listener;

  PostgresNodesFixture() {
    this(RealServers.freshDatabase());
  }

  PostgresNodesFixture(Database database) {
    rows = new DatabaseRows(database);
    proxy = CuttingProxy.before(database);
    throughProxy = proxy.through(database);
    listener = new NotificationListener(database);
  }

  DatabaseRows rows() {
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
  public void reset() {
    proxy.forget();
    listener.reset();
  }

  private List<String> statements() {
    return proxy.trace().stream().filter(message -> message.runs("")).map(PgMessage::sql).toList();
  }

  @Override
  public long commands() {
    return statements().stream()
        .filter(sql -> HOUSEKEEPING.stream().noneMatch(sql::startsWith) && !sql.contains(PURGE))
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
  public long notifications() {
    return listener.count();
  }

  @Override
  public long resubscriptions() {
    return statements().stream().filter(sql -> sql.startsWith("LISTEN")).count();
  }

  @Override
  public void close() {
    listener.close();
    proxy.close();
  }
}
