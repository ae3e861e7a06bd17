import { totalmem } from "node:os";

/** The bytes of memory of this machine, or of the container if it may use less. */
export const machineMemory = (): number =>
  Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
