/**
 * Preloaded into `next build` where the installation is for running alone. Next would install TypeScript before it
 * builds, though a build checks no types (next.config.mjs); the compiler is 30 MB, and nothing may be downloaded then.
 */
const { join } = require("node:path");

const setup = require.resolve(join(process.cwd(), "node_modules/next/dist/lib/verify-typescript-setup.js"));
require.cache[setup] = {
  id: setup,
  filename: setup,
  loaded: true,
  exports: { verifyAndRunTypeScript: async () => ({ version: null }) },
};
