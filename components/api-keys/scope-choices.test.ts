import { expect, test } from "vitest";
import { scopeChoices } from "./scope-choices.ts";

test("scopes beyond the role are not offered", () => {
  const offered = (role: "Viewer" | "Editor" | "Admin") => scopeChoices(role).map(({ value }) => value);
  expect(offered("Viewer")).toEqual(["Read"]);
  expect(offered("Editor")).toEqual(["Read", "Execute"]);
  expect(offered("Admin")).toEqual(["Read", "Execute", "Admin"]);
});
