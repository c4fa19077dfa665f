package dev.latchkey.service.cli;

import dev.latchkey.core.NodeOptions;
import dev.latchkey.service.http.ApiKeys;
import dev.latchkey.service.http.Tenant;
import dev.latchkey.web.IdempotencyOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * How the service is to run: what flags, environment and file came to, checked.
 *
 * @param host the address to listen on
 * @param port the port to listen on, 0 for any free one
 * @param stores where idempotency records and payments live
 * @param pspUrl the PSP; without it the simulator runs in-process
 * @param pspTimeout for the PSP's answer, retries included
 * @param pspSecret signs and checks the PSP's events
 * @param apiKeys who may call; without it everybody, as one tenant
 * @param lease how long a claim lives without a renewal
 * @param runLimit how long one attempt is renewed
 * @param defaultWait how long a duplicate is parked when it does not say
 * @param waitMax the longest wait that a request may ask for
 * @param retention how long a key is kept from its first use
 * @param maxBodyBytes the largest request body
 * @param maxResponseBytes the largest stored response
 * @param maxParked parked requests of this node
 * @param maxParkedPerTenant parked requests of one tenant
 * @param maxParkedPerKey parked requests with one key
 * @param maxRunning attempts at a time
 * @param replayCacheBytes completed responses kept on the node, 0 for none
 * @param instances HTTP verticles
 */
public record ServeConfig(
    String host,
    int port,
    StoreConfig stores,
    Optional<URI> pspUrl,
    Duration pspTimeout,
    Optional<String> pspSecret,
    Optional<ApiKeys> apiKeys,
    Duration lease,
    Duration runLimit,
    Duration defaultWait,
    Duration waitMax,
    Duration retention,
    int maxBodyBytes,
    int maxResponseBytes,
    int maxParked,
    int maxParkedPerTenant,
    int maxParkedPerKey,
    int maxRunning,
    long replayCacheBytes,
    int instances) {

  /** Where a caller may ask about a key. */
  public static final String STATUS_URL_PREFIX = "/v1/idempotency-keys/";

  /**
   * The options of a keyed route: tenant by authentication, the limits of this configuration.
   *
   * @return new options, to be changed at will
   */
  public IdempotencyOptions idempotencyOptions() {
    return new IdempotencyOptions()
        .setScope(Tenant::of)
        .setLeaseMillis(lease.toMillis())
        .setRunLimitMillis(runLimit.toMillis())
        .setWaitMillis(defaultWait.toMillis())
        .setWaitMaxMillis(waitMax.toMillis())
        .setRetentionMillis(retention.toMillis())
        .setMaxResponseBytes(maxResponseBytes)
        .setStatusUrlPrefix(STATUS_URL_PREFIX);
  }

  /**
   * The limits of the node.
   *
   * @return new options, to be changed at will
   */
  public NodeOptions nodeOptions() {
    return new NodeOptions()
        .setMaxParked(maxParked)
        .setMaxParkedPerTenant(maxParkedPerTenant)
        .setMaxParkedPerKey(maxParkedPerKey)
        .setMaxRunning(maxRunning)
        .setReplayCacheBytes(replayCacheBytes);
  }

  /** Names where idempotency records live, such as {@code memory}. */
  public String store() {
    return stores.store().label();
  }

  /** Names where payments live. */
  public String ledger() {
    return stores.ledger().label();
  }

  /** Leaves the secrets out. */
  @Override
  public String toString() {
    return "ServeConfig[host="
        + host
        + ", port="
        + port
        + ", store="
        + store()
        + ", ledger="
        + ledger()
        + "]";
  }
}
