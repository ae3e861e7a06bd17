"use client";
import { MonitorSmartphone, Pause, Pencil, Play, Plus, ScrollText } from "lucide-react";
import { useState } from "react";
import { roles } from "@/server/auth/schema.ts";
import { useMe } from "../auth/use-me.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/class-names.ts";
import { MenuItem } from "../ui/dropdown-menu.tsx";
import { Empty } from "../ui/empty.tsx";
import { Moment } from "../ui/moment.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { RowMenu } from "../ui/row-menu.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { Select } from "../ui/select.tsx";
import { Status } from "../ui/status.tsx";
import { Table, Td, Th, Thead, Tr } from "../ui/table.tsx";
import { useRowKeys } from "../ui/use-row-keys.ts";
import { useSort } from "../ui/use-sort.ts";
import { EditUserDialog } from "./edit-user-dialog.tsx";
import { EnableUser } from "./enable-user.tsx";
import { NewUserDialog } from "./new-user-dialog.tsx";
import { type User, useUsers } from "./use-users.ts";
import { UserSessionsDialog } from "./user-sessions-dialog.tsx";

type Task = { kind: "create" } | { kind: "edit" | "sessions" | "enable"; user: User };

export function UsersTable() {
  const { items, found, filters, setFilters } = useUsers();
  const me = useMe();
  const [task, setTask] = useState<Task | null>(null);
  const sort = useSort(
    {
      name: (user: User) => user.name,
      email: (user) => user.email,
      role: (user) => roles.indexOf(user.role),
      state: (user) => user.enabled,
      seen: (user) => user.lastSignInAt,
      created: (user) => user.createdAt,
    },
    "name",
    ["role", "seen", "created"],
  );
  const rows = sort.rows(found);
  const keys = useRowKeys({
    count: rows.length,
    onOpen: (index) => {
      const user = rows[index];
      if (user) setTask({ kind: "edit", user });
    },
  });

  return (
    <>
      <PageHeader
        title="Users"
        count={found.length === items.length ? items.length : `${found.length} of ${items.length}`}
        filters={
          <>
            <Select
              aria-label="Role"
              className="w-[calc(50%-0.25rem)] sm:w-32"
              value={filters.role ?? "all"}
              onValueChange={(role) => void setFilters({ role: role === "all" ? null : role })}
              options={[
                { value: "all", label: "Any role" },
                ...roles.map((role) => ({ value: role, label: role })),
              ]}
            />
            <Select
              aria-label="State"
              className="w-[calc(50%-0.25rem)] sm:w-32"
              value={filters.state ?? "all"}
              onValueChange={(state) => void setFilters({ state: state === "all" ? null : state })}
              options={[
                { value: "all", label: "Any state" },
                { value: "enabled", label: "Enabled" },
                { value: "disabled", label: "Disabled" },
              ]}
            />
            <SearchInput
              label="Search users"
              value={filters.q}
              onValueChange={(q) => void setFilters({ q: q || null })}
            />
          </>
        }
        actions={
          <Button variant="primary" icon={Plus} onClick={() => setTask({ kind: "create" })}>
            New user
          </Button>
        }
      />
      {rows.length === 0 ? (
        <Empty
          title="No user matches"
          action={
            <Button onClick={() => void setFilters({ q: null, role: null, state: null })}>
              Show all {items.length}
            </Button>
          }
        >
          None has all of what the filters ask for.
        </Empty>
      ) : (
        <Table label="Users">
          <Thead>
            <tr>
              <Th sort={sort.of("name")}>Name</Th>
              <Th sort={sort.of("email")} className="hidden sm:table-cell">
                E-mail
              </Th>
              <Th sort={sort.of("role")}>Role</Th>
              <Th sort={sort.of("state")}>State</Th>
              <Th sort={sort.of("seen")} className="hidden md:table-cell">
                Last sign-in
              </Th>
              <Th sort={sort.of("created")} className="hidden lg:table-cell">
                Created
              </Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </Thead>
          <tbody>
            {rows.map((user, index) => (
              <Tr key={user.id} {...keys.row(index)} className={cn(!user.enabled && "text-ink-3")}>
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
                <Td className={cn(user.enabled && "text-ink-2")}>{user.role}</Td>
                <Td>
                  {user.enabled ? (
                    <Status kind="ok">Enabled</Status>
                  ) : (
                    <Status kind="neutral">Disabled</Status>
                  )}
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
                    <MenuItem icon={ScrollText} href={`/audit?who=User-${user.id}`}>
                      What they did
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
            ))}
          </tbody>
        </Table>
      )}
      {task?.kind === "create" && <NewUserDialog onClose={() => setTask(null)} />}
      {task?.kind === "edit" && <EditUserDialog user={task.user} onClose={() => setTask(null)} />}
      {task?.kind === "sessions" && <UserSessionsDialog user={task.user} onClose={() => setTask(null)} />}
      {task?.kind === "enable" && <EnableUser user={task.user} onClose={() => setTask(null)} />}
    </>
  );
}
