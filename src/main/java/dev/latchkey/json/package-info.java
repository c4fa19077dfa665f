/**
 * JSON request bodies: one strict parser, the canonical form that fingerprints compare, and
 * pointers into a document. Documents are trees of Jackson's {@code JsonNode}.
 */
@NullMarked
package dev.latchkey.json;

import org.jspecify.annotations.NullMarked;
