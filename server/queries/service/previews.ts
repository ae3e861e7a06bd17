import { performance } from "node:perf_hooks";
import type { SignedIn } from "../../auth/principal.ts";
import { kindLabels } from "../../data-sources/dialects/dialects.ts";
import type { Limits } from "../../data-sources/engines/engine.ts";
import { useSource } from "../../data-sources/service/connected-sources.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import { asProblem } from "../../data-sources/source-problem.ts";
import { Problem, problemIn } from "../../errors.ts";
import { plural } from "../../text.ts";
import { inWrittenText } from "../error-place.ts";
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
import { withDependencies } from "../step-results.ts";
import { scratchDialect } from "../step-rules.ts";
import { getStoredQuery, queryNotFound } from "./queries.ts";
import { getRunnableQuery, type Parameters, runSteps } from "./run.ts";
import { stepsFor } from "./save-query.ts";

type PreviewQuery = ReturnType<typeof previewQueryInput.parse>;
type PreviewStored = ReturnType<typeof previewStoredInput.parse>;
type PreviewStep = ReturnType<typeof previewStepInput.parse>;

const previewLimits: Limits = { timeoutMs: 30_000, maxRows: 1_000, maxBytes: 4 * 1024 * 1024 };

/** Previews unsaved work: SQL, a request, or all steps of a query. Throws like `previewQuery`. */
export async function previewUnsaved(
  ctx: SignedIn,
  { dataSourceId, sql, request, steps, stepOrder, parameters }: PreviewInput,
): Promise<Preview> {
  if (steps) {
    const [first] = steps.flatMap((step) => step.dataSourceId ?? []);
    // Steps without any data source are rejected regardless of the project.
    const projectId = first === undefined ? 0 : (await getDataSource(ctx, first)).projectId;
    const whole = await stepsFor(ctx, projectId, steps);
    return previewSteps(whole, stepOrder, parameters);
  }
  // The input has exactly one of the two, with its data source.
  if (dataSourceId === undefined) throw new Problem("invalid", "dataSourceId is required");
  if (request) return previewRequest(ctx, { dataSourceId, request, parameters });
  return previewQuery(ctx, { dataSourceId, sql: sql ?? "", parameters });
}

/**
 * Runs one read-only SQL text without storing it. Throws not_found for a data source that the caller cannot access,
 * invalid for parameters that do not match the text, rejected if the gate or the engine rejects it, source_unreachable,
 * and source_timeout.
 */
export async function previewQuery(
  ctx: SignedIn,
  { dataSourceId, sql, parameters }: PreviewQuery,
  limits: Limits = previewLimits,
): Promise<Preview> {
  await getDataSource(ctx, dataSourceId);
  return useSource(dataSourceId, async ({ dialect, kind }, source) => {
    if (dialect === null) throw new Problem("rejected", `${kindLabels[kind]} data sources do not accept SQL`);
    const statement = bindParameters(sql, parameters, dialect);
    return orProblem(() =>
      inWrittenText(sql, { statement, dialect }, () =>
        source.session(async (session) => timed(() => session.read(statement, limits))),
      ),
    );
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
  return useSource(dataSourceId, async ({ kind }, { request: send }) => {
    if (!send) throw new Problem("rejected", `${kindLabels[kind]} data sources accept SQL, not requests`);
    const bound = bindRequest(request, parameters);
    return orProblem(() => timed(() => send(bound, previewLimits)));
  });
}

/** Runs a stored query. Throws not_found if the caller cannot access it, and otherwise like `previewQuery`. */
export async function previewStored(ctx: SignedIn, { id, parameters }: PreviewStored): Promise<Preview> {
  return previewSteps(await runnableSteps(ctx, id), undefined, parameters);
}

/** Runs one step of a stored query after the earlier steps it depends on. Throws like `previewStored`. */
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

/** All steps, or one with its dependencies. In the latter case, values for other steps' parameters are allowed. */
async function previewSteps(
  steps: readonly Step[],
  stepOrder: number | undefined,
  parameters: Parameters,
): Promise<Preview> {
  const run = stepOrder === undefined ? steps : withDependencies(steps, stepOrder, scratchDialect);
  const names = { ofAll: parametersOf(steps), ofRun: parametersOf(run) };
  const isOptional = (name: string) => names.ofAll.includes(name) && !names.ofRun.includes(name);
  const given = Object.fromEntries(Object.entries(parameters).filter(([name]) => !isOptional(name)));
  return orProblem(() => runSteps(run, given, previewLimits));
}

/** Converts a data source's error to a Problem. */
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

/** The audit log entry's details of a preview: the hash of the text, since the text may contain personal data. */
export const previewedText = ({ steps, stepOrder, ...only }: Partial<Unsaved>): string =>
  [...stepOf(stepOrder), stepsFingerprint(steps ?? [only])].join("; ");

/** The details of a preview of a stored query, whose versions are kept. */
export const previewedStep = ({ stepOrder }: { stepOrder?: number }): string => stepOf(stepOrder).join("");

/** The details of its outcome. */
export const rowsFound = ({ rowCount }: Pick<Preview, "rowCount">): string => plural(rowCount, "row");
