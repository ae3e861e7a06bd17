import { and, asc, eq } from "drizzle-orm";
import { maySeeProject, type Principal, type SignedIn } from "../auth/principal.ts";
import type { Role } from "../auth/schema.ts";
import { removeMember, setMember } from "../auth/service/project-members.ts";
import { listPeopleIn } from "../auth/service/project-roles.ts";
import { inVisibleProject } from "../auth/visibility.ts";
import { db, type Transaction } from "../db/client.ts";
import { compiled } from "../db/compiled.ts";
import { gathered, idsOf, isOneOfIds } from "../db/gathered.ts";
import { nextRevision, rejectStale } from "../edits/service.ts";
import { Problem, violatedConstraint } from "../errors.ts";
import { claimManaged, rejectManaged, releaseManaged } from "../stacks/service.ts";
import { projects } from "./tables.ts";

export type ProjectWrite = { name: string; description?: string | null | undefined };

export async function listProjects({ principal }: SignedIn) {
  return {
    items: await db
      .select()
      .from(projects)
      .where(inVisibleProject(principal, projects.id))
      .orderBy(asc(projects.name), asc(projects.id)),
  };
}

const twoProjects = compiled((db) => db.select({ id: projects.id }).from(projects).limit(2));

const fewProjects = gathered(async (callers: readonly null[]) => {
  const found = await twoProjects().execute();
  return callers.map(() => found);
});

/** The id of the only project that the caller sees; null if they see none or several. */
export async function onlyProjectId({ principal: { projectIds } }: SignedIn): Promise<number | null> {
  // The projects that someone is limited to are known to exist.
  const ids = projectIds ?? (await fewProjects(null)).map(({ id }) => id);
  return ids.length === 1 ? (ids[0] ?? null) : null;
}

const projectsByIds = compiled((db) => db.select().from(projects).where(isOneOfIds(projects.id)));

const projectById = gathered(async (ids: readonly number[]) => {
  const found = new Map((await projectsByIds().execute(idsOf(ids))).map((project) => [project.id, project]));
  return ids.map((id) => found.get(id));
});

/** Throws not_found for an unknown project and for one the caller may not see, alike. */
export async function getProject({ principal }: { principal: Principal }, id: number) {
  const project = maySeeProject(principal, id) ? await projectById(id) : undefined;
  if (!project) throw new Problem("not_found", "Project not found");
  return project;
}

/**
 * Locks a project for operations that must not run concurrently in it; other writes in the project are not blocked.
 * Throws not_found.
 */
export async function lockProject(tx: Transaction, id: number): Promise<void> {
  const isProject = eq(projects.id, id);
  const [project] = await tx.select({ id: projects.id }).from(projects).where(isProject).for("no key update");
  if (!project) throw new Problem("not_found", "Project not found");
}

export async function createProject(write: ProjectWrite, ctx?: SignedIn) {
  return db.transaction(async (tx) => {
    const [project] = await tx.insert(projects).values(write).returning();
    if (!project) throw new Error("The insert returned no project");
    const { id, revision } = project;
    if (ctx) await claimManaged(tx, ctx, { kind: "Project", id, projectId: id, revision });
    return project;
  });
}

/** Throws not_found, and conflict if the caller's revision is no longer current. */
export async function updateProject(
  ctx: SignedIn,
  {
    id,
    baseRevision,
    name,
    description = null,
  }: ProjectWrite & { id: number; baseRevision?: number | undefined },
) {
  await getProject(ctx, id);
  return db.transaction(async (tx) => {
    const [stored] = await tx.select().from(projects).where(eq(projects.id, id)).for("no key update");
    if (!stored) throw new Problem("not_found", "Project not found");
    const edited = { kind: "Project", id, revision: stored.revision } as const;
    await rejectStale(tx, { ...edited, baseRevision });
    const before = { name: stored.name, description: stored.description };
    const after = { name, description };
    const revision = await nextRevision(tx, ctx, { ...edited, before, after });
    await claimManaged(tx, ctx, { kind: "Project", id, projectId: id, revision });
    const [project] = await tx
      .update(projects)
      .set({ ...after, revision })
      .where(eq(projects.id, id))
      .returning();
    if (!project) throw new Error("The update returned no project");
    return project;
  });
}

/** What prevents deleting a project, by the table that references it. */
const held = [
  ["data_sources", "data sources"],
  ["recipients", "recipients, including archived ones"],
  ["query_folders", "query folders"],
  ["queries", "queries, including archived ones"],
  ["subscriptions", "subscriptions, including archived ones"],
] as const;

/** Throws conflict, naming what the project still contains, if it is not empty. */
export async function deleteProject(ctx: SignedIn, id: number): Promise<void> {
  await getProject(ctx, id);
  try {
    await db.transaction(async (tx) => {
      await releaseManaged(tx, ctx, { kind: "Project", id });
      await tx.delete(projects).where(and(eq(projects.id, id)));
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === null) throw error;
    const [, what = "other things"] = held.find(([table]) => constraint.startsWith(`${table}_`)) ?? [];
    throw new Problem("conflict", `The project still contains ${what}`);
  }
}

/** Everyone who sees a project: those with access to all projects, and its members. Throws not_found. */
export async function listProjectMembers(ctx: SignedIn, id: number) {
  await getProject(ctx, id);
  return { items: await listPeopleIn(id) };
}

/** Throws like `setMember`, conflict for a service account that files own, and not_found for an unknown project. */
export async function setProjectMember(
  ctx: SignedIn,
  { id, userId, role }: { id: number; userId: number; role: Role },
) {
  await getProject(ctx, id);
  return db.transaction(async (tx) => {
    const member = await setMember(ctx, { projectId: id, userId, role });
    await rejectManaged(tx, ctx, { kind: "ServiceAccount", id: userId });
    return member;
  });
}

/** Throws like `removeMember`, conflict for a service account that files own, and not_found for an unknown project. */
export async function removeProjectMember(ctx: SignedIn, { id, userId }: { id: number; userId: number }) {
  await getProject(ctx, id);
  return db.transaction(async (tx) => {
    const member = await removeMember({ projectId: id, userId });
    await rejectManaged(tx, ctx, { kind: "ServiceAccount", id: userId });
    return member;
  });
}
