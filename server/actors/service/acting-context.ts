import { type By, recordEntry, recordRunBeginning } from "../../audit/service.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";

/**
 * On whose behalf an actor acts: of the person who approved its plan, or else created it, with an Editor's rights, and
 * never beyond the actor's own project. The audit log names both the actor and the person.
 */
export async function actingContext(
  actor: { id: number; name: string; projectId: number },
  userId: number,
): Promise<SignedIn> {
  const users = await namesOfUsers([userId]);
  const by: By = { kind: "System", id: null, name: `AI actor ${actor.name}`, userId };
  return {
    principal: {
      kind: "User",
      userId,
      name: users.get(userId)?.name ?? "",
      role: "Editor",
      scopes: null,
      projectIds: [actor.projectId],
    },
    requestId: `actor-${actor.id}`,
    address: "",
    record: (change, connection) => recordEntry({ by, address: "", ...change }, connection),
    beginRun: (change) => recordRunBeginning({ by, address: "", ...change }),
  };
}
