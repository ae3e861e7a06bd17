/** The maximum nesting depth of folders. */
export const maxFolderDepth = 10;

type Folder = { id: number; parentId: number | null; name: string };

/** Every folder with its path, parents before their subfolders; siblings keep their given order. */
export function inTreeOrder<F extends Folder>(folders: readonly F[]): (F & { path: string })[] {
  const childrenOf = Map.groupBy(folders, ({ parentId }) => parentId);
  const below = (parentId: number | null, above: string): (F & { path: string })[] =>
    (childrenOf.get(parentId) ?? []).flatMap((folder) => {
      const path = above + folder.name;
      return [{ ...folder, path }, ...below(folder.id, `${path} / `)];
    });
  return below(null, "");
}

/** The folder and everything below it. */
export function withSubfolders(folders: readonly Folder[], id: number): Set<number> {
  const childrenOf = Map.groupBy(folders, ({ parentId }) => parentId);
  const found = new Set([id]);
  // Iterating a Set includes items added during the loop.
  for (const each of found) for (const child of childrenOf.get(each) ?? []) found.add(child.id);
  return found;
}

/** A folder's depth: 1 at the top level, 0 for the top itself. */
export function depthOf(folders: readonly Folder[], id: number | null): number {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  let depth = 0;
  for (let at = id; at !== null; at = byId.get(at)?.parentId ?? null) depth++;
  return depth;
}

/** The number of levels in a folder, itself included. */
export function heightOf(folders: readonly Folder[], id: number): number {
  const own = depthOf(folders, id);
  return Math.max(...[...withSubfolders(folders, id)].map((each) => depthOf(folders, each) - own + 1));
}
