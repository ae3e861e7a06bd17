import { readFileSync } from "node:fs";

const kilobyte = 1024;

/**
 * What a process on this machine holds in memory, in MB (resident, as tools show it), now and at most so far. NaN where Linux's
 * /proc is missing.
 */
export function memoryOf(pid: number | undefined): { now: number; most: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const megabytes = (name: string) =>
      Math.round((Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) * kilobyte) / 1e6);
    return { now: megabytes("VmRSS"), most: megabytes("VmHWM") };
  } catch {
    return { now: Number.NaN, most: Number.NaN };
  }
}
