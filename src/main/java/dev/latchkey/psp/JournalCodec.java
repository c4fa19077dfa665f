package dev.latchkey.psp;

import dev.latchkey.psp.JournalRecord.Answered;
import dev.latchkey.psp.JournalRecord.Attempted;
import dev.latchkey.psp.JournalRecord.Delivered;
import dev.latchkey.psp.JournalRecord.Duplicates;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The journal's lines: eight hexadecimal digits of CRC-32C, a space, a JSON object whose {@code v}
 * is the format's version, a line feed.
 */
final class JournalCodec {
  private static final int VERSION = 1;
  private static final int CHECKSUM_DIGITS = 8;

  private JournalCodec() {}

  static byte[] encode(JournalRecord record) {
    byte[] json = toJson(record).put("v", VERSION).toBuffer().getBytes();
    byte[] checksum = checksum(json, 0, json.length);
    byte[] line = new byte[checksum.length + 1 + json.length + 1];
    System.arraycopy(checksum, 0, line, 0, checksum.length);
    line[checksum.length] = ' ';
    System.arraycopy(json, 0, line, checksum.length + 1, json.length);
    line[line.length - 1] = '\n';
    return line;
  }

  /** Returns true if a line, without its line feed, is as it was written. */
  static boolean isWhole(byte[] line) {
    return line.length > CHECKSUM_DIGITS
        && line[CHECKSUM_DIGITS] == ' '
        && Arrays.equals(
            checksum(line, CHECKSUM_DIGITS + 1, line.length - CHECKSUM_DIGITS - 1),
            Arrays.copyOf(line, CHECKSUM_DIGITS));
  }

  /**
   * Reads a whole line.
   *
   * @throws IllegalArgumentException if it is none of this version's records
   */
  static JournalRecord decode(byte[] line) {
    try {
      JsonObject json = new JsonObject(Buffer.buffer(line).slice(CHECKSUM_DIGITS + 1, line.length));
      if (json.getInteger("v", 0) != VERSION) {
        throw new IllegalArgumentException("version " + json.getValue("v") + " is not known");
      }
      return fromJson(json);
    } catch (ClassCastException | NullPointerException e) {
      throw new IllegalArgumentException("a member is missing or of another type", e);
    }
  }

  private static byte[] checksum(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return String.format("%08x", crc.getValue()).getBytes(StandardCharsets.US_ASCII);
  }

  private static JsonObject toJson(JournalRecord record) {
    if (record instanceof Answered answered) {
      JsonObject json =
          new JsonObject()
              .put("type", "answered")
              .put("call", CallJson.encode(answered.call()))
              .put("answer", AnswerJson.encode(answered.answer()));
      answered.key().ifPresent(key -> json.put("key", key));
      answered.event().ifPresent(event -> json.put("event", AnswerJson.encode(event)));
      return json;
    }
    if (record instanceof Attempted attempted) {
      return new JsonObject()
          .put("type", "attempted")
          .put("key", attempted.key())
          .put("call", CallJson.encode(attempted.call()));
    }
    if (record instanceof Delivered delivered) {
      return new JsonObject().put("type", "delivered").put("event", delivered.eventId());
    }
    return new JsonObject().put("type", "duplicates").put("total", ((Duplicates) record).total());
  }

  private static JournalRecord fromJson(JsonObject json) {
    return switch (json.getString("type")) {
      case "answered" ->
          new Answered(
              Optional.ofNullable(json.getString("key")),
              CallJson.decode(json.getJsonObject("call")),
              AnswerJson.decode(json.getJsonObject("answer")),
              Optional.ofNullable(json.getJsonObject("event")).map(AnswerJson::decodeEvent));
      case "attempted" ->
          new Attempted(json.getString("key"), CallJson.decode(json.getJsonObject("call")));
      case "delivered" -> new Delivered(json.getString("event"));
      case "duplicates" -> new Duplicates(json.getLong("total"));
      default -> throw new IllegalArgumentException("type " + json.getString("type"));
    };
  }
}
