import { sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { db } from "../../db/client.ts";
import { ruleScores } from "../evaluations/tables.ts";
import type { RuleType } from "../rules/rules.ts";
import { rules } from "../tables.ts";
import { getContractTarget } from "./load-contracts.ts";

/** A streak this long counts as always. */
const maxCounted = 10_000;

type Row = {
  rule_id: number;
  key: string;
  name: string;
  type: RuleType;
  passed: boolean;
  score: string;
  measured: string | null;
  evaluation_id: number;
  evaluated_at: string;
  since_id: number;
  since_at: string;
  consecutive: number;
  has_changed: boolean;
};

/**
 * The state of each of a contract's rules: its latest result, since when and for how many evaluations it has been the
 * same, and when it last changed. By rule key, so that edits do not interrupt it; rules without an evaluation are left
 * out. Throws like `getContract`.
 */
export async function listRuleStates(ctx: SignedIn, contractId: number) {
  await getContractTarget(ctx, contractId);
  const isPresent = sql`s.contract_id = r.contract_id and s.key = r.key and s.passed = latest.passed
    and (s.evaluated_at, s.evaluation_id) > (coalesce(other.evaluated_at, '-infinity'), coalesce(other.evaluation_id, 0))`;
  // Each step reads the end of the series' index: the rule's latest pass and failure, and what came since.
  const rows = await db.execute<Row>(sql`
    select r.id as rule_id, r.key, r.name, r.type, latest.passed, latest.score, latest.measured,
      latest.evaluation_id, latest.evaluated_at, present.since_id, present.since_at, length.consecutive,
      other.evaluation_id is not null as has_changed
    from ${rules} as r
    cross join lateral (
      select s.* from (values (true), (false)) as outcome (passed)
      cross join lateral (
        select * from ${ruleScores} as s
        where s.contract_id = r.contract_id and s.key = r.key and s.passed = outcome.passed
        order by s.evaluated_at desc, s.evaluation_id desc limit 1) as s
      order by s.evaluated_at desc, s.evaluation_id desc limit 1) as latest
    left join lateral (
      select s.evaluated_at, s.evaluation_id from ${ruleScores} as s
      where s.contract_id = r.contract_id and s.key = r.key and s.passed = not latest.passed
      order by s.evaluated_at desc, s.evaluation_id desc limit 1) as other on true
    cross join lateral (
      select s.evaluation_id as since_id, s.evaluated_at as since_at from ${ruleScores} as s where ${isPresent}
      order by s.evaluated_at, s.evaluation_id limit 1) as present
    cross join lateral (
      select count(*)::int as consecutive
      from (select from ${ruleScores} as s where ${isPresent} limit ${maxCounted}) as counted) as length
    where r.contract_id = ${contractId}
    order by r.position`);
  return {
    items: rows.map((row) => {
      const since = { evaluationId: row.since_id, evaluatedAt: new Date(row.since_at) };
      return {
        ruleId: row.rule_id,
        ...{ key: row.key, name: row.name, type: row.type, passed: row.passed },
        score: Number(row.score),
        measured: row.measured === null ? null : Number(row.measured),
        evaluationId: row.evaluation_id,
        evaluatedAt: new Date(row.evaluated_at),
        since,
        consecutive: row.consecutive,
        lastChange: row.has_changed ? since : null,
      };
    }),
  };
}
