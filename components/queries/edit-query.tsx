"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { DecisionNotices } from "@/components/approvals/decision-notices.tsx";
import { PendingNotice } from "@/components/approvals/pending-notice.tsx";
import { usePendingApproval } from "@/components/approvals/use-pending-approval.ts";
import { WaitingNotices } from "@/components/approvals/waiting-notices.tsx";
import { waitingWords } from "@/components/approvals/waiting-words.ts";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { plural } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { Edit } from "@/server/edits/schema.ts";
import type { Query } from "@/server/queries/schema.ts";
import type { Execution } from "@/server/subscriptions/schema.ts";
import { LockNotice } from "./lock-notice.tsx";
import { MeanwhileDetails } from "./meanwhile-details.tsx";
import {
  asSteps,
  clashingDetails,
  type Detail,
  type Draft,
  type DraftStep,
  details,
  draftOf,
  draftSteps,
  isSameDraft,
  isSameSteps,
  type KindOf,
  mergedSteps,
  rebasedDraft,
  stepWrites,
  storedDraft,
} from "./query-draft.ts";
import { QueryEditor } from "./query-editor.tsx";
import { RunNotice } from "./run-notice.tsx";
import { StaleNotice } from "./stale-notice.tsx";
import { problemAt } from "./step-problems.ts";
import { useWrittenQuery } from "./use-written-query.ts";

/** The editor of an existing query. */
export function EditQuery({
  query,
  sources,
  mayChange,
  isShown,
  run,
  onDirty,
}: {
  /** The server's state; it may change while someone is editing. */
  query: Query;
  sources: readonly DataSource[];
  mayChange: boolean;
  isShown: boolean;
  /** The subscription's run whose parameters are filled in. */
  run: Execution | undefined;
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
  /** The state the draft is based on. */
  const [base, setBase] = useState(query);
  /** The server's last known state. */
  const [seen, setSeen] = useState(query);
  const written = useWrittenQuery(() => draftOf(query));
  const { draft, problems, setDraft, change, judge } = written;
  const [summary, setSummary] = useState("");
  const [discarding, setDiscarding] = useState(false);
  /** What someone else saved besides steps while this was being edited. */
  const [meanwhile, setMeanwhile] = useState<{ clashes: readonly Detail[]; edits: readonly Edit[] } | null>(
    null,
  );

  const former = draftOf(base);
  const isDirty = !isSameDraft(draft, former);
  const changesSteps = !isSameSteps(draft.steps, former.steps);
  const isStale = query.activeVersion !== base.activeVersion;
  const waiting = changesSteps
    ? waitingWords({ isOn, pending, myId: user.id, activeVersion: query.activeVersion })
    : null;
  const merged = isStale && changesSteps ? mergedSteps(draft.steps, base, query) : null;
  const readOnly = !mayChange || query.isLocked;
  const kindOf: KindOf = (id) => sources.find((source) => source.id === id)?.kind;

  /** Continues from what is stored now, with these steps; details that only they changed are taken over. */
  const rebase = (steps: DraftStep[]) => {
    const clashes = clashingDetails(draft, base, query);
    if (clashes.length > 0) setMeanwhile((now) => ({ edits: now?.edits ?? [], clashes }));
    setDraft({ ...rebasedDraft(draft, base, query), steps });
    setBase(query);
  };
  const continueWith = (steps: DraftStep[]) => {
    judge([]);
    rebase(steps);
  };
  const begin = (from: Query, next: Draft) => {
    setMeanwhile(null);
    setBase(from);
    setDraft(next);
    setSummary("");
    judge([]);
  };
  // Take over someone else's save at once if nothing would be lost.
  if (query !== seen) {
    setSeen(query);
    if (!isDirty) begin(query, storedDraft(query, draft));
    else if (!isStale) rebase(draft.steps);
  }
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);

  const save = async (revision = base.revision): Promise<void> => {
    if (update.isPending || readOnly || !isDirty || isStale || waiting?.isRefused) return;
    const { steps, problems: found } = stepWrites(draft.steps, kindOf);
    if (!judge(found)) return;
    try {
      const saved = await update.mutateAsync({
        id: query.id,
        name: draft.name,
        description: draft.description.trim() || null,
        folderId: draft.folderId,
        steps,
        changeSummary: changesSteps ? summary.trim() || null : null,
        baseVersion: base.activeVersion,
        baseRevision: revision,
      });
      setMeanwhile(null);
      setBase(saved);
      setSummary("");
      judge([]);
      // Anything typed while saving becomes the next change.
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
      const facts = written.refuse(error);
      if (facts.code !== "CONFLICT") return;
      // Its current state shows what caused the conflict, and is merged above.
      const stored = await utils.queries.get.fetch({ id: query.id }, { staleTime: 0 });
      if (stored.revision === base.revision || stored.activeVersion !== base.activeVersion) return;
      const isSameBesides = details.every((name) => draftOf(stored)[name] === former[name]);
      if (isSameBesides && revision === base.revision) return save(stored.revision);
      judge([]);
      setMeanwhile((now) => ({ clashes: now?.clashes ?? [], edits: facts.edits }));
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

  return (
    <>
      <QueryEditor
        id={query.id}
        written={written}
        start={former}
        isDirty={isDirty}
        folders={folders}
        sources={sources}
        readOnly={readOnly}
        mayRun={mayRun}
        isShown={isShown}
        given={run?.parameters ?? undefined}
        onSave={() => save()}
        bar={
          isDirty && mayChange
            ? {
                says: saysOf({ query, changesSteps, isStale, waiting: waiting?.says ?? null }),
                summary: changesSteps
                  ? {
                      value: summary,
                      problem: problemAt(problems, "changeSummary"),
                      placeholder: isOn
                        ? "What changed and why, for the reviewers"
                        : "What changed and why (optional)",
                      onChange: setSummary,
                    }
                  : null,
                hidesFailure: isStale,
                pending: update.isPending,
                canSave: !readOnly && !isStale && !waiting?.isRefused,
                saveLabel: isOn && changesSteps ? "Save for approval" : "Save",
                discard: <Button onClick={() => setDiscarding(true)}>Discard</Button>,
              }
            : null
        }
      >
        {run && <RunNotice run={run} activeVersion={query.activeVersion} />}
        <DecisionNotices queryId={query.id} />
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
            onMerge={merged && (() => continueWith(merged))}
            onKeep={() => continueWith(draft.steps)}
            onDiscard={() => continueWith(storedDraft(query, draft).steps)}
          />
        )}
        {meanwhile && isDirty && !isStale && (
          <MeanwhileDetails
            {...meanwhile}
            query={query}
            draft={draft}
            onTake={(detail) => {
              change((before) => ({ ...before, [detail]: draftOf(query)[detail] }));
              setMeanwhile({ ...meanwhile, clashes: meanwhile.clashes.filter((each) => each !== detail) });
            }}
          />
        )}
      </QueryEditor>
      <ConfirmDialog
        open={discarding}
        onOpenChange={setDiscarding}
        title="Discard your changes?"
        confirm="Discard changes"
        onConfirm={discard}
      >
        The editor shows version {query.activeVersion} again, as saved.
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
  /** What the approval workflow says about this change. */
  waiting: string | null;
}): string {
  if (isLocked) return "The query is locked.";
  if (isStale) return "Choose between your changes and the newer version above.";
  if (!changesSteps) return "The steps are unchanged: no new version is created.";
  const runs =
    subscriptionCount === 0
      ? ""
      : ` ${plural(subscriptionCount, "subscription runs", "subscriptions run")} it.`;
  if (waiting !== null) return waiting + runs;
  return `Changed steps create a new version; version ${activeVersion} stays in the history.${runs}`;
}

/** Whether the saved change created a version that needs approval. */
const isWaiting = (before: Query, after: Query): boolean =>
  after.pendingVersion !== null && after.pendingVersion !== before.pendingVersion;

function savedWords(before: Query, after: Query): string {
  return after.activeVersion === before.activeVersion
    ? `Saved “${after.name}”`
    : `Saved as version ${after.activeVersion}`;
}
