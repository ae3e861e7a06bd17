import { Problem } from "../../../errors.ts";
import type { Severity } from "../../severities.ts";
import { CheckedRows } from "../checked-rows.ts";
import { type CheckedTable, type Destination, unquoted } from "../destination.ts";
import type { NotCarried, Suite, SuiteRule, SuiteTable } from "../suite.ts";
import { Arguments, NotCarriedOver } from "./expectation.ts";
import { rowConditionSql } from "./row-condition.ts";
import { rulesOf } from "./rules-of.ts";

/** A file's path, its JSON, and the table that its suite is about, if it was said. */
export type GxFile = { path: string; content: unknown; table?: string | undefined };

/** Suites become contracts, and expectations their rules. Pure. Throws invalid for a file that is no suite. */
export function gxSuiteOf(files: readonly GxFile[], destination: Destination, project: string): Suite {
  const tables: SuiteTable[] = [];
  const notCarried: NotCarried[] = [];
  const ids = new Set<string>();
  for (const file of files) {
    const suite = suiteIn(file);
    if (ids.has(suite.name))
      throw notOfGx(file.path, `has a suite with the name of another file's: ${suite.name}`);
    ids.add(suite.name);
    const found = tableOf(file, suite, destination);
    const read = readSuite(suite, found, file, destination);
    tables.push(read.table);
    notCarried.push(...read.notCarried);
  }
  return {
    ...{
      tool: "gx",
      isWhole: false,
      project,
      version: "Great Expectations",
      tables,
      notCarried,
      warnings: [],
      lineage: null,
    },
  };
}

type ReadSuite = { name: string; meta: Record<string, unknown>; expectations: unknown[] };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function suiteIn({ path, content }: GxFile): ReadSuite {
  if (!isObject(content)) throw notOfGx(path, "is not a suite of Great Expectations");
  const name = content.expectation_suite_name ?? content.name;
  const { expectations, meta } = content;
  if (typeof name !== "string" || name.trim() === "" || !Array.isArray(expectations))
    throw notOfGx(path, "is not a suite of Great Expectations: it has no name and expectations");
  return { name: name.trim().slice(0, 200), meta: isObject(meta) ? meta : {}, expectations };
}

const notOfGx = (path: string, message: string) =>
  new Problem("invalid", "The files cannot be imported", { errors: [{ path, message }] });

type Found = { checked: CheckedTable; exists: boolean };

/** A suite does not say its table: it was given, or its name has that of a table. */
function tableOf(
  { table }: GxFile,
  { name, meta }: ReadSuite,
  { defaultSchema, find }: Destination,
): Found | null {
  if (table !== undefined) {
    const parts = table.split(".").map(unquoted);
    const [tableName, schemaName] = [parts.at(-1) ?? "", parts.at(-2) ?? defaultSchema];
    const found = find(schemaName, tableName);
    return { checked: found ?? { schemaName, tableName, columns: [] }, exists: found !== null };
  }
  const asset = typeof meta.data_asset_name === "string" ? [meta.data_asset_name] : [];
  for (const text of [...asset, name]) {
    const parts = text.split(/[.\s/:]+/).filter(Boolean);
    for (const [index, part] of [...parts.entries()].toReversed())
      for (const candidate of [part, part.replace(/_?(expectation_?)?(suite|expectations|checks)$/i, "")]) {
        const found =
          find(parts[index - 1] ?? defaultSchema, candidate) ??
          (candidate === "" ? null : find(defaultSchema, candidate));
        if (found) return { checked: found, exists: true };
      }
  }
  return null;
}

function readSuite(
  suite: ReadSuite,
  found: Found | null,
  { path }: GxFile,
  destination: Destination,
): { table: SuiteTable; notCarried: NotCarried[] } {
  const { dialect, defaultSchema, find } = destination;
  const checked = found?.checked ?? { schemaName: defaultSchema, tableName: suite.name, columns: [] };
  const rules: SuiteRule[] = [];
  const notCarried: NotCarried[] = [];
  const ids = new Set<string>();
  for (const [index, written] of suite.expectations.entries()) {
    const place = `${path}: expectations.${index}`;
    const { type, kwargs, id, more } = expectationIn(written);
    const own = newId(ids, `${suite.name}: ${id ?? subjectOf(type, kwargs)}`);
    const leaveOut = (reason: string) =>
      notCarried.push({ id: own, path: `${place}: ${type}`, family: type, reason });
    if (found === null) {
      leaveOut("The suite names no table of this data source: say which table it is about");
      continue;
    }
    try {
      const where = whereOf(kwargs, destination, checked);
      const other = (name: string) => {
        const parts = name.split(".").map(unquoted);
        return find(parts.at(-2) ?? checked.schemaName, parts.at(-1) ?? "");
      };
      const drafts = rulesOf(type.toLowerCase(), new Arguments(kwargs), {
        ...{ rows: new CheckedRows(dialect, checked, where), other },
      });
      for (const [number, draft] of drafts.entries())
        rules.push({
          id: number === 0 ? own : `${own}#${number + 1}`,
          ...{ path: `${place}: ${type}`, family: type, name: nameOf(type, kwargs, more) },
          ...{ type: draft.type, column: draft.column ?? null, configuration: draft.configuration },
          ...{ severity: severityOf(more), tags: tagsOf(more), notes: draft.notes ?? [], lastStatus: null },
        });
    } catch (error) {
      if (!(error instanceof NotCarriedOver)) throw error;
      leaveOut(error.message);
    }
  }
  return {
    notCarried,
    table: {
      ...{ id: suite.name, schemaName: checked.schemaName, tableName: checked.tableName },
      ...{ contractName: suite.name, description: null, owner: null, tags: [], catalogTags: [], columns: [] },
      ...{ exists: found?.exists ?? true, rules },
    },
  };
}

type Read = {
  type: string;
  kwargs: Record<string, unknown>;
  id: string | null;
  more: Record<string, unknown>;
};

/** As version 0 writes it (`expectation_type`), or version 1 (`type`). */
function expectationIn(written: unknown): Read {
  const more = isObject(written) ? written : {};
  const type = more.expectation_type ?? more.type;
  const { id } = more;
  return {
    type: typeof type === "string" && type !== "" ? type.slice(0, 200) : "unknown",
    kwargs: isObject(more.kwargs) ? more.kwargs : {},
    id: typeof id === "string" && id !== "" ? id.slice(0, 100) : null,
    more,
  };
}

/** By which an expectation without an id is recognized again: its kind, and what it is about. */
function subjectOf(type: string, kwargs: Record<string, unknown>): string {
  const about = ["column", "column_A", "column_B", "column_list", "column_set", "row_condition"].flatMap(
    (key) =>
      kwargs[key] === undefined || kwargs[key] === null ? [] : [JSON.stringify(kwargs[key]).slice(0, 300)],
  );
  return `${type}(${about.join(", ")})`;
}

function newId(ids: Set<string>, wanted: string): string {
  let id = wanted;
  for (let copy = 2; ids.has(id); copy += 1) id = `${wanted}~${copy}`;
  ids.add(id);
  return id;
}

function whereOf(
  { row_condition: condition }: Record<string, unknown>,
  { dialect }: Destination,
  table: CheckedTable,
): string | null {
  if (condition === undefined || condition === null || condition === "") return null;
  const where = rowConditionSql(condition, dialect, table);
  if (where === null) throw new NotCarriedOver("Its row_condition is not a comparison with values");
  return where;
}

function nameOf(
  type: string,
  kwargs: Record<string, unknown>,
  { description }: Record<string, unknown>,
): string {
  if (typeof description === "string" && description.trim() !== "") return description.trim().slice(0, 200);
  const { column, column_A: a, column_B: b, column_list: list } = kwargs;
  const about =
    typeof column === "string"
      ? column
      : typeof a === "string" && typeof b === "string"
        ? `${a} and ${b}`
        : Array.isArray(list)
          ? list.join(", ")
          : null;
  const words = type.replace(/^expect_(column_|table_|compound_)?/, "").replaceAll("_", " ");
  return (about === null ? words : `${about}: ${words}`).slice(0, 200);
}

const severities: Readonly<Record<string, Severity>> = {
  critical: "Critical",
  warning: "Medium",
  info: "Low",
};

function severityOf({ severity, meta }: Record<string, unknown>): Severity {
  const given = severity ?? (isObject(meta) ? meta.severity : undefined);
  const known = typeof given === "string" ? given.toLowerCase() : "";
  return Object.hasOwn(severities, known) ? (severities[known] ?? "High") : "High";
}

function tagsOf({ meta }: Record<string, unknown>): string[] {
  const tags = isObject(meta) ? meta.tags : undefined;
  return Array.isArray(tags) ? tags.slice(0, 50).map((tag) => String(tag).slice(0, 100)) : [];
}
