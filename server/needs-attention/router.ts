import { procedureFor, router } from "../trpc.ts";
import {
  allClearSchema,
  attentionCountSchema,
  attentionPageSchema,
  countAttentionInput,
  listAttentionInput,
} from "./schema.ts";
import { allClear } from "./service/all-clear.ts";
import { countAttention, listAttention } from "./service/list-attention.ts";

export const needsAttentionRouter = router({
  list: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/needs-attention",
        tag: "Needs attention",
        summary: "What needs a person now, worst first",
        description:
          "Subscriptions that cannot run or have found something, contracts below their threshold or not evaluated, open findings by table, open tasks, failed deliveries by recipient, and what waits for the caller's decision. `action` is the one thing to do about it that the caller may do.",
      },
    })
    .input(listAttentionInput)
    .output(attentionPageSchema)
    .query(({ ctx, input }) => listAttention(ctx, input)),

  /** For the badge and the filter. */
  count: procedureFor("everything:read")
    .input(countAttentionInput)
    .output(attentionCountSchema)
    .query(({ ctx, input }) => countAttention(ctx, input)),

  /** For the page when nothing needs attention. */
  allClear: procedureFor("everything:read")
    .input(countAttentionInput)
    .output(allClearSchema)
    .query(({ ctx, input }) => allClear(ctx, input)),
});
