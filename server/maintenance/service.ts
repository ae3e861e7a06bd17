import { and, asc, desc, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../auth/principal.ts";
import { namesOfUsers } from "../auth/service/user-names.ts";
import { inVisibleProject } from "../auth/visibility.ts";
import { isInScope, type TableOfSource } from "../data-sources/scope.ts";
import { listDataSources } from "../data-sources/service/load-data-sources.ts";
import { loadProjectTags, type TagsOf } from "../data-sources/service/table-tags.ts";
import { type Connection, db } from "../db/client.ts";
import { isOneOf } from "../db/gathered.ts";
import { ifGiven } from "../db/listed.ts";
import { nextRevision, rejectStale } from "../edits/service.ts";
import { invalidRequest, Problem } from "../errors.ts";
import { getProject } from "../projects/service.ts";
import { claimManaged, isManagedThing, releaseManaged } from "../stacks/service.ts";
import type { WindowWrite } from "./schema.ts";
import { maintenanceWindows } from "./tables.ts";
import { activeUntil, nextStart } from "./window-times.ts";

const notFound = () => new Problem("not_found", "Maintenance window not found");
const isPresent = isNull(maintenanceWindows.removedAt);

/**
 * Those of the projects that the caller can access, the current and coming ones first; over ones for a month, or as long as
 * a file describes them.
 */
export async function listWindows(ctx: SignedIn, { projectId }: { projectId?: number | undefined } = {}) {
  const recent = or(
    isNotNull(maintenanceWindows.cronExpression),
    gt(maintenanceWindows.endsAt, sql`now() - interval '30 days'`),
    isManagedThing("MaintenanceWindow", maintenanceWindows.id),
  );
  const visible = inVisibleProject(ctx.principal, maintenanceWindows.projectId);
  return { items: await load(ctx, and(recent, visible, ifGiven(projectId, maintenanceWindows.projectId))) };
}

/** Throws not_found if there is no such window, or the caller cannot access its project. */
export async function getWindow(ctx: SignedIn, id: number) {
  const [window] = await load(ctx, eq(maintenanceWindows.id, id));
  if (!window || !maySeeProject(ctx.principal, window.projectId)) throw notFound();
  return window;
}

async function load(ctx: SignedIn, condition: SQL | undefined) {
  const rows = await db
    .select()
    .from(maintenanceWindows)
    .where(and(isPresent, condition))
    .orderBy(
      asc(isNotNull(maintenanceWindows.endsAt)),
      desc(maintenanceWindows.startsAt),
      asc(maintenanceWindows.id),
    );
  const [people, sources] = await Promise.all([
    namesOfUsers(rows.map(({ createdById }) => createdById)),
    rows.length === 0 ? { items: [] } : listDataSources(ctx, {}),
  ]);
  const nameOf = new Map(sources.items.map(({ id, name }) => [id, name]));
  const now = new Date();
  return rows.map((row) => {
    const { createdById, createdAt: _, removedAt: __, endedAt: ___, dataSourceIds, ...rest } = row;
    return {
      ...rest,
      // A data source that was deleted since is left out.
      dataSources:
        dataSourceIds?.flatMap((id) => {
          const name = nameOf.get(id);
          return name === undefined ? [] : [{ id, name }];
        }) ?? null,
      activeUntil: activeUntil(row, now),
      nextStart: nextStart(row, now),
      createdBy: people.get(createdById ?? 0) ?? null,
    };
  });
}

/** Throws not_found for a project that the caller cannot access, and invalid for another project's data source. */
export async function createWindow(
  ctx: SignedIn,
  { projectId, ...write }: WindowWrite & { projectId: number },
) {
  await getProject(ctx, projectId);
  await requireSources(ctx, projectId, write);
  const id = await db.transaction(async (tx) => {
    const [created] = await tx
      .insert(maintenanceWindows)
      .values({ projectId, ...columnsOf(write), createdById: ctx.principal.userId })
      .returning({ id: maintenanceWindows.id });
    if (!created) throw new Error("The insert returned no maintenance window");
    await claimManaged(tx, ctx, { kind: "MaintenanceWindow", id: created.id, projectId, revision: 1 });
    return created.id;
  });
  return getWindow(ctx, id);
}

/**
 * Replaces it. It is then current again if its new times say so. Throws like `createWindow`, and conflict if the
 * caller's revision is no longer current.
 */
export async function updateWindow(
  ctx: SignedIn,
  { id, baseRevision, ...write }: WindowWrite & { id: number; baseRevision?: number | undefined },
) {
  const { projectId } = await getWindow(ctx, id);
  await requireSources(ctx, projectId, write);
  await db.transaction(async (tx) => {
    const which = and(eq(maintenanceWindows.id, id), isPresent);
    const [stored] = await tx.select().from(maintenanceWindows).where(which).for("no key update");
    if (!stored) throw notFound();
    const edited = { kind: "MaintenanceWindow", id, revision: stored.revision } as const;
    await rejectStale(tx, { ...edited, baseRevision });
    const after = columnsOf(write);
    const before = columnsOf(stored);
    const revision = await nextRevision(tx, ctx, { ...edited, before, after });
    await claimManaged(tx, ctx, { kind: "MaintenanceWindow", id, projectId, revision });
    await tx
      .update(maintenanceWindows)
      .set({ ...after, revision, endedAt: null })
      .where(which);
  });
  return getWindow(ctx, id);
}

/** Ends the window that is now; one that repeats comes again. Throws conflict if none is. */
export async function endWindow(ctx: SignedIn, id: number) {
  const window = await getWindow(ctx, id);
  if (window.activeUntil === null) throw new Problem("conflict", "The maintenance window is not current");
  await db
    .update(maintenanceWindows)
    .set({ endedAt: sql`clock_timestamp()` })
    .where(and(eq(maintenanceWindows.id, id), isPresent));
  return getWindow(ctx, id);
}

export async function removeWindow(ctx: SignedIn, id: number) {
  const { name } = await getWindow(ctx, id);
  await db.transaction(async (tx) => {
    await releaseManaged(tx, ctx, { kind: "MaintenanceWindow", id });
    await tx
      .update(maintenanceWindows)
      .set({ removedAt: sql`clock_timestamp()` })
      .where(eq(maintenanceWindows.id, id));
  });
  return { name };
}

const columnsOf = ({ name, timezone, ...write }: WindowWrite) => ({
  ...{ name, timezone },
  reason: write.reason || null,
  dataSourceIds: write.dataSourceIds ? [...new Set(write.dataSourceIds)] : null,
  tags: write.tags ? [...new Set(write.tags)].sort() : null,
  startsAt: write.startsAt ?? null,
  endsAt: write.endsAt ?? null,
  cronExpression: write.cronExpression ?? null,
  durationMinutes: write.durationMinutes ?? null,
});

async function requireSources(
  ctx: SignedIn,
  projectId: number,
  { dataSourceIds }: WindowWrite,
): Promise<void> {
  if (!dataSourceIds) return;
  const message = "is required; leave it out for all data sources";
  if (dataSourceIds.length === 0) throw invalidRequest([{ path: "dataSourceIds", message }]);
  const { items } = await listDataSources(ctx, { projectId });
  const own = new Set(items.map(({ id }) => id));
  const errors = dataSourceIds.flatMap((id, at) =>
    own.has(id) ? [] : [{ path: `dataSourceIds.${at}`, message: "is not a data source of the project" }],
  );
  if (errors.length > 0) throw invalidRequest(errors);
}

/** What is asked about: its data sources, and its tables, which are only looked up where a window has tags. */
type Asked = {
  projectId: number;
  dataSourceIds: readonly number[];
  tables: () => readonly TableOfSource[] | Promise<readonly TableOfSource[]>;
};

/**
 * Until when nobody is notified about something of a project that reads these data sources and tables, because one of
 * them is in maintenance; null if none is. The caller checks access.
 */
export async function maintenanceUntil(
  connection: Connection,
  asked: Asked,
  at: Date = new Date(),
): Promise<Date | null> {
  return (await loadMaintenance(connection, [asked.projectId], at))(asked);
}

/** The same, for whoever asks about many things of these projects. */
export async function loadMaintenance(
  connection: Connection,
  projectIds: readonly number[],
  at: Date,
): Promise<(asked: Asked) => Promise<Date | null>> {
  const rows = await connection
    .select()
    .from(maintenanceWindows)
    .where(
      and(
        isOneOf(maintenanceWindows.projectId, projectIds),
        isPresent,
        or(isNull(maintenanceWindows.endsAt), gt(maintenanceWindows.endsAt, at)),
      ),
    );
  const active = rows.flatMap((window) => {
    const until = activeUntil(window, at);
    return until === null ? [] : [{ ...window, until }];
  });
  const withTags = new Set(active.filter(({ tags }) => tags !== null).map(({ projectId }) => projectId));
  const tagsOf: TagsOf = withTags.size > 0 ? await loadProjectTags(connection, [...withTags]) : () => [];
  return async ({ projectId, dataSourceIds, tables }) => {
    const reads = { dataSourceIds, tables: withTags.has(projectId) ? await tables() : [] };
    return active
      .filter((window) => window.projectId === projectId && isInScope(window, reads, tagsOf))
      .reduce<Date | null>((last, { until }) => (last === null || until > last ? until : last), null);
  };
}
