package dev.latchkey.store.redis.connection;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An error response and its meaning for the call.
 *
 * @param code its first word, or that of the error of a command within a script
 * @param text all of it
 */
record ServerError(Meaning meaning, String code, String text) {

  /** What an error says about its call. */
  enum Meaning {
    /** The server does not know the script; nothing was done. */
    NO_SCRIPT,
    /** The slot is on another server; nothing was done. */
    MOVED,
    /** The slot is being moved and the key is on the other server; nothing was done. */
    ASK,
    /** The slot is being moved and its keys are on both servers; nothing was done. */
    TRY_AGAIN,
    /**
     * The user may not run the command, or the server does not have it: some hosted servers remove
     * commands. Nothing was done.
     */
    FORBIDDEN,
    /** The server refused the call before it did anything. */
    REFUSED,
    /** Any other error; the call may have been done in part. */
    BROKEN
  }

  /** The code of {@link Meaning#TRY_AGAIN}. */
  static final String TRY_AGAIN = "TRYAGAIN";

  /**
   * Codes of calls that are refused as a whole. Redis checks memory, disk and role before the first
   * write of a script, and not again.
   */
  private static final Set<String> REFUSALS =
      Set.of(
          "LOADING",
          "READONLY",
          "OOM",
          "MISCONF",
          "BUSY",
          "CLUSTERDOWN",
          "CROSSSLOT",
          "MASTERDOWN",
          "NOREPLICAS",
          "NOAUTH",
          "WRONGPASS",
          "NOPROTO",
          "DENIED",
          "LATCHKEYVERSION");

  /** Within a script, the same error begins with a capital. */
  private static final String NO_SUCH_COMMAND = "ERR unknown command";

  /** How Redis 6.2 reports the error of a command within a script. */
  private static final Pattern WITHIN_SCRIPT =
      Pattern.compile("@user_script[^-]*-([A-Z]+) |(LATCHKEYVERSION)");

  /** Parses the text of an error. */
  static ServerError of(String text) {
    String code = text.split(" ", 2)[0];
    return switch (code) {
      case "NOSCRIPT" -> new ServerError(Meaning.NO_SCRIPT, code, text);
      case "MOVED" -> new ServerError(Meaning.MOVED, code, text);
      case "ASK" -> new ServerError(Meaning.ASK, code, text);
      case TRY_AGAIN -> new ServerError(Meaning.TRY_AGAIN, code, text);
      case "NOPERM" -> new ServerError(Meaning.FORBIDDEN, code, text);
      default ->
          text.startsWith(NO_SUCH_COMMAND)
              ? new ServerError(Meaning.FORBIDDEN, code, text)
              : refused(code, text);
    };
  }

  private static ServerError refused(String code, String text) {
    Matcher matcher = WITHIN_SCRIPT.matcher(text);
    String refusal = code;
    if (!REFUSALS.contains(code) && matcher.find()) {
      refusal = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    }
    return REFUSALS.contains(refusal) || refusal.equals("NOPERM")
        ? new ServerError(Meaning.REFUSED, refusal, text)
        : new ServerError(Meaning.BROKEN, "ERR", text);
  }

  /** The slot of {@link Meaning#MOVED}. */
  int slot() {
    return Integer.parseInt(text.split(" ", 4)[1]);
  }

  /** The server that {@link Meaning#MOVED} or {@link Meaning#ASK} names to a server's client. */
  RedisAddress address(RedisAddress from) {
    return RedisAddress.parse(text.split(" ", 4)[2], from);
  }
}
