import { beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { asAdmin, asEditor, asViewer } from "../test/factories/principals.ts";
import { saveViewInput } from "./schema.ts";
import { deleteView, listViews, saveView } from "./service.ts";

let ada: SignedIn;
let ben: SignedIn;

beforeAll(async () => {
  ada = await asEditor();
  ben = await asViewer();
});

const save = (by: SignedIn, view: object) =>
  saveView(by, saveViewInput.parse({ page: "tasks", filters: "status=Open", ...view }));
const namesFor = async (ctx: SignedIn) =>
  (await listViews(ctx, { page: "tasks" })).items.map(({ name }) => name);

test("everyone has their own views and the shared ones, of one page", async () => {
  await save(ada, { name: "Mine" });
  await save(ada, { name: "ours", isShared: true });
  await save(ada, { name: "Other page", page: "contracts", isShared: true });
  await save(ben, { name: "Mine" });
  expect(await namesFor(ada)).toEqual(["Mine", "ours"]);
  expect(await namesFor(ben)).toEqual(["Mine", "ours"]);
  const [, ours] = (await listViews(ben, { page: "tasks" })).items;
  expect(ours).toMatchObject({ isMine: false, owner: { id: ada.principal.userId } });
});

test("someone limited to projects has only their own, shares none, and deletes nobody else's", async () => {
  const limited = await asAdmin({ projectIds: [1] });
  const shared = await save(ada, { name: "For everyone", isShared: true });
  await save(limited, { name: "Own" });
  expect(await namesFor(limited)).toEqual(["Own"]);
  await expect(save(limited, { name: "Shared", isShared: true })).rejects.toMatchObject({
    code: "forbidden",
  });
  await expect(deleteView(limited, shared.id)).rejects.toMatchObject({ code: "not_found" });
  await deleteView(ada, shared.id);
});

test("saving under a name that one has replaces it", async () => {
  const first = await save(ada, { name: "Late" });
  const second = await save(ada, { name: "Late", filters: "status=all&q=late" });
  expect(second).toMatchObject({ id: first.id, name: "Late", filters: "status=all&q=late" });
});

test("only the owner deletes a view, or an Admin a shared one", async () => {
  const own = await save(ada, { name: "To delete" });
  const shared = await save(ada, { name: "Shared", isShared: true });
  for (const { id } of [own, shared])
    await expect(deleteView(ben, id)).rejects.toMatchObject({ code: "not_found" });
  const admin = await asAdmin();
  await expect(deleteView(admin, own.id)).rejects.toMatchObject({ code: "not_found" });
  expect(await deleteView(admin, shared.id)).toEqual({ name: "Shared" });
  expect(await deleteView(ada, own.id)).toEqual({ name: "To delete" });
});

test.each([{ name: " " }, { filters: "https://example.com/?x" }, { filters: "a b" }, { page: "home" }])(
  "bad input is refused: %j",
  (bad) => {
    const view = { page: "tasks", name: "Name", filters: "", ...bad };
    expect(saveViewInput.safeParse(view).success).toBe(false);
  },
);
