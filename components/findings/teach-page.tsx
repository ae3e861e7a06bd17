"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { formatNumber, formatPercent } from "@/components/ui/format.ts";
import { Check, CircleHelp, GraduationCap, Undo2, X } from "@/components/ui/icons.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { MaskedRows } from "@/components/ui/masked-rows.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import type { TaughtTable, TeachQuestion } from "@/server/findings/schema.ts";
import { tableFindingsHref } from "./finding-hrefs.ts";
import { TaughtChanges } from "./taught-changes.tsx";
import { useTeach } from "./use-teach.ts";

/** Questions about single cells of a table, and what the answers have changed in its findings. */
export function TeachPage({ table, sourceName }: { table: TaughtTable; sourceName: string }) {
  const { href } = useProject();
  const mayTeach = useMay("contracts:configure");
  const name = `${table.schemaName}.${table.tableName}`;
  return (
    <>
      <PageHeader
        parent={{
          href: href(tableFindingsHref(table.dataSourceId, table)),
          label: `Findings in ${table.tableName}`,
        }}
        title={
          <>
            Teach <span className="font-mono wrap-anywhere">{name}</span>
          </>
        }
        count={sourceName}
      />
      {mayTeach ? (
        <Questions table={table} sourceName={sourceName} />
      ) : (
        <Empty icon={GraduationCap} title="Only Editors and Admins can teach" />
      )}
    </>
  );
}

function Questions({ table, sourceName }: { table: TaughtTable; sourceName: string }) {
  const teach = useTeach(table);
  const { asked, question, answered, isBusy, undo } = teach;
  if (asked.error)
    return (
      <p role="alert" className="flex flex-wrap items-center gap-2 border-t py-6 text-ink-2">
        There are no questions: the table could not be read. {asSentence(factsOf(asked.error).message)}
        <Button size="sm" onClick={() => void asked.refetch()}>
          Try again
        </Button>
      </p>
    );
  if (!asked.data)
    return (
      <div className="flex flex-col gap-3 border-t py-4" aria-busy>
        <p role="status" className="text-ink-2">
          Reading the table to find the cells that tell the most…
        </p>
        <Skeleton className="h-24 w-full" />
      </div>
    );
  const { maxQuestions } = asked.data;
  return (
    <div className="flex max-w-5xl flex-col gap-4">
      <p className="max-w-prose text-ink-2">
        Are these cells right? Each answer counts for all cells that are in doubt for the same reason, so a
        few are enough to judge the findings again.
      </p>
      <Progress answered={answered} most={maxQuestions} />
      {question ? (
        <AskedCell question={question} isBusy={isBusy} answer={teach.answer} />
      ) : (
        <p role="status" className="border-y py-6 font-medium">
          {answered === 0
            ? "Nothing in this table is worth asking about."
            : "No more questions. Judge the findings again to see what your answers change."}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={Undo2} aria-keyshortcuts="z" disabled={answered === 0 || isBusy} onClick={() => undo()}>
          Undo <Key>Z</Key>
        </Button>
        <Button variant="ghost" disabled={answered === 0 || isBusy} onClick={() => undo(true)}>
          Discard all answers
        </Button>
      </div>
      <TaughtChanges table={table} sourceName={sourceName} answered={answered} isDone={question === null} />
    </div>
  );
}

function AskedCell({
  question,
  isBusy,
  answer,
}: { question: NonNullable<TeachQuestion["question"]> } & Pick<
  ReturnType<typeof useTeach>,
  "isBusy" | "answer"
>) {
  const { column, because, likelihood, alike, columns, rows, maskedColumns } = question;
  const value = rows[0]?.[columns.findIndex(({ name }) => name === column)] ?? null;
  const isHidden = maskedColumns.includes(column) && value !== null;
  return (
    <section aria-labelledby="question" aria-busy={isBusy} className="flex flex-col gap-3">
      <h2 id="question" aria-live="polite" className="text-base font-semibold tracking-tight">
        Is this <span className="font-mono">{column}</span> right?
      </h2>
      <MaskedRows
        title="The row"
        extent=""
        label={`The row with the ${column} in doubt`}
        {...{ columns, rows, maskedColumns }}
        doubtedColumns={[column]}
      />
      <p className="text-xs text-ink-2 wrap-anywhere">
        Asked because it {because}
        {alike > 1 && `, like ${formatNumber(alike - 1)} more`}. Wrong with a likelihood of{" "}
        {formatPercent(likelihood * 100, 0)} so far.
        {isHidden && " It is masked; if you cannot tell, say so."}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button icon={Check} aria-keyshortcuts="r" disabled={isBusy} onClick={() => answer("Right")}>
          Right <Key>R</Key>
        </Button>
        <Button icon={X} aria-keyshortcuts="w" disabled={isBusy} onClick={() => answer("Wrong")}>
          Wrong <Key>W</Key>
        </Button>
        <Button icon={CircleHelp} aria-keyshortcuts="u" disabled={isBusy} onClick={() => answer("Unsure")}>
          Unsure <Key>U</Key>
        </Button>
      </div>
    </section>
  );
}

function Progress({ answered, most }: { answered: number; most: number }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-xs text-ink-3 tabular-nums">
        {formatNumber(answered)} of at most {formatNumber(most)} questions answered
      </span>
      <div
        role="progressbar"
        aria-label="Questions answered"
        aria-valuemin={0}
        aria-valuemax={most}
        aria-valuenow={answered}
        className="h-1 w-full overflow-hidden rounded-sm bg-hover"
      >
        <div
          className="h-full rounded-sm bg-accent transition-[width] duration-300"
          style={{ width: `${(answered / most) * 100}%` }}
        />
      </div>
    </div>
  );
}

/** Where there is a keyboard. */
const Key = ({ children }: { children: string }) => (
  <span className="hidden sm:contents">
    <Kbd>{children}</Kbd>
  </span>
);
