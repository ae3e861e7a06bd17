/** Contracts that were saved to be evaluated: their page starts the evaluation once it is shown. */
const awaited = new Set<number>();

export const evaluateOnArrival = (contractId: number) => void awaited.add(contractId);

/** Whether to start; true once. */
export const takeArrival = (contractId: number): boolean => awaited.delete(contractId);
