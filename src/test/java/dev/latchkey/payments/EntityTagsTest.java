package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.ledger.Precondition;
import dev.latchkey.ledger.Precondition.Any;
import dev.latchkey.ledger.Precondition.OneOf;
import io.vertx.core.MultiMap;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Entity tags and the conditions made of them. */
class EntityTagsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"1\"                         | 1   | 1",
        "W/\"1\"                       | ``  | 1",
        "\"1\", W/\"2\",\"3\"          | 1 3 | 1 2 3",
        "\"1\" ,, ,\"2\",              | 1 2 | 1 2",
        ", \"1\"                       | 1   | 1",
        "\"a,b\", \"4\"                | 4   | 4",
        "\"\"                          | ``  | ``",
        "\"01\", \"-1\", \"+1\", \"0\" | ``  | ``",
        "\"9223372036854775808\"       | ``  | ``",
        "\"\\\", \"1\"                 | 1   | 1"
      })
  void readsLists(String list, String strongly, String weakly) {
    assertThat(EntityTags.versions(list, false)).contains(new OneOf(numbers(strongly)));
    assertThat(EntityTags.versions(list, true)).contains(new OneOf(numbers(weakly)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "1",
        "\"1",
        "1\"",
        "\"1\" \"2\"",
        "\"1\"\"2\"",
        "w/\"1\"",
        "W/ \"1\"",
        "*, \"1\"",
        "\"1\", *",
        "\"a b\"",
        "'1'",
        "\"1\";\"2\""
      })
  void rejectsMalformedLists(String text) {
    assertThat(EntityTags.versions(text, true)).isEmpty();
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().set("If-Match", text);
    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(() -> EntityTags.precondition(headers));
  }

  @Test
  void aLongListIsReadInOneGo() {
    String list = "\"x\",".repeat(4_000) + "\"7\"" + ", ".repeat(4_000);

    assertThat(EntityTags.versions(list, true)).contains(new OneOf(Set.of(7L)));
  }

  @Test
  void severalLinesAreOneList() {
    MultiMap headers =
        MultiMap.caseInsensitiveMultiMap()
            .add("if-match", "\"1\"")
            .add("if-match", "\"2\"")
            .add("if-none-match", " * ");

    Precondition condition = EntityTags.precondition(headers);

    assertThat(condition.ifMatch()).contains(new OneOf(Set.of(1L, 2L)));
    assertThat(condition.ifNoneMatch()).contains(new Any());
    assertThat(condition.holds(OptionalLong.of(1))).isFalse();
  }

  @Test
  void nothingSaidIsNoCondition() {
    assertThat(EntityTags.precondition(MultiMap.caseInsensitiveMultiMap()))
        .isEqualTo(Precondition.NONE);
    assertThat(Precondition.NONE.holds(OptionalLong.empty())).isTrue();
  }

  private static Set<Long> numbers(String text) {
    return Arrays.stream(text.split(" "))
        .filter(it -> !it.isEmpty())
        .map(Long::valueOf)
        .collect(Collectors.toSet());
  }
}
