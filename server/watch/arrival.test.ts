import { expect, test } from "vitest";
import { arrivalOf } from "./arrival.ts";

const hour = 3600;
const column = (name: string, ageSeconds: number | null, more: object = {}) => ({
  ...{ name, ageSeconds, isNullable: false, isCheap: false, ...more },
});

test.each([
  ["none", [], null],
  ["one that is empty", [column("paid_at", null)], null],
  ["births", [column("born_on", 20 * 365 * 24 * hour)], null],
  ["due dates", [column("due_at", -48 * hour), column("created_at", hour)], "created_at"],
  ["a clock that is a minute ahead", [column("created_at", -60)], "created_at"],
  [
    "one that always has a value",
    [column("paid_at", hour, { isNullable: true }), column("created_at", 2 * hour)],
    "created_at",
  ],
  [
    "one with an index",
    [column("created_at", hour), column("updated_at", hour, { isCheap: true })],
    "updated_at",
  ],
  ["one that is current", [column("migrated_at", 30 * 24 * hour), column("created_at", hour)], "created_at"],
] as const)("among %s", (_, candidates, name) => expect(arrivalOf(candidates)?.name ?? null).toBe(name));
