"use client";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import { PendingNotice } from "@/components/approvals/pending-notice.tsx";
import { usePendingApproval } from "@/components/approvals/use-pending-approval.ts";
import { WaitingNotices } from "@/components/approvals/waiting-notices.tsx";
import { waitingWords } from "@/components/approvals/waiting-words.ts";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { DraftNotice } from "@/components/drafts/draft-notice.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { Query } from "@/server/queries/schema.ts";
import { LockNotice } from "./lock-notice.tsx";
import { QueryDetails } from "./query-details.tsx";
import {
  asSteps,
  type Draft,
  type DraftProblem,
  draftOf,
  draftSteps,
  isSameDraft,
  isSameSteps,
  type KindOf,
  rebasedDraft,
  stepWrites,
  storedDraft,
} from "./query-draft.ts";
import { SaveBar } from "./save-bar.tsx";
import { saveFailure } from "./save-failure.ts";
import { StaleNotice } from "./stale-notice.tsx";
import { problemAt } from "./step-problems.ts";
import { StepsSection } from "./steps-section.tsx";
import { usePageKeys } from "./use-page-keys.ts";

/** The editor of a query that is there. */
export function EditQuery({
  query,
  sources,
  mayChange,
  isShown,
  onDirty,
}: {
  /** As the service has it; it may change while somebody writes here. */
  query: Query;
  sources: readonly DataSource[];
  mayChange: boolean;
  isShown: boolean;
  onDirty: (isDirty: boolean) => void;
}) {
  const utils = trpc.useUtils();
  const router = useRouter();
  const { href } = useProject();
  const { user } = useMe();
  const mayRun = useMay("queries:run");
  const update = trpc.queries.update.useMutation();
  const [{ items: folders }] = trpc.queries.folders.useSuspenseQuery({ projectId: query.projectId });
  const [{ isOn }] = trpc.approvals.workflow.useSuspenseQuery(undefined, { refetchInterval: 30_000 });
  const pending = usePendingApproval(query);
  /** What the draft is a change of. */
  const [base, setBase] = useState(query);
  /** What the service was last known to have. */
  const [seen, setSeen] = useState(query);
  const [draft, setDraft] = useState(() => draftOf(query));
  const [summary, setSummary] = useState("");
  const [problems, setProblems] = useState<DraftProblem[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const [discarding, setDiscarding] = useState(false);

  const former = draftOf(base);
  const isDirty = !isSameDraft(draft, former);
  const changesSteps = !isSameSteps(draft.steps, former.steps);
  const isStale = query.activeVersion !== base.activeVersion;
  const waiting = changesSteps
    ? waitingWords({ isOn, pending, myId: user.id, activeVersion: query.activeVersion })
    : null;
  const readOnly = !mayChange || query.isLocked;
  const kindOf: KindOf = (id) => sources.find((source) => source.id === id)?.kind;

  const begin = (from: Query, next: Draft) => {
    setBase(from);
    setDraft(next);
    setSummary("");
    setProblems([]);
    setFailure(null);
  };
  // What somebody else has saved is taken over at once where nothing is lost by it.
  if (query !== seen) {
    setSeen(query);
    if (!isDirty) begin(query, storedDraft(query, draft));
    else if (!isStale) {
      setBase(query);
      setDraft(rebasedDraft(draft, base, query));
    }
  }
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);

  const change = useCallback((next: (draft: Draft) => Draft) => {
    setProblems([]);
    setFailure(null);
    setDraft(next);
  }, []);

  const save = async () => {
    if (update.isPending || readOnly || !isDirty || isStale || waiting?.isRefused) return;
    const { steps, problems: found } = stepWrites(draft.steps, kindOf);
    setFailure(null);
    setProblems(found);
    if (found.length > 0) return;
    try {
      const saved = await update.mutateAsync({
        id: query.id,
        name: draft.name,
        description: draft.description.trim() || null,
        folderId: draft.folderId,
        steps,
        changeSummary: changesSteps ? summary.trim() || null : null,
        baseVersion: base.activeVersion,
      });
      setBase(saved);
      setSummary("");
      setProblems([]);
      // What was typed while it was saved is the next change.
      setDraft((now) => (now === draft ? storedDraft(saved, draft) : now));
      utils.queries.get.setData({ id: query.id }, saved);
      if (!isWaiting(base, saved)) toast.success(savedWords(base, saved));
      await Promise.all([
        utils.queries.list.invalidate(),
        utils.queries.versions.invalidate({ id: query.id }),
        utils.approvals.list.invalidate(),
        utils.approvals.workflow.invalidate(),
      ]);
      if (isWaiting(base, saved)) await sayThatItWaits(saved);
    } catch (error) {
      const facts = factsOf(error);
      setProblems(facts.errors);
      setFailure(saveFailure(facts));
      // Why it was a conflict shows by itself once the query is known as it is now.
      if (facts.code === "CONFLICT") await utils.queries.get.invalidate({ id: query.id });
    }
  };
  const sayThatItWaits = async ({ id, pendingVersion }: Query) => {
    const { items } = await utils.approvals.list.fetch({
      ...{ queryId: id, kind: "Change", status: "Pending", pageSize: 1 },
    });
    const path = items[0] && href(`/approvals/${items[0].id}`);
    toast.success(`Version ${pendingVersion} waits for approval`, {
      ...(path && { action: { label: "See it", onClick: () => router.push(path) } }),
    });
  };
  const discard = () => begin(query, draftOf(query));
  usePageKeys({ save: isShown ? () => void save() : undefined });

  return (
    <>
      <WaitingNotices queryId={query.id} />
      {pending && (
        <PendingNotice
          approval={pending}
          onEdit={
            isDirty || readOnly
              ? null
              : (steps) => change((before) => ({ ...before, steps: draftSteps(steps) }))
          }
        />
      )}
      {query.isLocked && <LockNotice query={query} isDirty={isDirty} />}
      {isStale && isDirty && (
        <StaleNotice
          query={query}
          editedVersion={base.activeVersion}
          steps={asSteps(draft.steps, kindOf)}
          sources={sources}
          onKeep={() => {
            setFailure(null);
            setDraft(rebasedDraft(draft, base, query));
            setBase(query);
          }}
          onDiscard={discard}
        />
      )}
      <DraftNotice
        thing={`query-${query.id}`}
        start={former}
        value={draft}
        isDirty={isDirty}
        onRestore={(kept) => change(() => kept)}
      />
      <QueryDetails
        draft={draft}
        folders={folders}
        problems={problems}
        readOnly={readOnly}
        onChange={(some) => change((before) => ({ ...before, ...some }))}
      />
      <StepsSection
        draft={draft}
        sources={sources}
        problems={problems}
        readOnly={readOnly}
        mayRun={mayRun}
        isShown={isShown}
        onDraft={change}
      />
      {isDirty && mayChange && (
        <SaveBar
          says={saysOf({ query, changesSteps, isStale, waiting: waiting?.says ?? null })}
          summary={
            changesSteps
              ? { value: summary, problem: problemAt(problems, "changeSummary"), onChange: setSummary }
              : null
          }
          failure={isStale ? null : failure}
          pending={update.isPending}
          canSave={!readOnly && !isStale && !waiting?.isRefused}
          saveLabel={isOn && changesSteps ? "Save for approval" : "Save"}
          onSave={() => void save()}
          discard={<Button onClick={() => setDiscarding(true)}>Discard</Button>}
        />
      )}
      <ConfirmDialog
        open={discarding}
        onOpenChange={setDiscarding}
        title="Discard your changes?"
        confirm="Discard changes"
        onConfirm={discard}
      >
        The editor shows version {query.activeVersion} again, as it is stored.
      </ConfirmDialog>
    </>
  );
}

function saysOf({
  query: { isLocked, activeVersion, subscriptionCount },
  changesSteps,
  isStale,
  waiting,
}: {
  query: Query;
  changesSteps: boolean;
  isStale: boolean;
  /** What the approval workflow has to say to it. */
  waiting: string | null;
}): string {
  if (isLocked) return "The query is locked.";
  if (isStale) return "Decide above between your changes and the newer version.";
  if (!changesSteps) return "The steps are as they were: no new version is made.";
  const runs =
    subscriptionCount === 0
      ? ""
      : subscriptionCount === 1
        ? " 1 subscription runs it."
        : ` ${subscriptionCount} subscriptions run it.`;
  if (waiting !== null) return waiting + runs;
  return `Other steps make a new version; version ${activeVersion} stays in the history.${runs}`;
}

/** Whether what was saved has become a version that somebody has to approve. */
const isWaiting = (before: Query, after: Query): boolean =>
  after.pendingVersion !== null && after.pendingVersion !== before.pendingVersion;

function savedWords(before: Query, after: Query): string {
  return after.activeVersion === before.activeVersion
    ? `Saved “${after.name}”`
    : `Saved as version ${after.activeVersion}`;
}
