import { freshness } from "../rules/freshness.ts";
import type { OdcsDocument, SchemaObject, SlaProperty } from "./document.ts";
import type { Path } from "./reading.ts";
import type { ReadRule } from "./rule-of.ts";
import type { UnmappedParts } from "./unmapped.ts";

/** Maps latencies in `slaProperties`, the standard's way to limit data age, to Freshness rules. */

const names = ["latency", "ly", "freshness"];

const minutesIn: Readonly<Record<string, number>> = Object.fromEntries(
  (
    [
      [1 / 60, ["s", "sec", "second", "seconds"]],
      [1, ["m", "min", "minute", "minutes"]],
      [60, ["h", "hr", "hour", "hours"]],
      [24 * 60, ["d", "day", "days"]],
      [7 * 24 * 60, ["w", "week", "weeks"]],
      [365 * 24 * 60, ["y", "yr", "year", "years"]],
    ] as const
  ).flatMap(([minutes, words]) => words.map((word) => [word, minutes])),
);

/** Rules by the index of their table. `known` are the rules made from the file's checks, by the same index. */
export function freshnessRules(
  document: OdcsDocument,
  known: ReadonlyMap<number, readonly ReadRule[]>,
  unmapped: UnmappedParts,
): Map<number, ReadRule[]> {
  const found = new Map<number, ReadRule[]>();
  for (const [index, sla] of (document.slaProperties ?? []).entries()) {
    const path = ["slaProperties", index];
    if (!names.includes(sla.property.toLowerCase())) {
      unmapped.add(path, "Has no equivalent in a contract");
      continue;
    }
    const same = sameRule(sla, known);
    const minutes = minutesOf(sla);
    if (same) {
      const configuration = same.rule.configuration as { maxAgeMinutes?: unknown };
      if (configuration.maxAgeMinutes !== minutes)
        unmapped.add(path, "Differs from the rule with the same id, which takes precedence");
      continue;
    }
    if (minutes === null) {
      unmapped.add(path, "Is not a duration: use a number with a unit such as minutes or d");
      continue;
    }
    const elements = (sla.element ?? document.slaDefaultElement ?? "").split(",").map((each) => each.trim());
    for (const element of elements) {
      const place = placeOf(element, document.schema ?? []);
      if (!place) unmapped.add(path, `"${element.slice(0, 200)}" is not a table.column of this file`);
      else
        found.set(place.table, [
          ...(found.get(place.table) ?? []),
          ruleFor(sla, place.column, minutes, path),
        ]);
    }
    unmapped.addOthers(
      sla,
      ["id", "property", "value", "unit", "element", "description", "scheduler", "schedule"],
      path,
    );
  }
  return found;
}

function ruleFor(sla: SlaProperty, column: string, maxAgeMinutes: number, path: Path): ReadRule {
  const name = (sla.description?.trim().split("\n", 1)[0] ?? "").slice(0, 200).trim();
  return {
    rule: {
      name: name || `Latency of ${column}`.slice(0, 200),
      type: freshness.type,
      column,
      configuration: { maxAgeMinutes },
    },
    path,
    position: null,
  };
}

/** The rule that this service wrote next to the latency, with the same id. */
function sameRule({ id }: SlaProperty, known: ReadonlyMap<number, readonly ReadRule[]>): ReadRule | null {
  if (!id) return null;
  return (
    [...known.values()].flat().find(({ rule }) => rule.type === freshness.type && rule.key === id) ?? null
  );
}

function minutesOf({ value, unit }: SlaProperty): number | null {
  const text = typeof value === "string" ? value.trim() : value;
  const amount = text === "" || typeof text === "boolean" ? Number.NaN : Number(text ?? Number.NaN);
  const word = (unit ?? "").toLowerCase();
  const factor = Object.hasOwn(minutesIn, word) ? minutesIn[word] : undefined;
  return factor === undefined || !(amount > 0) || !Number.isFinite(amount) ? null : amount * factor;
}

/**
 * `table.column`, with either name of the table; in a file with one table, the column alone is enough.
 */
function placeOf(element: string, tables: readonly SchemaObject[]): { table: number; column: string } | null {
  if (element === "") return null;
  for (const [table, { name, physicalName }] of tables.entries())
    for (const own of [name, physicalName, physicalName?.split(".").at(-1)])
      if (own && element.startsWith(`${own}.`) && element.length > own.length + 1)
        return { table, column: columnOf(element.slice(own.length + 1), tables[table]) };
  const [only] = tables;
  return tables.length === 1 && !element.includes(".") ? { table: 0, column: columnOf(element, only) } : null;
}

function columnOf(named: string, table: SchemaObject | undefined): string {
  const property = table?.properties?.find(({ name, physicalName }) => [name, physicalName].includes(named));
  return property ? (property.physicalName ?? property.name) : named;
}
