package dev.latchkey.psp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** Reads the JSON bodies of the PSP's calls, strictly. */
final class PspBody {
  private static final int MAX_DEPTH = 16;
  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final ObjectNode json;
  private final List<String> faults = new ArrayList<>();

  private PspBody(ObjectNode json) {
    this.json = json;
  }

  /** What a body asks for. */
  sealed interface Read {

    /** A call, sound in form. */
    record Sound(PspCall call) implements Read {}

    /** No call; the detail is fit for the client. */
    record Faulty(String detail) implements Read {}
  }

  static Read charge(Buffer body) {
    return read(
        body,
        Set.of("amount", "currency", "payment_method", "capture"),
        fields ->
            new PspCall.Charge(
                fields.requiredAmount(),
                fields.text("currency"),
                fields.text("payment_method"),
                fields.flag("capture", true)));
  }

  static Read capture(String charge, Buffer body) {
    return read(body, Set.of("amount"), fields -> new PspCall.Capture(charge, fields.amount()));
  }

  static Read cancel(String charge, Buffer body) {
    return read(body, Set.of(), fields -> new PspCall.Cancel(charge));
  }

  static Read dispute(String charge, Buffer body) {
    return read(body, Set.of(), fields -> new PspCall.Dispute(charge));
  }

  static Read refund(String charge, Buffer body) {
    return read(
        body,
        Set.of("amount", "source"),
        fields -> new PspCall.Refund(charge, fields.amount(), fields.isFromPsp()));
  }

  private static Read read(Buffer body, Set<String> members, Function<PspBody, PspCall> toCall) {
    JsonNode node;
    try {
      node = body.length() == 0 ? MAPPER.createObjectNode() : MAPPER.readTree(body.getBytes());
    } catch (IOException e) {
      return new Read.Faulty("the body is not valid JSON");
    }
    if (!(node instanceof ObjectNode object)) {
      return new Read.Faulty("the body is not a JSON object");
    }
    PspBody fields = new PspBody(object);
    object
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!members.contains(name)) {
                fields.faults.add("a member is unknown; known are " + members);
              }
            });
    PspCall call = toCall.apply(fields);
    return fields.faults.isEmpty() ? new Read.Sound(call) : new Read.Faulty(fields.faults.get(0));
  }

  private long requiredAmount() {
    if (!json.has("amount")) {
      faults.add("amount is missing");
    }
    return amount().orElse(0);
  }

  private OptionalLong amount() {
    JsonNode node = json.path("amount");
    if (node.isMissingNode()) {
      return OptionalLong.empty();
    }
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      faults.add("amount is not an integer in minor units");
      return OptionalLong.empty();
    }
    return OptionalLong.of(node.longValue());
  }

  private String text(String name) {
    JsonNode node = json.path(name);
    if (!node.isTextual()) {
      faults.add(name + " is missing or not a string");
    }
    return node.asText("");
  }

  private boolean flag(String name, boolean absent) {
    JsonNode node = json.path(name);
    if (!node.isMissingNode() && !node.isBoolean()) {
      faults.add(name + " is not true or false");
    }
    return node.asBoolean(absent);
  }

  private boolean isFromPsp() {
    JsonNode node = json.path("source");
    if (!node.isMissingNode() && !"psp".equals(node.textValue())) {
      faults.add("source is not \"psp\"");
    }
    return !node.isMissingNode();
  }
}
