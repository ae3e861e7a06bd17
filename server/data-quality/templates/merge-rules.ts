import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { RuleWrite } from "../rule-schema.ts";
import { maxRules } from "../schema.ts";
import type { Given } from "./matches.ts";
import type { Departure } from "./schema.ts";

/** A template's rule in a contract, by the rule's key, which it keeps while it is left out. */
export type Link = { templateId: number; column: string | null; key: string; departure: Departure | null };

type Place = Pick<Given, "templateId" | "column">;

/** Two rules that check and count the same, whatever they are called. */
export const isSameCheck = (
  a: Pick<RuleWrite, "type" | "column" | "severity" | "weight" | "configuration">,
  b: Pick<RuleWrite, "type" | "column" | "severity" | "weight" | "configuration">,
): boolean =>
  isDeepStrictEqual(
    [a.type, a.column, a.severity, a.weight, a.configuration],
    [b.type, b.column, b.severity, b.weight, b.configuration],
  );

/**
 * A contract's rules with those that templates give it, and the links that are new or changed.
 *
 * Rules keep their places and keys; new ones come after those of templates that are first, so that what was written last
 * stays last. A rule that no template gives any more is dropped. A rule of the contract's own that checks the same becomes
 * the template's instead of being doubled. A contract keeps its last rule as its own, and takes no more than it can hold.
 */
export function mergeRules(
  written: readonly RuleWrite[],
  links: readonly Link[],
  given: readonly Given[],
): { rules: RuleWrite[]; links: Link[] } {
  const active = new Map(
    links.filter(({ departure }) => departure !== "Detached").map((link) => [link.key, link]),
  );
  const missing = new Map(given.map((each) => [placeOf(each), each]));
  for (const link of links) if (link.departure !== null) missing.delete(placeOf(link));

  const dropped: { rule: RuleWrite; link: Link }[] = [];
  const rules = written.flatMap((rule): RuleWrite[] => {
    const link = rule.key === undefined ? undefined : active.get(rule.key);
    if (!link) return [rule];
    const found = missing.get(placeOf(link));
    if (!found) {
      dropped.push({ rule, link });
      return [];
    }
    missing.delete(placeOf(link));
    return [{ ...found.rule, key: link.key }];
  });

  const known = new Map(links.map((link) => [placeOf(link), link]));
  const changed: Link[] = [];
  const added: RuleWrite[] = [];
  for (const [place, { templateId, column, rule }] of missing) {
    const own = rules.findIndex((each) => isFree(each, active, changed) && isSameCheck(each, rule));
    if (own < 0 && rules.length + added.length >= maxRules) continue;
    const key = rules[own]?.key ?? known.get(place)?.key ?? randomUUID();
    if (own < 0) added.push({ ...rule, key });
    else rules[own] = { ...rule, key };
    if (known.get(place)?.key !== key) changed.push({ templateId, column, key, departure: null });
  }

  const firstOwn = rules.findIndex(({ key }) => key === undefined || !active.has(key));
  rules.splice(firstOwn < 0 ? rules.length : firstOwn, 0, ...added);

  const [last] = dropped;
  if (rules.length === 0 && last) {
    rules.push(last.rule);
    changed.push({ ...last.link, departure: "Detached" });
  }
  return { rules, links: changed };
}

const isFree = ({ key }: RuleWrite, active: ReadonlyMap<string, Link>, changed: readonly Link[]): boolean =>
  key === undefined || (!active.has(key) && !changed.some((link) => link.key === key));

const placeOf = ({ templateId, column }: Place): string => JSON.stringify([templateId, column]);
