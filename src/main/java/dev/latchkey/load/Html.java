package dev.latchkey.load;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Pieces of HTML in which text from outside stays text. */
final class Html {
  private Html() {}

  /** For element content and quoted attributes. */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }

  /** List items. */
  static String items(List<String> texts) {
    return texts.stream()
        .map(text -> "<li>" + escape(text) + "</li>\n")
        .collect(Collectors.joining());
  }

  /** Terms with their descriptions, in order. */
  static String terms(Map<String, String> terms) {
    return terms.entrySet().stream()
        .map(
            term ->
                "<div><dt>"
                    + escape(term.getKey())
                    + "</dt><dd>"
                    + escape(term.getValue())
                    + "</dd></div>\n")
        .collect(Collectors.joining());
  }

  /** Data for a script element of another type than JavaScript, which ends at the first "</". */
  static String json(JsonObject data) {
    return data.encode().replace("<", "\\u003c");
  }
}
