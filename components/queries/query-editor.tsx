"use client";
import { type ReactNode, useEffect } from "react";
import { DraftNotice } from "@/components/drafts/draft-notice.tsx";
import { useFocusInvalid } from "@/components/editors/use-focus-invalid.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { Folder } from "@/server/queries/schema.ts";
import { QueryDetails } from "./query-details.tsx";
import type { Draft } from "./query-draft.ts";
import { SaveBar } from "./save-bar.tsx";
import { StepsSection } from "./steps-section.tsx";
import { usePageKeys } from "./use-page-keys.ts";
import type { WrittenQuery } from "./use-written-query.ts";

/**
 * The query editor's frame, for new and existing queries: unsaved changes are kept in this browser, Ctrl-S saves, and
 * a failed save moves to the first invalid field. Unlike `FormEditor`, it is not a form: steps can run while they are
 * being edited, and saving stays on the page.
 */
export function QueryEditor({
  id,
  written: { draft, problems, failure, change },
  start,
  isDirty,
  folders,
  sources,
  readOnly = false,
  mayRun,
  isShown = true,
  given,
  onSave,
  bar,
  children,
}: {
  /** Omitted for a new query. */
  id?: number;
  written: WrittenQuery;
  /** The state the draft is based on. */
  start: Draft;
  isDirty: boolean;
  /** Folders of the query's project. */
  folders: readonly Folder[];
  sources: readonly DataSource[];
  readOnly?: boolean;
  mayRun: boolean;
  /** Whether keyboard shortcuts apply to it. */
  isShown?: boolean;
  /** Values that the parameters begin with. */
  given?: Parameters<typeof StepsSection>[0]["given"];
  onSave: () => Promise<void>;
  /** What saving will do; null if there is nothing to save. */
  bar: (Omit<Parameters<typeof SaveBar>[0], "onSave" | "failure"> & { hidesFailure?: boolean }) | null;
  /** Notices shown above the editor. */
  children?: ReactNode;
}) {
  const { ref, focusInvalid } = useFocusInvalid<HTMLDivElement>();
  const save = () => void onSave();
  usePageKeys({ save: isShown ? save : undefined });
  useEffect(() => {
    if (problems.length > 0) focusInvalid();
  }, [problems, focusInvalid]);
  return (
    <div ref={ref}>
      {children}
      <DraftNotice
        thing={`query-${id ?? "new"}`}
        start={start}
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
        given={given}
        onDraft={change}
      />
      {bar && <SaveBar {...bar} failure={bar.hidesFailure ? null : failure} onSave={save} />}
    </div>
  );
}
