import type { ComboboxGroup } from "@/components/ui/matching.ts";
import type { Folder } from "@/server/queries/schema.ts";

/** As many as a folder's path has names above it. */
export const depthOf = ({ path }: Pick<Folder, "path">): number => path.split(" / ").length - 1;

type Item = ComboboxGroup["items"][number] & { depth: number };

/**
 * Folders in the order of their tree, each below the one it stands in; by project where there are several. A folder's
 * path above it is its hint, by which it is found, too.
 */
export function folderItems(
  folders: readonly Folder[],
  projects: readonly { id: number; name: string }[],
): { label?: string; items: Item[] }[] {
  const inTree = folders
    .toSorted((a, b) => compare(a.path.split(" / "), b.path.split(" / ")))
    .map((folder) => ({
      projectId: folder.projectId,
      item: {
        value: String(folder.id),
        label: folder.name,
        depth: depthOf(folder),
        ...(depthOf(folder) > 0 && { hint: folder.path.split(" / ").slice(0, -1).join(" / ") }),
      },
    }));
  const own = projects.filter(({ id }) => folders.some(({ projectId }) => projectId === id));
  if (own.length < 2) return [{ items: inTree.map(({ item }) => item) }];
  return own.map(({ id, name }) => ({
    label: name,
    items: inTree.filter(({ projectId }) => projectId === id).map(({ item }) => item),
  }));
}

/** Name by name, so that nothing comes between a folder and what is in it. */
function compare(a: readonly string[], b: readonly string[]): number {
  for (let place = 0; place < Math.min(a.length, b.length); place++) {
    const order = (a[place] ?? "").localeCompare(b[place] ?? "");
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
