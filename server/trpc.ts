import { initTRPC, TRPCError } from "@trpc/server";
import { ZodError, type z } from "zod";
import type { Permission } from "./auth/permissions.ts";
import { authorize, type Change, type Context, type SignedIn } from "./auth/principal.ts";
import { inOneTransaction } from "./db/client.ts";
import { type ProblemCode, problemIn, problems } from "./errors.ts";
import { failSpan, traced } from "./telemetry/tracing.ts";

/** What is neither JSON nor a form. */
export type DocumentType = "application/yaml";

/** How a procedure is published as REST. Paths are relative to /svc/api. */
export type RestMeta = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  /** 200 unless said; 201 answers with a Location made of the path and the result's id. */
  status?: 200 | 201 | 202 | 204;
  /** Where a created resource is found, when it is not below the path that created it: a path like `path`. */
  location?: `/${string}`;
  /** Where a result that is still Running can be followed; then the answer is 202 with this as Location. */
  running?: `/${string}`;
  /**
   * Below which path work is followed that is answered 202 with `{ executionId }` as soon as it has begun; with
   * Prefer: wait the answer is 200 with the result. The output is then `startedOr(result)`.
   */
  started?: `/${string}`;
  /**
   * Below which path a request for approval is found where the work waits for one: the result then has its
   * `approvalId`, and the answer is 202 with it.
   */
  waits?: `/${string}`;
  /** The body is no JSON but a document, which becomes one property of the input; the others stand in the query. */
  takes?: { type: DocumentType; property: string; maxMegabytes: number };
  /** The output is the text of a document of this type, and is answered as it is. */
  answers?: DocumentType;
  /** What may go wrong beyond 400, 401, 403 and, with an id, 404. */
  problems?: ProblemCode[];
};

/**
 * How a call and its audit entry are kept from being parted when the process is killed:
 *
 * - `change`: the whole procedure is one transaction, the entry its last statement. It may wait for no other machine.
 * - `preparedChange`: the service first asks other machines, or does what must outlive a refusal, and then stores
 *   the change by `recorded`: one transaction with the entry.
 * - `run`: something that no transaction holds, such as SQL on a data source. Its entry is written before it begins,
 *   by `recordRun`, and gets the outcome when it ends.
 */
export const auditKinds = ["change", "preparedChange", "run"] as const;
export type AuditKind = (typeof auditKinds)[number];

/** What the audit log says of a procedure that has been called. Every mutation must say it. */
export type AuditMeta = {
  /** What kind of thing it changes, runs or decides: `contract`. */
  audit?: string;
  /** `change` unless said. */
  auditAs?: AuditKind;
  /** What it is called in the log, where one procedure does two things; its path unless said. */
  auditAction?: (input: never) => string;
  /** Where the input, or else the result, says which one, unless in its `id`. */
  auditId?: "dataSourceId";
  /** A few words on the result, never a secret; the result's name unless said. */
  auditDetail?: (result: never, input: never) => string;
  /** Of a run: what is run, known before it begins. Never a secret, nor text that may hold people's data. */
  auditRun?: (input: never) => string;
  /** Of a run: what came of it. */
  auditOutcome?: (result: never, input: never) => string;
};

/** How a procedure is offered to assistants, as an MCP tool. */
export type ToolMeta = {
  /** In snake_case. */
  name: string;
  title: string;
  /** For the assistant: when to use it, and what comes back. */
  description: string;
  /** What it does, in the protocol's own words. None destroys anything, or reaches beyond what is connected here. */
  annotations: { readOnlyHint: boolean; idempotentHint?: boolean };
  /** Arguments are the input's properties in snake_case; those that are called otherwise are named here. */
  argumentNames?: Readonly<Record<string, string>>;
  /** Properties of the result that it leaves out: what other tools give, or no assistant needs; as `items.rules`. */
  leavesOut?: readonly string[];
  /** A list that has no pages of its own is answered in pages of so many items. */
  itemsPerPage?: number;
  /** Whether it is there at all, where that is up to the settings. */
  isOffered?: () => boolean;
  /** The result in a few lines, for clients that show their assistant text alone. */
  text: (result: never) => string;
};

/** `permission` is set by `procedureFor`, never by hand. */
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
        },
      };
    },
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** Zod's findings as `[{ path, message }]`; a property that is not known is named by its own path. */
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

/** Of several objects the one that was meant: it knows most of the properties. null where none is an object. */
function nearest(alternatives: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | null {
  const unknown = (issues: z.core.$ZodIssue[]) =>
    issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 0), 0);
  const objects = alternatives.filter((issues) =>
    issues.every((issue) => issue.path.length > 0 || issue.code === "unrecognized_keys"),
  );
  return objects.sort((a, b) => unknown(a) - unknown(b))[0] ?? null;
}

/** Services throw Problem; tRPC's own codes are made from it here and nowhere else. null for anything else. */
export function asTrpcError(error: unknown): TRPCError | null {
  const problem = problemIn(error);
  if (!problem) return null;
  return new TRPCError({ code: problems[problem.code].trpc, message: problem.detail, cause: problem });
}

/** A span for each call, whichever door it came by. */
const trace = t.middleware(({ path, type, next }) =>
  traced(
    path,
    { "rpc.system.name": "trpc", "rpc.method": path, "plumbline.procedure.type": type },
    async (span) => {
      const result = await next();
      if (!result.ok) failSpan(span, problemIn(result.error)?.code ?? result.error.code);
      return result;
    },
  ),
);

const translateProblems = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  const translated = asTrpcError(result.error.cause);
  if (translated) throw translated;
  return result;
});

const integerOrNull = (value: unknown) => (Number.isInteger(value) ? (value as number) : null);

/** What an entry says of a call: which thing by the id that it was called with or answered, and its name. */
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

/**
 * Enters what is done into the audit log, as the procedure declares, and counts what a key has read. A change that is
 * refused, or ends in a bug, is undone and is no entry.
 */
const recordCalls = t.middleware(async ({ ctx, type, path, meta, getRawInput, next }) => {
  if (!meta?.audit) {
    const result = await next();
    if (result.ok && type === "query") ctx.countRead?.();
    return result;
  }
  const input = await getRawInput();
  const enter = (result: unknown) => ctx.record?.(changeOf(path, meta, input, result));
  switch (meta.auditAs ?? "change") {
    case "change":
      return inOneTransaction(async () => {
        const result = await next();
        // Thrown, it undoes what was done.
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
      const result = await next({ ctx: { recorded } });
      if (result.ok && !isRecorded) throw new Error(`${path} was done without an audit entry`);
      return result;
    }
    case "run":
      return next();
  }
});

/** Which thing a run is of, where its input alone does not say. */
type FindObject<Input> = (ctx: SignedIn, input: Input) => Promise<number | null>;

/**
 * Enters a run into the audit log before it begins, and its outcome when it ends. It stands behind `.input`, so that
 * an input that is not valid is no run.
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

/** Not the message, which may repeat values. */
function failureOf(error: TRPCError): string {
  const problem = problemIn(error);
  return problem ? problems[problem.code].title : "Ended in an error";
}

/** Whether nobody had foreseen it: the caller can do nothing about it, and the log must say it. */
export const isBug = (error: TRPCError) => error.code === "INTERNAL_SERVER_ERROR" && !problemIn(error.cause);

/**
 * A procedure that may be called by whoever holds the permission. There is no other way to make one, so every
 * procedure says who may call it.
 */
export function procedureFor<P extends Exclude<Permission, "anonymous">>(permission: P) {
  return t.procedure
    .meta({ permission })
    .use(trace)
    .use(translateProblems)
    .use(({ ctx, next }) => {
      authorize(ctx, permission);
      return next({ ctx: ctx as SignedIn });
    })
    .use(recordCalls);
}

/** A procedure for callers who have not signed in, such as the first set-up. */
export const anonymousProcedure = t.procedure
  .meta({ permission: "anonymous" })
  .use(trace)
  .use(translateProblems)
  .use(recordCalls);
