package dev.latchkey.store.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.redis.RedisKeys;
import dev.latchkey.store.redis.connection.ServerError.Meaning;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of keys, addresses of servers, and texts of errors. */
class RedisNamesTest {

  private static final List<String> ODD =
      List.of("a", "A", "a:b", "{a}", "}", "{", "%", "%0025", " ", "a b", "\u00e9", "\ud800", "\0");

  @Test
  void namesOfDifferentKeysDiffer() {
    Set<String> names = new HashSet<>();
    for (String tenant : ODD) {
      for (String key : ODD) {
        assertThat(names.add(RedisKeys.records(tenant, key))).as("%s %s", tenant, key).isTrue();
        assertThat(names.add(RedisKeys.name(tenant, "list", key))).isTrue();
      }
      assertThat(names.add(RedisKeys.global("charge", tenant))).isTrue();
    }
    assertThat(names).allMatch(name -> name.chars().allMatch(c -> c > ' ' && c <= '~'));
  }

  @Test
  void allKeysOfATenantShareASlot() {
    for (String tenant : ODD) {
      int slot = SlotMap.slotOf(RedisKeys.records(tenant, "k"));
      assertThat(SlotMap.slotOf(RedisKeys.name(tenant, "list", "{x}"))).isEqualTo(slot);
    }
  }

  @Test
  void publishedKeysAreParsed() {
    for (String odd : ODD) {
      ScopedKey key = new ScopedKey("t" + odd, "POST /v1/:id" + odd, "k" + odd);
      String published =
          RedisKeys.records(key.tenant(), key.key()) + " " + RedisKeys.escaped(key.route());
      assertThat(RedisKeys.published(published)).isEqualTo(key);
    }
    for (String foreign : List.of("", "latchkey:{a}:key:b", "x y", "latchkey:{a b}:key:c")) {
      assertThatThrownBy(() -> RedisKeys.published(foreign))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** From {@code CLUSTER KEYSLOT}. */
  @ParameterizedTest
  @CsvSource({"123456789, 12739", "'{user1000}.following', 3443", "'foo{}{bar}', 8363", "a, 15495"})
  void slotsMatchThoseOfRedis(String key, int slot) {
    assertThat(SlotMap.slotOf(key)).isEqualTo(slot);
  }

  @ParameterizedTest
  @CsvSource({
    "redis://h:1/0,              h,    1, redis://x:2/0",
    "redis://h,                  h, 6379, redis://x:2",
    "rediss://u:p%40@h:1/0?a=b,  h,    1, rediss://u:p%40@x:2/0?a=b",
    "'redis://[::1]:7/0',      ::1,    7, redis://x:2/0"
  })
  void addressesAreParsedAndReplaced(String endpoint, String host, int port, String other) {
    assertThat(RedisAddress.of(endpoint)).isEqualTo(new RedisAddress(host, port));
    assertThat(new RedisAddress("x", 2).endpointLike(endpoint)).isEqualTo(other);
  }

  @Test
  void invalidAddressDoesNotShowItsPassword() {
    assertThatThrownBy(() -> RedisAddress.of("http://user:secret@host:1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OOM command not allowed when used memory > 'maxmemory'.",
        "ERR Error running script (call to f_1): @user_script:12: -OOM command not allowed when x",
        "READONLY You can't write against a read only replica. script: 1, on @user_script:3.",
        "LOADING Redis is loading the dataset in memory",
        "ERR Error running script (call to f_1): @user_script:9: user_script:9: LATCHKEYVERSION a"
      })
  void refusalsAreRecognised(String error) {
    assertThat(ServerError.of(error).meaning()).isEqualTo(Meaning.REFUSED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NOPERM this user has no permissions to run the 'role' command or its subcommand",
        "ERR unknown command 'CONFIG', with args beginning with: 'GET' 'save' ",
        "ERR unknown command `CONFIG`, with args beginning with: `GET`, `save`, "
      })
  void forbiddenCommandIsRecognised(String error) {
    assertThat(ServerError.of(error).meaning()).isEqualTo(Meaning.FORBIDDEN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ERR Unknown Redis command called from script script: f_1",
        "WRONGTYPE Operation against a key",
        "ERR user_script:3: attempt to index a nil value"
      })
  void errorWithinAScriptIsNotARefusal(String error) {
    assertThat(ServerError.of(error).meaning()).isEqualTo(Meaning.BROKEN);
  }

  @Test
  void redirectionNamesTheServer() {
    RedisAddress from = new RedisAddress("h", 1);
    ServerError moved = ServerError.of("MOVED 3999 127.0.0.1:6381");
    assertThat(moved.meaning()).isEqualTo(Meaning.MOVED);
    assertThat(moved.slot()).isEqualTo(3999);
    assertThat(moved.address(from)).isEqualTo(new RedisAddress("127.0.0.1", 6381));
    ServerError ask = ServerError.of("ASK 3999 :6381");
    assertThat(ask.meaning()).isEqualTo(Meaning.ASK);
    assertThat(ask.address(from)).isEqualTo(new RedisAddress("h", 6381));
  }
}
