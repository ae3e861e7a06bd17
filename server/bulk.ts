import { z } from "zod";
import type { Permission } from "./auth/permissions.ts";
import type { SignedIn } from "./auth/principal.ts";
import { db, inOneTransaction } from "./db/client.ts";
import { identifier } from "./db/schema-parts.ts";
import { problemIn } from "./errors.ts";
import { procedureFor } from "./trpc.ts";

/** One action on many objects, which says for each of them what happened. */

export const maxInBulk = 500;

/**
 * How many objects one transaction changes: enough to be fast, few enough that nothing waits long for their locks.
 */
const perTransaction = 50;

const idsIn = {
  ids: z
    .array(identifier)
    .min(1, "needs at least one")
    .max(maxInBulk)
    .meta({ description: `Up to ${maxInBulk}; duplicates count once` }),
};

export const bulkResultSchema = z
  .object({
    done: z.int(),
    failed: z.int(),
    items: z
      .array(
        z.object({
          id: identifier,
          ok: z.boolean(),
          problem: z.string().nullable().meta({ description: "Why it was not done" }),
        }),
      )
      .meta({ description: "In the order of `ids`" }),
  })
  .meta({ id: "BulkResult" });
export type BulkResult = z.output<typeof bulkResultSchema>;

/** Acts on one object within the open transaction. Returns its name, for the audit log. */
type ActOn<Input> = (ctx: SignedIn, input: Input & { id: number }) => Promise<{ name: string }>;

/**
 * Acts on each object in a savepoint of its own: what cannot be done to one (it is gone, hidden from the caller, or in
 * another state) is undone and said, and the others go on. An unexpected error ends the call; the transactions before
 * it remain.
 */
export async function inBulk<Input extends object>(
  ctx: SignedIn,
  { ids, ...input }: Input & { ids: readonly number[] },
  actOn: ActOn<Omit<Input & { ids: readonly number[] }, "ids">>,
): Promise<BulkResult> {
  const unique = [...new Set(ids)];
  const items: BulkResult["items"] = [];
  for (let start = 0; start < unique.length; start += perTransaction) {
    const chunk = unique.slice(start, start + perTransaction);
    const outcomes = await inOneTransaction(async () => {
      const said: BulkResult["items"] = [];
      for (const id of chunk) {
        const problem = await outcomeOf(async () => {
          const { name } = await actOn(ctx, { ...input, id });
          await ctx.recordObject?.(id, name);
        });
        said.push({ id, ok: problem === null, problem });
      }
      return said;
    });
    items.push(...outcomes);
  }
  const done = items.filter(({ ok }) => ok).length;
  return { done, failed: items.length - done, items };
}

/** null if it was done; otherwise why not. Throws what is nobody's answer. */
async function outcomeOf(act: () => Promise<void>): Promise<string | null> {
  try {
    await db.transaction(act);
    return null;
  } catch (error) {
    const problem = problemIn(error);
    if (!problem) throw error;
    const [first] = problem.more.errors ?? [];
    return first ? `${first.path} ${first.message}` : problem.detail;
  }
}

/**
 * A procedure that does something to many objects. The caller needs the permission for the action; whether they may see
 * an object is checked for each.
 */
export function bulkProcedure<P extends Exclude<Permission, "anonymous">, Fields extends z.ZodRawShape>(
  permission: P,
  about: { object: string; path: `/bulk/${string}`; tag: string; summary: string },
  fields: Fields,
  actOn: ActOn<z.output<z.ZodObject<Fields>>>,
) {
  const { object, path, tag, summary } = about;
  return procedureFor(permission)
    .meta({
      audit: object,
      auditAs: "changes",
      rest: {
        method: "POST",
        path,
        tag,
        summary,
        description: `Responds 200 with the outcome for each: \`problem\` says why something was not done to one of them. The others are done.`,
      },
    })
    .input(z.strictObject({ ...idsIn, ...fields }))
    .output(bulkResultSchema)
    .mutation(({ ctx, input }) => inBulk(ctx, input as never, actOn as ActOn<object>));
}
