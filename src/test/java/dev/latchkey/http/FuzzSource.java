package dev.latchkey.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Makes requests that are wrong in every way that a seed can think of, and right ones in between,
 * so that the wrong ones meet keys that are in use. The framing is sound but for a few, and no
 * method asks the PSP to be away. The same seed makes the same requests.
 */
final class FuzzSource {

  private static final int KEYS = 40;
  private static final String METHOD_CHARS = "abcdefghijklmnopqrstuvwxyz_0123456789-";
  private static final List<String> METHODS = List.of("GET", "PUT", "PATCH", "DELETE", "BREW");
  private static final List<String> KEYED =
      List.of(
          "/v1/payments",
          "/v1/payments",
          "/v1/payments",
          "/v1/payments/ID/capture",
          "/v1/payments/ID/cancel",
          "/v1/payments/ID/refunds");
  private static final List<String> PATHS =
      List.of(
          "/v1/payments",
          "/v1/payments/ID",
          "/v1/balance",
          "/v1/idempotency-keys/ID",
          "/health/live",
          "/problems/ID",
          "/v1",
          "/",
          "/v1/payments/",
          "//v1/payments",
          "/v1/payments/../payments",
          "/v1/%70ayments",
          "/v1/payments/%00/capture",
          "/v1/payments/%zz",
          "/v1/payments/%E9/cancel");
  private static final List<String> QUERIES =
      List.of(
          "",
          "",
          "",
          "",
          "?",
          "?a=1",
          "?limit=5",
          "?limit=-1",
          "?a=%zz",
          "?a=%00",
          "?%E9",
          "?&&=",
          "?b=2&a=1",
          "?starting_after=x",
          "?idempotency_key=k1",
          "?a=\u00e9",
          "?a[]={}|^");
  private static final List<String> PAYMENT_METHODS =
      List.of("pm_card_visa", "pm_card_visa", "pm_card_declined", "pm_slow_3", "pm_slow_0");
  private static final List<String> OTHER_BODIES =
      List.of("", "{}", "{\"amount\":1}", "{\"amount\":2}", "{\"amount\":0}", "{\"reason\":\"x\"}");
  private static final List<String> TYPES =
      List.of(
          "application/json",
          "application/json",
          "application/json",
          "application/json",
          "application/json; charset=utf-8",
          "application/problem+json",
          "text/plain",
          "",
          "/",
          "multipart/form-data; boundary=\"",
          "application/x-www-form-urlencoded",
          "application/json;;;=",
          "\u00ff");
  private static final List<String> PREFERS =
      List.of("wait=0", "wait=1", "wait=", "wait=\"", "=,=;", "wait=1e9", ",,,", "\u00e9", "\"\\");

  private final SplittableRandom random;
  private final List<Supplier<String>> values =
      List.of(
          () -> "" + word().nextLong(),
          () -> "" + word().nextInt(-2, 3),
          () -> word().nextDouble() + "e" + word().nextInt(-400, 400),
          () -> quoted(word().nextInt(12)),
          () -> quoted(word().nextInt(1_200)),
          () -> "null",
          () -> "true",
          () -> "[" + "[".repeat(word().nextInt(80)),
          () -> "[]",
          () -> "{\"a\":1}",
          () -> "{" + quoted(3) + ":" + quoted(3) + "}",
          () -> "\"\\u0000\"",
          () -> "\"\\ud800\"",
          () -> "9".repeat(word().nextInt(1, 1_200)));

  FuzzSource(long seed) {
    random = new SplittableRandom(seed);
  }

  /**
   * Makes the next request, as it goes over the wire.
   *
   * @param payment an id to use where one is wanted, existing or not
   */
  byte[] next(String payment) {
    StringBuilder head = new StringBuilder();
    String method = chance(80) ? "POST" : chance(20) ? "HEAD" : pick(METHODS);
    String path = pick(chance(75) ? KEYED : PATHS).replace("ID", chance(80) ? payment : junk(9));
    head.append(method).append(' ').append(path.replace(' ', '+')).append(pick(QUERIES));
    head.append(" HTTP/1.1\r\nHost: a\r\n");
    keyLines(head);
    if (chance(20)) {
      head.append("Prefer: ").append(pick(PREFERS)).append("\r\n");
    }
    if (chance(10)) {
      head.append(token()).append(": ").append(junk(40)).append("\r\n");
    }
    byte[] body = body(path.equals("/v1/payments"));
    String type = chance(75) ? "application/json" : pick(TYPES);
    if (!type.isEmpty()) {
      head.append("Content-Type: ").append(type).append("\r\n");
    }
    return chance(10) ? chunked(head, body) : sized(head, body);
  }

  private SplittableRandom word() {
    return random;
  }

  private void keyLines(StringBuilder head) {
    int lines = chance(95) ? 1 : random.nextInt(3);
    for (int i = 0; i < lines; i++) {
      String key = "k" + random.nextInt(KEYS) + (chance(50) ? "" : "-" + random.nextInt(100_000));
      String sent =
          switch (random.nextInt(30)) {
            case 0 -> '"' + key + '"';
            case 1 -> '"' + key + "\";a=1";
            case 2 -> '"' + key;
            case 3 -> junk(20);
            case 4 -> junk(300);
            default -> key;
          };
      head.append("Idempotency-Key: ").append(sent).append("\r\n");
    }
  }

  private byte[] body(boolean create) {
    if (!create && chance(80)) {
      return pick(OTHER_BODIES).getBytes(StandardCharsets.US_ASCII);
    }
    if (chance(10)) {
      return junk(200).getBytes(StandardCharsets.ISO_8859_1);
    }
    StringBuilder json = new StringBuilder("{");
    member(json, "amount", "" + (1 + random.nextInt(3)));
    member(json, "currency", "\"EUR\"");
    member(json, "payment_method", '"' + pick(PAYMENT_METHODS) + '"');
    member(json, "description", chance(70) ? "" : quoted(5));
    member(json, "metadata", chance(70) ? "" : "{\"a\":" + random.nextInt(5) + "}");
    member(json, "capture", chance(80) ? "" : "false");
    member(json, token(), chance(95) ? "" : "1");
    if (json.charAt(json.length() - 1) == ',') {
      json.setLength(json.length() - 1);
    }
    json.append('}');
    byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
    for (int i = 0; chance(10) && i < 3; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  /** Adds a member, sometimes with another value, sometimes not at all. */
  private void member(StringBuilder json, String name, String value) {
    String said = chance(4) ? pick(values).get() : chance(1) ? "" : value;
    if (!said.isEmpty()) {
      json.append('"').append(name).append("\":").append(said).append(',');
    }
  }

  private static byte[] sized(StringBuilder head, byte[] body) {
    head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
    return join(head.toString().getBytes(StandardCharsets.ISO_8859_1), body);
  }

  private byte[] chunked(StringBuilder head, byte[] body) {
    head.append("Transfer-Encoding: chunked\r\n\r\n");
    byte[] whole = head.toString().getBytes(StandardCharsets.ISO_8859_1);
    for (int from = 0; from < body.length; ) {
      int length = Math.min(body.length - from, 1 + random.nextInt(64));
      byte[] chunk = new byte[length];
      System.arraycopy(body, from, chunk, 0, length);
      whole =
          join(whole, (Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      whole = join(join(whole, chunk), "\r\n".getBytes(StandardCharsets.US_ASCII));
      from += length;
    }
    return join(whole, "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] all = new byte[first.length + second.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }

  private String quoted(int chars) {
    return '"' + "y".repeat(chars) + '"';
  }

  /** Latin-1 without what would end the line. */
  private String junk(int atMost) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(atMost + 1); i > 0; i--) {
      int c = chance(97) ? random.nextInt(0x20, 0x7f) : random.nextInt(0x100);
      text.append(c == '\r' || c == '\n' ? '?' : (char) c);
    }
    return text.toString();
  }

  private String token() {
    StringBuilder text = new StringBuilder("x");
    for (int i = random.nextInt(9); i > 0; i--) {
      text.append(METHOD_CHARS.charAt(random.nextInt(METHOD_CHARS.length())));
    }
    return text.toString();
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
