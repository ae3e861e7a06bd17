import type { ComboboxGroup } from "@/components/ui/matching.ts";
import type { RuleType } from "@/server/data-quality/rules/configuration.ts";
import type { KnownColumn } from "./use-database-schema.ts";

/** Which of a table's columns suit a type of rule, by the names that engines give their types. */

const kinds = {
  times: /^(timestamp|date|datetime|smalldatetime)/i,
  numbers:
    /^((tiny|small|medium|big)?int(eger|\d)?\b|numeric|decimal|double|real|float|money|smallmoney|number)/i,
  texts: /char|text|^(uuid|name|enum|citext)/i,
};

const wanted: Partial<Record<RuleType, { label: string; type: RegExp }>> = {
  Freshness: { label: "Times", type: kinds.times },
  Range: { label: "Numbers", type: kinds.numbers },
  Pattern: { label: "Texts", type: kinds.texts },
};

/** The columns to pick from: those that suit the rule first. The others may do, too; the database decides. */
export function columnGroups(ruleType: RuleType, columns: readonly KnownColumn[]): ComboboxGroup[] {
  const items = (which: readonly KnownColumn[]) =>
    which.map((column) => ({ value: column.name, hint: columnFacts(column) }));
  const suited = wanted[ruleType];
  if (!suited) return [{ items: items(columns) }];
  const fits = (column: KnownColumn) => suited.type.test(column.type);
  return [
    { label: suited.label, items: items(columns.filter(fits)) },
    { label: "Other columns", items: items(columns.filter((column) => !fits(column))) },
  ].filter((group) => group.items.length > 0);
}

function columnFacts({ type, isPrimaryKey, nullable }: KnownColumn): string {
  if (isPrimaryKey) return `${type}, primary key`;
  return nullable ? type : `${type}, not null`;
}
