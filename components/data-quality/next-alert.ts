import { isSilenced } from "@/components/silences/silence-words.ts";
import { formatNumber } from "@/components/ui/format.ts";
import type { Contract } from "@/server/data-quality/schema.ts";

type Alerting = Pick<
  Contract,
  "enabled" | "alertOnFailure" | "recipients" | "failureThreshold" | "openAlert" | "silencedUntil"
>;

/**
 * What makes the next alert, as a sentence; `after` is a time to be named before it, `reminder` one to be named behind
 * it. Follows `alert-policy.ts` on the server. Pure.
 */
export function nextAlertOf(
  contract: Alerting,
  now: number | null,
): { after: string | null; text: string; reminder: string | null } {
  const { enabled, alertOnFailure, recipients, failureThreshold, openAlert, silencedUntil } = contract;
  const never = (why: string) => ({ after: null, text: `No next alert: ${why}.`, reminder: null });
  if (!alertOnFailure) return never("alerts are off");
  if (!recipients.some((recipient) => recipient.enabled)) return never("it has no recipient who is on");
  if (!enabled) return never("its schedule is off, and manual runs do not alert");
  const after = isSilenced(contract, now) ? silencedUntil : null;
  if (!openAlert)
    return {
      after,
      text: `Next alert if a scheduled run scores below ${formatNumber(failureThreshold, 2)} or cannot be evaluated.`,
      reminder: null,
    };
  const { lastToldScore, toldNotEvaluated, reminderAfter } = openAlert;
  const worse = lastToldScore > 1 ? [`the score falls below ${formatNumber(lastToldScore - 1, 2)}`] : [];
  const news = toldNotEvaluated
    ? ["it can be evaluated again"]
    : [...worse, "another rule fails", "it cannot be evaluated", "it recovers"];
  const [last = "", ...others] = news.toReversed();
  const listed = others.length === 0 ? last : `${others.toReversed().join(", ")}, or ${last}`;
  return { after, text: `Next alert if ${listed}.`, reminder: reminderAfter };
}
