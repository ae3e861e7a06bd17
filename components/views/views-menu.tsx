"use client";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useMe } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuSeparator,
  MenuTrigger,
} from "@/components/ui/dropdown-menu.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Eye, Trash2, UserCheck } from "@/components/ui/icons.tsx";
import { Input } from "@/components/ui/input.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { isAdminOfAll } from "@/server/auth/permissions.ts";
import type { ViewPage } from "@/server/views/schema.ts";
import { savedFilters } from "./saved-filters.ts";

/** The saved views of a list: opens one, or saves what is shown under a name, for oneself or for everyone. */
export function ViewsMenu({ page }: { page: ViewPage }) {
  const router = useRouter();
  const path = usePathname();
  const current = savedFilters(useSearchParams());
  const me = useMe();
  const utils = trpc.useUtils();
  const { data } = trpc.views.list.useQuery({ page }, { staleTime: 60_000 });
  const remove = trpc.views.delete.useMutation();
  const [isSaving, setSaving] = useState(false);
  const views = data?.items ?? [];
  const shown = views.find(({ filters }) => filters === current);
  const mayDelete = shown && (shown.isMine || (shown.isShared && isAdminOfAll(me)));
  const deleteShown = async () => {
    if (!shown) return;
    try {
      await remove.mutateAsync({ id: shown.id });
      await utils.views.invalidate();
      toast.success(`The view “${shown.name}” is deleted`);
    } catch (error) {
      toast.error("The view could not be deleted", { description: messageOf(error) });
    }
  };
  const group = (label: string, isMine: boolean) => {
    const own = views.filter((view) => view.isMine === isMine);
    if (own.length === 0) return null;
    return (
      <>
        <MenuLabel>{label}</MenuLabel>
        {own.map((view) => (
          <MenuItem
            key={view.id}
            {...(view.isShared && { icon: UserCheck })}
            onSelect={() => router.push(view.filters === "" ? path : `${path}?${view.filters}`)}
          >
            {view.name}
            {!view.isMine && <span className="pl-2 text-xs text-ink-3">{view.owner.name}</span>}
          </MenuItem>
        ))}
        <MenuSeparator />
      </>
    );
  };
  return (
    <>
      <Menu>
        <MenuTrigger>
          <Button icon={Eye} aria-label={shown ? `View: ${shown.name}` : "Saved views"}>
            {shown ? <span className="max-w-32 truncate">{shown.name}</span> : "Views"}
          </Button>
        </MenuTrigger>
        <MenuContent>
          {group("Yours", true)}
          {group("Shared", false)}
          <MenuItem icon={Eye} onSelect={() => setSaving(true)}>
            Save this view…
          </MenuItem>
          {mayDelete && (
            <MenuItem icon={Trash2} danger onSelect={() => void deleteShown()}>
              Delete “{shown.name}”
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      <Dialog
        open={isSaving}
        onOpenChange={setSaving}
        title="Save this view"
        description="Its filters, search, and order, as they are now."
        size="sm"
      >
        <SaveForm
          page={page}
          filters={current}
          name={shown?.isMine ? shown.name : ""}
          isShared={shown?.isMine ? shown.isShared : false}
          onDone={() => setSaving(false)}
        />
      </Dialog>
    </>
  );
}

function SaveForm({
  page,
  filters,
  onDone,
  ...initial
}: {
  page: ViewPage;
  filters: string;
  name: string;
  isShared: boolean;
  onDone: () => void;
}) {
  const isLimited = useMe().projectIds !== null;
  const utils = trpc.useUtils();
  const save = trpc.views.save.useMutation();
  const [name, setName] = useState(initial.name);
  const [isShared, setShared] = useState(initial.isShared);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    if (name.trim() === "") return setProblem("is required");
    try {
      await save.mutateAsync({ page, name, filters, isShared });
      await utils.views.invalidate();
      toast.success(`The view “${name.trim()}” is saved`);
      onDone();
    } catch {
      // Shown below.
    }
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label="Name" error={problem} hint="A view of yours with the same name is replaced.">
        <Input
          data-autofocus
          maxLength={200}
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setProblem(null);
          }}
        />
      </Field>
      {!isLimited && <Checkbox checked={isShared} onCheckedChange={setShared} label="Share with everyone" />}
      <FormError>{save.error && messageOf(save.error)}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={save.isPending}>
          Save view
        </Button>
      </DialogFooter>
    </form>
  );
}
