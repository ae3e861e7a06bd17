import { createHmac } from "node:crypto";
import type { Cell } from "../data-sources/engines/engine.ts";
import { derivedKey } from "../db/encryption.ts";
import { figure, plural } from "../text.ts";
import { Decimal } from "./decimal.ts";
import type { KnownHere, Verdict } from "./rules/verdict.ts";

/** Failures that someone knows of: until a given time, a rule is judged as if they were not there. */

export type KnownFailure = KnownHere & {
  /** Recognizes a group or a value; null for all that fails the rule. */
  identity: string | null;
};

/** A failing value as it was found: how many rows it is in. */
export type FoundValue = { identity: string; rows: number };

/** How many a result lists, and how many its message does. */
const maxListed = 20;
const maxTold = 3;

/** The same for the same values, which it does not reveal: a contract may mask them or not keep them. */
export const groupIdentity = (key: readonly Cell[]): string =>
  identityOf(JSON.stringify(key.map((cell) => (cell === null ? null : String(cell)))));

/** That of a value of a rule's column, which is no group. */
export const valueIdentity = (column: string, value: Cell): string =>
  identityOf(`value ${JSON.stringify([column, value === null ? null : String(value)])}`);

const identityOf = (text: string): string =>
  createHmac("sha256", derivedKey("known failures")).update(text).digest("hex");

/**
 * The verdict as if what is known were not there; its message and figures have both. A rule that could not run measured
 * nothing, so nothing of it is known. `values` are the failing values that there are, of a rule without groups.
 */
export function withoutKnown(
  verdict: Verdict,
  known: readonly KnownFailure[],
  values: readonly FoundValue[] = [],
): Verdict {
  if (verdict.passed || !verdict.couldRun) return verdict;
  const whole = known.find(({ identity }) => identity === null);
  if (whole) {
    const words = verdict.failing ? `${figure(verdict.failing.toNumber())} failing, all` : "The failure is";
    const message = told(verdict, `${words} known ${inWords(whole)}`);
    return { ...verdict, passed: true, score: new Decimal(100), message, known: [shown(whole)] };
  }
  const { groups } = verdict;
  if (!groups) return withoutKnownValues(verdict, known, values);
  const failing = new Set(groups.failed.map(({ key }) => groupIdentity(key)));
  const found = known.filter(({ identity }) => identity !== null && failing.has(identity));
  if (found.length === 0) return verdict;
  const identities = new Set(found.map(({ identity }) => identity));
  const count = `${plural(groups.failed.length, "group")} failing, ${figure(identities.size)} known`;
  return {
    ...verdict,
    ...groups.without((key) => identities.has(groupIdentity(key))),
    message: told(verdict, `${count}: ${listed(found)}`),
    known: found.slice(0, maxListed).map(shown),
  };
}

function withoutKnownValues(
  verdict: Verdict,
  known: readonly KnownFailure[],
  values: readonly FoundValue[],
): Verdict {
  const identities = new Set(known.map(({ identity }) => identity));
  const gone = values.filter(({ identity }) => identities.has(identity));
  if (gone.length === 0 || !verdict.withoutValues) return verdict;
  const there = new Set(gone.map(({ identity }) => identity));
  const found = known.filter(({ identity }) => identity !== null && there.has(identity));
  const rows = gone.reduce((sum, each) => sum + each.rows, 0);
  const count = `${plural(gone.length, "failing value")} in ${plural(rows, "row")} known`;
  return {
    ...verdict,
    ...outcomeOf(verdict.withoutValues({ values: gone.length, rows })),
    message: told(verdict, `${count}: ${listed(found)}`),
    known: found.slice(0, maxListed).map(shown),
  };
}

const outcomeOf = ({ passed, score }: Pick<Verdict, "passed" | "score">) => ({ passed, score });

function listed(found: readonly KnownFailure[]): string {
  const list = found.slice(0, maxTold).map((each) => `${each.group} ${inWords(each)}`);
  const more = found.length > maxTold ? [`and ${figure(found.length - maxTold)} more`] : [];
  return [...list, ...more].join("; ");
}

const shown = ({ identity: _, ...known }: KnownFailure): KnownHere => known;
const inWords = ({ until, reason, by }: KnownHere) =>
  `until ${until.slice(0, 16).replace("T", " ")} UTC: ${reason} (${by})`;
const told = ({ message }: Verdict, words: string) => [message, words].filter(Boolean).join("\n");
