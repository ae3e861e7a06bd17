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

/** What the page shows, in the address. */
export const jobParameters = {
  status: parseAsStringLiteral(jobStatuses),
  name: parseAsString,
  /** What comes by the clock and has completed, too. */
  housekeeping: parseAsBoolean.withDefault(false),
  /** From 1, as people count. */
  page: parseAsInteger.withDefault(1),
};

export type JobFilters = inferParserType<typeof jobParameters>;

export const loadJobFilters = createLoader(jobParameters);

/** The filters as the service takes them. Who asks for a name asks for all of it. */
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
