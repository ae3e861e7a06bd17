import type { Preview } from "@/server/queries/schema.ts";
import { parametersOf } from "@/server/queries/step-parameters.ts";
import type { ParameterReading } from "./parameter-values.ts";
import { type DraftProblem, type DraftStep, nameOfStep, type StepWrites } from "./query-draft.ts";
import type { KnownTable } from "./sql-completion.ts";
import type { PreviewInput } from "./use-query-run.ts";

/**
 * The input to run one step by index, or the whole query with null; or the reason it can't run. A step on a data
 * source runs alone. One that joins earlier results also runs the steps before it, so later steps may be
 * unfinished.
 */
export function inputOfRun({
  writes,
  index,
  reading,
}: {
  writes: StepWrites;
  index: number | null;
  reading: ParameterReading;
}): { input: PreviewInput | null; problems: DraftProblem[] } {
  const only = index === null ? undefined : writes.steps[index];
  const { dataSourceId, sql, request } = only ?? {};
  const isAlone = typeof dataSourceId === "number";
  const sent = index === null ? writes.steps : writes.steps.slice(isAlone ? index : 0, index + 1);
  const first = isAlone && index !== null ? index : 0;
  const isSent = ({ path }: DraftProblem) => {
    const place = Number(/^steps\.(\d+)/.exec(path)?.[1]);
    return place >= first && place < first + sent.length;
  };
  const problems = writes.problems.filter(isSent);
  const names = parametersOf(sent);
  if (problems.length > 0 || names.some((name) => Object.hasOwn(reading.problems, name)))
    return { input: null, problems };
  const parameters = Object.fromEntries(names.map((name) => [name, reading.values[name] ?? null]));
  const input: PreviewInput = isAlone
    ? { dataSourceId, ...(request ? { request } : { sql: sql ?? "" }), parameters }
    : { steps: sent, ...(index !== null && { stepOrder: index + 1 }), parameters };
  return { input, problems: [] };
}

/** The results that a step can join, as tables whose columns are known once their steps have run. */
export function resultsFor({
  steps,
  index,
  columns,
}: {
  steps: readonly DraftStep[];
  index: number;
  /** Columns of the known results, by step key. */
  columns: ReadonlyMap<number, Preview["columns"]>;
}): KnownTable[] {
  if (steps[index]?.source !== "results") return [];
  return steps.slice(0, index).map((step, place) => ({
    tableName: `@@result${place + 1}`,
    columns: columns.get(step.key) ?? [],
    comment: nameOfStep(step, place),
  }));
}
