"use client";
import { MailCheck, Pause, Pencil, Play, Plus, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { Name } from "@/components/ui/name.tsx";
import { useMay } from "../auth/use-me.ts";
import { useProject, useProjectInput, useProjects } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { MenuItem } from "../ui/dropdown-menu.tsx";
import { Empty } from "../ui/empty.tsx";
import { holdsWords } from "../ui/matching.ts";
import { PageHeader } from "../ui/page-header.tsx";
import { RowMenu } from "../ui/row-menu.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { Status } from "../ui/status.tsx";
import { Table, Td, Th, Thead, Tr } from "../ui/table.tsx";
import { toast } from "../ui/toaster.tsx";
import { useRowKeys } from "../ui/use-row-keys.ts";
import { useSearch } from "../ui/use-search.ts";
import { useSort } from "../ui/use-sort.ts";
import { type Recipient, RecipientDialog } from "./recipient-dialog.tsx";
import { RecipientTestOutcome } from "./recipient-test-outcome.tsx";
import { recipientTypes } from "./recipient-types.ts";
import { SigningSecretDialog } from "./signing-secret-dialog.tsx";
import { useRecipientTests } from "./use-recipient-tests.ts";

type Task = { kind: "create" } | { kind: "edit" | "delete"; recipient: Recipient };

export function RecipientsTable() {
  const [{ items }] = trpc.recipients.list.useSuspenseQuery(useProjectInput());
  const { project, href } = useProject();
  const { nameOf } = useProjects();
  const { testOf, test } = useRecipientTests();
  const mayConfigure = useMay("recipients:configure");
  const enable = useEnable();
  const [search, setSearch] = useSearch();
  const [task, setTask] = useState<Task | null>(null);
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null);
  const sort = useSort(
    {
      name: (recipient: Recipient) => recipient.name,
      project: (recipient) => nameOf(recipient.projectId),
      type: (recipient) => recipientTypes[recipient.type].label,
      destination: (recipient) => recipient.destination,
      state: (recipient) => recipient.enabled,
    },
    "name",
  );
  const rows = sort.rows(
    items.filter(({ name, type, destination, projectId }) =>
      holdsWords(`${name} ${recipientTypes[type].label} ${destination} ${nameOf(projectId)}`, search),
    ),
  );
  const keys = useRowKeys({
    count: rows.length,
    ...(mayConfigure && {
      onOpen: (index: number) => {
        const recipient = rows[index];
        if (recipient) setTask({ kind: "edit", recipient });
      },
    }),
  });
  const createButton = mayConfigure && (
    <Button variant="primary" icon={Plus} onClick={() => setTask({ kind: "create" })}>
      New recipient
    </Button>
  );

  return (
    <>
      <PageHeader
        title="Recipients"
        count={items.length > 0 ? items.length : undefined}
        filters={
          items.length > 0 && (
            <SearchInput value={search} onValueChange={setSearch} label="Search recipients" />
          )
        }
        actions={items.length > 0 && createButton}
      />
      {items.length === 0 ? (
        <Empty icon={Send} title="No recipient yet" action={createButton}>
          A recipient is told when a contract fails: a mailbox, a channel in Slack or Teams, or an endpoint of
          your own. Contracts choose theirs from this list.
          {!mayConfigure && " An Editor or an Admin can add one."}
        </Empty>
      ) : rows.length === 0 ? (
        <p className="border-t py-4 text-ink-2">No recipient holds “{search}”.</p>
      ) : (
        <Table label="Recipients">
          <Thead>
            <tr>
              <Th sort={sort.of("name")}>Name</Th>
              {project === null && (
                <Th sort={sort.of("project")} className="hidden lg:table-cell">
                  Project
                </Th>
              )}
              <Th sort={sort.of("type")}>Type</Th>
              <Th sort={sort.of("destination")} className="hidden sm:table-cell">
                Destination
              </Th>
              <Th sort={sort.of("state")}>State</Th>
              {mayConfigure && (
                <Th>
                  <span className="sr-only">Actions</span>
                </Th>
              )}
            </tr>
          </Thead>
          <tbody>
            {rows.map((recipient, index) => {
              const { label, icon: Icon } = recipientTypes[recipient.type];
              return (
                <Tr key={recipient.id} {...keys.row(index)}>
                  <Td className="font-medium sm:min-w-48">
                    <Name>{recipient.name}</Name>
                    <RecipientTestOutcome test={testOf(recipient.id)} />
                  </Td>
                  {project === null && (
                    <Td className="hidden whitespace-nowrap text-ink-2 lg:table-cell">
                      {nameOf(recipient.projectId)}
                    </Td>
                  )}
                  <Td className="text-ink-2">
                    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap">
                      <Icon aria-hidden className="size-4 text-ink-3" />
                      <span className="sr-only sm:not-sr-only">{label}</span>
                    </span>
                  </Td>
                  <Td
                    truncate
                    className="hidden w-full font-mono text-xs sm:table-cell"
                    title={recipient.destination}
                  >
                    {recipient.destination}
                  </Td>
                  <Td>
                    {recipient.enabled ? (
                      <Status kind="ok">Enabled</Status>
                    ) : (
                      <Status kind="neutral">Disabled</Status>
                    )}
                  </Td>
                  {mayConfigure && (
                    <Td className="w-8">
                      <RowMenu of={recipient.name}>
                        <MenuItem icon={Pencil} onSelect={() => setTask({ kind: "edit", recipient })}>
                          Edit
                        </MenuItem>
                        <MenuItem
                          icon={Send}
                          disabled={testOf(recipient.id)?.kind === "running"}
                          onSelect={() => void test(recipient.id)}
                        >
                          Send test
                        </MenuItem>
                        <MenuItem icon={MailCheck} href={deliveriesOf(href("/notifications"), recipient.id)}>
                          Deliveries
                        </MenuItem>
                        <MenuItem
                          icon={recipient.enabled ? Pause : Play}
                          onSelect={() => enable(recipient, !recipient.enabled)}
                        >
                          {recipient.enabled ? "Disable" : "Enable"}
                        </MenuItem>
                        <MenuItem
                          icon={Trash2}
                          danger
                          onSelect={() => setTask({ kind: "delete", recipient })}
                        >
                          Delete
                        </MenuItem>
                      </RowMenu>
                    </Td>
                  )}
                </Tr>
              );
            })}
          </tbody>
        </Table>
      )}
      <RecipientDialog
        key={task?.kind === "edit" ? task.recipient.id : "new"}
        {...(task?.kind === "edit" && { recipient: task.recipient })}
        open={task?.kind === "create" || task?.kind === "edit"}
        onOpenChange={(open) => !open && setTask(null)}
        onSecret={setMade}
      />
      {task?.kind === "delete" && (
        <DeleteRecipient recipient={task.recipient} onClose={() => setTask(null)} />
      )}
      {made && <SigningSecretDialog {...made} onStored={() => setMade(null)} />}
    </>
  );
}

const deliveriesOf = (ledger: string, id: number) =>
  `${ledger}${ledger.includes("?") ? "&" : "?"}recipient=${id}`;

/** Switches a recipient on or off, and can be undone. */
function useEnable() {
  const utils = trpc.useUtils();
  const update = trpc.recipients.update.useMutation();
  return async function enable(recipient: Recipient, enabled: boolean, canUndo = true) {
    const { id, name, type, destination } = recipient;
    try {
      await update.mutateAsync({ id, name, type, destination, enabled });
      await utils.recipients.invalidate();
      toast.success(
        `${enabled ? "Enabled" : "Disabled"} “${name}”`,
        canUndo ? { action: { label: "Undo", onClick: () => void enable(recipient, !enabled, false) } } : {},
      );
    } catch (error) {
      toast.error(messageOf(error));
    }
  };
}

function DeleteRecipient({ recipient, onClose }: { recipient: Recipient; onClose: () => void }) {
  const utils = trpc.useUtils();
  const remove = trpc.recipients.delete.useMutation();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete “${recipient.name}”?`}
      confirm="Delete recipient"
      explain={messageOf}
      onConfirm={async () => {
        await remove.mutateAsync({ id: recipient.id });
        await utils.recipients.invalidate();
        toast.success(`Deleted “${recipient.name}”`);
      }}
    >
      <p>
        Nothing more is sent to {recipient.destination}. It works only while no contract names the recipient;
        to pause it, disable it instead.
      </p>
    </ConfirmDialog>
  );
}
