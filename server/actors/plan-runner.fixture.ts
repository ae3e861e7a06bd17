import { recoverActorExecutions } from "./service/cycles.ts";

/**
 * A process of its own that finishes what others have left open, for tests that kill it on the way.
 */
await recoverActorExecutions();
process.exit(0);
