import { grantsIn } from "../../auth/permissions.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { namedIn } from "../../data-sources/named-in.ts";
import { changesBefore, windowHours } from "../../incidents/service/what-changed.ts";
import { relatedTables, tableKeyOf } from "../../lineage/service/walk.ts";
import { type Evidence, type Origin, rankCauses } from "../rank.ts";
import type { ReadWhy, WhyInput } from "../schema.ts";
import { findSubject, type Subject } from "./find-subject.ts";
import { nameOfFailure, readFailure, whyUnread } from "./read-failure.ts";

/** After so long, no further failure's rows are read. */
const max = { shown: 10, changes: 100, readMs: 45_000 };

/**
 * Why something is wrong, the strongest cause first: what failing rows have in common, what changed in the two days before,
 * and what was wrong upstream. Rows are read only for callers who may run evaluations; for others, and where a data source
 * does not respond, the rest is returned with a note. Throws not_found, and rejected if nothing is wrong.
 */
export async function explainWhy(ctx: SignedIn, asked: WhyInput): Promise<ReadWhy> {
  const subject = await findSubject(ctx, asked);
  const { since, items } = await changesBefore(subject);
  const changes = items.slice(0, max.changes);
  const { evidence, notes } = await readAll(
    ctx,
    subject,
    changes.map(({ at }) => at as Date),
  );
  const isNamed = namedIn(subject.errors);
  const causes = rankCauses({
    ...{ began: subject.began, windowHours, changes, evidence },
    origins: await originsOf(subject),
    isNamedInError: ({ kind, words }) =>
      kind === "Table" && subject.errors.length > 0 && lastWords(words).some(isNamed),
  });
  if (items.length === 0)
    notes.push(
      `Nothing is known to have changed since ${since.toISOString().slice(0, 16).replace("T", " ")} UTC: no reported event, version, changed column, or problem upstream`,
    );
  return {
    ...{ title: subject.title, began: subject.began },
    causes: causes.slice(0, max.shown),
    omitted: Math.max(0, causes.length - max.shown),
    ...{ notes, readAt: new Date() },
  };
}

/** The names in a sentence about a changed table: "shop.orders: Column total is gone". */
const lastWords = (words: string): string[] =>
  (/: (.*)/.exec(words)?.[1] ?? "")
    .match(/[\p{L}_][\p{L}\p{N}_$]{2,}/gu)
    ?.filter((word) => !common.has(word.toLowerCase())) ?? [];
const common = new Set([
  "column",
  "columns",
  "gone",
  "new",
  "the",
  "table",
  "type",
  "was",
  "now",
  "and",
  "from",
]);

async function readAll(
  ctx: SignedIn,
  { failures, projectId, errors }: Subject,
  moments: readonly Date[],
): Promise<{ evidence: Evidence[]; notes: string[] }> {
  const notes = errors.map((error) => `It could not run: ${error}`);
  if (failures.length === 0) return { evidence: [], notes };
  if (!grantsIn("evaluations:run", ctx.principal, projectId))
    return {
      evidence: [],
      notes: [...notes, "Rows were not read: that needs the role Editor, or the scope Execute"],
    };
  const evidence: Evidence[] = [];
  const latest = Date.now() + max.readMs;
  for (const failure of failures) {
    const about = nameOfFailure(failure);
    if (Date.now() > latest) {
      notes.push(`${about}: its rows were not read, since reading the others took too long`);
      continue;
    }
    try {
      const { note, ...rows } = await readFailure(ctx, failure, moments);
      evidence.push({ ...rows, about });
      if (note !== null) notes.push(`${about}: ${note}`);
    } catch (error) {
      notes.push(`${about}: ${whyUnread(error)}`);
    }
  }
  return { evidence, notes };
}

/** The problems of an incident from whose tables those of others are made, and that did not begin long after them. */
async function originsOf({ problems }: Subject): Promise<Origin[]> {
  if (problems.length < 2) return [];
  const found: Origin[] = [];
  for (const problem of problems.slice(0, 20)) {
    const below = await relatedTables(problem.tables, "Downstream");
    const others = problems.filter((other) => other !== problem);
    const downstream = others.filter(
      ({ tables, beganAt }) =>
        beganAt.getTime() >= problem.beganAt.getTime() - 3_600_000 &&
        tables.some((table) => below.has(tableKeyOf(table))),
    ).length;
    const { name, reason, beganAt: at, path } = problem;
    if (downstream > 0) found.push({ name, reason, at, path, downstream, others: others.length });
  }
  return found;
}
