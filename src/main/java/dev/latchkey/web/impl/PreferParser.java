package dev.latchkey.web.impl;

/**
 * Iterates over the preferences of one {@code Prefer} line (RFC 7240, section 2): {@code name [=
 * value] *(; parameter)}, separated by commas, with values and parameters possibly quoted. Skips
 * malformed text to the next comma. Not thread-safe.
 */
final class PreferParser {

  private final String line;
  private int position;
  private String name = "";
  private String value = "";

  PreferParser(String line) {
    this.line = line;
  }

  /** Moves to the next preference. Returns false if there is none. */
  boolean next() {
    if (position >= line.length()) {
      return false;
    }
    skipSpace();
    name = token();
    value = at('=') ? readValue() : "";
    skipToComma();
    return true;
  }

  /** Returns the name of the current preference, in the case it was sent in. */
  String name() {
    return name;
  }

  /** Returns the unquoted value of the current preference, empty if it has none. */
  String value() {
    return value;
  }

  private String readValue() {
    skipSpace();
    String read;
    if (position < line.length() && line.charAt(position) == '"') {
      StringBuilder quoted = new StringBuilder();
      readQuoted(quoted);
      read = quoted.toString();
      skipSpace();
    } else {
      read = token();
    }
    return position == line.length() || ",;".indexOf(line.charAt(position)) >= 0 ? read : "";
  }

  /** Reads to the next delimiter. A malformed token matches no name and no number. */
  private String token() {
    int start = position;
    while (position < line.length() && ",;=".indexOf(line.charAt(position)) < 0) {
      position++;
    }
    return line.substring(start, position).stripTrailing();
  }

  private void readQuoted(StringBuilder word) {
    for (position++; position < line.length(); position++) {
      char c = line.charAt(position);
      if (c == '"') {
        position++;
        return;
      }
      if (c == '\\' && position + 1 < line.length()) {
        c = line.charAt(++position);
      }
      word.append(c);
    }
    // The quote is never closed, so there is no value.
    word.setLength(0);
  }

  private void skipToComma() {
    StringBuilder ignored = new StringBuilder();
    while (position < line.length()) {
      char c = line.charAt(position);
      if (c == '"') {
        readQuoted(ignored);
      } else {
        position++;
        if (c == ',') {
          return;
        }
      }
    }
  }

  private boolean at(char expected) {
    if (position < line.length() && line.charAt(position) == expected) {
      position++;
      return true;
    }
    return false;
  }

  private void skipSpace() {
    while (position < line.length()
        && (line.charAt(position) == ' ' || line.charAt(position) == '\t')) {
      position++;
    }
  }
}
