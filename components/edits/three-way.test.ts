import { describe, expect, test } from "vitest";
import { type Choices, mergeFields, mergeKeyed, mergeSet, mergeValue } from "./three-way.ts";

describe("a value", () => {
  const merge = (base: unknown, mine: unknown, theirs: unknown, choices: Choices = {}) => {
    const { value, differences } = mergeValue("x", { base, mine, theirs }, choices);
    return [value, ...differences.map(({ changedBy, isConflict }) => [changedBy, isConflict])];
  };

  test("is taken from the side that changed it", () => {
    expect(merge(1, 1, 1)).toEqual([1]);
    expect(merge(1, 2, 1)).toEqual([2, ["mine", false]]);
    expect(merge(1, 1, 3)).toEqual([3, ["theirs", false]]);
  });

  test("changed the same way by both is not a difference", () => {
    const [first, second] = [new Date(0), new Date(1)];
    expect(merge(first, first, second)).toEqual([second, ["theirs", false]]);
    expect(merge(first, second, new Date(1))).toEqual([second]);
    expect(merge(1, 2, 2)).toEqual([2]);
    expect(merge({ a: [1] }, { a: [2] }, { a: [2] })).toEqual([{ a: [2] }]);
  });

  test("changed differently by both is a conflict, mine until decided", () => {
    expect(merge(1, 2, 3)).toEqual([2, ["both", true]]);
    expect(merge(1, 2, 3, { x: "theirs" })).toEqual([3, ["both", true]]);
    expect(merge(1, 2, 3, { y: "theirs" })).toEqual([2, ["both", true]]);
  });

  test("is compared as a whole, ignoring property order", () => {
    expect(merge({ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1, b: 3 })).toEqual([
      { a: 1, b: 3 },
      ["theirs", false],
    ]);
    expect(merge({ a: 1, b: 2 }, { a: 5, b: 2 }, { a: 1, b: 3 })).toEqual([{ a: 5, b: 2 }, ["both", true]]);
  });
});

test("a set has what either side added, without what either side removed", () => {
  const merge = (mine: number[], theirs: number[]) => {
    const { value, differences } = mergeSet("x", { base: [1, 2, 3], mine, theirs });
    return [value, ...differences.map(({ changedBy, isConflict }) => [changedBy, isConflict])];
  };
  expect(merge([1, 2, 3], [3, 2, 1])).toEqual([[3, 2, 1]]);
  expect(merge([1, 2, 3, 4], [1, 2, 3])).toEqual([
    [1, 2, 3, 4],
    ["mine", false],
  ]);
  expect(merge([1, 2, 3], [1, 3])).toEqual([
    [1, 3],
    ["theirs", false],
  ]);
  expect(merge([2, 3, 4], [1, 2, 5])).toEqual([
    [2, 5, 4],
    ["both", false],
  ]);
  expect(merge([1, 2, 3, 4], [1, 2, 3, 4])).toEqual([[1, 2, 3, 4]]);
});

test("an object's fields merge one by one, including removed ones", () => {
  const { value, differences } = mergeFields(
    (name) => `parameters.${name}`,
    {
      base: { a: 1, b: 1, gone: 1 } as Record<string, number>,
      mine: { a: 2, b: 2 },
      theirs: { a: 1, b: 3, gone: 1, fresh: 1 },
    },
    { "parameters.b": "theirs" },
  );
  expect(value).toEqual({ a: 2, b: 3, fresh: 1 });
  expect(differences.map(({ path, changedBy }) => [path, changedBy])).toEqual([
    ["parameters.a", "mine"],
    ["parameters.b", "both"],
    ["parameters.gone", "mine"],
    ["parameters.fresh", "theirs"],
  ]);
});

describe("a list of items with keys", () => {
  type Item = { key?: string; weight: number };
  const item = (key: string, weight = 1): Item => ({ key, weight });
  const base = ["a", "b", "c"].map((key) => item(key));
  const merge = (mine: Item[], theirs: Item[], choices: Choices = {}) => {
    const merged = mergeKeyed<Item>(
      {
        ...{ path: "rules", sides: { base, mine, theirs }, keyOf: ({ key }) => key },
        mergeItem: (path, sides) => mergeFields((name) => `${path}.${name}`, sides, choices),
      },
      choices,
    );
    return {
      order: merged.differences.find(({ path }) => path === "rules")?.changedBy,
      items: merged.value.map(({ key, weight }) => `${key ?? "new"}${weight}`).join(" "),
      conflicts: merged.differences.filter(({ isConflict }) => isConflict).map(({ path }) => path),
    };
  };

  test("has what either side added, after the item it was added after", () => {
    const mine = [...base, { weight: 7 }];
    const theirs = [item("d"), ...base, item("e")];
    expect(merge(mine, theirs)).toMatchObject({ items: "d1 a1 b1 c1 new7 e1", conflicts: [] });
  });

  test("lacks what either side removed", () => {
    expect(merge([item("b"), item("c")], [item("a"), item("b")])).toEqual({
      order: undefined,
      items: "b1",
      conflicts: [],
    });
  });

  test("has what either side changed", () => {
    const mine = [item("a", 5), item("b"), item("c")];
    const theirs = [item("a"), item("b"), item("c", 9)];
    expect(merge(mine, theirs)).toEqual({ order: undefined, items: "a5 b1 c9", conflicts: [] });
  });

  test("asks about items both changed", () => {
    const mine = [item("a", 5), item("b"), item("c")];
    const theirs = [item("a", 6), item("b"), item("c")];
    expect(merge(mine, theirs)).toEqual({
      order: undefined,
      items: "a5 b1 c1",
      conflicts: ["rules.a.weight"],
    });
    expect(merge(mine, theirs, { "rules.a.weight": "theirs" }).items).toBe("a6 b1 c1");
  });

  test("asks about items one side removed and the other changed", () => {
    const removed = [item("b"), item("c")];
    const changed = [item("a", 6), item("b"), item("c")];
    expect(merge(removed, changed)).toEqual({ order: undefined, items: "b1 c1", conflicts: ["rules.a"] });
    expect(merge(removed, changed, { "rules.a": "theirs" }).items).toBe("a6 b1 c1");
    expect(merge(changed, removed)).toEqual({ order: undefined, items: "a6 b1 c1", conflicts: ["rules.a"] });
    expect(merge(changed, removed, { "rules.a": "theirs" }).items).toBe("b1 c1");
  });

  test("uses my order if I changed it, otherwise theirs", () => {
    const [a, b, c] = base as [Item, Item, Item];
    expect(merge([c, b, a], [b, item("d"), a, c])).toMatchObject({ items: "c1 b1 d1 a1", order: "both" });
    expect(merge([c, b, a], [a, b, c])).toMatchObject({ items: "c1 b1 a1", order: "mine" });
    expect(merge([a, b, c, { weight: 7 }], [c, a, b])).toMatchObject({
      items: "c1 new7 a1 b1",
      order: "theirs",
    });
    expect(merge([b, a, c], [b, a, c])).toMatchObject({ items: "b1 a1 c1", order: undefined });
  });
});
