import type { ImportPlan, RuleFate } from "@/server/data-quality/imports/schema.ts";

export type Fate = RuleFate | "NotCarried";
export type ShownTable = ImportPlan["tables"][number];

/** The part of a plan with this fate in which every word of the search occurs, and the reasons by how many they are. */
export function filterPlan(plan: ImportPlan, fate: Fate | null, search: string) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (...texts: (string | null)[]) => {
    const all = texts.join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const tables =
    fate === "NotCarried"
      ? []
      : plan.tables.flatMap((table) => {
          const place = `${table.schemaName}.${table.tableName}`;
          const rules = table.rules.filter(
            (rule) =>
              (fate === null || rule.fate === fate) &&
              has(rule.name, rule.sentence, rule.family, rule.path, rule.type, place, table.contractName),
          );
          const isShown = rules.length > 0 || (fate === null && has(place, table.contractName));
          return isShown ? [{ ...table, rules }] : [];
        });
  const left =
    fate === null || fate === "NotCarried"
      ? plan.notCarried.filter(({ path, reason, family }) => has(path, reason, family))
      : [];
  const reasons = [...Map.groupBy(left, ({ reason }) => reason)]
    .map(([reason, each]) => ({ reason, paths: [...new Set(each.map(({ path }) => path))] }))
    .toSorted((a, b) => b.paths.length - a.paths.length);
  return { tables, reasons };
}
