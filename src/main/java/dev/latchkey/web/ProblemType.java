package dev.latchkey.web;

/**
 * A kind of problem, as RFC 9457 wants it: one type has one title, wherever it is answered. Here
 * are those of this layer and those that any HTTP service needs; an application adds its own.
 *
 * @param name the last part of the type {@code /problems/NAME}
 * @param title what kind of problem it is, the same every time
 */
public record ProblemType(String name, String title) {

  /** Default of the part of a problem's {@code type} before its name. */
  public static final String DEFAULT_BASE_URI = "/problems/";

  /** No key where one is required. */
  public static final ProblemType KEY_MISSING =
      new ProblemType("idempotency-key-missing", "An idempotency key is required");

  /** A key that is none. */
  public static final ProblemType KEY_MALFORMED =
      new ProblemType("idempotency-key-malformed", "The idempotency key is malformed");

  /** A key that names another request. */
  public static final ProblemType KEY_REUSED =
      new ProblemType("idempotency-key-reused", "The idempotency key belongs to another request");

  /** The same request did not end within the wait. */
  public static final ProblemType IN_PROGRESS =
      new ProblemType("request-in-progress", "The same request is still in progress");

  /** No room to wait for the same request. */
  public static final ProblemType TOO_MANY_WAITING =
      new ProblemType("too-many-waiting", "Too many requests wait already");

  /** What has to be asked or written cannot be reached. */
  public static final ProblemType STORE_UNAVAILABLE =
      new ProblemType("store-unavailable", "The store cannot be reached");

  /** An attempt whose end is open. */
  public static final ProblemType ATTEMPT_UNRESOLVED =
      new ProblemType("attempt-unresolved", "It is not known what became of the attempt");

  /** An attempt that ended without an answer to keep. */
  public static final ProblemType ATTEMPT_FAILED =
      new ProblemType("attempt-failed", "The attempt came to nothing");

  /** An answer that cannot be repeated. */
  public static final ProblemType NOT_RETAINED =
      new ProblemType("response-not-retained", "The answer was too large to keep");

  /** More work than there is room for. */
  public static final ProblemType OVERLOADED =
      new ProblemType("overloaded", "The service is overloaded");

  /** A node that is about to end. */
  public static final ProblemType SHUTTING_DOWN =
      new ProblemType("shutting-down", "This node is shutting down");

  /** A request that cannot be understood; has a member {@code errors}. */
  public static final ProblemType INVALID_REQUEST =
      new ProblemType("invalid-request", "The request is not valid");

  /** Nobody whom the service knows. */
  public static final ProblemType UNAUTHORIZED = new ProblemType("unauthorized", "Unauthorized");

  /** Nothing there. */
  public static final ProblemType NOT_FOUND = new ProblemType("not-found", "Not found");

  /** Something there, but not for this method. */
  public static final ProblemType METHOD_NOT_ALLOWED =
      new ProblemType("method-not-allowed", "Method not allowed");

  /** A body over the limit. */
  public static final ProblemType BODY_TOO_LARGE =
      new ProblemType("body-too-large", "Body too large");

  /** A body of another kind than is taken. */
  public static final ProblemType UNSUPPORTED_MEDIA_TYPE =
      new ProblemType("unsupported-media-type", "Unsupported media type");

  /** A condition of the request does not hold. */
  public static final ProblemType PRECONDITION_FAILED =
      new ProblemType("precondition-failed", "Precondition failed");

  /** A change that has to be made under a condition. */
  public static final ProblemType PRECONDITION_REQUIRED =
      new ProblemType("precondition-required", "Precondition required");

  /** A defect of the service. */
  public static final ProblemType INTERNAL_ERROR =
      new ProblemType("internal-error", "Internal error");
}
