import { UserCog } from "@/components/ui/icons.tsx";
import type { UserKind } from "@/server/auth/schema.ts";
import { cn } from "../ui/class-names.ts";

/** The name of a user on one line, with a mark for a service account. */
export function OwnerName({ name, kind, className }: { name: string; kind: UserKind; className?: string }) {
  return (
    <span title={name} className={cn("flex min-w-0 items-center gap-1.5", className)}>
      {kind === "ServiceAccount" && (
        <span title="Service account" className="shrink-0 text-ink-3">
          <UserCog aria-hidden className="size-3.5" />
          <span className="sr-only">Service account</span>
        </span>
      )}
      <span className="truncate">{name}</span>
    </span>
  );
}
