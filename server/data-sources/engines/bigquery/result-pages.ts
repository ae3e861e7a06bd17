import type { BigQueryConnection } from "../../connections/bigquery.ts";
import { type Limits, type ResultSet, SourceError } from "../engine.ts";
import { sizeOf } from "../row-size.ts";
import { type Api, jobsPath, TooLarge } from "./api.ts";
import type { Job } from "./job.ts";
import { cellOf, type FieldSchema, typeOf } from "./values.ts";

/** How long one request waits for the job. */
const waitMs = 20_000;
const firstRows = 1_000;
const mostRows = 50_000;
/** Of a page, beyond the limit on bytes: JSON is longer than what is counted. */
const overshootBytes = 4 * 1024 * 1024;

type Page = {
  jobComplete?: boolean;
  schema?: { fields?: FieldSchema[] };
  rows?: { f?: { v?: unknown }[] }[];
  totalRows?: string;
  pageToken?: string;
};

/**
 * Waits for a job and reads its result page by page, until enough is there. A page that is larger than may be held is asked
 * for again with fewer rows. The number of all rows is part of every page.
 */
export async function readPages(
  api: Api,
  connection: BigQueryConnection,
  { id, location }: Job,
  { maxRows, maxBytes, countAll = false }: Limits,
  signal: AbortSignal,
): Promise<ResultSet> {
  const rows: ResultSet["rows"] = [];
  let fields: FieldSchema[] = [];
  let bytes = 0;
  let truncated = false;
  let total = 0;
  let pageToken: string | undefined;
  let pageRows = Math.min(maxRows + 1, firstRows);

  const ask = () =>
    api.call({
      method: "GET",
      path: jobsPath(connection, "queries", id),
      query: {
        ...{ location, pageToken, maxResults: String(Math.max(1, pageRows)), timeoutMs: String(waitMs) },
        "formatOptions.useInt64Timestamp": "true",
      },
      signal,
      maxBytes: maxBytes * 2 + overshootBytes,
    }) as Promise<Page>;

  for (;;) {
    let page: Page;
    try {
      page = await ask();
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      if (pageRows > 1) {
        pageRows = Math.ceil(pageRows / 8);
        continue;
      }
      if (rows.length === 0 || countAll)
        throw new SourceError("statement", "A row of the result is too large to be read");
      truncated = true;
      break;
    }
    if (page.jobComplete === false) continue;
    fields = page.schema?.fields ?? fields;
    total = Number(page.totalRows ?? total);
    for (const row of page.rows ?? []) {
      const cells = fields.map((field, at) => cellOf(row.f?.[at]?.v, field));
      bytes += sizeOf(cells);
      truncated = rows.length >= maxRows || bytes > maxBytes;
      if (truncated) break;
      rows.push(cells);
    }
    pageToken = page.pageToken || undefined;
    if (truncated || pageToken === undefined) break;
    if (rows.length >= maxRows) {
      truncated = total > rows.length;
      break;
    }
    pageRows = nextRows(rows.length, bytes, { maxRows, maxBytes });
  }
  return {
    columns: fields.map((field) => ({ name: field.name ?? "", type: typeOf(field) })),
    rows,
    truncated,
    rowCount: countAll && truncated ? total : rows.length,
  };
}

/** As many as are likely to fit, by the rows so far. */
function nextRows(count: number, bytes: number, { maxRows, maxBytes }: Pick<Limits, "maxRows" | "maxBytes">) {
  const average = count === 0 ? 1 : bytes / count;
  const fit = Math.ceil((maxBytes - bytes) / Math.max(1, average)) + 1;
  return Math.max(1, Math.min(maxRows - count + 1, fit, mostRows));
}
