import { withSubfolders } from "@/server/queries/folder-tree.ts";
import type { Folder } from "@/server/queries/schema.ts";

export const childrenOf = (folders: readonly Folder[], parentId: number | null): Folder[] =>
  folders.filter((folder) => folder.parentId === parentId);

/** The folders in which a folder stands, the outermost first; itself is not among them. */
export function ancestorsOf(folders: readonly Folder[], id: number | null): number[] {
  const parent = folders.find((folder) => folder.id === id)?.parentId ?? null;
  return parent === null ? [] : [...ancestorsOf(folders, parent), parent];
}

/** Where a folder can be moved to: anywhere in its project but into itself and what is in it. */
export function placesFor(folders: readonly Folder[], folder: Folder): Folder[] {
  const own = withSubfolders(folders, folder.id);
  return folders.filter(({ id, projectId }) => projectId === folder.projectId && !own.has(id));
}
