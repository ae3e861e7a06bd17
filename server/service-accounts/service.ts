import type { SignedIn } from "../auth/principal.ts";
import { lockAdmins } from "../auth/service/admins.ts";
import * as accounts from "../auth/service/service-accounts.ts";
import { lockUser, readUser, type UserWrite } from "../auth/service/users.ts";
import { db } from "../db/client.ts";
import { fieldChanges } from "../edits/field-changes.ts";
import { recordEdit } from "../edits/service.ts";
import { claimManaged, takeOverNow } from "../stacks/service.ts";

/** Owners of API keys that are no people, with who edited them, and whose files own them. They belong to no project. */

type Account = Awaited<ReturnType<typeof readUser>>;
const thingOf = ({ id, revision }: Account) =>
  ({ kind: "ServiceAccount", id, projectId: null, revision }) as const;
const editedState = ({ name, role, projectRoles, enabled }: Account) => ({
  name,
  role,
  projectRoles,
  enabled,
});

/** Throws like the service of `auth`. */
export async function createServiceAccount(ctx: SignedIn, write: accounts.NewServiceAccount) {
  return db.transaction(async (tx) => {
    const created = await accounts.createServiceAccount(ctx, write);
    await claimManaged(tx, ctx, thingOf(created));
    return created;
  });
}

/**
 * Throws like `updateUser`, and conflict if files own the account. Disabling it cannot wait for a file: whoever does
 * nothing else has taken it over.
 */
export async function updateServiceAccount(ctx: SignedIn, write: UserWrite) {
  return db.transaction(async (tx) => {
    // In the order of `updateUser`.
    await lockAdmins(tx);
    await lockUser(tx, write.id);
    const before = await readUser(tx, write.id);
    const updated = await accounts.updateServiceAccount(ctx, write);
    const { id, revision } = updated;
    const changes = fieldChanges(editedState(before), editedState(updated));
    await recordEdit(tx, ctx, { kind: "ServiceAccount", id, revision, changes });
    const isDisabledOnly = !updated.enabled && changes.every(({ path }) => path === "enabled");
    if (isDisabledOnly && !ctx.actingStack) await takeOverNow(tx, ctx, thingOf(updated));
    else await claimManaged(tx, ctx, thingOf(updated));
    return updated;
  });
}
