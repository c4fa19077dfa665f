package dev.latchkey.payments;

import dev.latchkey.ledger.Precondition.OneOf;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Entity tags (RFC 9110, section 8.8.3): a version in quotes, always strong, since the same version
 * is the same bytes. Pure.
 */
final class EntityTag {

  private static final Pattern ONE =
      Pattern.compile("(?<weak>W/)?\"(?<opaque>[!#-~\\x80-\\xFF]*+)\"");
  private static final Pattern SEPARATOR = Pattern.compile("[ \\t]*+(,[ \\t]*+)*+");
  private static final Pattern VERSION = Pattern.compile("[1-9][0-9]{0,17}");

  private EntityTag() {}

  static String of(long version) {
    return "\"" + version + '"';
  }

  /**
   * Reads a list of entity tags. Those that no version has are left out, since nothing matches
   * them.
   *
   * @param list the field's value, its lines joined with commas
   * @param weakly whether a weak tag stands for its version: in {@code If-None-Match} it does, in
   *     {@code If-Match} it never does (RFC 9110, section 13.1)
   * @return the versions; empty when the text is no such list
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
