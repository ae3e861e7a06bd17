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
  /** By table, the most important first, and of one table in the order of kinds. */
  chosen: Candidate[];
  /** Good ones that the number of queries leaves no room for, the best first. */
  beyond: Candidate[];
};

/** With less than this, a check would cost more attention than it is worth. */
const minScore = 34;
/** An approved plan runs them one by one, and a person reads them before. */
export const maxChecks = 20;
const maxOfTable = 6;

/**
 * Those that matter most, over all tables: what a check is good for, and how much its table matters. Whatever is
 * watched already is none of them, nor what would return the rows of `besides`, for which there are queries.
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

/** Whether a check looks only for what looks wrong in its columns already. */
function isSaidBy(faults: readonly Fault[], check: Check): boolean {
  const same = faults.filter(
    (fault) => keyOf(fault) === keyOf(check) && checkKindOf(fault.kind) === check.kind,
  );
  const columns = columnsOf({ ...check, ...("shownWith" in check && { shownWith: [] }) });
  return same.length > 0 && columns.every((column) => same.some((fault) => fault.columns.includes(column)));
}

/** A table's row count is looked at as often as its freshness. */
function withFrequency(found: Candidate[]): Candidate[] {
  const isFrequent = found.some((each) => each.isFrequent);
  return isFrequent
    ? found.map((each) => (each.check.kind === "Volume" ? { ...each, isFrequent } : each))
    : found;
}
