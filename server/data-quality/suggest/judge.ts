import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import { isSourceError, type Session } from "../../data-sources/engines/engine.ts";
import { compileRule, compileScan, type Target } from "../compile.ts";
import type { Proposal } from "./propose.ts";

const oneRow = { maxRows: 1, maxBytes: 256 * 1024 };
/** The maximum number of rules that share a scan of the table. */
const together = 50;
/** With less time than this, nothing is started; one statement takes at most half of the remaining time. */
const min = { startMs: 200, statementMs: 5_000 };

type Judged = { passed: Proposal[]; unjudged: number };

/**
 * Runs every proposed rule on the whole table, sharing scans where possible, until the deadline. Rules that fail or
 * cannot run are dropped; those that there was no time for are counted. Throws SourceError "unreachable".
 */
export async function judge(
  session: Session,
  dialect: Dialect,
  target: Target,
  proposals: readonly Proposal[],
  deadline: number,
): Promise<Judged> {
  const passes = new Map<Proposal, boolean>();
  const timeLeft = () => deadline - performance.now();
  const limits = () => ({
    ...oneRow,
    timeoutMs: Math.ceil(Math.min(timeLeft(), Math.max(min.statementMs, timeLeft() / 2))),
  });

  /** Whether it ran, whatever the verdict. */
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isSourceError(error) || error.kind === "unreachable") throw error;
      return false;
    }
  };
  const judgeOne = (each: Proposal) =>
    attempt(async () => {
      const { statement, interpret } = compileRule(each.rule, target, dialect);
      passes.set(each, interpret(await session.read(statement, limits())).passed);
    });

  const isShared = ({ rule }: Proposal) => compileRule(rule, target, dialect).sharesScan !== null;
  const shared = proposals.filter(isShared);
  const alone = proposals.filter((each) => !shared.includes(each));
  for (let at = 0; at < shared.length && timeLeft() > min.startMs; at += together) {
    const chunk = shared.slice(at, at + together);
    const ran = await attempt(async () => {
      const rules = chunk.map(({ rule }) => rule);
      const { statement, interpret } = compileScan(rules, target, dialect);
      const answer = await session.read(statement, limits());
      for (const [index, each] of chunk.entries())
        passes.set(each, interpret[index]?.(answer).passed ?? false);
    });
    if (!ran) alone.unshift(...chunk);
  }
  const replaced = new Map<Proposal, Proposal>();
  for (const each of alone) {
    if (timeLeft() > min.startMs) await judgeOne(each);
    const { otherwise } = each;
    if (!otherwise || passes.get(each) !== false || timeLeft() <= min.startMs) continue;
    await judgeOne(otherwise);
    replaced.set(each, otherwise);
  }

  const final = proposals.map((each) => replaced.get(each) ?? each);
  return {
    passed: final.filter((each) => passes.get(each) === true).map(({ otherwise: _, ...each }) => each),
    unjudged: timeLeft() > min.startMs ? 0 : proposals.filter((each) => !passes.has(each)).length,
  };
}
