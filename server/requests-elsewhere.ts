import { randomUUID } from "node:crypto";
import { sql } from "./db/client.ts";
import { log } from "./telemetry/log.ts";

/**
 * Whether other processes on the same database are answering requests. For those the jobs of this process cannot pause
 * (requests-first.ts), so it takes fewer of them at once (jobs/engine/crowding.ts).
 *
 * A process that answers requests says so every few seconds. That is too rare to burden a database on which a hundred
 * processes listen, and often enough for people: whoever has just clicked will soon click again.
 */

const channel = "plumbline_requests";
const tellEveryMs = 5_000;
const trustedForMs = 1.5 * tellEveryMs;

/** This process, in what it says. */
const self = randomUUID();
let toldAt = Number.NEGATIVE_INFINITY;
let heardAt = Number.NEGATIVE_INFINITY;

/** To be called with every request that someone waits for. Nothing depends on its arrival. */
export function tellOthers(): void {
  if (performance.now() - toldAt < tellEveryMs) return;
  toldAt = performance.now();
  sql
    .notify(channel, self)
    .catch((err) => log.debug({ err }, "Other processes could not be told that this one answers requests"));
}

/** Begins to listen. Returns the function that ends it. */
export async function hearOthers(): Promise<() => Promise<void>> {
  const { unlisten } = await sql.listen(channel, (sender) => {
    if (sender !== self) heardAt = performance.now();
  });
  return unlisten;
}

export const areOthersAnswering = (): boolean => performance.now() - heardAt < trustedForMs;
