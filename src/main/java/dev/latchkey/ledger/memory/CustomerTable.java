package dev.latchkey.ledger.memory;

import dev.latchkey.ledger.Customer;
import dev.latchkey.ledger.CustomerPut;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Customers by tenant and id. Not thread-safe, like {@link PaymentTable}. */
final class CustomerTable {

  private final Map<Id, Customer> customers = new HashMap<>();

  /** Comparable, so that ids with colliding hashes, which clients choose, stay fast to find. */
  private record Id(String tenant, String id) implements Comparable<Id> {
    @Override
    public int compareTo(Id other) {
      int byId = id.compareTo(other.id);
      return byId == 0 ? tenant.compareTo(other.tenant) : byId;
    }
  }

  /** The result of a put and the bytes by which the table grew. */
  record Written(CustomerPut.Result result, long grownBytes) {}

  Optional<Customer> find(String tenant, String id) {
    return Optional.ofNullable(customers.get(new Id(tenant, id)));
  }

  /** Stores a customer. Without room, a put that needs more bytes is rejected. */
  Written put(CustomerPut put, boolean room) {
    Id id = new Id(put.tenant(), put.id());
    Customer known = customers.get(id);
    OptionalLong version = known == null ? OptionalLong.empty() : OptionalLong.of(known.version());
    if (!put.precondition().holds(version)) {
      return new Written(new CustomerPut.ConditionFailed(), 0);
    }
    Customer then = known == null ? put.first() : put.over(known);
    long grown = Weight.of(then) - (known == null ? 0 : Weight.of(known));
    if (grown > 0 && !room) {
      return new Written(new CustomerPut.Full(), 0);
    }
    customers.put(id, then);
    return new Written(
        known == null ? new CustomerPut.Created(then) : new CustomerPut.Stored(then), grown);
  }
}
