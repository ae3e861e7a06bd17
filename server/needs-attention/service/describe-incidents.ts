import { inArray } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { db } from "../../db/client.ts";
import { incidentProblems, incidents } from "../../incidents/tables.ts";
import { incidentWords } from "../in-words.ts";
import { type Described, mayDoTo, type Needing } from "./described.ts";

/** Incidents of several problems, with the names of those that have not ended. */
export async function describeIncidents({ principal }: SignedIn, needing: readonly Needing[]) {
  if (needing.length === 0) return new Map<number, Described>();
  const ids = needing.map(({ id }) => id);
  const [rows, problems] = await Promise.all([
    db.select().from(incidents).where(inArray(incidents.id, ids)),
    db
      .select({
        incidentId: incidentProblems.incidentId,
        name: incidentProblems.name,
        endedAt: incidentProblems.endedAt,
      })
      .from(incidentProblems)
      .where(inArray(incidentProblems.incidentId, ids))
      .orderBy(incidentProblems.severity, incidentProblems.beganAt),
  ]);
  const people = await namesOfUsers(rows.map(({ assigneeId }) => assigneeId));
  const mayWork = mayDoTo("incidents:work", principal, needing);
  return new Map(
    rows.map(({ id, title, state, openedAt, assigneeId }): [number, Described] => [
      id,
      {
        title,
        reason: incidentWords(
          problems
            .filter(({ incidentId, endedAt }) => incidentId === id && endedAt === null)
            .map(({ name }) => name),
        ),
        since: openedAt,
        owner: people.get(assigneeId ?? 0) ?? null,
        path: `/incidents/${id}`,
        action: { kind: mayWork(id) && state === "Open" ? "Acknowledge" : "Open", ids: [id] },
      },
    ]),
  );
}
