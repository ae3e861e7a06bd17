import {
  type Choices,
  type Merged,
  mergeFields,
  mergeSet,
  type Sides,
} from "@/components/edits/three-way.ts";
import type { ActorForm } from "./actor-form.ts";

/** Merges two people's changes to an actor. Wishes and the budget merge field by field, recipients as a set. Pure. */
export function mergeActors(sides: Sides<ActorForm>, choices: Choices): Merged<ActorForm> {
  const of = <Part>(part: (form: ActorForm) => Part): Sides<Part> => ({
    base: part(sides.base),
    mine: part(sides.mine),
    theirs: part(sides.theirs),
  });
  const fields = mergeFields(
    (name) => name,
    of(({ wishes: _, monthlyBudget: __, defaultRecipientIds: ___, ...fields }) => fields),
    choices,
  );
  const wishes = mergeFields(
    (name) => `wishes.${name}`,
    of((form) => form.wishes),
    choices,
  );
  const budget = mergeFields(
    (name) => `monthlyBudget.${name}`,
    of((form) => form.monthlyBudget),
    choices,
  );
  const recipients = mergeSet(
    "defaultRecipientIds",
    of((form) => form.defaultRecipientIds),
  );
  return {
    value: {
      ...fields.value,
      wishes: wishes.value,
      monthlyBudget: budget.value,
      defaultRecipientIds: recipients.value,
    },
    differences: [fields, wishes, budget, recipients].flatMap(({ differences }) => differences),
  };
}
