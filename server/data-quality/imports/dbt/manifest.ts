import { z } from "zod";
import { Problem } from "../../../errors.ts";
import type { Macro } from "./written-tests.ts";

/**
 * What is read of dbt's files. Versions differ in what they add and move, so each node is read on its own, only the
 * known properties, and one that cannot be read does not prevent the others.
 */

const texts = z
  .union([z.string(), z.array(z.string())])
  .nullish()
  .catch(null)
  .transform((value) => (typeof value === "string" ? [value] : (value ?? [])));
const optionalText = z.string().nullish().catch(null);
const properties = z.record(z.string(), z.unknown()).nullish().catch(null);

const nodeSchema = z.object({
  resource_type: z.string(),
  name: z.string(),
  package_name: optionalText,
  database: optionalText,
  schema: optionalText,
  alias: optionalText,
  identifier: optionalText,
  source_name: optionalText,
  description: optionalText,
  original_file_path: optionalText,
  path: optionalText,
  tags: texts,
  meta: properties,
  group: optionalText,
  version: z.union([z.string(), z.number()]).nullish().catch(null),
  columns: z
    .record(
      z.string(),
      z
        .object({
          name: z.string(),
          description: optionalText,
          tags: texts,
          config: z.object({ tags: texts }).nullish().catch(null),
        })
        .nullish()
        .catch(null),
    )
    .nullish()
    .catch(null),
  config: z
    .object({
      enabled: z.boolean().nullish().catch(null),
      materialized: optionalText,
      severity: optionalText,
      where: optionalText,
      error_if: optionalText,
      warn_if: optionalText,
      fail_calc: optionalText,
      tags: texts,
      meta: properties,
    })
    .nullish()
    .catch(null),
  test_metadata: z
    .object({ name: z.string(), namespace: optionalText, kwargs: properties })
    .nullish()
    .catch(null),
  attached_node: optionalText,
  column_name: optionalText,
  depends_on: z.object({ nodes: texts, macros: texts }).nullish().catch(null),
  compiled_code: optionalText,
  compiled_sql: optionalText,
  raw_code: optionalText,
  raw_sql: optionalText,
  loaded_at_field: optionalText,
  freshness: z
    .object({ warn_after: properties, error_after: properties, filter: optionalText })
    .nullish()
    .catch(null),
});
export type DbtNode = z.output<typeof nodeSchema> & { id: string };

export type DbtProject = {
  name: string;
  /** Of the manifest's schema: 12; null if it does not say. */
  schemaVersion: number | null;
  dbtVersion: string | null;
  nodes: Map<string, DbtNode>;
  /** The macros of tests, by their id. */
  macros: Map<string, Macro>;
  /** Nodes that could not be read. */
  unreadable: string[];
  /** The last result of each test, by its id. */
  results: Map<string, string>;
  /** The names of a table's columns in the catalog, and their comments, by the table's id. */
  catalog: Map<string, { name: string; comment: string | null }[]>;
};

/** Versions that this reads; others are read for what is known of them. */
export const knownVersions = { from: 4, to: 12 };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isSomething = (value: unknown) => value !== undefined && value !== null;

/** Throws invalid for anything that is not a manifest. */
export function readProject(files: {
  manifest: unknown;
  runResults?: unknown;
  catalog?: unknown;
}): DbtProject {
  const { manifest } = files;
  if (!isObject(manifest) || !isObject(manifest.metadata) || !isObject(manifest.nodes))
    throw notOfDbt("manifest", "is not dbt's manifest.json: it has no metadata and nodes");
  const { metadata } = manifest;
  const schema = metadata.dbt_schema_version;
  const version =
    typeof schema === "string" ? /\/manifest\/v(\d{1,4})(?:\.json)?$/.exec(schema)?.[1] : undefined;
  if (typeof schema === "string" && version === undefined)
    throw notOfDbt("manifest", "is another of dbt's files: its schema is not that of a manifest");
  const nodes = new Map<string, DbtNode>();
  const unreadable: string[] = [];
  const sources = isObject(manifest.sources) ? manifest.sources : {};
  for (const [id, value] of [...Object.entries(manifest.nodes), ...Object.entries(sources)]) {
    const node = nodeSchema.safeParse(value);
    if (node.success) nodes.set(id, { ...node.data, id });
    else unreadable.push(id);
  }
  return {
    name: projectName(metadata.project_name, nodes),
    schemaVersion: version === undefined ? null : Number(version),
    dbtVersion: typeof metadata.dbt_version === "string" ? metadata.dbt_version.slice(0, 40) : null,
    nodes,
    macros: readMacros(manifest.macros),
    unreadable,
    results: isSomething(files.runResults) ? readResults(files.runResults) : new Map(),
    catalog: isSomething(files.catalog) ? readCatalog(files.catalog) : new Map(),
  };
}

const macroSchema = z.object({ name: z.string(), package_name: z.string(), macro_sql: z.string() });

function readMacros(section: unknown): Map<string, Macro> {
  return new Map(
    Object.entries(isObject(section) ? section : {}).flatMap(([id, value]) => {
      const macro = macroSchema.safeParse(value);
      if (!macro.success || !/(^|__)test_/.test(macro.data.name)) return [];
      const { name, package_name, macro_sql } = macro.data;
      return [[id, { name, package: package_name, sql: macro_sql }] as const];
    }),
  );
}

const notOfDbt = (path: string, message: string) =>
  new Problem("invalid", "The files cannot be imported", { errors: [{ path, message }] });

/** Old versions do not name the project: then it is the package with the most nodes. */
function projectName(name: unknown, nodes: ReadonlyMap<string, DbtNode>): string {
  if (typeof name === "string" && name !== "") return name.slice(0, 200);
  const packages = Map.groupBy([...nodes.values()], (node) => node.package_name ?? "");
  const [largest] = [...packages].toSorted(([, a], [, b]) => b.length - a.length);
  return (largest?.[0] || "dbt").slice(0, 200);
}

function readResults(file: unknown): Map<string, string> {
  const results = isObject(file) ? file.results : null;
  if (!Array.isArray(results))
    throw notOfDbt("runResults", "is not dbt's run_results.json: it has no results");
  return new Map(
    results.flatMap((result: unknown) => {
      if (!isObject(result) || typeof result.unique_id !== "string" || typeof result.status !== "string")
        return [];
      const failures =
        typeof result.failures === "number" && result.failures > 0 ? ` (${result.failures})` : "";
      return [[result.unique_id, `${result.status.slice(0, 40)}${failures}`] as const];
    }),
  );
}

function readCatalog(file: unknown): DbtProject["catalog"] {
  if (!isObject(file) || !isObject(file.nodes))
    throw notOfDbt("catalog", "is not dbt's catalog.json: it has no nodes");
  const all = [...Object.entries(file.nodes), ...Object.entries(isObject(file.sources) ? file.sources : {})];
  return new Map(
    all.map(([id, node]) => {
      const columns = isObject(node) && isObject(node.columns) ? Object.values(node.columns) : [];
      const named = columns.flatMap((column) =>
        isObject(column) && typeof column.name === "string"
          ? { name: column.name, comment: typeof column.comment === "string" ? column.comment : null }
          : [],
      );
      return [id, named];
    }),
  );
}
