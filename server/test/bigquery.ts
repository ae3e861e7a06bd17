import type { BigQueryConnectionWithKey } from "../data-sources/engines/engine.ts";

/** An emulator of BigQuery for tests, if TEST_BIGQUERY_URL is set: http://host:port. `scripts/local-bigquery.py` is one. */
const endpoint = process.env.TEST_BIGQUERY_URL;

export const bigQueryConnection: BigQueryConnectionWithKey | null = endpoint
  ? { billingProject: "local", maxBytesBilled: 10_000_000_000, endpoint, serviceAccountKey: "" }
  : null;

/** Runs a statement that may write. */
export async function runOnBigQuery(
  { billingProject, endpoint }: BigQueryConnectionWithKey,
  sql: string,
): Promise<void> {
  const response = await fetch(`${endpoint}/bigquery/v2/projects/${billingProject}/queries`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: sql, useLegacySql: false, timeoutMs: 60_000 }),
  });
  if (!response.ok) throw new Error(await response.text());
}
