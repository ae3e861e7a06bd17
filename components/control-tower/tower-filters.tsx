"use client";
import { useState } from "react";
import { useProjectInput, useProjects } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Menu, MenuContent, MenuRadioGroup, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { plural } from "@/components/ui/format.ts";
import { ChevronDown, X } from "@/components/ui/icons.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { folderItems } from "./folder-items.ts";
import { Picker } from "./picker.tsx";
import { windows } from "./tower-filter.ts";
import type { Tower } from "./use-tower.ts";

const options = windows.map((days) => ({ value: String(days), label: plural(days, "day") }));
const pickerClass = "w-[calc(50%-0.25rem)] sm:w-36";

/** Filters by time range, folder, data source, and name; the cards are filters too. */
export function TowerFilters({ tower: { filters, set } }: { tower: Tower }) {
  return (
    <>
      <Menu>
        <MenuTrigger>
          <Button
            aria-label={`Window: ${plural(filters.days, "day")}`}
            className="w-[calc(50%-0.25rem)] justify-between border-control px-2 font-normal sm:w-24"
          >
            {plural(filters.days, "day")}
            <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-3" />
          </Button>
        </MenuTrigger>
        <MenuContent align="start" className="min-w-24">
          <MenuRadioGroup
            value={String(filters.days)}
            onValueChange={(days) => set({ days: windows.find((each) => String(each) === days) ?? null })}
            options={options}
          />
        </MenuContent>
      </Menu>
      <FolderPicker value={filters.folder} onChange={(folder) => set({ folder })} />
      <SourcePicker value={filters.source} onChange={(source) => set({ source })} />
      <SearchInput
        label="Search"
        className="w-[calc(50%-0.25rem)] sm:w-44"
        maxLength={200}
        value={filters.q}
        onValueChange={(q) => set({ q: q || null }, "replace")}
      />
    </>
  );
}

/** Clears all filters, including the cards', but not the time range. */
export function ClearFilters({ tower: { set, isFiltered } }: { tower: Tower }) {
  return (
    isFiltered && (
      <Button variant="ghost" icon={X} className="px-2" onClick={() => set(noFilters)}>
        Clear
      </Button>
    )
  );
}

export const noFilters = { folder: null, source: null, status: null, tasks: null, q: null };

type PickerProps = { value: number | null; onChange: (id: number | null) => void };

const indents = ["", "pl-3", "pl-6", "pl-9", "pl-12"];

function FolderPicker({ value, onChange }: PickerProps) {
  const [isWanted, setWanted] = useState(false);
  const { projects } = useProjects();
  const folders = trpc.queries.folders.useQuery(useProjectInput(), {
    enabled: isWanted || value !== null,
    staleTime: 60_000,
  });
  const groups = folderItems(folders.data?.items ?? [], projects).map((group) => ({
    ...group,
    items: group.items.map(({ depth, ...item }) => ({
      ...item,
      icon: <span className={indents[Math.min(depth, indents.length - 1)]} />,
    })),
  }));
  return (
    <Picker
      label="Folder"
      allLabel="All folders"
      className={pickerClass}
      groups={groups}
      isLoading={folders.isPending}
      isWanted={isWanted}
      onWant={() => setWanted(true)}
      {...{ value, onChange }}
    />
  );
}

function SourcePicker({ value, onChange }: PickerProps) {
  const [isWanted, setWanted] = useState(false);
  const { projects, nameOf } = useProjects();
  const sources = trpc.dataSources.list.useQuery(useProjectInput(), {
    enabled: isWanted || value !== null,
    staleTime: 60_000,
  });
  const items = (sources.data?.items ?? []).map(({ id, name, projectId }) => ({
    value: String(id),
    label: name,
    ...(projects.length > 1 && { hint: nameOf(projectId) }),
  }));
  return (
    <Picker
      label="Data source"
      allLabel="All sources"
      className={pickerClass}
      groups={[{ items }]}
      isLoading={sources.isPending}
      isWanted={isWanted}
      onWant={() => setWanted(true)}
      {...{ value, onChange }}
    />
  );
}
