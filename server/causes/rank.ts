import type { Change } from "../incidents/service/what-changed.ts";
import { lasting } from "../text.ts";
import type { ComparedRows, ReadCause } from "./schema.ts";
import type { Part, SegmentCounts } from "./segment.ts";
import type { Since } from "./since.ts";
import { type SinceChange, strengthOfChange, strengthOfRows, together } from "./strength.ts";

/** Puts rows, changes, and what is upstream in one list. Pure. */

/** What is known of one failure's rows. */
export type Evidence = {
  about: string;
  rows: ComparedRows;
  segments: readonly { parts: readonly Part[]; statement: string; counts: SegmentCounts }[];
  /** For each change in turn; null if nothing says when rows came. */
  since: readonly Since[] | null;
  upstream: readonly {
    dataSourceId: number;
    schemaName: string;
    tableName: string;
    columnName: string;
    failing: number;
    agreement: number;
  }[];
};

/** A problem of an incident from whose tables those of other problems are made. */
export type Origin = {
  name: string;
  reason: string;
  at: Date;
  path: string;
  /** How many of the other problems are downstream of it, and how many others there are. */
  downstream: number;
  others: number;
};

export type Found = {
  began: Date;
  windowHours: number;
  changes: readonly Change[];
  evidence: readonly Evidence[];
  origins: readonly Origin[];
  /** What checks that could not run say: a change of what an error names is more likely its cause. */
  isNamedInError(change: Change): boolean;
};

type Unranked = Omit<ReadCause, "id">;

/** What is weaker says nothing. */
const leastStrength = 0.01;
/** What comes from upstream is no more certain than this. */
const upstreamPrior = 0.97;
const originPrior = 0.9;

/** All causes that have some strength, the strongest first. */
export function rankCauses(found: Found): ReadCause[] {
  const { changes, evidence } = found;
  const causes: Unranked[] = [
    ...changes.map((change, place) => ofChange(change, place, found)),
    ...evidence.flatMap((each) => ofRows(each, changes)),
    ...evidence.flatMap(ofUpstream),
    ...found.origins.map((origin) => ofOrigin(origin)),
  ];
  return withoutRepeats(causes)
    .filter(({ strength }) => strength >= leastStrength)
    .sort((one, other) => other.strength - one.strength)
    .map((each, place) => ({ ...each, id: `C${place + 1}`, strength: rounded(each.strength) }));
}

const rounded = (strength: number) => Math.round(strength * 1000) / 1000;

const none = {
  ...{ about: null, at: null, parts: null, rows: null, share: null, usualShare: null, path: null, url: null },
};

function ofChange(change: Change, place: number, found: Found): Unranked {
  const { began, changes, evidence } = found;
  const counted = evidence
    .flatMap(({ since, about, rows }) => (since?.[place] ? [{ ...since[place], about, rows }] : []))
    .sort((one, other) => evidenceOf(other) - evidenceOf(one))[0];
  const isTold = evidence.some(({ since }) => since !== null);
  const since: SinceChange = counted ?? (isTold ? { counts: null } : null);
  const rivals = change.isFailure
    ? 1
    : changes.filter((other) => !other.isFailure && nearnessOf(other) >= nearnessOf(change)).length;
  const strength = strengthOfChange(change, {
    ...{ began, windowHours: found.windowHours, rivals },
    since,
  });
  const share = counted && counted.counts.failing / counted.counts.allFailing;
  const usualShare = counted && counted.counts.rows / counted.counts.allRows;
  return {
    ...none,
    kind: change.relation === "Upstream" ? "Upstream" : "Change",
    strength: found.isNamedInError(change) ? together(strength, 0.95) : strength,
    statement: `${change.words}.`,
    detail: [
      when(change, began),
      relationWords[change.relation],
      share !== undefined && usualShare !== undefined && counted
        ? `${percent(share)} of the failing rows have ${counted.column} since then, ${percent(usualShare)} of all rows do`
        : null,
      change.detail,
    ]
      .filter((part) => part !== null)
      .join("; "),
    about: counted?.about ?? null,
    at: change.at,
    rows: counted ? counted.rows : null,
    share: share ?? null,
    usualShare: usualShare ?? null,
    ...{ path: change.path, url: change.url },
  };
}

const evidenceOf = ({ counts, fit }: NonNullable<Since>) => strengthOfRows(counts) * fit;
const relations = ["Project", "Linked", "Upstream", "Affected"] as const;
const nearnessOf = ({ relation }: Change) => relations.indexOf(relation);
const relationWords: Record<Change["relation"], string | null> = {
  Affected: null,
  Upstream: "upstream",
  Linked: "linked by a foreign key",
  Project: "in this project",
};

function when({ at }: Change, began: Date): string {
  const seconds = (began.getTime() - Number(at)) / 1000;
  return Math.abs(seconds) < 60
    ? "at that moment"
    : `${lasting(Math.abs(seconds))} ${seconds > 0 ? "before" : "after"}`;
}

/** A whole percentage that never rounds to none or all. */
function percent(share: number): string {
  if (share >= 1) return "all";
  const whole = Math.round(share * 100);
  return whole === 0 ? "less than 1 %" : whole === 100 ? "more than 99 %" : `${whole} %`;
}

/** How long before the first failing rows a change may have been to be what they came with. */
const loadHours = 26;

function ofRows({ about, rows, segments, since }: Evidence, changes: readonly Change[]): Unranked[] {
  return segments.map(({ parts, statement, counts }) => {
    const [only, ...others] = parts;
    const moment = others.length === 0 && only?.is === "Between" ? only.from : null;
    const from = moment === null || /^-?\d+$/.test(moment) ? null : new Date(moment);
    // The moment by itself, of a change that says the same and more.
    const change = from && sameAs(from, strengthOfRows(counts), changes, since);
    return {
      ...none,
      kind: "Rows",
      strength: change ? strengthOfRows(counts) * 0.9 : strengthOfRows(counts),
      statement,
      detail: change ? `since ${change.words}` : null,
      ...{ about, rows, at: from, parts: [...parts] },
      share: Math.min(1, counts.failing / counts.allFailing),
      usualShare: Math.min(1, counts.rows / Math.max(1, counts.allRows)),
    };
  });
}

function sameAs(
  from: Date,
  strength: number,
  changes: readonly Change[],
  since: Evidence["since"],
): Change | undefined {
  return changes.find((change, place) => {
    const hours = (from.getTime() - Number(change.at)) / 3_600_000;
    const found = since?.[place];
    return (
      hours >= -0.25 && hours <= loadHours && found && found.fit >= 0.5 && evidenceOf(found) >= 0.9 * strength
    );
  });
}

function ofUpstream({ about, upstream }: Evidence): Unranked[] {
  return upstream
    .filter(({ agreement }) => agreement >= 0.5)
    .map(({ dataSourceId, schemaName, tableName, columnName, failing, agreement }) => ({
      ...none,
      kind: "Upstream",
      strength: upstreamPrior * agreement,
      statement: `It is so upstream already: ${failing} ${failing === 1 ? "row" : "rows"} of ${schemaName}.${tableName} fail by ${columnName}, too.`,
      ...{ detail: null, about },
      path: `/catalog/${dataSourceId}/${encodeURIComponent(schemaName)}/${encodeURIComponent(tableName)}`,
    }));
}

const ofOrigin = ({ name, reason, at, path, downstream, others }: Origin): Unranked => ({
  ...none,
  kind: "Upstream",
  strength: originPrior * (downstream / others),
  statement: `${name}: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.`,
  detail: `${downstream} of the ${others} other problems are of tables made from it`,
  ...{ at, path },
});

/** Of causes in the same words, the strongest. */
function withoutRepeats(causes: readonly Unranked[]): Unranked[] {
  const found = new Map<string, Unranked>();
  for (const each of causes) {
    const key = JSON.stringify([each.statement, each.at]);
    const other = found.get(key);
    if (!other || other.strength < each.strength) found.set(key, each);
  }
  return [...found.values()];
}
