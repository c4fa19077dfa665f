package dev.latchkey.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A command line of words and {@code --name value} pairs. A name without a value is a flag; known
 * flags never take a value.
 */
record Arguments(List<String> words, Map<String, String> options) {

  private static final Set<String> FLAGS = Set.of("quick", "list", "page-only");

  static Arguments of(String... args) {
    List<String> words = new ArrayList<>();
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < args.length; i++) {
      if (!args[i].startsWith("--")) {
        words.add(args[i]);
        continue;
      }
      String name = args[i].substring(2);
      boolean valued =
          !FLAGS.contains(name) && i + 1 < args.length && !args[i + 1].startsWith("--");
      options.put(name, valued ? args[++i] : "true");
    }
    return new Arguments(words, options);
  }

  String mode() {
    return words.get(0);
  }

  boolean has(String name) {
    return options.containsKey(name);
  }

  String text(String name, String otherwise) {
    return options.getOrDefault(name, otherwise);
  }

  int number(String name, int otherwise) {
    return has(name) ? Integer.parseInt(options.get(name)) : otherwise;
  }

  String uri() {
    String uri = options.get("uri");
    if (uri == null) {
      throw new IllegalArgumentException(mode() + " needs --uri");
    }
    return uri;
  }
}
