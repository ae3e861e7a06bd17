import { sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import type { ServedGuide } from "../schema.ts";
import type { GuideStep } from "../steps.ts";
import { guideChoices } from "../tables.ts";
import { guidedProject, loadGuide } from "./load-guide.ts";

type Of = { projectId?: number | undefined };

/** Skips a step, or takes that back. */
export async function skipStep(
  ctx: SignedIn,
  { step, isSkipped, ...of }: Of & { step: GuideStep; isSkipped: boolean },
): Promise<ServedGuide> {
  const others = (skipped: readonly GuideStep[]) => skipped.filter((each) => each !== step);
  await change(ctx, of, ({ skipped, ...choice }) => ({
    ...choice,
    skipped: isSkipped ? [...others(skipped), step] : others(skipped),
  }));
  return loadGuide(ctx, of);
}

/** Takes the checklist from Home, or puts it back. */
export async function dismissGuide(
  ctx: SignedIn,
  { isDismissed, ...of }: Of & { isDismissed: boolean },
): Promise<ServedGuide> {
  await change(ctx, of, (choice) => ({ ...choice, dismissedAt: isDismissed ? new Date() : null }));
  return loadGuide(ctx, of);
}

type Choice = Pick<typeof guideChoices.$inferSelect, "skipped" | "dismissedAt">;

/** A project's own choices begin with those that were made while there was none. */
async function change(ctx: SignedIn, of: Of, become: (choice: Choice) => Choice): Promise<void> {
  const projectId = await guidedProject(ctx, of.projectId);
  const { userId } = ctx.principal;
  await db.transaction(async (tx) => {
    // Two changes at once are made one after the other.
    await tx.execute(sql`select from users where id = ${userId} for no key update`);
    const [before] = await tx
      .select({ skipped: guideChoices.skipped, dismissedAt: guideChoices.dismissedAt })
      .from(guideChoices)
      .where(
        sql`${guideChoices.userId} = ${userId} and (${guideChoices.projectId} is null or ${guideChoices.projectId} = ${projectId}::int)`,
      )
      .orderBy(sql`${guideChoices.projectId} nulls last`)
      .limit(1);
    const choice = become(before ?? { skipped: [], dismissedAt: null });
    await tx
      .insert(guideChoices)
      .values({ userId, projectId, ...choice })
      .onConflictDoUpdate({ target: [guideChoices.userId, guideChoices.projectId], set: choice });
  });
}
