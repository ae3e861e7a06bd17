"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { FieldError } from "@/components/ui/field.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Switch } from "@/components/ui/switch.tsx";

/** All data sources of a project, also later ones (null), or some of them. */
export function SourcesField({
  projectId,
  value,
  onChange,
  error,
}: {
  projectId: number | null;
  value: readonly number[] | null;
  onChange: (dataSourceIds: number[] | null) => void;
  error?: string | undefined;
}) {
  const { data, isLoading } = trpc.dataSources.list.useQuery(
    { projectId: projectId ?? 0 },
    { enabled: projectId !== null },
  );
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 text-xs font-medium text-ink-2">Data sources</legend>
      <Switch
        label="All of the project"
        hint="Also those that are connected later"
        checked={value === null}
        onCheckedChange={(all) => onChange(all ? null : [])}
      />
      {value !== null &&
        (isLoading ? (
          <Skeleton className="w-48" />
        ) : (
          <div className="grid max-h-48 gap-x-6 gap-y-2 overflow-y-auto pl-9 sm:grid-cols-2">
            {(data?.items ?? []).map(({ id, name }) => (
              <Checkbox
                key={id}
                checked={value.includes(id)}
                onCheckedChange={(isChosen) =>
                  onChange(isChosen ? [...value, id] : value.filter((each) => each !== id))
                }
                label={<span className="break-words">{name}</span>}
              />
            ))}
          </div>
        ))}
      {error && <FieldError>{error}</FieldError>}
    </fieldset>
  );
}
