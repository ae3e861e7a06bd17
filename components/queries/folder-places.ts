import { withSubfolders } from "@/server/queries/folder-tree.ts";
import type { Folder } from "@/server/queries/schema.ts";

export const childrenOf = (folders: readonly Folder[], parentId: number | null): Folder[] =>
  folders.filter((folder) => folder.parentId === parentId);

/** The folder's ancestors, outermost first, without the folder itself. */
export function ancestorsOf(folders: readonly Folder[], id: number | null): number[] {
  const parent = folders.find((folder) => folder.id === id)?.parentId ?? null;
  return parent === null ? [] : [...ancestorsOf(folders, parent), parent];
}

/** Where a folder can move: anywhere in its project except into itself or its descendants. */
export function moveTargets(folders: readonly Folder[], folder: Folder): Folder[] {
  const own = withSubfolders(folders, folder.id);
  return folders.filter(({ id, projectId }) => projectId === folder.projectId && !own.has(id));
}
