import type { Session } from "../../data-sources/engines/engine.ts";
import { type LentSource, type Priority, useSource } from "../../data-sources/service.ts";
import { LeaseLost } from "../../jobs/leases.ts";
import type { MeasurableRule, Target } from "../compile.ts";
import { limits } from "../limits.ts";
import type { Expected } from "../readings.ts";
import { type MeasuredRule, Measurement, type Watch } from "./measurement.ts";

type Options = {
  /** Whose work it is, when connections are scarce. */
  priority?: Priority;
  /** Whether rules may share scans. The verdicts are the same either way. */
  sharing?: boolean;
};

/**
 * Measures rules: those that only aggregate in one scan of the table, the others alone, the longest first, on one
 * connection and a second while one is to spare. What goes wrong with a rule is that rule's verdict: before rules
 * share a scan the server is asked whether it understands each of them, and when the scan fails or takes too long
 * all the same, they run one by one, each with its own time limit.
 *
 * When a connection broke, the others get a new one; when there is none to be had, they fail with the reason.
 * `report` is told how many are done, and where it watches, which are begun; LeaseLost from it ends the work.
 */
export async function measureRules<Rule extends MeasurableRule & Expected>(
  { dataSourceId, rules, ...target }: Target & { dataSourceId: number; rules: readonly Rule[] },
  report: Watch<Rule>["report"] | Watch<NoInfer<Rule>>,
  { priority = "person", sharing = true }: Options = {},
): Promise<MeasuredRule<Rule>[]> {
  const watch = typeof report === "function" ? { report } : report;
  const work = new Measurement(rules, target, watch, sharing);
  let broke = false;
  while (!work.isDone) {
    try {
      await useSource(
        dataSourceId,
        async (engine, source) => {
          work.plan(engine);
          await source.session(async (session) => {
            if (broke) await askForSignOfLife(session);
            broke = (await work.check(session)) || (await readOnTwo(work, session, source));
          });
        },
        priority,
      );
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      work.failWhatIsLeft(error);
    }
  }
  return work.results();
}

/**
 * Reads until nothing is left; true when the session's connection broke before. Whenever there is more to read
 * and a connection to spare, that one reads along.
 */
async function readOnTwo<Rule extends MeasurableRule & Expected>(
  work: Measurement<Rule>,
  session: Session,
  source: LentSource,
): Promise<boolean> {
  let helper: Promise<void> | null = null;
  let canHelp = true;

  /** Never rejects: what ends the work is noted there, and a second connection that cannot be had is not needed. */
  const help = async (spare: Session) => {
    const isAlive = await askForSignOfLife(spare).then(
      () => true,
      () => false,
    );
    canHelp = isAlive;
    while (isAlive) {
      const reading = work.take();
      if (!reading || (await work.read(spare, reading))) return;
    }
  };
  const getHelp = () => {
    if (helper || !canHelp || !work.hasMore) return;
    const helping = source.spareSession(help);
    helper =
      helping?.catch(work.stop).finally(() => {
        helper = null;
      }) ?? null;
  };

  let broke = false;
  try {
    while (!broke) {
      const reading = work.take();
      if (reading) {
        getHelp();
        broke = await work.read(session, reading);
      } else if (helper) {
        // What it is reading may fall apart into rules that are read one by one.
        await Promise.race([helper, work.moreToRead()]);
      } else break;
    }
  } catch (error) {
    work.stop(error);
  }
  await helper;
  work.throwIfStopped();
  return broke;
}

/** Throws SourceError when the data source cannot be reached. */
export async function askForSignOfLife(session: Session): Promise<void> {
  await session.read(
    { sql: "select 1", parameters: [], ownSql: true },
    { timeoutMs: limits.ruleTimeoutMs, maxRows: 1, maxBytes: 1024 },
  );
}
