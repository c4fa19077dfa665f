package dev.latchkey.web;

import dev.latchkey.core.LostOwner;
import io.vertx.core.http.HttpMethod;
import java.util.Optional;
import java.util.Set;

/**
 * Options of one {@link IdempotencyHandler}. Every setter refuses what is not allowed with
 * IllegalArgumentException.
 */
public final class IdempotencyOptions {

  private boolean required = true;
  private Set<HttpMethod> methods = Set.of(HttpMethod.POST);
  private KeySource keySource = KeySource.IDEMPOTENCY_KEY;
  private KeyScope scope = KeyScope.SINGLE_TENANT;
  private long retentionMillis = 86_400_000L;
  private long leaseMillis = 10_000L;
  private long runLimitMillis = 300_000L;
  private long waitMillis = 30_000L;
  private long waitMaxMillis = 60_000L;
  private boolean effectsInStore = false;
  private LostOwner onLostOwner = LostOwner.TAKE_OVER;
  private ResponsePolicy responsePolicy = ResponsePolicy.finalAnswers();
  private int maxResponseBytes = 1 << 20;
  private int maxJsonDepth = 64;
  private Optional<String> statusUrlPrefix = Optional.empty();

  /** All defaults. */
  public IdempotencyOptions() {}

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public IdempotencyOptions(IdempotencyOptions other) {
    required = other.required;
    methods = other.methods;
    keySource = other.keySource;
    scope = other.scope;
    retentionMillis = other.retentionMillis;
    leaseMillis = other.leaseMillis;
    runLimitMillis = other.runLimitMillis;
    waitMillis = other.waitMillis;
    waitMaxMillis = other.waitMaxMillis;
    effectsInStore = other.effectsInStore;
    onLostOwner = other.onLostOwner;
    responsePolicy = other.responsePolicy;
    maxResponseBytes = other.maxResponseBytes;
    maxJsonDepth = other.maxJsonDepth;
    statusUrlPrefix = other.statusUrlPrefix;
  }

  /**
   * Returns whether a request without a key is refused with 400; otherwise it just passes,
   * unprotected.
   */
  public boolean isRequired() {
    return required;
  }

  /**
   * Sets whether a request without a key is refused with 400; otherwise it just passes,
   * unprotected.
   *
   * @param required true unless set
   * @return this
   */
  public IdempotencyOptions setRequired(boolean required) {
    this.required = required;
    return this;
  }

  /** Returns which methods are protected; others pass. */
  public Set<HttpMethod> getMethods() {
    return methods;
  }

  /**
   * Sets which methods are protected; others pass.
   *
   * @param methods POST alone unless set
   * @return this
   */
  public IdempotencyOptions setMethods(Set<HttpMethod> methods) {
    this.methods = Set.copyOf(methods);
    return this;
  }

  /** Returns where a request carries its key. */
  public KeySource getKeySource() {
    return keySource;
  }

  /**
   * Sets where a request carries its key.
   *
   * @param keySource the {@code Idempotency-Key} header unless set
   * @return this
   */
  public IdempotencyOptions setKeySource(KeySource keySource) {
    this.keySource = keySource;
    return this;
  }

  /** Returns in whose name and for which operation a key is valid. */
  public KeyScope getScope() {
    return scope;
  }

  /**
   * Sets in whose name and for which operation a key is valid.
   *
   * @param scope one tenant unless set
   * @return this
   */
  public IdempotencyOptions setScope(KeyScope scope) {
    this.scope = scope;
    return this;
  }

  /**
   * Returns how long a key is kept, counted from its first use; not shorter than the lease (checked
   * when the handler is made).
   */
  public long getRetentionMillis() {
    return retentionMillis;
  }

  /**
   * Sets how long a key is kept, counted from its first use; not shorter than the lease (checked
   * when the handler is made).
   *
   * @param retentionMillis positive; 24 hours unless set
   * @return this
   */
  public IdempotencyOptions setRetentionMillis(long retentionMillis) {
    this.retentionMillis = positive("retentionMillis", retentionMillis);
    return this;
  }

  /** Returns how long a claim lives without a renewal. */
  public long getLeaseMillis() {
    return leaseMillis;
  }

  /**
   * Sets how long a claim lives without a renewal.
   *
   * @param leaseMillis positive; 10 seconds unless set
   * @return this
   */
  public IdempotencyOptions setLeaseMillis(long leaseMillis) {
    this.leaseMillis = positive("leaseMillis", leaseMillis);
    return this;
  }

  /** Returns how long one attempt is renewed; past it its callers are told 503. */
  public long getRunLimitMillis() {
    return runLimitMillis;
  }

  /**
   * Sets how long one attempt is renewed; past it its callers are told 503.
   *
   * @param runLimitMillis positive; 5 minutes unless set
   * @return this
   */
  public IdempotencyOptions setRunLimitMillis(long runLimitMillis) {
    this.runLimitMillis = positive("runLimitMillis", runLimitMillis);
    return this;
  }

  /** Returns how long a duplicate is parked when its request does not say. */
  public long getWaitMillis() {
    return waitMillis;
  }

  /**
   * Sets how long a duplicate is parked when its request does not say.
   *
   * @param waitMillis positive; 30 seconds unless set
   * @return this
   */
  public IdempotencyOptions setWaitMillis(long waitMillis) {
    this.waitMillis = positive("waitMillis", waitMillis);
    return this;
  }

  /** Returns the longest wait that a request may ask for. */
  public long getWaitMaxMillis() {
    return waitMaxMillis;
  }

  /**
   * Sets the longest wait that a request may ask for.
   *
   * @param waitMaxMillis positive; 60 seconds unless set
   * @return this
   */
  public IdempotencyOptions setWaitMaxMillis(long waitMaxMillis) {
    this.waitMaxMillis = positive("waitMaxMillis", waitMaxMillis);
    return this;
  }

  /**
   * Returns whether everything the handlers do is enlisted with the store, so that the claim itself
   * need not be durable.
   */
  public boolean isEffectsInStore() {
    return effectsInStore;
  }

  /**
   * Sets whether everything the handlers do is enlisted with the store, so that the claim itself
   * need not be durable.
   *
   * @param effectsInStore false unless set
   * @return this
   */
  public IdempotencyOptions setEffectsInStore(boolean effectsInStore) {
    this.effectsInStore = effectsInStore;
    return this;
  }

  /** Returns what becomes of a key whose owner died. */
  public LostOwner getOnLostOwner() {
    return onLostOwner;
  }

  /**
   * Sets what becomes of a key whose owner died.
   *
   * @param onLostOwner take over unless set
   * @return this
   */
  public IdempotencyOptions setOnLostOwner(LostOwner onLostOwner) {
    this.onLostOwner = onLostOwner;
    return this;
  }

  /** Returns which answers are stored. */
  public ResponsePolicy getResponsePolicy() {
    return responsePolicy;
  }

  /**
   * Sets which answers are stored.
   *
   * @param responsePolicy {@link ResponsePolicy#finalAnswers()} unless set
   * @return this
   */
  public IdempotencyOptions setResponsePolicy(ResponsePolicy responsePolicy) {
    this.responsePolicy = responsePolicy;
    return this;
  }

  /** Returns the largest body that is stored; a larger one reaches its first caller alone. */
  public int getMaxResponseBytes() {
    return maxResponseBytes;
  }

  /**
   * Sets the largest body that is stored; a larger one reaches its first caller alone.
   *
   * @param maxResponseBytes positive; 1 MiB unless set
   * @return this
   */
  public IdempotencyOptions setMaxResponseBytes(int maxResponseBytes) {
    this.maxResponseBytes = (int) positive("maxResponseBytes", maxResponseBytes);
    return this;
  }

  /** Returns how many levels a JSON body may nest. */
  public int getMaxJsonDepth() {
    return maxJsonDepth;
  }

  /**
   * Sets how many levels a JSON body may nest.
   *
   * @param maxJsonDepth positive; 64 unless set
   * @return this
   */
  public IdempotencyOptions setMaxJsonDepth(int maxJsonDepth) {
    this.maxJsonDepth = (int) positive("maxJsonDepth", maxJsonDepth);
    return this;
  }

  /** Returns what stands before the percent-encoded key in {@code status_url}, if anything. */
  public Optional<String> getStatusUrlPrefix() {
    return statusUrlPrefix;
  }

  /**
   * Sets where a client may ask about a key: problem documents then carry {@code status_url}.
   *
   * @param prefix what stands before the percent-encoded key, such as {@code
   *     /v1/idempotency-keys/}; none unless set
   * @return this
   */
  public IdempotencyOptions setStatusUrlPrefix(String prefix) {
    this.statusUrlPrefix = Optional.of(prefix);
    return this;
  }

  private static long positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " is " + value + ", it must be positive");
    }
    return value;
  }
}
