import { isDriversLateWrite } from "./db/late-write.ts";
import { log } from "./log.ts";

/**
 * Errors that nobody caught. A promise that nobody waited for is logged. An exception leaves the process in an
 * unknown state, so it ends, in order; except for those below, which are known to be harmless.
 */
export function surviveStrayErrors(end: () => void): void {
  process.on("unhandledRejection", (reason) => {
    log.error({ err: reason }, "A rejected promise was not handled");
  });
  process.on("uncaughtException", (error) => {
    if (isDriversLateWrite(error)) {
      log.warn({ err: error }, "The database driver wrote to a connection that had gone");
      return;
    }
    log.fatal({ err: error }, "An exception was not handled");
    end();
  });
}
