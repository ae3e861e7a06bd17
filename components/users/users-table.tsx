"use client";
import { useState } from "react";
import {
  KeyRound,
  MonitorSmartphone,
  Pause,
  Pencil,
  Play,
  Plus,
  ScrollText,
} from "@/components/ui/icons.tsx";
import { roles } from "@/server/auth/kinds.ts";
import { useMe } from "../auth/use-me.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/class-names.ts";
import { MenuItem } from "../ui/dropdown-menu.tsx";
import { FilterSelect } from "../ui/filter-select.tsx";
import { actionsColumn, type Columns } from "../ui/list.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { Moment } from "../ui/moment.tsx";
import { RowMenu } from "../ui/row-menu.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { Status } from "../ui/status.tsx";
import { Td, Tr } from "../ui/table.tsx";
import { AccessWords } from "./access-words.tsx";
import { EditUserDialog } from "./edit-user-dialog.tsx";
import { EnableUser } from "./enable-user.tsx";
import { NewUserDialog } from "./new-user-dialog.tsx";
import { ResetSecondFactor } from "./reset-second-factor.tsx";
import { StateFilter } from "./state-filter.tsx";
import { type User, useUsers } from "./use-users.ts";
import { UserSessionsDialog } from "./user-sessions-dialog.tsx";

type Task = { kind: "create" } | { kind: "edit" | "sessions" | "enable" | "reset-factor"; user: User };

export function UsersTable() {
  const { list, page } = useUsers();
  const { filters } = list;
  const me = useMe();
  const [task, setTask] = useState<Task | null>(null);
  const columns: Columns = [
    { title: "Name", sort: list.sortBy("name") },
    { title: "Email", from: "sm", sort: list.sortBy("email") },
    { title: "Access", sort: list.sortBy("role", "desc") },
    { title: "State", sort: list.sortBy("state") },
    { title: "Last sign-in", from: "md", sort: list.sortBy("lastSignIn", "desc") },
    { title: "Created", from: "lg", sort: list.sortBy("created", "desc") },
    actionsColumn(),
  ];

  return (
    <>
      <ListPage
        title="Users"
        things="users"
        columns={columns}
        rows={page.items}
        page={page}
        list={list}
        keyOf={({ id }) => id}
        onOpen={(user) => setTask({ kind: "edit", user })}
        filters={
          <>
            <FilterSelect
              label="Role"
              any="Any role"
              className="sm:w-32"
              value={filters.role}
              onChange={(role) => list.set({ role })}
              options={roles.map((role) => ({ value: role, label: role }))}
            />
            <StateFilter value={filters.state} onChange={(state) => list.set({ state })} />
            <SearchInput label="Search users" value={filters.q} onValueChange={(q) => list.set({ q })} />
          </>
        }
        actions={
          <Button variant="primary" icon={Plus} onClick={() => setTask({ kind: "create" })}>
            New user
          </Button>
        }
        empty={{ title: "No users yet" }}
      >
        {(user, row) => (
          <Tr {...row} className={cn(!user.enabled && "text-ink-3")}>
            <Td className="w-full min-w-32 sm:w-auto sm:min-w-48">
              <span className={cn("mr-2 break-words", user.enabled && "font-medium")}>{user.name}</span>
              {user.id === me.user.id && <Badge tone="accent">you</Badge>}
              <span className="block pb-1 text-xs break-all text-ink-3 sm:hidden">{user.email}</span>
            </Td>
            <Td
              truncate
              className={cn("hidden w-full sm:table-cell", user.enabled && "text-ink-2")}
              title={user.email}
            >
              {user.email}
            </Td>
            <Td className={cn(user.enabled && "text-ink-2")}>
              <AccessWords user={user} />
            </Td>
            <Td>
              {user.enabled ? <Status kind="ok">Enabled</Status> : <Status kind="neutral">Disabled</Status>}
            </Td>
            <Td className={cn("hidden md:table-cell", user.enabled && "text-ink-2")}>
              <Moment at={user.lastSignInAt} fallback="Never" />
            </Td>
            <Td className={cn("hidden lg:table-cell", user.enabled && "text-ink-2")}>
              <Moment at={user.createdAt} />
            </Td>
            <Td className="w-8">
              <RowMenu of={user.name}>
                <MenuItem icon={Pencil} onSelect={() => setTask({ kind: "edit", user })}>
                  Edit
                </MenuItem>
                <MenuItem icon={MonitorSmartphone} onSelect={() => setTask({ kind: "sessions", user })}>
                  Sessions
                </MenuItem>
                {user.hasSecondFactor && user.id !== me.user.id && (
                  <MenuItem icon={KeyRound} danger onSelect={() => setTask({ kind: "reset-factor", user })}>
                    Reset second factor
                  </MenuItem>
                )}
                <MenuItem icon={ScrollText} href={`/audit?who=User-${user.id}`}>
                  Activity
                </MenuItem>
                <MenuItem
                  icon={user.enabled ? Pause : Play}
                  danger={user.enabled}
                  onSelect={() => setTask({ kind: "enable", user })}
                >
                  {user.enabled ? "Disable" : "Enable"}
                </MenuItem>
              </RowMenu>
            </Td>
          </Tr>
        )}
      </ListPage>
      {task?.kind === "create" && <NewUserDialog onClose={() => setTask(null)} />}
      {task?.kind === "edit" && <EditUserDialog user={task.user} onClose={() => setTask(null)} />}
      {task?.kind === "sessions" && <UserSessionsDialog user={task.user} onClose={() => setTask(null)} />}
      {task?.kind === "reset-factor" && <ResetSecondFactor user={task.user} onClose={() => setTask(null)} />}
      {task?.kind === "enable" && <EnableUser user={task.user} onClose={() => setTask(null)} />}
    </>
  );
}
