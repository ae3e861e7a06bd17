import {
  createLoader,
  type inferParserType,
  parseAsBoolean,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { jobStatuses } from "@/server/jobs/schema.ts";

export const jobsPerPage = 50;

/** Filters of the jobs page, in the URL. */
export const jobParameters = {
  status: parseAsStringLiteral(jobStatuses),
  name: parseAsString,
  /** Whether to include completed housekeeping jobs. */
  housekeeping: parseAsBoolean.withDefault(false),
  /** Counts from 1 in the URL. */
  page: parseAsInteger.withDefault(1),
};

export type JobFilters = inferParserType<typeof jobParameters>;

export const loadJobFilters = createLoader(jobParameters);

/** The list procedure's input. Filtering by name includes housekeeping. */
export function jobsInput({ status, name, housekeeping, page }: JobFilters) {
  const asked = name?.slice(0, 200).replaceAll("\0", "");
  return {
    page: Math.min(Math.max(page, 1), 1_000_000) - 1,
    pageSize: jobsPerPage,
    housekeeping: housekeeping || Boolean(asked),
    ...(status && { status }),
    ...(asked && { name: asked }),
  };
}
