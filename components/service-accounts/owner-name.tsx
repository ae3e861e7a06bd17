import { UserCog } from "@/components/ui/icons.tsx";
import type { UserKind } from "@/server/auth/schema.ts";
import { cn } from "../ui/class-names.ts";

/** The name of a user, with a mark for a service account. */
export function OwnerName({ name, kind, className }: { name: string; kind: UserKind; className?: string }) {
  return (
    <span className={cn("break-words", className)}>
      {name}
      {kind === "ServiceAccount" && (
        <span title="Service account" className="ml-1.5 inline-block align-[-2px] text-ink-3">
          <UserCog aria-hidden className="size-3.5" />
          <span className="sr-only">service account</span>
        </span>
      )}
    </span>
  );
}
