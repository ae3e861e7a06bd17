"use client";
import { useState } from "react";
import { useProject } from "@/components/projects/use-project.ts";
import { ManagedNotice } from "@/components/stacks/managed-notice.tsx";
import { useIsManaged } from "@/components/stacks/use-managed.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Pencil } from "@/components/ui/icons.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { TablePage } from "@/server/catalog/schema.ts";

/** A table's tags, each a link to the tables that have it too, and a field to change them. */
export function TableTags({ table, mayEdit }: { table: TablePage; mayEdit: boolean }) {
  const { href } = useProject();
  const [isEditing, setEditing] = useState(false);
  const { tags, tableName } = table;
  const listId = useTagListId(table);
  const isManaged = useIsManaged("TableTags", listId);
  if (tags.length === 0 && !mayEdit) return null;
  return (
    <section aria-label="Tags" className="max-w-3xl pb-4">
      {listId !== undefined && <ManagedNotice kind="TableTags" id={listId} />}
      {isEditing ? (
        <Editor table={table} onDone={() => setEditing(false)} />
      ) : (
        <div className="flex flex-wrap items-center gap-1.5">
          {tags.map((tag) => (
            <Link
              key={tag}
              href={href(`/catalog?${new URLSearchParams({ tag })}`)}
              title={`Tables tagged ${tag}`}
              className="inline-flex min-h-6 max-w-full items-center truncate rounded-sm border bg-sunken px-1.5 text-xs text-ink-2 hover:text-ink"
            >
              {tag}
            </Link>
          ))}
          {mayEdit && !isManaged && (
            <button
              type="button"
              onClick={() => setEditing(true)}
              aria-label={tags.length > 0 ? `Change the tags of ${tableName}` : `Tag ${tableName}`}
              className="inline-flex min-h-6 min-w-6 items-center justify-center gap-1 rounded-sm px-1 text-ink-3 hover:bg-hover hover:text-ink"
            >
              {tags.length > 0 ? <Pencil aria-hidden className="size-3.5" /> : "Add tags…"}
            </button>
          )}
        </div>
      )}
    </section>
  );
}

/** What the table's tags are managed by; undefined without tags, or as long as it is not known. */
function useTagListId({ dataSource: { id }, schemaName, tableName, tags }: TablePage): number | undefined {
  const { data } = trpc.dataSources.tags.useQuery({ id }, { enabled: tags.length > 0 });
  return (
    data?.items.find((each) => each.schemaName === schemaName && each.tableName === tableName)?.id ??
    undefined
  );
}

function Editor({ table, onDone }: { table: TablePage; onDone: () => void }) {
  const utils = trpc.useUtils();
  const save = trpc.dataSources.tagTable.useMutation();
  const [text, setText] = useState(table.tags.join(", "));
  const { dataSource, schemaName, tableName } = table;
  const submit = async () => {
    const tags = text.split(",").flatMap((tag) => tag.trim() || []);
    try {
      await save.mutateAsync({ id: dataSource.id, schemaName, tableName, tags });
    } catch {
      // The mutation's error is shown.
      return;
    }
    await Promise.all([utils.catalog.invalidate(), utils.dataSources.tags.invalidate()]);
    onDone();
  };
  return (
    <form
      className="flex max-w-xl flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onDone();
      }}
    >
      <Field label="Tags" hint="Separated by commas, such as pii, finance, tier 1">
        <Input autoFocus value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <FormError>{save.error && messageOf(save.error)}</FormError>
      <span className="flex gap-2">
        <Button type="submit" size="sm" variant="primary" pending={save.isPending}>
          Save
        </Button>
        <Button size="sm" onClick={onDone}>
          Cancel
        </Button>
      </span>
    </form>
  );
}
