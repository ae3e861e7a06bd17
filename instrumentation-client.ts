/**
 * Runs in the browser before any other module of ours. Zod probes whether it can compile its parsers, which a
 * page's content security policy forbids and reports. Zod takes its settings from here when it loads: importing it
 * for `z.config` would send it to pages that don't use it.
 */
(globalThis as { __zod_globalConfig?: { jitless: boolean } }).__zod_globalConfig = { jitless: true };
