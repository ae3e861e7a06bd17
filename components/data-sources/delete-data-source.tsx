"use client";
import { useRouter } from "next/navigation";
import { useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { toast } from "../ui/toaster.tsx";

export function DeleteDataSource({
  source,
  open,
  onOpenChange,
}: {
  source: { id: number; name: string };
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const router = useRouter();
  const { href } = useProject();
  const utils = trpc.useUtils();
  const remove = trpc.dataSources.delete.useMutation();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete “${source.name}”?`}
      confirm="Delete data source"
      explain={messageOf}
      onConfirm={async () => {
        await remove.mutateAsync({ id: source.id });
        await Promise.all([utils.dataSources.invalidate(), utils.dataQuality.overview.invalidate()]);
        toast.success(`Deleted “${source.name}”`);
        router.push(href("/data-sources"));
      }}
    >
      <p>
        The connection and its stored password are removed; the database itself is not touched. You can delete
        a data source only while no contract uses it.
      </p>
    </ConfirmDialog>
  );
}
