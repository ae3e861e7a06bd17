import { randomBytes } from "node:crypto";
import type { SignedIn } from "../../auth/principal.ts";
import type { Role } from "../../auth/schema.ts";
import { users } from "../../auth/tables.ts";
import { db } from "../../db/client.ts";

type Restriction = {
  /** The only visible projects, as for a key limited to them. */
  projectIds?: readonly number[] | null;
};

export const asAdmin = (restriction?: Restriction) => as("Admin", restriction);
export const asEditor = (restriction?: Restriction) => as("Editor", restriction);
export const asViewer = (restriction?: Restriction) => as("Viewer", restriction);

/** A signed-in context of a new user, who exists in the database. */
async function as(role: Role, { projectIds = null }: Restriction = {}): Promise<SignedIn> {
  const [user] = await db
    .insert(users)
    .values({ email: `${randomBytes(6).toString("hex")}@example.com`, name: `The ${role}`, role })
    .returning();
  if (!user) throw new Error("The insert returned no user");
  return {
    principal: { kind: "User", userId: user.id, name: user.name, role, scopes: null, projectIds },
    requestId: "test-request",
    address: "127.0.0.1",
  };
}
