/**
 * The maximum number of procedures in one batch: the browser's link splits larger batches, and the tRPC endpoint
 * rejects them. The busiest page starts about a dozen calls.
 */
export const maxBatchCalls = 20;
