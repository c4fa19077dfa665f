package dev.latchkey.testing;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may depend on whom. A package that does not exist yet breaks no rule. */
class PackageRulesTest {

  private static final String ROOT = "dev.latchkey";
  private static final String CORE = ROOT + ".core..";
  private static final String SPI = ROOT + ".core.spi..";
  private static final String WEB = ROOT + ".web..";
  private static final String[] WEB_INTERNALS = {
    ROOT + ".web.impl..", ROOT + ".web.capture..", ROOT + ".web.fingerprint.."
  };
  private static final String NET = ROOT + ".net..";
  private static final String JSON = ROOT + ".json..";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void seesTheClasses() {
    assertThat(CLASSES).hasSizeGreaterThan(20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"payments", "ledger", "psp", "events", "service", "load"})
  void libraryKnowsNothingOfTheService(String service) {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(WEB, CORE, JSON, NET, ROOT + ".store..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + "." + service + ".."));
  }

  @Test
  void engineKnowsNeitherHttpNorStores() {
    check(from(CORE).should().dependOnClassesThat(oursOutside(CORE, NET)));
    check(from(CORE).should().dependOnClassesThat(resideInAPackage("io.vertx.ext.web..")));
  }

  @Test
  void spiStandsAlone() {
    check(from(SPI).should().dependOnClassesThat(oursOutside(SPI)));
  }

  @Test
  void internalsOfTheHandlerAreImportedByWebAlone() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(WEB)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(WEB_INTERNALS));
  }

  @Test
  void storesKnowTheSpiAlone() {
    String stores = ROOT + ".store..";
    check(from(stores).should().dependOnClassesThat(oursOutside(SPI, NET, stores)));
    for (String store : new String[] {"memory", "postgres", "redis"}) {
      String own = ROOT + ".store." + store + "..";
      check(from(own).should().dependOnClassesThat(oursOutside(SPI, NET, own, ROOT + ".store")));
    }
  }

  @Test
  void loadStandsAlone() {
    String load = ROOT + ".load..";
    check(from(load).should().dependOnClassesThat(oursOutside(load, NET)));
  }

  @Test
  void netStandsAlone() {
    check(from(NET).should().dependOnClassesThat(oursOutside(NET)));
  }

  @Test
  void jsonKnowsNetAlone() {
    check(from(JSON).should().dependOnClassesThat(oursOutside(JSON, NET)));
  }

  @Test
  void pspKnowsNetAlone() {
    String psp = ROOT + ".psp..";
    check(from(psp).should().dependOnClassesThat(oursOutside(psp, NET)));
  }

  @Test
  void ledgerKnowsNothingAboveIt() {
    check(
        from(ROOT + ".ledger..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT + ".payments..", ROOT + ".service.."));
  }

  @Test
  void namesSayWhatAClassIs() {
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT + "..")
            .should()
            .haveSimpleNameEndingWith("Manager")
            .orShould()
            .haveSimpleNameEndingWith("Helper")
            .orShould()
            .haveSimpleNameEndingWith("Util")
            .orShould()
            .haveSimpleNameEndingWith("Utils"));
  }

  @Test
  void nobodySleeps() {
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT + "..")
            .should()
            .callMethodWhere(
                DescribedPredicate.describe(
                    "puts a thread to sleep",
                    call ->
                        call.getTargetOwner().isEquivalentTo(Thread.class)
                            && call.getName().equals("sleep"))));
  }

  @Test
  void noCyclesButBetweenTheHandlerAndItsImplementation() {
    SlicesRuleDefinition.slices()
        .matching(ROOT + ".(**)")
        .should()
        .beFreeOfCycles()
        .ignoreDependency(resideInAPackage(ROOT + ".web"), resideInAnyPackage(WEB_INTERNALS))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void wouldNoticeAnOffender() {
    // The same predicate over a dependency that is there: the handler does use the engine.
    ArchRule rule = from(ROOT + ".web.impl").should().dependOnClassesThat(oursOutside(WEB));
    assertThat(rule.evaluate(CLASSES).hasViolation()).isTrue();
    assertThat(CLASSES.get(ROOT + ".web.IdempotencyHandler").getDirectDependenciesFromSelf())
        .extracting(Dependency::getTargetClass)
        .extracting(JavaClass::getPackageName)
        .contains(ROOT + ".web.impl");
  }

  private static GivenClassesConjunction from(String packages) {
    return noClasses().that().resideInAPackage(packages);
  }

  private static DescribedPredicate<JavaClass> oursOutside(String... allowed) {
    return resideInAPackage(ROOT + "..").and(not(resideInAnyPackage(allowed)));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(CLASSES);
  }
}
