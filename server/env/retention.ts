import { days, wholeNumber } from "./values.ts";

/** How long things are kept. */
export const retentionSettings = {
  EXECUTIONS_KEPT_DAYS: days(91, 400).describe(
    "Days to keep executions and their anomalies, at least 91, or off to keep them forever. The newest 20 of each subscription are always kept.",
  ),
  EVALUATIONS_KEPT_DAYS: days(91, 400).describe(
    "Days to keep evaluations and the scores of their rules, at least 91, or off to keep them forever. The newest 30 of each contract are always kept.",
  ),
  RULE_RESULTS_KEPT_DAYS: days(1, 90).describe(
    "Days to keep the results of each rule (expected, found, and message), or off to keep them as long as the evaluation. Those of a contract's latest evaluation are always kept.",
  ),
  SAMPLES_KEPT_DAYS: wholeNumber(1, 3650, 30).describe(
    "Days to keep failing rows and the first rows of executions.",
  ),
  AUDIT_KEPT_DAYS: days(365, null).describe(
    "Days to keep audit log entries, at least 365. Kept forever unless set.",
  ),
};
