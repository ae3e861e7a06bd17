import { afterAll, vi } from "vitest";

/**
 * Test files share a worker, so that packages are loaded once for all of them. What a file could have left behind is
 * undone before the next: our own modules are loaded anew, with the environment and the clock that a worker begins with.
 */
const store = globalThis as { environmentAtStart?: NodeJS.ProcessEnv };
store.environmentAtStart ??= { ...process.env };

for (const name of Object.keys(process.env))
  if (!(name in store.environmentAtStart)) delete process.env[name];
Object.assign(process.env, store.environmentAtStart);
vi.useRealTimers();
vi.resetModules();

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
