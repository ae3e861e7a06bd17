"use client";
import { useState } from "react";
import { KeyRound, Pause, Pencil, Play, Plus, ScrollText, UserCog } from "@/components/ui/icons.tsx";
import { NewKeyDialog } from "../api-keys/new-key-dialog.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/class-names.ts";
import { MenuItem } from "../ui/dropdown-menu.tsx";
import { actionsColumn, type Columns } from "../ui/list.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { Moment } from "../ui/moment.tsx";
import { RowMenu } from "../ui/row-menu.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { Status } from "../ui/status.tsx";
import { Td, Tr } from "../ui/table.tsx";
import { AccessWords } from "../users/access-words.tsx";
import { StateFilter } from "../users/state-filter.tsx";
import { EnableServiceAccount } from "./enable-service-account.tsx";
import { EditServiceAccountDialog, NewServiceAccountDialog } from "./service-account-dialogs.tsx";
import { type ServiceAccount, useServiceAccounts } from "./use-service-accounts.ts";

type Task = { kind: "create" } | { kind: "edit" | "enable" | "key"; account: ServiceAccount };

export function ServiceAccountsTable() {
  const { list, page } = useServiceAccounts();
  const { filters } = list;
  const [task, setTask] = useState<Task | null>(null);
  const done = () => setTask(null);
  const columns: Columns = [
    { title: "Name", sort: list.sortBy("name") },
    { title: "Access" },
    { title: "State", sort: list.sortBy("state") },
    { title: "Active keys", from: "sm", sort: list.sortBy("keys", "desc") },
    { title: "Last used", from: "md", sort: list.sortBy("lastUsed", "desc") },
    { title: "Created", from: "lg", sort: list.sortBy("created", "desc") },
    actionsColumn(),
  ];
  const createButton = (
    <Button variant="primary" icon={Plus} onClick={() => setTask({ kind: "create" })}>
      New service account
    </Button>
  );

  return (
    <>
      <ListPage
        title="Service accounts"
        things="service accounts"
        columns={columns}
        rows={page.items}
        page={page}
        list={list}
        keyOf={({ id }) => id}
        onOpen={(account) => setTask({ kind: "edit", account })}
        filters={
          <>
            <StateFilter value={filters.state} onChange={(state) => list.set({ state })} />
            <SearchInput
              label="Search service accounts"
              value={filters.q}
              onValueChange={(q) => list.set({ q })}
            />
          </>
        }
        actions={(page.totalCount > 0 || list.isFiltered) && createButton}
        empty={{
          icon: UserCog,
          title: "No service accounts yet",
          action: createButton,
          children:
            "A service account owns API keys for a pipeline or another program, so that they keep working when the person who created them leaves. Nobody signs in as one.",
        }}
      >
        {(account, row) => (
          <Tr {...row} className={cn(!account.enabled && "text-ink-3")}>
            <Td className="w-full min-w-32 sm:min-w-48">
              <span className={cn("break-words", account.enabled && "font-medium")}>{account.name}</span>
            </Td>
            <Td className={cn("sm:whitespace-nowrap", account.enabled && "text-ink-2")}>
              <AccessWords user={account} />
            </Td>
            <Td>
              {account.enabled ? (
                <Status kind="ok">Enabled</Status>
              ) : (
                <Status kind="neutral">Disabled</Status>
              )}
            </Td>
            <Td className={cn("hidden sm:table-cell", account.enabled && "text-ink-2")}>
              {account.activeKeyCount}
            </Td>
            <Td className={cn("hidden md:table-cell", account.enabled && "text-ink-2")}>
              <Moment at={account.lastUsedAt} fallback="Never" />
            </Td>
            <Td className={cn("hidden lg:table-cell", account.enabled && "text-ink-2")}>
              <Moment at={account.createdAt} />
            </Td>
            <Td className="w-8">
              <RowMenu of={account.name}>
                <MenuItem icon={Pencil} onSelect={() => setTask({ kind: "edit", account })}>
                  Edit
                </MenuItem>
                {account.enabled && (
                  <MenuItem icon={Plus} onSelect={() => setTask({ kind: "key", account })}>
                    New API key
                  </MenuItem>
                )}
                <MenuItem icon={KeyRound} href={`/api-keys?whose=${account.id}`}>
                  API keys
                </MenuItem>
                <MenuItem icon={ScrollText} href={`/audit?who=User-${account.id}`}>
                  Activity
                </MenuItem>
                <MenuItem
                  icon={account.enabled ? Pause : Play}
                  danger={account.enabled}
                  onSelect={() => setTask({ kind: "enable", account })}
                >
                  {account.enabled ? "Disable" : "Enable"}
                </MenuItem>
              </RowMenu>
            </Td>
          </Tr>
        )}
      </ListPage>
      {task?.kind === "create" && (
        <NewServiceAccountDialog onClose={done} onMade={(account) => setTask({ kind: "key", account })} />
      )}
      {task?.kind === "edit" && <EditServiceAccountDialog account={task.account} onClose={done} />}
      {task?.kind === "key" && <NewKeyDialog owner={task.account} onClose={done} />}
      {task?.kind === "enable" && <EnableServiceAccount account={task.account} onClose={done} />}
    </>
  );
}
