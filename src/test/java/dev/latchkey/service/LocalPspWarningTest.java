package dev.latchkey.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.latchkey.service.cli.StoreConfig;
import dev.latchkey.service.cli.StoreKind;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LocalPspWarningTest {

  private final Logger logger = (Logger) LoggerFactory.getLogger(Wiring.class);
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  @BeforeEach
  void listen() {
    appender.start();
    logger.addAppender(appender);
  }

  @AfterEach
  void forget() {
    logger.detachAppender(appender);
  }

  private List<String> warnings(StoreKind store, Optional<URI> psp) {
    StoreConfig stores =
        new StoreConfig(
            store, store, Optional.empty(), Optional.empty(), 40, Optional.empty(), false);
    Wiring.warnOfLocalPsp(stores, psp);
    return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void warnsOfASharedStoreWithASimulatorInTheProcess() {
    assertThat(warnings(StoreKind.REDIS, Optional.empty()))
        .singleElement()
        .asString()
        .contains("one node", "restart", "redis", "--psp-url");
  }

  @Test
  void otherCombinationsAreSilent() {
    assertThat(warnings(StoreKind.MEMORY, Optional.empty())).isEmpty();
    assertThat(warnings(StoreKind.POSTGRES, Optional.of(URI.create("http://psp")))).isEmpty();
  }
}
