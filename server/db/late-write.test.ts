import { expect, test } from "vitest";
import { isDriversLateWrite } from "./late-write.ts";

const typeError = (message: string, file: string) =>
  Object.assign(new TypeError(message), {
    stack: `TypeError: ${message}\n    at nextWrite (file:///srv/plumbline/${file}:257:20)`,
  });

test("only the driver's write to a closed connection is harmless", () => {
  const nullSocket = "Cannot read properties of null (reading 'write')";
  expect(isDriversLateWrite(typeError(nullSocket, "node_modules/postgres/src/connection.js"))).toBe(true);
  expect(isDriversLateWrite(typeError(nullSocket, "server/process/web.ts"))).toBe(false);
  const bundled = Object.assign(new TypeError(nullSocket), {
    stack: `TypeError: ${nullSocket}\n    at Immediate.nextWrite (file:///srv/plumbline/dist/chunks/chunk-A.js:781:22)`,
  });
  expect(isDriversLateWrite(bundled)).toBe(true);
  expect(
    isDriversLateWrite(typeError("x is not a function", "node_modules/postgres/src/connection.js")),
  ).toBe(false);
  expect(isDriversLateWrite(new Error(nullSocket))).toBe(false);
});
