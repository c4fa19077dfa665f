package dev.latchkey.core;

import java.util.concurrent.atomic.AtomicInteger;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Single mutations of the engine's byte code: one call is left out, or its result is a constant.
 * The simulation must find each by the promise that it breaks.
 */
enum EngineMutant {
  OWN_CLAIM_READ_BACK_IS_LEFT(
      "LostLeaseHandler",
      "resolve",
      "endAgain",
      1,
      "false",
      8300,
      "waits though the lease of its owner is over"),
  OTHER_REQUESTS_RECORD_IS_USED(
      "LostLeaseHandler", "resolve", "equals", 1, "true", 5050, "reads another request's answer"),
  EXPIRED_COMPLETION_IS_REPEATED(
      "LostLeaseHandler",
      "resolve",
      "mayHaveExpiredCompleted",
      1,
      "false",
      1340,
      "the effect of one run is written twice"),
  WAITERS_OF_A_STORED_RESPONSE_FORGOTTEN(
      "AttemptFinisher", "stored", "settle", 1, "false", 0, "still has entries"),
  RELEASED_OWNER_COUNTS_AS_ABSENT(
      "AttemptFinisher",
      "notStored",
      "isPresent",
      1,
      "false",
      0,
      "is told of a failure, and nothing failed"),
  WAITERS_OF_A_RELEASE_FORGOTTEN(
      "AttemptFinisher", "notStored", "settle", 1, "false", 0, "still has entries"),
  SUPERSEDED_KEY_IS_NOT_WATCHED(
      "AttemptFinisher",
      "detach",
      "beginOrDrop",
      1,
      "false",
      0,
      "waits though the lease of its owner is over"),
  UNUSED_CLAIM_IS_KEPT(
      "Claimer",
      "replied",
      "hasNoUseForItsClaim",
      1,
      "false",
      7520,
      "loses its claim though nothing is wrong"),
  UNKNOWN_CLAIM_COUNTS_AS_NOT_SENT(
      "Claimer",
      "failed",
      "markMaybeOrphaned",
      1,
      "false",
      0,
      "loses its claim though nothing is wrong"),
  DECISION_IS_NOT_TOLD("Claimer", "granted", "publish", 1, "false", 0, "is answered"),
  OFFER_IS_NOT_TOLD(
      "Claimer", "granted", "publish", 2, "false", 0, "nobody uses the claim of its node"),
  UNWANTED_CLAIM_IS_KEPT("Claimer", "granted", "giveBack", 1, "false", 0, "still runs"),
  LEASE_TIMER_IS_NOT_ARMED(
      "KeyWatcher",
      "stillHeld",
      "rearm",
      1,
      "false",
      0,
      "waits though the lease of its owner is over"),
  SILENT_READ_IS_NOT_RETRIED(
      "KeyWatcher", "read", "rearm", 1, "false", 1170, "still waits though its answer is stored"),
  WATCHER_IGNORES_THE_FINGERPRINT(
      "KeyWatcher", "decide", "isFor", 1, "true", 970, "reads another request's answer"),
  LEASES_ARE_NOT_RENEWED(
      "AttemptMonitor",
      "tick",
      "wantsRenewal",
      1,
      "false",
      0,
      "still waits though its answer is stored"),
  RUN_LIMIT_IS_IGNORED("AttemptMonitor", "check", "passRunLimit", 1, "false", 0, "has no response"),
  SILENT_STORE_IS_AWAITED("AttemptMonitor", "check", "overdue", 2, "false", 0, "ms late"),
  LOST_RENEWAL_IS_IGNORED(
      "AttemptMonitor",
      "renewed",
      "contains",
      1,
      "false",
      810,
      "still waits though its answer is stored"),
  DEADLINE_IS_IGNORED("ParkingLot", "waitEnded", "respond", 1, "false", 0, "has no response"),
  OTHER_REQUEST_MAY_JOIN("KeyEntry", "join", "isFor", 1, "true", 0, "runs the body"),
  OTHER_WAITERS_GET_THE_RESPONSE(
      "EntryResult", "forWaiter", "equals", 1, "true", 0, "reads another request's answer"),
  CACHE_IGNORES_THE_FINGERPRINT(
      "IdempotencyEngine", "fromCache", "equals", 1, "true", 0, "reads another request's answer"),
  PERMIT_IS_NOT_RETURNED("NodeState", "end", "ran", 1, "false", 0, "still runs");

  private final String type;
  private final String method;
  private final String called;
  private final int occurrence;
  private final String result;

  /** Histories before the first that is run: the situation is rare, and some later one has it. */
  final int skipped;

  /** Part of the promise that the mutant breaks. */
  final String promise;

  EngineMutant(
      String type,
      String method,
      String called,
      int occurrence,
      String result,
      int skipped,
      String promise) {
    this.type = type;
    this.method = method;
    this.called = called;
    this.occurrence = occurrence;
    this.result = result;
    this.skipped = skipped;
    this.promise = promise;
  }

  /** Loads an engine with this mutation. */
  RewrittenClasses classes(AtomicInteger applied) {
    return new RewrittenClasses((name, next) -> name.equals(type) ? mutating(next, applied) : next);
  }

  private ClassVisitor mutating(ClassVisitor next, AtomicInteger applied) {
    AtomicInteger seen = new AtomicInteger();
    return new ClassVisitor(Opcodes.ASM9, next) {
      @Override
      public MethodVisitor visitMethod(
          int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor writer = super.visitMethod(access, name, descriptor, signature, exceptions);
        return name.startsWith(method) ? new Mutation(writer, seen, applied) : writer;
      }
    };
  }

  private final class Mutation extends MethodVisitor {
    private final AtomicInteger seen;
    private final AtomicInteger applied;

    Mutation(MethodVisitor next, AtomicInteger seen, AtomicInteger applied) {
      super(Opcodes.ASM9, next);
      this.seen = seen;
      this.applied = applied;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (!name.equals(called) || seen.incrementAndGet() != occurrence) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        return;
      }
      applied.incrementAndGet();
      Type[] arguments = Type.getArgumentTypes(descriptor);
      for (int i = arguments.length - 1; i >= 0; i--) {
        visitInsn(arguments[i].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
      }
      if (opcode != Opcodes.INVOKESTATIC) {
        visitInsn(Opcodes.POP);
      }
      Type returned = Type.getReturnType(descriptor);
      if (returned.getSort() == Type.BOOLEAN) {
        visitInsn(result.equals("true") ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
      } else if (returned.getSort() == Type.OBJECT) {
        visitInsn(Opcodes.ACONST_NULL);
      } else if (returned.getSort() != Type.VOID) {
        throw new IllegalStateException(this + " replaces " + descriptor);
      }
    }
  }
}
