package dev.latchkey.store.redis.connection;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a server's error means for the call that it answers. */
sealed interface ServerError {

  /** The server does not know the script; nothing was done. */
  record NoScript() implements ServerError {}

  /**
   * The slot lives elsewhere for good; nothing was done.
   *
   * @param slot the hash slot
   * @param address {@code host:port}; the host may be empty, for the server that answered
   */
  record Moved(int slot, String address) implements ServerError {}

  /**
   * The slot is on its way elsewhere and this key is there already; nothing was done.
   *
   * @param address {@code host:port}; the host may be empty, for the server that answered
   */
  record Ask(String address) implements ServerError {}

  /** The slot is on its way, and its keys are on both sides at the moment; nothing was done. */
  record TryAgain() implements ServerError {}

  /**
   * The server does not let this user call that, or has no such command: some of those who host
   * Redis take commands away. Nothing was done.
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

  /** Something broke, perhaps halfway. */
  record Broken() implements ServerError {}

  /**
   * Codes of calls that are refused whole. Redis checks memory, disk and role before the first
   * write of a script and never between two.
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

  /** What a script is told of a command within it begins with a capital. */
  String NO_SUCH_COMMAND = "ERR unknown command";

  /** How 6.2 passes on what a command within a script was refused with. */
  Pattern WITHIN_SCRIPT = Pattern.compile("@user_script[^-]*-([A-Z]+) |(LATCHKEYVERSION)");

  /**
   * Reads an error's text.
   *
   * @param text as the server sent it
   * @return what it means
   */
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

  /** The first word of a refusal, and of what is none the one that stands for any error. */
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
