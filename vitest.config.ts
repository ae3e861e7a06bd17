import { defineConfig } from "vitest/config";
import { isDriversLateWrite } from "./server/db/late-write.ts";
import { testsByNeed } from "./server/test/tests-by-need.ts";

const environment = "server/test/environment.ts";
const tests = testsByNeed();

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
      {
        extends: true,
        test: {
          name: "database",
          include: tests.database,
          // Migrates the template once that every test file's database is cloned from.
          globalSetup: "server/test/global-setup.ts",
          setupFiles: [environment, "server/test/own-database.ts"],
        },
      },
      // What these import is loaded once for all of them: they are functions of what they are given.
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
