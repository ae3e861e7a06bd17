import { listed, plural } from "../../text.ts";
import type { Briefing } from "../briefing.ts";
import type { Proposal } from "../proposal.ts";
import { checkNames, type WishedCheck } from "../wished-checks.ts";
import type { Wishes } from "../wishes.ts";
import { type CheckKind, checkKinds, identityOf, keyOf, type Table } from "./check.ts";
import { type Choice, chooseChecks, maxChecks } from "./choose-checks.ts";
import { chooseFaults } from "./choose-faults.ts";
import { actionsOf, type Draft, draftOf, NameBook, nameOf } from "./draft.ts";
import { type FaultDraft, faultActionsOf, faultDraftOf, whatLooksWrong, wrongToday } from "./fault-drafts.ts";
import { liveColumn, whyNothing } from "./find-checks.ts";
import { findingsOf } from "./findings.ts";
import { code, escaped, plain, someOf } from "./plain-text.ts";
import { type RankedTables, rankTables } from "./rank-tables.ts";
import { scheduleInWords } from "./schedule.ts";
import { profiledColumns, rowsOf, tableLabel } from "./table-facts.ts";
import { checksOf, findingsLookedFor, namesOf } from "./what-exists.ts";
import { isNamedKind, isWantedKind, wantedKinds, wishesOf } from "./wishes.ts";
import { findingIdentity } from "./written-finding.ts";

/**
 * The first queries for a data source, up to the remaining number: for what looks wrong today, then the checks that
 * matter most.
 */
export function proposeSetup(
  briefing: Briefing,
  summaryWhenNothing = "There is nothing to set up.",
): Proposal {
  const wishes = wishesOf(briefing);
  const tables = rankTables(briefing, wishes);
  const room = Math.min(briefing.limits.queriesLeft, wishes.maxChecks ?? maxChecks, maxChecks);
  const wrong = chooseFaults(briefing, wishes, {
    room,
    existing: new Set(findingsLookedFor(briefing).flatMap(findingIdentity)),
  });
  const names = new NameBook(namesOf(briefing));
  const faultDrafts = wrong.asks.map((ask) => faultDraftOf(ask, briefing, wishes, names));
  const existing = new Set(checksOf(briefing).map(identityOf));
  for (const { check } of faultDrafts) if (check) existing.add(identityOf(check));
  const choice = chooseChecks(tables, briefing, wishes, {
    room: room - faultDrafts.length,
    existing,
    besides: wrong.asks.flatMap(({ faults }) => faults),
  });
  const drafts = choice.chosen.map((candidate) => draftOf(candidate, briefing, wishes, names));
  return {
    summary:
      [wrongToday(wrong.faults), watchedIn(faultDrafts, drafts)]
        .flatMap((part) => (part === "" ? [] : `${part}.`))
        .join(" ") || summaryWhenNothing,
    analysis: [
      whatLooksWrong(wrong, faultDrafts, briefing),
      lookedAt(briefing),
      whatIsWatched(drafts, briefing),
      whatIsLeftOut(tables, choice, faultDrafts, briefing, wishes),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
    keyFindings: [
      ...wrong.faults.slice(0, faultsAmongFindings).map(({ statement }) => plain(statement, 600)),
      ...findingsOf(
        tables.ranked.map(({ table }) => table).concat(tables.leftOut.map(({ table }) => table)),
        briefing,
        wishes,
        wrong.faults,
      ),
    ],
    actions: [...faultDrafts.flatMap(faultActionsOf), ...drafts.flatMap(actionsOf)],
    answers: [],
    notification: null,
  };
}

const faultsAmongFindings = 12;

function watchedIn(faultDrafts: readonly FaultDraft[], drafts: readonly Draft[]): string {
  const all = [...faultDrafts, ...drafts];
  if (all.length === 0) return "";
  const watched = new Set(all.map(({ table }) => keyOf(table)));
  const kinds = [
    ...(faultDrafts.length > 0 ? [`what looks wrong (${faultDrafts.length})`] : []),
    ...kindsIn(drafts),
  ];
  return `Watch ${plural(watched.size, "table")} with ${plural(all.length, "check")}: ${listed(kinds)}`;
}

function kindsIn(drafts: readonly { check: { kind: CheckKind } }[]): string[] {
  return checkKinds.flatMap((kind) => {
    const count = drafts.filter(({ check }) => check.kind === kind).length;
    return count === 0 ? [] : [`${checkNames[kind]} (${count})`];
  });
}

function lookedAt(briefing: Briefing): string {
  const { tables, dataSource, omittedTables } = briefing;
  const profiled = tables.filter(({ profile }) => profile !== null);
  const rows = profiled.reduce(
    (sum, table) => sum + (rowsOf(table, dataSource.dialect)?.rows ?? table.profile?.rows ?? 0),
    0,
  );
  const omitted = omittedTables > 0 ? ` ${plural(omittedTables, "more table")} were not looked at.` : "";
  return `### What was looked at

${plural(tables.length, "table")} of ${code(dataSource.name)}; ${profiled.length === tables.length ? "all of them were" : `${plural(profiled.length, "table")} of them ${profiled.length === 1 ? "was" : "were"}`} read, with about ${plural(Math.round(rows), "row")} in all.${omitted} ${howLookedAt(briefing)}`;
}

/** How many rows were read, and what is shown of them. */
function howLookedAt({ findings: { tablesRead, isComplete } }: Briefing): string {
  if (tablesRead === null || tablesRead === 0)
    return "No values of texts were looked at, only counts, bounds and times.";
  const cut = isComplete ? "" : " There was no time to look for everything.";
  return `The rows of ${plural(tablesRead, "table")} were read for what looks wrong; personal data in what is said of them is masked.${cut} Otherwise only counts, bounds and times were looked at.`;
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
  return known ? `: ${known.isExact ? "" : "about "}${plural(known.rows, "row")}` : "";
}

function whatIsLeftOut(
  { ranked, leftOut }: RankedTables,
  { chosen, beyond }: Choice,
  faultDrafts: readonly FaultDraft[],
  briefing: Briefing,
  wishes: Wishes,
): string {
  const lines: string[] = [];
  if (beyond.length > 0)
    lines.push(
      `- ${plural(beyond.length, "more check")} for which ${roomLeft(briefing, chosen.length + faultDrafts.length, wishes)} no room, among them ${someOf(beyond.slice(0, 5).map((each) => `**${escaped(nameOf(each.check, briefing))}**`))}.`,
    );
  const withChecks = new Set([...faultDrafts, ...chosen, ...beyond].map(({ table }) => keyOf(table)));
  const nothing = ranked.filter(
    ({ table }) => !withChecks.has(keyOf(table)) && !isWatchedAlready(table, briefing),
  );
  const reasons = [
    ...leftOut,
    ...nothing.map(({ table }) => ({ table, reason: whyNothing(table, wantedKinds(wishes)) })),
  ];
  for (const [reason, tables] of Map.groupBy(reasons, ({ reason }) => reason))
    lines.push(
      `- ${someOf(tables.map(({ table }) => code(tableLabel(table, briefing))))}: ${escaped(reason, 300)}.`,
    );
  const still = ranked.filter(({ table }) => isStill(table, wishes)).map(({ table }) => table);
  if (still.length > 0)
    lines.push(
      `- Freshness of ${someOf(still.map((table) => code(tableLabel(table, briefing))))}: no rows have come for weeks by the dates and times in ${still.length === 1 ? "it" : "them"}.`,
    );
  lines.push(...otherKinds(wishes));
  const declared = briefing.tables.flatMap(({ columns }) =>
    columns.filter(({ references }) => references),
  ).length;
  if (declared > 0 && !isNamedKind(wishes, "Referential"))
    lines.push(
      `- ${plural(declared, "declared foreign key")}, which the database itself keeps. Choose checks of references where it may not.`,
    );
  return lines.length === 0 ? "" : `### What is left out\n\n${lines.join("\n")}`;
}

/** It has times, but no recent ones. */
const isStill = (table: Table, wishes: Wishes) =>
  profiledColumns(table).some(({ newest }) => newest !== null) &&
  liveColumn(table, wishes) === null &&
  isWantedKind(wishes, "Freshness");

const isWatchedAlready = (table: Table, briefing: Briefing) =>
  checksOf(briefing).some((check) => keyOf(check) === keyOf(table));

function roomLeft({ limits }: Briefing, chosen: number, { maxChecks }: Wishes): string {
  if (maxChecks && chosen >= maxChecks) return `the chosen limit of ${plural(maxChecks, "check")} leaves`;
  return chosen < limits.queriesLeft
    ? "one plan has"
    : `the limit of ${plural(limits.maxQueries, "query", "queries")} leaves`;
}

/** Kinds that were not chosen, and chosen ones that this planner does not support. */
function otherKinds(wishes: Wishes): string[] {
  if (wishes.checks.length === 0) return [];
  const known: readonly WishedCheck[] = checkKinds;
  const wanted = wantedKinds(wishes);
  const unknown = wishes.checks.filter((check) => !known.includes(check)).map((check) => checkNames[check]);
  const others = checkKinds.filter((kind) => !wanted.includes(kind)).map((kind) => checkNames[kind]);
  return [
    ...(others.length > 0 ? [`- Checks of ${listed(others)}: not among the chosen checks.`] : []),
    ...(unknown.length > 0 ? [`- Checks of ${listed(unknown)}: they need a language model.`] : []),
  ];
}
