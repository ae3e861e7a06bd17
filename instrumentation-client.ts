import { config } from "zod/v4/core";

/**
 * Runs in the browser before any other module of ours. Zod probes whether it can compile its parsers, which a
 * page's content security policy forbids and reports.
 */
config({ jitless: true });
