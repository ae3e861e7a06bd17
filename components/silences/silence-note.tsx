import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import type { Silenced } from "./silence-words.ts";

/** Until when something is silenced, by whom, and why. */
export function SilenceNote({ silencedUntil, silencedBy, silenceReason }: Silenced) {
  return (
    <p className="break-words text-ink-2">
      Silenced until <Moment at={silencedUntil} exact />
      {silencedBy && (
        <>
          {" "}
          by <Name>{silencedBy.name}</Name>
        </>
      )}
      {silenceReason ? `: ${silenceReason}` : "."}
    </p>
  );
}
