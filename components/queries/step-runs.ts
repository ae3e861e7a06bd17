import type { DatabaseSchema } from "@/server/data-sources/schema.ts";
import type { Preview } from "@/server/queries/schema.ts";
import { parametersOf } from "@/server/queries/step-parameters.ts";
import type { ParameterReading } from "./parameter-values.ts";
import { type DraftProblem, type DraftStep, nameOfStep, type StepWrites } from "./query-draft.ts";
import type { Offer } from "./sql-editor.tsx";
import type { PreviewInput } from "./use-query-run.ts";

/**
 * What is sent to run one step, by its place, or with null the whole query; or what keeps it from being sent. A
 * step on a data source runs alone. One that joins earlier results takes the steps before it along, so those that
 * come after it need not be finished.
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

/** What is offered while the SQL of a step is typed, beside the tables of its data source. */
export function offersFor({
  steps,
  index,
  columns,
  parameters,
}: {
  steps: readonly DraftStep[];
  index: number;
  /** Columns of the results that are known, by the key of the step. */
  columns: ReadonlyMap<number, Preview["columns"]>;
  /** Names that the query uses. */
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

/** Columns of the tables that a text names, offered wherever a name can stand. */
export function columnOffers(sql: string, items: DatabaseSchema["items"]): Offer[] {
  const words = new Set(sql.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_$]*/gu));
  const used = items.flatMap(({ tables }) =>
    tables.filter(({ tableName }) => words.has(tableName.toLowerCase())),
  );
  return used.flatMap(({ tableName, columns }) =>
    columns.map(({ name, type }): Offer => ({ label: name, detail: `${tableName}, ${type}`, match: "word" })),
  );
}
