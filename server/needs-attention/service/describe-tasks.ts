import { inArray } from "drizzle-orm";
import { grants } from "../../auth/permissions.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { db } from "../../db/client.ts";
import { findQueryNames } from "../../queries/service/query-names.ts";
import { tasks } from "../../tasks/tables.ts";
import { taskWords } from "../in-words.ts";
import type { Described, Needing } from "./described.ts";

export async function describeTasks({ principal }: SignedIn, needing: readonly Needing[]) {
  if (needing.length === 0) return new Map<number, Described>();
  const rows = await db
    .select()
    .from(tasks)
    .where(
      inArray(
        tasks.id,
        needing.map(({ id }) => id),
      ),
    );
  const [names, people] = await Promise.all([
    findQueryNames(rows.map(({ queryId }) => queryId)),
    namesOfUsers(rows.map(({ assigneeId }) => assigneeId)),
  ]);
  const mayWork = grants("tasks:work", principal);
  return new Map(
    rows.map((task): [number, Described] => [
      task.id,
      {
        title: names.get(task.queryId) ?? "",
        reason: taskWords(task.latestRowCount, task.executionCount),
        since: task.createdAt,
        owner: people.get(task.assigneeId ?? 0) ?? null,
        path: `/tasks/${task.id}`,
        action: { kind: mayWork && task.assigneeId === null ? "AssignToMe" : "Open", ids: [task.id] },
      },
    ]),
  );
}
