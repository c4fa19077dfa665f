package dev.latchkey.testing.servers;

import dev.latchkey.testing.servers.CuttingProxy.Action;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * One place of a dialogue at which to cut it, found in the record of an undisturbed one.
 *
 * @param direction where the message goes
 * @param type its type byte
 * @param sql the statement that it belongs to, or empty
 * @param nth the how-manieth such message of the dialogue, from 1
 * @param action what to do there
 */
public record CutPoint(Direction direction, char type, String sql, int nth, Action action) {

  private static final int SHOWN_CHARS = 60;
  private static final int RECORDS = 3;

  /** Both sides of every message of a dialogue that counts. */
  public static List<CutPoint> of(List<PgMessage> dialogue, Predicate<PgMessage> counts) {
    List<CutPoint> points = new ArrayList<>();
    Map<CutPoint, Integer> seen = new HashMap<>();
    for (PgMessage message : dialogue) {
      boolean placed = !message.sql().isEmpty() || message.type() == 'A';
      if (placed && counts.test(message)) {
        CutPoint first = at(message, 1, Action.CUT_BEFORE);
        int nth = seen.merge(first, 1, Integer::sum);
        points.add(at(message, nth, Action.CUT_BEFORE));
        points.add(at(message, nth, Action.CUT_AFTER));
      }
    }
    return points;
  }

  /**
   * The points that several records have in common: what a stalled machine makes one of them say
   * once more, such as a second renewal, is left to chance.
   */
  public static List<CutPoint> inCommon(Callable<List<CutPoint>> record) {
    try {
      List<CutPoint> common = record.call();
      for (int i = 1; i < RECORDS; i++) {
        Set<CutPoint> again = new HashSet<>(record.call());
        common = common.stream().filter(again::contains).toList();
      }
      return common;
    } catch (Exception failed) {
      throw new AssertionError("nothing to record", failed);
    }
  }

  private static CutPoint at(PgMessage message, int nth, Action action) {
    return new CutPoint(message.direction(), message.type(), message.sql(), nth, action);
  }

  /** Lets a proxy act here once. */
  public CompletableFuture<PgMessage> arm(CuttingProxy proxy) {
    return proxy.at(this::matches, nth, action);
  }

  private boolean matches(PgMessage message) {
    return message.direction() == direction && message.type() == type && message.sql().equals(sql);
  }

  @Override
  public String toString() {
    String words = sql.replaceAll("\\s+", " ");
    String shown = words.length() > SHOWN_CHARS ? words.substring(0, SHOWN_CHARS) : words;
    return action + " " + direction + " " + type + " " + nth + " " + shown;
  }
}
