import { type CostUnit, costText } from "@/server/data-sources/cost.ts";

/** Amounts are typed in units of a size that people think in. */
const sizes: Record<CostUnit, { factor: number; label: string; hint: string }> = {
  bytes: { factor: 1e9, label: "GB a day", hint: " billed" },
  credits: { factor: 1, label: "credits a day", hint: "" },
  seconds: { factor: 1, label: "seconds a day", hint: " of running statements" },
};

export const budgetLabel = (unit: CostUnit) => `Daily budget, ${sizes[unit].label}`;

/** What the field begins with. */
export const budgetValue = (amount: number | null | undefined, unit: CostUnit): string =>
  amount === null || amount === undefined ? "" : String(amount / sizes[unit].factor);

/** As the API takes it: null for no budget. */
export const budgetOf = (text: string, unit: CostUnit): number | null =>
  text.trim() === "" ? null : Number(text.trim()) * sizes[unit].factor;

/** Why the text is invalid, or true. */
export function isValidBudget(text: string): true | string {
  const amount = Number(text.trim());
  return text.trim() === "" || (Number.isFinite(amount) && amount > 0) || "must be a number, more than 0";
}

/** Explains the field, with what was typed in words. */
export function budgetHint(text: string, unit: CostUnit): string {
  const stops = "When it is spent, nothing runs on this data source until 00:00 UTC.";
  const amount = isValidBudget(text) === true ? budgetOf(text, unit) : null;
  return amount === null
    ? `No limit. ${stops}`
    : `${costText({ unit, amount })}${sizes[unit].hint}. ${stops}`;
}
