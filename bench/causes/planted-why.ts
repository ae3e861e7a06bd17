import type { Random } from "../../faults/random.ts";
import { findSegments, type Observed } from "../../server/causes/find-segments.ts";
import { segmentInWords } from "../../server/causes/in-words.ts";
import { type Evidence, rankCauses } from "../../server/causes/rank.ts";
import type { ReadCause } from "../../server/causes/schema.ts";
import { countSince } from "../../server/causes/since.ts";
import type { Change } from "../../server/incidents/service/what-changed.ts";
import type { ColumnFacts } from "../../server/profile/observed-column.ts";
import { observe } from "../../server/profile/observed-table.ts";

/**
 * One thing that went wrong in a warehouse that is made up for it, with the changes that are always there: other deployments,
 * loads, versions, and noise among the failing rows. The cause is a segment, a moment, or a table upstream; what is asked is
 * the list that people get, from the rows and the changes on.
 */
export type PlantedWhy = {
  kind: "segment" | "moment" | "upstream";
  isTrue(cause: ReadCause): boolean;
  causes: ReadCause[];
};

const hour = 3_600_000;
const now = Date.UTC(2026, 10, 18, 12);

const facts = (name: string, kind: ColumnFacts["kind"], isPrimaryKey = false): ColumnFacts => ({
  ...{ name, kind, type: kind, isNullable: true, isPrimaryKey },
});
const columns = [
  facts("id", "integer", true),
  facts("arrived_at", "time"),
  facts("source", "text"),
  facts("region", "text"),
  facts("plan", "text"),
  facts("channel", "text"),
  facts("batch", "integer"),
  facts("note", "text"),
];

type Row = (string | number | null)[];

/** Rows of some weeks, more by day than by night, of categories that are unequal and partly depend on one another. */
function table(random: Random, days: number, size: number): Row[] {
  const sources = names("src", 3 + Math.floor(random.next() * 6));
  const regions = names("region", 3 + Math.floor(random.next() * 8));
  const plans = names("plan", 2 + Math.floor(random.next() * 3));
  const channels = names("ch", 2 + Math.floor(random.next() * 4));
  const pick = (list: readonly string[]) => list[Math.floor(random.next() ** 1.6 * list.length)] ?? "";
  const moments = Array.from({ length: size }, () => {
    const day = Math.floor(random.next() * days);
    const of = random.chance(0.8) ? 7 + random.next() * 14 : random.next() * 24;
    return now - (days - day) * 24 * hour + of * hour;
  })
    .filter((at) => at < now)
    .sort((one, other) => one - other);
  return moments.map((at, place) => {
    const source = pick(sources);
    return [
      place + 1,
      new Date(at).toISOString(),
      source,
      random.chance(0.3) ? (regions[sources.indexOf(source) % regions.length] ?? "") : pick(regions),
      pick(plans),
      pick(channels),
      Math.floor(at / (24 * hour)),
      random.chance(0.4) ? null : `note ${Math.floor(random.next() * 500)}`,
    ];
  });
}
const names = (of: string, count: number) =>
  Array.from({ length: count }, (_, place) => `${of}_${place + 1}`);

const change = (random: Random, began: number, more: Partial<Change>): Change => ({
  ...{ kind: "Reported", id: Math.floor(random.next() * 1e9), relation: "Project", isFailure: false },
  ...{ words: `Deployment ${Math.floor(random.next() * 1e9)}`, detail: null, path: null, url: null },
  ...{ isLasting: false, isSchema: false, at: new Date(began - random.next() * 47 * hour) },
  ...more,
});

/** What is always there in two days: none to five deployments and others, and loads of the table and of those upstream. */
function usualChanges(random: Random, began: number): Change[] {
  const some = (most: number, more: (place: number) => Partial<Change>) =>
    Array.from({ length: Math.floor(random.next() * (most + 1)) }, (_, place) =>
      change(random, began, more(place)),
    );
  return [
    ...some(5, () => ({})),
    ...some(3, (place) => ({ words: `Load of the table ${place}`, relation: "Affected" })),
    ...some(3, (place) => ({ words: `Load upstream ${place}`, relation: "Upstream" })),
    ...some(1, () => ({ kind: "ContractVersion", words: "Version 2 of the contract", relation: "Affected" })),
    ...some(1, () => ({ words: "Load elsewhere failed", isFailure: true, relation: "Linked" })),
  ];
}

export function plantWhy(random: Random, kind: PlantedWhy["kind"]): PlantedWhy {
  const rows = table(random, 20 + Math.floor(random.next() * 40), 4000 + Math.floor(random.next() * 8000));
  const noise = 0.02 + random.next() * 0.2;
  const share = 0.5 + random.next() * 0.5;
  /** Noticed by the next evaluation: within a day. */
  const began = now - random.next() * hour;
  if (kind === "segment") return plantSegment(random, rows, { noise, share, began });
  if (kind === "moment") return plantMoment(random, rows, { noise, share, began });
  return plantUpstream(random, rows, { noise, share, began });
}

type How = { noise: number; share: number; began: number };

function failingOf(random: Random, rows: readonly Row[], isOfCause: (row: Row) => boolean, how: How): Row[] {
  const inside = rows.filter(isOfCause);
  const others = rows.filter((row) => !isOfCause(row));
  const hit = new Set(inside.filter(() => random.chance(how.share)));
  const wanted = Math.round((hit.size * how.noise) / (1 - how.noise));
  for (const row of others) if (random.chance(wanted / Math.max(1, others.length))) hit.add(row);
  return rows.filter((row) => hit.has(row));
}

function explained(
  rows: readonly Row[],
  failing: readonly Row[],
  changes: readonly Change[],
  began: number,
  upstream: Evidence["upstream"] = [],
) {
  const target = { schemaName: "shop", tableName: "orders", columns };
  const observed: Observed = { all: observe(target, rows), failing: observe(target, failing) };
  const segments = findSegments(observed, { about: ["note"], mayShow: () => true })
    .slice(0, 5)
    .map((each) => ({ ...each, statement: segmentInWords(each, each.counts) }));
  const since = countSince(
    observed,
    changes.map(({ at }) => at as Date),
    { about: ["note"], now },
  );
  return rankCauses({
    ...{ began: new Date(began), windowHours: 48, changes, origins: [], isNamedInError: () => false },
    evidence: [{ about: "rule", rows: "Failing", segments, since, upstream }],
  });
}

/** Failing rows have a value of a column, or two of two columns. */
function plantSegment(random: Random, rows: readonly Row[], how: How): PlantedWhy {
  for (;;) {
    const places = random.chance(0.75)
      ? [2 + Math.floor(random.next() * 4)]
      : [2, 3 + Math.floor(random.next() * 3)];
    const like = rows[Math.floor(random.next() * rows.length)] as Row;
    const isOfCause = (row: Row) => places.every((place) => row[place] === like[place]);
    const size = rows.filter(isOfCause).length;
    if (size < 60 || size > rows.length * 0.4) continue;
    const changes = usualChanges(random, how.began);
    const causes = explained(rows, failingOf(random, rows, isOfCause, how), changes, how.began);
    const wanted = new Set(places.map((place) => `${columns[place]?.name}=${like[place]}`));
    return {
      ...{ kind: "segment", causes },
      isTrue: ({ parts }) =>
        parts !== null &&
        parts.length === wanted.size &&
        parts.every((part) => part.is === "Value" && wanted.has(`${part.column}=${part.value}`)),
    };
  }
}

/** Failing rows came since a moment, half an hour at most after a deployment that somebody reported, or nobody did. */
function plantMoment(random: Random, rows: readonly Row[], how: How): PlantedWhy {
  const at = how.began - (3 + random.next() * 40) * hour;
  const isOfCause = (row: Row) => Date.parse(String(row[1])) >= at;
  if (rows.filter(isOfCause).length < 60) return plantMoment(random, rows, how);
  const changes = usualChanges(random, how.began);
  const told = random.chance(0.6)
    ? change(random, how.began, {
        words: "The one",
        at: new Date(at - random.next() * 0.5 * hour),
        relation: random.chance(0.5) ? "Project" : "Affected",
      })
    : null;
  if (told) changes.push(told);
  const causes = explained(rows, failingOf(random, rows, isOfCause, how), changes, how.began);
  const first = Math.min(...rows.filter(isOfCause).map((row) => Date.parse(String(row[1]))));
  return {
    ...{ kind: "moment", causes },
    // The deployment if it is known; otherwise the moment, to the hour.
    isTrue: ({ parts, statement, kind }) =>
      told
        ? kind === "Change" && statement === "The one."
        : parts?.length === 1 &&
          parts[0]?.is === "Between" &&
          parts[0].from !== null &&
          Math.abs(Date.parse(parts[0].from) - first) <= hour,
  };
}

/** The same rows fail in a table upstream, or it had a problem of its own before; rows here have nothing in common. */
function plantUpstream(random: Random, rows: readonly Row[], how: How): PlantedWhy {
  const isOfCause = () => random.chance(0.05 + random.next() * 0.3);
  const picked = rows.filter(isOfCause);
  const failing = picked.filter(() => random.chance(how.share));
  const changes = usualChanges(random, how.began);
  const way = random.next();
  const upstreamTable = { dataSourceId: 1, schemaName: "raw", tableName: "orders", columnName: "total" };
  if (way < 0.4) {
    // The column is made from one upstream, in which some rows more or fewer fail: filters and joins.
    const agreement = 0.75 + random.next() * 0.25;
    const upstream = [{ ...upstreamTable, failing: Math.round(failing.length * agreement), agreement }];
    const causes = explained(rows, failing, changes, how.began, upstream);
    return { kind: "upstream", causes, isTrue: ({ statement }) => statement.includes("raw.orders") };
  }
  const isStillSo = random.chance(0.5);
  const told = change(random, how.began, {
    ...{ relation: "Upstream", isFailure: true, words: "The one", isLasting: isStillSo },
    at: new Date(how.began - random.next() * 12 * hour),
    kind: way < 0.6 ? "Incident" : way < 0.8 ? "Table" : "Reported",
  });
  if (told.kind === "Reported") told.isLasting = false;
  changes.push(told);
  // Rows may fail all over the table, or have nothing that says when they came.
  const causes = random.chance(0.5)
    ? explained(rows, failing, changes, how.began)
    : rankCauses({
        ...{ began: new Date(how.began), windowHours: 48, changes, origins: [], isNamedInError: () => false },
        evidence: [],
      });
  return { kind: "upstream", causes, isTrue: ({ statement }) => statement === "The one." };
}
