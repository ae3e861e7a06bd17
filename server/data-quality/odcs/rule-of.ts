import { relationIn } from "../../data-sources/dialects/clauses.ts";
import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { ruleDefinition, ruleTypes } from "../rules/rules.ts";
import type { Severity } from "../severities.ts";
import { severityWords } from "./check-of.ts";
import type { QualityCheck } from "./document.ts";
import { libraryMeasure } from "./library-metric.ts";
import { ownEngine, ownProperties, ruleProperties } from "./own-properties.ts";
import {
  type CheckPlace,
  comparisonIn,
  type Measure,
  NotRead,
  type Path,
  queryMeasure,
  type RuleInput,
} from "./reading.ts";
import { checkSql } from "./sql-of-metric.ts";
import type { UnmappedParts } from "./unmapped.ts";

/** Converts the standard's checks to rules. */

/** A rule, its path in the file, and its position among the others, if given. */
export type ReadRule = { rule: RuleInput; path: Path; position: number | null };

/** null for a check that cannot become a rule; the reason is recorded. */
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
    ...(check.dimension === ruleDefinition(measure.type).odcs.dimension ? ["dimension"] : []),
    ...used,
  ];
  unmapped.addOthers(check, kept, path);
  for (const name of ignored) unmapped.add([...path, name], "Is not known for this metric");
  for (const index of others)
    unmapped.add([...path, "customProperties", index], "Is not a property of a rule");
  const rule = {
    ...keyIn(check, path, unmapped),
    name: titleOf(name ?? fallbackName(measure, column)),
    ...measure,
    ...(column !== null && { column }),
    severity: severityIn(own.severity, check.severity, path, unmapped),
    ...(own.weight !== undefined && { weight: own.weight }),
    ...(own.enabled !== undefined && { enabled: own.enabled }),
    // Values are validated later, like those of any rule sent to the API.
  } as RuleInput;
  return { rule, path, position: typeof own.position === "number" ? own.position : null };
}

function measureOf(
  check: QualityCheck,
  place: CheckPlace,
  readsPassed: boolean,
): { measure: Measure; used: readonly string[]; ignored?: readonly string[] } {
  const { dialect } = place.target;
  const type = check.type ?? (check.metric || check.rule ? "library" : undefined);
  switch (type) {
    case "library":
      return libraryMeasure(check, place);
    case "sql": {
      const used = ["query"];
      if (!check.query) throw new NotRead("The check has no query");
      if (readsPassed)
        return {
          measure: queryMeasure(check.query),
          used: [...used, "mustBe"],
        };
      const { comparison, key } = comparisonIn(check);
      const sql = checkSql(asSubquery(check.query, place), comparison, dialect);
      if (sql === null) throw new NotRead("The query's value cannot be compared with this");
      return { measure: queryMeasure(sql), used: [...used, key] };
    }
    case "custom": {
      if (check.engine !== ownEngine)
        throw new NotRead(`Checks of the engine ${check.engine ?? "(none)"} cannot be run here`);
      return { measure: ownMeasure(check.implementation, dialect), used: ["engine", "implementation"] };
    }
    case "text":
      throw new NotRead("Is a description for people and cannot be measured");
    default:
      throw new NotRead(type === undefined ? "Names no metric" : `Checks of the type ${type} are not known`);
  }
}

/** Checks written by this service for rules without a library metric. */
function ownMeasure(implementation: unknown, dialect: Dialect): Measure {
  if (typeof implementation !== "object" || implementation === null || Array.isArray(implementation))
    throw new NotRead("The implementation must be a mapping with a type");
  const { type, syntax, ...configuration } = implementation as Record<string, unknown>;
  const known = ruleTypes.find((each) => each === type);
  if (!known) throw new NotRead(`Unknown rule type ${String(type)}`);
  if (syntax !== undefined && (syntax !== "like" || !ruleDefinition(known).odcs.hasPatterns))
    throw new NotRead(`The syntax ${String(syntax)} is not known`);
  if (syntax === "like" && dialect.pattern.language !== "like")
    throw new NotRead("A LIKE pattern has a different meaning on this data source");
  return { type: known, configuration };
}

/** The standard allows variables for table and column names in queries, in several notations. */
const variables = /\$?\{(table|object|schema|model|column|property|field)\}/g;
const ofColumn = new Set(["column", "property", "field"]);

function asSubquery(query: string, { target, column }: CheckPlace): string {
  const { dialect, schemaName, tableName } = target;
  if (!dialect.nestsWith && /^\s*with\b/i.test(query))
    throw new NotRead(`${dialect.label} does not allow WITH inside a comparison`);
  const filled = query.replace(variables, (whole, name: string) => {
    if (!ofColumn.has(name)) return relationIn(dialect, schemaName, tableName);
    return column === null ? whole : dialect.quote(column);
  });
  return filled.trim().replace(/;\s*$/, "");
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function keyIn({ id }: QualityCheck, path: Path, unmapped: UnmappedParts): { key?: string } {
  if (id && uuid.test(id)) return { key: id };
  if (id) unmapped.add([...path, "id"], "Is not a UUID; the rule gets a new key");
  return {};
}

/** Synonyms used by other tools. */
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
  unmapped.add([...path, "severity"], "Is not a known severity; Medium is used");
  return undefined;
}

function fallbackName({ type }: Measure, column: string | null): string {
  return column === null ? type : `${type} of ${column}`;
}

/** Cut to the maximum length of a name; first line only, since descriptions are used where there is no name. */
const titleOf = (text: string) => (text.trim().split("\n", 1)[0] ?? "").slice(0, 200).trim() || "Check";
