"use client";
import { useState } from "react";
import { MailCheck, Pause, Pencil, Play, Plus, Send, Trash2 } from "@/components/ui/icons.tsx";
import { Name } from "@/components/ui/name.tsx";
import { useMay, useMayIn } from "../auth/use-me.ts";
import { useProject, useProjectInput, useProjects } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { MenuItem } from "../ui/dropdown-menu.tsx";
import { actionsColumn, type Columns } from "../ui/list.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { RowMenu } from "../ui/row-menu.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { Status } from "../ui/status.tsx";
import { Td, Tr } from "../ui/table.tsx";
import { toast } from "../ui/toaster.tsx";
import { useListFilters } from "../ui/use-list-filters.ts";
import { type Recipient, RecipientDialog } from "./recipient-dialog.tsx";
import { recipientParameters, recipientsInput } from "./recipient-list-input.ts";
import { RecipientTestOutcome } from "./recipient-test-outcome.tsx";
import { recipientTypes } from "./recipient-types.ts";
import { SigningSecretDialog } from "./signing-secret-dialog.tsx";
import { useRecipientTests } from "./use-recipient-tests.ts";

type Task = { kind: "create" } | { kind: "edit" | "delete"; recipient: Recipient };

export function RecipientsTable() {
  const inProject = useProjectInput();
  const list = useListFilters(recipientParameters, (filters) => recipientsInput(inProject, filters));
  const [page] = trpc.recipients.page.useSuspenseQuery(list.input);
  const { project, href } = useProject();
  const { nameOf } = useProjects();
  const { testOf, test } = useRecipientTests();
  const mayConfigure = useMay("recipients:configure");
  const mayConfigureIn = useMayIn("recipients:configure");
  const enable = useEnable();
  const [task, setTask] = useState<Task | null>(null);
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null);
  const createButton = mayConfigure && (
    <Button variant="primary" icon={Plus} onClick={() => setTask({ kind: "create" })}>
      New recipient
    </Button>
  );
  const columns: Columns = [
    { title: "Name", sort: list.sortBy("name") },
    project === null && { title: "Project", from: "lg", sort: list.sortBy("project") },
    { title: "Type", sort: list.sortBy("type") },
    { title: "Destination", from: "sm", sort: list.sortBy("destination") },
    { title: "State", sort: list.sortBy("state") },
    mayConfigure && actionsColumn(),
  ];

  return (
    <>
      <ListPage
        title="Recipients"
        things="recipients"
        columns={columns}
        rows={page.items}
        page={page}
        list={list}
        keyOf={({ id }) => id}
        {...(mayConfigure && {
          onOpen: (recipient: Recipient) =>
            mayConfigureIn(recipient.projectId) && setTask({ kind: "edit", recipient }),
        })}
        filters={
          <SearchInput
            value={list.filters.q}
            onValueChange={(q) => list.set({ q })}
            label="Search recipients"
          />
        }
        actions={(page.totalCount > 0 || list.isFiltered) && createButton}
        empty={{
          icon: Send,
          title: "No recipients yet",
          action: createButton,
          children: `Recipients are notified when a contract fails: a mailbox, a Slack or Teams channel, or your own endpoint. Contracts choose theirs from this list.${
            mayConfigure ? "" : " An Editor or an Admin can add one."
          }`,
        }}
      >
        {(recipient, row) => {
          const { label, icon: Icon } = recipientTypes[recipient.type];
          return (
            <Tr {...row}>
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
              {mayConfigure && !mayConfigureIn(recipient.projectId) && <Td />}
              {mayConfigureIn(recipient.projectId) && (
                <Td className="w-8">
                  <RowMenu of={recipient.name}>
                    <MenuItem icon={Pencil} onSelect={() => setTask({ kind: "edit", recipient })}>
                      Edit
                    </MenuItem>
                    <MenuItem
                      icon={Send}
                      disabled={testOf(recipient.id)?.state === "running"}
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
                    <MenuItem icon={Trash2} danger onSelect={() => setTask({ kind: "delete", recipient })}>
                      Delete
                    </MenuItem>
                  </RowMenu>
                </Td>
              )}
            </Tr>
          );
        }}
      </ListPage>
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

/** Enables or disables a recipient, with undo. */
function useEnable() {
  const utils = trpc.useUtils();
  const update = trpc.recipients.update.useMutation();
  return async function enable(recipient: Recipient, enabled: boolean, canUndo = true) {
    const { id, name, type, destination, revision: baseRevision } = recipient;
    try {
      const saved = await update.mutateAsync({ id, baseRevision, name, type, destination, enabled });
      await utils.recipients.invalidate();
      toast.success(
        `${enabled ? "Enabled" : "Disabled"} “${name}”`,
        canUndo ? { action: { label: "Undo", onClick: () => void enable(saved, !enabled, false) } } : {},
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
        Nothing more is sent to {recipient.destination}. You can delete a recipient only while no contract
        uses it; to pause it, disable it instead.
      </p>
    </ConfirmDialog>
  );
}
