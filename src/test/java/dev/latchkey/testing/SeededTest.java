package dev.latchkey.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A test of random samples: runs once for each seed from 0, with a {@link Random} of that seed as
 * its parameter. The samples are the same in every build; a failure names the seed.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@ArgumentsSource(SeededTest.Seeds.class)
public @interface SeededTest {

  /** Returns how many seeds to run. */
  int value() default 1_000;

  /** Supplies the generators. */
  final class Seeds implements ArgumentsProvider {

    @Override
    public Stream<? extends Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      int count = context.getRequiredTestMethod().getAnnotation(SeededTest.class).value();
      return LongStream.range(0, count)
          .mapToObj(seed -> Arguments.of(Named.of("seed " + seed, new Random(seed))));
    }
  }
}
