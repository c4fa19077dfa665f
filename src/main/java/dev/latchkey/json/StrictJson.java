package dev.latchkey.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Parses JSON (RFC 8259) with the restrictions of I-JSON (RFC 7493): UTF-8 without byte order mark,
 * no duplicate members, no lone surrogates. It also rejects {@code \u0000}, which not every store
 * keeps, and everything beyond its limits. Numbers are exact: without fraction and exponent they
 * become integral nodes, else decimal nodes. Stateless.
 */
public final class StrictJson {

  /** Default limit for the levels of arrays and objects. */
  public static final int DEFAULT_MAX_DEPTH = 64;

  /** Greatest possible limit for the levels of arrays and objects. */
  public static final int MAX_DEPTH = 1_000;

  /** Length limit of a number, in characters. */
  public static final int MAX_NUMBER_CHARS = 1_000;

  /** Length limit of an exponent in digits, without leading zeros. */
  public static final int MAX_EXPONENT_DIGITS = 9;

  /** Length limit of a member name, in characters. */
  public static final int MAX_NAME_CHARS = 50_000;

  // The limits are checked here, for a message with the place.
  private static final JsonFactory FACTORY =
      factory()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final JsonParser parser;
  private final int maxDepth;

  private StrictJson(JsonParser parser, int maxDepth) {
    this.parser = parser;
    this.maxDepth = maxDepth;
  }

  /**
   * Returns a builder of parsers for text from others. They have no symbol table: requests of
   * different callers would share it, and colliding names could fill it.
   *
   * @return the builder, with the other defaults of Jackson
   */
  public static JsonFactoryBuilder factory() {
    return new JsonFactoryBuilder()
        .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES);
  }

  /**
   * Parses a text that consists of one JSON value.
   *
   * @param bytes the text, not modified
   * @param maxDepth limit for the levels of arrays and objects, 1 to {@value #MAX_DEPTH}
   * @return the value
   * @throws MalformedJsonException if the text is anything else
   * @throws IllegalArgumentException if {@code maxDepth} is out of range
   */
  public static JsonNode parse(byte[] bytes, int maxDepth) throws MalformedJsonException {
    if (maxDepth < 1 || maxDepth > MAX_DEPTH) {
      throw new IllegalArgumentException("maxDepth must be 1 to 1000, not " + maxDepth);
    }
    CharBuffer text = decode(bytes);
    try (JsonParser parser = FACTORY.createParser(text.array(), 0, text.limit())) {
      return new StrictJson(parser, maxDepth).document();
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory cannot fail", e);
    }
  }

  private static CharBuffer decode(byte[] bytes) throws MalformedJsonException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
    } catch (CharacterCodingException e) {
      throw new MalformedJsonException("", "the body is not valid UTF-8");
    }
  }

  private JsonNode document() throws IOException, MalformedJsonException {
    try {
      if (parser.nextToken() == null) {
        throw malformed("the body is empty");
      }
      JsonNode value = value(0);
      if (parser.nextToken() != null) {
        throw malformed("the body continues after the JSON value");
      }
      return value;
    } catch (JsonEOFException e) {
      throw new MalformedJsonException("", "the JSON value is incomplete");
    } catch (JsonProcessingException e) {
      // The message of the exception quotes the body.
      throw new MalformedJsonException(
          "",
          "invalid JSON at line %d, column %d"
              .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr()));
    }
  }

  private JsonNode value(int depth) throws IOException, MalformedJsonException {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object(depth + 1);
      case START_ARRAY -> array(depth + 1);
      case VALUE_STRING -> TextNode.valueOf(checkedText(parser.getText()));
      case VALUE_NUMBER_INT -> integer();
      case VALUE_NUMBER_FLOAT -> decimal();
      case VALUE_TRUE -> BooleanNode.TRUE;
      case VALUE_FALSE -> BooleanNode.FALSE;
      case VALUE_NULL -> NullNode.instance;
      default -> throw new IllegalStateException("no value begins with " + token);
    };
  }

  private ObjectNode object(int depth) throws IOException, MalformedJsonException {
    checkDepth(depth);
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = checkedText(parser.currentName());
      if (name.length() > MAX_NAME_CHARS) {
        throw malformed("a member name has more than " + MAX_NAME_CHARS + " characters");
      }
      if (object.has(name)) {
        throw malformed("duplicate member");
      }
      parser.nextToken();
      object.set(name, value(depth));
    }
    return object;
  }

  private ArrayNode array(int depth) throws IOException, MalformedJsonException {
    checkDepth(depth);
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(depth));
    }
    return array;
  }

  private void checkDepth(int depth) throws MalformedJsonException {
    if (depth > maxDepth) {
      throw malformed("the JSON value has more than " + maxDepth + " levels");
    }
  }

  private JsonNode integer() throws IOException, MalformedJsonException {
    checkNumberLength();
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? NODES.numberNode(parser.getBigIntegerValue())
        : NODES.numberNode(parser.getLongValue());
  }

  private JsonNode decimal() throws IOException, MalformedJsonException {
    checkNumberLength();
    String number = parser.getText();
    int at = Math.max(number.indexOf('e'), number.indexOf('E')) + 1;
    while (at > 0 && at < number.length() && "+-0".indexOf(number.charAt(at)) >= 0) {
      at++;
    }
    if (at > 0 && number.length() - at > MAX_EXPONENT_DIGITS) {
      throw malformed("an exponent has more than " + MAX_EXPONENT_DIGITS + " digits");
    }
    return DecimalNode.valueOf(new BigDecimal(number));
  }

  private void checkNumberLength() throws IOException, MalformedJsonException {
    if (parser.getTextLength() > MAX_NUMBER_CHARS) {
      throw malformed("a number has more than " + MAX_NUMBER_CHARS + " characters");
    }
  }

  private String checkedText(String text) throws MalformedJsonException {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        throw malformed("a string contains \\u0000");
      }
      if (Character.isSurrogate(c)) {
        i++;
        if (Character.isLowSurrogate(c)
            || i == text.length()
            || !Character.isLowSurrogate(text.charAt(i))) {
          throw malformed("a string contains a lone surrogate");
        }
      }
    }
    return text;
  }

  private MalformedJsonException malformed(String detail) {
    return new MalformedJsonException(JsonPointers.of(parser.getParsingContext()), detail);
  }
}
