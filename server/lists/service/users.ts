import type { z } from "zod";
import { listKeys } from "../../api-keys/service/load-keys.ts";
import { keyStateOf } from "../../api-keys/state.ts";
import { roles } from "../../auth/kinds.ts";
import type { SignedIn } from "../../auth/principal.ts";
import type { Role } from "../../auth/schema.ts";
import { listServiceAccounts } from "../../auth/service/service-accounts.ts";
import { listUsers } from "../../auth/service/users.ts";
import { type Listed, pageOfRows } from "../page-of-rows.ts";
import type { serviceAccountsPageInput, usersPageInput } from "../schema.ts";
import type { SortOf } from "../sorts.ts";

type User = Awaited<ReturnType<typeof listUsers>>["items"][number];

const users: Listed<User, SortOf<"users">> = {
  text: ({ name, email }) => `${name} ${email}`,
  sorts: {
    Name: { by: ({ name }) => name },
    Email: { by: ({ email }) => email },
    Role: { by: ({ role }) => rank(role), natural: "Desc" },
    State: { by: ({ enabled }) => enabled },
    LastSignIn: { by: ({ lastSignInAt }) => lastSignInAt, natural: "Desc" },
    Created: { by: ({ createdAt }) => createdAt, natural: "Desc" },
  },
};

const rank = (role: Role) => roles.indexOf(role);

/** A page of the people, including disabled ones. */
export async function usersPage({ role, enabled, ...asked }: z.output<typeof usersPageInput>) {
  const { items } = await listUsers();
  const rows = items.filter(
    (user) =>
      (role === undefined || user.role === role) && (enabled === undefined || user.enabled === enabled),
  );
  return pageOfRows(rows, asked, users);
}

type Account = User & { activeKeyCount: number; lastUsedAt: Date | null };

const accounts: Listed<Account, SortOf<"serviceAccounts">> = {
  text: ({ name }) => name,
  sorts: {
    Name: { by: ({ name }) => name },
    State: { by: ({ enabled }) => enabled },
    Keys: { by: ({ activeKeyCount }) => activeKeyCount, natural: "Desc" },
    LastUsed: { by: ({ lastUsedAt }) => lastUsedAt, natural: "Desc" },
    Created: { by: ({ createdAt }) => createdAt, natural: "Desc" },
  },
};

/** A page of the service accounts, with what their keys say about them. */
export async function serviceAccountsPage(
  ctx: SignedIn,
  { enabled, ...asked }: z.output<typeof serviceAccountsPageInput>,
) {
  const [{ items }, { items: keys }] = await Promise.all([listServiceAccounts(), listKeys(ctx)]);
  const keysOf = Map.groupBy(keys, ({ user }) => user.id);
  const rows = items
    .filter((account) => enabled === undefined || account.enabled === enabled)
    .map((account) => {
      const own = keysOf.get(account.id) ?? [];
      const uses = own.flatMap(({ lastUsedAt }) => lastUsedAt?.getTime() ?? []);
      return {
        ...account,
        activeKeyCount: own.filter((key) => keyStateOf(key) === "Active").length,
        lastUsedAt: uses.length === 0 ? null : new Date(Math.max(...uses)),
      };
    });
  return pageOfRows(rows, asked, accounts);
}
