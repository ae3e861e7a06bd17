import type { Dialect } from "../../data-sources/engines/engine.ts";
import { ruleTypes } from "../rules/configuration.ts";
import type { ContractInput, Severity } from "../schema.ts";
import { dimensions, severityWords } from "./check-of.ts";
import type { QualityCheck } from "./document.ts";
import { libraryMeasure } from "./library-metric.ts";
import { ownEngine, ownProperties, ruleProperties } from "./own-properties.ts";
import { comparisonIn, NotRead, type Path } from "./reading.ts";
import { checkSql, type SqlTarget } from "./sql-of-metric.ts";
import type { UnmappedParts } from "./unmapped.ts";

/** Checks of the standard as rules. */

export type RuleInput = ContractInput["rules"][number];
/** What a check measures: a type of rule and its configuration. */
export type Measure = Pick<RuleInput, "type" | "configuration">;

/** A rule that was read, where it stands in the file, and where it wants to stand among the others. */
export type ReadRule = { rule: RuleInput; path: Path; position: number | null };

export type CheckPlace = {
  target: SqlTarget;
  /** null for a check of the table. */
  column: string | null;
  path: Path;
};

/** null for a check that cannot be a rule; why is noted. */
export function ruleOf(check: QualityCheck, place: CheckPlace, unmapped: UnmappedParts): ReadRule | null {
  const { path, column } = place;
  const { own, others } = ownProperties(check.customProperties, ruleProperties);
  let read: { measure: Measure; used: readonly string[]; ignored?: readonly string[] };
  try {
    read = measureOf(check, place, own.reads === "passed");
  } catch (error) {
    if (!(error instanceof NotRead)) throw error;
    unmapped.add(path, error.message);
    return null;
  }
  const { measure, used, ignored = [] } = read;
  const name = check.name ?? check.description;
  const kept = [
    ...["id", "name", "type", "severity", "scheduler", "schedule", "customProperties"],
    ...(check.name ? [] : ["description"]),
    ...(check.dimension === dimensions[measure.type] ? ["dimension"] : []),
    ...used,
  ];
  unmapped.addOthers(check, kept, path);
  for (const name of ignored) unmapped.add([...path, name], "Is not known for this metric");
  for (const index of others) unmapped.add([...path, "customProperties", index], "Is no property of a rule");
  const rule = {
    ...keyIn(check, path, unmapped),
    name: titleOf(name ?? fallbackName(measure, column)),
    ...measure,
    ...(column !== null && { column }),
    severity: severityIn(own.severity, check.severity, path, unmapped),
    ...(own.weight !== undefined && { weight: own.weight }),
    ...(own.enabled !== undefined && { enabled: own.enabled }),
    // Whether the values fit is judged as for any rule that is sent.
  } as RuleInput;
  return { rule, path, position: typeof own.position === "number" ? own.position : null };
}

function measureOf(
  check: QualityCheck,
  place: CheckPlace,
  readsPassed: boolean,
): { measure: Measure; used: readonly string[]; ignored?: readonly string[] } {
  const { dialect } = place.target.engine;
  const type = check.type ?? (check.metric || check.rule ? "library" : undefined);
  switch (type) {
    case "library":
      return libraryMeasure(check, place);
    case "sql": {
      const used = ["query"];
      if (!check.query) throw new NotRead("The check has no query");
      if (readsPassed)
        return {
          measure: { type: "CustomSql", configuration: { sql: check.query } },
          used: [...used, "mustBe"],
        };
      const { comparison, key } = comparisonIn(check);
      const sql = checkSql(asSubquery(check.query, place), comparison, dialect);
      if (sql === null) throw new NotRead("The query's value cannot be compared with this");
      return { measure: { type: "CustomSql", configuration: { sql } }, used: [...used, key] };
    }
    case "custom": {
      if (check.engine !== ownEngine)
        throw new NotRead(`Checks of the engine ${check.engine ?? "(none)"} cannot be run here`);
      return { measure: ownMeasure(check.implementation, dialect), used: ["engine", "implementation"] };
    }
    case "text":
      throw new NotRead("Is a text for people, and nothing that can be measured");
    default:
      throw new NotRead(type === undefined ? "Names no metric" : `Checks of the type ${type} are not known`);
  }
}

/** What this service wrote itself, for rules that the standard has no metric for. */
function ownMeasure(implementation: unknown, dialect: Dialect): Measure {
  if (typeof implementation !== "object" || implementation === null || Array.isArray(implementation))
    throw new NotRead("The implementation must be a mapping with a type");
  const { type, syntax, ...configuration } = implementation as Record<string, unknown>;
  const known = ruleTypes.find((each) => each === type);
  if (!known) throw new NotRead(`There is no type of rule ${String(type)}`);
  if (syntax !== undefined && (syntax !== "like" || known !== "Pattern"))
    throw new NotRead(`The syntax ${String(syntax)} is not known`);
  if (syntax === "like" && dialect !== "sqlserver")
    throw new NotRead("A pattern for LIKE means something else to this data source");
  return { type: known, configuration };
}

/** The names of the table and the column may stand in a query as variables, in several ways. */
const variables = /\$?\{(table|object|schema|model|column|property|field)\}/g;
const ofColumn = new Set(["column", "property", "field"]);

function asSubquery(query: string, { target, column }: CheckPlace): string {
  const { engine, schemaName, tableName } = target;
  if (engine.dialect === "sqlserver" && /^\s*with\b/i.test(query))
    throw new NotRead("SQL Server takes no WITH inside of a comparison");
  const filled = query.replace(variables, (whole, name: string) => {
    if (!ofColumn.has(name)) return `${engine.quote(schemaName)}.${engine.quote(tableName)}`;
    return column === null ? whole : engine.quote(column);
  });
  return filled.trim().replace(/;\s*$/, "");
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function keyIn({ id }: QualityCheck, path: Path, unmapped: UnmappedParts): { key?: string } {
  if (id && uuid.test(id)) return { key: id };
  if (id) unmapped.add([...path, "id"], "Is no UUID; the rule has a new key");
  return {};
}

/** Words that others use for the same. */
const severities: Readonly<Record<string, Severity>> = {
  ...Object.fromEntries(
    (Object.keys(severityWords) as Severity[]).flatMap((severity) => [
      [severity.toLowerCase(), severity],
      [severityWords[severity], severity],
    ]),
  ),
  ...{ minor: "Low", moderate: "Medium", warn: "Medium", major: "High" },
  ...{ fatal: "Critical", blocker: "Critical" },
};

function severityIn(
  own: unknown,
  word: string | null | undefined,
  path: Path,
  unmapped: UnmappedParts,
): unknown {
  if (own !== undefined) return own;
  if (!word) return undefined;
  const known = word.toLowerCase();
  if (Object.hasOwn(severities, known)) return severities[known];
  unmapped.add([...path, "severity"], "Is no severity that is known here; the rule's is Medium");
  return undefined;
}

function fallbackName({ type }: Measure, column: string | null): string {
  return column === null ? type : `${type} of ${column}`;
}

/** As long as a name may be; only its first line, as a description is taken where there is no name. */
const titleOf = (text: string) => (text.trim().split("\n", 1)[0] ?? "").slice(0, 200).trim() || "Check";
