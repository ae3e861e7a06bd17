import { expect, test } from "vitest";
import { folderItems } from "./folder-items.ts";

const folder = (id: number, path: string, projectId = 1) => ({
  ...{ id, path, projectId, parentId: null, revision: 1 },
  name: path.split(" / ").at(-1) ?? "",
});

test("subfolders follow their parents", () => {
  const folders = [
    folder(1, "Sales-old"),
    folder(2, "Sales"),
    folder(3, "Sales / Integrity"),
    folder(4, "Finance"),
  ];
  expect(folderItems(folders, [{ id: 1, name: "Shop" }])).toEqual([
    {
      items: [
        { value: "4", label: "Finance", depth: 0 },
        { value: "2", label: "Sales", depth: 0 },
        { value: "3", label: "Integrity", depth: 1, hint: "Sales" },
        { value: "1", label: "Sales-old", depth: 0 },
      ],
    },
  ]);
});

test("folders of several projects are told apart", () => {
  const projects = [
    { id: 1, name: "Shop" },
    { id: 2, name: "Warehouse" },
    { id: 3, name: "Without folders" },
  ];
  expect(
    folderItems([folder(1, "Sales"), folder(2, "Sales", 2)], projects).map(({ label, items }) => [
      label,
      items.map(({ value }) => value),
    ]),
  ).toEqual([
    ["Shop", ["1"]],
    ["Warehouse", ["2"]],
  ]);
});
