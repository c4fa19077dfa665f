package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Effect;
import java.util.List;

/**
 * How effects of one kind are written, many at once, by the very statement that completes their
 * keys. Stateless; called on any thread.
 *
 * <p>The statement begins with the completions. It offers the rows of the effects whose claims were
 * still held as {@code NAME_input(ord, COLUMNS...)}, where {@code NAME} is {@link #name()} and
 * {@code ord} numbers the effects, and goes on with {@link #ctes()}, which ends in {@code
 * NAME_applied(ord)}: one row for each effect that applied. If any is missing, the store raises
 * inside the server, so that nothing of the statement remains, and sends the completions again one
 * by one to find the one that is refused. A constraint that fails has the same end.
 */
public interface EffectKind {

  /**
   * One column of the input.
   *
   * @param name an SQL identifier
   * @param type the SQL type of one value, such as {@code text}
   */
  record Column(String name, String type) {}

  /** Returns a name for SQL: lower-case letters and underscores. */
  String name();

  /** Returns the columns of the input, in the order of {@link #values}. */
  List<Column> columns();

  /**
   * Returns the values of one effect as the driver takes them, null included: a {@code Long} for a
   * {@code bigint}, not an {@code Integer}. Where they do not fit their columns, or this throws,
   * the completion fails as not done, and none beside it.
   *
   * @param effect of this kind
   * @return as many as there are columns
   */
  Object[] values(Effect effect);

  /**
   * Names the business row that an effect changes. A statement takes at most one effect per row,
   * since a set-based write applies only one of two; the other waits for the next statement.
   *
   * @param effect of this kind
   * @return the same text for the same row, whatever the kind
   */
  String row(Effect effect);

  /**
   * Returns the common table expressions that write the input, separated by commas. They must lock
   * the rows that they change in the order of {@link #row}, and touch none but those.
   *
   * <p>The statement is planned once, perhaps while the tables are empty, and a join of the input
   * with a table is then planned as a scan of all of it, by its index too. Name the rows besides:
   * {@code JOIN t ON t.id = i.id AND t.id = ANY (ARRAY(SELECT id FROM NAME_input))} can only go to
   * those. Changing rows by {@code ctid}, as the keys are, is not for business rows: one that
   * changed while it was waited for would count as refused.
   */
  String ctes();
}
