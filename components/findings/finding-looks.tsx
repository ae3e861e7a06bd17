/** How findings look: severity and status as a shape and a word, how sure as a word and a percentage. */
import { Severity as Shown } from "@/components/anomalies/severity.tsx";
import { FileCheck2, History, Search } from "@/components/ui/icons.tsx";
import { Status } from "@/components/ui/status.tsx";
import type { FindingStatus as State } from "@/server/findings/kinds.ts";
import { learnedWords } from "@/server/findings/learned-words.ts";
import type { Finding } from "@/server/findings/schema.ts";
import { taughtWords } from "@/server/findings/teach/taught-words.ts";
import { statusWords, surenessPercent, surenessWord } from "./finding-words.ts";

export { Shown as Severity };

/** "Almost certain 98 %" */
export function Sureness({ confidence }: Pick<Finding, "confidence">) {
  return (
    <span
      className="whitespace-nowrap"
      title={`Of 100 findings this sure, about ${Math.round(confidence * 100)} are faults`}
    >
      {surenessWord(confidence)}{" "}
      <span className="text-ink-3 tabular-nums">{surenessPercent(confidence)}</span>
    </span>
  );
}

/** That answers about others like it, or about cells like its own, have moved a finding. Nothing where they have not. */
export function Learned({ finding }: { finding: Pick<Finding, "confidence" | "learned" | "taught"> }) {
  const { confidence, learned, taught } = finding;
  const words = [
    learnedWords(finding),
    taughtWords({ confidence: learned?.unlearned ?? confidence, taught }),
  ].filter((each) => each !== null);
  return words.length === 0 ? null : <span className="text-ink-3">{words.join(". ")}</span>;
}

const looks = {
  Open: { kind: "warning", icon: Search },
  Accepted: { kind: "ok", icon: FileCheck2 },
  Dismissed: { kind: "neutral" },
  Gone: { kind: "stalled", icon: History },
} as const;

export function FindingStatus({ status }: { status: State }) {
  return <Status {...looks[status]}>{statusWords[status]}</Status>;
}
