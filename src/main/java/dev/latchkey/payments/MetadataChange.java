package dev.latchkey.payments;

import dev.latchkey.ledger.Metadata;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a merge patch (RFC 7396) says about metadata: members that are named are set, or removed
 * where their value is null, and the others stay. Immutable.
 *
 * @param clear whether to begin with none
 * @param members by name, empty to remove
 */
record MetadataChange(boolean clear, Map<String, Optional<Metadata.Value>> members) {

  /** Most members of one change: all that can be there replaced by as many others. */
  static final int MAX_MEMBERS = 2 * Metadata.MAX_MEMBERS;

  static final MetadataChange NONE = new MetadataChange(false, Map.of());
  static final MetadataChange CLEAR = new MetadataChange(true, Map.of());

  /** Copies the members. */
  MetadataChange {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /** What becomes of metadata; may have more members than are allowed. */
  Metadata over(Metadata known) {
    Map<String, Metadata.Value> merged =
        clear ? new LinkedHashMap<>() : new LinkedHashMap<>(known.members());
    members.forEach(
        (name, value) ->
            value.ifPresentOrElse(it -> merged.put(name, it), () -> merged.remove(name)));
    return new Metadata(merged);
  }
}
