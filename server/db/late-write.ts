/**
 * Whether an error that nobody caught is the driver's, and harmless: `postgres` may write from a timer to a connection
 * that the server has just closed; its pool replaces that.
 */
export const isDriversLateWrite = (error: unknown): boolean =>
  error instanceof Object &&
  "name" in error &&
  error.name === "TypeError" &&
  "message" in error &&
  /of null|null \(/.test(String(error.message)) &&
  "stack" in error &&
  /node_modules[\\/]postgres[\\/]/.test(String(error.stack));
