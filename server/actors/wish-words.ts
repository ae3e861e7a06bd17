import { plural } from "../text.ts";
import { checkNames } from "./wished-checks.ts";
import type { Exclusion, RequestWishes } from "./wishes.ts";

/** Wishes in words. Pages load this file without Zod. */

/** `sales.orders.id`, as far as specified. */
export const choiceLabel = ({ schemaName, tableName, columnName }: Exclusion): string =>
  [schemaName, tableName, columnName].filter((name) => typeof name === "string").join(".");

const maxLength = 4000;

/** All wishes in words: the message in the conversation if nobody wrote a note. Empty without wishes. */
export function wishesInWords(wishes: RequestWishes | null): string {
  if (!wishes) return "";
  const { tables, exclude, checks, schedule, maxChecks, leaveOut = [] } = wishes;
  const parts = [
    ...(tables.length > 0 ? [`Tables: ${tables.map(choiceLabel).join(", ")}.`] : []),
    ...(exclude.length > 0 ? [`Exclude: ${exclude.map(choiceLabel).join(", ")}.`] : []),
    ...(checks.length > 0 ? [`Checks: ${checks.map((check) => checkNames[check]).join(", ")}.`] : []),
    ...(schedule ? [`Schedule: ${schedule.cronExpression} (${schedule.timezone}).`] : []),
    ...(maxChecks ? [`At most ${plural(maxChecks, "check")}.`] : []),
    ...(leaveOut.length > 0
      ? [
          `Leave out ${leaveOut.length === 1 ? "action" : "actions"} ${leaveOut.map((index) => index + 1).join(", ")}.`,
        ]
      : []),
  ];
  const text = parts.join(" ");
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

/** Whether a text says more than the fields with it. */
export const isNote = (text: string | null, wishes: RequestWishes | null): text is string =>
  text !== null && text.trim() !== "" && text.trim() !== wishesInWords(wishes);
