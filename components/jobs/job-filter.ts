import {
  createLoader,
  type inferParserType,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { pageInput, pageParameter } from "@/components/ui/list-input.ts";
import { jobStatuses } from "@/server/jobs/statuses.ts";

export const jobsPerPage = 50;

/** Filters of the jobs page, in the URL. */
export const jobParameters = {
  status: parseAsStringLiteral(jobStatuses),
  name: parseAsString,
  /** Whether to include completed housekeeping jobs. */
  housekeeping: parseAsBoolean.withDefault(false),
  ...pageParameter,
};

export type JobFilters = inferParserType<typeof jobParameters>;

export const loadJobFilters = createLoader(jobParameters);

/** The list procedure's input. Filtering by name includes housekeeping. */
export function jobsInput({ status, name, housekeeping, page }: JobFilters) {
  const asked = name?.slice(0, 200).replaceAll("\0", "");
  return {
    ...pageInput(page, jobsPerPage),
    housekeeping: housekeeping || Boolean(asked),
    ...(status && { status }),
    ...(asked && { name: asked }),
  };
}
