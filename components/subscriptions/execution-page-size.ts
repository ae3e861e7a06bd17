/** So many runs stand on a page of the list. */
export const executionPageSize = 20;

/** So many are drawn as a chart, where there is room. */
export const drawnExecutions = 100;
