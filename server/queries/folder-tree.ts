/** So many folders stand in one another at most. */
export const maxFolderDepth = 10;

type Folder = { id: number; parentId: number | null; name: string };

/**
 * Every folder with its path, each before the folders in it, and those of one place in the order in which they
 * were given.
 */
export function inTreeOrder<F extends Folder>(folders: readonly F[]): (F & { path: string })[] {
  const childrenOf = Map.groupBy(folders, ({ parentId }) => parentId);
  const below = (parentId: number | null, above: string): (F & { path: string })[] =>
    (childrenOf.get(parentId) ?? []).flatMap((folder) => {
      const path = above + folder.name;
      return [{ ...folder, path }, ...below(folder.id, `${path} / `)];
    });
  return below(null, "");
}

/** The folder and all that are below it. */
export function withSubfolders(folders: readonly Folder[], id: number): Set<number> {
  const childrenOf = Map.groupBy(folders, ({ parentId }) => parentId);
  const found = new Set([id]);
  // What is added while the set is walked is walked as well.
  for (const each of found) for (const child of childrenOf.get(each) ?? []) found.add(child.id);
  return found;
}

/** How deep a folder stands: 1 at the top, and 0 for the top itself. */
export function depthOf(folders: readonly Folder[], id: number | null): number {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  let depth = 0;
  for (let at = id; at !== null; at = byId.get(at)?.parentId ?? null) depth++;
  return depth;
}

/** How many levels a folder has, itself included. */
export function heightOf(folders: readonly Folder[], id: number): number {
  const own = depthOf(folders, id);
  return Math.max(...[...withSubfolders(folders, id)].map((each) => depthOf(folders, each) - own + 1));
}
