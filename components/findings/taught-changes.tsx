"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { ScanSearch } from "@/components/ui/icons.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import type { Finding, TaughtTable } from "@/server/findings/schema.ts";
import { taughtWords } from "@/server/findings/teach/taught-words.ts";
import { FindingLine } from "./finding-line.tsx";
import { ScanProgress } from "./scan-progress.tsx";
import { useScans } from "./use-scans.ts";

const groups = [
  { title: "New", has: ({ taught }: Finding) => taught?.untaught === null },
  { title: "More certain", has: (finding: Finding) => shiftOf(finding) > 0 },
  { title: "Less certain", has: (finding: Finding) => shiftOf(finding) < 0 },
];

/** By how much answers have moved a finding that was there without them. */
const shiftOf = ({ confidence, learned, taught }: Finding): number =>
  taught?.untaught == null ? 0 : (learned?.unlearned ?? confidence) - taught.untaught;

/** Scans the table, which judges its findings by the answers, and shows what they have changed. */
export function TaughtChanges({
  table,
  sourceName,
  answered,
  isDone,
}: {
  table: TaughtTable;
  sourceName: string;
  answered: number;
  /** Whether nothing is left to ask. */
  isDone: boolean;
}) {
  const { dataSourceId, schemaName, tableName } = table;
  const utils = trpc.useUtils();
  const scans = useScans({ dataSourceId });
  const [judgedAt, setJudgedAt] = useState<number | null>(null);
  const start = trpc.findings.scan.useMutation({ onSuccess: () => utils.findings.scans.invalidate() });
  const scan = scans.find(({ id }) => id === start.data?.id) ?? start.data;
  const isRunning = start.isPending || scan?.status === "Running";
  const hasEnded = scan !== undefined && !isRunning;
  const { data } = trpc.findings.list.useQuery(
    { ...table, status: "Open", minConfidence: 0, page: 0, pageSize: 100 },
    { enabled: hasEnded },
  );
  const judge = () => {
    setJudgedAt(answered);
    start.mutate({ dataSourceId, tables: [{ schemaName, tableName }] });
  };
  return (
    <section aria-labelledby="changes" className="flex flex-col gap-3 border-t pt-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="changes" className="text-base font-semibold tracking-tight">
          What your answers change
        </h2>
        <Button
          variant={isDone && judgedAt !== answered ? "primary" : "secondary"}
          icon={ScanSearch}
          disabled={isRunning}
          onClick={judge}
        >
          {judgedAt === null ? "Judge findings again" : "Judge once more"}
        </Button>
        {hasEnded && judgedAt !== answered && (
          <span className="text-xs text-ink-3">The answers have changed since.</span>
        )}
      </div>
      {start.error && (
        <p role="alert">The findings were not judged again. {asSentence(messageOf(start.error))}</p>
      )}
      {scan?.status === "Running" && <ScanProgress scan={scan} name={sourceName} />}
      {scan?.status === "Failed" && <p role="alert">{asSentence(scan.error ?? "The scan failed")}</p>}
      {hasEnded && data && <Changes findings={data.items} />}
    </section>
  );
}

function Changes({ findings }: { findings: readonly Finding[] }) {
  const changed = findings.filter(
    ({ confidence, learned, taught }) =>
      taughtWords({ confidence: learned?.unlearned ?? confidence, taught }) !== null,
  );
  if (changed.length === 0)
    return (
      <p role="status" className="text-ink-2">
        No finding of this table has changed.
      </p>
    );
  return groups.map(({ title, has }) => {
    const own = changed.filter(has);
    if (own.length === 0) return null;
    return (
      <div key={title}>
        <h3 className="text-xs font-semibold text-ink-2">
          {title} <span className="font-normal text-ink-3 tabular-nums">{own.length}</span>
        </h3>
        <ul aria-label={title}>
          {own.map((finding) => (
            <FindingLine key={finding.id} finding={finding} />
          ))}
        </ul>
      </div>
    );
  });
}
