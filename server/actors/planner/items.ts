import type { BriefedQuery, Briefing } from "../briefing.ts";
import type { ProposedAction } from "../proposal.ts";
import { type Check, identityOf } from "./check.ts";
import { checkIn } from "./written-check.ts";
import { findingIn, type WrittenFinding } from "./written-finding.ts";

export type CreateQuery = Extract<ProposedAction, { kind: "CreateQuery" }>;
export type CreateSubscription = Extract<ProposedAction, { kind: "CreateSubscription" }>;

/** Something a person can refer to: an existing query or one of a plan, with its subscriptions. */
export type Item = { name: string; check: Check | null; finding: WrittenFinding | null } & (
  | { origin: "existing"; query: BriefedQuery }
  | { origin: "proposed"; create: CreateQuery; subscriptions: CreateSubscription[] }
);
export type Proposed = Extract<Item, { origin: "proposed" }>;
export type Existing = Extract<Item, { origin: "existing" }>;

export const existingItems = ({ queries }: Briefing): Existing[] =>
  queries.map((query) => ({
    origin: "existing",
    name: query.name,
    check: checkIn(query.sql),
    finding: findingIn(query.sql),
    query,
  }));

/** The queries of a plan with their subscriptions, and its other actions. */
export function proposedItems(actions: readonly ProposedAction[]): {
  items: Proposed[];
  others: ProposedAction[];
} {
  const items = actions.flatMap((create): Proposed[] =>
    create.kind === "CreateQuery"
      ? [
          {
            origin: "proposed",
            name: create.name.trim(),
            check: checkIn(create.sql),
            finding: findingIn(create.sql),
            create,
            subscriptions: [],
          },
        ]
      : [],
  );
  const others: ProposedAction[] = [];
  for (const action of actions) {
    if (action.kind === "CreateQuery") continue;
    const of = action.kind === "CreateSubscription" ? action.queryName?.trim() : undefined;
    const item = items.find(({ name }) => name === of);
    if (item && action.kind === "CreateSubscription") item.subscriptions.push(action);
    else others.push(action);
  }
  return { items, others };
}

export const actionsOfItem = ({ create, subscriptions }: Proposed): ProposedAction[] => [
  create,
  ...subscriptions,
];

export const identitiesOf = (items: readonly Item[]) =>
  new Set(items.flatMap(({ check }) => (check ? [identityOf(check)] : [])));
