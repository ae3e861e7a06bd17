import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { BigQueryConnection } from "../../connections/bigquery.ts";
import { type Parameter, SourceError, type Statement } from "../engine.ts";
import { type Api, Failed, jobsPath } from "./api.ts";
import { isDuplicate } from "./failures.ts";
import type { FieldSchema } from "./values.ts";

/** One statement as a job of BigQuery: its dry run, its start, and its end before time. */

const answerBytes = 4 * 1024 * 1024;
const cancelMs = 10_000;
/** A job that was canceled ends soon. */
const billedMs = 10_000;
const askAgainMs = 500;

/** What a dry run says of a statement, without running it. */
export type DryRun = {
  statementType: string;
  bytes: number;
  /** Whether the statement may read less: with clusters, the number is an upper bound. */
  isUpperBound: boolean;
  location: string | undefined;
  tables: string[];
};

export type Job = { id: string; location: string | undefined };

export async function dryRun(
  api: Api,
  connection: BigQueryConnection,
  statement: Statement,
  signal: AbortSignal,
): Promise<DryRun> {
  const answer = (await api.call({
    method: "POST",
    path: jobsPath(connection, "jobs"),
    body: {
      ...(connection.location !== undefined && {
        jobReference: referenceOf(connection, connection.location),
      }),
      configuration: { dryRun: true, query: queryOf(connection, statement) },
    },
    signal,
    maxBytes: answerBytes,
  })) as Answer;
  const { query = {}, totalBytesProcessed } = answer.statistics ?? {};
  return {
    statementType: query.statementType ?? "",
    bytes: Number(query.totalBytesProcessed ?? totalBytesProcessed ?? 0),
    isUpperBound: query.totalBytesProcessedAccuracy === "UPPER_BOUND",
    location: connection.location ?? answer.jobReference?.location,
    tables: (query.referencedTables ?? []).map(
      ({ projectId = "", datasetId = "", tableId = "" }) => `${projectId}.${datasetId}.${tableId}`,
    ),
  };
}

/** Its name is chosen here, so that it can be canceled even if its start was never answered. */
export const aJob = (location: string | undefined): Job => ({ id: `plumbline_${randomUUID()}`, location });

export async function startJob(
  api: Api,
  connection: BigQueryConnection,
  job: Job,
  statement: Statement,
  { timeoutMs, maxBytesBilled, signal }: { timeoutMs: number; maxBytesBilled: number; signal: AbortSignal },
): Promise<void> {
  try {
    await api.call({
      method: "POST",
      path: jobsPath(connection, "jobs"),
      body: {
        jobReference: { ...referenceOf(connection, job.location), jobId: job.id },
        configuration: {
          // What is left of a limit for several statements is rarely a whole number.
          jobTimeoutMs: String(Math.max(1, Math.ceil(timeoutMs))),
          labels: { application: "plumbline" },
          query: { ...queryOf(connection, statement), maximumBytesBilled: String(maxBytesBilled) },
        },
      },
      signal,
      maxBytes: answerBytes,
    });
  } catch (error) {
    // The first try arrived, although its answer did not.
    if (!(error instanceof Failed) || !isDuplicate(error.error)) throw error;
  }
}

/** Ends a job on the server, which bills what it has read by then. Never throws. */
export async function cancelJob(api: Api, connection: BigQueryConnection, { id, location }: Job) {
  const cancel = () =>
    api.call({
      method: "POST",
      path: jobsPath(connection, "jobs", id, "cancel"),
      query: { location },
      signal: AbortSignal.timeout(cancelMs),
      maxBytes: answerBytes,
    });
  // A job whose start is still under way is not found yet.
  await cancel()
    .catch(cancel)
    .catch(() => {});
}

/** What a job billed, once it has ended; null if that cannot be found out. Never throws. */
export async function billedBy(
  api: Api,
  connection: BigQueryConnection,
  { id, location }: Job,
): Promise<number | null> {
  const signal = AbortSignal.timeout(billedMs);
  try {
    for (;;) {
      const { status, statistics } = (await api.call({
        method: "GET",
        path: jobsPath(connection, "jobs", id),
        query: { location },
        ...{ signal, maxBytes: answerBytes },
      })) as Answer;
      if (status?.state === "DONE") return Number(statistics?.query?.totalBytesBilled ?? 0);
      await pause(askAgainMs, undefined, { signal });
    }
  } catch {
    return null;
  }
}

const referenceOf = ({ billingProject }: BigQueryConnection, location: string | undefined) => ({
  projectId: billingProject,
  ...(location !== undefined && { location }),
});

type Answer = {
  jobReference?: { location?: string };
  status?: { state?: string };
  statistics?: {
    totalBytesProcessed?: string;
    query?: {
      statementType?: string;
      totalBytesProcessed?: string;
      totalBytesBilled?: string;
      totalBytesProcessedAccuracy?: string;
      referencedTables?: { projectId?: string; datasetId?: string; tableId?: string }[];
      schema?: { fields?: FieldSchema[] };
    };
  };
};

/** Parameters travel in the body of the request, and never in the statement. */
function queryOf(
  { billingProject, dataProject = billingProject, dataset }: BigQueryConnection,
  { sql, parameters }: Statement,
) {
  return {
    query: sql,
    useLegacySql: false,
    ...(dataset !== undefined && { defaultDataset: { projectId: dataProject, datasetId: dataset } }),
    connectionProperties: [
      { key: "time_zone", value: "UTC" },
      ...(dataProject === billingProject ? [] : [{ key: "dataset_project_id", value: dataProject }]),
    ],
    ...(parameters.length > 0 && {
      parameterMode: "NAMED",
      queryParameters: parameters.map((value, index) => ({
        name: `p${index + 1}`,
        parameterType: { type: typeOf(value) },
        parameterValue: { value: value === null ? null : String(value) },
      })),
    }),
  };
}

function typeOf(value: Parameter): string {
  if (typeof value === "number") return Number.isSafeInteger(value) ? "INT64" : "FLOAT64";
  return typeof value === "boolean" ? "BOOL" : "STRING";
}

/** Only SELECT reads, whatever the text looked like. */
export function requireSelect({ statementType }: DryRun): void {
  if (statementType !== "SELECT")
    throw new SourceError(
      "refused",
      "Only read statements are allowed: BigQuery takes this for another kind",
    );
}
