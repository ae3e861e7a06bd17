import { performance } from "node:perf_hooks";
import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { isSourceError } from "../../data-sources/engines/engine.ts";
import type { SampleMode } from "../../data-sources/sample.ts";
import { useDatabase, useSource } from "../../data-sources/service/connected-sources.ts";
import { findKeyColumns } from "../../data-sources/service/known-tables.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { trimSample } from "../../data-sources/trim-sample.ts";
import { problemIn } from "../../errors.ts";
import { log } from "../../telemetry/log.ts";
import type {
  ContractDraft,
  contractDryRunSchema,
  dryRunResultSchema,
  RuleDraft,
} from "../dry-run-schema.ts";
import { limits } from "../limits.ts";
import { readFailingValues, shownValues } from "../read-failing-values.ts";
import { foundSample, readSample, sampleOptions } from "../read-sample.ts";
import type { RuleWrite } from "../rule-schema.ts";
import { hasSample, readsSample } from "../rules/has-sample.ts";
import { isUsual, usualThen } from "../rules/usual.ts";
import type { Samples } from "../sample-schema.ts";
import { overallScore } from "../score.ts";
import { shownVerdict } from "../shown-verdict.ts";
import { resolveTarget } from "./contracts.ts";
import { type JudgedRule, withUsual } from "./judge-by-usual.ts";
import { measureRules, ping } from "./measure-rules.ts";
import type { MeasuredRule } from "./measurement-queue.ts";
import { contractOfRule, learningOf } from "./usual-history.ts";

type Shown = z.input<typeof dryRunResultSchema>;

/** How many measurements of a rule that learns are shown with the result. */
const maxCourse = 60;

/**
 * Measures rules that are not stored, as an evaluation would, for a waiting user. Only an audit log entry is kept. A
 * problem with a rule is a result; an unreachable data source is an error.
 */

/**
 * One rule, even if disabled. Throws not_found for a data source that the caller cannot access, rejected for one that
 * is not a database, invalid for values that do not fit, source_unreachable, and source_timeout.
 */
export async function dryRunRule(ctx: SignedIn, { rule, ...draft }: RuleDraft): Promise<Shown> {
  const { results } = await measure(ctx, { ...draft, rules: [rule] }, () => "rule");
  const [result] = results;
  if (!result) throw new Error("A rule has a result");
  return result.shown;
}

/** All enabled rules of a contract and the resulting score. Throws like `dryRunRule`. */
export async function dryRunContract(
  ctx: SignedIn,
  draft: ContractDraft,
): Promise<z.input<typeof contractDryRunSchema>> {
  const startedAt = performance.now();
  const enabled = { ...draft, rules: draft.rules.filter((rule) => rule.enabled) };
  const { results } = await measure(ctx, enabled);
  const passedCount = results.filter(({ shown }) => shown.passed).length;
  return {
    overallScore: overallScore(results.map(({ rule, verdict }) => ({ ...rule, score: verdict.score }))),
    passedCount,
    failedCount: results.length - passedCount,
    executionTimeMs: Math.round(performance.now() - startedAt),
    ruleResults: results.map(({ shown }) => shown),
  };
}

type Draft = Pick<ContractDraft, "dataSourceId" | "schemaName" | "tableName" | "samples" | "rules">;
type Target = Awaited<ReturnType<typeof resolveTarget>>["target"];

async function measure(ctx: SignedIn, draft: Draft, pathOf?: (index: number) => string) {
  const { target } = await resolveTarget(ctx, draft, pathOf);
  await reach(draft.dataSourceId);
  const measured = await measureRules({ ...target, rules: draft.rules }, async () => {}, {
    ...{ priority: "person", samples: draft.samples, compareTimeoutMs: limits.ruleTimeoutMs },
  });
  const samplesOf = sampler(target, draft.samples);
  const results: (MeasuredRule<RuleWrite> & { shown: Shown })[] = [];
  // An edited rule has a history; a new one is judged as if it had just begun.
  const contract = await contractOfRule(draft.dataSourceId, draft.rules.find(({ key }) => key)?.key);
  const timezone = contract?.timezone ?? "UTC";
  const judged = await withUsual(measured, { ...target, contractId: contract?.id ?? null, timezone });
  for (const each of judged) {
    const shown = shownResult(each, await samplesOf(each), draft.samples);
    results.push({ ...each, shown: { ...shown, course: courseOf(each, timezone) } });
  }
  return { results };
}

/** Checks the connection first: a failure is not the rules' fault. */
async function reach(dataSourceId: number): Promise<void> {
  try {
    await useSource(dataSourceId, (_, source) => source.session(ping));
  } catch (error) {
    throw problemIn(asProblem(error)) ?? error;
  }
}

/** Adds samples of failing rows, within the time limit of one sample for all rules together. */
function sampler(target: Target, mode: SampleMode) {
  const until = performance.now() + limits.sampleTimeoutMs;
  let keyColumns: Promise<string[]> | null = null;
  return async ({ rule, verdict }: MeasuredRule<RuleWrite>): Promise<Samples | null> => {
    const totalFailing = verdict.failing?.toNumber() ?? null;
    if (mode !== "Off" && verdict.sample)
      return { ...trimSample(verdict.sample, foundSample(mode)), byValue: null, totalFailing };
    const timeoutMs = until - performance.now();
    if (mode === "Off" || timeoutMs <= 0 || !hasSample(rule, verdict) || !readsSample(rule)) return null;
    keyColumns ??= findKeyColumns(target.dataSourceId, target);
    const keys = await keyColumns;
    try {
      const found = await useDatabase(target.dataSourceId, (dialect, source) =>
        readSample({ dialect, target, rule, keyColumns: keys, timeoutMs }, (read) => source.session(read)),
      );
      if (!found || found === "no session") return null;
      const sample = trimSample(
        found,
        sampleOptions(rule.type, { keyColumns: keys, column: rule.column, mode }),
      );
      if (sample.rows.length === 0) return null;
      const byValue = await useDatabase(target.dataSourceId, (dialect, source) =>
        readFailingValues(
          { dialect, target, rule, timeoutMs: Math.ceil(until - performance.now()) },
          { mode, found, sample },
          (read) => source.session(read),
        ),
      );
      return { ...sample, byValue: shownValues(byValue), totalFailing };
    } catch (err) {
      // The verdict does not depend on them.
      if (!isSourceError(err)) log.warn({ err }, "A sample could not be collected");
      return null;
    }
  };
}

/** What was usual at each measurement so far, and at this one; null for a rule that does not learn. */
function courseOf({ rule, verdict, past }: JudgedRule<RuleWrite>, timezone: string): Shown["course"] {
  const learning = learningOf(rule, timezone);
  if (!learning || !past || !verdict.couldRun || verdict.measured === null) return null;
  const now = { at: new Date(), value: verdict.measured.toNumber() };
  const course = usualThen([...past, now], learning).slice(-maxCourse);
  return course.map(({ point: { at, value }, range }, place) => ({
    ...{ evaluatedAt: at, measured: value },
    passed: place === course.length - 1 ? verdict.passed : range === null || isUsual(value, range),
    usual: range && { low: range.low, high: range.high },
  }));
}

function shownResult(
  { rule, verdict, executionTimeMs }: MeasuredRule<RuleWrite>,
  samples: Samples | null,
  mode: SampleMode,
): Omit<Shown, "course"> {
  const { key, name, type, severity, weight } = rule;
  return {
    key: key ?? null,
    ...{ ruleName: name, ruleType: type, severity, weight },
    ...shownVerdict(verdict, mode),
    executionTimeMs,
    samples,
  };
}
