"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { Button } from "@/components/ui/button.tsx";
import { Check } from "@/components/ui/icons.tsx";
import { Name } from "@/components/ui/name.tsx";
import type { Anomaly } from "@/server/subscriptions/schema.ts";
import { useAcknowledge } from "./use-acknowledge.ts";

/** Whether an anomaly was acknowledged, and by whom if known. */
export type Seen = Pick<Anomaly, "id" | "acknowledged"> & Partial<Pick<Anomaly, "acknowledgedBy">>;

/** Who acknowledged an anomaly, or a button to do so. */
export function Acknowledgement({ anomaly }: { anomaly: Seen }) {
  const may = useMay("subscriptions:run");
  const { acknowledge, isPending } = useAcknowledge();
  if (anomaly.acknowledged)
    return (
      <span className="inline-flex items-center gap-1 text-xs whitespace-nowrap text-ink-3">
        <Check aria-hidden className="size-3.5" />
        <span>
          seen
          {anomaly.acknowledgedBy && (
            <>
              {" "}
              by <Name>{anomaly.acknowledgedBy.name}</Name>
            </>
          )}
        </span>
      </span>
    );
  if (!may) return <span className="text-xs whitespace-nowrap text-ink-3">not acknowledged</span>;
  return (
    <Button size="sm" icon={Check} pending={isPending} onClick={() => acknowledge(anomaly.id)}>
      Acknowledge
    </Button>
  );
}
