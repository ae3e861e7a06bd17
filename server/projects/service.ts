import { and, asc, eq } from "drizzle-orm";
import { maySeeProject, type Principal, type SignedIn } from "../auth/principal.ts";
import { inVisibleProject } from "../auth/visibility.ts";
import { db, type Transaction } from "../db/client.ts";
import { Problem, violatedConstraint } from "../errors.ts";
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

/** Throws not_found for an unknown project and for one the caller may not see, alike. */
export async function getProject({ principal }: { principal: Principal }, id: number) {
  const [project] = maySeeProject(principal, id)
    ? await db.select().from(projects).where(eq(projects.id, id))
    : [];
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

export async function createProject(write: ProjectWrite) {
  const [project] = await db.insert(projects).values(write).returning();
  if (!project) throw new Error("The insert returned no project");
  return project;
}

export async function updateProject(ctx: SignedIn, { id, name, description }: ProjectWrite & { id: number }) {
  await getProject(ctx, id);
  const [project] = await db
    .update(projects)
    .set({ name, description: description ?? null })
    .where(eq(projects.id, id))
    .returning();
  if (!project) throw new Problem("not_found", "Project not found");
  return project;
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
    await db.delete(projects).where(and(eq(projects.id, id)));
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === null) throw error;
    const [, what = "other things"] = held.find(([table]) => constraint.startsWith(`${table}_`)) ?? [];
    throw new Problem("conflict", `The project still contains ${what}`);
  }
}
