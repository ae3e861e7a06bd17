import { procedureFor, router } from "../trpc.ts";
import { dismissGuideInput, guideInput, guideSchema, skipStepInput, tourSchema } from "./schema.ts";
import { dismissGuide, skipStep } from "./service/change-guide.ts";
import { loadGuide } from "./service/load-guide.ts";
import { loadTour } from "./service/load-tour.ts";

/** For the console alone: other clients have nobody to guide. */
export const gettingStartedRouter = router({
  guide: procedureFor("everything:read")
    .input(guideInput)
    .output(guideSchema)
    .query(({ ctx, input }) => loadGuide(ctx, input)),

  /** Null without the demo. */
  tour: procedureFor("everything:read")
    .output(tourSchema.nullable())
    .query(({ ctx }) => loadTour(ctx)),

  skip: procedureFor("own-preferences:change")
    .meta({
      audit: "guide",
      auditDetail: (_: unknown, { step, isSkipped }: { step: string; isSkipped: boolean }) =>
        `${step}: ${isSkipped ? "skipped" : "not skipped"}`,
    })
    .input(skipStepInput)
    .output(guideSchema)
    .mutation(({ ctx, input }) => skipStep(ctx, input)),

  dismiss: procedureFor("own-preferences:change")
    .meta({
      audit: "guide",
      auditDetail: (_: unknown, { isDismissed }: { isDismissed: boolean }) =>
        isDismissed ? "dismissed" : "shown again",
    })
    .input(dismissGuideInput)
    .output(guideSchema)
    .mutation(({ ctx, input }) => dismissGuide(ctx, input)),
});
