package dev.latchkey.load;

import static dev.latchkey.load.Loaded.small;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.load.BrokenService.Mode;
import org.junit.jupiter.api.Test;

/** What the PSP counts is held against what the service says. */
class LoadPspTest {

  @Test
  void chargesWithoutPaymentAreFound() {
    try (BrokenService service = new BrokenService(Mode.CHARGES_TWICE)) {
      assertThat(Loaded.run(small(service.url())).exitCode()).isZero();

      Loaded audited = Loaded.run(small(service.url(), "--psp-url", service.url()));
      assertThat(audited.exitCode()).isEqualTo(1);
      assertThat(audited.out()).contains("20 charges for 10 keys");
    }
  }

  @Test
  void severalChargesUnderOneKeyAreFound() {
    try (BrokenService service = new BrokenService(Mode.CHARGES_TWICE_UNDER_A_KEY)) {
      Loaded audited = Loaded.run(small(service.url(), "--psp-url", service.url()));

      assertThat(audited.exitCode()).isEqualTo(1);
      assertThat(audited.out()).contains("2 charges under its key").contains("under one key");
    }
  }

  @Test
  void countsBeforeTheRunAreSubtracted() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded.run(small(service.url()));
      Loaded audited = Loaded.run(small(service.url(), "--psp-url", service.url()));

      assertThat(audited.exitCode()).as(audited.out()).isZero();
      assertThat(audited.out()).contains("10 charges, at most 1");
    }
  }

  @Test
  void pspWithOtherUsersExitsWith2() {
    try (BrokenService service = new BrokenService(Mode.OTHER_USERS_CHARGE)) {
      Loaded loaded = Loaded.run(small(service.url(), "--psp-url", service.url()));

      assertThat(loaded.exitCode()).isEqualTo(2);
      assertThat(loaded.err()).contains("the PSP at " + service.url() + " has other users");
      assertThat(service.posts).hasValue(0);
    }
  }

  @Test
  void chargesUnknownToThePspAreViolations() {
    try (BrokenService service = new BrokenService(Mode.CORRECT);
        BrokenService other = new BrokenService(Mode.CORRECT)) {
      Loaded loaded = Loaded.run(small(service.url(), "--psp-url", other.url()));

      assertThat(loaded.exitCode()).isEqualTo(1);
      assertThat(loaded.out()).contains("0 charges for 10 keys").contains(": not found");
    }
  }

  @Test
  void unreachablePspExitsWith2() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded loaded =
          Loaded.withFewAttempts(small(service.url(), "--psp-url", "http://127.0.0.1:1"));

      assertThat(loaded.exitCode()).isEqualTo(2);
      assertThat(loaded.err()).contains("no counts from the PSP at http://127.0.0.1:1/stats");
      assertThat(service.posts).hasValue(0);
    }
  }

  @Test
  void unavailablePspIsReadOnce() {
    try (BrokenService service = new BrokenService(Mode.PSP_UNAVAILABLE)) {
      Loaded loaded = Loaded.run(small(service.url(), "--psp-url", service.url()));

      assertThat(loaded.exitCode()).isEqualTo(2);
      assertThat(loaded.err()).contains("no counts from the PSP at " + service.url() + "/stats");
      assertThat(service.statsReads).hasValue(1);
    }
  }
}
