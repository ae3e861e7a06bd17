import { sql } from "../../db/client.ts";
import { inngest } from "../client.ts";
import { startEngine } from "./engine.ts";

/**
 * A job of two steps, each of which leaves a row in `effects`. Run as a process of its own, the second step
 * never ends, and the process says so to its parent, which kills it there.
 */
export const crashing = (second: (attempt: number) => Promise<void>) =>
  inngest.createFunction(
    { id: "crashing", triggers: { event: "test/crash" }, retries: 1 },
    async ({ step, attempt }) => {
      await step.run("first", async () => {
        await sql`insert into effects (step, pid) values ('first', ${process.pid})`;
      });
      await step.run("second", () => second(attempt));
    },
  );

if (process.argv[1] === import.meta.filename)
  await startEngine(
    [
      crashing(() => {
        process.send?.("in the second step");
        return new Promise(() => {});
      }),
    ],
    { leaseMs: 600 },
  );
