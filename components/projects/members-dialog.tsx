"use client";
import { useState } from "react";
import { UserMinus, UserPlus } from "@/components/ui/icons.tsx";
import type { Role } from "@/server/auth/schema.ts";
import { useMay } from "../auth/use-me.ts";
import { OwnerName } from "../service-accounts/owner-name.tsx";
import { type Outputs, trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "../ui/dialog.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { Select } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { toast } from "../ui/toaster.tsx";
import type { Project } from "./project-dialog.tsx";

type Member = Outputs["projects"]["members"]["items"][number];

const roleOptions = (["Viewer", "Editor", "Admin"] as const).map((value) => ({ value, label: value }));

/** Who has access to a project. Admins of all projects can add people who are limited to projects, and remove them. */
export function MembersDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const members = trpc.projects.members.useQuery({ id: project.id });
  const mayChange = useMay("users:manage");
  const items = members.data?.items;
  const everywhere = items?.filter(({ isMember }) => !isMember) ?? [];
  const limited = items?.filter(({ isMember }) => isMember) ?? [];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Members of “${project.name}”`}
      description="Members are limited to projects. Everyone else has access to all of them."
    >
      {members.error ? (
        <ErrorState message={messageOf(members.error)} onRetry={() => void members.refetch()} />
      ) : !items ? (
        <Skeleton className="h-24 w-full" />
      ) : (
        <div className="flex flex-col gap-4">
          <section aria-label="Members" className="flex flex-col gap-1">
            <h3 className="text-xs font-medium text-ink-2">Members</h3>
            {limited.length === 0 ? (
              <p className="text-ink-3">Nobody is limited to projects with this one among them.</p>
            ) : (
              <ul className="flex flex-col divide-y rounded-md border">
                {limited.map((member) => (
                  <MemberRow key={member.user.id} project={project} member={member} mayChange={mayChange} />
                ))}
              </ul>
            )}
            {mayChange && <AddMember project={project} members={items} />}
          </section>
          <section aria-label="People with access to all projects" className="flex flex-col gap-1">
            <h3 className="text-xs font-medium text-ink-2">Access to all projects</h3>
            <ul className="flex max-h-56 flex-col divide-y overflow-y-auto rounded-md border">
              {everywhere.map(({ user, kind, role }) => (
                <li key={user.id} className="flex items-center gap-3 px-3 py-1.5">
                  <OwnerName name={user.name} kind={kind} className="min-w-0 flex-1" />
                  <span className="text-ink-2">{role}</span>
                </li>
              ))}
            </ul>
          </section>
        </div>
      )}
      <DialogFooter>
        <DialogClose>
          <Button>Close</Button>
        </DialogClose>
      </DialogFooter>
    </Dialog>
  );
}

/** Changes members, and says what failed. */
function useMembers(project: Project) {
  const utils = trpc.useUtils();
  const settled = {
    onError: (error: unknown) => void toast.error(messageOf(error)),
    onSettled: () =>
      Promise.all([utils.projects.members.invalidate({ id: project.id }), utils.users.invalidate()]),
  };
  const set = trpc.projects.setMember.useMutation(settled);
  const remove = trpc.projects.removeMember.useMutation(settled);
  return { set, remove };
}

function MemberRow({
  project,
  member: { user, kind, role, managedBy },
  mayChange,
}: {
  project: Project;
  member: Member;
  mayChange: boolean;
}) {
  const { set, remove } = useMembers(project);
  return (
    <li className="flex items-center gap-2 px-3 py-1.5">
      <OwnerName name={user.name} kind={kind} className="min-w-0 flex-1" />
      {mayChange && managedBy === null ? (
        <>
          <Select
            aria-label={`Role of ${user.name}`}
            size="sm"
            className="w-28 shrink-0"
            value={role}
            disabled={set.isPending}
            onValueChange={(next) => set.mutate({ id: project.id, userId: user.id, role: next })}
            options={roleOptions}
          />
          <Button
            size="sm"
            icon={UserMinus}
            aria-label={`Remove ${user.name} from the project`}
            pending={remove.isPending}
            onClick={() =>
              remove.mutate(
                { id: project.id, userId: user.id },
                { onSuccess: () => toast.success(`Removed “${user.name}” from “${project.name}”`) },
              )
            }
          />
        </>
      ) : (
        <span className="text-ink-2">
          {role}
          {managedBy && <span className="text-xs text-ink-3"> by their groups</span>}
        </span>
      )}
    </li>
  );
}

function AddMember({ project, members }: { project: Project; members: readonly Member[] }) {
  const users = trpc.users.list.useQuery();
  const { set } = useMembers(project);
  const [chosen, setChosen] = useState<string | undefined>();
  const [role, setRole] = useState<Role>("Viewer");
  const addable =
    users.data?.items.filter(
      ({ id, enabled, managedBy, projectRoles }) =>
        enabled && managedBy === null && projectRoles !== null && !members.some(({ user }) => user.id === id),
    ) ?? [];
  if (!users.data) return null;
  if (addable.length === 0)
    return (
      <p className="pt-1 text-xs text-ink-3">To add someone, first limit them to projects under Users.</p>
    );
  const add = () => {
    if (chosen === undefined) return;
    set.mutate(
      { id: project.id, userId: Number(chosen), role },
      { onSuccess: ({ user }) => toast.success(`Added “${user.name}” to “${project.name}”`) },
    );
    setChosen(undefined);
  };
  return (
    <div className="flex flex-wrap items-center gap-2 pt-1">
      <Select
        aria-label="Person to add"
        size="sm"
        className="min-w-36 flex-1"
        placeholder="Add someone…"
        value={chosen}
        onValueChange={setChosen}
        options={addable.map(({ id, name, email }) => ({ value: String(id), label: name, hint: email }))}
      />
      <Select
        aria-label="Their role"
        size="sm"
        className="w-28 shrink-0"
        value={role}
        onValueChange={setRole}
        options={roleOptions}
      />
      <Button size="sm" icon={UserPlus} disabled={chosen === undefined} pending={set.isPending} onClick={add}>
        Add
      </Button>
    </div>
  );
}
