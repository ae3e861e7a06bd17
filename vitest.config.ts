import { defineConfig } from "vitest/config";
import { isDriversLateWrite } from "./server/db/late-write.ts";

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    include: ["server/**/*.test.ts", "cli/**/*.test.ts", "scripts/**/*.test.ts", "components/**/*.test.ts"],
    // Starts PostgreSQL once and migrates the template that every test file's database is cloned from.
    globalSetup: "server/test/global-setup.ts",
    setupFiles: "server/test/own-database.ts",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // The service survives it, too: tests that end connections may meet it.
    onUnhandledError: (error) => !isDriversLateWrite(error),
  },
});
