package dev.latchkey.net;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutageTest {

  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
  private final Logger log = new LoggerContext().getLogger("test");
  private final Outage outage = new Outage(log);
  private final Object one = new Object();
  private final Object other = new Object();

  @BeforeEach
  void record() {
    appender.start();
    log.addAppender(appender);
  }

  private List<String> lines() {
    return appender.list.stream()
        .map(it -> it.getLevel() + " " + it.getFormattedMessage())
        .toList();
  }

  @Test
  void isLoggedOnceWhenItBeginsAndOnceWhenItEnds() {
    outage.lost(one, "Redis at a:1", "refused");
    outage.lost(one, "Redis at a:1", "timeout");
    outage.lost(other, "Redis at b:1", "refused");
    assertThat(lines()).containsExactly("WARN Redis at a:1 is lost: refused; reconnecting");

    outage.recovered(one);
    assertThat(lines()).hasSize(1);
    outage.recovered(other);

    assertThat(lines())
        .hasSize(2)
        .last()
        .asString()
        .matches("INFO Redis at a:1 is back after \\d+ ms");
  }

  @Test
  void connectionThatWasNotLostChangesNothing() {
    outage.recovered(one);

    assertThat(lines()).isEmpty();
  }
}
