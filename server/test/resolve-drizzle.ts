import { registerHooks } from "node:module";

/**
 * Loaded into every process that runs tests. When one of Drizzle's files imports another, Node parses all 180 kB of
 * their package.json, hundreds of times per process: half a second that would be spent for every test file. This says
 * what Node would find there, which is that the file is a module.
 */
const inDrizzle = /\/node_modules\/drizzle-orm\/[^?]+\.js$/;

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    const isOwn = specifier.startsWith(".") && specifier.endsWith(".js");
    if (!isOwn || !parentURL || !inDrizzle.test(parentURL)) return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: "module", shortCircuit: true };
  },
});
