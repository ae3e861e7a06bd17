import { z } from "zod";
import { plural } from "../../text.ts";
import { type ColumnChange, type ColumnChangeKind, changeKinds, columnChanges } from "./column-changes.ts";
import type { RuleField } from "./fields.ts";
import { binaryScoring, defineTableRule } from "./rule.ts";
import { columnLimits, type TableColumn, tableColumn, typeInWords } from "./table-columns.ts";
import { couldNotRun, verdict } from "./verdict.ts";

/**
 * The table's columns are those that a person approved. It reads the database's catalog, and no rows. An addition to
 * the specification's eight types.
 */

/** What a kind of change does to the rule: it fails, only reports it, or ignores it. */
const effect = z.enum(["Fail", "Warn", "Ignore"]);
type Effect = z.output<typeof effect>;

const effectOf: Record<ColumnChangeKind, { key: EffectKey; byDefault: Effect }> = {
  Removed: { key: "whenRemoved", byDefault: "Fail" },
  Type: { key: "whenTypeChanged", byDefault: "Fail" },
  Nullability: { key: "whenNullabilityChanged", byDefault: "Fail" },
  Added: { key: "whenAdded", byDefault: "Warn" },
  Order: { key: "whenMoved", byDefault: "Ignore" },
};
const effectKeys = [
  "whenRemoved",
  "whenTypeChanged",
  "whenNullabilityChanged",
  "whenAdded",
  "whenMoved",
] as const;
type EffectKey = (typeof effectKeys)[number];
type Effects = { readonly [Key in EffectKey]?: Effect | undefined };

const effectWords: Record<Effect, string> = {
  Fail: "Fails the rule",
  Warn: "Is reported only",
  Ignore: "Is ignored",
};

/** The default comes first. */
const effectField = (label: string, first: Effect): RuleField => ({
  ...{ label, kind: "choice", optional: true },
  options: [first, ...effect.options.filter((each) => each !== first)].map((value) => ({
    value,
    label: effectWords[value],
  })),
});

const columns = z
  .array(tableColumn)
  .min(1, "needs at least one column")
  .max(columnLimits.approved, `can have at most ${columnLimits.approved} columns`)
  .superRefine((all, context) => {
    const seen = new Set<string>();
    for (const [index, { name }] of all.entries())
      if (seen.size === seen.add(name).size)
        context.addIssue({ code: "custom", path: [index, "name"], message: "is listed twice" });
  });

export const schemaRule = defineTableRule({
  type: "Schema",
  label: "Schema",
  explanation: "The table has the columns that a person approved, with their types and nullability.",
  scoring: binaryScoring,
  configuration: z.strictObject({
    columns,
    whenRemoved: effect.optional(),
    whenTypeChanged: effect.optional(),
    whenNullabilityChanged: effect.optional(),
    whenAdded: effect.optional(),
    whenMoved: effect.optional(),
  }),
  properties:
    "columns (1 to 2,000 of {name, type, nullable}, in order), whenRemoved?, whenTypeChanged?, whenNullabilityChanged? (Fail, the default, Warn, or Ignore), whenAdded? (default Warn), whenMoved? (default Ignore)",
  fields: {
    columns: { label: "Approved columns", kind: "approvedColumns" },
    whenRemoved: effectField("A removed column", "Fail"),
    whenTypeChanged: effectField("Another type", "Fail"),
    whenNullabilityChanged: effectField("Another nullability", "Fail"),
    whenAdded: effectField("An added column", "Warn"),
    whenMoved: effectField("Another order", "Ignore"),
  },
  sentence({ columns: approved, ...written }) {
    const others = changeKinds.flatMap((kind) => {
      const { key, byDefault } = effectOf[kind];
      const said = written[key] as Effect | null | undefined;
      return said == null || said === byDefault ? [] : `${manyWords[kind]} ${effectVerbs[said]}`;
    });
    return [`The columns are as approved: ${approved ?? "none yet"}`, ...others].join("; ");
  },
  unit: "Changes",
  measured: "changes of columns that are not ignored",
  typicalMs: 50,
  odcs: { dimension: "conformity" },
  reads: "columns",
  samples: { of: "changes", title: "Changed columns" },
  interpret(present, configuration) {
    if (present.length === 0)
      return couldNotRun("The table does not exist, or the login cannot read any of its columns");
    const { failing, reported } = changesOf(present, configuration);
    const all = [...failing, ...reported];
    const expected = `${plural(configuration.columns.length, "column")} as approved`;
    if (all.length === 0) return verdict(true, { expected, actual: "no change", failing: "0" });
    const actual = [
      ...(failing.length > 0 ? [counted(failing)] : []),
      ...(reported.length > 0 ? [`reported only: ${counted(reported)}`] : []),
    ].join("; ");
    return verdict(failing.length === 0, {
      ...{ expected, actual, failing: String(all.length) },
      message: listed(all),
    });
  },
  differences(present, configuration) {
    const { failing, reported } = changesOf(present, configuration);
    return changeTable([...failing, ...reported], configuration);
  },
});

type Approved = { columns: readonly TableColumn[] } & Effects;

function changesOf(
  present: readonly TableColumn[],
  configuration: Approved,
): { failing: ColumnChange[]; reported: ColumnChange[] } {
  const changes = columnChanges(configuration.columns, present);
  const having = (wanted: Effect) => changes.filter(({ kind }) => effectIn(configuration, kind) === wanted);
  return { failing: having("Fail"), reported: having("Warn") };
}

function effectIn(configuration: Effects, kind: ColumnChangeKind): Effect {
  const { key, byDefault } = effectOf[kind];
  return configuration[key] ?? byDefault;
}

/** Changes as rows: what, which column, before, after, and whether it fails the rule. */
function changeTable(changes: readonly ColumnChange[], configuration: Effects) {
  return {
    columns: ["change", "column", "approved", "now", "effect"].map((name) => ({ name, type: "text" })),
    rows: changes.map((change) => [
      kindWords[change.kind],
      change.name,
      ...sidesOf(change),
      effectIn(configuration, change.kind) === "Fail" ? "fails" : "reported only",
    ]),
  };
}

/** A change's two sides as text; null for a column that is not there. */
export function sidesOf({ kind, approved, present }: ColumnChange): [string | null, string | null] {
  const side = (column: typeof approved) => {
    if (column === null) return null;
    if (kind === "Type") return column.type;
    if (kind === "Nullability") return column.nullable ? "may be NULL" : "not null";
    return kind === "Order" ? `position ${column.position}` : typeInWords(column);
  };
  return [side(approved), side(present)];
}

export const kindWords: Record<ColumnChangeKind, string> = {
  Removed: "column removed",
  Type: "type changed",
  Nullability: "nullability changed",
  Added: "column added",
  Order: "column moved",
};

const manyWords: Record<ColumnChangeKind, string> = {
  Removed: "removed columns",
  Type: "other types",
  Nullability: "changes of nullability",
  Added: "added columns",
  Order: "moved columns",
};
const effectVerbs: Record<Effect, string> = {
  Fail: "fail it",
  Warn: "are only reported",
  Ignore: "are ignored",
};

/** "2 columns removed, 1 type changed". */
function counted(changes: readonly ColumnChange[]): string {
  return changeKinds
    .flatMap((kind) => {
      const count = changes.filter((change) => change.kind === kind).length;
      const [noun = "", verb = ""] = kindWords[kind].split(" ");
      return count === 0 ? [] : `${plural(count, noun, pluralOf[noun])} ${verb}`;
    })
    .join(", ");
}
const pluralOf: Readonly<Record<string, string>> = { nullability: "nullabilities" };

const maxListed = 20;

function listed(changes: readonly ColumnChange[]): string {
  const lines = changes.slice(0, maxListed).map(inWords);
  const more = changes.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${plural(more, "more change", "more changes")}`] : [])].join("\n");
}

function inWords(change: ColumnChange): string {
  const [approved, now] = sidesOf(change);
  const { name, kind } = change;
  if (kind === "Removed") return `${name} (${approved}) was removed`;
  if (kind === "Added") return `${name} (${now}) was added`;
  if (kind === "Nullability") return `${name} may ${change.present?.nullable ? "now" : "no longer"} be NULL`;
  return kind === "Order"
    ? `${name}: moved from ${approved} to ${now}`
    : `${name}: ${approved} is now ${now}`;
}
