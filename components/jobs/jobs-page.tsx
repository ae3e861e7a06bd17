"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Cog, ExternalLink } from "@/components/ui/icons.tsx";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Empty } from "../ui/empty.tsx";
import { actionsColumn, type Columns } from "../ui/list.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { toast } from "../ui/toaster.tsx";
import { JobFilters } from "./job-filters.tsx";
import { JobRow } from "./job-row.tsx";
import { subjectLink } from "./subject-link.ts";
import { type ListedJob, useJobs } from "./use-jobs.ts";
import { jobWords } from "./words.ts";

const columns: Columns = [
  { title: "Status", from: "sm" },
  { title: "Job" },
  { title: "Attempts", numeric: true, from: "md" },
  { title: "Created", from: "sm" },
  { title: "Took", numeric: true, from: "lg" },
  actionsColumn("sm"),
];

/** Background jobs: waiting, running, and failed ones with their errors. */
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
        See, retry, and cancel jobs there.
      </Empty>
    </>
  );
}

function EmbeddedJobs() {
  const { list, jobs } = useJobs();
  const { filters } = list;
  const [{ failedLastDay }] = trpc.jobs.engine.useSuspenseQuery(undefined, { refetchInterval: 10_000 });
  const router = useRouter();
  const { retry, retrying, cancel } = useActs();
  const [asked, setAsked] = useState<ListedJob | null>(null);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <ListPage
        title="Jobs"
        things="jobs"
        columns={columns}
        rows={jobs.items}
        page={jobs}
        isNewestFirst
        list={list}
        keyOf={({ id }) => id}
        onOpen={({ subject }) => {
          if (subject) router.push(subjectLink(subject).href);
        }}
        keepsFilters
        filters={<JobFilters list={list} failedLastDay={failedLastDay} />}
        empty={{
          icon: Cog,
          title: "No jobs yet",
          action: !filters.housekeeping && (
            <Button onClick={() => list.set({ housekeeping: true })}>Show housekeeping</Button>
          ),
          children:
            "Scheduled evaluations and executions, deliveries, and other background work are listed here: whether they are waiting, running, or failed, and why.",
        }}
        noMatch={
          filters.status === "Failed" && (
            <Empty title="No failed jobs" action={<Button onClick={list.reset}>Clear filters</Button>}>
              Failed jobs are listed here for 30 days with the reason.
            </Empty>
          )
        }
      >
        {(job, row) => (
          <JobRow
            job={job}
            retry={() => void retry(job)}
            cancel={() => {
              setAsked(job);
              setAsking(true);
            }}
            isRetrying={retrying === job.id}
            {...row}
          />
        )}
      </ListPage>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={asked && `End “${jobWords(asked.name)}”?`}
        confirm="Cancel the job"
        onConfirm={() => asked && cancel(asked)}
        explain={messageOf}
      >
        {asked?.status === "Running" ? (
          <p>The current step runs to its end, but its result is discarded and no further steps run.</p>
        ) : (
          <p>Its work is not done.</p>
        )}
        <p>You can run it again for 30 days.</p>
      </ConfirmDialog>
    </>
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
        toast.success(`“${jobWords(name)}” is running again`);
      } catch (error) {
        toast.error(messageOf(error));
      } finally {
        await utils.jobs.invalidate();
        setRetrying(null);
      }
    },
    /** Rejects on failure. */
    async cancel({ id }: ListedJob) {
      try {
        await end.mutateAsync({ id });
      } finally {
        await utils.jobs.invalidate();
      }
    },
  };
}
