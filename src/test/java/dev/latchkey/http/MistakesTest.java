package dev.latchkey.http;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The one mistake of {@link MistakesContract} that no store has to do with. */
class MistakesTest {

  private static final JavaClasses LAYER =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.latchkey.web");

  private static final Set<String> CLOCKS =
      Set.of(Clock.class.getName(), InstantSource.class.getName());

  @Test
  @DisplayName("mistake 15: the node's own clock decides leases and expiry")
  void mistake15() {
    noClasses()
        .should()
        .callCodeUnitWhere(
            DescribedPredicate.describe("reads a wall clock", MistakesTest::readsAWallClock))
        .check(LAYER);
  }

  private static boolean readsAWallClock(JavaCall<?> call) {
    String owner = call.getTargetOwner().getName();
    return CLOCKS.contains(owner)
        || (owner.equals(Date.class.getName()) && call.getTarget().getRawParameterTypes().isEmpty())
        || (owner.equals(Instant.class.getName()) && call.getName().equals("now"))
        || (owner.equals(System.class.getName()) && call.getName().equals("currentTimeMillis"));
  }
}
