import { createHash } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { SignedIn } from "../auth/principal.ts";
import type { Limits } from "../data-sources/engines/engine.ts";
import { getDataSource, useSource } from "../data-sources/service.ts";
import { asProblem } from "../data-sources/source-problem.ts";
import { Problem, problemIn, problems } from "../errors.ts";
import { bindParameters } from "./placeholders.ts";
import type { Preview, previewQueryInput } from "./schema.ts";

type PreviewQuery = ReturnType<typeof previewQueryInput.parse>;

const previewLimits: Limits = { timeoutMs: 30_000, maxRows: 1_000, maxBytes: 4 * 1024 * 1024 };

/**
 * Runs one SQL text that reads, which is stored nowhere. Throws not_found for a data source out of sight, invalid
 * for parameters that do not fit the text, rejected for what the gate or the engine refuses, source_unreachable
 * and source_timeout. Whatever reached the gate is in the audit log: when it succeeds the call itself, and
 * otherwise from here.
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
    try {
      return await source.session(async (session) => {
        const startedAt = performance.now();
        const { columns, rows, truncated } = await session.read(statement, limits);
        const executionTimeMs = Math.round(performance.now() - startedAt);
        return { columns, rows, rowCount: rows.length, truncated, executionTimeMs };
      });
    } catch (error) {
      const problem = problemIn(asProblem(error));
      if (!problem) throw error;
      await ctx.record?.({
        action: "queries.preview",
        objectKind: "dataSource",
        objectId: dataSourceId,
        // The engine's own message may repeat values.
        detail: `${problems[problem.code].title}; ${textDetail(sql)}`,
      });
      throw problem;
    }
  });
}

/** What the audit log says of a preview: which text, by its hash, since the text may hold people's data. */
export const previewDetail = ({ rowCount }: Preview, { sql }: { sql: string }): string =>
  `${rowCount} ${rowCount === 1 ? "row" : "rows"}; ${textDetail(sql)}`;

function textDetail(sql: string): string {
  const hash = createHash("sha256").update(sql).digest("hex").slice(0, 16);
  return `SQL of ${sql.length} characters, SHA-256 ${hash}…`;
}
