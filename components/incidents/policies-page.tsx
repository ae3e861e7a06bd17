"use client";
import { useState } from "react";
import { useMay, useMayIn } from "@/components/auth/use-me.ts";
import { scopeWords } from "@/components/data-sources/scope-words.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { MenuItem } from "@/components/ui/dropdown-menu.tsx";
import { formatDuration } from "@/components/ui/format.ts";
import { BellRing, Pencil, Plus, Trash2 } from "@/components/ui/icons.tsx";
import { actionsColumn, type Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { RowMenu } from "@/components/ui/row-menu.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import type { IncidentPolicy } from "@/server/incidents/schema.ts";
import { PolicyDialog } from "./policy-dialog.tsx";
import { policiesInput, policyParameters } from "./policy-list-input.ts";
import { daysWords, hoursWords } from "./weekdays.ts";

type Asked = { kind: "create" } | { kind: "edit" | "remove"; policy: IncidentPolicy };

const names = (all: readonly { name: string }[]) => all.map(({ name }) => name).join(", ");

/** Who is notified about incidents: by severity, data source, tag, and hour. */
export function PoliciesPage() {
  const { href } = useProject();
  const utils = trpc.useUtils();
  const inProject = useProjectInput();
  const list = useListFilters(policyParameters, (filters) => policiesInput(inProject, filters));
  const [page] = trpc.incidents.policiesPage.useSuspenseQuery(list.input);
  const mayConfigure = useMay("incidents:configure");
  const mayConfigureIn = useMayIn("incidents:configure");
  const [asked, setAsked] = useState<Asked | null>(null);
  const remove = trpc.incidents.removePolicy.useMutation();
  const createButton = mayConfigure && (
    <Button variant="primary" icon={Plus} onClick={() => setAsked({ kind: "create" })}>
      New policy
    </Button>
  );
  const columns: Columns = [
    { title: "State", sort: list.sortBy("state", "desc") },
    { title: "Policy", sort: list.sortBy("name") },
    { title: "Notified", from: "sm" },
    { title: "Escalates", from: "lg" },
    mayConfigure && actionsColumn(),
  ];
  return (
    <>
      <ListPage
        title="Incident policies"
        things="policies"
        parent={{ href: href("/incidents"), label: "Incidents" }}
        columns={columns}
        rows={page.items}
        page={page}
        list={list}
        keyOf={({ id }) => id}
        {...(mayConfigure && {
          onOpen: (policy: IncidentPolicy) =>
            mayConfigureIn(policy.projectId) && setAsked({ kind: "edit", policy }),
        })}
        filters={
          (page.totalCount > 5 || list.isFiltered) && (
            <SearchInput
              label="Search policies"
              value={list.filters.q}
              onValueChange={(q) => list.set({ q })}
            />
          )
        }
        actions={(page.totalCount > 0 || list.isFiltered) && createButton}
        empty={{
          icon: BellRing,
          title: "Nobody is notified about incidents",
          action: createButton,
          children:
            "A policy notifies its recipients once when an incident opens, however many checks fail in it, and once when it is over. It can apply to some severities, data sources, tags, and hours, and notify others if nobody acknowledges. What subscriptions and contracts send themselves is set by each of them.",
        }}
      >
        {(policy, row) => (
          <Tr key={policy.id} {...row}>
            <Td className="whitespace-nowrap">
              {policy.enabled ? <Status kind="ok">On</Status> : <Status kind="neutral">Off</Status>}
            </Td>
            <Td className="w-full max-w-0 min-w-40">
              <span className="block truncate font-medium">{policy.name}</span>
              <span className="block truncate text-xs text-ink-3">
                {[
                  policy.minSeverity &&
                    (policy.minSeverity === "Low" ? "All incidents" : `${policy.minSeverity} and worse`),
                  policy.digest && `digest ${daysWords(policy.digest.days)} ${policy.digest.at}`,
                  scopeWords(policy),
                  policy.hours && hoursWords(policy.hours),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </Td>
            <Td className="hidden max-w-56 truncate text-ink-2 sm:table-cell">{names(policy.recipients)}</Td>
            <Td className="hidden max-w-64 truncate text-ink-2 lg:table-cell">
              {policy.escalateAfterMinutes === null
                ? "–"
                : `to ${names(policy.escalationRecipients)} after ${formatDuration(policy.escalateAfterMinutes * 60_000)}`}
            </Td>
            {mayConfigure && !mayConfigureIn(policy.projectId) && <Td />}
            {mayConfigureIn(policy.projectId) && (
              <Td className="w-8 px-0">
                <RowMenu of={policy.name}>
                  <MenuItem icon={Pencil} onSelect={() => setAsked({ kind: "edit", policy })}>
                    Edit
                  </MenuItem>
                  <MenuItem icon={Trash2} onSelect={() => setAsked({ kind: "remove", policy })}>
                    Remove…
                  </MenuItem>
                </RowMenu>
              </Td>
            )}
          </Tr>
        )}
      </ListPage>
      {(asked?.kind === "create" || asked?.kind === "edit") && (
        <PolicyDialog
          {...("policy" in asked && { policy: asked.policy })}
          open
          onOpenChange={() => setAsked(null)}
        />
      )}
      {asked?.kind === "remove" && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsked(null)}
          title={`Remove “${asked.policy.name}”?`}
          confirm="Remove policy"
          explain={messageOf}
          onConfirm={async () => {
            await remove.mutateAsync({ id: asked.policy.id });
            await utils.incidents.invalidate();
          }}
        >
          <p>
            {names(asked.policy.recipients)} will no longer be notified by it, also not that an incident is
            over.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
