"use client";
import { useEffect, useRef, useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { Pencil } from "@/components/ui/icons.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { TablePage } from "@/server/catalog/schema.ts";

type Words = TablePage["description"];
type Place = { dataSourceId: number; schemaName: string; tableName: string; columnName?: string };

const longest = 4000;

/** The description of a table or column, editable in place by people with permission. */
export function Described({
  place,
  words,
  mayEdit,
  isEditing,
  onEditing,
  isQuiet = false,
  className,
}: {
  place: Place;
  words: Words;
  mayEdit: boolean;
  isEditing: boolean;
  onEditing: (isEditing: boolean) => void;
  /** In a list, the prompt shows only on hover or focus. */
  isQuiet?: boolean;
  className?: string;
}) {
  const name = place.columnName ?? place.tableName;
  const opener = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // Return keyboard users to where they were.
    if (wasEditing.current && !isEditing) opener.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  if (isEditing) return <Editor place={place} words={words} onDone={() => onEditing(false)} />;
  if (!words && !mayEdit) return null;
  return (
    <div className={cn("group/words flex items-start gap-1", className)}>
      {words && (
        <p className="min-w-0 break-words whitespace-pre-wrap">
          {words.text}
          <span className="sr-only">
            , described <Moment at={words.updatedAt} /> by {words.updatedBy?.name ?? "someone"}
          </span>
        </p>
      )}
      {mayEdit && (
        <button
          ref={opener}
          type="button"
          onClick={() => onEditing(true)}
          aria-label={words ? `Change the description of ${name}` : `Describe ${name}`}
          title={words ? saidBy(words) : undefined}
          className={cn(
            "inline-flex min-h-6 shrink-0 items-center gap-1 rounded-sm px-1 text-ink-3 hover:bg-hover hover:text-ink",
            !words && "-ml-1",
            isQuiet &&
              "focus-visible:opacity-100 group-hover:opacity-100 group-focus-within:opacity-100 pointer-fine:opacity-0",
          )}
        >
          {!words && "Describe…"}
          {words && <Pencil aria-hidden className="size-3.5" />}
        </button>
      )}
    </div>
  );
}

const saidBy = ({ updatedBy }: NonNullable<Words>) => `Described by ${updatedBy?.name ?? "someone"}`;

function Editor({ place, words, onDone }: { place: Place; words: Words; onDone: () => void }) {
  const utils = trpc.useUtils();
  const [text, setText] = useState(words?.text ?? "");
  /** The description being replaced; a newer one is not overwritten without asking. */
  const [base, setBase] = useState(words);
  const save = trpc.dataSources.describe.useMutation();
  const isConflict = save.error !== null && factsOf(save.error).code === "CONFLICT";
  const { dataSourceId: id, ...names } = place;
  const table = { dataSourceId: id, schemaName: place.schemaName, tableName: place.tableName };
  const name = place.columnName ?? place.tableName;

  const submit = async () => {
    if (save.isPending) return;
    const description = text.trim() === "" ? null : text;
    if (description === (base?.text ?? null)) return onDone();
    try {
      const stored = await save.mutateAsync({
        id,
        ...names,
        description,
        updatedAt: base?.updatedAt ?? null,
      });
      utils.catalog.table.setData(table, (page) => page && withWords(page, place.columnName, stored));
      onDone();
      await utils.catalog.invalidate();
    } catch {
      // The editor shows the mutation's error. Reload to show what the other person saved.
      await utils.catalog.table.invalidate(table);
    }
  };

  return (
    <form
      className="flex w-full max-w-2xl flex-col gap-1.5 py-1"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          onDone();
        }
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          void submit();
        }
      }}
    >
      <Textarea
        autoFocus
        aria-label={`Description of ${name}`}
        value={text}
        maxLength={longest}
        rows={place.columnName === undefined ? 3 : 2}
        onChange={(event) => setText(event.target.value)}
        onFocus={(event) => event.target.setSelectionRange(text.length, text.length)}
      />
      {save.error && (
        <div role="alert" className="flex flex-col gap-1 text-xs text-critical">
          {factsOf(save.error).message}
          {isConflict && words?.updatedAt !== base?.updatedAt && (
            <span className="flex flex-col gap-1 text-ink-2">
              <span>
                {words ? (
                  <>
                    {words.updatedBy?.name ?? "Someone"} says: “{words.text}”
                  </>
                ) : (
                  "It was removed."
                )}
              </span>
              <span className="flex gap-2">
                <Button
                  size="sm"
                  onClick={() => {
                    save.reset();
                    onDone();
                  }}
                >
                  Keep theirs
                </Button>
                <Button
                  size="sm"
                  onClick={() => {
                    save.reset();
                    setBase(words);
                  }}
                >
                  Keep mine
                </Button>
              </span>
            </span>
          )}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" size="sm" variant="primary" pending={save.isPending}>
          Save
        </Button>
        <Button size="sm" variant="ghost" onClick={onDone}>
          Cancel
        </Button>
        <span className="text-xs text-ink-3 max-sm:hidden">
          <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> saves, <Kbd>Esc</Kbd> cancels
        </span>
        {text.length > longest - 500 && (
          <span className="ml-auto text-xs text-ink-3 tabular-nums">
            {text.length} of {longest}
          </span>
        )}
      </div>
    </form>
  );
}

type Stored = {
  description: string | null;
  updatedAt: string | null;
  updatedBy: { id: number; name: string } | null;
};

/** The cached page with the new description, until it is refetched. */
function withWords(page: TablePage, columnName: string | undefined, stored: Stored): TablePage {
  const { description: text, updatedAt, updatedBy } = stored;
  const words = text === null || updatedAt === null ? null : { text, updatedAt, updatedBy };
  if (columnName === undefined) return { ...page, description: words };
  return {
    ...page,
    columns: page.columns.map((column) =>
      column.name === columnName ? { ...column, description: words } : column,
    ),
    formerColumns: page.formerColumns.flatMap((former) =>
      former.name === columnName ? (words ? { ...former, description: words } : []) : former,
    ),
  };
}
