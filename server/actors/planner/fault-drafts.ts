import { dialects } from "../../data-sources/dialects/dialects.ts";
import { rowsOfAnySql, rowsSql } from "../../findings/condition-sql.ts";
import type { Fault } from "../../findings/fault.ts";
import { figure, plural } from "../../text.ts";
import type { Briefing } from "../briefing.ts";
import type { ProposedAction } from "../proposal.ts";
import type { Wishes } from "../wishes.ts";
import { sqlOf } from "./check-sql.ts";
import { type Ask, type FaultChoice, writtenOf } from "./choose-faults.ts";
import { type NameBook, nameOf, seedOf, spoken, thing } from "./draft.ts";
import { escaped, plain } from "./plain-text.ts";
import { cronOf, type Schedule, scheduleInWords } from "./schedule.ts";
import { tableLabel } from "./table-facts.ts";
import { findingComment } from "./written-finding.ts";

/** A proposed query for what looks wrong. */
export type FaultDraft = Ask & { name: string; sql: string; schedule: Schedule; timezone: string };

export function faultDraftOf(ask: Ask, briefing: Briefing, wishes: Wishes, names: NameBook): FaultDraft {
  return {
    ...ask,
    name: names.take(ask.check ? nameOf(ask.check, briefing) : faultNameOf(ask.faults, briefing)),
    sql: ask.check ? sqlOf(ask.check, briefing.dataSource.dialect) : faultSql(ask, briefing),
    schedule: wishes.schedule ?? "daily",
    timezone: wishes.schedule?.timezone ?? "UTC",
  };
}

/** A short name for notifications about its rows. */
function faultNameOf(faults: readonly Fault[], briefing: Briefing): string {
  const [fault, ...others] = faults;
  if (!fault) return "";
  const label = plain(tableLabel(fault, briefing), 100);
  if (others.length > 0) return `Wrong values in ${label}`;
  const columns = fault.columns.map((column) => plain(column)).join(" and ");
  switch (fault.kind) {
    case "MissingValue":
      return `Missing ${columns} in ${label}`;
    case "DisguisedMissing":
      return `Placeholders for ${columns} in ${label}`;
    case "Duplicate":
      return fault.columns.length > 3
        ? `Rows that come twice in ${label}`
        : `Duplicate ${columns} in ${label}`;
    case "Orphan":
      return `${spoken(label)} with an unknown ${fault.columns.map(thing).join(" and ")}`;
    case "OutOfRange":
      return `Unlikely ${columns} in ${label}`;
    case "Format":
      return `Malformed ${columns} in ${label}`;
    case "Type":
      return `Wrong type of ${columns} in ${label}`;
    case "Variant":
      return `Variant spellings of ${columns} in ${label}`;
    case "Inconsistent":
      return `Conflicting ${columns} in ${label}`;
    case "Impossible":
      return `Impossible ${columns} in ${label}`;
    case "Encoding":
      return `Garbled ${columns} in ${label}`;
    case "Stale":
      return `No new rows in ${label}`;
    case "Truncated":
      return `Missing rows in ${label}`;
  }
}

function faultSql({ table, faults }: Ask, { dataSource }: Briefing): string {
  const dialect = dialects[dataSource.dialect];
  const columns = table.columns.map(({ name, type, nullable, isPrimaryKey, references }) => ({
    ...{ name, type, isPrimaryKey, references, isNullable: nullable, kind: dialect.kindOf(type) },
  }));
  const { schemaName, tableName } = table;
  const target = { dialect, schemaName, tableName, columns };
  const [only, ...others] = faults.flatMap(({ condition }) => condition ?? []);
  const sql =
    only && others.length === 0 ? rowsSql(target, only) : rowsOfAnySql(target, only ? [only, ...others] : []);
  return `${findingComment(writtenOf(faults))}\n${sql}`;
}

export function faultActionsOf({
  faults,
  check,
  name,
  sql,
  schedule,
  timezone,
}: FaultDraft): ProposedAction[] {
  const said = faults.map(({ statement }) => plain(statement, 600)).join(" ");
  const seed = check ? seedOf(check) : findingComment(writtenOf(faults));
  return [
    {
      kind: "CreateQuery",
      reasoning: plain(`It looks wrong today: ${said}`, 1500),
      name,
      description: plain(`${meaningOf(faults)} When it was proposed: ${said}`, 3000),
      sql,
    },
    {
      kind: "CreateSubscription",
      reasoning:
        typeof schedule === "object"
          ? `It runs ${scheduleInWords(schedule)}, as was chosen.`
          : `It runs ${scheduleInWords(schedule)}: until the rows are corrected, and when more come.`,
      queryName: name,
      queryId: null,
      cronExpression: cronOf(schedule, seed),
      timezone,
    },
  ];
}

function meaningOf(faults: readonly Fault[]): string {
  if (faults.every(({ failingRows }) => failingRows === 0)) return "A row says that rows are missing.";
  return faults.length === 1
    ? "Returns the rows that look wrong."
    : `Returns the rows that look wrong for at least one of ${figure(faults.length)} reasons.`;
}

/** `5 things look wrong today`; empty if nothing does. */
export const wrongToday = (faults: readonly Fault[]): string =>
  faults.length === 0
    ? ""
    : `${plural(faults.length, "thing")} ${faults.length === 1 ? "looks" : "look"} wrong today`;

const listed = 60;

/** For the analysis, in Markdown: what looks wrong, worst first, each with the query that returns its rows. */
export function whatLooksWrong(
  { faults }: FaultChoice,
  drafts: readonly FaultDraft[],
  briefing: Briefing,
): string {
  if (faults.length === 0) return "";
  const lines = faults.slice(0, listed).map((fault) => {
    const draft = drafts.find((each) => each.faults.includes(fault));
    const sure = `${Math.round(fault.confidence * 100)}% sure`;
    const where = escaped(tableLabel(fault, briefing));
    const by = draft
      ? `**${escaped(draft.name)}**, ${scheduleInWords(draft.schedule)}`
      : `**${where}**, no query`;
    return `- ${by}: ${escaped(fault.statement, 600)} (${sure})`;
  });
  const more = faults.length - lines.length;
  if (more > 0) lines.push(`- ${plural(more, "more finding")}.`);
  return `### What looks wrong today\n\n${wrongToday(faults)}${faults.length > 1 ? ", worst first" : ""}. Each query returns the rows in question.\n\n${lines.join("\n")}`;
}
