import { getTRPCErrorFromUnknown, initTRPC, TRPCError, type TRPCProcedureType } from "@trpc/server";
import { ZodError, type z } from "zod";
import type { Permission } from "./auth/permissions.ts";
import { authorize, type Change, type Context, type SignedIn } from "./auth/principal.ts";
import { inOneTransaction } from "./db/client.ts";
import { type Problem, type ProblemCode, problemIn, problems } from "./errors.ts";
import { failSpan, traced } from "./telemetry/tracing.ts";

/** Media types other than JSON and form data. */
export type DocumentType = "application/yaml";

/** How a procedure is published as REST. Paths are relative to /svc/api. */
export type RestMeta = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  /** Defaults to 200; with 201, the Location header is the path plus the result's ID. */
  status?: 200 | 201 | 202 | 204;
  /** The created resource's location, if it is not below the path that created it: a path like `path`. */
  location?: `/${string}`;
  /** Where to follow a result that is still Running; the response is then 202 with this as Location. */
  running?: `/${string}`;
  /**
   * The path below which to follow work that responds 202 with `{ executionId }` as soon as it has started. With
   * `Prefer: wait`, the response is 200 with the result. The output is then `startedOr(result)`.
   */
  started?: `/${string}`;
  /**
   * The path below which approval requests are found, if the call may need one: the result then has its
   * `approvalId`, and the response is 202 with it.
   */
  waits?: `/${string}`;
  /** The body is a document instead of JSON. It becomes one input property; the others come from the query string. */
  takes?: { type: DocumentType; property: string; maxMegabytes: number };
  /** The maximum size of a JSON body, if it may hold files. */
  bodyMegabytes?: number;
  /** What to do about a larger body: "send fewer files at once". */
  ifLarger?: string;
  /** The output is the text of a document of this type, returned as is. */
  answers?: DocumentType;
  /** Possible errors besides 400, 401, 403, and, with an ID, 404. */
  problems?: ProblemCode[];
};

/**
 * How a call and its audit entry stay consistent if the process is killed:
 *
 * - `change`: the whole procedure is one transaction, with the entry as its last statement. It must not wait for
 *   other machines.
 * - `preparedChange`: the service first calls other machines, or does what must persist even if the call is rejected,
 *   and then stores the change with `recorded`: one transaction with the entry.
 * - `changes`: many objects, in transactions of limited size, each object with an entry of its own (see bulk.ts).
 * - `run`: something no transaction can include, such as SQL on a data source. `recordRun` writes its entry before it
 *   starts and adds the outcome when it ends.
 */
export const auditKinds = ["change", "preparedChange", "changes", "run"] as const;
export type AuditKind = (typeof auditKinds)[number];

/** How a procedure appears in the audit log. Required for every mutation. */
export type AuditMeta = {
  /** The kind of object it changes, runs, or decides: `contract`. */
  audit?: string;
  /** Defaults to `change`. */
  auditAs?: AuditKind;
  /** Its action in the log, if one procedure does two things; defaults to its path. */
  auditAction?: (input: never) => string;
  /** Where the input, or otherwise the result, has the object's ID; defaults to `id`. */
  auditId?: "dataSourceId";
  /** A few words about the result, never a secret; defaults to the result's name. */
  auditDetail?: (result: never, input: never) => string;
  /** For a run: what is run, known before it starts. Never a secret, nor text that may contain people's data. */
  auditRun?: (input: never) => string;
  /** For a run: its result. */
  auditOutcome?: (result: never, input: never) => string;
};

/** How a procedure is exposed to AI assistants as an MCP tool. */
export type ToolMeta = {
  /** In snake_case. */
  name: string;
  title: string;
  /** For the assistant: when to use it, and what comes back. */
  description: string;
  /** The protocol's hints. No tool is destructive, or reaches beyond the connected data sources. */
  annotations: { readOnlyHint: boolean };
  /** Arguments are the input's properties in snake_case; differently named ones are listed here. */
  argumentNames?: Readonly<Record<string, string>>;
  /** Optional properties of the input that no assistant needs. */
  withoutArguments?: readonly string[];
  /** Arguments whose name says enough, listed without their description. */
  plainArguments?: readonly string[];
  /**
   * The tool's output: the procedure's output without what other tools return or no assistant needs. Renaming a property
   * there is a compile error here.
   */
  answer: z.ZodObject;
  /** Returns an unpaginated list in pages of this size. */
  itemsPerPage?: number;
  /** Whether the tool exists, if that depends on the settings. */
  isOffered?: () => boolean;
  /** The result in a few lines, for clients that show only text to their assistant. */
  text: (result: never) => string;
  /** If it can take long: how clients that know tasks follow it instead of waiting. */
  longWork?: LongWork;
  /** What to ask the person in front of a client before the call, if it can ask; null for invalid input. */
  question?: (input: unknown) => string | null;
};

/** Work that goes on in the background, and is known by the ID of its result. */
export type LongWork = {
  /** The procedure that begins it and answers at once. It takes the tool's input. */
  start: string;
  /** The procedure that takes `{ id }` and answers what the tool answers, as far as it has come. */
  follow: string;
  /** When it ended, or null while it goes on. */
  endedAt: (result: never) => string | null;
};

/** `permission` is set by `procedureFor`, never directly. */
export type ProcedureMeta = { permission?: Permission; rest?: RestMeta; tool?: ToolMeta } & AuditMeta;

const t = initTRPC
  .meta<ProcedureMeta>()
  .context<Context>()
  .create({
    errorFormatter({ shape, error, ctx }) {
      const problem = problemIn(error.cause);
      const isBug = error.code === "INTERNAL_SERVER_ERROR";
      return {
        ...shape,
        message: problem?.detail ?? (isBug ? "Internal error" : shape.message),
        data: {
          code: shape.data.code,
          httpStatus: shape.data.httpStatus,
          requestId: ctx?.requestId,
          errors:
            problem?.more.errors ?? (error.cause instanceof ZodError ? fieldErrors(error.cause) : undefined),
          position: problem?.more.members?.position,
          edits: problem?.more.members?.edits,
          secondFactor: problem?.more.members?.secondFactor,
        },
      };
    },
  });

export const router = t.router;
export const mergeRouters = t.mergeRouters;
export const createCallerFactory = t.createCallerFactory;

/** Zod's issues as `[{ path, message }]`; an unknown property is reported by its own path. */
export function fieldErrors(error: z.core.$ZodError): { path: string; message: string }[] {
  return error.issues.flatMap((issue) => findings(issue, []));
}

function findings(issue: z.core.$ZodIssue, above: PropertyKey[]): { path: string; message: string }[] {
  const path = [...above, ...issue.path];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...path, key].join("."), message: "is not a known property" }));
  const meant = issue.code === "invalid_union" ? nearest(issue.errors) : null;
  return meant?.flatMap((each) => findings(each, path)) ?? [{ path: path.join("."), message: issue.message }];
}

/** The intended one of several object alternatives: the one that knows most of the properties. null if none is an object. */
function nearest(alternatives: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | null {
  const unknown = (issues: z.core.$ZodIssue[]) =>
    issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 0), 0);
  const objects = alternatives.filter((issues) =>
    issues.every((issue) => issue.path.length > 0 || issue.code === "unrecognized_keys"),
  );
  return objects.sort((a, b) => unknown(a) - unknown(b))[0] ?? null;
}

/** Converts a Problem thrown by a service to tRPC's error, only here. null for anything else. */
export function asTrpcError(error: unknown): TRPCError | null {
  const problem = problemIn(error);
  if (!problem) return null;
  return new TRPCError({ code: problems[problem.code].trpc, message: problem.detail, cause: problem });
}

const integerOrNull = (value: unknown) => (Number.isInteger(value) ? (value as number) : null);

/** A call's audit entry: the object, by the ID in its input or result, and its name. */
function changeOf(path: string, meta: AuditMeta, input: unknown, result: unknown): Change {
  const asked = (input ?? {}) as { id?: unknown; dataSourceId?: unknown };
  const answered = (result ?? {}) as { id?: unknown; name?: unknown; dataSourceId?: unknown };
  const key = meta.auditId ?? "id";
  const detailOf = meta.auditDetail as ((result: unknown, input: unknown) => string) | undefined;
  return {
    action: meta.auditAction?.(input as never) ?? path,
    objectKind: meta.audit ?? "",
    objectId: integerOrNull(asked[key] ?? answered[key] ?? answered.id),
    detail: detailOf?.(result, input) ?? (typeof answered.name === "string" ? answered.name : null),
  };
}

type Call<Ctx extends Context = Context> = {
  ctx: Ctx;
  path: string;
  type: TRPCProcedureType;
  meta: ProcedureMeta | undefined;
  getRawInput: () => Promise<unknown>;
};
type Result = { ok: true; data: unknown } | { ok: false; error: TRPCError };
/** The rest of a call, in this context. */
type Rest<Ctx, R extends Result> = (ctx: Ctx) => Promise<R>;

/**
 * What surrounds each call, on every door: a span, whether the caller may do it (`permitted` throws, or returns their
 * context), its audit entry, and tRPC's error for a Problem. Notes calls that were refused for lack of permission, once
 * everything they did is rolled back. One middleware, because each costs copies of the context.
 */
async function watched<Ctx extends Context, R extends Result>(
  call: Call,
  permitted: (ctx: Context) => Ctx,
  rest: Rest<Ctx, R>,
): Promise<R> {
  const { path, type, meta } = call;
  const attributes = { "rpc.system.name": "trpc", "rpc.method": path, "plumbline.procedure.type": type };
  const outcome = await traced(path, attributes, async (span) => {
    const outcome = await settled(async () => recorded({ ...call, ctx: permitted(call.ctx) }, rest));
    if ("failure" in outcome)
      failSpan(span, outcome.problem?.code ?? getTRPCErrorFromUnknown(outcome.failure).code);
    return outcome;
  });
  if ("result" in outcome) return outcome.result;
  const { problem, failure } = outcome;
  if (meta?.permission !== "anonymous" && call.ctx.principal && problem?.code === "forbidden")
    await call.ctx.recordRefusal?.(path);
  throw asTrpcError(problem) ?? failure;
}

/** What was thrown, and the Problem in it. */
type Failed = { failure: unknown; problem: Problem | null };

async function settled<R extends Result>(work: () => Promise<R>): Promise<{ result: R } | Failed> {
  try {
    const result = await work();
    return result.ok ? { result } : failed(result.error);
  } catch (error) {
    return failed(error);
  }
}

const failed = (failure: unknown): Failed => ({
  failure,
  problem: problemIn(failure instanceof TRPCError ? failure.cause : failure),
});

/**
 * Writes the audit entry a procedure declares, and counts what an API key has read. A change that is rejected or fails
 * with a bug is rolled back and has no entry.
 */
async function recorded<Ctx extends Context, R extends Result>(
  { ctx, type, path, meta, getRawInput }: Call<Ctx>,
  rest: Rest<Ctx, R>,
): Promise<R> {
  if (!meta?.audit) {
    const result = await rest(ctx);
    if (result.ok && type === "query") {
      ctx.countRead?.();
      await ctx.recordRead?.(
        path,
        integerOrNull(((await getRawInput()) as { id?: unknown } | undefined)?.id),
      );
    }
    return result;
  }
  const input = await getRawInput();
  const enter = (result: unknown) => ctx.record?.(changeOf(path, meta, input, result));
  switch (meta.auditAs ?? "change") {
    case "change":
      return inOneTransaction(async () => {
        const result = await rest(ctx);
        // Rethrown to roll back the transaction.
        if (!result.ok) throw result.error;
        await enter(result.data);
        return result;
      });
    case "preparedChange": {
      let isRecorded = false;
      const recorded = <T>(store: () => Promise<T>) =>
        inOneTransaction(async () => {
          const stored = await store();
          await enter(stored);
          isRecorded = true;
          return stored;
        });
      const result = await rest({ ...ctx, recorded });
      if (result.ok && !isRecorded) throw new Error(`${path} was done without an audit entry`);
      return result;
    }
    case "changes": {
      const { auditAction, audit: objectKind } = meta;
      const action = auditAction?.(input as never) ?? path;
      const recordObject = async (objectId: number, detail: string) =>
        ctx.record?.({ action, objectKind, objectId, detail });
      return rest({ ...ctx, recordObject });
    }
    case "run":
      return rest(ctx);
  }
}

/** Finds the object of a run, if its input doesn't contain it. */
type FindObject<Input> = (ctx: SignedIn, input: Input) => Promise<number | null>;

/**
 * Writes a run's audit entry before it starts, and its outcome when it ends. Applied after `.input`, so that invalid
 * input is not recorded as a run.
 */
export function recordRun<Input>(findObject?: FindObject<Input>) {
  return t.middleware(async ({ ctx, path, meta, input, next }) => {
    const { auditRun, auditOutcome, auditDetail: _, ...which } = meta ?? {};
    const change = changeOf(path, which, input, null);
    const objectId = (await findObject?.(ctx as SignedIn, input as Input)) ?? change.objectId;
    const end = await ctx.beginRun?.({ ...change, objectId, detail: auditRun?.(input as never) ?? null });
    const more: string[] = [];
    const addToOutcome = (words: string) => void more.push(words);
    const result = await next({ ctx: { addToOutcome } });
    const outcome = result.ok
      ? (auditOutcome?.(result.data as never, input as never) ?? "Done")
      : failureOf(result.error);
    await end?.([outcome, ...more].join("; "));
    return result;
  });
}

/** The kind of problem rather than its message, which may repeat values. */
function failureOf(error: TRPCError): string {
  const problem = problemIn(error);
  return problem ? problems[problem.code].title : "Ended in an error";
}

/** Whether the error is unexpected: the caller can't do anything about it, so it must be logged. */
export const isBug = (error: TRPCError) => error.code === "INTERNAL_SERVER_ERROR" && !problemIn(error.cause);

/**
 * A procedure that requires a permission. The only way to create one besides `anonymousProcedure`, so every procedure
 * declares who may call it.
 */
export function procedureFor<P extends Exclude<Permission, "anonymous">>(permission: P) {
  const permitted = (ctx: Context): SignedIn => ({ ...ctx, principal: authorize(ctx, permission) });
  return checkedAtOnce(
    t.procedure
      .meta({ permission })
      .use(({ next, ...call }) => watched(call, permitted, (ctx) => next({ ctx }))),
  );
}

/** A procedure for callers who have not signed in, such as the initial setup. */
export const anonymousProcedure = checkedAtOnce(
  t.procedure.meta({ permission: "anonymous" }).use(({ next, ...call }) =>
    watched(
      call,
      (ctx) => ctx,
      (ctx) => next({ ctx }),
    ),
  ),
);

/**
 * The same builder, whose procedures check input and output without waiting. tRPC asks schemas for a promise, for which
 * Zod does without its compiled checks, which take half the time. No schema of ours has a check to wait for: one that had
 * would throw at every call.
 */
function checkedAtOnce<Builder extends object>(builder: Builder): Builder {
  return new Proxy(builder, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        if (name === "input" || name === "output") checkAtOnce(given[0] as z.ZodType);
        const made: unknown = value.apply(target, given);
        return typeof made === "function" ? made : checkedAtOnce(made as object);
      };
    },
  });
}

function checkAtOnce(schema: z.ZodType): void {
  schema.parseAsync = async (value, params) => schema.parse(value, params);
}
