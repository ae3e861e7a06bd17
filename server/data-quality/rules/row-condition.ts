import { z } from "zod";
import { figure, plural } from "../../text.ts";
import { Decimal } from "../decimal.ts";
import { summed } from "./by-group.ts";
import { defineRule, failingRows } from "./rule.ts";
import { writtenCondition } from "./rule-options.ts";
import { oneLine, unset } from "./sentence.ts";
import { fail, pass } from "./verdict.ts";

/**
 * Every row satisfies a condition that a person wrote in the database's own SQL. It goes through the same gate as every
 * other SQL from people. If a value is missing, a condition may be neither true nor false; what that means is the
 * author's choice. An addition to the specification's eight types.
 */
export const rowCondition = defineRule({
  type: "RowCondition",
  label: "Row condition",
  explanation: "Every row satisfies a condition in SQL, such as paid_at >= ordered_at.",
  scoring: "On failure, the score is the percentage of rows that satisfy the condition.",
  configuration: z.strictObject({
    condition: writtenCondition,
    whenUnknown: z.enum(["Pass", "Fail"]).optional(),
  }),
  properties: "condition, whenUnknown? (Pass, the default, or Fail)",
  fields: {
    condition: {
      label: "Condition",
      kind: "condition",
      hint: "True for a row as it should be. Columns by name; run read-only, for at most 60 seconds.",
    },
    whenUnknown: {
      label: "If it is unknown",
      kind: "choice",
      optional: true,
      hint: "A comparison with a missing value is neither true nor false.",
      options: [
        { value: "Pass", label: "The row passes" },
        { value: "Fail", label: "The row fails" },
      ],
    },
  },
  sentence: ({ condition, whenUnknown }) =>
    `Every row satisfies ${condition === null ? unset : oneLine(condition)}${whenUnknown === "Fail" ? ", which is never unknown" : ""}`,
  unit: "Rows",
  measured: "failing rows",
  typicalMs: 1500,
  odcs: { dimension: "consistency" },
  measures: ["failing", "total"],
  samples: failingRows,
  failingRows: "failing",
  byGroup: summed("failing"),
  interpret({ failing, total }, { condition }) {
    const expected = oneLine(condition);
    if (failing === "0") return pass({ expected, actual: "true for every row", failing });
    const share = new Decimal(failing ?? 0).dividedBy(total ?? 1);
    return fail({
      expected,
      actual: `${figure(failing ?? 0)} of ${plural(total ?? 0, "row")} fail`,
      failing,
      score: new Decimal(1).minus(share).times(100),
    });
  },
});
