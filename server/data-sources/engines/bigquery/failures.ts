import type { BigQueryConnection } from "../../connections/bigquery.ts";
import { costText } from "../../cost.ts";
import { SourceError, type SqlPlace } from "../engine.ts";
import { firstLine } from "../failures.ts";

/** What an answer that is an error says, by the API's error model. */
export type ApiError = { status: number; reason: string; message: string };

export function apiErrorIn(status: number, body: unknown): ApiError {
  const { error } = (body ?? {}) as {
    error?: { message?: unknown; status?: unknown; errors?: { reason?: unknown }[] };
  };
  const reason = error?.errors?.[0]?.reason ?? error?.status;
  return {
    status,
    reason: typeof reason === "string" ? reason : "",
    message: typeof error?.message === "string" ? error.message : "",
  };
}

/** By Google's list of error messages, the same request may work in a moment. */
const passing = new Set([
  "rateLimitExceeded",
  "jobRateLimitExceeded",
  "userRateLimitExceeded",
  "backendError",
  "jobBackendError",
  "internalError",
  "jobInternalError",
  "tableUnavailable",
]);

export const isPassing = ({ status, reason }: ApiError) =>
  passing.has(reason) || (reason !== "quotaExceeded" && (status === 429 || status >= 500));

/** The job was canceled, by its own time limit or because it was asked to. */
export const isStop = ({ reason }: ApiError) => reason === "stopped" || reason === "timeout";

export const isDuplicate = ({ status, reason }: ApiError) => status === 409 || reason === "duplicate";

type Facts = Pick<BigQueryConnection, "billingProject">;

export const exceedsLimit = ({ reason }: ApiError) => reason === "bytesBilledLimitExceeded";

/** An error of the API as callers see it. */
export function failureOf(error: ApiError, { billingProject }: Facts): SourceError {
  const { status, reason, message } = error;
  const text = firstLine(withoutPlace(message));
  if (status === 401) return unreachable("The login failed: BigQuery did not accept the token");
  if (isPassing(error))
    return unreachable(
      reason.toLowerCase().includes("ratelimit") || status === 429
        ? "BigQuery is rate limiting requests of this project, and still did after some time"
        : "BigQuery failed with a server error, and still did after some time",
    );
  switch (reason) {
    case "accessDenied":
      if (message.includes("bigquery.jobs.create"))
        return unreachable(
          `The service account must not run queries in the project ${billingProject}: give it the role BigQuery Job User (roles/bigquery.jobUser) there`,
        );
      return new SourceError("statement", text);
    case "accessNotConfigured":
      return unreachable(`The BigQuery API is not enabled in the project ${billingProject}`);
    case "billingNotEnabled":
      return unreachable(`Billing is not enabled for the project ${billingProject}`);
    case "quotaExceeded":
      return new SourceError("statement", `A quota of BigQuery is used up: ${text}`);
    case "responseTooLarge":
      return new SourceError("statement", "The result is too large for BigQuery to return");
    case "notFound":
      if (/^Not found: Project /.test(message)) return unreachable("The project does not exist");
      break;
  }
  if (message.trim() === "")
    return unreachable(`The server did not respond as BigQuery does (HTTP ${status})`);
  return new SourceError("statement", text, { sentPlace: placeIn(message) });
}

/** What one statement may bill, and what says so. */
export type BillLimit = { bytes: number; by: "data source" | "budget" };

/** `bytes` is what the dry run said, if that is how it is known. */
export function tooExpensive(limit: BillLimit, bytes: number | null): SourceError {
  const gigabytes = (amount: number) => costText({ unit: "bytes", amount });
  const what = bytes === null ? "it would bill" : `it would read ${gigabytes(bytes)},`;
  const why =
    limit.by === "budget"
      ? `more than the ${gigabytes(limit.bytes)} that is left of the data source's budget for today`
      : `more than the ${gigabytes(limit.bytes)} that this data source allows for a statement`;
  return new SourceError(
    "statement",
    `Not run: ${what} ${why}. Select fewer columns or filter by the partition, or raise the limit on the data source`,
  );
}

/** ` at [2:8]` ends a message about a place. */
const place = / at \[(\d+):(\d+)\]$/;

const withoutPlace = (message: string) => message.trim().replace(place, "");

function placeIn(message: string): SqlPlace | null {
  const [, line, column] = place.exec(message.trim()) ?? [];
  return line === undefined ? null : { line: Number(line), column: Number(column) };
}

const unreachable = (message: string) => new SourceError("unreachable", message);
