package dev.latchkey.testing;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import dev.latchkey.json.StrictJson;
import dev.latchkey.psp.PspJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Dependencies between packages point down; for classes, resource paths and SQL. */
class PackageRulesTest {

  private static final String ROOT = "dev.latchkey";

  /** A package, and the packages that it may use besides itself. */
  record Row(String name, List<String> mayUse) {

    static Row of(String name, String... mayUse) {
      return new Row(name, List.of(mayUse));
    }

    /** Returns the rule: its classes depend on no other class of ours. */
    ArchRule rule() {
      String[] allowed =
          Stream.concat(Stream.of(name), mayUse.stream())
              .map(PackageRulesTest::within)
              .toArray(String[]::new);
      DescribedPredicate<JavaClass> others =
          resideInAPackage(ROOT + "..").and(not(resideInAnyPackage(allowed)));
      return noClasses().that().resideInAPackage(within(name)).should().dependOnClassesThat(others);
    }
  }

  /** Every package, from the top down. */
  private static final List<Row> ROWS =
      List.of(
          Row.of(
              "service",
              "payments",
              "ledger",
              "psp",
              "load",
              "store",
              "web",
              "core",
              "json",
              "net"),
          Row.of("payments", "ledger", "psp", "web", "core.spi", "json", "net"),
          Row.of("ledger", "store", "core.spi", "net"),
          Row.of("psp", "json", "net"),
          Row.of("load", "net"),
          Row.of("client", "net"),
          Row.of("store", "core.spi", "net"),
          Row.of("web", "core", "json", "net"),
          Row.of("core", "net"),
          Row.of("json", "net"),
          Row.of("net"));

  /** Rules within a package. */
  private static final List<Row> INNER_ROWS =
      List.of(
          Row.of("core.spi"),
          Row.of("web.capture", "core.spi", "net"),
          Row.of("web.fingerprint", "core.spi", "json"));

  private static final List<String> NAMES = ROWS.stream().map(Row::name).toList();

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @ParameterizedTest
  @FieldSource({"ROWS", "INNER_ROWS"})
  void packageUsesWhatItMay(Row row) {
    row.rule().check(CLASSES);
  }

  /** The two that build one give it no symbol table. */
  @Test
  void parsersOfNamesFromOthersShareNoSymbolTable() {
    noClasses()
        .that(not(belongToAnyOf(StrictJson.class)))
        .and()
        .haveSimpleNameNotContaining("MetadataText")
        .should()
        .callMethod(JsonFactory.class, "builder")
        .orShould()
        .callConstructor(JsonFactory.class)
        .orShould()
        .callConstructor(JsonFactoryBuilder.class)
        .check(CLASSES);
    assertThat(PspJson.strict().build().getFactory())
        .matches(it -> !it.isEnabled(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES))
        .matches(it -> !it.isEnabled(JsonFactory.Feature.INTERN_FIELD_NAMES));
  }

  @Test
  void everyPackageHasARow() {
    Set<String> packages = new TreeSet<>();
    for (JavaClass type : CLASSES) {
      if (!type.getName().equals(ROOT + ".Main")) {
        packages.add(type.getPackageName().split("\\.")[2]);
      }
    }
    assertThat(packages).containsExactlyInAnyOrderElementsOf(NAMES);
  }

  @Test
  void rowsPointDown() {
    for (Row row : ROWS) {
      for (String used : row.mayUse()) {
        assertThat(NAMES.indexOf(used.split("\\.")[0]))
            .as("%s uses %s", row.name(), used)
            .isGreaterThan(NAMES.indexOf(row.name()));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "postgres", "redis"})
  void storesDoNotKnowEachOther(String store) {
    String own = within("store." + store);
    noClasses()
        .that()
        .resideInAPackage(own)
        .should()
        .dependOnClassesThat(
            resideInAPackage(within("store")).and(not(resideInAnyPackage(ROOT + ".store", own))))
        .check(CLASSES);
  }

  @Test
  void internalsAreUsedByTheirOwnPackage() {
    String[] web = {within("web.impl"), within("web.capture"), within("web.fingerprint")};
    noClasses()
        .that()
        .resideOutsideOfPackage(within("web"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(web)
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".psp")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(within("psp.simulator"))
        .check(CLASSES);
  }

  @Test
  void engineKnowsNoHttp() {
    noClasses()
        .that()
        .resideInAPackage(within("core"))
        .should()
        .dependOnClassesThat(resideInAnyPackage("io.vertx.ext..", "io.vertx.core.http.."))
        .check(CLASSES);
  }

  /** Resource paths and class names in strings follow the same rules. */
  @Test
  void classesNameNoPackageAboveThem() throws IOException {
    Pattern ours = Pattern.compile("dev[/.]latchkey[/.]([a-z]+)");
    for (JavaClass type : CLASSES) {
      String own = type.getName().equals(ROOT + ".Main") ? "service" : packageOf(type);
      for (MatchResult named : ours.matcher(bytes(type)).results().toList()) {
        int row = NAMES.indexOf(named.group(1));
        assertThat(row < 0 || row >= NAMES.indexOf(own))
            .as("%s names %s", type.getName(), named.group())
            .isTrue();
      }
    }
  }

  @Test
  void migrationsNameTheTablesOfTheirOwnPackage() throws IOException {
    assertThat(sqlNames("store/postgres/migration/V1__keys.sql"))
        .isNotEmpty()
        .allMatch(name -> name.startsWith("latchkey_"));
    assertThat(sqlNames("ledger/postgres/migration/V1__ledger.sql"))
        .isNotEmpty()
        .noneMatch(name -> name.startsWith("latchkey_"));
  }

  @Test
  void sqlOfTheStoresNamesNoTableOfTheLedger() throws IOException {
    for (JavaClass type : CLASSES) {
      if (NAMES.indexOf(packageOf(type)) >= NAMES.indexOf("psp")) {
        assertThat(bytes(type)).as(type.getName()).doesNotContain("ledger_", "outbox_events");
      }
    }
  }

  @Test
  void namesSayWhatAClassIs() {
    noClasses().should().haveNameMatching(".*(Manager|Helper|Utils?)").check(CLASSES);
  }

  @Test
  void nothingSleeps() {
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(CLASSES);
  }

  @Test
  void packagesHaveNoCyclesExceptTheHandlerAndItsImplementation() {
    SlicesRuleDefinition.slices()
        .matching(ROOT + ".(**)")
        .should()
        .beFreeOfCycles()
        .ignoreDependency(
            resideInAPackage(ROOT + ".web"),
            resideInAnyPackage(
                within("web.impl"), within("web.capture"), within("web.fingerprint")))
        .check(CLASSES);
  }

  @Test
  void ruleNamesTheOffender() {
    // The handler does use the engine, so a row that forbids it must report that.
    assertThat(Row.of("web", "core.spi", "json").rule().evaluate(CLASSES).getFailureReport())
        .extracting(report -> String.join("\n", report.getDetails()))
        .asString()
        .contains("dev.latchkey.core.IdempotencyListener");
  }

  private static String within(String name) {
    return ROOT + "." + name + "..";
  }

  private static String packageOf(JavaClass type) {
    String[] parts = type.getPackageName().split("\\.");
    return parts.length > 2 ? parts[2] : "service";
  }

  private static String bytes(JavaClass type) throws IOException {
    try (InputStream in = type.getSource().orElseThrow().getUri().toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  /** Returns what a migration creates, and the tables that it refers to. */
  private static List<String> sqlNames(String migration) throws IOException {
    String path = "/dev/latchkey/" + migration;
    try (InputStream in = PackageRulesTest.class.getResourceAsStream(path)) {
      String sql = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      Matcher matcher =
          Pattern.compile(
                  "(?m)^\\s*CREATE (?:\\w+ )?(?:TABLE|INDEX|FUNCTION|SEQUENCE|TRIGGER)"
                      + " (\\w+)|REFERENCES (\\w+)")
              .matcher(sql);
      List<String> names = new ArrayList<>();
      while (matcher.find()) {
        names.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
      }
      return names;
    }
  }
}
