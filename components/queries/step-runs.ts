import type { DatabaseSchema } from "@/server/data-sources/schema.ts";
import type { Preview } from "@/server/queries/schema.ts";
import { parametersOf } from "@/server/queries/step-parameters.ts";
import type { ParameterReading } from "./parameter-values.ts";
import { type DraftProblem, type DraftStep, nameOfStep, type StepWrites } from "./query-draft.ts";
import type { Offer } from "./sql-editor.tsx";
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

/** Completions for a step's SQL, in addition to its data source's tables. */
export function offersFor({
  steps,
  index,
  columns,
  parameters,
}: {
  steps: readonly DraftStep[];
  index: number;
  /** Columns of the known results, by step key. */
  columns: ReadonlyMap<number, Preview["columns"]>;
  /** Parameter names used in the query. */
  parameters: readonly string[];
}): Offer[] {
  const named = parameters.map((name): Offer => ({ label: `{{${name}}}`, match: "parameter" }));
  if (steps[index]?.source !== "results") return named;
  const earlier = steps.slice(0, index);
  return [
    ...named,
    ...earlier.map(
      (step, place): Offer => ({
        label: `@@result${place + 1}`,
        detail: nameOfStep(step, place),
        match: "result",
      }),
    ),
    ...earlier.flatMap(({ key }, place) =>
      (columns.get(key) ?? []).map(
        ({ name, type }): Offer => ({ label: name, detail: `result${place + 1}, ${type}`, match: "word" }),
      ),
    ),
  ];
}

/** Columns of the tables a text mentions, offered wherever a name is allowed. */
export function columnOffers(sql: string, items: DatabaseSchema["items"]): Offer[] {
  const words = new Set(sql.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_$]*/gu));
  const used = items.flatMap(({ tables }) =>
    tables.filter(({ tableName }) => words.has(tableName.toLowerCase())),
  );
  return used.flatMap(({ tableName, columns }) =>
    columns.map(({ name, type }): Offer => ({ label: name, detail: `${tableName}, ${type}`, match: "word" })),
  );
}
