import { and, asc, count, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { inVisibleProject } from "../../auth/visibility.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { Problem, violatedConstraint } from "../../errors.ts";
import { lockProject } from "../../projects/service.ts";
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
};

const notFound = () => new Problem("not_found", "Folder not found");

/** The folders that the caller may see, each before what is in it, and otherwise by name. */
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
 * Throws not_found for a project or parent that the caller may not see, invalid for a parent of another project,
 * conflict for a name that is taken at that place, and rejected for one too deep.
 */
export async function createFolder(ctx: SignedIn, { projectId, parentId, name }: Create): Promise<Folder> {
  if (!maySeeProject(ctx.principal, projectId)) throw new Problem("not_found", "Project not found");
  return writeFolder(projectId, async (tx, folders) => {
    await requireParent(tx, ctx, folders, parentId ?? null);
    refuseTooDeep(depthOf(folders, parentId ?? null) + 1);
    const [created] = await tx
      .insert(queryFolders)
      .values({ projectId, parentId: parentId ?? null, name })
      .returning({ id: queryFolders.id });
    if (!created) throw new Error("The insert returned no folder");
    return created.id;
  });
}

/** Renames and moves a folder with all that is in it. Throws like `createFolder`, and rejected for one into itself. */
export async function updateFolder(
  ctx: SignedIn,
  { id, projectId: claimed, parentId = null, name }: Update,
): Promise<Folder> {
  const { projectId } = await getFolder(db, ctx, id);
  if (claimed !== undefined && claimed !== projectId)
    throw invalid("projectId", "is not the folder's own: a folder stays in its project");
  return writeFolder(projectId, async (tx, folders) => {
    if (!folders.some((folder) => folder.id === id)) throw notFound();
    await requireParent(tx, ctx, folders, parentId);
    if (parentId !== null && withSubfolders(folders, id).has(parentId))
      throw new Problem("rejected", "A folder cannot be moved into itself or into a folder below it");
    refuseTooDeep(depthOf(folders, parentId) + heightOf(folders, id));
    await tx.update(queryFolders).set({ parentId, name }).where(eq(queryFolders.id, id));
    return id;
  });
}

/**
 * Throws conflict, saying what, while the folder holds folders or queries. Archived queries leave it: should they
 * come back, they stand at the top of their project.
 */
export async function deleteFolder(ctx: SignedIn, id: number): Promise<void> {
  const { projectId } = await getFolder(db, ctx, id);
  const remove = async (tx: Transaction) => {
    await lockProject(tx, projectId);
    // Nobody can put a query into it any more: that would need a lock on this row.
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
      counted(subfolders?.count ?? 0, "folder", "folders"),
      counted(held?.count ?? 0, "query", "queries"),
    ].filter((words) => words !== null);
    if (what.length > 0) throw new Problem("conflict", `The folder still holds ${what.join(" and ")}`);
    await tx
      .update(queries)
      .set({ folderId: null })
      .where(and(eq(queries.folderId, id), isNotNull(queries.archivedAt)));
    await tx.delete(queryFolders).where(eq(queryFolders.id, id));
  };
  try {
    await db.transaction(remove);
  } catch (error) {
    // An archived query has come back into it in this moment.
    if (violatedConstraint(error)?.startsWith("queries_"))
      throw new Problem("conflict", "The folder still holds 1 query");
    throw error;
  }
}

/**
 * A folder for a query of this project; inside a transaction it cannot be deleted before that ends. Throws not_found
 * for one that the caller may not see, and invalid for one of another project.
 */
export async function requireFolder(connection: Connection, ctx: SignedIn, id: number, projectId: number) {
  const held = connection.select(shown).from(queryFolders).where(eq(queryFolders.id, id)).for("key share");
  const folder = visible(ctx, await held);
  if (folder.projectId !== projectId) throw invalid("folderId", "belongs to another project");
}

/** The paths of all folders of these projects, by folder. */
export async function folderPaths(projectIds: readonly number[]): Promise<Map<number, string>> {
  const folders = await db
    .select(shown)
    .from(queryFolders)
    .where(inArray(queryFolders.projectId, [...new Set(projectIds)]));
  return new Map(inTreeOrder(folders).map(({ id, path }) => [id, path]));
}

/** A folder and all below it, by id; none where the caller may not see it. */
export async function foldersBelow(ctx: SignedIn, id: number): Promise<number[]> {
  const { items } = await listFolders(ctx);
  return items.some((folder) => folder.id === id) ? [...withSubfolders(items, id)] : [];
}

/** Holds nothing: whoever goes on to lock the project must not hold a folder of it that others wait for. */
async function getFolder(connection: Connection, ctx: SignedIn, id: number) {
  return visible(ctx, await connection.select(shown).from(queryFolders).where(eq(queryFolders.id, id)));
}

function visible({ principal }: SignedIn, [folder]: Stored[]): Stored {
  if (!folder || !maySeeProject(principal, folder.projectId)) throw notFound();
  return folder;
}

type Stored = Omit<Folder, "path">;

/** Changes of one project's folders happen one after the other, so that no two together make a cycle. */
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
      throw new Problem("conflict", "There is a folder of this name at this place already");
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

function refuseTooDeep(depth: number): void {
  if (depth > maxFolderDepth)
    throw new Problem("rejected", `Folders stand in one another at most ${maxFolderDepth} deep`);
}

const counted = (number: number, one: string, several: string) =>
  number === 0 ? null : `${number} ${number === 1 ? one : several}`;

const invalid = (path: string, message: string) =>
  new Problem("invalid", `${path} ${message}`, { errors: [{ path, message }] });
