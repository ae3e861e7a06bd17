"use client";
import { extentOf } from "@/components/data-quality/sample-rows.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { MaskedRows } from "@/components/ui/masked-rows.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { Finding } from "@/server/findings/schema.ts";

/** The rows in doubt that were kept, with the cells in doubt marked. */
export function FindingSamples({ finding }: { finding: Finding }) {
  const { id, columns, tableName, examples, failingRows } = finding;
  const { data, error, refetch } = trpc.findings.samples.useQuery(
    { id },
    { enabled: examples !== null, retry: false },
  );
  if (examples === null)
    return (
      <p className="text-ink-2">
        {failingRows === 0
          ? "Rows are missing, so there are none to show."
          : "No rows were kept. The SQL below returns them."}
      </p>
    );
  if (data)
    return (
      <MaskedRows
        {...data}
        title="Rows in doubt"
        extent={extentOf(data.rows.length, data.totalFailing)}
        label={`Rows in doubt of ${tableName}`}
        doubtedColumns={columns}
      />
    );
  if (!error) return <Skeleton className="h-24 w-full" />;
  return (
    <p role="alert" className="flex flex-wrap items-center gap-2 text-xs text-ink-2">
      The rows could not be read. {asSentence(factsOf(error).message)}
      <Button size="sm" onClick={() => void refetch()}>
        Try again
      </Button>
    </p>
  );
}
