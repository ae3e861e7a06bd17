import { createHmac } from "node:crypto";
import type { Cell } from "../data-sources/engines/engine.ts";
import { derivedKey } from "../db/encryption.ts";
import { figure, plural } from "../text.ts";
import { Decimal } from "./decimal.ts";
import type { KnownHere, Verdict } from "./rules/verdict.ts";

/** Failures that someone knows of: until a given time, a rule is judged as if they were not there. */

export type KnownFailure = KnownHere & {
  /** Recognizes a group; null for all that fails the rule. */
  identity: string | null;
};

/** How many a result lists, and how many its message does. */
const maxListed = 20;
const maxTold = 3;

/** The same for the same values, which it does not reveal: a contract may mask them or not keep them. */
export const groupIdentity = (key: readonly Cell[]): string =>
  createHmac("sha256", derivedKey("known failures"))
    .update(JSON.stringify(key.map((cell) => (cell === null ? null : String(cell)))))
    .digest("hex");

/**
 * The verdict as if what is known were not there; its message and figures have both. A rule that could not run measured
 * nothing, so nothing of it is known.
 */
export function withoutKnown(verdict: Verdict, known: readonly KnownFailure[]): Verdict {
  if (verdict.passed || !verdict.couldRun) return verdict;
  const whole = known.find(({ identity }) => identity === null);
  if (whole) {
    const words = verdict.failing ? `${figure(verdict.failing.toNumber())} failing, all` : "The failure is";
    const message = told(verdict, `${words} known ${inWords(whole)}`);
    return { ...verdict, passed: true, score: new Decimal(100), message, known: [shown(whole)] };
  }
  const { groups } = verdict;
  if (!groups) return verdict;
  const failing = new Set(groups.failed.map(({ key }) => groupIdentity(key)));
  const found = known.filter(({ identity }) => identity !== null && failing.has(identity));
  if (found.length === 0) return verdict;
  const identities = new Set(found.map(({ identity }) => identity));
  const list = found.slice(0, maxTold).map((each) => `${each.group} ${inWords(each)}`);
  const more = found.length > maxTold ? [`and ${figure(found.length - maxTold)} more`] : [];
  const count = `${plural(groups.failed.length, "group")} failing, ${figure(identities.size)} known`;
  return {
    ...verdict,
    ...groups.without((key) => identities.has(groupIdentity(key))),
    message: told(verdict, `${count}: ${[...list, ...more].join("; ")}`),
    known: found.slice(0, maxListed).map(shown),
  };
}

const shown = ({ identity: _, ...known }: KnownFailure): KnownHere => known;
const inWords = ({ until, reason, by }: KnownHere) =>
  `until ${until.slice(0, 16).replace("T", " ")} UTC: ${reason} (${by})`;
const told = ({ message }: Verdict, words: string) => [message, words].filter(Boolean).join("\n");
