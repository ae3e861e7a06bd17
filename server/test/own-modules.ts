import { vi } from "vitest";

/**
 * Lets test files run one after the other in one process, which spares each the start of a process and the loading of
 * packages: a quarter of the time of all tests. Each file gets the service's modules anew, with what they keep in
 * memory, and the environment as the first one found it. List it first in `setupFiles`.
 */
vi.resetModules();

// Outlives the modules, of which this is one.
const kept = globalThis as { environmentOfFirstFile?: NodeJS.ProcessEnv };
kept.environmentOfFirstFile ??= { ...process.env };
const first = kept.environmentOfFirstFile;
for (const name of Object.keys(process.env)) if (!(name in first)) delete process.env[name];
Object.assign(process.env, first);
