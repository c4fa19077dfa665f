package dev.latchkey.service.cli;

import dev.latchkey.core.NodeOptions;
import dev.latchkey.net.TenantBudget;
import dev.latchkey.service.http.ApiKeys;
import dev.latchkey.service.http.ServerCertificate;
import dev.latchkey.service.http.Tenant;
import dev.latchkey.web.IdempotencyOptions;
import java.util.Optional;

/**
 * The checked configuration of a node.
 *
 * @param options the options
 * @param operation the options of its operation
 * @param stores stores of keys and payments
 * @param apiKeys accepted callers; without it everyone, as one tenant
 */
public record ServeConfig(
    ServeOptions options,
    OperationOptions operation,
    StoreConfig stores,
    Optional<ApiKeys> apiKeys) {

  /** Path prefix of the state of a key. */
  public static final String STATUS_URL_PREFIX = "/v1/idempotency-keys/";

  /** Returns new options of a keyed route, scoped by the authenticated tenant. */
  public IdempotencyOptions idempotencyOptions() {
    return new IdempotencyOptions()
        .setScope(Tenant::of)
        .setLeaseMillis(options.lease().toMillis())
        .setRunLimitMillis(options.runLimit().toMillis())
        .setWaitMillis(options.defaultWait().toMillis())
        .setWaitMaxMillis(options.waitMax().toMillis())
        .setRetentionMillis(options.retention().toMillis())
        .setMaxResponseBytes(options.maxResponseBytes())
        .setStatusUrlPrefix(STATUS_URL_PREFIX);
  }

  /** Returns new limits of the node. */
  public NodeOptions nodeOptions() {
    NodeOptions limits = new NodeOptions();
    if (apiKeys.isPresent()) {
      int half = Math.max(1, options.maxRunning() / 2);
      limits.setMaxRunningPerTenant(options.maxRunningPerTenant().orElse(half));
    }
    return limits
        .setMaxParked(options.maxParked())
        .setMaxParkedPerTenant(options.maxParkedPerTenant())
        .setMaxParkedPerKey(options.maxParkedPerKey())
        .setMaxRunning(options.maxRunning())
        .setReplayCacheBytes(options.replayCacheBytes());
  }

  /** Returns a new budget for the bytes that requests hold. */
  public TenantBudget heldBytes() {
    long limit = options.maxHeldBytes().orElse(Runtime.getRuntime().maxMemory() / 8);
    return new TenantBudget(
        limit, apiKeys.isPresent() ? options.maxHeldBytesPerTenant().orElse(limit / 2) : limit);
  }

  /** Returns the certificate of the public listener, if it uses TLS. */
  public Optional<ServerCertificate> certificate() {
    return operation
        .tlsCert()
        .flatMap(
            certificate -> operation.tlsKey().map(key -> new ServerCertificate(certificate, key)));
  }

  /** Returns the number of HTTP verticles. */
  public int instances() {
    return options.instances().orElseGet(Runtime.getRuntime()::availableProcessors);
  }

  /** Contains no secret. */
  @Override
  public String toString() {
    return "ServeConfig[host=%s, port=%d, store=%s, ledger=%s]"
        .formatted(options.host(), options.port(), stores.store().label(), stores.ledger().label());
  }
}
