import {
  type Choices,
  type Merged,
  mergeFields,
  mergeSet,
  type Sides,
} from "@/components/edits/three-way.ts";
import type { SubscriptionForm } from "./subscription-form.ts";

/**
 * What two people made of one subscription, in one. The condition is one thing with its threshold, and so is how
 * anomalies are looked for: a sensitivity means something else by another method. Pure.
 */
export function mergeSubscriptions(
  sides: Sides<SubscriptionForm>,
  choices: Choices,
): Merged<SubscriptionForm> {
  const of = <Part>(part: (form: SubscriptionForm) => Part): Sides<Part> => ({
    base: part(sides.base),
    mine: part(sides.mine),
    theirs: part(sides.theirs),
  });
  const fields = mergeFields(
    (name) => name,
    of(({ parameters: _, recipientIds: __, ...fields }) => fields),
    choices,
  );
  const parameters = mergeFields(
    (name) => `parameters.${name}`,
    of((form) => form.parameters),
    choices,
  );
  const recipients = mergeSet(
    "recipientIds",
    of(({ recipientIds }) => recipientIds),
  );
  return {
    value: { ...fields.value, parameters: parameters.value, recipientIds: recipients.value },
    differences: [fields, parameters, recipients].flatMap(({ differences }) => differences),
  };
}
