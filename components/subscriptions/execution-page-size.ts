/** Runs per page of the list. */
export const executionPageSize = 20;

/** Runs in the chart, if there is room. */
export const drawnExecutions = 100;
