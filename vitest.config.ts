import { defineConfig } from "vitest/config";
import { isDriversLateWrite } from "./server/db/late-write.ts";
import { testsByNeed } from "./server/test/tests-by-need.ts";

const environment = "server/test/environment.ts";
const tests = testsByNeed();
// Migrates the template once that every test file's database is cloned from.
const withDatabase = {
  globalSetup: "server/test/global-setup.ts",
  setupFiles: [environment, "server/test/own-database.ts"],
};

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    pool: "forks",
    // Tests wait for databases, too: two cores have work for three.
    maxWorkers: 3,
    execArgv: ["--import", new URL("server/test/resolve-drizzle.ts", import.meta.url).href],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    // The service survives it, too: tests that end connections may meet it.
    onUnhandledError: (error) => !isDriversLateWrite(error),
    projects: [
      // What these import is loaded once for all files that a process runs, which is a third of their cost.
      {
        extends: true,
        test: {
          name: "database",
          include: tests.sharing,
          isolate: false,
          provide: { sharesModules: true },
          ...withDatabase,
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: tests.alone,
          provide: { sharesModules: false },
          ...withDatabase,
        },
      },
      {
        extends: true,
        test: { name: "pure", include: tests.pure, isolate: false, setupFiles: environment },
      },
      {
        extends: true,
        test: { name: "pure, alone", include: tests.pureAlone, setupFiles: environment },
      },
    ],
  },
});
