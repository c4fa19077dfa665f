package dev.latchkey.http;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A body that no sound client sends, on the route that makes a payment.
 *
 * @param what is wrong with it
 * @param type the media type, "" for none
 * @param body the bytes
 * @param status what it is answered
 */
record BadInput(String what, String type, byte[] body, int status) {

  private static final int LEVELS = 5_000;

  static Stream<BadInput> all() {
    return Stream.of(syntax(), members(), amounts(), metadata(), mediaTypes()).flatMap(it -> it);
  }

  private static Stream<BadInput> syntax() {
    byte[] notUtf8 = with("description", "\"?\"").getBytes(StandardCharsets.ISO_8859_1);
    notUtf8[new String(notUtf8, StandardCharsets.ISO_8859_1).indexOf('?')] = (byte) 0xE9;
    return Stream.of(
        json("nothing", ""),
        json("white space", " \n"),
        json("an open object", "{"),
        json("a trailing comma", Call.VISA.replace("}", ",}")),
        json("two objects", Call.VISA + Call.VISA),
        json("no JSON", "amount=1000"),
        json("single quotes", Call.VISA.replace('"', '\'')),
        json("a comment", "/**/" + Call.VISA),
        json("NaN", with("amount", "NaN")),
        json("an array", "[" + Call.VISA + "]"),
        json("a string", "\"x\""),
        json("a number", "1"),
        json("null", "null"),
        json("the same member twice", Call.VISA.replace("}", ",\"amount\":1000}")),
        json("objects within objects", nested("{\"a\":", "1", "}")),
        json("arrays within arrays", nested("[", "", "]")),
        json("arrays that never end", "[".repeat(LEVELS)),
        json("65 levels", with("metadata", "[".repeat(64) + "]".repeat(64))),
        json("NUL in a text", with("description", "\"a\\u0000b\"")),
        json("NUL in a name", with("a\\u0000b", "1")),
        json("NUL in metadata", with("metadata", "{\"a\":\"\\u0000\"}")),
        json("NUL as a byte", with("description", "\"\0\"")),
        json("half of a surrogate pair", with("description", "\"\\ud800\"")),
        new BadInput("not UTF-8", "application/json", notUtf8, 400));
  }

  private static Stream<BadInput> members() {
    return Stream.of(
        json("an unknown member", with("colour", "\"red\"")),
        json("a member in other case", with("Amount", "1")),
        json("no member at all", "{}"),
        json("no amount", Call.VISA.replace("\"amount\":1000,", "")),
        json("no currency", Call.VISA.replace("\"currency\":\"EUR\",", "")),
        json("no payment method", Call.VISA.replace(",\"payment_method\":\"pm_card_visa\"", "")),
        json("a currency in lower case", with("currency", "\"eur\"")),
        json("a currency that is none", with("currency", "\"QQQ\"")),
        json("a currency that is a number", with("currency", "978")),
        json("a method that is none", with("payment_method", "\"pm_card_gold\"")),
        json("a method that is too slow", with("payment_method", "\"pm_slow_60001\"")),
        json("a method with a huge number", with("payment_method", "\"pm_slow_99999999999999\"")),
        json("a negative delay", with("payment_method", "\"pm_slow_-1\"")),
        json("a customer that is a number", with("customer", "1")),
        json("a customer that is too long", with("customer", text(256))),
        json("a description that is a list", with("description", "[]")),
        json("a description that is too long", with("description", text(1_001))),
        json("capture that is a text", with("capture", "\"true\"")),
        json("capture that is a number", with("capture", "1")));
  }

  private static Stream<BadInput> amounts() {
    return Stream.of(
            "0",
            "-1",
            "-0",
            "1.5",
            "1.0",
            "1e3",
            "1E3",
            "1000.00",
            "9007199254740993",
            "100000000000",
            "99999999999999999999999999",
            "1e400",
            "1e-400",
            "\"1000\"",
            "true",
            "null",
            "[1000]",
            "{}",
            "01000",
            "+1000",
            "0x10")
        .map(amount -> json("amount " + amount, with("amount", amount)));
  }

  private static Stream<BadInput> metadata() {
    String many =
        IntStream.range(0, 51)
            .mapToObj(i -> "\"m" + i + "\":1")
            .collect(Collectors.joining(",", "{", "}"));
    return Stream.of(
        json("metadata that is a list", with("metadata", "[]")),
        json("metadata that is a text", with("metadata", "\"a\"")),
        json("metadata with 51 members", with("metadata", many)),
        json("metadata with an object", with("metadata", "{\"a\":{}}")),
        json("metadata with null", with("metadata", "{\"a\":null}")),
        json("metadata with a long name", with("metadata", "{" + text(41) + ":1}")),
        json("metadata with a long text", with("metadata", "{\"a\":" + text(501) + "}")));
  }

  private static Stream<BadInput> mediaTypes() {
    return Stream.of(
            "",
            "text/plain",
            "application/xml",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/json; charset=utf-16",
            "application",
            "json",
            "application/jsonx",
            "*/*",
            "application/json, text/plain")
        .map(
            type ->
                new BadInput(
                    "media type " + type, type, Call.VISA.getBytes(StandardCharsets.UTF_8), 415));
  }

  private static BadInput json(String what, String body) {
    return new BadInput(what, "application/json", body.getBytes(StandardCharsets.UTF_8), 400);
  }

  /** A sound payment but for one member, changed or added. */
  private static String with(String name, String value) {
    String member = "\"" + name + "\":" + value;
    String changed =
        Call.VISA.replaceFirst("\"" + name + "\":[^,}]*", member.replace("\\", "\\\\"));
    return changed.equals(Call.VISA) ? Call.VISA.replace("}", "," + member + "}") : changed;
  }

  private static String text(int chars) {
    return '"' + "x".repeat(chars) + '"';
  }

  private static String nested(String open, String inner, String close) {
    return with("metadata", open.repeat(LEVELS) + inner + close.repeat(LEVELS));
  }

  @Override
  public String toString() {
    return what;
  }
}
