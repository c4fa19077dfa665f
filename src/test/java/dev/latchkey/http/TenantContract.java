package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** That one tenant never sees, nor disturbs, what another does. */
interface TenantContract extends HttpContract {

  @Test
  default void theSameKeyOfTwoTenantsIsTwoPayments() {
    Node node = serve(Tenants.OPTIONS);
    String key = Scene.newKey();
    Answer acme = pay(node, Tenants.ACME, key).send().expect(201);
    Answer globex = pay(node, Tenants.GLOBEX, key).send().expect(201);

    assertThat(globex.id()).isNotEqualTo(acme.id());
    assertThat(globex.isReplayed()).isFalse();
    assertThat(scene().pspStats().charges()).isEqualTo(2);
    assertThat(pay(node, Tenants.ACME, key).send().lasting()).isEqualTo(acme.lasting());
    assertThat(pay(node, Tenants.GLOBEX, key).send().lasting()).isEqualTo(globex.lasting());
  }

  @Test
  default void anotherRequestOfAnotherTenantIsNotRefusedForTheKey() {
    Node node = serve(Tenants.OPTIONS);
    String key = Scene.newKey();
    node.psp().hold();
    Call.Sent acme = pay(node, Tenants.ACME, key).begin();
    node.psp().awaitHeld(1);
    Call.Sent globex = pay(node, Tenants.GLOBEX, key).of(2000).begin();
    node.psp().awaitHeld(2);

    node.psp().letGo();

    assertThat(acme.answer().expect(201).json().getInteger("amount")).isEqualTo(1000);
    assertThat(globex.answer().expect(201).json().getInteger("amount")).isEqualTo(2000);
  }

  @Test
  default void whatAnotherTenantHasIsNotFound() {
    Node node = serve(Tenants.OPTIONS);
    String key = Scene.newKey();
    String path = "/v1/payments/" + pay(node, Tenants.ACME, key).send().expect(201).id();

    node.get(path).header("Authorization", Tenants.GLOBEX).send().expectProblem(404, "not-found");
    node.post(path + "/refunds")
        .header("Authorization", Tenants.GLOBEX)
        .key(Scene.newKey())
        .send()
        .expectProblem(404, "not-found");
    Answer list =
        node.get("/v1/payments?idempotency_key=" + key)
            .header("Authorization", Tenants.GLOBEX)
            .send();
    assertThat(list.expect(200).json().getJsonArray("data")).isEmpty();
    node.get(path).header("Authorization", Tenants.ACME).send().expect(200);
    assertThat(scene().pspStats().refunds()).isZero();
  }

  private static Call pay(Node node, String authorization, String key) {
    return node.pay().key(key).header("Authorization", authorization);
  }
}
