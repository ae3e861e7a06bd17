import {
  type Choices,
  type Merged,
  mergeFields,
  mergeSet,
  type Sides,
} from "@/components/edits/three-way.ts";
import type { SubscriptionForm } from "./subscription-form.ts";

/**
 * Merges two people's changes to a subscription. The condition and its threshold merge as one value, and so do the
 * anomaly detection settings: a sensitivity has a different meaning for each method. Pure.
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
