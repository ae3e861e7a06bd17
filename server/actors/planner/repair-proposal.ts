import { plural } from "../../text.ts";
import type { Briefing } from "../briefing.ts";
import type { Proposal, ProposedAction } from "../proposal.ts";
import type { Repair } from "../repair.ts";
import { withoutColumns } from "./adapt-check.ts";
import { sqlOf } from "./check-sql.ts";
import { escaped } from "./plain-text.ts";
import { checkIn } from "./written-check.ts";

/**
 * Repairs a proposal whose evidence failed: a failed query is proposed in a simpler form if there is one, without the
 * column that the engine complains about, and is otherwise dropped, along with its subscriptions.
 */
export function repairProposal({ proposal, faults }: Repair, { dataSource }: Briefing): Proposal {
  const errors = new Map(faults.map((fault) => [fault.index, fault.errors]));
  const dropped = new Set<string>();
  const notes: string[] = [];
  const actions = proposal.actions.flatMap((action, index): ProposedAction[] => {
    if (
      action.kind === "CreateSubscription" &&
      action.queryName !== null &&
      dropped.has(action.queryName.trim())
    )
      return [];
    const said = errors.get(index);
    if (!said) return [action];
    const reason = escaped(said.join("; ") || "it did not run", 400);
    const simpler = simplerForm(action, said, dataSource.dialect);
    if (simpler) {
      notes.push(`- **${labelOf(action)}** is proposed without what failed: ${reason}`);
      return [simpler];
    }
    if (action.kind === "CreateQuery") dropped.add(action.name.trim());
    notes.push(`- **${labelOf(action)}** is left out: ${reason}`);
    return [];
  });
  if (notes.length === 0) return proposal;
  return {
    ...proposal,
    summary: `${proposal.summary} ${plural(notes.length, "action")} did not stand the trial, and ${notes.length === 1 ? "was" : "were"} changed or left out.`,
    analysis: `${proposal.analysis}\n\n### What did not stand the trial\n\n${notes.join("\n")}`,
    actions,
  };
}

const labelOf = (action: ProposedAction) =>
  escaped(
    "name" in action
      ? action.name
      : `${action.kind}${"queryId" in action ? ` of query ${action.queryId}` : ""}`,
    200,
  );

/** A column named in the engine's message can be dropped if others remain. */
function simplerForm(
  action: ProposedAction,
  errors: readonly string[],
  dialect: Briefing["dataSource"]["dialect"],
): ProposedAction | null {
  if (action.kind !== "CreateQuery" && action.kind !== "RefineQuery") return null;
  const check = checkIn(action.sql);
  if (!check || check.kind === "Uniqueness") return null;
  const said = errors.join("\n");
  const isNamed = (column: string) =>
    column !== "" &&
    [`"${column}"`, `'${column}'`, `\`${column}\``, `.${column}'`, `column ${column} `].some((quoted) =>
      `${said} `.includes(quoted),
    );
  const simpler = withoutColumns(check, isNamed);
  const sql = simpler ? sqlOf(simpler, dialect) : action.sql;
  return sql === action.sql ? null : { ...action, sql };
}
