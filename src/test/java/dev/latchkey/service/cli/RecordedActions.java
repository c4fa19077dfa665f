package dev.latchkey.service.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Records what a command line would execute. */
public final class RecordedActions implements CommandActions {

  final List<ServeConfig> served = new ArrayList<>();
  final List<PostgresLocation> migrated = new ArrayList<>();
  final List<EraseOptions> erased = new ArrayList<>();
  final List<PspOptions> simulated = new ArrayList<>();
  int ddlPrinted;

  /** Returns the configuration of a valid {@code serve} command line. */
  public static ServeConfig parse(String... args) {
    RecordedActions actions = new RecordedActions();
    int code = new LatchkeyCommand(Map.of(), actions, Map.of()).execute(args);
    if (code != 0) {
      throw new AssertionError("exit code " + code + " for " + String.join(" ", args));
    }
    return actions.served.get(0);
  }

  @Override
  public int serve(ServeConfig config) {
    served.add(config);
    return 0;
  }

  @Override
  public int migrate(PostgresLocation database) {
    migrated.add(database);
    return 0;
  }

  @Override
  public int printDdl() {
    ddlPrinted++;
    return 0;
  }

  @Override
  public int erase(StoreConfig stores, EraseOptions options) {
    erased.add(options);
    return 0;
  }

  @Override
  public int psp(PspOptions options) {
    simulated.add(options);
    return 0;
  }
}
