import { TRPCClientError } from "@trpc/client";
import { expect, test } from "vitest";
import { factsOf, messageOf } from "./errors.ts";

function answered(message: string, data: Record<string, unknown>) {
  return TRPCClientError.from({ error: { message, code: -32000, data } });
}

test("the server's message is kept if the user can act on it", () => {
  const error = answered("The project still contains data sources", {
    code: "CONFLICT",
    httpStatus: 409,
    requestId: "r-1",
  });
  expect(messageOf(error)).toBe("The project still contains data sources");
  expect(factsOf(error).mayPass).toBe(false);
});

test("a bug shows the request ID and can be retried", () => {
  const error = answered("Internal error", {
    code: "INTERNAL_SERVER_ERROR",
    httpStatus: 500,
    requestId: "r-2",
  });
  expect(messageOf(error)).toContain("r-2");
  expect(factsOf(error).mayPass).toBe(true);
});

test("invalid values are reported by path", () => {
  const error = answered("[...]", {
    code: "BAD_REQUEST",
    httpStatus: 400,
    errors: [{ path: "connection.port", message: "must be at most 65535" }],
  });
  expect(messageOf(error)).toBe("Some values are not valid. connection.port: must be at most 65535");
});

test("no response is distinguished from an error in the page itself", () => {
  expect(factsOf(new TRPCClientError("fetch failed"))).toMatchObject({ code: null, mayPass: true });
  expect(factsOf(new Error("undefined is not a function"))).toMatchObject({ code: null, mayPass: false });
});
