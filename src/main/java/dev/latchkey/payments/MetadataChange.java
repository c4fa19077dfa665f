package dev.latchkey.payments;

import dev.latchkey.ledger.Metadata;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The change of metadata by a merge patch (RFC 7396): it sets or removes the named members and
 * keeps the others. Immutable.
 *
 * @param clear whether to remove all current members first
 * @param members by name, empty to remove
 */
record MetadataChange(boolean clear, Map<String, Optional<Metadata.Value>> members) {

  /** Limit of one change: it may replace all members. */
  static final int MAX_MEMBERS = 2 * Metadata.MAX_MEMBERS;

  static final MetadataChange NONE = new MetadataChange(false, Map.of());
  static final MetadataChange CLEAR = new MetadataChange(true, Map.of());

  /** Copies the members. */
  MetadataChange {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /** Returns the changed metadata, which may have more members than allowed. */
  Metadata applyTo(Metadata current) {
    Map<String, Metadata.Value> merged =
        clear ? new LinkedHashMap<>() : new LinkedHashMap<>(current.members());
    members.forEach(
        (name, value) ->
            value.ifPresentOrElse(it -> merged.put(name, it), () -> merged.remove(name)));
    return new Metadata(merged);
  }
}
