import { eq, inArray } from "drizzle-orm";
import { grants } from "../../auth/permissions.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { contracts } from "../../data-quality/tables.ts";
import { db } from "../../db/client.ts";
import { queryNames } from "../../queries/service/query-names.ts";
import { tasks } from "../../tasks/tables.ts";
import { scoreTaskWords, taskWords } from "../in-words.ts";
import type { Described, Needing } from "./described.ts";

export async function describeTasks({ principal }: SignedIn, needing: readonly Needing[]) {
  if (needing.length === 0) return new Map<number, Described>();
  const names = queryNames();
  const rows = await db
    .select({ task: tasks, queryName: names.name, contractName: contracts.name })
    .from(tasks)
    .leftJoin(names, eq(names.id, tasks.queryId))
    .leftJoin(contracts, eq(contracts.id, tasks.contractId))
    .where(
      inArray(
        tasks.id,
        needing.map(({ id }) => id),
      ),
    );
  const people = await namesOfUsers(rows.map(({ task }) => task.assigneeId));
  const mayWork = grants("tasks:work", principal);
  return new Map(
    rows.map(({ task, queryName, contractName }): [number, Described] => [
      task.id,
      {
        title: queryName ?? contractName ?? "",
        reason:
          task.latestScore === null
            ? taskWords(task.latestRowCount, task.executionCount)
            : scoreTaskWords(task.latestScore, task.executionCount),
        since: task.createdAt,
        owner: people.get(task.assigneeId ?? 0) ?? null,
        path: `/tasks/${task.id}`,
        action: { kind: mayWork && task.assigneeId === null ? "AssignToMe" : "Open", ids: [task.id] },
      },
    ]),
  );
}
