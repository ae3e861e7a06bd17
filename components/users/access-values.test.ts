import { expect, test } from "vitest";
import { accessValues, accessWrite } from "./access-values.ts";

test("a new user is a Viewer of all projects", () => {
  expect(accessWrite(accessValues())).toEqual({ role: "Viewer", projectRoles: null });
});

test("the limit is always mentioned, and the role is not when there is one", () => {
  const projectRoles = [{ projectId: 3, role: "Editor" as const }];
  const values = accessValues({ role: "Editor", projectRoles });
  expect(accessWrite(values)).toEqual({ projectRoles });
  expect(accessWrite({ ...values, isLimited: false })).toEqual({ role: "Editor", projectRoles: null });
  expect(accessWrite(accessValues({ role: "Viewer", projectRoles: [] }))).toEqual({ projectRoles: [] });
});
