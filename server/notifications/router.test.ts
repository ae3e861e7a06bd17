import { beforeAll, expect, test } from "vitest";
import { aProject } from "../test/factories/data-sources.ts";
import { aSession } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";

let editor: string;
let viewer: string;

beforeAll(async () => {
  [editor, viewer] = await Promise.all([aSession("Editor"), aSession("Viewer")]);
});

test("an Editor manages recipients, a Viewer reads them; a signing secret is returned once", async () => {
  const project = await aProject();
  const fields = { name: "Hook", type: "Webhook", destination: "https://hooks.example.com/1" };
  const created = await rest("POST", "/recipients", {
    cookie: editor,
    json: { ...fields, projectId: project.id },
  });
  expect(created.status).toBe(201);
  const { signingSecret, ...shown } = created.body;
  expect(signingSecret).toMatch(/^whsec_/);
  expect(shown).toEqual({
    ...fields,
    destination: "hooks.example.com/…om/1",
    id: expect.any(Number),
    projectId: project.id,
    enabled: true,
    decisions: false,
    revision: 1,
  });

  const path = `/recipients/${shown.id}`;
  const list = () => rest("GET", `/recipients?projectId=${project.id}`, { cookie: viewer });
  expect((await list()).body).toEqual({ items: [shown] });
  const changed = await rest("PUT", path, { cookie: editor, json: { ...fields, enabled: false } });
  expect(changed.body).toEqual({ ...shown, enabled: false, revision: 2 });

  for (const method of ["PUT", "DELETE"] as const)
    expect((await rest(method, path, { cookie: viewer, json: fields })).status).toBe(403);
  expect((await rest("POST", "/recipients", { cookie: viewer, json: fields })).status).toBe(403);

  expect((await rest("DELETE", path, { cookie: editor })).status).toBe(204);
  expect((await list()).body).toEqual({ items: [] });
  expect((await rest("DELETE", path, { cookie: editor })).status).toBe(404);
});
