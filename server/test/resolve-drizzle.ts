import { type ResolveFnOutput, registerHooks } from "node:module";

/**
 * Loaded into every process that runs tests, and into the programs they start (see program-env.ts). Whenever a file of
 * Drizzle is imported, Node parses all 180 kB of its package.json, hundreds of times per process: half of the time that
 * loading the service takes. This says what Node would find there: where a name leads, once for each name, and that
 * Drizzle's files are modules.
 */
const name = /^drizzle-orm(\/|$)/;
const inDrizzle = /\/node_modules\/drizzle-orm\/[^?]+\.js$/;
const known = new Map<string, ResolveFnOutput>();

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (name.test(specifier) && context.conditions.includes("import")) {
      const found = known.get(specifier) ?? { ...next(specifier, context), shortCircuit: true };
      known.set(specifier, found);
      return found;
    }
    const isOwn = specifier.startsWith(".") && specifier.endsWith(".js");
    if (!isOwn || !parentURL || !inDrizzle.test(parentURL)) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
});
