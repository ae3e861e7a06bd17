import type { Session } from "../../data-sources/engines/engine.ts";
import type { SampleMode } from "../../data-sources/sample.ts";
import { type LentSource, useDatabase } from "../../data-sources/service/connected-sources.ts";
import { knownColumnTypes } from "../../data-sources/service/known-tables.ts";
import type { Priority } from "../../data-sources/slots.ts";
import { LeaseLost } from "../../jobs/leases.ts";
import type { MeasurableRule, Target } from "../compile.ts";
import { limits } from "../limits.ts";
import { ruleDefinition } from "../rules/rules.ts";
import type { Expected } from "../scan-order.ts";
import { measureComparison } from "./measure-comparison.ts";
import { type MeasuredRule, MeasurementQueue, type Watch } from "./measurement-queue.ts";

type Options = {
  /** The priority when connections are scarce. */
  priority?: Priority;
  /** What is kept of failing rows that are found by measuring; nothing is read for "Off". */
  samples?: SampleMode;
  /** The time for comparing two tables. */
  compareTimeoutMs?: number;
  /** Whether rules may share scans. The verdicts are the same either way. */
  sharing?: boolean;
};

/**
 * Measures rules: those that only aggregate in one scan of the table, the others individually, the slowest first, on
 * one connection and a second while one is free. A rule's error becomes its verdict: before rules share a scan the
 * server checks each of them, and if the scan still fails or takes too long, they run individually, each with its own
 * time limit. Rules that compare the table with another one come last, one by one.
 *
 * If a connection breaks, the remaining rules get a new one; if none is available, they fail with the reason.
 * `report` receives how many are done and, while watched, which have begun; a LeaseLost from it stops the work.
 */
export async function measureRules<Rule extends MeasurableRule & Expected>(
  { rules, ...target }: Target & { dataSourceId: number; rules: readonly Rule[] },
  report: Watch<Rule>["report"] | Watch<NoInfer<Rule>>,
  options: Options = {},
): Promise<MeasuredRule<Rule>[]> {
  const watch: Watch<Rule> = typeof report === "function" ? { report } : report;
  const { comparing = [], others = [] } = Object.groupBy(rules, ({ type }) =>
    "compares" in ruleDefinition(type) ? "comparing" : "others",
  );
  const measured = await measureOnOne({ ...target, rules: others }, watch, options);
  const compared: MeasuredRule<Rule>[] = [];
  for (const rule of comparing) {
    const ended = watch.begin?.([rule]);
    compared.push(await measureComparison(rule, target, withDefaults(options)));
    ended?.();
    await watch.report(measured.length + compared.length);
  }
  // In the order of the rules.
  return rules.flatMap((rule) => (comparing.includes(rule) ? compared : measured).shift() ?? []);
}

const withDefaults = ({
  priority = "person",
  samples = "Masked",
  compareTimeoutMs = limits.compareTimeoutMs,
}: Options) => ({ priority, samples, compareTimeoutMs });

/** The rules that need no other table's data source. */
async function measureOnOne<Rule extends MeasurableRule & Expected>(
  { dataSourceId, rules, ...target }: Target & { dataSourceId: number; rules: readonly Rule[] },
  watch: Watch<Rule>,
  { priority = "person", sharing = true }: Options,
): Promise<MeasuredRule<Rule>[]> {
  const columnTypes = await knownColumnTypes(dataSourceId, target);
  const work = new MeasurementQueue(rules, { ...target, dataSourceId, columnTypes }, watch, sharing);
  let broke = false;
  while (!work.isDone) {
    try {
      await useDatabase(
        dataSourceId,
        async (dialect, source) => {
          work.plan(dialect);
          await source.session(async (session) => {
            if (broke) await ping(session);
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
 * Works until the queue is empty; returns true if the session's connection broke. Adds a second connection if there is
 * more work and one is free.
 */
async function readOnTwo<Rule extends MeasurableRule & Expected>(
  work: MeasurementQueue<Rule>,
  session: Session,
  source: LentSource,
): Promise<boolean> {
  let helper: Promise<void> | null = null;
  let canHelp = true;

  /** Never rejects: fatal errors are recorded in the queue, and a second connection is optional. */
  const help = async (spare: Session) => {
    const isAlive = await ping(spare).then(
      () => true,
      () => false,
    );
    canHelp = isAlive;
    while (isAlive) {
      const scan = work.take();
      if (!scan || (await work.read(spare, scan))) return;
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
      const scan = work.take();
      if (scan) {
        getHelp();
        broke = await work.read(session, scan);
      } else if (helper) {
        // A scan in progress may split into individual rules.
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

/** Throws SourceError if the data source is unreachable. */
export async function ping(session: Session): Promise<void> {
  await session.read(
    { sql: "select 1", parameters: [], ownSql: true },
    { timeoutMs: limits.ruleTimeoutMs, maxRows: 1, maxBytes: 1024 },
  );
}
