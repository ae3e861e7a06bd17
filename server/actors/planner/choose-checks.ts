import type { Fault } from "../../findings/fault.ts";
import type { Briefing } from "../briefing.ts";
import type { Wishes } from "../wishes.ts";
import type { Candidate } from "./candidate.ts";
import { type Check, checkKinds, columnsOf, identityOf, keyOf } from "./check.ts";
import { checkKindOf } from "./choose-faults.ts";
import { findChecks } from "./find-checks.ts";
import type { RankedTables } from "./rank-tables.ts";
import { isWantedTable, wantedKinds, weightOf } from "./wishes.ts";

export type Choice = {
  /** By table, most important first, and by kind within a table. */
  chosen: Candidate[];
  /** Good candidates over the limit on queries, best first. */
  beyond: Candidate[];
};

/** A check with a lower score is not worth the attention it takes. */
const minScore = 34;
/** An approved plan runs them one by one, after a person has read them. */
export const maxChecks = 20;
const maxOfTable = 6;

/**
 * The checks that matter most across all tables, by the value of the check and the importance of its table. Excludes
 * what is already watched, and checks that would return the rows of `besides`, which have their own queries.
 */
export function chooseChecks(
  { ranked }: Pick<RankedTables, "ranked">,
  briefing: Briefing,
  wishes: Wishes,
  {
    room,
    existing,
    besides = [],
  }: { room: number; existing: ReadonlySet<string>; besides?: readonly Fault[] },
): Choice {
  const position = new Map(ranked.map(({ table }, index) => [keyOf(table), index]));
  const scored = ranked.flatMap(({ table }, rank) => {
    if (!isWantedTable(wishes, table)) return [];
    const found = findChecks(table, briefing, wishes, wantedKinds(wishes)).filter(
      ({ check }) => !existing.has(identityOf(check)) && !isSaidBy(besides, check),
    );
    return withFrequency(found.toSorted((a, b) => b.score - a.score).slice(0, maxOfTable)).map(
      (candidate, index, all) => {
        const before = all.slice(0, index).filter(({ check }) => check.kind === candidate.check.kind).length;
        const score =
          candidate.score +
          40 / (1 + 0.35 * rank) +
          weightOf(wishes, candidate.check.kind, table) -
          6 * before;
        return { candidate, score };
      },
    );
  });
  scored.sort((a, b) => b.score - a.score);
  const good = scored.filter(({ score }) => score >= minScore).map(({ candidate }) => candidate);
  const taken = good.slice(0, Math.max(0, Math.min(room, wishes.maxChecks ?? maxChecks, maxChecks)));
  const place = ({ table, check }: Candidate) =>
    (position.get(keyOf(table)) ?? 0) * checkKinds.length + checkKinds.indexOf(check.kind);
  return { chosen: taken.toSorted((a, b) => place(a) - place(b)), beyond: good.slice(taken.length) };
}

/** Whether a check would only find what already looks wrong in its columns. */
function isSaidBy(faults: readonly Fault[], check: Check): boolean {
  const same = faults.filter(
    (fault) => keyOf(fault) === keyOf(check) && checkKindOf(fault.kind) === check.kind,
  );
  const columns = columnsOf({ ...check, ...("shownWith" in check && { shownWith: [] }) });
  return same.length > 0 && columns.every((column) => same.some((fault) => fault.columns.includes(column)));
}

/** A table's row count is checked as often as its freshness. */
function withFrequency(found: Candidate[]): Candidate[] {
  const isFrequent = found.some((each) => each.isFrequent);
  return isFrequent
    ? found.map((each) => (each.check.kind === "Volume" ? { ...each, isFrequent } : each))
    : found;
}
