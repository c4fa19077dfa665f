package dev.latchkey.payments;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Reads JSON (RFC 8259) as I-JSON (RFC 7493) wants it: UTF-8, no member twice, no lone surrogate;
 * beyond that no {@code \u0000}, which not every store can keep, and bounds for what a small text
 * could blow up. Numbers are exact; those written with a fraction or an exponent become decimal
 * nodes, others integral ones. Pure.
 */
final class StrictJson {

  /** Most levels of arrays and objects. */
  static final int MAX_DEPTH = 64;

  /** Longest number, in characters. */
  static final int MAX_NUMBER_CHARS = 1_000;

  /** Largest exponent, either way. */
  static final int MAX_EXPONENT = 10_000;

  private static final int MAX_BYTES_AS_THEY_ARE = 8 * 1024;

  // Depth is counted here, with the place told; Jackson's own bound stands one behind it.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH + 1)
                  .maxNumberLength(MAX_NUMBER_CHARS)
                  .build())
          .build();

  /** Says both, since the parser tells them apart in its words alone. */
  private static final String BEYOND_BOUNDS =
      "a number has more than %d digits, or a member's name more than %d characters;"
              .formatted(MAX_NUMBER_CHARS, StreamReadConstraints.DEFAULT_MAX_NAME_LEN)
          + " nothing was done";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Unwinds the descent; never leaves this class. */
  private static final class Flaw extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient FieldError error;

    Flaw(JsonParser parser, String detail) {
      super(detail, null, false, false);
      error = new FieldError(pointer(parser), detail);
    }
  }

  private StrictJson() {}

  /**
   * Reads one value that fills the text.
   *
   * @param bytes the text
   * @return the value, or one error
   */
  static Checked<JsonNode> parse(byte[] bytes) {
    try (JsonParser parser = parser(bytes)) {
      if (parser.nextToken() == null) {
        return Checked.Invalid.of("", "the body is empty, a JSON object is expected");
      }
      JsonNode value = value(parser, 0);
      if (parser.nextToken() != null) {
        return Checked.Invalid.of("", "there is something after the JSON value");
      }
      return new Checked.Valid<>(value);
    } catch (Flaw flaw) {
      return new Checked.Invalid<>(List.of(flaw.error));
    } catch (StreamConstraintsException e) {
      return Checked.Invalid.of("", BEYOND_BOUNDS);
    } catch (JsonProcessingException e) {
      return Checked.Invalid.of("", malformed(e));
    } catch (CharacterCodingException e) {
      return Checked.Invalid.of("", "the body is not valid UTF-8");
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  private static JsonParser parser(byte[] bytes) throws IOException {
    if (isShortAscii(bytes)) {
      return FACTORY.createParser(bytes);
    }
    // As text, since the parser is milder about UTF-8, and would read UTF-16 and UTF-32 too.
    return FACTORY.createParser(
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
  }

  /**
   * Whether the parser reads the bytes as it reads the text. It takes zeros at the start for
   * another encoding, and bounds the length of long names in steps.
   */
  private static boolean isShortAscii(byte[] bytes) {
    if (bytes.length > MAX_BYTES_AS_THEY_ARE) {
      return false;
    }
    for (int i = 0; i < Math.min(4, bytes.length); i++) {
      if (bytes[i] == 0) {
        return false;
      }
    }
    int all = 0;
    for (byte b : bytes) {
      all |= b;
    }
    return all >= 0;
  }

  /** Says where, and not what: the parser's own words quote the body. */
  private static String malformed(JsonProcessingException e) {
    return e.getLocation() == null
        ? "the body is not valid JSON"
        : "the body is not valid JSON, see line %d, column %d"
            .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
  }

  private static JsonNode value(JsonParser parser, int depth) throws IOException, Flaw {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object(parser, depth + 1);
      case START_ARRAY -> array(parser, depth + 1);
      case VALUE_STRING -> TextNode.valueOf(sound(parser, parser.getText()));
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> decimal(parser);
      case VALUE_TRUE -> BooleanNode.TRUE;
      case VALUE_FALSE -> BooleanNode.FALSE;
      case VALUE_NULL -> NullNode.instance;
      default -> throw new Flaw(parser, "a JSON value is expected here");
    };
  }

  private static ObjectNode object(JsonParser parser, int depth) throws IOException, Flaw {
    checkDepth(parser, depth);
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = sound(parser, parser.currentName());
      if (object.has(name)) {
        throw new Flaw(parser, "this member is given twice");
      }
      parser.nextToken();
      object.set(name, value(parser, depth));
    }
    return object;
  }

  private static ArrayNode array(JsonParser parser, int depth) throws IOException, Flaw {
    checkDepth(parser, depth);
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser, depth));
    }
    return array;
  }

  private static void checkDepth(JsonParser parser, int depth) throws Flaw {
    if (depth > MAX_DEPTH) {
      throw new Flaw(parser, "the body nests deeper than " + MAX_DEPTH + " levels");
    }
  }

  private static JsonNode integer(JsonParser parser) throws IOException {
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? NODES.numberNode(parser.getBigIntegerValue())
        : NODES.numberNode(parser.getLongValue());
  }

  private static JsonNode decimal(JsonParser parser) throws IOException, Flaw {
    if (parser.getTextLength() > MAX_NUMBER_CHARS) {
      throw new Flaw(parser, "this number has more than " + MAX_NUMBER_CHARS + " characters");
    }
    try {
      BigDecimal number = new BigDecimal(parser.getText());
      if (Math.abs((long) number.scale()) <= MAX_EXPONENT + MAX_NUMBER_CHARS) {
        return DecimalNode.valueOf(number);
      }
    } catch (NumberFormatException e) {
      // The exponent exceeds what a BigDecimal can hold: out of bounds like the others.
    }
    throw new Flaw(parser, "this number's exponent exceeds " + MAX_EXPONENT);
  }

  private static String sound(JsonParser parser, String text) throws Flaw {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        throw new Flaw(parser, "\\u0000 is not allowed");
      }
      if (Character.isSurrogate(c)) {
        boolean paired =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!paired) {
          throw new Flaw(parser, "a surrogate stands alone, this is not Unicode text");
        }
        i++;
      }
    }
    return text;
  }

  /** The place of the present token; a name that is not sound itself is left to its parent. */
  private static String pointer(JsonParser parser) {
    Deque<String> parts = new ArrayDeque<>();
    JsonStreamContext at = parser.getParsingContext();
    while (at != null && !at.inRoot()) {
      if (at.inArray()) {
        parts.push("/" + at.getCurrentIndex());
      } else if (at.getCurrentName() != null && isText(at.getCurrentName())) {
        parts.push(FieldError.pointer("", at.getCurrentName()));
      }
      at = at.getParent();
    }
    return String.join("", parts);
  }

  private static boolean isText(String name) {
    return name.indexOf(0) < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(name);
  }
}
