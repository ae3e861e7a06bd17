import { performance } from "node:perf_hooks";
import type { SignedIn } from "../../auth/principal.ts";
import type { Limits } from "../../data-sources/engines/engine.ts";
import { getDataSource, useSource } from "../../data-sources/service.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { Problem, problemIn } from "../../errors.ts";
import { bindParameters } from "../placeholders.ts";
import { bindRequest } from "../request-placeholders.ts";
import type {
  Preview,
  PreviewInput,
  previewQueryInput,
  previewStepInput,
  previewStoredInput,
  RequestStep,
  Step,
} from "../schema.ts";
import { stepsFingerprint } from "../sql-fingerprint.ts";
import { parametersOf } from "../step-parameters.ts";
import { withNeeded } from "../step-results.ts";
import { scratchDialect } from "../step-rules.ts";
import { getStoredQuery, queryNotFound } from "./queries.ts";
import { getRunnableQuery, type Parameters, runSteps } from "./run.ts";
import { stepsFor } from "./save-query.ts";

type PreviewQuery = ReturnType<typeof previewQueryInput.parse>;
type PreviewStored = ReturnType<typeof previewStoredInput.parse>;
type PreviewStep = ReturnType<typeof previewStepInput.parse>;

const previewLimits: Limits = { timeoutMs: 30_000, maxRows: 1_000, maxBytes: 4 * 1024 * 1024 };

/** Previews something that is not stored: SQL, a request, or all the steps of a query. Throws like `previewQuery`. */
export async function previewUnsaved(
  ctx: SignedIn,
  { dataSourceId, sql, request, steps, stepOrder, parameters }: PreviewInput,
): Promise<Preview> {
  if (steps) {
    const [first] = steps.flatMap((step) => step.dataSourceId ?? []);
    // Without any data source the steps are refused whatever the project is.
    const projectId = first === undefined ? 0 : (await getDataSource(ctx, first)).projectId;
    const whole = await stepsFor(ctx, projectId, steps);
    return previewSteps(whole, stepOrder, parameters);
  }
  // The input has one of the two, and its data source.
  if (dataSourceId === undefined) throw new Problem("invalid", "dataSourceId is required");
  if (request) return previewRequest(ctx, { dataSourceId, request, parameters });
  return previewQuery(ctx, { dataSourceId, sql: sql ?? "", parameters });
}

/**
 * Runs one SQL text that reads, which is stored nowhere. Throws not_found for a data source out of sight, invalid
 * for parameters that do not fit the text, rejected for what the gate or the engine refuses, source_unreachable
 * and source_timeout.
 */
export async function previewQuery(
  ctx: SignedIn,
  { dataSourceId, sql, parameters }: PreviewQuery,
  limits: Limits = previewLimits,
): Promise<Preview> {
  await getDataSource(ctx, dataSourceId);
  return useSource(dataSourceId, async ({ dialect, placeholder, label }, source) => {
    if (dialect === null) throw new Problem("rejected", `A data source of the kind ${label} takes no SQL`);
    const statement = bindParameters(sql, parameters, { dialect, placeholder });
    return orProblem(() => source.session(async (session) => timed(() => session.read(statement, limits))));
  });
}

async function previewRequest(
  ctx: SignedIn,
  {
    dataSourceId,
    request,
    parameters,
  }: { dataSourceId: number; request: RequestStep; parameters: Parameters },
): Promise<Preview> {
  await getDataSource(ctx, dataSourceId);
  return useSource(dataSourceId, async ({ label }, { request: send }) => {
    if (!send) throw new Problem("rejected", `A data source of the kind ${label} takes SQL, and no request`);
    const bound = bindRequest(request, parameters);
    return orProblem(() => timed(() => send(bound, previewLimits)));
  });
}

/** Runs a stored query as it is. Throws not_found for one out of sight, and otherwise like `previewQuery`. */
export async function previewStored(ctx: SignedIn, { id, parameters }: PreviewStored): Promise<Preview> {
  return previewSteps(await runnableSteps(ctx, id), undefined, parameters);
}

/** Runs one step of a stored query, after the earlier ones whose results it needs. Throws like `previewStored`. */
export async function previewStep(
  ctx: SignedIn,
  { id, stepOrder, parameters }: PreviewStep,
): Promise<Preview> {
  const steps = await runnableSteps(ctx, id);
  if (stepOrder > steps.length) throw new Problem("not_found", "Step not found");
  return previewSteps(steps, stepOrder, parameters);
}

async function runnableSteps(ctx: SignedIn, id: number): Promise<Step[]> {
  await getStoredQuery(ctx, id);
  const query = await getRunnableQuery(id);
  if (!query) throw queryNotFound();
  return query.steps;
}

/** All of the steps, or one with those that it needs. Then values are taken for names of the others, too. */
async function previewSteps(
  steps: readonly Step[],
  stepOrder: number | undefined,
  parameters: Parameters,
): Promise<Preview> {
  const run = stepOrder === undefined ? steps : withNeeded(steps, stepOrder, scratchDialect);
  const names = { ofAll: parametersOf(steps), ofRun: parametersOf(run) };
  const isSpared = (name: string) => names.ofAll.includes(name) && !names.ofRun.includes(name);
  const given = Object.fromEntries(Object.entries(parameters).filter(([name]) => !isSpared(name)));
  return orProblem(() => runSteps(run, given, previewLimits));
}

/** What a data source did not do, as a Problem. */
async function orProblem<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw problemIn(asProblem(error)) ?? error;
  }
}

async function timed<R extends object>(read: () => Promise<R>): Promise<R & { executionTimeMs: number }> {
  const startedAt = performance.now();
  const result = await read();
  return { ...result, executionTimeMs: Math.round(performance.now() - startedAt) };
}

const stepOf = (stepOrder: number | undefined) => (stepOrder === undefined ? [] : [`step ${stepOrder}`]);

type Unsaved = Pick<PreviewInput, "dataSourceId" | "sql" | "request" | "steps" | "stepOrder">;

/** What the audit log says of a preview: which text, by its hash, since the text may hold people's data. */
export const previewedText = ({ steps, stepOrder, ...only }: Partial<Unsaved>): string =>
  [...stepOf(stepOrder), stepsFingerprint(steps ?? [only])].join("; ");

/** What it says of a preview of a stored query, whose versions are kept. */
export const previewedStep = ({ stepOrder }: { stepOrder?: number }): string => stepOf(stepOrder).join("");

/** What it says came of it. */
export const rowsFound = ({ rowCount }: Pick<Preview, "rowCount">): string =>
  `${rowCount} ${rowCount === 1 ? "row" : "rows"}`;
