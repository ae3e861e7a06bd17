"use client";
import { editorsIn } from "@/components/edits/edit-of.ts";
import { Button } from "@/components/ui/button.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import type { Edit } from "@/server/edits/schema.ts";
import type { Query } from "@/server/queries/schema.ts";
import { type Detail, type Draft, draftOf } from "./query-draft.ts";

const labels: Record<Detail, string> = { name: "Name", description: "Description", folderId: "Folder" };

/**
 * Someone else saved the query's name, description, or folder meanwhile. What only they changed is in the editor already;
 * where both changed the same, mine has been kept, and theirs is offered.
 */
export function MeanwhileDetails({
  clashes,
  edits,
  query,
  draft,
  onTake,
}: {
  clashes: readonly Detail[];
  edits: readonly Edit[];
  /** The current state on the server. */
  query: Query;
  draft: Draft;
  onTake: (detail: Detail) => void;
}) {
  const theirs = draftOf(query);
  const text = (detail: Detail, value: Draft[Detail], folderPath: string | null) => {
    if (detail === "folderId")
      return value === theirs.folderId ? (folderPath ?? "the top") : "another folder";
    return value ? `“${value}”` : "empty";
  };
  return (
    <section
      role="alert"
      aria-label="Changed by someone else"
      className="mb-4 flex items-start gap-2 rounded-md border border-warning/50 bg-warning-soft px-3 py-2"
    >
      <StatusIcon kind="warning" className="mt-0.5" />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p>
          <strong>{editorsIn(edits)} changed this query</strong> while you were editing it. Your changes are
          still here, with theirs merged; save again to store them.
        </p>
        {clashes.map((detail) => (
          <div key={detail} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 break-words">
              {labels[detail]}: yours is {text(detail, draft[detail], query.folderPath)}, theirs is{" "}
              {text(detail, theirs[detail], query.folderPath)}.
            </span>
            <Button size="sm" onClick={() => onTake(detail)}>
              Take theirs
            </Button>
          </div>
        ))}
      </div>
    </section>
  );
}
