import type { BigQueryConnection } from "../../connections/bigquery.ts";
import { bigquery } from "../../dialects/bigquery.ts";
import { type Cell, isSourceError, type Limits, type ResultSet, type Statement } from "../engine.ts";
import { type Api, Failed, part } from "./api.ts";

/**
 * What there is, in few statements: one for each location, over INFORMATION_SCHEMA of the region. A service account that
 * may read only some datasets is not allowed that, so then each dataset is asked.
 */

const { quote } = bigquery;
const most = { datasets: 5_000, inOneStatement: 100, pageBytes: 4 * 1024 * 1024 };

type Dataset = { name: string; location: string };
type Read = (statement: Statement, limits: Limits) => Promise<ResultSet>;

export type Catalog = {
  /** Rows in the order that `schemaOf` expects. */
  columns(limits: Limits): Promise<Cell[][]>;
  tableStatistics(limits: Limits): Promise<ResultSet>;
  viewDefinitions(limits: Limits): Promise<ResultSet>;
};

export function catalogOf(
  api: Api,
  connection: BigQueryConnection,
  readIn: (location: string | undefined) => Read,
): Catalog {
  const project = connection.dataProject ?? connection.billingProject;

  /** Those that the service account may see, without the hidden ones that hold results. */
  const datasets = async ({ timeoutMs, signal }: Limits): Promise<Dataset[]> => {
    const stop = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
    const found: Dataset[] = [];
    let pageToken: string | undefined;
    do {
      const page = (await api
        .call({
          method: "GET",
          path: `${part(project)}/datasets`,
          query: { maxResults: "1000", pageToken },
          signal: stop,
          maxBytes: most.pageBytes,
        })
        .catch((error) => {
          throw error instanceof Failed ? error.failure : error;
        })) as {
        datasets?: { datasetReference?: { datasetId?: string }; location?: string }[];
        nextPageToken?: string | null;
      };
      for (const { datasetReference, location = "US" } of page.datasets ?? [])
        if (datasetReference?.datasetId) found.push({ name: datasetReference.datasetId, location });
      pageToken = page.nextPageToken || undefined;
    } while (pageToken !== undefined && found.length < most.datasets);
    const { location, dataset } = connection;
    return found.filter(
      (each) =>
        !each.name.startsWith("_") &&
        (dataset === undefined || each.name === dataset) &&
        (location === undefined || each.location.toLowerCase() === location.toLowerCase()),
    );
  };

  const inLocations = async (limits: Limits) =>
    [...Map.groupBy(await datasets(limits), ({ location }) => location)].map(([location, some]) => ({
      ...{ location, names: some.map(({ name }) => name) },
      read: (sql: string) => readIn(location)({ sql, parameters: [], ownSql: true }, limits),
    }));

  const scopeOf = (name: string) => `${quote(project)}.${quote(name)}`;

  /** Of the whole region if that is allowed and asked for, otherwise of each dataset. */
  const byScope = async (limits: Limits, sqlFor: (scope: Scope) => string): Promise<Cell[][]> => {
    const rows: Cell[][] = [];
    for (const { location, names, read } of await inLocations(limits)) {
      const region = { of: scopeOf(`region-${location.toLowerCase()}`), isRegion: true };
      const whole =
        connection.dataset === undefined
          ? await read(sqlFor(region)).catch((error) => {
              if (isSourceError(error) && error.kind === "statement") return null;
              throw error;
            })
          : null;
      if (whole) rows.push(...whole.rows);
      else
        for (const name of names)
          rows.push(...(await read(sqlFor({ of: scopeOf(name), isRegion: false }))).rows);
    }
    return rows;
  };

  return {
    async columns(limits) {
      const rows = await byScope(limits, columnsSql);
      return rows.map(tableRow).sort((a, b) => compared(a, b));
    },
    async tableStatistics(limits) {
      const rows: Cell[][] = [];
      for (const { names, read } of await inLocations(limits))
        for (let from = 0; from < names.length; from += most.inOneStatement) {
          const some = names.slice(from, from + most.inOneStatement);
          rows.push(
            ...(await read(some.map((name) => statisticsSql(scopeOf(name))).join("\nunion all "))).rows,
          );
        }
      return resultOf(["schema_name", "table_name", "row_count", "version"], rows.map(numbered));
    },
    async viewDefinitions(limits) {
      const rows = await byScope(limits, viewsSql);
      return resultOf(["schema_name", "view_name", "definition", "target"], rows);
    },
  };
}

type Scope = { of: string; isRegion: boolean };

/** Column numbers are in the order of a table's own. */
function columnsSql({ of, isRegion }: Scope): string {
  const sizes = isRegion
    ? `select table_schema, table_name, total_rows as row_count from ${of}.INFORMATION_SCHEMA.TABLE_STORAGE where not deleted`
    : `select dataset_id as table_schema, table_id as table_name, row_count from ${of}.__TABLES__ where type = 1`;
  return `
select c.table_schema, c.table_name, t.table_type, s.row_count, o.option_value, c.column_name, c.data_type, c.is_nullable,
  f.description, c.ordinal_position
from ${of}.INFORMATION_SCHEMA.COLUMNS as c
join ${of}.INFORMATION_SCHEMA.TABLES as t on t.table_schema = c.table_schema and t.table_name = c.table_name
left join (${sizes}) as s on s.table_schema = c.table_schema and s.table_name = c.table_name
left join ${of}.INFORMATION_SCHEMA.TABLE_OPTIONS as o
  on o.table_schema = c.table_schema and o.table_name = c.table_name and o.option_name = 'description'
left join ${of}.INFORMATION_SCHEMA.COLUMN_FIELD_PATHS as f
  on f.table_schema = c.table_schema and f.table_name = c.table_name and f.field_path = c.column_name
where not starts_with(c.table_schema, '_')
order by c.table_schema, c.table_name, c.ordinal_position`;
}

const statisticsSql = (scope: string) => `select dataset_id, table_id, row_count,
  concat(cast(last_modified_time as string), ' ', cast(row_count as string), ' ', cast(size_bytes as string))
from ${scope}.__TABLES__ where type = 1`;

/** Materialized views are not among them. */
const viewsSql = ({ of }: Scope) => `select table_schema, table_name, view_definition, cast(null as string)
from ${of}.INFORMATION_SCHEMA.VIEWS
where not starts_with(table_schema, '_')
order by table_schema, table_name`;

function tableRow(row: readonly Cell[]): Cell[] {
  const [
    schema = null,
    table = null,
    type,
    rows,
    comment,
    name = null,
    dataType = null,
    nullable,
    about = null,
    at = null,
  ] = row;
  return [
    ...[schema, table, /VIEW$/.test(String(type)) ? "View" : "Table"],
    ...[rows === null || rows === undefined ? null : Number(rows), optionText(comment ?? null)],
    ...[name, dataType, nullable === "YES", about, false, null, null, null, at],
  ];
}

/** The value of an option is the text as it would be written in a statement, which is nearly JSON. */
function optionText(value: Cell): string | null {
  if (typeof value !== "string" || value === "") return null;
  try {
    const parsed = JSON.parse(value);
    if (typeof parsed === "string") return parsed || null;
  } catch {
    // It has an escape that JSON does not know.
  }
  return value.replace(/^"|"$/g, "");
}

/** By schema, table, and place of the column, as the rows of several locations follow one another. */
function compared(a: readonly Cell[], b: readonly Cell[]): number {
  const texts = (row: readonly Cell[]) => [String(row[0]), String(row[1])] as const;
  const [[schema, table], [otherSchema, otherTable]] = [texts(a), texts(b)];
  if (schema !== otherSchema) return schema < otherSchema ? -1 : 1;
  if (table !== otherTable) return table < otherTable ? -1 : 1;
  return Number(a[13]) - Number(b[13]);
}

const numbered = ([schema = null, table = null, rows, version = null]: Cell[]): Cell[] => [
  ...[schema, table],
  rows === null || rows === undefined ? null : Number(rows),
  version,
];

const resultOf = (names: readonly string[], rows: Cell[][]): ResultSet => ({
  columns: names.map((name) => ({ name, type: "STRING" })),
  ...{ rows, truncated: false, rowCount: rows.length },
});
