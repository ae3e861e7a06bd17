import { and, asc, count, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { nextRevision, rejectStale } from "../../edits/service.ts";
import { Problem, violatedConstraint } from "../../errors.ts";
import { lockProject } from "../../projects/service.ts";
import { plural } from "../../text.ts";
import { depthOf, heightOf, inTreeOrder, maxFolderDepth, withSubfolders } from "../folder-tree.ts";
import type { createFolderInput, Folder, updateFolderInput } from "../schema.ts";
import { queries, queryFolders } from "../tables.ts";

type Create = ReturnType<typeof createFolderInput.parse>;
type Update = ReturnType<typeof updateFolderInput.parse>;

const shown = {
  id: queryFolders.id,
  projectId: queryFolders.projectId,
  parentId: queryFolders.parentId,
  name: queryFolders.name,
  revision: queryFolders.revision,
};

const notFound = () => new Problem("not_found", "Folder not found");

/** The folders visible to the caller, parents first, otherwise by name. */
export async function listFolders(
  { principal }: SignedIn,
  { projectId }: { projectId?: number | undefined } = {},
): Promise<{ items: Folder[] }> {
  const folders = await db
    .select(shown)
    .from(queryFolders)
    .where(
      and(
        inVisibleProject(principal, queryFolders.projectId),
        projectId === undefined ? undefined : eq(queryFolders.projectId, projectId),
      ),
    )
    .orderBy(asc(queryFolders.name), asc(queryFolders.id));
  return { items: inTreeOrder(folders) };
}

/**
 * Throws not_found for a project or parent that the caller cannot access, invalid for a parent of another project,
 * conflict for a name that is taken there, and rejected for one nested too deep.
 */
export async function createFolder(ctx: SignedIn, { projectId, parentId, name }: Create): Promise<Folder> {
  if (!maySeeProject(ctx.principal, projectId)) throw new Problem("not_found", "Project not found");
  return writeFolder(projectId, async (tx, folders) => {
    await requireParent(tx, ctx, folders, parentId ?? null);
    rejectTooDeep(depthOf(folders, parentId ?? null) + 1);
    const [created] = await tx
      .insert(queryFolders)
      .values({ projectId, parentId: parentId ?? null, name })
      .returning({ id: queryFolders.id });
    if (!created) throw new Error("The insert returned no folder");
    return created.id;
  });
}

/** Renames or moves a folder with its contents. Throws like `createFolder`, and rejected for a move into itself. */
export async function updateFolder(
  ctx: SignedIn,
  { id, projectId: claimed, parentId = null, name, baseRevision }: Update,
): Promise<Folder> {
  const { projectId } = await getFolder(db, ctx, id);
  if (claimed !== undefined && claimed !== projectId)
    throw invalid("projectId", "cannot change: a folder stays in its project");
  return writeFolder(projectId, async (tx, folders) => {
    const stored = folders.find((folder) => folder.id === id);
    if (!stored) throw notFound();
    const edited = { kind: "Folder", id, revision: stored.revision } as const;
    await rejectStale(tx, { ...edited, baseRevision });
    await requireParent(tx, ctx, folders, parentId);
    if (parentId !== null && withSubfolders(folders, id).has(parentId))
      throw new Problem("rejected", "A folder cannot be moved into itself or its subfolders");
    rejectTooDeep(depthOf(folders, parentId) + heightOf(folders, id));
    const before = { name: stored.name, parentId: stored.parentId };
    const revision = await nextRevision(tx, ctx, { ...edited, before, after: { name, parentId } });
    await tx.update(queryFolders).set({ parentId, name, revision }).where(eq(queryFolders.id, id));
    return id;
  });
}

/**
 * Throws conflict, naming the contents, unless the folder is empty. Archived queries move out: if restored, they are at
 * the top level of their project.
 */
export async function deleteFolder(ctx: SignedIn, id: number): Promise<void> {
  const { projectId } = await getFolder(db, ctx, id);
  const remove = async (tx: Transaction) => {
    await lockProject(tx, projectId);
    // From here on, nobody can add a query to it: that needs a lock on this row.
    const [folder] = await tx.select(shown).from(queryFolders).where(eq(queryFolders.id, id)).for("update");
    if (!folder) throw notFound();
    const [subfolders] = await tx
      .select({ count: count() })
      .from(queryFolders)
      .where(eq(queryFolders.parentId, id));
    const [held] = await tx
      .select({ count: count() })
      .from(queries)
      .where(and(eq(queries.folderId, id), isNull(queries.archivedAt)));
    const what = [
      unlessNone(subfolders?.count ?? 0, "folder", "folders"),
      unlessNone(held?.count ?? 0, "query", "queries"),
    ].filter((words) => words !== null);
    if (what.length > 0) throw new Problem("conflict", `The folder still contains ${what.join(" and ")}`);
    await tx
      .update(queries)
      .set({ folderId: null })
      .where(and(eq(queries.folderId, id), isNotNull(queries.archivedAt)));
    await tx.delete(queryFolders).where(eq(queryFolders.id, id));
  };
  try {
    await db.transaction(remove);
  } catch (error) {
    // An archived query was restored into it just now.
    if (violatedConstraint(error)?.startsWith("queries_"))
      throw new Problem("conflict", "The folder still contains 1 query");
    throw error;
  }
}

/**
 * Checks a folder for a query of this project; inside a transaction, the folder cannot be deleted before that ends.
 * Throws not_found for one that the caller cannot access, and invalid for one of another project.
 */
export async function requireFolder(connection: Connection, ctx: SignedIn, id: number, projectId: number) {
  const held = connection.select(shown).from(queryFolders).where(eq(queryFolders.id, id)).for("key share");
  const folder = visible(ctx, await held);
  if (folder.projectId !== projectId) throw invalid("folderId", "belongs to another project");
}

/** The paths of all folders of these projects, by folder id. */
export async function folderPaths(projectIds: readonly number[]): Promise<Map<number, string>> {
  const folders = await db
    .select(shown)
    .from(queryFolders)
    .where(inArray(queryFolders.projectId, [...new Set(projectIds)]));
  return new Map(inTreeOrder(folders).map(({ id, path }) => [id, path]));
}

/** The ids of a folder and all below it; none if the caller cannot access it. */
export async function foldersBelow(ctx: SignedIn, id: number): Promise<number[]> {
  const { items } = await listFolders(ctx);
  return items.some((folder) => folder.id === id) ? [...withSubfolders(items, id)] : [];
}

/** Takes no lock: a caller that goes on to lock the project must not hold one of its folders, or it could deadlock. */
async function getFolder(connection: Connection, ctx: SignedIn, id: number) {
  return visible(ctx, await connection.select(shown).from(queryFolders).where(eq(queryFolders.id, id)));
}

function visible({ principal }: SignedIn, [folder]: Stored[]): Stored {
  if (!folder || !maySeeProject(principal, folder.projectId)) throw notFound();
  return folder;
}

type Stored = Omit<Folder, "path">;

/** Changes to a project's folders run one at a time, so that two of them cannot form a cycle. */
async function writeFolder(
  projectId: number,
  write: (tx: Transaction, folders: Stored[]) => Promise<number>,
): Promise<Folder> {
  const ofProject = eq(queryFolders.projectId, projectId);
  try {
    return await db.transaction(async (tx) => {
      await lockProject(tx, projectId);
      const id = await write(tx, await tx.select(shown).from(queryFolders).where(ofProject));
      const folders = await tx.select(shown).from(queryFolders).where(ofProject);
      const written = inTreeOrder(folders).find((folder) => folder.id === id);
      if (!written) throw new Error("The folder that was written is not in the tree");
      return written;
    });
  } catch (error) {
    if (violatedConstraint(error) === "query_folders_name_idx")
      throw new Problem("conflict", "A folder with this name already exists here");
    throw error;
  }
}

async function requireParent(
  tx: Transaction,
  ctx: SignedIn,
  folders: readonly Stored[],
  parentId: number | null,
) {
  if (parentId === null || folders.some(({ id }) => id === parentId)) return;
  await getFolder(tx, ctx, parentId);
  throw invalid("parentId", "belongs to another project");
}

function rejectTooDeep(depth: number): void {
  if (depth > maxFolderDepth) throw new Problem("rejected", `Folders nest up to ${maxFolderDepth} levels`);
}

const unlessNone = (number: number, one: string, several: string) =>
  number === 0 ? null : plural(number, one, several);

const invalid = (path: string, message: string) =>
  new Problem("invalid", `${path} ${message}`, { errors: [{ path, message }] });
