import { expect, test } from "vitest";
import { catalogTags, planTags } from "./plan-tags.ts";

const plan = (more: Partial<Parameters<typeof planTags>[0]>) =>
  planTags({ now: [], wanted: [], remembered: {}, again: false, isElsewhere: () => false, ...more });

test("tags are added once, and follow the tool", () => {
  const first = plan({ now: ["ours"], wanted: ["daily", "pii"] });
  expect(first).toMatchObject({ tags: ["daily", "ours", "pii"], added: ["daily", "pii"], removed: [] });
  const same = plan({ now: first.tags, wanted: ["daily", "pii"], remembered: first.remembered });
  expect(same).toEqual({ ...first, added: [] });
  const later = plan({ now: first.tags, wanted: ["pii", "hourly"], remembered: first.remembered });
  expect(later).toMatchObject({ tags: ["hourly", "ours", "pii"], added: ["hourly"], removed: ["daily"] });
});

test("a tag that people added before the tool had it stays when the tool drops it", () => {
  const { remembered, added } = plan({ now: ["pii"], wanted: ["pii"] });
  expect(added).toEqual([]);
  expect(plan({ now: ["pii"], remembered })).toMatchObject({ tags: ["pii"], removed: [] });
});

test("a tag that people removed does not come back, unless they say so", () => {
  const { remembered } = plan({ wanted: ["pii"] });
  const gone = plan({ wanted: ["pii"], remembered });
  expect(gone).toMatchObject({ tags: [], added: [] });
  const again = plan({ wanted: ["pii"], remembered: gone.remembered, again: true });
  expect(again).toMatchObject({ tags: ["pii"], added: ["pii"] });
  // Who puts it back by hand keeps it.
  expect(plan({ now: ["pii"], remembered: gone.remembered })).toMatchObject({ tags: ["pii"] });
});

test("a tag that people removed, and that the tool dropped meanwhile and has again, is new", () => {
  const { remembered } = plan({ remembered: { pii: false } });
  expect(plan({ wanted: ["pii"], remembered })).toMatchObject({ added: ["pii"] });
});

test("a tag that another project gives the table, too, stays", () => {
  const kept = plan({ now: ["pii"], remembered: { pii: true }, isElsewhere: (tag) => tag === "pii" });
  expect(kept).toMatchObject({ tags: ["pii"], removed: [] });
});

test("a table has up to 20 tags; the others come when there is room", () => {
  const many = Array.from({ length: 19 }, (_, n) => `t${n}`);
  const full = plan({ now: many, wanted: ["a", "b"] });
  expect([full.tags.length, full.added, full.leftOut]).toEqual([20, ["a"], ["b"]]);
  const room = plan({ now: full.tags.slice(0, 19), wanted: ["a", "b"], remembered: full.remembered });
  expect(room.added).toEqual(["b"]);
});

test("tags are written in lower case, once, and those with other signs are none", () => {
  expect(catalogTags(["PII", "pii", " Tier 1 ", "@daily", "cost=high", ""])).toEqual({
    fitting: ["pii", "tier 1"],
    others: ["@daily", "cost=high"],
  });
});
