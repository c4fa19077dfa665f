package dev.latchkey.web;

import static dev.latchkey.core.OptionChecks.positive;

import dev.latchkey.json.StrictJson;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Options of one {@link IdempotencyHandler}. An application must say who calls, with {@link
 * #setScope} or {@link #singleTenant}; every other option has a default. A setter throws
 * IllegalArgumentException for a value that is not allowed. Not thread-safe; a handler copies its
 * options.
 */
public final class IdempotencyOptions extends ExecutionOptions<IdempotencyOptions> {

  /** Default of {@link #setRequired}. */
  public static final boolean DEFAULT_REQUIRED = true;

  /** Default of {@link #setMethods}. */
  public static final Set<HttpMethod> DEFAULT_METHODS = Set.of(HttpMethod.POST);

  /** Default of {@link #setMaxJsonDepth}. */
  public static final int DEFAULT_MAX_JSON_DEPTH = StrictJson.DEFAULT_MAX_DEPTH;

  private boolean required = DEFAULT_REQUIRED;
  private Set<HttpMethod> methods = DEFAULT_METHODS;
  private KeySource keySource = KeySource.IDEMPOTENCY_KEY;
  private Optional<KeyScope> scope = Optional.empty();
  private ResponsePolicy responsePolicy = ResponsePolicy.finalResponses();
  private int maxJsonDepth = DEFAULT_MAX_JSON_DEPTH;
  private Optional<String> statusUrlPrefix = Optional.empty();
  private String problemBaseUri = ProblemType.DEFAULT_BASE_URI;

  /** Creates options with the defaults. */
  public IdempotencyOptions() {}

  /**
   * Creates a copy.
   *
   * @param other the options to copy
   */
  public IdempotencyOptions(IdempotencyOptions other) {
    this(other.toJson());
    keySource = other.keySource;
    scope = other.scope;
    responsePolicy = other.responsePolicy;
  }

  /**
   * Creates options from JSON, with members named as in {@link #toJson()}. Key source, scope and
   * response policy are functions and cannot be set this way.
   *
   * @param json the options; an absent member keeps its default
   * @throws IllegalArgumentException if a value is not allowed
   * @throws ClassCastException if a value has the wrong type
   */
  public IdempotencyOptions(JsonObject json) {
    readExecution(json);
    setRequired(json.getBoolean("required", required));
    if (json.containsKey("methods")) {
      setMethods(methods(json.getJsonArray("methods")));
    }
    setMaxJsonDepth(json.getInteger("maxJsonDepth", maxJsonDepth));
    if (json.containsKey("statusUrlPrefix")) {
      setStatusUrlPrefix(json.getString("statusUrlPrefix"));
    }
    setProblemBaseUri(json.getString("problemBaseUri", problemBaseUri));
  }

  private static Set<HttpMethod> methods(JsonArray names) {
    return names.stream().map(it -> HttpMethod.valueOf((String) it)).collect(Collectors.toSet());
  }

  /** Returns all options but key source, scope and response policy as JSON. */
  public JsonObject toJson() {
    JsonArray names = new JsonArray();
    methods.stream().map(HttpMethod::name).sorted().forEach(names::add);
    JsonObject json =
        executionToJson()
            .put("required", required)
            .put("methods", names)
            .put("maxJsonDepth", maxJsonDepth)
            .put("problemBaseUri", problemBaseUri);
    statusUrlPrefix.ifPresent(prefix -> json.put("statusUrlPrefix", prefix));
    return json;
  }

  @Override
  IdempotencyOptions self() {
    return this;
  }

  /** Returns whether a request without a key is rejected. */
  public boolean isRequired() {
    return required;
  }

  /**
   * Sets whether a request without a key is rejected with 400. Otherwise it passes unprotected.
   *
   * @param required true to reject it
   * @return this
   */
  public IdempotencyOptions setRequired(boolean required) {
    this.required = required;
    return this;
  }

  /** Returns the protected methods. */
  public Set<HttpMethod> getMethods() {
    return methods;
  }

  /**
   * Sets the protected methods. Requests with other methods pass.
   *
   * @param methods the methods
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
   * @param keySource by default {@link KeySource#IDEMPOTENCY_KEY}
   * @return this
   */
  public IdempotencyOptions setKeySource(KeySource keySource) {
    this.keySource = keySource;
    return this;
  }

  /** Returns the scope of keys, if the application has set one. */
  public Optional<KeyScope> getScope() {
    return scope;
  }

  /**
   * Sets the scope of keys: who calls, and which operation.
   *
   * @param scope identifies the authenticated caller
   * @return this
   */
  public IdempotencyOptions setScope(KeyScope scope) {
    this.scope = Optional.of(scope);
    return this;
  }

  /**
   * Puts all callers into one scope: a caller who knows another's key and request gets its
   * response. Use it only if the application has a single caller.
   *
   * @return this
   */
  public IdempotencyOptions singleTenant() {
    return setScope(ctx -> "default");
  }

  /** Returns which responses are stored. */
  public ResponsePolicy getResponsePolicy() {
    return responsePolicy;
  }

  /**
   * Sets which responses are stored.
   *
   * @param responsePolicy by default {@link ResponsePolicy#finalResponses()}
   * @return this
   */
  public IdempotencyOptions setResponsePolicy(ResponsePolicy responsePolicy) {
    this.responsePolicy = responsePolicy;
    return this;
  }

  /** Returns the maximum nesting depth of a JSON body. */
  public int getMaxJsonDepth() {
    return maxJsonDepth;
  }

  /**
   * Sets the maximum nesting depth of a JSON body. A deeper one is rejected with 400.
   *
   * @param maxJsonDepth 1 to {@value StrictJson#MAX_DEPTH}
   * @return this
   */
  public IdempotencyOptions setMaxJsonDepth(int maxJsonDepth) {
    if (maxJsonDepth > StrictJson.MAX_DEPTH) {
      throw new IllegalArgumentException("maxJsonDepth must be at most " + StrictJson.MAX_DEPTH);
    }
    this.maxJsonDepth = positive("maxJsonDepth", maxJsonDepth);
    return this;
  }

  /** Returns the part of {@code status_url} before the key, if there is a status page. */
  public Optional<String> getStatusUrlPrefix() {
    return statusUrlPrefix;
  }

  /**
   * Sets where a client can query a key's state. Problem documents then carry {@code status_url}.
   *
   * @param prefix the URL before the percent-encoded key, such as {@code /v1/idempotency-keys/}
   * @return this
   */
  public IdempotencyOptions setStatusUrlPrefix(String prefix) {
    this.statusUrlPrefix = Optional.of(prefix);
    return this;
  }

  /** Returns the part of a problem's {@code type} before its name. */
  public String getProblemBaseUri() {
    return problemBaseUri;
  }

  /**
   * Sets the part of a problem's {@code type} before its name.
   *
   * @param problemBaseUri such as {@code https://errors.example.com/}; by default {@value
   *     ProblemType#DEFAULT_BASE_URI}
   * @return this
   */
  public IdempotencyOptions setProblemBaseUri(String problemBaseUri) {
    this.problemBaseUri = problemBaseUri;
    return this;
  }
}
