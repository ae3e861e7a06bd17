import { and, asc, eq, isNotNull } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { db, sql } from "../../db/client.ts";
import { defaultPreferences } from "../../notifications/personal.ts";
import { setPreferences } from "../../notifications/service/preferences.ts";
import { deliveries, notifications } from "../../notifications/tables.ts";
import { aContract, aRule } from "../../test/factories/contracts.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aRecipient } from "../../test/factories/notifications.ts";
import { asAdmin } from "../../test/factories/principals.ts";
import { evaluateDueContract } from "./evaluate.ts";

/** The owner of a contract, who is emailed beside its recipients. */

let owner: SignedIn;
let dataSourceId: number;
let team: { id: number };

beforeAll(async () => {
  process.env.SMTP_URL = "smtp://127.0.0.1:1";
  process.env.MAIL_FROM = "alerts@example.com";
  owner = await asAdmin();
  const source = await aDataSource();
  dataSourceId = source.id;
  team = await aRecipient({ projectId: source.projectId, name: "Team" });
  await sql.unsafe("create table orders (id int); insert into orders values (1)");
});
afterAll(closeSources);

const contractOf = (recipientIds: number[]) =>
  aContract(
    {
      ...{ name: "Orders", dataSourceId, tableName: "orders", cronExpression: "0 6 * * *" },
      ...{ recipientIds, rules: [aRule("Volume", { minRows: 4 })] },
    },
    owner,
  );

/** Evaluates it as scheduled that hour, and returns which users were told. */
async function toldAt(contract: { id: number }, hour: number) {
  const done = await evaluateDueContract(contract.id, new Date(Date.UTC(2026, 2, 1, hour)));
  const rows = await db
    .select({ userId: deliveries.userId })
    .from(deliveries)
    .innerJoin(notifications, eq(notifications.id, deliveries.notificationId))
    .where(
      and(
        eq(notifications.causeKind, "Evaluation"),
        eq(notifications.causeId, "evaluationId" in done ? done.evaluationId : 0),
        isNotNull(deliveries.userId),
      ),
    )
    .orderBy(asc(deliveries.id));
  return rows.map(({ userId }) => userId);
}

test("is told when its alert opens, not while nothing changes, and when it recovers", async () => {
  const contract = await contractOf([team.id]);
  const me = owner.principal.userId;
  expect(await toldAt(contract, 6)).toEqual([me]);
  expect(await toldAt(contract, 7)).toEqual([]);
  await sql.unsafe("insert into orders values (2), (3), (4)");
  expect(await toldAt(contract, 8)).toEqual([me]);
  await sql.unsafe("delete from orders where id > 1");
});

test("is not told without recipients, whose alerts these are, nor if they never want to", async () => {
  expect(await toldAt(await contractOf([]), 6)).toEqual([]);
  await setPreferences(owner, {
    ...defaultPreferences,
    topics: { ...defaultPreferences.topics, Incidents: "Never" },
  });
  expect(await toldAt(await contractOf([team.id]), 6)).toEqual([]);
});
