"use client";
import Link from "next/link";
import { useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { FieldError } from "../ui/field.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/** Who is notified: a selection of the project's recipients. */
export function RecipientsField({
  projectId,
  withoutProject,
  value,
  onChange,
  error,
}: {
  projectId: number | null;
  /** What to do first while the project is unknown. */
  withoutProject: string;
  value: readonly number[];
  onChange: (recipientIds: number[]) => void;
  error?: string | undefined;
}) {
  const { href } = useProject();
  const { data, isLoading } = trpc.recipients.list.useQuery(
    { projectId: projectId ?? 0 },
    { enabled: projectId !== null },
  );
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 text-xs font-medium text-ink-2">
        Recipients{value.length > 0 && ` (${value.length} chosen)`}
      </legend>
      {projectId === null ? (
        <p className="text-ink-2">{withoutProject}</p>
      ) : isLoading ? (
        <Skeleton className="w-48" />
      ) : !data || data.items.length === 0 ? (
        <p className="text-ink-2">
          This project has no recipients yet, so nobody is notified.{" "}
          <Link href={href("/recipients")} target="_blank" className="text-accent underline">
            Add recipients
          </Link>{" "}
          (in a new tab), then come back.
        </p>
      ) : (
        <div className="grid max-h-64 gap-x-6 gap-y-2 overflow-y-auto sm:grid-cols-2">
          {data.items.map(({ id, name, type, destination, enabled }) => (
            <Checkbox
              key={id}
              checked={value.includes(id)}
              onCheckedChange={(isChosen) =>
                onChange(isChosen ? [...value, id] : value.filter((each) => each !== id))
              }
              label={<span className="break-words">{name}</span>}
              hint={
                <span className="break-all">
                  {type}, {destination}
                  {!enabled && ", disabled"}
                </span>
              }
            />
          ))}
        </div>
      )}
      {error && <FieldError>{error}</FieldError>}
    </fieldset>
  );
}
