"use client";
import { Button } from "@/components/ui/button.tsx";
import { StatusIcon } from "@/components/ui/status.tsx";
import { editorsIn } from "./edit-of.ts";
import type { Difference } from "./three-way.ts";
import type { Meanwhile } from "./use-safe-edit.ts";
import { valueText } from "./value-words.ts";

/** Says in a form what someone else has saved meanwhile, and offers their value where both have changed a field. */
export function MeanwhileNotice({
  thing,
  meanwhile,
  labels,
  textOf = valueText,
  onTake,
}: {
  /** "policy" */
  thing: string;
  meanwhile: Meanwhile | null;
  /** The fields' labels, by their names. */
  labels: Record<string, string>;
  textOf?: (value: unknown, path: string) => string;
  onTake: (clash: Difference) => void;
}) {
  if (!meanwhile) return null;
  const { edits, taken, clashes } = meanwhile;
  const label = (path: string) => labels[path] ?? path;
  return (
    <section
      role="alert"
      aria-label="Changed by someone else"
      className="flex items-start gap-2 rounded-md border border-warning/50 bg-warning-soft px-3 py-2"
    >
      <StatusIcon kind="warning" className="mt-0.5" />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p>
          <strong>
            {editorsIn(edits)} changed this {thing}
          </strong>{" "}
          while you were editing it. Your changes are still here; save again to store them on top.
        </p>
        {taken.length > 0 && (
          <ul className="list-disc pl-5">
            {taken.map(({ path, theirs }) => (
              <li key={path} className="break-words">
                {label(path)} is now {textOf(theirs, path)}.
              </li>
            ))}
          </ul>
        )}
        {clashes.map((clash) => (
          <div key={clash.path} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 break-words">
              {label(clash.path)}: yours is {textOf(clash.mine, clash.path)}, theirs is{" "}
              {textOf(clash.theirs, clash.path)}.
            </span>
            <Button size="sm" onClick={() => onTake(clash)}>
              Take theirs
            </Button>
          </div>
        ))}
      </div>
    </section>
  );
}
