package dev.latchkey.service.cli;

import dev.latchkey.service.http.Hosts;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of {@code scheme://user:password@host:port/path?name=value}, percent-decoded. Stricter
 * than {@link java.net.URI}, which puts the whole text, password and all, into its refusals. Here
 * no refusal shows anything that may stand before the {@code @}, nor a port, since a password may
 * come to stand there.
 *
 * @param scheme as written
 * @param user who connects, if it says
 * @param password how he proves it, if it says
 * @param host a name or an address, without brackets
 * @param port the port, if it says
 * @param path what follows the first slash, perhaps empty
 * @param parameters the query, in order
 */
public record ServerUri(
    String scheme,
    Optional<String> user,
    Optional<String> password,
    String host,
    OptionalInt port,
    String path,
    Map<String, String> parameters) {

  private static final int MAX_PORT = 65_535;
  private static final Pattern PLACE =
      Pattern.compile("([^:/?\\[\\]]+|\\[[0-9A-Fa-f:.]+])(?::([^/?]*))?(?:/([^?]*))?(?:\\?(.*))?");
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_.])?|\\[[0-9A-Fa-f:.]+]");

  /**
   * Parses a URI.
   *
   * @param text the URI
   * @param schemes what it may begin with
   * @param names the parameters that are known
   * @return the parts
   * @throws IllegalArgumentException if it is not such a URI
   */
  static ServerUri parse(String text, List<String> schemes, Set<String> names) {
    String scheme =
        schemes.stream()
            .filter(known -> text.startsWith(known + "://"))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "it does not begin with " + String.join(":// or ", schemes) + "://"));
    String rest = text.substring(scheme.length() + "://".length());
    int at = rest.lastIndexOf('@');
    String[] who = at < 0 ? new String[0] : rest.substring(0, at).split(":", 2);
    for (String part : who) {
      check(
          !part.matches(".*[/?#@\\[\\]].*"),
          "/ ? # @ [ ] must be percent-encoded in its user and password");
    }
    check(rest.indexOf('#', at + 1) < 0, "it has a #");
    Matcher place = PLACE.matcher(rest.substring(at + 1));
    check(place.matches() && HOST.matcher(place.group(1)).matches(), "it names no host");
    String host = place.group(1);
    String path = Optional.ofNullable(place.group(3)).orElse("");
    check(path.indexOf('/') < 0, "it has too many /");
    return new ServerUri(
        scheme,
        who.length > 0 && !who[0].isEmpty() ? Optional.of(decode(who[0])) : Optional.empty(),
        who.length > 1 && !who[1].isEmpty() ? Optional.of(decode(who[1])) : Optional.empty(),
        host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
        port(Optional.ofNullable(place.group(2))),
        decode(path),
        parameters(Optional.ofNullable(place.group(4)), names));
  }

  /** Contains neither user nor password. */
  @Override
  public String toString() {
    return scheme
        + "://"
        + Hosts.inUrl(host)
        + (port.isPresent() ? ":" + port.getAsInt() : "")
        + "/"
        + path;
  }

  private static OptionalInt port(Optional<String> text) {
    if (text.isEmpty()) {
      return OptionalInt.empty();
    }
    boolean digits = text.get().matches("[0-9]{1,5}");
    int port = digits ? Integer.parseInt(text.get()) : 0;
    check(port > 0 && port <= MAX_PORT, "its port is not a number from 1 to " + MAX_PORT);
    return OptionalInt.of(port);
  }

  private static Map<String, String> parameters(Optional<String> query, Set<String> names) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String parameter : query.map(text -> List.of(text.split("&", -1))).orElse(List.of())) {
      String[] parts = parameter.split("=", 2);
      String name = decode(parts[0]);
      check(names.contains(name), "it has the unknown parameter '" + name + "'" + known(names));
      check(parts.length == 2 && !parts[1].isEmpty(), "its parameter '" + name + "' has no value");
      check(
          parameters.put(name, decode(parts[1])) == null,
          "its parameter '" + name + "' occurs twice");
    }
    return parameters;
  }

  private static String known(Set<String> names) {
    return ", not one of: " + String.join(", ", new ArrayList<>(names).stream().sorted().toList());
  }

  private static String decode(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(text.length() * 4);
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int symbol = text.codePointAt(i);
      check(symbol > ' ' && symbol != 0x7f, "it has a space or a control character");
      if (symbol == '%') {
        boolean hex = text.substring(i).matches("(?s)%[0-9A-Fa-f]{2}.*");
        check(hex, "it has a % that two hexadecimal digits do not follow");
        bytes.put((byte) Integer.parseInt(text.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.put(Character.toString(symbol).getBytes(StandardCharsets.UTF_8));
      }
    }
    try {
      String decoded = StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
      check(decoded.indexOf(0) < 0, "it has a zero byte");
      return decoded;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("its percent-encoding is not UTF-8");
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
