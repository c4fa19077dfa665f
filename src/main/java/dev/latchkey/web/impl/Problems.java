package dev.latchkey.web.impl;

import dev.latchkey.core.CallerResponse;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.json.MalformedJsonException;
import dev.latchkey.web.Problem;
import dev.latchkey.web.Problem.State;
import dev.latchkey.web.ProblemType;
import dev.latchkey.web.fingerprint.SketchDiff;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** The problem documents of the idempotency handler. */
final class Problems {

  private Problems() {}

  static Problem keyMissing() {
    return Problem.of(
        400,
        ProblemType.KEY_MISSING,
        "Send an Idempotency-Key header with a value unique to this operation, such as a UUID, and"
            + " the same value with each retry.");
  }

  static Problem keyMalformed(String detail) {
    return Problem.of(400, ProblemType.KEY_MALFORMED, detail);
  }

  static Problem multipart() {
    return Problem.of(
        415,
        ProblemType.UNSUPPORTED_MEDIA_TYPE,
        "A multipart body cannot be compared with that of a retry. Send another media type.");
  }

  static Problem malformedBody(MalformedJsonException malformed) {
    JsonObject error =
        new JsonObject().put("pointer", malformed.pointer()).put("detail", malformed.detail());
    return Problem.of(400, ProblemType.INVALID_REQUEST, malformed.detail())
        .with("errors", new JsonArray().add(error));
  }

  /** Returns the problem for a response other than a replay of a retained response. */
  static Problem of(CallerResponse response, Fingerprint own) {
    if (response instanceof CallerResponse.Replay replay) {
      return notRetained(replay.response());
    }
    if (response instanceof CallerResponse.KeyReused reused) {
      return reused(reused, own);
    }
    if (response instanceof CallerResponse.InProgress inProgress) {
      return Problem.of(
              409,
              ProblemType.IN_PROGRESS,
              "The original request is still running. Send the request again with the same key.")
          .state(State.IN_PROGRESS)
          .retryable(true)
          .retryAfterSeconds(seconds(inProgress.leaseLeftMillis()));
    }
    if (response instanceof CallerResponse.TooManyWaiting tooMany) {
      return Problem.of(
              429,
              ProblemType.TOO_MANY_WAITING,
              "Too many duplicates are waiting. Send the request again later with the same key.")
          .state(held(tooMany.held()))
          .retryAfterSeconds(seconds(tooMany.leaseLeftMillis()));
    }
    if (response instanceof CallerResponse.ShuttingDown shuttingDown) {
      return retryable(
              ProblemType.SHUTTING_DOWN,
              "This node did not execute the request. Send it again with the same key; another"
                  + " node will execute it.")
          .header("Connection", "close")
          .state(held(shuttingDown.held()));
    }
    return ofUnknownState(response);
  }

  private static Problem ofUnknownState(CallerResponse response) {
    if (response instanceof CallerResponse.StoreUnavailable store) {
      return storeUnavailable(store.begun());
    }
    if (response instanceof CallerResponse.RunLimitExceeded) {
      return retryable(
          ProblemType.ATTEMPT_UNRESOLVED,
          "The request exceeded its time limit and its outcome is not known yet. Send it again"
              + " with the same key to find out; it is not executed twice.");
    }
    if (response instanceof CallerResponse.Unresolved) {
      return Problem.of(
              409,
              ProblemType.ATTEMPT_UNRESOLVED,
              "The outcome is unknown and the request must not be repeated. Ask the operator; do"
                  + " not send it with another key.")
          .state(State.UNKNOWN)
          .retryable(false);
    }
    if (response instanceof CallerResponse.Overloaded) {
      return retryable(
          ProblemType.OVERLOADED,
          "The request was not executed. Send it again later with the same key.");
    }
    return attemptFailed();
  }

  private static Problem retryable(ProblemType type, String detail) {
    return Problem.of(503, type, detail).state(State.UNKNOWN).retryAfterSeconds(1);
  }

  /** With {@code begun}, the request may have been executed. */
  static Problem storeUnavailable(boolean begun) {
    return retryable(
        ProblemType.STORE_UNAVAILABLE,
        begun
            ? "The outcome of the request is not known yet. Send it again with the same key to find"
                + " out; it is not executed twice."
            : "The request was not executed. Send it again with the same key.");
  }

  static Problem attemptFailed() {
    return retryable(
        ProblemType.ATTEMPT_FAILED,
        "The attempt failed and nothing was saved. Send the request again with the same key.");
  }

  static Problem internalError() {
    return Problem.of(
            500,
            ProblemType.INTERNAL_ERROR,
            "This is a defect of the service. Nothing of the attempt was saved.")
        .state(State.UNKNOWN);
  }

  private static Problem notRetained(StoredResponse response) {
    Problem problem =
        Problem.of(
                409,
                ProblemType.NOT_RETAINED,
                "The request was executed once and will not be executed again, but its response was"
                    + " too large to store. Read the resource instead.")
            .state(State.COMPLETED)
            .retryable(false);
    response.header("Location").ifPresent(location -> problem.header("Location", location));
    return problem;
  }

  private static Problem reused(CallerResponse.KeyReused reused, Fingerprint own) {
    Problem problem =
        Problem.of(
                422,
                ProblemType.KEY_REUSED,
                "The key was first used for a different request. Send that request unchanged, or"
                    + " this one with a new key.")
            .state(state(reused.phase()))
            .retryable(false);
    List<String> pointers = SketchDiff.differing(reused.firstUse(), own);
    return pointers.isEmpty() ? problem : problem.with("differing", new JsonArray(pointers));
  }

  private static State state(Phase phase) {
    if (phase == Phase.COMPLETED) {
      return State.COMPLETED;
    }
    return phase == Phase.IN_PROGRESS ? State.IN_PROGRESS : State.UNKNOWN;
  }

  private static State held(boolean held) {
    return held ? State.IN_PROGRESS : State.UNKNOWN;
  }

  private static long seconds(long millis) {
    return Math.max(1, (millis + 999) / 1000);
  }
}
