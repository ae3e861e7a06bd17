import { sql } from "../../db/client.ts";
import { inngest } from "../client.ts";
import { startEngine } from "./engine.ts";

/**
 * A job of two steps, each of which leaves a row in `effects`. In its own process, the second step never ends; the
 * process tells its parent, which then kills it.
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
