import { expect, test } from "vitest";
import type { Folder } from "@/server/queries/schema.ts";
import { ancestorsOf, childrenOf, moveTargets } from "./folder-places.ts";

const folder = (id: number, parentId: number | null, projectId = 1): Folder => ({
  id,
  parentId,
  projectId,
  name: `F${id}`,
  path: `F${id}`,
  revision: 1,
});

// 1 > 2 > 3, 1 > 4, and 5 of another project.
const folders = [folder(1, null), folder(2, 1), folder(3, 2), folder(4, 1), folder(5, null, 2)];
const ids = (some: readonly Folder[]) => some.map(({ id }) => id);

test("a folder's ancestors, outermost first", () => {
  expect(ancestorsOf(folders, 3)).toEqual([1, 2]);
  expect(ancestorsOf(folders, 1)).toEqual([]);
  expect(ancestorsOf(folders, 99)).toEqual([]);
  expect(ancestorsOf(folders, null)).toEqual([]);
});

test("the contents of a folder", () => {
  expect(ids(childrenOf(folders, 1))).toEqual([2, 4]);
  expect(ids(childrenOf(folders, null))).toEqual([1, 5]);
});

test("a folder can't move into itself, below itself, or into another project", () => {
  const [, second] = folders;
  if (!second) throw new Error("There is a second folder");
  expect(ids(moveTargets(folders, second))).toEqual([1, 4]);
});
