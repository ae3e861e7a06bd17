import { expect, test } from "vitest";
import { depthOf, heightOf, inTreeOrder, withSubfolders } from "./folder-tree.ts";

const folders = [
  { id: 3, parentId: 1, name: "Delays" },
  { id: 1, parentId: null, name: "Flights" },
  { id: 2, parentId: null, name: "Airports" },
  { id: 4, parentId: 3, name: "By carrier" },
  { id: 5, parentId: 1, name: "Fares" },
];

test("each folder has its path and precedes its subfolders", () => {
  expect(inTreeOrder(folders).map(({ id, path }) => [id, path])).toEqual([
    [1, "Flights"],
    [3, "Flights / Delays"],
    [4, "Flights / Delays / By carrier"],
    [5, "Flights / Fares"],
    [2, "Airports"],
  ]);
});

test("a subtree is the folder itself and everything below it", () => {
  expect([...withSubfolders(folders, 1)].sort()).toEqual([1, 3, 4, 5]);
  expect([...withSubfolders(folders, 4)]).toEqual([4]);
});

test("depth counts from the top, height from the folder down", () => {
  expect([null, 1, 3, 4].map((id) => depthOf(folders, id))).toEqual([0, 1, 2, 3]);
  expect([1, 3, 4, 2].map((id) => heightOf(folders, id))).toEqual([3, 2, 1, 1]);
});
