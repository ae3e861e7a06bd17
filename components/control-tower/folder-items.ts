import type { ComboboxGroup } from "@/components/ui/matching.ts";
import type { Folder } from "@/server/queries/schema.ts";

/** The number of ancestors in a folder's path. */
export const depthOf = ({ path }: Pick<Folder, "path">): number => path.split(" / ").length - 1;

type Item = ComboboxGroup["items"][number] & { depth: number };

/**
 * Folders in tree order, grouped by project if there are several. A folder's ancestors are its hint, which is
 * searched too.
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

/** Compares name by name, so that a folder's contents directly follow it. */
function compare(a: readonly string[], b: readonly string[]): number {
  for (let place = 0; place < Math.min(a.length, b.length); place++) {
    const order = (a[place] ?? "").localeCompare(b[place] ?? "");
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
