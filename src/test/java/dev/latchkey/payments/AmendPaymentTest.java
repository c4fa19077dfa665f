package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.json.MalformedJsonException;
import dev.latchkey.json.StrictJson;
import dev.latchkey.ledger.LedgerEffect.BookRefund;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.LedgerFixtures;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentAmendment;
import dev.latchkey.ledger.Precondition;
import dev.latchkey.ledger.Precondition.Any;
import dev.latchkey.ledger.Precondition.OneOf;
import dev.latchkey.ledger.memory.MemoryLedger;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.payments.OperationResult.Failed;
import dev.latchkey.payments.OperationResult.Recorded;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a merge patch makes of a payment, and when it is refused. */
class AmendPaymentTest {

  private static final Precondition ANY =
      new Precondition(Optional.of(new Any()), Optional.empty());

  private final MemoryBudget budget = new MemoryBudget(1 << 30);
  private final MemoryLedger ledger = new MemoryLedger(budget);
  private final PaymentLookup lookup = new PaymentLookup(ledger);
  private final AmendPayment amend =
      new AmendPayment(ledger, lookup, () -> Instant.ofEpochMilli(9_000));

  @BeforeEach
  void book() {
    ledger.apply(List.of(new InsertPayment(LedgerFixtures.payment("acme", "pay_1", 100, 100))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'metadata':{'b':true}}             | shoes | {'a':'1','n':2.50,'b':true}",
        "{'metadata':{'a':null,'n':'x'}}     | shoes | {'n':'x'}",
        "{'metadata':{'none':null}}          | shoes | {'a':'1','n':2.50}",
        "{'metadata':null}                   | shoes | {}",
        "{'metadata':{}}                     | shoes | {'a':'1','n':2.50}",
        "{'description':null}                | ``    | {'a':'1','n':2.50}",
        "{'description':'','metadata':null}  | -     | {}",
        "{'description':'hat'}               | hat   | {'a':'1','n':2.50}",
        "{}                                  | shoes | {'a':'1','n':2.50}"
      })
  void mergesAsRfc7396Says(String patch, String description, String metadata) {
    run("{'description':'shoes','metadata':{'a':'1','n':2.50}}", ANY);

    JsonObject payment = done(run(patch, version(2)));

    Object expected = description.isEmpty() ? null : description.equals("-") ? "" : description;
    assertThat(payment.getValue("description")).isEqualTo(expected);
    assertThat(payment.getJsonObject("metadata").encode()).isEqualTo(metadata.replace('\'', '"'));
    assertThat(payment.getLong("version")).isEqualTo(3);
    assertThat(payment.getString("updated_at")).isEqualTo("1970-01-01T00:00:09.000Z");
    assertThat(payment.getString("status")).isEqualTo("succeeded");
    assertThat(payment).isEqualTo(ApiJson.payment(stored()));
  }

  @Test
  void aVersionThatIsNotThereAnyMoreIsStale() {
    done(run("{'description':'a'}", version(1)));

    assertFails(run("{'description':'b'}", version(1)), 412, "precondition-failed");
    assertFails(run("{'description':'b'}", version(7)), 412, "precondition-failed");
    assertThat(stored().details().description()).contains("a");
    Precondition list = new Precondition(Optional.of(new OneOf(Set.of(1L, 2L))), Optional.empty());
    assertThat(done(run("{'description':'b'}", list)).getLong("version")).isEqualTo(3);
  }

  @Test
  void ifNoneMatchCountsToo() {
    Precondition both = new Precondition(ANY.ifMatch(), Optional.of(new OneOf(Set.of(1L))));

    assertFails(run("{}", both), 412, "precondition-failed");
  }

  @Test
  void missingPreconditionGets428AndMissingPaymentGets404() {
    assertFails(run("{}", Precondition.NONE), 428, "precondition-required");
    Command.Amend other = command("pay_2", "{}");
    assertFails(amend.run("acme", other, Precondition.NONE).result(), 404, "not-found");
    assertFails(amend.run("acme", other, ANY).result(), 404, "not-found");
    Command.Amend same = command("pay_1", "{}");
    assertFails(amend.run("other", same, ANY).result(), 404, "not-found");
    assertThat(stored().version()).isEqualTo(1);
  }

  @Test
  void metadataIsBoundedAfterTheMerge() {
    done(run("{'metadata':{" + members("a", 0, 50) + "}}", ANY));

    assertFails(run("{'metadata':{'one':1}}", ANY), 400, "invalid-request");
    String swap = members("a", 0, 50).replaceAll(":\\d+", ":null") + "," + members("b", 0, 50);
    JsonObject payment = done(run("{'metadata':{" + swap + "}}", ANY));

    assertThat(payment.getJsonObject("metadata").fieldNames()).hasSize(50).contains("b0", "b49");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'amount':1}            | /amount",
        "{'description':1}       | /description",
        "{'metadata':[]}         | /metadata",
        "{'metadata':{'a':{}}}   | /metadata/a",
        "{'metadata':{'a':[]}}   | /metadata/a",
        "[]                      | ``",
        "null                    | ``"
      })
  void rejectsInvalidPatches(String patch, String pointer) {
    assertThat(ErrorPointers.of(() -> command("pay_1", patch)).get(0)).isEqualTo(pointer);
  }

  @Test
  void concurrentChangesAreNotOverwritten() {
    MovingLedger moving = new MovingLedger(ledger, 1);
    AmendPayment racing = new AmendPayment(moving, lookup, () -> Instant.ofEpochMilli(9_000));

    JsonObject merged =
        done(racing.run("acme", command("pay_1", "{'metadata':{'a':1}}"), ANY).result());

    assertThat(merged.getLong("refunded_amount")).isEqualTo(1);
    assertThat(merged.getJsonObject("metadata").getInteger("a")).isEqualTo(1);
    assertThat(merged.getLong("version")).isEqualTo(3);
    moving = new MovingLedger(ledger, 1);
    racing = new AmendPayment(moving, lookup, () -> Instant.ofEpochMilli(9_000));
    assertFails(
        racing.run("acme", command("pay_1", "{}"), version(3)).result(),
        412,
        "precondition-failed");
  }

  @Test
  void givesUpOnAPaymentThatKeepsChanging() {
    MovingLedger moving = new MovingLedger(ledger, 1_000);
    AmendPayment racing = new AmendPayment(moving, lookup, () -> Instant.ofEpochMilli(9_000));

    assertFails(
        racing.run("acme", command("pay_1", "{'description':'x'}"), ANY).result(),
        503,
        "overloaded");
    assertThat(moving.writes).isEqualTo(AmendPayment.MAX_TRIES);
    assertThat(stored().details().description()).isEmpty();
  }

  @Test
  void fullLedgerAcceptsShorterTexts() {
    done(run("{'description':'long'}", ANY));
    budget.add(1 << 30);

    assertFails(run("{'description':'longer'}", ANY), 503, "overloaded");
    assertThat(done(run("{'description':'lon'}", ANY)).getString("description")).isEqualTo("lon");
  }

  /** Books a refund of 1 before each of the first writes. */
  private static final class MovingLedger extends ForwardingLedger {
    private final MemoryLedger delegate;
    private int moves;
    private int writes;

    MovingLedger(MemoryLedger delegate, int moves) {
      super(delegate);
      this.delegate = delegate;
      this.moves = moves;
    }

    @Override
    public Future<PaymentAmendment.Result> amendPayment(PaymentAmendment amendment) {
      writes++;
      if (moves-- > 0) {
        Payment payment = delegate.findPayment("acme", "pay_1").result().orElseThrow();
        BookRefund refund = LedgerFixtures.refund(payment, "re_" + payment.version(), 1);
        assertThat(delegate.apply(List.of(refund))).isEmpty();
      }
      return super.amendPayment(amendment);
    }
  }

  private OperationResult run(String patch, Precondition condition) {
    return amend.run("acme", command("pay_1", patch), condition).result();
  }

  private static JsonObject done(OperationResult conclusion) {
    assertThat(conclusion).isInstanceOf(Recorded.class);
    Recorded done = (Recorded) conclusion;
    assertThat(done.response().status()).isEqualTo(200);
    assertThat(done.response().version()).hasValue(done.response().body().getLong("version"));
    return done.response().body();
  }

  private static void assertFails(OperationResult conclusion, int status, String name) {
    assertThat(conclusion).isInstanceOf(Failed.class);
    assertThat(((Failed) conclusion).problem().status()).isEqualTo(status);
    assertThat(((Failed) conclusion).problem().name()).isEqualTo(name);
  }

  private Payment stored() {
    return ledger.findPayment("acme", "pay_1").result().orElseThrow();
  }

  private static Precondition version(long version) {
    return new Precondition(Optional.of(new OneOf(Set.of(version))), Optional.empty());
  }

  private static Command.Amend command(String payment, String patch) {
    byte[] json = patch.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    try {
      JsonNode body = StrictJson.parse(json, StrictJson.DEFAULT_MAX_DEPTH);
      return new PaymentSchema(method -> true).amend(payment, body);
    } catch (MalformedJsonException e) {
      throw new AssertionError(e.detail(), e);
    }
  }

  private static String members(String prefix, int from, int to) {
    StringBuilder members = new StringBuilder();
    for (int i = from; i < to; i++) {
      members
          .append(i == from ? "" : ",")
          .append('\'')
          .append(prefix)
          .append(i)
          .append("':")
          .append(i);
    }
    return members.toString();
  }
}
