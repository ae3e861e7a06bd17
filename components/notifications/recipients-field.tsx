"use client";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Plus } from "@/components/ui/icons.tsx";
import { useMay } from "../auth/use-me.ts";
import { trpc } from "../trpc/client.tsx";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { FieldError } from "../ui/field.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

const RecipientDialog = dynamic(async () => (await import("./recipient-dialog.tsx")).RecipientDialog, {
  loading: () => null,
});
const SigningSecretDialog = dynamic(
  async () => (await import("./signing-secret-dialog.tsx")).SigningSecretDialog,
  { loading: () => null },
);

/** Who is notified: a selection of the project's recipients. A new one can be created on the spot, and is chosen. */
export function RecipientsField({
  label = "Recipients",
  projectId,
  withoutProject,
  value,
  onChange,
  error,
}: {
  label?: string;
  projectId: number | null;
  /** What to do first while the project is unknown. */
  withoutProject: string;
  value: readonly number[];
  onChange: (recipientIds: number[]) => void;
  error?: string | undefined;
}) {
  const mayCreate = useMay("recipients:configure");
  const [creates, setCreates] = useState(false);
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null);
  const { data, isLoading } = trpc.recipients.list.useQuery(
    { projectId: projectId ?? 0 },
    { enabled: projectId !== null },
  );
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 text-xs font-medium text-ink-2">
        {label}
        {value.length > 0 && ` (${value.length} chosen)`}
      </legend>
      {projectId === null ? (
        <p className="text-ink-2">{withoutProject}</p>
      ) : isLoading ? (
        <Skeleton className="w-48" />
      ) : !data || data.items.length === 0 ? (
        <p className="text-ink-2">
          This project has no recipients yet, so nobody is notified.
          {!mayCreate && " An Editor or an Admin can add one."}
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
      {projectId !== null && mayCreate && (
        <Button size="sm" icon={Plus} className="self-start" onClick={() => setCreates(true)}>
          New recipient
        </Button>
      )}
      {error && <FieldError>{error}</FieldError>}
      {creates && projectId !== null && (
        <RecipientDialog
          open
          projectId={projectId}
          onOpenChange={setCreates}
          onSecret={setMade}
          onCreated={(created) => onChange([...value, created.id])}
        />
      )}
      {made && <SigningSecretDialog {...made} onStored={() => setMade(null)} />}
    </fieldset>
  );
}
