import { expect, test } from "vitest";
import { activeKeysMadeWith, creatorName } from "./key-line.ts";

const key = (id: number, parentKeyId: number | null, state = {}) => ({
  ...{ id, name: `K${id}`, parentKeyId, status: "Active" as const, isExpired: false },
  ...state,
});
const keys = [
  key(5, 3),
  key(4, 2),
  key(3, 1, { isExpired: true }),
  key(2, 1),
  key(6, 2, { status: "Revoked" }),
  key(1, null),
  key(7, null),
];

test("revoking a key also revokes its active descendants", () => {
  expect(activeKeysMadeWith(keys, 1).map(({ id }) => id)).toEqual([5, 2, 4]);
  expect(activeKeysMadeWith(keys, 2).map(({ id }) => id)).toEqual([4]);
  expect(activeKeysMadeWith(keys, 7)).toEqual([]);
});

test("a key was created by a person, by another key, or by one that is not visible", () => {
  expect(creatorName(keys, { parentKeyId: null })).toBeNull();
  expect(creatorName(keys, { parentKeyId: 2 })).toBe("K2");
  expect(creatorName(keys, { parentKeyId: 99 })).toBe("Key 99");
});
