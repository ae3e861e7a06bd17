import { hashOfShown } from "../shown-hash.ts";
import type { ProposedAction } from "./proposal.ts";
import type { ActionFacts } from "./tables.ts";

/** SHA-256 of an action as shown, independent of stored property order. */
export const actionHash = (proposed: ProposedAction, facts: ActionFacts): string =>
  hashOfShown({ proposed, facts });

type Shown = { proposed: ProposedAction; facts: ActionFacts };

/** Of all actions of a plan, in their order. */
export const planHash = (actions: readonly Shown[]): string =>
  hashOfShown(actions.map(({ proposed, facts }) => actionHash(proposed, facts)));
