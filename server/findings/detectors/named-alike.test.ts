import { expect, test } from "vitest";
import { randomOf, tableOf } from "../corpus.fixture.ts";
import { NamedAlike } from "./named-alike.ts";
import { nameMatch } from "./parents.ts";

/** Words as tables and keys have them, in several ways of writing, alone and together. */
const words =
  "id no code customer customers order orders line cust custid address addresses persid pipersid kundennr tv".split(
    " ",
  );

test("a column is compared with every key that its name may mean", () => {
  const random = randomOf(31);
  const name = () => {
    const some = Array.from({ length: random.whole(1, 3) }, () => random.pick(words));
    const joined = some.join(random.pick(["_", "_", " ", ""]));
    return random.chance(0.3)
      ? joined.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      : joined;
  };
  const codes = Array.from({ length: 60 }, (_, index) => `4917${index}`);
  let meant = 0;
  let leftOut = 0;
  for (let round = 0; round < 100; round += 1) {
    const tables = Array.from({ length: 12 }, () =>
      tableOf(name(), {
        [name()]: ["text", codes],
        [`${name()} b`]: ["integer", codes.map((_, index) => index)],
      }),
    );
    const keys = tables.flatMap((table) => table.columns.map((column) => ({ table, column })));
    const alike = new NamedAlike(keys);
    for (const { table, column } of keys) {
      const found = alike.of(table, column);
      leftOut += keys.length - found.size;
      for (const [place, key] of keys.entries())
        if (nameMatch(table, column, key) > 0) {
          meant += 1;
          expect(found, `${column.name} to ${key.table.tableName}.${key.column.name}`).toContain(place);
        }
    }
  }
  expect(meant).toBeGreaterThan(500);
  expect(leftOut).toBeGreaterThan(10_000);
});

test("a thing of two letters is found before the word of its key", () => {
  const numbers = ["1", "2", "3"];
  const [tv, shows] = [
    tableOf("tv", { id: ["integer", numbers] }),
    tableOf("shows", { name: ["text", numbers], tv_id: ["integer", numbers] }),
  ];
  const [key, name, reference] = [...tv.columns, ...shows.columns];
  if (!key || !name || !reference) throw new Error("They have these columns");
  expect(nameMatch(shows, reference, { table: tv, column: key })).toBe(1);
  const alike = new NamedAlike([{ table: tv, column: key }]);
  expect(alike.of(shows, reference)).toEqual(new Set([0]));
  expect(alike.of(shows, name)).toEqual(new Set());
});
