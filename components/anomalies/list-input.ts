import { createLoader, type inferParserType, parseAsBoolean, parseAsInteger } from "nuqs/server";
import { pageInput, pageParameter } from "@/components/ui/list-input.ts";

export const anomalyPageSize = 50;

/** Filters of the anomaly list, in the URL. */
export const anomalyParameters = {
  acknowledged: parseAsBoolean,
  subscription: parseAsInteger,
  ...pageParameter,
};

export const loadAnomalyFilters = createLoader(anomalyParameters);

/** The list procedure's input, on the server and in the browser: a prefetch must use the same. */
export function anomalyListInput(
  inProject: { projectId?: number },
  filters: inferParserType<typeof anomalyParameters>,
) {
  return {
    ...inProject,
    ...(filters.acknowledged !== null && { acknowledged: filters.acknowledged }),
    ...(filters.subscription !== null && { subscriptionId: filters.subscription }),
    ...pageInput(filters.page, anomalyPageSize),
  };
}
