import { callTRPCProcedure } from "@trpc/server";
import { appRouter, procedures } from "../app-router.ts";
import type { Context } from "../auth/principal.ts";

/** Calls a procedure by its path in the router, with all that surrounds it: for doors that know it by its name alone. */
export async function callProcedure(ctx: Context, path: string, input: unknown): Promise<unknown> {
  const type = procedures[path]?._def.type;
  if (!type) throw new Error(`There is no procedure ${path}`);
  return callTRPCProcedure({
    ...{ router: appRouter, path, type, ctx, getRawInput: async () => input },
    ...{ signal: undefined, batchIndex: 0 },
  });
}
