import { type Check, never } from "./check.ts";

export const evaluationChecks: Check[] = [
  async ({ sql, ledger }) => {
    const asked = ledger.of("evaluate").filter(({ outcome }) => outcome === "done");
    const ids = [...new Set(asked.map(({ id }) => id ?? 0))];
    const rows = await sql`select id from evaluations where id = any(${ids}) and status = 'Completed'`;
    const ended = new Set(rows.map(({ id }) => id));
    return {
      what: "each evaluation that returned 202 has ended once",
      looked: asked.length,
      wrong: asked.filter(({ id }) => !ended.has(id)),
    };
  },
  async ({ sql, ledger }) => {
    const rows = await sql`
      select contract_id, count(*)::int as count from evaluations where trigger = 'Manual' group by 1`;
    return {
      what: "no contract has more manual evaluations than were requested",
      looked: rows.reduce((sum, { count }) => sum + count, 0),
      wrong: rows.filter(({ contract_id, count }) => {
        const asked = ledger.of("evaluate").filter((each) => each.contractId === contract_id);
        const known = new Set(asked.flatMap(({ id }) => id ?? []));
        return count > known.size + asked.filter(({ outcome }) => outcome === "unknown").length;
      }),
    };
  },
  never(
    "each evaluation has one result per rule of its contract",
    `select e.id, e.passed_count + e.failed_count as counted,
       (select count(*) from rules r where r.contract_id = e.contract_id and r.enabled) as rules,
       (select count(*) from rule_results r where r.evaluation_id = e.id) as results,
       (select count(*) from rule_scores s where s.evaluation_id = e.id) as scores,
       e.not_evaluated_because is null as was_measured
     from evaluations e where e.status = 'Completed'`,
    "not (counted = rules and results = rules and scores = case when was_measured then rules else 0 end)",
  ),
  never(
    "each table's score is that of its latest evaluation",
    `select t.table_name, t.evaluation_id, (select e.id from evaluations e
       where e.status = 'Completed' and e.data_source_id = t.data_source_id
         and e.schema_name = t.schema_name and e.table_name = t.table_name
       order by e.evaluated_at desc, e.id desc limit 1) as latest
     from table_scores t`,
    "evaluation_id is distinct from latest",
  ),
];
