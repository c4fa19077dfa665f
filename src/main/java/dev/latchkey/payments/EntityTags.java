package dev.latchkey.payments;

import dev.latchkey.ledger.Precondition;
import dev.latchkey.ledger.Precondition.Any;
import dev.latchkey.ledger.Precondition.OneOf;
import dev.latchkey.ledger.Precondition.Versions;
import io.vertx.core.MultiMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Entity tags (RFC 9110, section 8.8.3) and the conditions that contain them. A tag is a version in
 * quotes. It is strong, since the same version has the same bytes. Pure.
 */
final class EntityTags {

  private static final Pattern ONE =
      Pattern.compile("(?<weak>W/)?\"(?<opaque>[!#-~\\x80-\\xFF]*+)\"");
  private static final Pattern SEPARATOR = Pattern.compile("[ \\t]*+(,[ \\t]*+)*+");
  private static final Pattern VERSION = Pattern.compile("[1-9][0-9]{0,17}");

  private EntityTags() {}

  static String of(long version) {
    return "\"" + version + '"';
  }

  /**
   * Reads {@code If-Match} and {@code If-None-Match} (RFC 9110, section 13.1).
   *
   * @throws InvalidRequestException for a header that is no list of entity tags: to ignore it would
   *     remove a protection that the client asked for
   */
  static Precondition precondition(MultiMap headers) {
    FieldErrors errors = new FieldErrors();
    Precondition condition =
        new Precondition(
            field("If-Match", false, headers, errors),
            field("If-None-Match", true, headers, errors));
    errors.check();
    return condition;
  }

  private static Optional<Versions> field(
      String name, boolean weakly, MultiMap headers, FieldErrors errors) {
    List<String> lines = headers.getAll(name);
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    String value = String.join(",", lines).strip();
    if (value.equals("*")) {
      return Optional.of(new Any());
    }
    Optional<Versions> versions = versions(value, weakly).map(it -> it);
    if (versions.isEmpty()) {
      errors.add(
          "", "the header " + name + " must be * or entity tags such as \"1\", with their quotes");
    }
    return versions;
  }

  /**
   * Reads a list of entity tags. Tags that are no version are left out, since they match nothing.
   *
   * @param list the field's value, its lines joined with commas
   * @param weakly whether a weak tag matches its version: it does in {@code If-None-Match}, and
   *     never in {@code If-Match} (RFC 9110, section 13.1)
   * @return the versions; empty if the text is not such a list
   */
  static Optional<OneOf> versions(String list, boolean weakly) {
    Set<Long> versions = new HashSet<>();
    Matcher separator = SEPARATOR.matcher(list);
    Matcher tag = ONE.matcher(list);
    int at = separator.lookingAt() ? separator.end() : 0;
    if (at == list.length()) {
      return Optional.empty();
    }
    while (at < list.length()) {
      if (!tag.region(at, list.length()).lookingAt()) {
        return Optional.empty();
      }
      String opaque = tag.group("opaque");
      if ((weakly || tag.group("weak") == null) && VERSION.matcher(opaque).matches()) {
        versions.add(Long.parseLong(opaque));
      }
      at = separator.region(tag.end(), list.length()).lookingAt() ? separator.end() : tag.end();
      if (at < list.length() && list.substring(tag.end(), at).indexOf(',') < 0) {
        return Optional.empty();
      }
    }
    return Optional.of(new OneOf(versions));
  }
}
