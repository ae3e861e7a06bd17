import type { Fact, NotificationContent } from "../notifications/content.ts";
import { counted, figure } from "./rules/figures.ts";
import { type Decimal as AnyDecimal, Decimal, roundScore } from "./score.ts";

/** When an evaluation alerts, and what it says then, before any channel gives it a form. */

export type AlertTerms = {
  alertOnFailure: boolean;
  failureThreshold: number;
};

/**
 * Only a scheduled evaluation alerts, and only when alert on failure is on and the score is strictly below the
 * threshold. Compared as decimals: equal is not below. Where nobody is to be told, nobody is.
 */
export function isAlertDue(
  { trigger, overallScore }: { trigger: "Manual" | "Scheduled"; overallScore: number },
  { alertOnFailure, failureThreshold }: AlertTerms,
): boolean {
  return trigger === "Scheduled" && alertOnFailure && new Decimal(overallScore).lessThan(failureThreshold);
}

export type FailedRule = {
  name: string;
  score: AnyDecimal;
  expectedValue: string | null;
  actualValue: string | null;
  message: string | null;
};

type Alert = {
  contract: { id: number; name: string; failureThreshold: number };
  /** The table that was measured, which an edit may have changed since. */
  table: { schemaName: string; tableName: string };
  overallScore: number;
  passedCount: number;
  failed: readonly FailedRule[];
};

export function alertContent({
  contract,
  table,
  overallScore,
  passedCount,
  failed,
}: Alert): NotificationContent {
  const { failureThreshold } = contract;
  const target = `${table.schemaName}.${table.tableName}`;
  return {
    title: `[Data Quality] ${contract.name}`,
    tone: "Critical",
    summary: `${target} scored ${overallScore}, below the threshold of ${failureThreshold}: ${counted(failed.length, "rule")} failed.`,
    facts: [
      { label: "Overall score", value: String(overallScore) },
      { label: "Threshold", value: String(failureThreshold) },
      { label: "Table", value: target },
      { label: "Rules passed", value: figure(passedCount) },
      { label: "Rules failed", value: figure(failed.length) },
    ],
    groups: failed.map(({ name, score, expectedValue, actualValue, message }) => ({
      title: name,
      facts: [
        { label: "Score", value: String(roundScore(score)) },
        ...told("Expected", expectedValue),
        ...told("Actual", actualValue),
        ...told("Message", message),
      ],
    })),
    link: { label: "Open the contract", path: `/data-quality/contracts/${contract.id}` },
  };
}

const told = (label: string, value: string | null): Fact[] => (value === null ? [] : [{ label, value }]);
