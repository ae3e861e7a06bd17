import { expect, test } from "vitest";
import { activeKeysMadeWith, makerName } from "./key-line.ts";

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

test("what came of a key at any distance goes with it, unless it has ended already", () => {
  expect(activeKeysMadeWith(keys, 1).map(({ id }) => id)).toEqual([5, 2, 4]);
  expect(activeKeysMadeWith(keys, 2).map(({ id }) => id)).toEqual([4]);
  expect(activeKeysMadeWith(keys, 7)).toEqual([]);
});

test("a key is made by a person, by a key, or by one that is not in sight", () => {
  expect(makerName(keys, { parentKeyId: null })).toBeNull();
  expect(makerName(keys, { parentKeyId: 2 })).toBe("K2");
  expect(makerName(keys, { parentKeyId: 99 })).toBe("Key 99");
});
