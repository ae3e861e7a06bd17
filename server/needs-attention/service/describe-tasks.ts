import { eq, inArray } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { contracts } from "../../data-quality/tables.ts";
import { db } from "../../db/client.ts";
import { findSubscriptionTitles } from "../../queries/service/subscription-titles.ts";
import { tasks } from "../../tasks/tables.ts";
import { scoreTaskWords, taskWords } from "../in-words.ts";
import { type Described, mayDoTo, type Needing } from "./described.ts";

export async function describeTasks({ principal }: SignedIn, needing: readonly Needing[]) {
  if (needing.length === 0) return new Map<number, Described>();
  const rows = await db
    .select({ task: tasks, contractName: contracts.name })
    .from(tasks)
    .leftJoin(contracts, eq(contracts.id, tasks.contractId))
    .where(
      inArray(
        tasks.id,
        needing.map(({ id }) => id),
      ),
    );
  const [people, titles] = await Promise.all([
    namesOfUsers(rows.map(({ task }) => task.assigneeId)),
    findSubscriptionTitles(rows.map(({ task }) => task.subscriptionId)),
  ]);
  const mayWork = mayDoTo("tasks:work", principal, needing);
  return new Map(
    rows.map(({ task, contractName }): [number, Described] => [
      task.id,
      {
        title: titles.get(task.subscriptionId ?? 0) ?? contractName ?? "",
        reason:
          task.latestScore === null
            ? taskWords(task.latestRowCount, task.executionCount)
            : scoreTaskWords(task.latestScore, task.executionCount),
        since: task.createdAt,
        owner: people.get(task.assigneeId ?? 0) ?? null,
        path: `/tasks/${task.id}`,
        action: {
          kind: mayWork(task.id) && task.assigneeId === null ? "AssignToMe" : "Open",
          ids: [task.id],
        },
      },
    ]),
  );
}
