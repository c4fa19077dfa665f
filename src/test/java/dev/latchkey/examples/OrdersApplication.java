package dev.latchkey.examples;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.store.postgres.PostgresStore;
import dev.latchkey.store.postgres.PostgresStoreOptions;
import dev.latchkey.store.postgres.effect.PostgresEffectKind;
import dev.latchkey.web.Idempotency;
import dev.latchkey.web.IdempotencyHandler;
import dev.latchkey.web.IdempotencyNode;
import dev.latchkey.web.IdempotencyOptions;
import dev.latchkey.web.Reply;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A shop that keeps its orders in Postgres. docs/library.md quotes the parts between marks. */
final class OrdersApplication extends VerticleBase {

  static final String TABLES =
      """
      CREATE TABLE orders (id bigserial PRIMARY KEY, customer text NOT NULL, item text NOT NULL);
      CREATE TABLE voucher (code text PRIMARY KEY, used boolean NOT NULL DEFAULT false)
      """;

  private final PgConnectOptions database;
  private final Function<String, Future<Buffer>> carrier;
  private List<PostgresStore> stores = List.of();
  private HttpServer server;

  /**
   * Creates the application.
   *
   * @param database with its tables and those of the keys
   * @param carrier books a shipment under an idempotency key of its own
   */
  OrdersApplication(PgConnectOptions database, Function<String, Future<Buffer>> carrier) {
    this.database = database;
    this.carrier = carrier;
  }

  @Override
  public Future<?> start() {
    Router router = Router.router(vertx);
    // [protect]
    PostgresStore store = PostgresStore.create(vertx, database);
    IdempotencyNode node = IdempotencyNode.create(vertx, store).startPurging();
    IdempotencyHandler idempotency =
        IdempotencyHandler.create(node, new IdempotencyOptions().setScope(this::customer));

    router.route().handler(node.capture());
    router
        .post("/orders")
        .handler(BodyHandler.create(false))
        .handler(idempotency)
        .handler(this::createOrder);
    // [end]
    route(router, "/shipments", idempotency, this::ship);
    PostgresStore storeWithVouchers = storeWithEffects();
    IdempotencyNode withVouchers = IdempotencyNode.create(vertx, storeWithVouchers);
    stores = List.of(store, storeWithVouchers);
    route(
        router,
        "/vouchers/:code",
        IdempotencyHandler.create(
            withVouchers,
            new IdempotencyOptions().setScope(this::customer).setEffectsInStore(true)),
        this::redeem);
    server = vertx.createHttpServer().requestHandler(router);
    return server.listen(0, "127.0.0.1");
  }

  private static void route(
      Router router,
      String template,
      IdempotencyHandler idempotency,
      Handler<RoutingContext> business) {
    router.post(template).handler(BodyHandler.create(false)).handler(idempotency).handler(business);
  }

  List<PostgresStore> stores() {
    return stores;
  }

  int port() {
    return server.actualPort();
  }

  private String customer(RoutingContext ctx) {
    return ctx.request().getHeader("Customer"); // an application would use ctx.user()
  }

  // [transaction]
  private void createOrder(RoutingContext ctx) {
    String item = ctx.body().asJsonObject().getString("item");
    Idempotency claim = Idempotency.of(ctx);
    claim.transaction(
        SqlConnection.class,
        connection ->
            connection
                .preparedQuery("INSERT INTO orders (customer, item) VALUES ($1, $2) RETURNING id")
                .execute(Tuple.of(claim.tenant(), item))
                .map(rows -> rows.iterator().next().getLong("id"))
                .map(id -> Reply.json(201, new JsonObject().put("order", id))));
  }

  // [end]

  // [step]
  private void ship(RoutingContext ctx) {
    Idempotency claim = Idempotency.of(ctx);
    claim
        .step("book", () -> carrier.apply(claim.downstreamKey("book")))
        .onSuccess(number -> ctx.response().setStatusCode(201).end(number))
        .onFailure(ctx::fail);
  }

  // [end]

  // [enlist]
  private void redeem(RoutingContext ctx) {
    Redemption redemption = new Redemption(ctx.pathParam("code"));
    Idempotency.of(ctx)
        .enlist(redemption)
        .onRefused(refused -> ctx.response().setStatusCode(409).end("voucher is not valid"));
    ctx.response().setStatusCode(201).end("redeemed " + redemption.code());
  }

  record Redemption(String code) implements Effect {
    @Override
    public String name() {
      return "redemption";
    }
  }

  /** Redeems vouchers in the statement that completes the keys, in the order of their codes. */
  static final class RedemptionKind implements PostgresEffectKind {
    @Override
    public String name() {
      return "redeem";
    }

    @Override
    public List<Column> columns() {
      return List.of(new Column("code", "text"));
    }

    @Override
    public Object[] values(Effect effect) {
      return new Object[] {row(effect)};
    }

    @Override
    public String row(Effect effect) {
      return ((Redemption) effect).code();
    }

    @Override
    public String ctes() {
      return """
          redeem_locked AS (
            SELECT voucher.code, ord FROM redeem_input JOIN voucher USING (code)
            WHERE NOT used ORDER BY voucher.code FOR UPDATE OF voucher),
          redeem_applied AS (
            UPDATE voucher SET used = true FROM redeem_locked
            WHERE voucher.code = redeem_locked.code RETURNING ord)
          """;
    }
  }

  private PostgresStore storeWithEffects() {
    PostgresEffectKind kind = new RedemptionKind();
    return PostgresStore.create(
        vertx,
        database,
        new PostgresStoreOptions(),
        effect -> effect instanceof Redemption ? Optional.of(kind) : Optional.empty());
  }
  // [end]
}
