/**
 * Whether an unhandled error is a harmless one of the driver: `postgres` may write from a timer to a connection that
 * the server just closed. The pool replaces it. Known by the driver's path or, in a bundle without source maps, by the
 * name of its function.
 */
export const isDriversLateWrite = (error: unknown): boolean =>
  error instanceof Object &&
  "name" in error &&
  error.name === "TypeError" &&
  "message" in error &&
  /of null|null \(/.test(String(error.message)) &&
  "stack" in error &&
  /node_modules[\\/]postgres[\\/]|\bat Immediate\.nextWrite \(/.test(String(error.stack));
