import type { Kind } from "@/server/data-sources/kinds.ts";
import type { Query, RequestStep, Step, StepWrite, Version } from "@/server/queries/schema.ts";

/** A query being edited: fields hold what was typed, and steps keep their identity when moved. */

export type DraftRequest = {
  method: RequestStep["method"];
  path: string;
  query: { key: number; name: string; value: string }[];
  /** JSON as text. */
  body: string;
  rowsPath: string;
};

export type DraftStep = {
  key: number;
  /** Empty for the default name. */
  name: string;
  /** A data source, or the results of earlier steps; null if none is selected. */
  source: number | "results" | null;
  sql: string;
  request: DraftRequest;
};

export type Draft = {
  name: string;
  description: string;
  folderId: number | null;
  steps: DraftStep[];
};

/** A problem with the draft, by its path in the API input: `steps.0.sql`. */
export type DraftProblem = { path: string; message: string };

/** The kind of a data source; undefined if unknown. */
export type KindOf = (dataSourceId: number) => Kind | undefined;

const emptyRequest: DraftRequest = { method: "GET", path: "", query: [], body: "", rowsPath: "" };

export function emptyDraft(
  start: { folderId?: number | null; source?: number | null; sql?: string } = {},
): Draft {
  const { folderId = null, source = null, sql = "" } = start;
  return { name: "", description: "", folderId, steps: [{ ...emptyStep(1, source), sql }] };
}

const emptyStep = (key: number, source: DraftStep["source"]): DraftStep => ({
  key,
  name: "",
  source,
  sql: "",
  request: emptyRequest,
});

export function draftOf(query: Pick<Query, "name" | "description" | "folderId" | "steps">): Draft {
  const { name, description, folderId, steps } = query;
  return { name, description: description ?? "", folderId, steps: draftSteps(steps) };
}

export function draftSteps(steps: readonly Step[]): DraftStep[] {
  return steps.map(({ order, name, dataSourceId, sql, request }) => ({
    key: order,
    name: name === placeName(order) ? "" : name,
    source: dataSourceId ?? "results",
    sql: sql ?? "",
    request: request ? draftRequest(request) : emptyRequest,
  }));
}

function draftRequest({ method, path, query = {}, body, rowsPath = "" }: RequestStep): DraftRequest {
  return {
    method,
    path,
    query: Object.entries(query).map(([name, value], key) => ({ key, name, value })),
    body: body === undefined ? "" : JSON.stringify(body, null, 2),
    rowsPath,
  };
}

/** The default name of a step. */
export const placeName = (order: number) => `Step ${order}`;

export const nameOfStep = ({ name }: Pick<DraftStep, "name">, index: number) =>
  name.trim() || placeName(index + 1);

/** Whether a step sends an HTTP request instead of SQL. */
export const isRequest = ({ source }: DraftStep, kindOf: KindOf): boolean =>
  typeof source === "number" && kindOf(source) === "RestApi";

/** Whether two drafts would be stored identically. */
export const isSameDraft = (a: Draft, b: Draft): boolean =>
  a.name.trim() === b.name.trim() &&
  a.description.trim() === b.description.trim() &&
  a.folderId === b.folderId &&
  isSameSteps(a.steps, b.steps);

export const isSameSteps = (a: readonly DraftStep[], b: readonly DraftStep[]): boolean =>
  comparable(a) === comparable(b);

function comparable(steps: readonly DraftStep[]): string {
  const named = steps.map((step, index) => ({ ...step, name: nameOfStep(step, index) }));
  return JSON.stringify(named, (property, value) => (property === "key" ? undefined : value));
}

/** The stored result of saving a draft, with the step identities already on the page. */
export function storedDraft(query: Parameters<typeof draftOf>[0], { steps: shown }: Draft): Draft {
  const draft = draftOf(query);
  const keys = shown.length === draft.steps.length ? shown.map(({ key }) => key) : [];
  return { ...draft, steps: draft.steps.map((step, index) => ({ ...step, key: keys[index] ?? step.key })) };
}

/** Applies someone else's changes (other than to steps) to the fields not edited here. */
export function rebasedDraft(
  draft: Draft,
  former: Parameters<typeof draftOf>[0],
  latest: Parameters<typeof draftOf>[0],
): Draft {
  const [was, is] = [draftOf(former), draftOf(latest)];
  return {
    ...draft,
    name: draft.name === was.name ? is.name : draft.name,
    description: draft.description === was.description ? is.description : draft.description,
    folderId: draft.folderId === was.folderId ? is.folderId : draft.folderId,
  };
}

/** What a query is besides its steps. */
export const details = ["name", "description", "folderId"] as const;
export type Detail = (typeof details)[number];

/** The details that both have changed, each to something else. */
export function clashingDetails(
  draft: Draft,
  former: Parameters<typeof draftOf>[0],
  latest: Parameters<typeof draftOf>[0],
): Detail[] {
  const [was, is] = [draftOf(former), draftOf(latest)];
  return details.filter(
    (name) => draft[name] !== was[name] && is[name] !== was[name] && draft[name] !== is[name],
  );
}

/** Both sides' changes to the steps; null if both changed the same step, or one has more steps than before. */
export function mergedSteps(
  mine: readonly DraftStep[],
  former: Parameters<typeof draftOf>[0],
  latest: Parameters<typeof draftOf>[0],
): DraftStep[] | null {
  const [was, theirs] = [draftOf(former).steps, draftOf(latest).steps];
  if (mine.length !== was.length || theirs.length !== was.length) return null;
  const merged = mine.map((step, index): DraftStep | null => {
    const [before, their] = [was[index], theirs[index]];
    if (!before || !their) return null;
    if (isSameSteps([before], [their]) || isSameSteps([step], [their])) return step;
    return isSameSteps([step], [before]) ? { ...their, key: step.key } : null;
  });
  return merged.every((step) => step !== null) ? merged : null;
}

// --- Changes

export function addedStep({ steps, ...draft }: Draft): Draft {
  const key = Math.max(0, ...steps.map((step) => step.key)) + 1;
  const source = steps.at(-1)?.source ?? null;
  return { ...draft, steps: [...steps, emptyStep(key, source)] };
}

/**
 * Removes a step. References to later steps' results are renumbered. References to the removed step become
 * `@@result0`, which never exists, so that the server reports an error instead of running something else.
 */
export function withoutStep({ steps, ...draft }: Draft, key: number): Draft {
  const removed = steps.findIndex((step) => step.key === key) + 1;
  const numbers = new Map(
    steps.map((_, index) => {
      const order = index + 1;
      return [order, order === removed ? 0 : order - (order > removed ? 1 : 0)];
    }),
  );
  const left = steps.filter((step) => step.key !== key);
  return { ...draft, steps: left.map((step) => renumbered(step, numbers)) };
}

export const changedStep = ({ steps, ...draft }: Draft, key: number, change: Partial<DraftStep>): Draft => ({
  ...draft,
  steps: steps.map((step) => (step.key === key ? { ...step, ...change } : step)),
});

/**
 * Moves a step one position earlier (−1) or later (1), and updates every `@@result` reference to follow the step it
 * refers to.
 */
export function movedStep(draft: Draft, key: number, by: -1 | 1): Draft {
  const from = draft.steps.findIndex((step) => step.key === key);
  const to = from + by;
  const [step, other] = [draft.steps[from], draft.steps[to]];
  if (!step || !other) return draft;
  const steps = draft.steps.with(from, other).with(to, step);
  const swapped = new Map([
    [from + 1, to + 1],
    [to + 1, from + 1],
  ]);
  return { ...draft, steps: steps.map((each) => renumbered(each, swapped)) };
}

/** Renumbers references such as `@@result2` in a step that reads results. */
function renumbered(step: DraftStep, numbers: ReadonlyMap<number, number>): DraftStep {
  if (step.source !== "results") return step;
  const sql = step.sql.replace(/(@@result)(\d+)\b/gi, (text, name: string, digits: string) => {
    const number = numbers.get(Number(digits));
    return number === undefined ? text : name + number;
  });
  return { ...step, sql };
}

// --- API input

export type StepWrites = { steps: StepWrite[]; problems: DraftProblem[] };

/** The steps' API input, and the problems that can be found without the server. */
export function stepWrites(steps: readonly DraftStep[], kindOf: KindOf): StepWrites {
  const problems: DraftProblem[] = [];
  const written = steps.map((step, index): StepWrite => {
    const say = (path: string, message: string) => problems.push({ path: `steps.${index}.${path}`, message });
    if (step.source === null) say("dataSourceId", "is required");
    const name = step.name.trim();
    return {
      ...(name !== "" && { name }),
      ...(typeof step.source === "number" && { dataSourceId: step.source }),
      ...(isRequest(step, kindOf)
        ? { request: requestWrite(step.request, say) }
        : { sql: sqlWrite(step.sql, say) }),
    };
  });
  return { steps: written, problems };
}

function sqlWrite(sql: string, say: (path: string, message: string) => void): string {
  if (sql.trim() === "") say("sql", "is required");
  return sql;
}

function requestWrite(draft: DraftRequest, say: (path: string, message: string) => void): RequestStep {
  const rows = draft.query.filter(({ name, value }) => name !== "" || value !== "");
  const names = rows.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (names.includes("")) say("request.query", "has a value without a name");
  else if (twice !== undefined) say("request.query", `has ${twice} twice`);
  const hasBody = draft.method === "POST" && draft.body.trim() !== "";
  const rowsPath = draft.rowsPath.trim();
  return {
    method: draft.method,
    path: draft.path.trim(),
    ...(rows.length > 0 && { query: Object.fromEntries(rows.map(({ name, value }) => [name, value])) }),
    ...(hasBody && { body: bodyWrite(draft.body, say) }),
    ...(rowsPath !== "" && { rowsPath }),
  };
}

function bodyWrite(text: string, say: (path: string, message: string) => void): RequestStep["body"] {
  try {
    return JSON.parse(text) as RequestStep["body"];
  } catch (error) {
    say("request.body", `is not JSON: ${(error as Error).message}`);
    return null;
  }
}

/** The draft's steps in stored form, for comparison. */
export const asSteps = (steps: readonly DraftStep[], kindOf: KindOf): Step[] =>
  stepWrites(steps, kindOf).steps.map(({ name, dataSourceId, ...text }, index) => ({
    order: index + 1,
    name: name ?? placeName(index + 1),
    dataSourceId: dataSourceId ?? null,
    ...text,
  }));

/** A query's stored steps as API input. */
export const asWrites = (steps: readonly Step[]): StepWrite[] => steps.map(({ order: _, ...step }) => step);

/** What a step runs, as text for display and comparison. */
export function textOfStep({ sql, request }: Pick<Version["steps"][number], "sql" | "request">): string {
  if (!request) return sql ?? "";
  const { method, path, query, rowsPath, body } = request;
  return JSON.stringify({ method, path, query, rowsPath, body }, null, 2);
}
