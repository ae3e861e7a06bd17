import { afterAll, vi } from "vitest";

/**
 * Runs before each test file. A process runs many files, because starting one for each takes longer than most of them;
 * modules of packages stay loaded. Ours are loaded anew, since some have state, and the environment is put back.
 */
vi.resetModules();

const before = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
