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

/** The problem documents of the layer: what a caller is told, and whether it may try again. */
final class Problems {

  private Problems() {}

  static Problem keyMissing() {
    return Problem.of(
        400,
        ProblemType.KEY_MISSING,
        "Send an Idempotency-Key header that is unique to this operation, such as a UUID, and the"
            + " same one whenever you retry it.");
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

  /** What a caller is told; not for {@link CallerResponse.Replay} of a retained answer. */
  static Problem of(CallerResponse verdict, Fingerprint own) {
    if (verdict instanceof CallerResponse.Replay replay) {
      return notRetained(replay.response());
    }
    if (verdict instanceof CallerResponse.KeyReused reused) {
      return reused(reused, own);
    }
    if (verdict instanceof CallerResponse.InProgress inProgress) {
      return Problem.of(
              409,
              ProblemType.IN_PROGRESS,
              "It was not finished within the wait. Send it again with the same key.")
          .state(State.IN_PROGRESS)
          .retryable(true)
          .retryAfterSeconds(seconds(inProgress.leaseLeftMillis()));
    }
    if (verdict instanceof CallerResponse.TooManyWaiting tooMany) {
      return Problem.of(
              429,
              ProblemType.TOO_MANY_WAITING,
              "There is no room for another request to wait for the one in progress. Send it"
                  + " again later with the same key.")
          .state(held(tooMany.held()))
          .retryAfterSeconds(seconds(tooMany.leaseLeftMillis()));
    }
    if (verdict instanceof CallerResponse.ShuttingDown shuttingDown) {
      return shuttingDown().state(held(shuttingDown.held()));
    }
    return unanswered(verdict).state(State.UNKNOWN);
  }

  private static Problem unanswered(CallerResponse verdict) {
    if (verdict instanceof CallerResponse.StoreUnavailable store) {
      return Problem.of(
              503,
              ProblemType.STORE_UNAVAILABLE,
              store.begun()
                  ? "It is not known yet what became of the request. Send it again with the same"
                      + " key to find out; nothing is done twice."
                  : "Nothing was done. Send the request again with the same key.")
          .retryAfterSeconds(1);
    }
    if (verdict instanceof CallerResponse.RunLimitExceeded) {
      return Problem.of(
              503,
              ProblemType.ATTEMPT_UNRESOLVED,
              "It is not known yet what becomes of it. Send it again with the same key to find"
                  + " out; nothing is done twice.")
          .retryAfterSeconds(1);
    }
    if (verdict instanceof CallerResponse.Unresolved) {
      return Problem.of(
              409,
              ProblemType.ATTEMPT_UNRESOLVED,
              "It is not known what became of it, and it must not be repeated. Ask the operator;"
                  + " do not send the request again with another key.")
          .retryable(false);
    }
    if (verdict instanceof CallerResponse.Overloaded) {
      return Problem.of(
              503,
              ProblemType.OVERLOADED,
              "Nothing was done. Send the request again with the same key in a while.")
          .retryAfterSeconds(1);
    }
    return attemptFailed();
  }

  static Problem internalError() {
    return Problem.of(
            500,
            ProblemType.INTERNAL_ERROR,
            "This is a defect of the service. Nothing of the attempt was kept.")
        .state(State.UNKNOWN);
  }

  static Problem attemptFailed() {
    return Problem.of(
            503,
            ProblemType.ATTEMPT_FAILED,
            "It ended without a final answer, and nothing of it was kept. Send the request again"
                + " with the same key.")
        .state(State.UNKNOWN)
        .retryAfterSeconds(1);
  }

  private static Problem shuttingDown() {
    return Problem.of(
            503,
            ProblemType.SHUTTING_DOWN,
            "Nothing was done for this request here. Send it again with the same key; another node"
                + " will take it.")
        .header("Connection", "close")
        .retryAfterSeconds(1);
  }

  private static Problem notRetained(StoredResponse response) {
    Problem problem =
        Problem.of(
                409,
                ProblemType.NOT_RETAINED,
                "The request was carried out once and will not be again; its answer cannot be"
                    + " repeated. Read the resource instead.")
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
                "This key was first used for a request that differs from this one. Send the first"
                    + " request unchanged, or this one with a new key.")
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
