package dev.latchkey.load;

import java.util.regex.Pattern;

/** Makes text of the service fit for a terminal and a page. */
final class DisplayText {
  private static final int MAX_CHARACTERS = 200;

  /** Control, format and unassigned characters, lone surrogates, line and paragraph separators. */
  private static final Pattern UNSAFE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

  private DisplayText() {}

  /** Returns one line of at most 200 characters, with three dots if it was cut. */
  static String of(String text) {
    String begin = text.substring(0, Math.min(text.length(), 4 * MAX_CHARACTERS));
    String clean = UNSAFE.matcher(begin).replaceAll("");
    boolean cut = clean.length() > MAX_CHARACTERS || begin.length() < text.length();
    if (!cut) {
      return clean;
    }
    int end = Math.min(clean.length(), MAX_CHARACTERS);
    boolean insidePair = end > 0 && Character.isHighSurrogate(clean.charAt(end - 1));
    return clean.substring(0, insidePair ? end - 1 : end) + "...";
  }
}
