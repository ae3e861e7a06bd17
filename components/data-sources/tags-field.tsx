"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { splitTags } from "./split-tags.ts";

/** Only tables with one of these tags; null for all tables. Those that tables of the project have can be chosen. */
export function TagsField({
  projectId,
  value,
  onChange,
  error,
}: {
  projectId: number | null;
  value: readonly string[] | null;
  onChange: (tags: string[] | null) => void;
  error?: { message?: string | undefined } | undefined;
}) {
  const { data } = trpc.catalog.sources.useQuery(
    { projectId: projectId ?? 0 },
    { enabled: projectId !== null },
  );
  const chosen = value ?? [];
  // What is being typed, such as a comma at the end, is kept as long as it says the same.
  const [typed, setTyped] = useState(chosen.join(", "));
  const text = splitTags(typed).join() === chosen.join() ? typed : chosen.join(", ");
  const choose = (tags: readonly string[], as = tags.join(", ")) => {
    setTyped(as);
    onChange(tags.length > 0 ? [...tags] : null);
  };
  const known = [...new Set((data?.items ?? []).flatMap(({ tags }) => tags))].sort();
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Tags"
        optional
        hint="Only tables with one of these tags, such as pii, tier 1; also tables that get it later"
        error={error}
      >
        <Input value={text} onChange={({ target }) => choose(splitTags(target.value), target.value)} />
      </Field>
      {known.length > 0 && (
        <ul aria-label="Tags of tables" className="flex max-h-24 flex-wrap gap-1.5 overflow-y-auto">
          {known.map((tag) => {
            const isChosen = chosen.includes(tag);
            return (
              <li key={tag} className="max-w-full">
                <button
                  type="button"
                  aria-pressed={isChosen}
                  onClick={() => choose(isChosen ? chosen.filter((each) => each !== tag) : [...chosen, tag])}
                  className="min-h-6 max-w-full truncate rounded-sm border bg-sunken px-1.5 text-xs text-ink-2 hover:text-ink aria-pressed:border-accent aria-pressed:text-ink"
                >
                  {tag}
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
