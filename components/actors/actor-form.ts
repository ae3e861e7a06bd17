import { numberIn } from "@/components/subscriptions/subscription-form.ts";
import { plainMessage } from "@/components/trpc/plain-message.ts";
import { type Actor, type ActorInput, createActorInput } from "@/server/actors/schema.ts";

/**
 * The editor's values and their way from and to the service's. Numbers are text here, so that what was typed stays;
 * what cannot be read as a number is sent as it is, and refused by name.
 */
export type ActorForm = {
  name: string;
  instructions: string;
  additionalContext: string;
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
    ...{ name: "", instructions: "", additionalContext: "", dataSourceId: null },
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
    maxQueries: String(actor.maxQueries),
    maxSubscriptionsPerQuery: String(actor.maxSubscriptionsPerQuery),
    monthlyBudget: {
      tokens: monthlyBudget?.tokens?.toString() ?? "",
      cost: monthlyBudget?.cost?.toString() ?? "",
    },
  };
}

/** What is sent. It may still be refused: this only translates. */
export function actorInputOf(form: ActorForm): ActorInput {
  const { name, instructions, defaultRecipientIds, requiresApproval, activateImmediately } = form;
  return {
    ...{ name, instructions, defaultRecipientIds, requiresApproval, activateImmediately },
    additionalContext: form.additionalContext.trim() === "" ? null : form.additionalContext,
    dataSourceId: form.dataSourceId as number,
    maxQueries: wholeIn(form.maxQueries) as number,
    maxSubscriptionsPerQuery: wholeIn(form.maxSubscriptionsPerQuery) as number,
    monthlyBudget: {
      tokens: wholeIn(form.monthlyBudget.tokens) as number | null,
      cost: numberIn(form.monthlyBudget.cost) as number | null,
    },
  };
}

/** Tokens are counted in thousands and millions, which people set apart: 500,000 and 500 000. */
const wholeIn = (typed: string) => numberIn(typed.replace(/(\d)[,\s](?=\d{3}(\D|$))/g, "$1"));

export type Problem = { path: string; message: string };

/** What the service would refuse, by the same schema that it reads with. */
export function actorProblems(form: ActorForm): Problem[] {
  const read = createActorInput.safeParse(actorInputOf(form));
  const found = new Map<string, string>();
  for (const issue of read.success ? [] : read.error.issues) {
    const path = issue.path.join(".");
    // The first thing that is wrong with a value is the one to say.
    if (!found.has(path)) found.set(path, plainMessage(issue.message));
  }
  return [...found].map(([path, message]) => ({ path, message }));
}
