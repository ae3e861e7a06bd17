import type { ProblemKind, TableReference } from "./schema.ts";
import { blindKinds, isBlind } from "./severity.ts";

/** Decides which incident a new problem belongs to. Pure. */

export type Placed = {
  kind: ProblemKind;
  dataSourceIds: readonly number[];
  tables: readonly TableReference[];
  beganAt: Date;
};

export type CurrentIncident = { id: number; openedAt: Date; problems: readonly Placed[] };

const minute = 60_000;
/** Checks of one data source that find something within this time probably read the same load. */
export const sameMomentMs = 5 * minute;
/** Checks that fail within this time probably fail for one reason. */
export const sameFailureMs = 10 * minute;
/** How long a fault may take to reach a table that is made from the first, or refers to it. */
export const spreadMs = 24 * 60 * minute;

export const keyOf = ({ dataSourceId, schemaName, tableName }: TableReference): string =>
  JSON.stringify([dataSourceId, schemaName, tableName]);

/** What is known of the surroundings of a problem's tables, by keys. */
export type Surroundings = {
  /** Tables that they are made from, or that are made from them. */
  line: ReadonlySet<string>;
  /** Tables that are made from something that they are made from, too. */
  siblings: ReadonlySet<string>;
  /** Tables that refer to them, or that they refer to. */
  linked: ReadonlySet<string>;
  /** Whether anything is known of what they are made from, or what is made from them. */
  isKnown: boolean;
  /** The same of a table of another problem. */
  knows(key: string): boolean;
};

type Growing = { id: number; openedAt: Date; place: number };

/**
 * Incidents that are not over, with their current problems by table, by data source, and by moment: a load that stops may leave
 * ten thousand tables with a problem each, and every new one is compared with those that it could belong to.
 */
export class CurrentIncidents {
  readonly #byId = new Map<number, Growing>();
  readonly #byKey = new Map<string, Map<Growing, Placed[]>>();

  constructor(incidents: readonly CurrentIncident[] = []) {
    for (const { id, openedAt, problems } of incidents)
      for (const problem of problems) this.add({ id, openedAt }, problem);
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  /** Adds a problem to an incident, which begins with its first one. */
  add({ id, openedAt }: Omit<CurrentIncident, "problems">, problem: Placed): void {
    const incident = this.#byId.get(id) ?? { id, openedAt, place: this.#byId.size };
    this.#byId.set(id, incident);
    for (const key of keysOf(problem)) {
      const about = this.#byKey.get(key) ?? new Map<Growing, Placed[]>();
      this.#byKey.set(key, about);
      const others = about.get(incident);
      if (others) others.push(problem);
      else about.set(incident, [problem]);
    }
  }

  /** The newest that has such a problem under one of these keys. */
  newestOf(keys: Iterable<string>, isSame: (problem: Placed) => boolean = () => true): number | null {
    let newest: Growing | null = null;
    for (const key of keys)
      for (const [incident, problems] of this.#byKey.get(key) ?? [])
        if ((newest === null || isNewer(incident, newest)) && problems.some(isSame)) newest = incident;
    return newest?.id ?? null;
  }
}

/** Everything that a later problem may have in common with it. */
const keysOf = (problem: Placed): Set<string> =>
  new Set([
    ...problem.tables.map(keyOf),
    ...sourceKeysOf(problem, [problem.kind]),
    ...momentKeysOf(problem, [0]),
  ]);

const sourceKeysOf = ({ dataSourceIds }: Placed, kinds: readonly ProblemKind[]) =>
  dataSourceIds.flatMap((id) => kinds.map((kind) => `${kind} of ${id}`));

/** By data source and by periods as long as what counts as one moment, so many periods away from its own. */
function momentKeysOf({ kind, dataSourceIds, beganAt }: Placed, away: readonly number[]): string[] {
  const blind = isBlind(kind);
  const period = Math.floor(beganAt.getTime() / momentMs(blind));
  return dataSourceIds.flatMap((id) => away.map((each) => `${blind} ${id} at ${period + each}`));
}

const momentMs = (blind: boolean) => (blind ? sameFailureMs : sameMomentMs);

const isNewer = (one: Growing, other: Growing) =>
  one.openedAt > other.openedAt ||
  (one.openedAt.getTime() === other.openedAt.getTime() && one.place < other.place);

/**
 * The incident that a new problem joins, or null if it opens its own. In this order: one about the same table; one of
 * a data source that cannot be reached; one of a table upstream or downstream, or that a foreign key links to this one, if it began
 * within a day; one that began at the same moment in the same data source, unless lineage knows both and says that they have
 * nothing to do with each other. Of several, the newest.
 */
export function incidentFor(
  problem: Placed,
  current: CurrentIncidents,
  { line, siblings, linked, isKnown, knows }: Surroundings,
): number | null {
  const blind = isBlind(problem.kind);
  const since = (other: Placed) => Math.abs(problem.beganAt.getTime() - other.beganAt.getTime());
  const isSoon = (other: Placed) => isBlind(other.kind) === blind && since(other) <= spreadMs;
  const areStrangers = (other: Placed) =>
    !blind &&
    isKnown &&
    other.tables.length > 0 &&
    other.tables.map(keyOf).every((key) => knows(key) && !siblings.has(key));
  const unreachable = sourceKeysOf(problem, problem.kind === "NotEvaluated" ? blindKinds : ["NotEvaluated"]);
  const isSameMoment = (other: Placed) => since(other) <= momentMs(blind) && !areStrangers(other);
  return (
    current.newestOf(new Set(problem.tables.map(keyOf))) ??
    (blind ? current.newestOf(unreachable) : null) ??
    current.newestOf(line, isSoon) ??
    current.newestOf(linked, isSoon) ??
    current.newestOf(momentKeysOf(problem, [-1, 0, 1]), isSameMoment)
  );
}
