import { isDriversLateWrite } from "../db/late-write.ts";
import { log } from "../telemetry/log.ts";

/**
 * Unhandled errors. An unhandled rejection is logged. An uncaught exception leaves the process in an unknown state,
 * so it shuts down, except for the harmless ones below.
 */
export function logStrayErrors(end: () => void): void {
  process.on("unhandledRejection", (reason) => {
    log.error({ err: reason }, "Unhandled promise rejection");
  });
  process.on("uncaughtException", (error) => {
    if (isDriversLateWrite(error)) {
      log.warn({ err: error }, "The database driver wrote to a closed connection");
      return;
    }
    log.fatal({ err: error }, "Uncaught exception");
    end();
  });
}
