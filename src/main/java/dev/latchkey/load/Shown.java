package dev.latchkey.load;

import java.util.regex.Pattern;

/** Text of the service's, made fit for a terminal and a page. */
final class Shown {
  private static final int MOST_CHARACTERS = 200;

  /** Control, format and unassigned characters, lone surrogates, line and paragraph separators. */
  private static final Pattern UNSHOWN = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

  private Shown() {}

  /**
   * Leaves out what would steer a terminal, and what goes on for too long.
   *
   * @param text as the service sent it
   * @return one line of at most 200 characters, and three dots where it was cut
   */
  static String text(String text) {
    String begin = text.substring(0, Math.min(text.length(), 4 * MOST_CHARACTERS));
    String clean = UNSHOWN.matcher(begin).replaceAll("");
    boolean cut = clean.length() > MOST_CHARACTERS || begin.length() < text.length();
    if (!cut) {
      return clean;
    }
    int end = Math.min(clean.length(), MOST_CHARACTERS);
    boolean insideOne = end > 0 && Character.isHighSurrogate(clean.charAt(end - 1));
    return clean.substring(0, insideOne ? end - 1 : end) + "...";
  }
}
