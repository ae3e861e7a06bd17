import { expect, test } from "vitest";
import { serverOf } from "./place.ts";

test("a server is shown with its port", () => {
  expect(serverOf({ host: "db", port: 5432 })).toBe("db:5432");
  expect(serverOf({ host: "::1", port: 5432 })).toBe("[::1]:5432");
});
