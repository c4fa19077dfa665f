package dev.latchkey.payments;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.latchkey.ledger.MetadataJson;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentState;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.jackson.DatabindCodec;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * A payment as an answer. Its bytes are written straight away, by the generator that would write
 * the object: making that first costs as much as all the rest.
 *
 * @param payment what the client reads
 */
record PaymentResource(Payment payment) implements Resource {

  private static final JsonFactory JSON = DatabindCodec.mapper().getFactory();

  private static final int USUAL_BYTES = 640;

  @Override
  public JsonObject json() {
    return PaymentJson.payment(payment);
  }

  @Override
  public Buffer bytes() {
    Target target = new Target();
    try (JsonGenerator json = JSON.createGenerator(target)) {
      write(json);
    } catch (IOException e) {
      throw new UncheckedIOException("writing into memory cannot fail", e);
    }
    return target.buffer;
  }

  private void write(JsonGenerator json) throws IOException {
    PaymentDetails details = payment.details();
    PaymentState state = payment.state();
    json.writeStartObject();
    json.writeStringField("id", payment.id());
    json.writeStringField("object", "payment");
    json.writeNumberField("amount", details.amount());
    json.writeStringField("currency", details.currency());
    json.writeStringField("status", state.status().text());
    json.writeNumberField("captured_amount", state.capturedAmount());
    json.writeNumberField("refunded_amount", state.refundedAmount());
    json.writeStringField("payment_method", details.paymentMethod());
    write(json, "customer", details.customer());
    write(json, "description", details.description());
    json.writeFieldName("metadata");
    MetadataJson.write(json, details.metadata());
    json.writeBooleanField("disputed", state.disputed());
    json.writeStringField("psp_charge", payment.origin().pspCharge());
    long createdAt = payment.origin().createdAtEpochMillis();
    long updatedAt = state.updatedAtEpochMillis();
    String created = Rfc3339.text(createdAt);
    json.writeStringField("created_at", created);
    json.writeStringField("updated_at", updatedAt == createdAt ? created : Rfc3339.text(updatedAt));
    json.writeNumberField("version", state.version());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, Optional<String> text)
      throws IOException {
    if (text.isPresent()) {
      json.writeStringField(name, text.get());
    } else {
      json.writeNullField(name);
    }
  }

  /** The generator hands over its own buffer, mostly once. */
  private static final class Target extends OutputStream {
    final Buffer buffer = Buffer.buffer(USUAL_BYTES);

    @Override
    public void write(int b) {
      buffer.appendByte((byte) b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      buffer.appendBytes(bytes, offset, length);
    }
  }
}
