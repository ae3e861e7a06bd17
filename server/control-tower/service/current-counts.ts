import { rejectInTransaction } from "../../db/ambient.ts";
import { db } from "../../db/client.ts";
import { env } from "../../env.ts";
import { oneAtATime } from "../../one-at-a-time.ts";
import { type Window, windowBefore } from "../window.ts";
import { loadAllCounts, loadChangedCounts, loadMoment, type Moment } from "./counts.ts";
import { CountsById } from "./counts-by-id.ts";

/** All subscriptions' counts at a moment, by id, without archived ones. */
export type CurrentCounts = { counts: Pick<CountsById, "all" | "get">; moment: Moment; window: Window };

/** One for each time range that the page offers: with a hundred thousand subscriptions, each takes some 20 MB. */
const most = 4;
const keptForMs = 60 * 60_000;

type TimeRange = { current(): Promise<CurrentCounts>; forgotten: NodeJS.Timeout };
const timeRanges = new Map<number, TimeRange>();

/**
 * The counts of all subscriptions in a time range, as they are at the time of the call.
 *
 * They are kept in memory, and only those that have changed are read again: judging a hundred thousand subscriptions
 * from one narrow table already takes PostgreSQL fifty milliseconds, whoever asks. The first call for a time range reads
 * all.
 */
export function currentCounts(timeRangeDays: number): Promise<CurrentCounts> {
  rejectInTransaction("What all may read");
  const found = timeRanges.get(timeRangeDays) ?? begin(timeRangeDays);
  found.forgotten.refresh();
  // The one that was used last comes last.
  timeRanges.delete(timeRangeDays);
  timeRanges.set(timeRangeDays, found);
  for (const [oldest, { forgotten }] of timeRanges) {
    if (timeRanges.size <= most) break;
    clearTimeout(forgotten);
    timeRanges.delete(oldest);
  }
  return found.current();
}

function begin(timeRangeDays: number): TimeRange {
  let known: Known | undefined;
  return {
    current: oneAtATime(async () => {
      known = await update(known, timeRangeDays);
      return known;
    }),
    forgotten: setTimeout(() => timeRanges.delete(timeRangeDays), keptForMs).unref(),
  };
}

type Known = CurrentCounts & { counts: CountsById };

/** Reads what has changed, at one moment. Changes nothing if that fails. */
async function update(known: Known | undefined, timeRangeDays: number): Promise<Known> {
  const { moment, window, base, read } = await db.transaction(
    async (tx) => {
      const moment = await loadMoment(tx);
      const window = windowBefore(moment.now, timeRangeDays);
      const base = known && isBase(known, moment, window) ? known : undefined;
      const read = base
        ? await loadChangedCounts(tx, window, {
            changesFrom: base.moment.changesFrom,
            from: base.window.from,
          })
        : await loadAllCounts(tx, window);
      return { moment, window, base, read };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
  const counts = base?.counts ?? new CountsById();
  for (const each of read) {
    if (each.isArchived) counts.delete(each.id);
    else counts.set(each);
  }
  return { counts, moment, window };
}

const dayMs = 86_400_000;

/**
 * Whether what is known only lacks what has changed. Executions that are removed before they leave the window cannot be seen to
 * leave it: its edge is then as exact as counters by day are, and all is read once for each of its days.
 */
function isBase(known: Known, moment: Moment, window: Window): boolean {
  if (known.moment.database !== moment.database) return false;
  const days = env().EXECUTIONS_KEPT_DAYS;
  const isKept = days === null || window.from.getTime() > moment.now.getTime() - days * dayMs;
  return isKept || known.window.countedTo === window.countedTo;
}
