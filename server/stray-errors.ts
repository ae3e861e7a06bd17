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

/** `postgres` may write from a timer to a connection that the server has just closed; its pool replaces that. */
export function isDriversLateWrite(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /of null|null \(/.test(error.message) &&
    /node_modules[\\/]postgres[\\/]/.test(error.stack ?? "")
  );
}
