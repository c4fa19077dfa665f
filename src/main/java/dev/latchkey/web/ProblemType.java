package dev.latchkey.web;

/**
 * A problem type of RFC 9457: a name and its one title. The constants are the types that this
 * library sends and some that most HTTP services need; an application adds its own.
 *
 * @param name the last part of the type's URI
 * @param title the same for every problem of this type
 */
public record ProblemType(String name, String title) {

  /** Default of the part of a problem's {@code type} before its name. */
  public static final String DEFAULT_BASE_URI = "/problems/";

  /** The required key is missing. */
  public static final ProblemType KEY_MISSING =
      new ProblemType("idempotency-key-missing", "An idempotency key is required");

  /** The key violates the syntax. */
  public static final ProblemType KEY_MALFORMED =
      new ProblemType("idempotency-key-malformed", "The idempotency key is malformed");

  /** The key was used for another request. */
  public static final ProblemType KEY_REUSED =
      new ProblemType("idempotency-key-reused", "The idempotency key belongs to another request");

  /** The original request is still running after the wait. */
  public static final ProblemType IN_PROGRESS =
      new ProblemType("request-in-progress", "The original request is still running");

  /** The limit of parked requests is reached. */
  public static final ProblemType TOO_MANY_WAITING =
      new ProblemType("too-many-waiting", "Too many requests are waiting");

  /** The store, or other storage of the application, is unavailable. */
  public static final ProblemType STORE_UNAVAILABLE =
      new ProblemType("store-unavailable", "The store is unavailable");

  /** The outcome of the attempt is unknown. */
  public static final ProblemType ATTEMPT_UNRESOLVED =
      new ProblemType("attempt-unresolved", "The outcome is unknown");

  /** The attempt ended without a response to store. */
  public static final ProblemType ATTEMPT_FAILED =
      new ProblemType("attempt-failed", "The attempt failed; nothing was saved");

  /** The response was not stored and cannot be replayed. */
  public static final ProblemType NOT_RETAINED =
      new ProblemType("response-not-retained", "The response was too large to store");

  /** A limit of the node is reached. */
  public static final ProblemType OVERLOADED =
      new ProblemType("overloaded", "The service is overloaded");

  /** The node is about to exit. */
  public static final ProblemType SHUTTING_DOWN =
      new ProblemType("shutting-down", "This node is shutting down");

  /** The request is invalid; the problem has a member {@code errors}. */
  public static final ProblemType INVALID_REQUEST =
      new ProblemType("invalid-request", "The request is not valid");

  /** The caller is not authenticated. */
  public static final ProblemType UNAUTHORIZED = new ProblemType("unauthorized", "Unauthorized");

  /** There is no such resource. */
  public static final ProblemType NOT_FOUND = new ProblemType("not-found", "Not found");

  /** The resource does not support the method. */
  public static final ProblemType METHOD_NOT_ALLOWED =
      new ProblemType("method-not-allowed", "Method not allowed");

  /** The body exceeds the limit. */
  public static final ProblemType BODY_TOO_LARGE =
      new ProblemType("body-too-large", "Body too large");

  /** The media type of the body is not supported. */
  public static final ProblemType UNSUPPORTED_MEDIA_TYPE =
      new ProblemType("unsupported-media-type", "Unsupported media type");

  /** A condition of the request is false. */
  public static final ProblemType PRECONDITION_FAILED =
      new ProblemType("precondition-failed", "Precondition failed");

  /** The change requires a condition. */
  public static final ProblemType PRECONDITION_REQUIRED =
      new ProblemType("precondition-required", "Precondition required");

  /** The service has a defect. */
  public static final ProblemType INTERNAL_ERROR =
      new ProblemType("internal-error", "Internal error");
}
