import { numberIn } from "@/components/subscriptions/subscription-form.ts";
import { plainMessage } from "@/components/trpc/plain-message.ts";
import type { Actor } from "@/server/actors/schema.ts";
import { choiceLabel } from "@/server/actors/wish-words.ts";
import { type WishedCheck, wishedChecks } from "@/server/actors/wished-checks.ts";
import { type Exclusion, type TableChoice, type WishesInput, wishesSchema } from "@/server/actors/wishes.ts";

/** The fields for wishes, and their conversion to and from the API. */
export type WishesForm = {
  tables: TableChoice[];
  exclude: Exclusion[];
  checks: WishedCheck[];
  /** null if each check runs as often as its data changes. */
  schedule: { cronExpression: string; timezone: string } | null;
  /** As typed; empty means as many as fit. */
  maxChecks: string;
};

export const emptyWishes: WishesForm = {
  ...{ tables: [], exclude: [], checks: [], schedule: null, maxChecks: "" },
};

export function wishesFormOf(wishes: Actor["wishes"]): WishesForm {
  if (!wishes) return emptyWishes;
  const { tables, exclude, checks, schedule = null, maxChecks } = wishes;
  return { tables, exclude, checks, schedule, maxChecks: maxChecks?.toString() ?? "" };
}

/** The API input. Not validated here: this only converts. */
export const wishesInputOf = ({ tables, exclude, checks, schedule, maxChecks }: WishesForm): WishesInput => ({
  ...{ tables, exclude, checks, schedule },
  maxChecks: numberIn(maxChecks) as number | null,
});

/** Validation errors, by the same schema that the server uses. */
export function wishesProblems(
  form: WishesForm,
): Partial<Record<"cronExpression" | "timezone" | "maxChecks", string>> {
  const read = wishesSchema.safeParse(wishesInputOf(form));
  const messageAt = (...path: string[]) => {
    const issue = read.error?.issues.find((each) => each.path.join(".") === path.join("."));
    return issue ? plainMessage(issue.message) : undefined;
  };
  const found = {
    cronExpression: messageAt("schedule", "cronExpression"),
    timezone: messageAt("schedule", "timezone"),
    maxChecks: messageAt("maxChecks"),
  };
  return Object.fromEntries(Object.entries(found).filter(([, message]) => message !== undefined));
}

/** With the built-in planner, only checks it can propose are offered. */
export const checksFor = (isBuiltIn: boolean, checks: readonly WishedCheck[] = wishedChecks) =>
  checks.filter((check) => !isBuiltIn || (check !== "Range" && check !== "Pattern"));

/** Names may contain dots, so the key keeps the parts separate. */
export const choiceKey = ({ schemaName, tableName, columnName }: Exclusion): string =>
  JSON.stringify([schemaName, tableName ?? null, columnName ?? null]);

export function choiceIn(key: string): Exclusion {
  const [schemaName = "", tableName, columnName] = JSON.parse(key) as (string | null)[];
  return {
    schemaName: schemaName ?? "",
    ...(tableName && { tableName }),
    ...(columnName && { columnName }),
  };
}

/** A whole schema is labeled as such. */
export const choiceTitle = (choice: Exclusion): string =>
  choice.tableName ? choiceLabel(choice) : `all of ${choice.schemaName}`;
