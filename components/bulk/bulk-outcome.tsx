"use client";
import { Button } from "@/components/ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { plural } from "@/components/ui/format.ts";
import { type BulkResult, reasonsOf } from "./results.ts";

const shown = 10;

/** What was done and what was not, by reason. */
export function BulkOutcome({
  verb,
  things,
  result,
  onClose,
}: {
  verb: string;
  things: readonly [string, string];
  result: BulkResult;
  onClose: () => void;
}) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${verb} ${result.done} of ${plural(result.done + result.failed, ...things)}`}
      description="What was not done is still selected."
      size="sm"
    >
      <ul className="flex flex-col gap-3">
        {reasonsOf(result).map(({ problem, ids }) => (
          <li key={problem}>
            <p className="font-medium break-words">
              {plural(ids.length, ...things)}: {problem}
            </p>
            <p className="text-xs text-ink-3 tabular-nums">
              {ids
                .slice(0, shown)
                .map((id) => `#${id}`)
                .join(", ")}
              {ids.length > shown && ` and ${ids.length - shown} more`}
            </p>
          </li>
        ))}
      </ul>
      <DialogFooter>
        <DialogClose>
          <Button variant="primary">Close</Button>
        </DialogClose>
      </DialogFooter>
    </Dialog>
  );
}
