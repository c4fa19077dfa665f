package dev.latchkey.service.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.impl.RedisURI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisLocationTest {

  @Test
  void takesOneServer() throws Exception {
    RedisOptions options = RedisLocation.parse("redis://127.0.0.1:7000/0").redisOptions();
    assertThat(options.getType()).isEqualTo(RedisClientType.STANDALONE);
    assertThat(options.getEndpoints()).containsExactly("redis://127.0.0.1:7000/0");
    assertThat(options.getNetClientOptions().isSsl()).isFalse();
    assertThat(RedisLocation.parse("redis://h").redisOptions().getEndpoints())
        .containsExactly("redis://h:6379/0");
    assertThat(RedisLocation.parse("redis://[::1]/3").redisOptions().getEndpoints())
        .containsExactly("redis://[::1]:6379/3");
  }

  @Test
  void takesTheNodesOfACluster() throws Exception {
    RedisLocation location = RedisLocation.parse("redis://:p@a:1/0,redis://:p@b:2,redis://:p@c");
    assertThat(location.redisOptions().getType()).isEqualTo(RedisClientType.CLUSTER);
    assertThat(location.redisOptions().getEndpoints())
        .containsExactly("redis://:p@a:1/0", "redis://:p@b:2/0", "redis://:p@c:6379/0");
    assertThat(location).hasToString("redis://a:1/0,redis://b:2/,redis://c/");
  }

  @Test
  void theDriverReadsBackWhatWasWritten() throws Exception {
    String endpoint =
        RedisLocation.parse("rediss://j%40o:p%3Aw%2F+%25%20%2Cx@h:1/0")
            .redisOptions()
            .getEndpoints()
            .get(0);
    RedisURI read = new RedisURI(endpoint);
    assertThat(read.user()).isEqualTo("j@o");
    assertThat(read.password()).isEqualTo("p:w/+% ,x");
    assertThat(read.ssl()).isTrue();
  }

  @Test
  void speaksTlsAndChecksTheName() throws Exception {
    RedisOptions options = RedisLocation.parse("rediss://h").redisOptions();
    assertThat(options.getNetClientOptions().isSsl()).isTrue();
    assertThat(options.getNetClientOptions().getHostnameVerificationAlgorithm()).isEqualTo("HTTPS");
    assertThat(options.getNetClientOptions().isTrustAll()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | begin with redis://",
        "http://:s3cret@h | begin with redis://",
        "redis://:s3,cret@h | begin with redis://",
        "redis://a,b | begin with redis://",
        "redis:// | no host",
        "redis://:s3cret@ | no host",
        "redis://a, | begin with redis://",
        "redis://:s3cret@h:0 | port",
        "redis://:s3cret@h:99999 | port",
        "redis://u:s3cret | port",
        "redis://s3cret@h | no password",
        "redis://h/x | database",
        "redis://h/-1 | database",
        "redis://h/0/1 | too many /",
        "redis://h?db=1 | unknown parameter 'db'",
        "redis://h?password=s3cret | unknown parameter 'password'",
        "redis://h?sslrootcert=/x | rediss://",
        "rediss://h?sslrootcert=/no/file | '/no/file' cannot be read",
        "redis://a/1,redis://b/1 | database but 0",
        "redis://a,rediss://b | differ",
        "redis://:s3cret@a,redis://b | differ",
        "redis://:s3cret@a,redis://:cret@b | differ"
      })
  void refusesAndShowsNoSecret(String uri, String told) {
    assertThatThrownBy(() -> RedisLocation.parse(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(told)
        .message()
        .doesNotContain("s3", "cret", "\n");
  }

  @Test
  void textHasNoSecret() throws Exception {
    assertThat(RedisLocation.parse("redis://jo:s3cret@h:1/0")).hasToString("redis://h:1/0");
  }
}
