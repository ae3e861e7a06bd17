"use client";
import { useState } from "react";
import { useMay, useMayIn } from "@/components/auth/use-me.ts";
import { Schedule } from "@/components/cron/schedule.tsx";
import { scopeWords } from "@/components/data-sources/scope-words.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { MenuItem } from "@/components/ui/dropdown-menu.tsx";
import { formatDuration } from "@/components/ui/format.ts";
import { CircleCheck, Pencil, Plus, Trash2, Wrench } from "@/components/ui/icons.tsx";
import { actionsColumn, type Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { RowMenu } from "@/components/ui/row-menu.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import type { MaintenanceWindow } from "@/server/maintenance/schema.ts";
import { windowParameters, windowsInput } from "./list-input.ts";
import { WindowDialog } from "./window-dialog.tsx";

type Asked = { kind: "create" } | { kind: "edit" | "remove"; window: MaintenanceWindow };

/** Times in which nobody is notified: now, to come, and over for less than a month. */
export function WindowsPage() {
  const { href } = useProject();
  const utils = trpc.useUtils();
  const inProject = useProjectInput();
  const list = useListFilters(windowParameters, (filters) => windowsInput(inProject, filters));
  const [page] = trpc.maintenance.page.useSuspenseQuery(list.input, { refetchInterval: 60_000 });
  const mayConfigure = useMay("incidents:configure");
  const mayConfigureIn = useMayIn("incidents:configure");
  const [asked, setAsked] = useState<Asked | null>(null);
  const end = trpc.maintenance.end.useMutation();
  const remove = trpc.maintenance.remove.useMutation();
  const endNow = async ({ id, name }: MaintenanceWindow) => {
    try {
      await end.mutateAsync({ id });
      toast.success(`“${name}” has ended`);
    } catch (error) {
      toast.error(`“${name}” could not be ended`, { description: messageOf(error) });
    }
    await utils.maintenance.invalidate();
  };
  const createButton = mayConfigure && (
    <Button variant="primary" icon={Plus} onClick={() => setAsked({ kind: "create" })}>
      New window
    </Button>
  );
  const columns: Columns = [
    { title: "State" },
    { title: "Name", sort: list.sortBy("name") },
    { title: "When", from: "sm", sort: list.sortBy("time") },
    { title: "Applies to", from: "md" },
    mayConfigure && actionsColumn(),
  ];
  return (
    <>
      <ListPage
        title="Maintenance"
        things="windows"
        parent={{ href: href("/incidents"), label: "Incidents" }}
        columns={columns}
        rows={page.items}
        page={page}
        list={list}
        keyOf={({ id }) => id}
        {...(mayConfigure && {
          onOpen: (window: MaintenanceWindow) =>
            mayConfigureIn(window.projectId) && setAsked({ kind: "edit", window }),
        })}
        filters={
          (page.totalCount > 5 || list.isFiltered) && (
            <SearchInput
              label="Search windows"
              value={list.filters.q}
              onValueChange={(q) => list.set({ q })}
            />
          )
        }
        actions={(page.totalCount > 0 || list.isFiltered) && createButton}
        empty={{
          icon: Wrench,
          title: "No maintenance windows",
          action: createButton,
          children:
            "While a window lasts, nobody is notified about what reads its data sources or tables: once, for an upgrade, or again and again, for a nightly load. Everything runs and is recorded.",
        }}
      >
        {(window, row) => (
          <Tr key={window.id} {...row}>
            <Td className="whitespace-nowrap">
              {window.activeUntil ? (
                <Status kind="stalled">Now</Status>
              ) : window.nextStart ? (
                <Status kind="neutral">Planned</Status>
              ) : (
                <Status kind="ok">Over</Status>
              )}
            </Td>
            <Td className="w-full max-w-0 min-w-40">
              <span className="block truncate font-medium">{window.name}</span>
              <span className="block truncate text-xs text-ink-3">
                {window.activeUntil ? (
                  <>
                    until <Moment at={window.activeUntil} />
                  </>
                ) : window.nextStart ? (
                  <>
                    next <Moment at={window.nextStart} />
                  </>
                ) : (
                  window.reason
                )}
                {window.reason && (window.activeUntil || window.nextStart) && <> · {window.reason}</>}
              </span>
            </Td>
            <Td className="hidden min-w-44 text-ink-2 sm:table-cell">
              {window.cronExpression ? (
                <>
                  <Schedule expression={window.cronExpression} timezone={window.timezone} />, for{" "}
                  {formatDuration((window.durationMinutes ?? 0) * 60_000)}
                </>
              ) : (
                <>
                  <Moment at={window.startsAt} exact /> to <Moment at={window.endsAt} exact />
                </>
              )}
            </Td>
            <Td className="hidden min-w-48 break-words text-ink-2 first-letter:uppercase md:table-cell">
              {scopeWords(window) ?? "All data sources"}
            </Td>
            {mayConfigure && !mayConfigureIn(window.projectId) && <Td />}
            {mayConfigureIn(window.projectId) && (
              <Td className="w-8 px-0">
                <RowMenu of={window.name}>
                  {window.activeUntil && (
                    <MenuItem icon={CircleCheck} onSelect={() => void endNow(window)}>
                      End now
                    </MenuItem>
                  )}
                  <MenuItem icon={Pencil} onSelect={() => setAsked({ kind: "edit", window })}>
                    Edit
                  </MenuItem>
                  <MenuItem icon={Trash2} onSelect={() => setAsked({ kind: "remove", window })}>
                    Remove…
                  </MenuItem>
                </RowMenu>
              </Td>
            )}
          </Tr>
        )}
      </ListPage>
      {(asked?.kind === "create" || asked?.kind === "edit") && (
        <WindowDialog
          {...("window" in asked && { window: asked.window })}
          open
          onOpenChange={() => setAsked(null)}
        />
      )}
      {asked?.kind === "remove" && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsked(null)}
          title={`Remove “${asked.window.name}”?`}
          confirm="Remove window"
          explain={messageOf}
          onConfirm={async () => {
            await remove.mutateAsync({ id: asked.window.id });
            await utils.maintenance.invalidate();
          }}
        >
          <p>
            {asked.window.activeUntil
              ? "People are notified again from now on."
              : "People are notified at those times, too."}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
