import { type SQL, sql } from "drizzle-orm";
import type { SampleMode } from "../../data-sources/sample.ts";
import { hasSample, readsSample } from "../rules/has-sample.ts";
import { shownVerdict } from "../shown-verdict.ts";
import type { rules } from "../tables.ts";
import type { MeasuredRule } from "./measurement-queue.ts";

/** Results of rules, of one evaluation or of several, as rows of one JSON value: `resultRows` in `resultsFrom`. */

/** As shown where failing rows are kept so. */
export function resultRows(
  evaluationId: number,
  results: readonly MeasuredRule<typeof rules.$inferSelect>[],
  mode: SampleMode,
) {
  return results.map(({ rule, verdict, executionTimeMs }) => {
    const shown = shownVerdict(verdict, mode);
    return {
      ...{ evaluation_id: evaluationId, contract_id: rule.contractId, rule_id: rule.id, key: rule.key },
      ...{ position: rule.position, name: rule.name, type: rule.type, passed: shown.passed },
      ...{ could_run: shown.couldRun, score: shown.score, measured: inJson(verdict.measured?.toNumber()) },
      ...{ expected_value: shown.expectedValue, actual_value: shown.actualValue, message: shown.message },
      ...{ failing: inJson(shown.failing), groups: shown.groups, known_failures: shown.knownFailures },
      execution_time_ms: executionTimeMs,
      wants_sample: hasSample(rule, verdict) && readsSample(rule),
    };
  });
}

/** JSON has no numbers that are not finite; PostgreSQL reads their names. */
const inJson = (value: number | null | undefined) =>
  value == null || Number.isFinite(value) ? value : String(value);

export const resultsFrom = (json: SQL): SQL => sql`
  select * from json_to_recordset(${json}::json) as result (
    evaluation_id integer, contract_id integer, rule_id integer, key uuid, position integer, name text,
    type rule_type, passed boolean, could_run boolean, score numeric, measured numeric,
    expected_value text, actual_value text, message text, failing numeric, groups jsonb, known_failures jsonb,
    execution_time_ms integer, wants_sample boolean, stored_at timestamptz, is_measured boolean)`;
