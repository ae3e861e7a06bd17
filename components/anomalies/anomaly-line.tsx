import { Moment } from "@/components/ui/moment.tsx";
import type { Anomaly } from "@/server/subscriptions/schema.ts";
import { Acknowledgement, type Seen } from "./acknowledgement.tsx";
import { Severity } from "./severity.tsx";

/** One anomaly, on a page that already names its subscription. */
export function AnomalyLine({
  anomaly,
}: {
  anomaly: Seen & Pick<Anomaly, "severity" | "explanation" | "detectedAt">;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1">
      <span className="w-20 shrink-0">
        <Severity severity={anomaly.severity} />
      </span>
      <span className="min-w-60 flex-1 break-words">{anomaly.explanation}</span>
      <Moment at={anomaly.detectedAt} className="text-xs whitespace-nowrap text-ink-3" />
      <Acknowledgement anomaly={anomaly} />
    </li>
  );
}
