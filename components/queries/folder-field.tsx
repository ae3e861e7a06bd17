"use client";
import { Combobox } from "@/components/ui/combobox.tsx";
import type { Folder } from "@/server/queries/schema.ts";

/** A folder, shown by its path, or none. Use inside a Field. */
export function FolderField({
  value,
  folders,
  top = "In no folder",
  disabled = false,
  onChange,
}: {
  value: number | null;
  folders: readonly Folder[];
  /** The label for no folder (the top level). */
  top?: string;
  disabled?: boolean;
  onChange: (folderId: number | null) => void;
}) {
  return (
    <Combobox
      value={value === null ? "top" : String(value)}
      disabled={disabled}
      searchPlaceholder="Search folders"
      empty="No folder has this name"
      onValueChange={(chosen) => onChange(chosen === "top" ? null : Number(chosen))}
      groups={[
        {
          items: [
            { value: "top", label: top },
            ...folders.map(({ id, path }) => ({ value: String(id), label: path })),
          ],
        },
      ]}
    />
  );
}
