import { Writable } from "node:stream";
import pino from "pino";
import { expect, test } from "vitest";
import { logOptions } from "./log.ts";

/** What the log writes for one call. */
function logged(write: (log: pino.Logger) => void): string {
  let line = "";
  const stream = new Writable({
    write(chunk, _, done) {
      line += chunk;
      done();
    },
  });
  write(pino({ ...logOptions, level: "info" }, stream));
  return line;
}

test.each<[string, Record<string, unknown>]>([
  ["at the top", { password: "hunter2hunter2" }],
  ["in a connection", { connection: { host: "db", password: "hunter2hunter2" } }],
  ["in a body's connection", { body: { connection: { password: "hunter2hunter2" } } }],
  ["in headers", { headers: { authorization: "Basic hunter2hunter2", cookie: "hunter2hunter2" } }],
  ["in an address", { url: "postgres://reader:hunter2hunter2@db:5432/x" }],
  ["as a bearer credential", { text: "Authorization: Bearer hunter2hunter2" }],
  ["as an API key", { text: "the key sk-svc_hunter2hunter2" }],
  ["bound to a failed query", { err: new Error("Failed query: select $1\nparams: hunter2hunter2") }],
  ["in a cause", { err: new Error("outer", { cause: new Error("Failed\nparams: hunter2hunter2") }) }],
])("a secret %s is not written", (_, object) => {
  const line = logged((log) => log.error(object, "Something failed"));
  expect(line).toContain("Something failed");
  expect(line).toContain("redacted");
  expect(line).not.toContain("hunter2");
});

test("what is not secret is logged, with the error's code and stack", () => {
  const err = Object.assign(new Error("no such table"), { code: "42P01" });
  const line = JSON.parse(logged((log) => log.error({ err, contractId: 12 }, "The evaluation failed")));
  expect(line).toMatchObject({
    level: "error",
    contractId: 12,
    err: { message: "no such table", code: "42P01" },
  });
  expect(line.err.stack).toContain("log.test.ts");
});
