import { setFlagsFromString } from "node:v8";

/**
 * Keeps the process small. Call it before anything large is loaded.
 *
 * By default, V8 lets garbage grow to several times of what is in use before it looks for it, where a machine has memory: a
 * day's work took 0.8 GB, of which a fifth was in use. Here it looks when what was in use has grown by two fifths, which made no
 * clear difference to storms (`npm run bench -- house`, `schedule`). The space for what is new is limited by how Node is
 * started (`npm start`).
 */
export function useLittleMemory(): void {
  setFlagsFromString("--heap-growing-percent=40");
}
