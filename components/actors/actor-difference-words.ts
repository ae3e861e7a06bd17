import type { Difference } from "@/components/edits/three-way.ts";
import { plainValue, type ValueWords } from "@/components/edits/value-words.ts";
import { plural } from "@/components/ui/format.ts";

/** Descriptions of two people's changes to an actor. Pure. */

const labels: Record<string, string> = {
  name: "Name",
  instructions: "Instructions",
  additionalContext: "Additional context",
  maxQueries: "Max queries",
  maxSubscriptionsPerQuery: "Max subscriptions per query",
  requiresApproval: "Plans need approval",
  activateImmediately: "Start right away",
  "monthlyBudget.tokens": "Tokens a month",
  "monthlyBudget.cost": "Cost a month",
  defaultRecipientIds: "Recipients",
  "wishes.tables": "Tables",
  "wishes.exclude": "Exclude",
  "wishes.checks": "Checks",
  "wishes.maxChecks": "Max checks",
};

export function actorDifferenceWords({ path }: Difference): ValueWords {
  const label = labels[path] ?? (path.startsWith("wishes.") ? "Schedule" : path);
  if (path === "defaultRecipientIds")
    return { label, text: (value) => plural((value as number[]).length, "recipient") };
  return { label, text: listed };
}

const listed = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? "empty" : value.map(listed).join(", ");
  if (typeof value === "object" && value !== null) return Object.values(value).map(plainValue).join(" ");
  return plainValue(value);
};
