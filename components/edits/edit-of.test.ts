import { expect, test } from "vitest";
import type { Edit } from "@/server/edits/schema.ts";
import { editOf, editorsIn } from "./edit-of.ts";

const edit = (revision: number, name: string, ...paths: string[]): Edit => ({
  revision,
  at: "2025-11-20T10:42:00.000Z",
  by: { kind: "User", id: 1, name },
  changes: paths.map((path) => ({ path, change: "Changed", name: null })),
});

test("finds the last edit of a value, of its parent, or of its parts", () => {
  const edits = [
    edit(2, "Anna", "failureThreshold", "rules.a"),
    edit(3, "Ben", "failureThreshold", "tableName"),
    edit(4, "Clara", "parameters", "rules.ab"),
  ];
  const nameOf = (path: string) => editOf(path, edits)?.by.name;
  expect(nameOf("failureThreshold")).toBe("Ben");
  expect(nameOf("rules.a")).toBe("Anna");
  expect(nameOf("rules.a.weight")).toBe("Anna");
  expect(nameOf("target")).toBe("Ben");
  expect(nameOf("parameters.country")).toBe("Clara");
  expect(nameOf("name")).toBeUndefined();
});

test("names the people who edited", () => {
  expect(editorsIn([])).toBe("Someone else");
  expect(editorsIn([edit(2, "Anna", "name"), edit(3, "Ben"), edit(4, "Anna", "name")])).toBe("Anna");
  expect(editorsIn([edit(2, "Anna", "name"), edit(3, "Ben", "name")])).toBe("Anna and Ben");
  const three = ["Anna", "Ben", "Clara"].map((name, index) => edit(index, name, "name"));
  expect(editorsIn(three)).toBe("Anna and 2 others");
});
