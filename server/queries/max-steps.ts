/** The maximum number of steps in a query. */
export const maxSteps = 10;
