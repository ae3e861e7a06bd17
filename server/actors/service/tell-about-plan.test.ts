import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { users } from "../../auth/tables.ts";
import { db } from "../../db/client.ts";
import { defaultPreferences } from "../../notifications/personal.ts";
import { setPreferences } from "../../notifications/service/preferences.ts";
import { deliveries, notifications } from "../../notifications/tables.ts";
import { aProposal, toCreate } from "../../test/factories/actors.ts";
import { asEditor, asViewer } from "../../test/factories/principals.ts";
import { archiveActor } from "./actors.ts";
import { rejectPlan, requestRevision } from "./decide-plan.ts";
import { listPendingPlans } from "./load-plans.ts";
import { anOwnActor, ctx, late, model, propose } from "./scripted-model.fixture.ts";

/** Who is emailed that a plan waits, and how it was decided. */

// Before the fixture reads the settings.
process.env.SMTP_URL = "smtp://127.0.0.1:1";
process.env.MAIL_FROM = "alerts@example.com";

let reviewer: SignedIn;
let calm: SignedIn;
let usual: SignedIn;
let viewer: SignedIn;

beforeAll(async () => {
  [reviewer, calm, viewer] = [await asEditor(), await asEditor(), await asViewer()];
  usual = await asEditor();
  const prefer = (who: SignedIn, Approvals: "Now" | "Never") =>
    setPreferences(who, { ...defaultPreferences, topics: { ...defaultPreferences.topics, Approvals } });
  await prefer(reviewer, "Now");
  await prefer(calm, "Never");
});

const oneCheck = aProposal([toCreate("Late orders", late)]);
const another = aProposal([toCreate("Very late orders", `${late} and minutes_late > 60`)]);

async function told(planId: number) {
  const rows = await db
    .select({ subject: notifications.subject, content: notifications.content, userId: deliveries.userId })
    .from(notifications)
    .innerJoin(deliveries, eq(deliveries.notificationId, notifications.id))
    .where(and(eq(notifications.causeKind, "Plan"), eq(notifications.causeId, planId)))
    .orderBy(deliveries.userId);
  return rows;
}
const people = (rows: { userId: number | null }[]) => rows.map(({ userId }) => userId);
const idOf = ({ principal }: SignedIn) => principal.userId;

describe("a plan that waits", () => {
  test("is emailed to whose actor it is, and to everyone who may decide and wants all", async () => {
    const actor = await anOwnActor();
    const plan = await propose(actor.id, oneCheck);
    const mails = await told(plan.id);
    expect(people(mails)).toEqual(expect.arrayContaining([idOf(ctx), idOf(reviewer)]));
    for (const other of [calm, viewer, usual]) expect(people(mails)).not.toContain(idOf(other));
    expect(mails[0]?.content).toMatchObject({
      title: `A plan waits for your decision: ${actor.name}`,
      summary: "Orders can be **late**.",
      facts: expect.arrayContaining([{ label: "It proposes", value: "1 action" }]),
      link: { path: `/ai-actors/${actor.id}` },
    });
  });

  test("is emailed to everyone who may decide if those whose actor it is may not anymore", async () => {
    const actor = await anOwnActor();
    const isCreator = eq(users.id, idOf(ctx));
    await db.update(users).set({ enabled: false }).where(isCreator);
    const mails = await told((await propose(actor.id, oneCheck)).id);
    await db.update(users).set({ enabled: true }).where(isCreator);
    expect(people(mails)).toEqual(expect.arrayContaining([idOf(reviewer), idOf(usual)]));
    expect(people(mails)).not.toContain(idOf(calm));
  });

  test("is not emailed again if it replaces one that waits; one decided meanwhile is not emailed at all", async () => {
    const actor = await anOwnActor();
    const first = await propose(actor.id, oneCheck);
    const second = await propose(actor.id, another);
    expect(second.id).not.toBe(first.id);
    expect(await told(second.id)).toEqual([]);
    expect((await told(first.id)).length).toBeGreaterThan(1);
    await rejectPlan(reviewer, { id: second.id, reason: "Too many" });
    expect(await told(first.id)).toEqual([]);
    // Nothing waits, so the next one is news.
    const third = await propose(actor.id, oneCheck);
    expect((await told(third.id)).length).toBeGreaterThan(1);
    await archiveActor(ctx, actor.id);
    expect(await told(third.id)).toEqual([]);
  });
});

describe("the decision about a plan", () => {
  test("is emailed to who created the actor, with the reason", async () => {
    const actor = await anOwnActor();
    const plan = await propose(actor.id, oneCheck);
    await rejectPlan(reviewer, { id: plan.id, reason: "We know of these" });
    const [mail, ...more] = await told(plan.id);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      userId: idOf(ctx),
      content: {
        title: `A plan was rejected: ${actor.name}`,
        tone: "Warning",
        summary: "We know of these",
        link: { path: `/ai-actors/plans/${plan.id}` },
      },
    });
  });

  test("is not emailed to who has decided; who asked for a revision hears of its decision", async () => {
    const actor = await anOwnActor();
    const plan = await propose(actor.id, oneCheck);
    await rejectPlan(ctx, { id: plan.id, reason: "No" });
    expect(await told(plan.id)).toEqual([]);

    const sentBack = await propose(actor.id, oneCheck);
    model.reply({ answer: another });
    await requestRevision(reviewer, { id: sentBack.id, feedback: "Only very late ones" });
    await expect.poll(async () => (await listPendingPlans(ctx, actor.id)).items.length).toBe(1);
    const [revised] = (await listPendingPlans(ctx, actor.id)).items;
    await rejectPlan(ctx, { id: revised?.id ?? 0, reason: "Still no" });
    expect(await told(revised?.id ?? 0)).toMatchObject([
      { userId: idOf(reviewer), content: { summary: "Still no" } },
    ]);
  });
});
