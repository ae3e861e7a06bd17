import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { createFolderInput, createQueryInput, updateQueryInput } from "../../queries/schema.ts";
import { createFolder } from "../../queries/service/folders.ts";
import { createQuery, updateQuery } from "../../queries/service/save-query.ts";
import { queryApprovals } from "../../queries/tables.ts";
import { aDataSource } from "./data-sources.ts";
import { asEditor } from "./principals.ts";

type QueryInput = z.input<typeof createQueryInput>;

/**
 * A query created through the service by an Editor: one step with the given SQL (`select 1 as one`) on the given data
 * source, or on a new one that is the test file's own database; or the given steps. The project is the data source's,
 * and must be specified along with steps.
 */
export async function aQuery(
  query: Partial<QueryInput> & { sql?: string; dataSource?: { id: number; projectId: number } } = {},
  by?: SignedIn,
) {
  const { sql = "select 1 as one", dataSource, ...write } = query;
  const project = write.projectId === undefined ? {} : { projectId: write.projectId };
  const source = dataSource ?? (write.steps ? null : await aDataSource(project));
  const projectId = write.projectId ?? source?.projectId;
  const input = createQueryInput.parse({
    name: "Orders",
    ...write,
    projectId,
    steps: write.steps ?? [{ dataSourceId: source?.id, sql }],
  });
  return createQuery(by ?? (await asEditor()), input);
}

/** A folder created through the service by an Editor. */
export async function aFolder(folder: z.input<typeof createFolderInput>, by?: SignedIn) {
  return createFolder(by ?? (await asEditor()), createFolderInput.parse(folder));
}

/** A pending change of a query's only step, made by an Editor with the workflow on. */
export async function aChangeRequest(
  query: { id: number; name: string; steps: readonly { dataSourceId: number | null }[] },
  sql: string,
  by?: SignedIn,
): Promise<{ id: number }> {
  const steps = [{ dataSourceId: query.steps[0]?.dataSourceId, sql }];
  const write = updateQueryInput.parse({ id: query.id, name: query.name, steps });
  await updateQuery(by ?? (await asEditor()), write, { needsApproval: true });
  const [request] = await db
    .select({ id: queryApprovals.id })
    .from(queryApprovals)
    .where(
      and(
        eq(queryApprovals.queryId, query.id),
        eq(queryApprovals.kind, "Change"),
        eq(queryApprovals.status, "Pending"),
      ),
    );
  if (!request) throw new Error("The change does not wait");
  return request;
}
