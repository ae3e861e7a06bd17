import type { ShownTable } from "./planned.ts";
import type { RuleFate, TableFate } from "./schema.ts";
import type { NotCarried } from "./suite.ts";

/** A test may become several rules. */
const testOf = (id: string) => id.replace(/#\d+$/, "");
export const testsOf = (rules: readonly { id: string }[]) => new Set(rules.map(({ id }) => testOf(id)));

/** How many tests are carried over, by family, and what happens to contracts, rules, descriptions, and tags. */
export function figuresOf(tables: readonly ShownTable[], notCarried: readonly NotCarried[]) {
  const rules = tables.flatMap((table) => table.rules);
  const count = (fate: RuleFate) => rules.filter((rule) => rule.fate === fate).length;
  const contracts = (fate: TableFate) => tables.filter((table) => table.fate === fate).length;
  const lost = testsOf(notCarried);
  const carried = new Map(
    rules
      .filter(({ id, fate }) => fate !== "Removed" && !lost.has(testOf(id)))
      .map(({ id, family }) => [testOf(id), family]),
  );
  const all = new Map([...carried, ...notCarried.map(({ id, family }) => [testOf(id), family] as const)]);
  const families = [...Map.groupBy(all, ([, family]) => family)]
    .map(([family, tests]) => ({
      family,
      tests: tests.length,
      carried: tests.filter(([id]) => carried.has(id)).length,
    }))
    .toSorted((a, b) => b.tests - a.tests || (a.family < b.family ? -1 : 1));
  return {
    families,
    totals: {
      tests: all.size,
      carried: carried.size,
      contracts: { new: contracts("New"), updated: contracts("Updated"), archived: contracts("Archived") },
      rules: {
        new: count("New"),
        updated: count("Updated"),
        unchanged: count("Unchanged"),
        kept: count("Kept"),
        removed: count("Removed"),
      },
      descriptions: tables.reduce((sum, table) => sum + table.descriptions, 0),
      tags: tables.reduce((sum, table) => sum + table.addedTags.length + table.removedTags.length, 0),
    },
  };
}
