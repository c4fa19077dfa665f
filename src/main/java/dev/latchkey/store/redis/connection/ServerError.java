package dev.latchkey.store.redis.connection;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The meaning of an error response for its call. */
sealed interface ServerError {

  /** The server does not know the script; nothing was done. */
  record NoScript() implements ServerError {}

  /**
   * The slot is on another server; nothing was done.
   *
   * @param slot the hash slot
   * @param address {@code host:port}; the host may be empty, for the server that answered
   */
  record Moved(int slot, String address) implements ServerError {}

  /**
   * The slot is being moved and the key is on the other server; nothing was done.
   *
   * @param address {@code host:port}; the host may be empty, for the server that answered
   */
  record Ask(String address) implements ServerError {}

  /** The slot is being moved and its keys are on both servers; nothing was done. */
  record TryAgain() implements ServerError {}

  /**
   * The user may not run the command, or the server does not have it: some hosted servers remove
   * commands. Nothing was done.
   *
   * @param code its first word
   */
  record Forbidden(String code) implements ServerError {}

  /**
   * The server refused the call before it did anything.
   *
   * @param code its first word, such as {@code OOM}
   */
  record Refused(String code) implements ServerError {}

  /** Any other error; the call may have been done in part. */
  record Broken() implements ServerError {}

  /**
   * Codes of calls that are refused as a whole. Redis checks memory, disk and role before the first
   * write of a script, and not again.
   */
  Set<String> REFUSALS =
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

  /** The first word of {@link TryAgain}. */
  String TRY_AGAIN = "TRYAGAIN";

  /** Within a script, the same error begins with a capital. */
  String NO_SUCH_COMMAND = "ERR unknown command";

  /** How Redis 6.2 reports the error of a command within a script. */
  Pattern WITHIN_SCRIPT = Pattern.compile("@user_script[^-]*-([A-Z]+) |(LATCHKEYVERSION)");

  /** Parses the text of an error. */
  static ServerError of(String text) {
    String[] words = text.split(" ", 4);
    return switch (words[0]) {
      case "NOSCRIPT" -> new NoScript();
      case "MOVED" ->
          words.length > 2 ? new Moved(Integer.parseInt(words[1]), words[2]) : new Broken();
      case "ASK" -> words.length > 2 ? new Ask(words[2]) : new Broken();
      case TRY_AGAIN -> new TryAgain();
      case "NOPERM" -> new Forbidden(words[0]);
      default -> refused(words[0], text);
    };
  }

  /** The code of an error, {@code ERR} if it has none of its own. */
  static String code(ServerError error) {
    if (error instanceof Refused refused) {
      return refused.code();
    }
    if (error instanceof TryAgain) {
      return TRY_AGAIN;
    }
    return error instanceof Forbidden forbidden ? forbidden.code() : "ERR";
  }

  private static ServerError refused(String code, String text) {
    if (text.startsWith(NO_SUCH_COMMAND)) {
      return new Forbidden(code);
    }
    return REFUSALS.contains(code) ? new Refused(code) : withinScript(text);
  }

  private static ServerError withinScript(String text) {
    Matcher matcher = WITHIN_SCRIPT.matcher(text);
    if (matcher.find()) {
      String code = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
      if (REFUSALS.contains(code) || code.equals("NOPERM")) {
        return new Refused(code);
      }
    }
    return new Broken();
  }
}
