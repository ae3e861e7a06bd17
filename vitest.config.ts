import { defineConfig } from "vitest/config";
import { isDriversLateWrite } from "./server/db/late-write.ts";
import { testsByNeed } from "./server/test/tests-by-need.ts";

const ownModules = "server/test/own-modules.ts";
const environment = "server/test/environment.ts";
const tests = testsByNeed();

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    pool: "forks",
    // Files share processes. What they share with it, own-modules.ts says.
    isolate: false,
    // Tests wait for databases, too: two cores have work for three.
    maxWorkers: 3,
    execArgv: ["--import", new URL("server/test/resolve-drizzle.ts", import.meta.url).href],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    // What is awaited comes sooner or later on a busy machine, too.
    expect: { poll: { timeout: 15_000 } },
    // The service survives it, too: tests that end connections may meet it.
    onUnhandledError: (error) => !isDriversLateWrite(error),
    projects: [
      {
        extends: true,
        test: {
          name: "database",
          include: tests.database,
          // Migrates the template once that every test file's database is cloned from.
          globalSetup: "server/test/global-setup.ts",
          setupFiles: [ownModules, environment, "server/test/own-database.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "native",
          include: tests.native,
          isolate: true,
          globalSetup: "server/test/global-setup.ts",
          setupFiles: [environment, "server/test/own-database.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "server",
          include: tests.others,
          setupFiles: [ownModules, environment],
        },
      },
      // Functions of what they are given, with nothing to keep apart: what they import is not loaded anew.
      ...(["functions", "interface"] as const).map((name) => ({
        extends: true as const,
        test: { name, include: tests[name], setupFiles: environment },
      })),
    ],
  },
});
