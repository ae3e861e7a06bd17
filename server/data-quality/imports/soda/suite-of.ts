import { Problem } from "../../../errors.ts";
import { CheckedRows } from "../checked-rows.ts";
import { type CheckedTable, type Destination, unquoted } from "../destination.ts";
import type { NotCarried, Suite, SuiteRule, SuiteTable } from "../suite.ts";
import { isObject, NotCarriedOver, type SodaCheck, textOf } from "./check.ts";
import { groupedChecks, readCheck } from "./read-checks.ts";
import { readContractCheck } from "./read-contract.ts";
import { rulesOf } from "./rules-of.ts";
import { filled, type Variables, variablesIn } from "./variables.ts";

/** A file's path, and what it says. */
export type SodaFile = { path: string; content: unknown };
export type SodaDestination = Destination & { tables: readonly CheckedTable[] };
type Options = { project: string; variables: Readonly<Record<string, string>> };

/** Datasets become tables, and checks become their rules. Pure. Throws invalid for a file that is not Soda's. */
export function sodaSuiteOf(
  files: readonly SodaFile[],
  destination: SodaDestination,
  options: Options,
): Suite {
  const reader = new SodaReader(destination);
  for (const file of files) reader.read(file, variablesIn(file.content, options.variables));
  return {
    ...{ tool: "soda", isWhole: false, project: options.project },
    version: [...reader.formats].join(" and "),
    tables: [...reader.tables.values()].map(({ table }) => table),
    notCarried: reader.notCarried,
    warnings: [...reader.warnings],
    lineage: null,
  };
}

type Known = { table: SuiteTable; checked: CheckedTable };

/** Settings of a scan, which check nothing. */
const notOfChecks = ["variables", "discover datasets", "profile columns", "sample datasets", "queries"];

class SodaReader {
  readonly tables = new Map<string, Known>();
  readonly notCarried: NotCarried[] = [];
  readonly warnings = new Set<string>();
  readonly formats = new Set<string>();
  readonly #destination: SodaDestination;
  readonly #ids = new Set<string>();

  constructor(destination: SodaDestination) {
    this.#destination = destination;
  }

  read({ path, content }: SodaFile, variables: Variables): void {
    if (!isObject(content)) throw notOfSoda(path);
    if (typeof content.dataset === "string") this.#readContract(path, content, variables);
    else this.#readChecks(path, content, variables);
  }

  #readChecks(path: string, file: Record<string, unknown>, variables: Variables): void {
    this.formats.add("SodaCL");
    const filters = filtersIn(file);
    const sections = Object.entries(file).filter(([key]) =>
      /^(checks|for each|filter|configurations)\b/.test(key),
    );
    const others = Object.keys(file).filter(
      (key) => notOfChecks.includes(key) || /^automated monitoring/.test(key),
    );
    if (sections.length === 0 && others.length === 0) throw notOfSoda(path);
    for (const [key, value] of Object.entries(file)) {
      const each = /^for each (?:dataset|table)\b\s*(\w*)/.exec(key);
      if (each) this.#readForEach(`${path}: ${key}`, value, each[1] ?? "", variables);
      else if (/^checks for /.test(key)) {
        const [name, partition] = datasetOf(key.slice("checks for ".length));
        const filter = partition === null ? null : filters.get(JSON.stringify([name, partition]));
        const settings = settingsIn(file, name);
        this.#readSection(name, value, { path: `${path}: ${key}`, filter, settings, partition, variables });
      } else if (key === "checks")
        this.#leaveOut(
          `${path}: checks`,
          "checks",
          "Checks of no dataset have no table that a contract could watch",
        );
      else if (/^automated monitoring/.test(key))
        this.#leaveOut(`${path}: ${key}`, key, "Soda learns what is usual itself; no kind of rule does");
      else if (!/^(filter|configurations)\b/.test(key) && !notOfChecks.includes(key))
        this.#leaveOut(`${path}: ${key}`, "unknown", "Is not known in a file of checks");
    }
  }

  #readForEach(path: string, value: unknown, variable: string, variables: Variables): void {
    const patterns = isObject(value) ? (value.datasets ?? value.tables) : null;
    if (!isObject(value) || !Array.isArray(patterns)) {
      this.#leaveOut(path, "for each dataset", "Lists no datasets");
      return;
    }
    for (const name of this.#datasetsLike(patterns.map(String)))
      this.#readSection(name, value.checks, {
        ...{ path, filter: null, settings: () => ({}), partition: null },
        variables: new Map([...variables, ...(variable ? [[variable, name] as const] : [])]),
      });
  }

  /** Names as they are, and those of the data source's default schema that are like a pattern. */
  #datasetsLike(patterns: readonly string[]): string[] {
    const found = new Set<string>();
    for (const pattern of patterns) {
      const [, sign, name = ""] = /^(include |exclude )?(.*)$/.exec(pattern.trim()) ?? [];
      const isExcluded = sign === "exclude ";
      if (!/[%*]/.test(name)) {
        if (isExcluded) found.delete(name);
        else found.add(name);
        continue;
      }
      const own = this.#destination.tables.filter(
        (each) => each.schemaName === this.#destination.defaultSchema,
      );
      for (const { tableName } of own)
        if (isLike(tableName, name)) {
          if (isExcluded) found.delete(tableName);
          else found.add(tableName);
        }
    }
    return [...found];
  }

  #readSection(
    written: string,
    checks: unknown,
    context: {
      path: string;
      filter: string | null | undefined;
      settings: (column: string) => Record<string, unknown>;
      partition: string | null;
      variables: Variables;
    },
  ): void {
    const { path, partition, variables } = context;
    if (!Array.isArray(checks)) {
      this.#leaveOut(path, "unknown", "Has no list of checks");
      return;
    }
    for (const check of checks.flatMap(groupedChecks)) {
      const line = isObject(check) ? (Object.keys(check)[0] ?? "") : String(textOf(check) ?? "");
      this.#carryOver(`${path}: ${line}`, line, () => {
        if (context.filter === undefined)
          throw new NotCarriedOver(`The file has no filter named ${partition ?? ""}`);
        const name = filled(written, variables);
        const filter = filled(context.filter, variables);
        const read = readCheck(check, {
          ...{ path: `${path}: ${line}`, filter, variables },
          columnSettings: context.settings,
        });
        const id = partition === null ? read.id : `${read.id} [${partition}]`;
        return { known: this.#known(name.split(".")), check: { ...read, id } };
      });
    }
  }

  #readContract(path: string, file: Record<string, unknown>, variables: Variables): void {
    this.formats.add("Soda data contracts");
    const columns = Array.isArray(file.columns) ? file.columns.filter(isObject) : [];
    const names = columns.flatMap(({ name }) => textOf(name) ?? []);
    const types = Object.fromEntries(
      columns.flatMap(({ name, data_type: type }): [string, string][] =>
        textOf(name) && textOf(type) ? [[String(name), String(type)]] : [],
      ),
    );
    const read = (checks: unknown, column: string | null) => {
      for (const [index, check] of (Array.isArray(checks) ? checks : []).entries()) {
        const kind = isObject(check) ? (textOf(check.type) ?? Object.keys(check)[0] ?? "") : "";
        const place = `${path}: ${column === null ? "checks" : `columns.${column}.checks`}.${index}: ${kind}`;
        this.#carryOver(place, kind, () => {
          const filter = filled(textOf(file.filter), variables);
          const own = readContractCheck(filled(check, variables), {
            ...{ column, path: place, filter, columns: names, types },
          });
          const dataset = filled(String(file.dataset), variables);
          const parts = dataset.includes("/")
            ? dataset.split("/")
            : [textOf(file.schema), ...dataset.split(".")];
          return { known: this.#known(parts.flatMap((part) => part ?? [])), check: own };
        });
      }
    };
    for (const column of columns) read(column.checks, textOf(column.name));
    read(file.checks, null);
    const kinds = Array.isArray(file.checks) ? file.checks.filter(isObject) : [];
    const checksTypes = kinds.some((check) => check.type === "schema" || Object.hasOwn(check, "schema"));
    if (Object.keys(types).length > 0 && !checksTypes)
      this.warnings.add(
        "Types of columns are not imported without a schema check: approve a table's columns with a Schema rule.",
      );
  }

  /** The last two parts are the schema and the table. */
  #known(parts: readonly string[]): Known {
    const names = parts.map(unquoted);
    const { defaultSchema, find } = this.#destination;
    const [tableName, schemaName] = [names.at(-1) ?? "", names.at(-2) ?? defaultSchema];
    const found = find(schemaName, tableName);
    const checked = found ?? { schemaName, tableName, columns: [] };
    const place =
      checked.schemaName === defaultSchema ? checked.tableName : `${checked.schemaName}.${checked.tableName}`;
    const id = `checks for ${place}`;
    const known = this.tables.get(id) ?? {
      checked,
      table: {
        ...{ id, schemaName: checked.schemaName, tableName: checked.tableName, exists: found !== null },
        ...{
          contractName: `${place} (Soda)`,
          description: null,
          owner: null,
          tags: [],
          catalogTags: [],
          columns: [],
          rules: [],
        },
      },
    };
    this.tables.set(id, known);
    return known;
  }

  #carryOver(path: string, line: string, read: () => { known: Known; check: SodaCheck }): void {
    try {
      const { known, check } = read();
      const { rules } = known.table;
      const id = this.#newId(`${known.table.id}: ${check.id}`);
      const own = this.#rulesOf(check, known.checked);
      for (const [index, rule] of own.entries())
        rules.push({ ...rule, id: index === 0 ? id : `${id}#${index + 1}` });
    } catch (error) {
      if (!(error instanceof NotCarriedOver)) throw error;
      this.#leaveOut(path, /^[a-z]+( (rows|in|detection))?|/.exec(line)?.[0] || "unknown", error.message);
    }
  }

  /** Two checks may be the same but for their settings. */
  #newId(wanted: string): string {
    let id = wanted;
    for (let copy = 2; this.#ids.has(id); copy += 1) id = `${wanted}~${copy}`;
    this.#ids.add(id);
    return id;
  }

  #rulesOf(check: SodaCheck, checked: CheckedTable): Omit<SuiteRule, "id">[] {
    const { dialect, defaultSchema, find } = this.#destination;
    const target = {
      rows: new CheckedRows(dialect, checked, check.filter),
      other: (name: string) => {
        const parts = name.split(/[./]/).map(unquoted);
        return (
          find(parts.at(-2) ?? checked.schemaName, parts.at(-1) ?? "") ??
          find(defaultSchema, parts.at(-1) ?? "")
        );
      },
    };
    const levels = (["fail", "warn"] as const).flatMap((level) => {
      const schema = check.metric === "schema" ? check.settings[level] : undefined;
      const limit = check[level] ?? (isObject(schema) ? { min: null, max: null, isOutside: false } : null);
      return limit === null ? [] : { level, limit, settings: { ...check.settings, level: schema } };
    });
    if (levels.length === 0) throw new NotCarriedOver("Has no limit");
    return levels.flatMap(({ level, limit, settings }) =>
      rulesOf({ ...check, settings }, limit, target).map((draft) => ({
        ...{ path: check.path, family: check.family, name: nameOf(check) },
        ...{ type: draft.type, column: draft.column ?? null, configuration: draft.configuration },
        ...{ severity: level === "warn" ? "Low" : "High", tags: check.tags, lastStatus: null },
        notes: draft.notes ?? [],
      })),
    );
  }

  #leaveOut(path: string, family: string, reason: string): void {
    this.notCarried.push({ id: this.#newId(path), path, family, reason });
  }
}

const nameOf = ({ name, metric, columns }: SodaCheck) =>
  (name ?? (columns.length === 0 ? metric : `${columns.join(", ")}: ${metric}`)).trim().slice(0, 200) ||
  metric;

const notOfSoda = (path: string) =>
  new Problem("invalid", "The files cannot be imported", {
    errors: [
      {
        path,
        message: "is neither a file of Soda checks (checks for …:) nor a Soda data contract (dataset:)",
      },
    ],
  });

/** `orders [daily]` is the dataset and its partition. */
function datasetOf(text: string): [string, string | null] {
  const [, name = "", partition = null] = /^(.*?)(?:\s*\[([^\]]+)\])?$/.exec(text.trim()) ?? [];
  return [name.trim(), partition?.trim() ?? null];
}

function filtersIn(file: Record<string, unknown>): Map<string, string> {
  const filters = Object.entries(file).flatMap(([key, value]) => {
    const where = isObject(value) ? textOf(value.where) : null;
    if (!key.startsWith("filter ") || where === null) return [];
    return [[JSON.stringify(datasetOf(key.slice("filter ".length))), where] as const];
  });
  return new Map(filters);
}

/** What `configurations for orders:` says of a column, as the settings of its checks: `valid values for city`. */
function settingsIn(
  file: Record<string, unknown>,
  dataset: string,
): (column: string) => Record<string, unknown> {
  const own = file[`configurations for ${dataset}`];
  const entries = isObject(own) ? Object.entries(own) : [];
  return (column) =>
    Object.fromEntries(
      entries.flatMap(([key, value]) => {
        const [, setting, of] = /^(.+) for (.+)$/.exec(key) ?? [];
        return setting !== undefined && unquoted(of ?? "") === column ? [[setting, value]] : [];
      }),
    );
}

/** % and * stand for anything. */
function isLike(name: string, pattern: string): boolean {
  const parts = pattern.split(/[%*]+/);
  const [first = ""] = parts;
  const last = parts.at(-1) ?? "";
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}
