import { performance } from "node:perf_hooks";
import type { SignedIn } from "../../auth/principal.ts";
import { isSourceError } from "../../data-sources/engines/engine.ts";
import { findKeyColumns } from "../../data-sources/service/known-tables.ts";
import { useSource } from "../../data-sources/service.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { problemIn } from "../../errors.ts";
import { log } from "../../log.ts";
import { limits } from "../limits.ts";
import { hasSample, readSample } from "../measure-sample.ts";
import { sampleOf } from "../sample.ts";
import type {
  ContractDraft,
  ContractDryRun,
  DryRunResult,
  RuleDraft,
  RuleWrite,
  SampleMode,
  Samples,
} from "../schema.ts";
import { overallScore } from "../score.ts";
import { shownVerdict } from "../shown-verdict.ts";
import { resolveTarget } from "./contracts.ts";
import { askForSignOfLife, measureRules } from "./measure-rules.ts";
import type { MeasuredRule } from "./measurement.ts";

/**
 * Rules that are not stored, measured as an evaluation would, for a person who waits. Nothing of it is kept but the
 * entry in the audit log. What is wrong with a rule is its result; that the data source cannot be reached is none.
 */

/**
 * One rule, whether it is enabled or not. Throws not_found for a data source out of sight, rejected for one that is
 * no database, invalid for what does not fit, source_unreachable and source_timeout.
 */
export async function dryRunRule(ctx: SignedIn, { rule, ...draft }: RuleDraft): Promise<DryRunResult> {
  const { results } = await measure(ctx, { ...draft, rules: [rule] }, () => "rule");
  const [result] = results;
  if (!result) throw new Error("A rule has a result");
  return result.shown;
}

/** All enabled rules of a contract, with the score that they would give it. Throws like `dryRunRule`. */
export async function dryRunContract(ctx: SignedIn, draft: ContractDraft): Promise<ContractDryRun> {
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
    priority: "person",
  });
  const samplesOf = sampler(target, draft.samples);
  const results: (MeasuredRule<RuleWrite> & { shown: DryRunResult })[] = [];
  for (const each of measured) results.push({ ...each, shown: shownResult(each, await samplesOf(each)) });
  return { results };
}

/** Whether there is a way to the data source. That there is none is no rule's fault. */
async function reach(dataSourceId: number): Promise<void> {
  try {
    await useSource(dataSourceId, (_, source) => source.session(askForSignOfLife));
  } catch (error) {
    throw problemIn(asProblem(error)) ?? error;
  }
}

/** Shows rows that failed, for all rules together within the time of one look. */
function sampler(target: Target, mode: SampleMode) {
  const until = performance.now() + limits.sampleTimeoutMs;
  let keyColumns: Promise<string[]> | null = null;
  return async ({ rule, verdict }: MeasuredRule<RuleWrite>): Promise<Samples | null> => {
    const timeoutMs = until - performance.now();
    if (mode === "Off" || timeoutMs <= 0 || !hasSample(rule.type, verdict)) return null;
    keyColumns ??= findKeyColumns(target.dataSourceId, target);
    const keys = await keyColumns;
    try {
      const found = await useSource(target.dataSourceId, (engine, source) =>
        readSample({ engine, target, rule, keyColumns: keys, timeoutMs }, (read) => source.session(read)),
      );
      if (!found || found === "no session") return null;
      const sample = sampleOf(found, { keyColumns: keys, column: rule.column, mode });
      const totalFailing = verdict.failing?.toNumber() ?? null;
      return sample.rows.length === 0 ? null : { ...sample, totalFailing };
    } catch (err) {
      // The verdict stands without them.
      if (!isSourceError(err)) log.warn({ err }, "A sample could not be taken");
      return null;
    }
  };
}

function shownResult(
  { rule, verdict, executionTimeMs }: MeasuredRule<RuleWrite>,
  samples: Samples | null,
): DryRunResult {
  const { key, name, type, severity, weight } = rule;
  return {
    key: key ?? null,
    ...{ ruleName: name, ruleType: type, severity, weight },
    ...shownVerdict(verdict),
    executionTimeMs,
    samples,
  };
}
