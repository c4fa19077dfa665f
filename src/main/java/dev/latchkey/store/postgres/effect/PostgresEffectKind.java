package dev.latchkey.store.postgres.effect;

import dev.latchkey.core.spi.Effect;
import java.util.List;

/**
 * How effects of one kind are written, many at once, by the statement that completes their keys.
 * Stateless; called on any thread.
 *
 * <p>The statement begins with the completions. It provides the effects whose claims were still
 * held as rows of {@code NAME_input(ord, COLUMNS...)}, where {@code NAME} is {@link #name()} and
 * {@code ord} numbers the effects. Then follow {@link #ctes()}, which end in {@code
 * NAME_applied(ord)}: one row for each effect that applied. If one is missing, or a constraint
 * fails, the server aborts the statement, and the store sends the completions again one by one to
 * find the refused one.
 */
public interface PostgresEffectKind {

  /**
   * A column of the input.
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
   * Returns the values of an effect as the driver expects them, null included: a {@code Long} for a
   * {@code bigint}, not an {@code Integer}. If they do not fit their columns, or this method
   * throws, only this completion fails, as not done.
   *
   * @param effect of this kind
   * @return as many as there are columns
   */
  Object[] values(Effect effect);

  /**
   * Names the business row that an effect changes. A statement has at most one effect per row,
   * since a set-based write would apply only one of two; the other one waits for the next
   * statement.
   *
   * @param effect of this kind
   * @return the same text for the same row, whatever the kind
   */
  String row(Effect effect);

  /**
   * Returns the common table expressions that write the input, separated by commas. They must lock
   * the rows that they change in the order of {@link #row}, and change no other rows.
   *
   * <p>The statement is planned once, perhaps while the tables are empty, and a join of the input
   * with a table is then planned as a scan of the whole table. So name the rows as well: {@code
   * JOIN t ON t.id = i.id AND t.id = ANY (ARRAY(SELECT id FROM NAME_input))} reads only those. Do
   * not change business rows by {@code ctid}, as the store does with keys: a row that changed while
   * the statement waited for it would count as refused.
   */
  String ctes();
}
