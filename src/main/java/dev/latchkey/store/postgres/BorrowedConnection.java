package dev.latchkey.store.postgres;

import io.vertx.core.Future;
import io.vertx.sqlclient.Cursor;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.Query;
import io.vertx.sqlclient.RowStream;
import io.vertx.sqlclient.SqlConnection;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection lent to an application for a transaction: it can neither be closed nor end the
 * transaction, and nothing that was made from it works afterwards. Safe for any thread.
 */
final class BorrowedConnection {

  private static final Set<String> FORBIDDEN =
      Set.of("begin", "transaction", "closeHandler", "exceptionHandler");

  /** The types that send over a connection; subtypes come first. */
  private static final List<Class<?>> SENDING =
      List.of(
          SqlConnection.class,
          PreparedQuery.class,
          Query.class,
          PreparedStatement.class,
          Cursor.class,
          RowStream.class);

  private final SqlConnection connection;
  private volatile boolean ended;

  BorrowedConnection(SqlConnection lent) {
    connection = (SqlConnection) guarded(SqlConnection.class, lent);
  }

  SqlConnection connection() {
    return connection;
  }

  void end() {
    ended = true;
  }

  private Object guarded(Class<?> type, Object target) {
    return Proxy.newProxyInstance(
        BorrowedConnection.class.getClassLoader(),
        new Class<?>[] {type},
        (self, method, arguments) -> call(target, method, arguments));
  }

  private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getDeclaringClass() != Object.class) {
      boolean forbidden = target instanceof SqlConnection && isForbidden(method);
      if (ended || forbidden) {
        return refuse(method, ended ? "its transaction is over" : "the transaction is the store's");
      }
    }
    try {
      return guardedResult(method.invoke(target, arguments));
    } catch (InvocationTargetException thrown) {
      throw thrown.getTargetException();
    }
  }

  private static boolean isForbidden(Method method) {
    return FORBIDDEN.contains(method.getName()) || method.getName().equals("close");
  }

  private static Object refuse(Method method, String why) {
    IllegalStateException refusal =
        new IllegalStateException(method.getName() + " on a lent connection: " + why);
    if (Future.class.isAssignableFrom(method.getReturnType())) {
      return Future.failedFuture(refusal);
    }
    throw refusal;
  }

  private @Nullable Object guardedResult(@Nullable Object result) {
    if (result instanceof Future<?> future) {
      return future.map(this::guardedResult);
    }
    for (Class<?> type : SENDING) {
      if (type.isInstance(result)) {
        return guarded(type, result);
      }
    }
    return result;
  }
}
