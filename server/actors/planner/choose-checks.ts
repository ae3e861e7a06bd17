import type { Briefing } from "../briefing.ts";
import type { Candidate } from "./candidate.ts";
import { type CheckKind, checkKinds, identityOf, keyOf } from "./check.ts";
import { findChecks } from "./find-checks.ts";
import type { RankedTables } from "./rank-tables.ts";
import { refusalOf, type Wishes, weightOf } from "./wishes.ts";

export type Choice = {
  /** By table, the most important first, and of one table in the order of kinds. */
  chosen: Candidate[];
  /** Good ones that the number of queries leaves no room for, the best first. */
  beyond: Candidate[];
};

/** With less than this, a check would cost more attention than it is worth. */
const leastScore = 34;
/** An approved plan runs them one by one, and a person reads them before. */
export const mostChecks = 20;
const mostOfTable = 6;

/**
 * Those that matter most, over all tables: what a check is good for, and how much its table matters. Whatever is
 * watched already is none of them.
 */
export function chooseChecks(
  { ranked }: Pick<RankedTables, "ranked">,
  briefing: Briefing,
  wishes: Wishes,
  {
    room,
    existing,
    kinds = checkKinds,
  }: { room: number; existing: ReadonlySet<string>; kinds?: readonly CheckKind[] },
): Choice {
  const position = new Map(ranked.map(({ table }, index) => [keyOf(table), index]));
  const scored = ranked.flatMap(({ table }, rank) => {
    const found = findChecks(table, briefing, wishes, kinds).filter(
      ({ check }) => refusalOf(wishes.all, check.kind, table) === null && !existing.has(identityOf(check)),
    );
    return withFrequency(found.toSorted((a, b) => b.score - a.score).slice(0, mostOfTable)).map(
      (candidate, index, all) => {
        const before = all.slice(0, index).filter(({ check }) => check.kind === candidate.check.kind).length;
        const score =
          candidate.score +
          40 / (1 + 0.35 * rank) +
          weightOf(wishes.all, candidate.check.kind, table) -
          6 * before;
        return { candidate, score };
      },
    );
  });
  scored.sort((a, b) => b.score - a.score);
  const good = scored.filter(({ score }) => score >= leastScore).map(({ candidate }) => candidate);
  const taken = good.slice(0, Math.max(0, Math.min(room, mostChecks)));
  const place = ({ table, check }: Candidate) =>
    (position.get(keyOf(table)) ?? 0) * checkKinds.length + checkKinds.indexOf(check.kind);
  return { chosen: taken.toSorted((a, b) => place(a) - place(b)), beyond: good.slice(taken.length) };
}

/** A table's row count is looked at as often as its freshness. */
function withFrequency(found: Candidate[]): Candidate[] {
  const isFrequent = found.some((each) => each.isFrequent);
  return isFrequent
    ? found.map((each) => (each.check.kind === "Volume" ? { ...each, isFrequent } : each))
    : found;
}
