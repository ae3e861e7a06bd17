import { counted } from "../../data-quality/rules/figures.ts";
import type { Briefing } from "../briefing.ts";
import type { Proposal } from "../proposal.ts";
import type { Candidate } from "./candidate.ts";
import { type CheckKind, checkKinds, identityOf, keyOf, type Table } from "./check.ts";
import { type Choice, chooseChecks } from "./choose-checks.ts";
import { actionsOf, type Draft, draftOf, NameBook, nameOf } from "./draft.ts";
import { liveColumn, whyNothing } from "./find-checks.ts";
import { findingsOf } from "./findings.ts";
import { code, escaped, listed, someOf } from "./plain-text.ts";
import { type RankedTables, rankTables } from "./rank-tables.ts";
import { scheduleInWords } from "./schedule.ts";
import { profiledColumns, rowsOf, tableLabel } from "./table-facts.ts";
import { kindNames } from "./vocabulary.ts";
import { checksOf, namesOf } from "./what-exists.ts";
import { refusalOf, type Wishes, wishesOf } from "./wishes.ts";

/** A first set of checks for a data source: what matters most, within the number of queries that are left. */
export function proposeSetup(
  briefing: Briefing,
  summaryWhenNothing = "There is nothing to set up.",
): Proposal {
  const wishes = wishesOf(briefing);
  const tables = rankTables(briefing, wishes);
  const existing = new Set(checksOf(briefing).map(identityOf));
  const choice = chooseChecks(tables, briefing, wishes, { room: briefing.limits.queriesLeft, existing });
  const names = new NameBook(namesOf(briefing));
  const drafts = choice.chosen.map((candidate) => draftOf(candidate, briefing, wishes, names));
  const watched = new Set(drafts.map(({ table }) => keyOf(table)));
  return {
    summary:
      drafts.length === 0
        ? summaryWhenNothing
        : `Watch ${counted(watched.size, "table")} with ${counted(drafts.length, "check")}: ${kindsIn(drafts)}.`,
    analysis: [
      lookedAt(briefing),
      whatIsWatched(drafts, briefing),
      whatIsLeftOut(tables, choice, briefing, wishes),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
    keyFindings: findingsOf(
      tables.ranked.map(({ table }) => table).concat(tables.leftOut.map(({ table }) => table)),
      briefing,
      wishes,
    ),
    actions: drafts.flatMap(actionsOf),
    notification: null,
  };
}

export function kindsIn(drafts: readonly { check: { kind: CheckKind } }[]): string {
  const counts = checkKinds.flatMap((kind) => {
    const count = drafts.filter(({ check }) => check.kind === kind).length;
    return count === 0 ? [] : [`${kindNames[kind]} (${count})`];
  });
  return listed(counts);
}

function lookedAt(briefing: Briefing): string {
  const { tables, dataSource, omittedTables } = briefing;
  const profiled = tables.filter(({ profile }) => profile !== null);
  const rows = profiled.reduce(
    (sum, table) => sum + (rowsOf(table, dataSource.dialect)?.rows ?? table.profile?.rows ?? 0),
    0,
  );
  const omitted = omittedTables > 0 ? ` ${counted(omittedTables, "more table")} were not looked at.` : "";
  return `### What was looked at

${counted(tables.length, "table")} of ${code(dataSource.name)}; ${profiled.length === tables.length ? "all of them were" : `${counted(profiled.length, "table")} of them ${profiled.length === 1 ? "was" : "were"}`} read, with about ${counted(Math.round(rows), "row")} in all.${omitted} No values of texts were looked at, only counts, bounds and times.`;
}

export function whatIsWatched(drafts: readonly Draft[], briefing: Briefing): string {
  if (drafts.length === 0) return "";
  const byTable = [...Map.groupBy(drafts, ({ table }) => keyOf(table)).values()];
  const parts = byTable.map((own) => {
    const [first] = own;
    if (!first) return "";
    const lines = own.map(
      ({ name, meaning, seen, schedule }) =>
        `- **${escaped(name)}**, ${scheduleInWords(schedule)}. ${escaped(seen, 600)}. ${escaped(meaning, 600)}`,
    );
    return `**${escaped(tableLabel(first.table, briefing))}**${about(first.table, briefing)}\n\n${lines.join("\n")}`;
  });
  return `### What is to be watched\n\n${parts.join("\n\n")}`;
}

function about(table: Table, briefing: Briefing): string {
  const known = rowsOf(table, briefing.dataSource.dialect);
  return known ? `: ${known.isExact ? "" : "about "}${counted(known.rows, "row")}` : "";
}

function whatIsLeftOut(
  { ranked, leftOut }: RankedTables,
  { chosen, beyond }: Choice,
  briefing: Briefing,
  wishes: Wishes,
): string {
  const lines: string[] = [];
  if (beyond.length > 0)
    lines.push(
      `- ${counted(beyond.length, "more check")} for which ${roomLeft(briefing, chosen)} no room, among them ${someOf(beyond.slice(0, 5).map((each) => `**${escaped(nameOf(each.check, briefing))}**`))}.`,
    );
  const withChecks = new Set([...chosen, ...beyond].map(({ table }) => keyOf(table)));
  const nothing = ranked.filter(
    ({ table }) => !withChecks.has(keyOf(table)) && !isWatchedAlready(table, briefing),
  );
  const reasons = [...leftOut, ...nothing.map(({ table }) => ({ table, reason: whyNothing(table) }))];
  for (const [reason, tables] of Map.groupBy(reasons, ({ reason }) => reason))
    lines.push(
      `- ${someOf(tables.map(({ table }) => code(tableLabel(table, briefing))))}: ${escaped(reason, 300)}.`,
    );
  const still = ranked.filter(({ table }) => isStill(table, wishes)).map(({ table }) => table);
  if (still.length > 0)
    lines.push(
      `- Freshness of ${someOf(still.map((table) => code(tableLabel(table, briefing))))}: no rows have come for weeks by the dates and times in ${still.length === 1 ? "it" : "them"}.`,
    );
  lines.push(...refusedKinds(briefing, wishes));
  const declared = briefing.tables.flatMap(({ columns }) =>
    columns.filter(({ references }) => references),
  ).length;
  if (
    declared > 0 &&
    !wishes.all.some(({ stance, kinds }) => stance !== "exclude" && kinds.includes("Orphans"))
  )
    lines.push(
      `- ${counted(declared, "declared foreign key")}, which the database itself keeps. Ask for orphans where it may not.`,
    );
  return lines.length === 0 ? "" : `### What is left out\n\n${lines.join("\n")}`;
}

/** It has times, and none of them is of lately. */
const isStill = (table: Table, { all }: Wishes) =>
  profiledColumns(table).some(({ newest }) => newest !== null) &&
  liveColumn(table, all) === null &&
  refusalOf(all, "Freshness", table) === null;

const isWatchedAlready = (table: Table, briefing: Briefing) =>
  checksOf(briefing).some((check) => keyOf(check) === keyOf(table));

function roomLeft({ limits }: Briefing, chosen: readonly Candidate[]): string {
  return chosen.length < limits.queriesLeft
    ? "one plan has"
    : `the limit of ${counted(limits.maxQueries, "query", "queries")} leaves`;
}

/** Kinds that nobody wants on any table, with what was said. */
function refusedKinds({ tables }: Briefing, { all }: Wishes): string[] {
  return checkKinds.flatMap((kind) => {
    const refusals = tables.map((table) =>
      refusalOf(
        all.filter(({ mentions }) => mentions.tables.size === 0),
        kind,
        table,
      ),
    );
    const [refusal] = refusals;
    return refusal && refusals.every((each) => each !== null)
      ? [`- Everything about ${kindNames[kind]}, as was said: “${escaped(refusal.text, 80)}”.`]
      : [];
  });
}
