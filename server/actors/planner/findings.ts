import type { Fault } from "../../findings/fault.ts";
import type { ColumnProfile } from "../../profile/table-profile.ts";
import { plural } from "../../text.ts";
import type { Briefing } from "../briefing.ts";
import type { Wishes } from "../wishes.ts";
import { keyOf, type Table } from "./check.ts";
import { liveColumn } from "./find-checks.ts";
import { findReferences } from "./find-references.ts";
import { arrivalRank } from "./freshness-allowance.ts";
import { wordsOf } from "./name-words.ts";
import { duration, plain, someOf } from "./plain-text.ts";
import { isNamedLikeKey, profiledColumns, tableLabel } from "./table-facts.ts";
import { isWantedTable } from "./wishes.ts";

const max = { ofOneSort: 3, all: 8 };

/**
 * What is worth knowing about the data now, watched or not; most severe first. Says nothing twice about a column.
 */
export function findingsOf(
  tables: readonly Table[],
  briefing: Briefing,
  wishes: Wishes,
  told: readonly Fault[] = [],
): string[] {
  const wanted = tables
    .filter((table) => isWantedTable(wishes, table))
    .map((table) => withoutColumns(table, told));
  const label = (table: Table) => plain(tableLabel(table, briefing));
  const finders = [stopped, missingReferences, future, nearlyUnique, rarelyMissing];
  const found = finders.flatMap((find) =>
    wanted.flatMap((table) => find(table, label(table), briefing, wishes)).slice(0, max.ofOneSort),
  );
  const empty = wanted.filter(({ profile }) => profile?.rows === 0).map(label);
  const none = empty.length === 0 ? [] : [`Empty: ${someOf(empty)}.`];
  return [...found, ...none].slice(0, max.all);
}

function withoutColumns(table: Table, told: readonly Fault[]): Table {
  const columns = told.filter((fault) => keyOf(fault) === keyOf(table)).flatMap((fault) => fault.columns);
  if (columns.length === 0 || !table.profile) return table;
  const left = table.profile.columns.filter(({ name }) => !columns.includes(name));
  return { ...table, profile: { ...table.profile, columns: left } };
}

type Find = (table: Table, label: string, briefing: Briefing, wishes: Wishes) => string[];

const stopped: Find = (table, label, _, wishes) => {
  const live = liveColumn(table, wishes);
  if (live?.allowance.hasStopped)
    return [
      `${label} got its last row ${duration(live.allowance.ageMinutes)} ago, by ${plain(live.column.name)}; before that, ${live.allowance.rhythm}.`,
    ];
  if (live) return [];
  const [newest] = profiledColumns(table)
    .filter((column) => arrivalRank(column) >= 4 && column.ageSeconds !== null && column.ageSeconds > 0)
    .sort((a, b) => (a.ageSeconds ?? 0) - (b.ageSeconds ?? 0));
  const days = (newest?.ageSeconds ?? 0) / 86_400;
  return newest && days > 2 && days < 90
    ? [`${label} got its last row ${duration(days * 1440)} ago, by ${plain(newest.name)}.`]
    : [];
};

const missingReferences: Find = (table, label, briefing, wishes) => {
  const references = new Set(findReferences(table, briefing, wishes).map(({ column }) => column));
  return profiledColumns(table)
    .filter(({ name, references: declared }) => declared || references.has(name))
    .flatMap((column) => {
      const { percent, nulls, rows } = nullsOf(column, table);
      return nulls === 0 || percent > 50
        ? []
        : [
            `${percentage(percent)} of ${label}.${plain(column.name)} are NULL: ${plural(nulls, "row")} of ${rows} refer to nothing.`,
          ];
    });
};

const rarelyMissing: Find = (table, label) =>
  profiledColumns(table).flatMap((column) => {
    const { percent, nulls, rows } = nullsOf(column, table);
    const isMeant = /(^|_)(deleted|removed|closed|ended|cancel)/i.test(column.name);
    return nulls === 0 || percent > 1 || isMeant || column.references
      ? []
      : [
          `${label}.${plain(column.name)} is almost always there, and missing in ${plural(nulls, "row")} of ${rows}.`,
        ];
  });

function nullsOf({ values }: ColumnProfile, { profile }: Table) {
  const rows = profile?.rows ?? 0;
  const nulls = rows - values;
  return { nulls, percent: rows === 0 ? 0 : (100 * nulls) / rows, rows: rows.toLocaleString("en") };
}

const percentage = (percent: number) =>
  percent < 0.1 ? "Less than 0.1%" : `${percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;

/** Planned times are in the future; past ones are not. */
const future: Find = (table, label) =>
  profiledColumns(table).flatMap(({ name, newest, ageSeconds, kind }) => {
    const isPlan = wordsOf(name).some((word) =>
      /^(due|expir\w*|valid|until|to|end|ends|plan\w*|schedul\w*|deadline|effective|renew\w*|deliver\w*|next|start|starts|departure|arrival|appointment)$/.test(
        word,
      ),
    );
    return (kind === "date" || kind === "time") &&
      newest !== null &&
      (ageSeconds ?? 0) < -2 * 86_400 &&
      !isPlan
      ? [`The latest ${plain(name)} in ${label} is ${plain(newest, 30)}, which is in the future.`]
      : [];
  });

const nearlyUnique: Find = (table, label) =>
  table.profile?.isWhole
    ? profiledColumns(table).flatMap(({ name, values, different, references, kind }) => {
        const isKey = isNamedLikeKey(name) && !references;
        const isClose =
          different !== null && values >= 100 && different < values && different >= values * 0.99;
        return isClose && (isKey || kind === "text")
          ? [
              `${plural(values, "value")} of ${label}.${plain(name)}, of which ${different?.toLocaleString("en")} are different: a few come more than once.`,
            ]
          : [];
      })
    : [];
