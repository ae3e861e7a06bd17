import { type Check, never } from "./check.ts";

const statusAfter = { approve: ["Active", "Archived"], reject: ["Rejected"] };

/** Query changes, which need approval. */
export const changeChecks: Check[] = [
  async ({ sql, ledger }) => {
    const edits = ledger.of("editQuery");
    const rows = await sql`
      select v.query_id, s.sql, count(*)::int as count from query_versions v
      join query_steps s on s.version_id = v.id group by 1, 2`;
    const counts = new Map(rows.map((row) => [`${row.query_id} ${row.sql}`, row.count]));
    return {
      what: "each accepted edit of a query created one version, and each rejected one none",
      looked: edits.length,
      wrong: edits.filter(({ queryId, edit, outcome }) => {
        const count = counts.get(`${queryId} select ${edit} as edit`) ?? 0;
        return outcome === "done" ? count !== 1 : count > (outcome === "unknown" ? 1 : 0);
      }),
    };
  },
  async ({ sql, ledger }) => {
    const done = ledger.of("decideChange").filter(({ outcome }) => outcome === "done");
    const rows = await sql`
      select a.id, a.kind, a.status, v.status as version_status
      from query_approvals a join query_versions v on v.id = a.version_id`;
    const approvals = new Map(rows.map((row) => [row.id, row]));
    return {
      what: "each decision about a change that returned success holds, and is the only one",
      looked: done.length,
      wrong: done.filter(({ approvalId, decision }) => {
        const approval = approvals.get(approvalId);
        const others = done.filter((each) => each.approvalId === approvalId).length;
        // First runs and archives do not change the version.
        const holds =
          approval?.status === (decision === "approve" ? "Approved" : "Rejected") &&
          (approval.kind !== "Change" || statusAfter[decision].includes(approval.version_status));
        return !holds || others > 1;
      }),
    };
  },
  async ({ sql, ledger }) => {
    const rows = await sql`select id, status from query_approvals where decided_at is not null`;
    const asked = new Set(
      ledger
        .of("decideChange")
        .filter(({ outcome }) => outcome !== "rejected")
        .map(({ approvalId }) => approvalId),
    );
    return {
      what: "each decided change had a request to decide it",
      looked: rows.length,
      wrong: rows.filter(({ id }) => !asked.has(id)),
    };
  },
  never(
    "each query has one active version, and its versions are numbered from 1 without gaps",
    `select q.id, count(*) filter (where v.status = 'Active') as active, count(*) as versions, max(v.number) as last
     from queries q join query_versions v on v.query_id = q.id group by 1`,
    "active <> 1 or versions <> last",
  ),
  never(
    "each approved change follows the previous one, and the last one is active",
    `select v.query_id, v.number, v.status, a.base_number,
       coalesce(lag(v.number) over (partition by v.query_id order by v.number), 1) as before,
       lead(v.number) over (partition by v.query_id order by v.number) as next
     from query_versions v join query_approvals a on a.version_id = v.id
     where a.kind = 'Change' and a.status = 'Approved'`,
    "base_number <> before or (status = 'Active') <> (next is null)",
  ),
];
