import type { ComboboxGroup } from "@/components/ui/matching.ts";
import type { ColumnKind } from "@/server/data-quality/rules/fields.ts";
import type { KnownColumn } from "./use-database-schema.ts";

/** Column kinds, recognized by the engines' type names. */
const kinds: Record<ColumnKind, { label: string; type: RegExp }> = {
  times: { label: "Times", type: /^(timestamp|date|datetime|smalldatetime)/i },
  numbers: {
    label: "Numbers",
    type: /^((tiny|small|medium|big)?int(eger|\d)?\b|numeric|decimal|double|real|float|money|smallmoney|number)/i,
  },
  texts: { label: "Texts", type: /char|text|^(uuid|name|enum|citext)/i },
};

/** The columns to pick from, those that suit the rule first. The others may work too; the database decides. */
export function columnGroups(
  suits: ColumnKind | undefined,
  columns: readonly KnownColumn[],
): ComboboxGroup[] {
  const items = (which: readonly KnownColumn[]) =>
    which.map((column) => ({ value: column.name, hint: columnFacts(column) }));
  if (!suits) return [{ items: items(columns) }];
  const fits = (column: KnownColumn) => kinds[suits].type.test(column.type);
  return [
    { label: kinds[suits].label, items: items(columns.filter(fits)) },
    { label: "Other columns", items: items(columns.filter((column) => !fits(column))) },
  ].filter((group) => group.items.length > 0);
}

function columnFacts({ type, isPrimaryKey, nullable }: KnownColumn): string {
  if (isPrimaryKey) return `${type}, primary key`;
  return nullable ? type : `${type}, not null`;
}
