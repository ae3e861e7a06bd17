"use client";
import { Cog, ExternalLink } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Empty } from "../ui/empty.tsx";
import { formatNumber } from "../ui/format.ts";
import { NewestFirst } from "../ui/newest-first.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Th } from "../ui/table.tsx";
import { toast } from "../ui/toaster.tsx";
import { useRowKeys } from "../ui/use-row-keys.ts";
import { JobFilters } from "./job-filters.tsx";
import { JobRow } from "./job-row.tsx";
import { subjectLink } from "./subject-link.ts";
import { type Jobs, type ListedJob, useJobs } from "./use-jobs.ts";
import { jobWords } from "./words.ts";

/** What runs in the background: what waits, what runs, what has failed and why. */
export function JobsPage() {
  const [{ engine, url }] = trpc.jobs.engine.useSuspenseQuery();
  return engine === "Inngest" ? <OnInngest url={url} /> : <EmbeddedJobs />;
}

function OnInngest({ url }: { url: string | null }) {
  return (
    <>
      <PageHeader title="Jobs" />
      <Empty
        icon={Cog}
        title="Jobs run on Inngest"
        action={
          url && (
            <ButtonLink href={url} icon={ExternalLink}>
              Open Inngest
            </ButtonLink>
          )
        }
      >
        What waits, runs and has failed is seen there, and is run again and cancelled there.
      </Empty>
    </>
  );
}

function EmbeddedJobs() {
  const list = useJobs();
  const { jobs, filters, isChanging, setFilters, setPage } = list;
  const { items, totalCount } = jobs;
  const [{ failedLastDay }] = trpc.jobs.engine.useSuspenseQuery(undefined, { refetchInterval: 10_000 });
  const router = useRouter();
  const keys = useRowKeys({
    count: items.length,
    ids: items.map(({ id }) => id),
    onOpen: (index) => {
      const subject = items[index]?.subject;
      if (subject) router.push(subjectLink(subject).href);
    },
  });
  const { retry, retrying, cancel } = useActs();
  const [asked, setAsked] = useState<ListedJob | null>(null);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <PageHeader
        title="Jobs"
        count={totalCount > 0 ? formatNumber(totalCount) : undefined}
        filters={<JobFilters filters={filters} setFilters={setFilters} failedLastDay={failedLastDay} />}
      />
      {items.length === 0 ? (
        <NothingShown {...list} />
      ) : (
        <NewestFirst
          label="Jobs"
          head={
            <>
              <Th className="hidden sm:table-cell">Status</Th>
              <Th>Job</Th>
              <Th numeric className="hidden md:table-cell">
                Attempts
              </Th>
              <Th className="hidden sm:table-cell">Created</Th>
              <Th numeric className="hidden lg:table-cell">
                Took
              </Th>
              <Th className="hidden sm:table-cell">
                <span className="sr-only">Actions</span>
              </Th>
            </>
          }
          isChanging={isChanging}
          page={jobs}
          setPage={setPage}
        >
          {items.map((job, index) => (
            <JobRow
              key={job.id}
              job={job}
              retry={() => void retry(job)}
              cancel={() => {
                setAsked(job);
                setAsking(true);
              }}
              isRetrying={retrying === job.id}
              {...keys.row(index)}
            />
          ))}
        </NewestFirst>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={asked && `End “${jobWords(asked.name)}”?`}
        confirm="Cancel the job"
        onConfirm={() => asked && cancel(asked)}
        explain={messageOf}
      >
        {asked?.status === "Running" ? (
          <p>
            The step that it is at just now goes on to its end, but nothing of it is kept, and no other
            follows.
          </p>
        ) : (
          <p>What it was to do is not done.</p>
        )}
        <p>It can be run again for 30 days.</p>
      </ConfirmDialog>
    </>
  );
}

function NothingShown({ jobs, isFiltered, filters, setPage, setFilters, showAll }: Jobs) {
  if (jobs.totalCount > 0)
    return (
      <Empty
        title="The jobs do not go back as far"
        action={<Button onClick={() => setPage(0)}>Show the newest</Button>}
      />
    );
  if (isFiltered)
    return (
      <Empty
        title={filters.status === "Failed" ? "No job has failed" : "No job fits"}
        action={<Button onClick={showAll}>Show all</Button>}
      >
        {filters.status === "Failed"
          ? "One that does stands here for 30 days, with the reason."
          : "None has all of what the filters ask for."}
      </Empty>
    );
  return (
    <Empty
      icon={Cog}
      title="Nothing has run in the background yet"
      action={
        !filters.housekeeping && (
          <Button onClick={() => setFilters({ housekeeping: true })}>Show housekeeping</Button>
        )
      }
    >
      Each evaluation and execution whose time has come, each delivery, and whatever else happens without
      somebody waiting for it, stands here: whether it waits, runs or has failed, and why.
    </Empty>
  );
}

function useActs() {
  const utils = trpc.useUtils();
  const again = trpc.jobs.retry.useMutation();
  const end = trpc.jobs.cancel.useMutation();
  const [retrying, setRetrying] = useState<number | null>(null);
  return {
    retrying,
    async retry({ id, name }: ListedJob) {
      setRetrying(id);
      try {
        await again.mutateAsync({ id });
        toast.success(`“${jobWords(name)}” runs again`);
      } catch (error) {
        toast.error(messageOf(error));
      } finally {
        await utils.jobs.invalidate();
        setRetrying(null);
      }
    },
    /** Rejects when it could not be done. */
    async cancel({ id }: ListedJob) {
      try {
        await end.mutateAsync({ id });
      } finally {
        await utils.jobs.invalidate();
      }
    },
  };
}
