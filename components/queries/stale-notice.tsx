"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { GitCompareArrows, GitMerge } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { Query, Step } from "@/server/queries/schema.ts";
import { StepsDiff } from "./steps-diff.tsx";

/**
 * Someone else's version became active while this one was being edited. Nothing is lost: both are compared, and the
 * user decides which one to keep.
 */
export function StaleNotice({
  query,
  editedVersion,
  steps,
  sources,
  onMerge,
  onKeep,
  onDiscard,
}: {
  /** The current state on the server. */
  query: Query;
  /** The version being edited. */
  editedVersion: number;
  /** The unsaved steps. */
  steps: readonly Step[];
  sources: readonly DataSource[];
  /** Keeps both sides' changes; null if both changed the same step. */
  onMerge: (() => void) | null;
  onKeep: () => void;
  onDiscard: () => void;
}) {
  const [compares, setCompares] = useState(false);
  const [discarding, setDiscarding] = useState(false);
  const versions = trpc.queries.versions.useQuery({ id: query.id });
  const latest = versions.data?.items.find(({ number }) => number === query.activeVersion);
  return (
    <section
      role="alert"
      aria-label="Changed by someone else"
      className="mb-4 flex flex-col gap-3 rounded-md border border-warning/50 bg-warning-soft px-3 py-2"
    >
      <div className="flex items-start gap-2">
        <StatusIcon kind="warning" className="mt-0.5" />
        <div className="min-w-0">
          <p>
            <strong>Version {query.activeVersion} is active now</strong>, while you edit version{" "}
            {editedVersion}
            {latest && (
              <>
                : {latest.createdBy?.name ?? "the service"} saved it <Moment at={latest.createdAt} />
                {latest.changeSummary && ` (“${latest.changeSummary}”)`}
              </>
            )}
            . Your text is still here
            {onMerge && ", and the two of you changed different steps"}.
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          icon={GitCompareArrows}
          aria-expanded={compares}
          onClick={() => setCompares(!compares)}
        >
          {compares ? "Hide the comparison" : `Compare with version ${query.activeVersion}`}
        </Button>
        {onMerge && (
          <Button size="sm" icon={GitMerge} onClick={onMerge}>
            Keep both changes
          </Button>
        )}
        <Button size="sm" onClick={onKeep}>
          Keep mine
        </Button>
        <Button size="sm" onClick={() => setDiscarding(true)}>
          Take version {query.activeVersion}
        </Button>
      </div>
      {compares && (
        <StepsDiff
          before={{ label: `version ${query.activeVersion}`, steps: query.steps }}
          after={{ label: "yours", steps }}
          sources={sources}
        />
      )}
      <ConfirmDialog
        open={discarding}
        onOpenChange={setDiscarding}
        title="Discard your steps?"
        confirm="Discard mine"
        onConfirm={onDiscard}
      >
        The editor shows the steps of version {query.activeVersion} instead, and yours are lost. Your changes
        to the name, description, and folder stay.
      </ConfirmDialog>
    </section>
  );
}
