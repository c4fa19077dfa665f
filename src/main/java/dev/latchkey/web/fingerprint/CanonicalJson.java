package dev.latchkey.web.fingerprint;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads a JSON document (RFC 8259) strictly and brings it into the canonical form of RFC 8785, but
 * with numbers compared by their exact value (see {@link CanonicalNumber}). Refused: what is not
 * UTF-8, a byte order mark, broken JSON, anything after the document, a member that is there twice,
 * more levels than allowed, lone surrogates, U+0000 in a string, numbers out of bounds. Used by one
 * thread; its work is linear in the length of the document, save for sorting the members.
 */
final class CanonicalJson {

  // No symbol table: it would be shared between threads, and colliding names could fill it.
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final JsonParser parser;
  private final JsonTree tree;
  private final int maxDepth;
  private int depth;

  private CanonicalJson(JsonParser parser, JsonTree tree, int maxDepth) {
    this.parser = parser;
    this.tree = tree;
    this.maxDepth = maxDepth;
  }

  /** What became of a document. */
  sealed interface Result {}

  /**
   * A sound document.
   *
   * @param tree its values in canonical form
   */
  record Parsed(JsonTree tree) implements Result {}

  /**
   * A refused document.
   *
   * @param pointer an RFC 6901 pointer to the place or, where that cannot be named, to something
   *     that holds it; "" is the document
   * @param detail what is wrong, without values
   */
  record Malformed(String pointer, String detail) implements Result {}

  /**
   * Reads a document.
   *
   * @param body the bytes, not changed
   * @param maxDepth how many levels of arrays and objects are allowed, positive
   * @return the document in canonical form, or why it is refused
   */
  static Result parse(byte[] body, int maxDepth) {
    CharBuffer chars = CharBuffer.allocate(body.length);
    ByteBuffer bytes = ByteBuffer.wrap(body);
    CoderResult decoded =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .decode(bytes, chars, true);
    if (decoded.isError()) {
      return new Malformed("", "the body is not UTF-8 at byte " + bytes.position());
    }
    if (chars.position() > 0 && chars.get(0) == '\uFEFF') {
      return new Malformed("", "the body begins with a byte order mark");
    }
    try (JsonParser parser = JSON.createParser(chars.array(), 0, chars.position())) {
      return new CanonicalJson(parser, new JsonTree(body.length + 16), maxDepth).read();
    } catch (IOException e) {
      throw new UncheckedIOException("closing a parser over an array cannot fail", e);
    }
  }

  private Result read() throws IOException {
    try {
      JsonToken token = parser.nextToken();
      if (token == null) {
        return malformed("the body is empty");
      }
      do {
        Optional<Malformed> refused = accept(token);
        if (refused.isPresent()) {
          return refused.get();
        }
        token = parser.nextToken();
        if (depth == 0 && token != null) {
          return malformed("the body goes on after its JSON document");
        }
      } while (token != null);
      return new Parsed(tree);
    } catch (JsonEOFException e) {
      return malformed("the JSON document ends too early");
    } catch (JsonProcessingException e) {
      // The parser's own message quotes the body.
      return malformed(
          "broken JSON at line %d, column %d"
              .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr()));
    }
  }

  private Optional<Malformed> accept(JsonToken token) throws IOException {
    ByteSink text = tree.text();
    int start = text.size();
    switch (token) {
      case START_OBJECT, START_ARRAY -> {
        if (++depth > maxDepth) {
          return Optional.of(malformed("nested more than " + maxDepth + " levels deep"));
        }
        tree.open(token == JsonToken.START_OBJECT ? '{' : '[');
      }
      case END_OBJECT -> {
        depth--;
        return tree.closeObject().map(this::duplicate);
      }
      case END_ARRAY -> {
        depth--;
        tree.closeArray();
      }
      case FIELD_NAME -> {
        Optional<String> problem = writeText(text);
        if (problem.isPresent()) {
          return problem.map(this::malformed);
        }
        tree.addName(parser.currentName(), start);
      }
      default -> {
        Optional<String> problem = writeScalar(token, text);
        if (problem.isPresent()) {
          return problem.map(this::malformed);
        }
        tree.addScalar(start);
      }
    }
    return Optional.empty();
  }

  private Optional<String> writeScalar(JsonToken token, ByteSink text) throws IOException {
    return switch (token) {
      case VALUE_STRING -> writeText(text);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          CanonicalNumber.write(
              text, parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
      default -> {
        text.putAscii(token.asString());
        yield Optional.empty();
      }
    };
  }

  private Optional<String> writeText(ByteSink text) throws IOException {
    return CanonicalText.write(
        text, parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
  }

  private Malformed malformed(String detail) {
    return new Malformed(Pointers.of(parser.getParsingContext()), detail);
  }

  private Malformed duplicate(String name) {
    String object = Pointers.of(parser.getParsingContext());
    return new Malformed(Pointers.append(object, name), "the member is there twice");
  }
}
