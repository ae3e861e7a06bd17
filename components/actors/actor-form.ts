import { numberIn } from "@/components/subscriptions/subscription-form.ts";
import type { Actor, ActorInput } from "@/server/actors/schema.ts";
import { emptyWishes, type WishesForm, wishesFormOf, wishesInputOf } from "./wishes-form.ts";

/**
 * The editor's values, and their conversion to and from the API. Numbers are strings here, to keep what was typed;
 * an invalid number is sent as typed, so that the server rejects it by name.
 */
export type ActorForm = {
  name: string;
  instructions: string;
  additionalContext: string;
  wishes: WishesForm;
  dataSourceId: number | null;
  maxQueries: string;
  maxSubscriptionsPerQuery: string;
  defaultRecipientIds: number[];
  monthlyBudget: { tokens: string; cost: string };
  requiresApproval: boolean;
  activateImmediately: boolean;
};

export function emptyActor(start: Partial<ActorForm> = {}): ActorForm {
  return {
    ...{ name: "", instructions: "", additionalContext: "", dataSourceId: null, wishes: emptyWishes },
    ...{ maxQueries: "10", maxSubscriptionsPerQuery: "3", defaultRecipientIds: [] },
    monthlyBudget: { tokens: "", cost: "" },
    ...{ requiresApproval: true, activateImmediately: true },
    ...start,
  };
}

export function actorFormOf(actor: Actor): ActorForm {
  const { name, instructions, dataSourceId, defaultRecipientIds } = actor;
  const { requiresApproval, activateImmediately, monthlyBudget } = actor;
  return {
    ...{ name, instructions, dataSourceId, defaultRecipientIds, requiresApproval, activateImmediately },
    additionalContext: actor.additionalContext ?? "",
    wishes: wishesFormOf(actor.wishes),
    maxQueries: String(actor.maxQueries),
    maxSubscriptionsPerQuery: String(actor.maxSubscriptionsPerQuery),
    monthlyBudget: {
      tokens: monthlyBudget?.tokens?.toString() ?? "",
      cost: monthlyBudget?.cost?.toString() ?? "",
    },
  };
}

/** The API input. Not validated here: this only converts. */
export function actorInputOf(form: ActorForm): ActorInput {
  const { name, instructions, defaultRecipientIds, requiresApproval, activateImmediately } = form;
  return {
    ...{ name, instructions, defaultRecipientIds, requiresApproval, activateImmediately },
    additionalContext: form.additionalContext.trim() === "" ? null : form.additionalContext,
    wishes: wishesInputOf(form.wishes),
    dataSourceId: form.dataSourceId as number,
    maxQueries: wholeIn(form.maxQueries) as number,
    maxSubscriptionsPerQuery: wholeIn(form.maxSubscriptionsPerQuery) as number,
    monthlyBudget: {
      tokens: wholeIn(form.monthlyBudget.tokens) as number | null,
      cost: numberIn(form.monthlyBudget.cost) as number | null,
    },
  };
}

/** Token counts are large, so thousands separators are accepted: 500,000 and 500 000. */
const wholeIn = (typed: string) => numberIn(typed.replace(/(\d)[,\s](?=\d{3}(\D|$))/g, "$1"));
