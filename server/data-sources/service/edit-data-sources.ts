import { isDeepStrictEqual } from "node:util";
import { and, eq } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { recorded } from "../../auth/recorded.ts";
import { afterCommit } from "../../db/ambient.ts";
import { db } from "../../db/client.ts";
import { encrypt } from "../../db/encryption.ts";
import { nextRevision, rejectStale } from "../../edits/service.ts";
import { invalidRequest, Problem, violatedConstraint } from "../../errors.ts";
import { claimManaged, forgetAllManaged, rejectManaged, releaseManaged } from "../../stacks/service.ts";
import { splitSecret, withSecret } from "../connection-secret.ts";
import { hasOptionsOf } from "../connections/connection.ts";
import { removeCached } from "../engines/objects/object-cache.ts";
import { costUnitOf, isDatabaseKind, isServer } from "../kinds.ts";
import { passwordProblem } from "../password-over-tls.ts";
import {
  type createDataSourceInput,
  onlyDatabases,
  onlyWithCosts,
  type updateDataSourceInput,
} from "../schema.ts";
import { shownReferences } from "../secret-reference.ts";
import { dataSourceSchemas, dataSources } from "../tables.ts";
import { rejectOtherFolder } from "./allowed-folders.ts";
import { rejectUnreadableCertificate } from "./ca-certificates.ts";
import { forgetSource, secretOf } from "./connected-sources.ts";
import { getDataSource, getStored } from "./load-data-sources.ts";
import { rejectOtherIdentity } from "./managed-identities.ts";
import { rejectOtherReferences } from "./read-secrets.ts";
import { saveScanSchedule } from "./scan-schedules.ts";
import { idsOfTags } from "./table-tags.ts";
import { completed, factsOf, mayWrite } from "./test-connection.ts";

type Create = ReturnType<typeof createDataSourceInput.parse>;
type Update = ReturnType<typeof updateDataSourceInput.parse>;

const sealed = (id: number, secret: string) => (secret === "" ? null : encrypt(secret, secretOf(id)));

/** An unreachable data source is stored anyway; whether its login can write is then unknown. */
export async function createDataSource(
  ctx: SignedIn,
  { connection: given, allowedFunctions = [], scanSchedule, dailyBudget = null, ...fields }: Create,
) {
  if (!maySeeProject(ctx.principal, fields.projectId)) throw new Problem("not_found", "Project not found");
  await rejectOtherFolder(given);
  rejectUnreadableCertificate(given);
  rejectOtherReferences(given, fields.projectId);
  rejectOtherIdentity(given, fields.projectId);
  const { connection, secret = "" } = splitSecret(given, factsOf(fields.kind));
  const canWrite = await mayWrite(fields.kind, withSecret(connection, secret), fields.projectId);
  try {
    return await recorded(ctx, async () => {
      const [row] = await db
        .insert(dataSources)
        .values({
          ...{ ...fields, allowedFunctions, dailyBudget, connection, canWrite },
          secretReferences: shownReferences(given),
        })
        .returning({ id: dataSources.id });
      if (!row) throw new Error("The insert returned no data source");
      // The secret is bound to the row's id, which the database has just assigned.
      await db
        .update(dataSources)
        .set({ secret: sealed(row.id, secret) })
        .where(eq(dataSources.id, row.id));
      await db.transaction((tx) =>
        claimManaged(tx, ctx, { kind: "DataSource", id: row.id, projectId: fields.projectId, revision: 1 }),
      );
      await saveScanSchedule(row.id, scanSchedule);
      return getDataSource(ctx, row.id);
    });
  } catch (error) {
    if (violatedConstraint(error)?.includes("project_id"))
      throw new Problem("not_found", "Project not found");
    throw error;
  }
}

/**
 * An omitted secret stays the same, except for another host or login, or weaker protection in transit. Throws conflict if
 * the caller's revision is no longer current.
 */
export async function updateDataSource(
  ctx: SignedIn,
  { id, baseRevision, name, connection: given, allowedFunctions, scanSchedule, dailyBudget }: Update,
) {
  const stored = await getStored(ctx, id);
  const edited = { kind: "DataSource", id, revision: stored.revision } as const;
  await db.transaction((tx) => rejectStale(tx, { ...edited, baseRevision }));
  await rejectManaged(db, ctx, { kind: "DataSource", id });
  if (scanSchedule && !isDatabaseKind(stored.kind))
    throw invalidRequest([{ path: "scanSchedule", message: onlyDatabases }]);
  if (dailyBudget && costUnitOf(stored.kind) === null)
    throw invalidRequest([{ path: "dailyBudget", message: onlyWithCosts }]);
  if (!hasOptionsOf(stored.kind, given))
    throw invalidRequest([{ path: "connection.sqlServer", message: "is only for SQL Server" }]);
  const problem = isServer(given) ? passwordProblem(stored.kind, given) : null;
  if (problem) throw invalidRequest([{ path: "connection.password", message: problem }]);
  await rejectOtherFolder(given);
  rejectUnreadableCertificate(given);
  rejectOtherReferences(given, stored.projectId);
  rejectOtherIdentity(given, stored.projectId);
  const { connection, secret } = splitSecret(given, factsOf(stored.kind));
  const complete = completed(stored, { connection, secret });
  const isSameConnection = isDeepStrictEqual(stored.connection, connection);
  const isUntouched = isSameConnection && secret === undefined;
  const canWrite = isUntouched ? stored.canWrite : await mayWrite(stored.kind, complete, stored.projectId);
  const schedule = await getDataSource(ctx, id).then((source) => scheduleOf(source.scanSchedule));
  const before = {
    ...{ name: stored.name, connection: stored.connection, allowedFunctions: stored.allowedFunctions },
    scanSchedule: schedule,
    dailyBudget: stored.dailyBudget,
    secret: null,
  };
  const after = {
    ...{ name, connection, allowedFunctions: allowedFunctions ?? stored.allowedFunctions },
    scanSchedule: scanSchedule === undefined ? schedule : scheduleOf(scanSchedule),
    dailyBudget: dailyBudget === undefined ? stored.dailyBudget : dailyBudget,
    // Only that it was set: what it is stays out of the record.
    secret: secret === undefined ? null : "set",
  };
  return recorded(ctx, async () => {
    await db.transaction(async (tx) => {
      const [updated] = await tx
        .update(dataSources)
        .set({
          ...{ name, connection, canWrite, revision: stored.revision + 1 },
          ...(allowedFunctions && { allowedFunctions }),
          ...(dailyBudget !== undefined && { dailyBudget }),
          ...(secret !== undefined && {
            ...{ secret: sealed(id, secret), secretReferences: shownReferences(given) },
          }),
        })
        // The decision above applies to the row as read: its secret must not be sent to another host.
        .where(and(eq(dataSources.id, id), eq(dataSources.updatedAt, stored.updatedAt)))
        .returning({ id: dataSources.id });
      if (!updated) throw new Problem("conflict", "The data source was changed or deleted in the meantime");
      const revision = await nextRevision(tx, ctx, { ...edited, before, after });
      await claimManaged(tx, ctx, { kind: "DataSource", id, projectId: stored.projectId, revision });
    });
    await saveScanSchedule(id, scanSchedule);
    if (!isSameConnection) await db.delete(dataSourceSchemas).where(eq(dataSourceSchemas.dataSourceId, id));
    afterCommit(() => forgetSource(id));
    return getDataSource(ctx, id);
  });
}

const scheduleOf = (schedule: { cronExpression: string; timezone: string } | null) =>
  schedule && { cronExpression: schedule.cronExpression, timezone: schedule.timezone };

/** What prevents deleting a data source, by the table that references it. */
const usersOf: readonly [RegExp, string][] = [
  [/^(contracts|table_scores)_/, "data contracts, including archived ones"],
  [/^rules_/, "rules that compare a table with one of its tables, also of archived data contracts"],
  [/^actors_/, "AI actors, including archived ones"],
  [/^query_steps_/, "queries, including archived ones and old versions"],
];

/** Throws conflict, saying what uses the data source, if anything does. */
export async function deleteDataSource(ctx: SignedIn, id: number): Promise<void> {
  await getDataSource(ctx, id);
  try {
    await db.transaction(async (tx) => {
      await releaseManaged(tx, ctx, { kind: "DataSource", id });
      await forgetAllManaged(tx, "TableTags", await idsOfTags(tx, id));
      await tx.delete(dataSources).where(eq(dataSources.id, id));
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === null) throw error;
    const users = usersOf.find(([tables]) => tables.test(constraint))?.[1] ?? "other things";
    throw new Problem("conflict", `The data source is still used by ${users}`);
  }
  afterCommit(() => {
    forgetSource(id);
    removeCached(id);
  });
}
