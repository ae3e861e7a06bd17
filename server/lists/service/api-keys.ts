import type { z } from "zod";
import { listKeys } from "../../api-keys/service/load-keys.ts";
import { keyStateOf, keyStates } from "../../api-keys/state.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { activeKeysMadeWith, creatorName } from "../key-line.ts";
import { type Listed, pageOfRows } from "../page-of-rows.ts";
import type { apiKeysPageInput } from "../schema.ts";
import type { SortOf } from "../sorts.ts";
import { projectNamesOf } from "./projects.ts";

type Key = Awaited<ReturnType<typeof listKeys>>["items"][number];

const sorts: Listed<Key, SortOf<"apiKeys">>["sorts"] = {
  Created: { by: ({ createdAt }) => createdAt, natural: "Desc" },
  Name: { by: ({ name }) => name },
  Status: { by: (key) => keyStates.indexOf(keyStateOf(key)) },
  LastUsed: { by: ({ lastUsedAt }) => lastUsedAt, natural: "Desc" },
  Expires: { by: ({ expiresAt }) => expiresAt },
  Owner: { by: ({ user }) => user.name },
};

/** A page of the caller's keys, or for an Admin everyone's, including revoked and expired ones. */
export async function apiKeysPage(
  ctx: SignedIn,
  { status, ownerId, ...asked }: z.output<typeof apiKeysPageInput>,
) {
  const [{ items: keys }, nameOfProject] = await Promise.all([listKeys(ctx), projectNamesOf(ctx)]);
  const rows = keys.filter(
    (key) =>
      (status === undefined || keyStateOf(key) === status) &&
      (ownerId === undefined || key.user.id === ownerId),
  );
  const page = pageOfRows(rows, asked, {
    text: ({ name, prefix, user, scopes, allowedProjectIds }) =>
      [name, prefix, user.name, ...scopes, ...(allowedProjectIds ?? []).map(nameOfProject)].join(" "),
    sorts,
  });
  return {
    ...page,
    items: page.items.map((key) => ({
      ...key,
      madeBy: creatorName(keys, key),
      activeBelow: activeKeysMadeWith(keys, key.id),
    })),
  };
}
