import { byId } from "../db/schema-parts.ts";
import { plural } from "../text.ts";
import { procedureFor, recordRun, router } from "../trpc.ts";
import {
  type Account,
  accountSchema,
  causesSchema,
  ruleCausesInput,
  type WhyInput,
  whyInput,
  whySchema,
} from "./schema.ts";
import { explainFinding } from "./service/explain-finding.ts";
import { explainRule } from "./service/explain-rule.ts";
import { findSubject } from "./service/find-subject.ts";
import { explainWhy } from "./service/why.ts";
import { writeAccount } from "./service/write-account.ts";
import { toldWhy, whyInText } from "./tool-answers.ts";

const description =
  "Reads up to 100,000 rows of the table and 20,000 failing ones now, and counts in the whole table: values, missing values, and times that most failing rows have and few others do, alone and in pairs, also of tables that the rows refer to. What chance would give as well is not reported.";

/** Why rows fail. */
export const causesRouter = router({
  ofFinding: procedureFor("evaluations:run")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/findings/{id}/causes",
        tag: "Findings",
        summary: "What the rows of a finding have in common",
        description,
        problems: ["not_found", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(byId)
    .output(causesSchema)
    .query(({ ctx, input }) => explainFinding(ctx, input.id)),

  ofRule: procedureFor("evaluations:run")
    .meta({
      rest: {
        method: "GET",
        path: "/data-quality/contracts/{id}/rules/{ruleId}/causes",
        tag: "Data quality",
        summary: "What the failing rows of a rule have in common",
        description,
        problems: ["not_found", "rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(ruleCausesInput)
    .output(causesSchema)
    .query(({ ctx, input }) => explainRule(ctx, input)),

  why: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/why",
        tag: "Incidents",
        summary: "Why something is wrong, the strongest cause first",
        description:
          "Of an incident, a subscription, an anomaly, a contract or one of its rules, a finding, or a watched table: what failing rows have in common, what changed in the two days before, and what was wrong upstream, in one list. Rows are read now, for callers with the scope Execute; for others, the rest is returned with a note.",
        problems: ["not_found", "rejected"],
      },
      tool: {
        name: "why",
        title: "Why something is wrong",
        description:
          "Causes, strongest (0-1) first: what failing rows share, changes before, problems upstream. Name one thing (a rule with its contract, a table with its schema).",
        annotations: { readOnlyHint: true },
        plainArguments: ["subscriptionId", "ruleId", "dataSourceId"],
        answer: toldWhy,
        text: whyInText,
      },
    })
    .input(whyInput)
    .output(whySchema)
    .query(({ ctx, input }) => explainWhy(ctx, input)),

  account: procedureFor("evaluations:run")
    .meta({
      audit: "project",
      auditAs: "run",
      auditOutcome: ({ sentences }: Account) => plural(sentences.length, "sentence"),
      rest: {
        method: "POST",
        path: "/why/account",
        tag: "Incidents",
        summary: "Have a language model write why something is wrong, from the same facts",
        description:
          "Each sentence names the causes that say so; sentences without a valid source are left out. Values of rows are not sent to the model.",
        problems: ["not_found", "rejected", "rate_limited"],
      },
    })
    .input(whyInput)
    .use(recordRun(async (ctx, input: WhyInput) => (await findSubject(ctx, input)).projectId))
    .output(accountSchema)
    .mutation(({ ctx, input }) => writeAccount(ctx, input)),
});
