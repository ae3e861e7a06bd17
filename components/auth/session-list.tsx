"use client";
import { MonitorSmartphone } from "@/components/ui/icons.tsx";
import type { Session } from "@/server/auth/schema.ts";
import { messageOf } from "../trpc/errors.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { Moment } from "../ui/moment.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { deviceWords } from "./device-words.ts";

/** As serialized: times are strings. */
export type ListedSession = Pick<
  Session,
  "id" | "signedInBy" | "secondFactor" | "address" | "userAgent" | "isCurrent"
> & {
  createdAt: string;
  lastUsedAt: string;
};

/** How someone signed in, unless it was by a password alone. */
function signInWords({
  signedInBy,
  secondFactor,
}: Pick<ListedSession, "signedInBy" | "secondFactor">): string {
  if (signedInBy === "Oidc") return "by OIDC ";
  if (signedInBy === "Passkey") return "by passkey ";
  return secondFactor ? "with a second factor " : "";
}

/** A list of sessions, each with a button to end it. The current one ends by signing out. */
export function SessionList({
  items,
  error,
  onRetry,
  ending,
  onEnd,
}: {
  /** undefined while loading. */
  items: readonly ListedSession[] | undefined;
  error: unknown;
  onRetry: () => void;
  /** The session being ended. */
  ending: number | null;
  onEnd: (session: ListedSession) => void;
}) {
  if (!items && error) return <ErrorState message={messageOf(error)} onRetry={onRetry} />;
  if (!items) return <Skeleton className="h-24" />;
  if (items.length === 0) return <p className="text-ink-2">Not signed in anywhere.</p>;
  const currentFirst = items.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  return (
    <ul aria-label="Sessions" className="divide-y border-y">
      {currentFirst.map((session) => (
        <li key={session.id} className="flex items-center gap-3 py-2">
          <MonitorSmartphone aria-hidden className="size-4 shrink-0 text-ink-3" />
          <div className="min-w-0 flex-1">
            <p className="font-medium break-words">
              <span className="mr-2">{deviceWords(session.userAgent)}</span>
              {session.isCurrent && <Badge tone="accent">this session</Badge>}
            </p>
            <p className="text-xs break-words text-ink-3">
              {session.address ?? "unknown address"} · signed in {signInWords(session)}
              <Moment at={session.createdAt} /> · last used <Moment at={session.lastUsedAt} />
            </p>
          </div>
          {!session.isCurrent && (
            <Button
              size="sm"
              pending={ending === session.id}
              aria-label={`Sign out ${deviceWords(session.userAgent)}`}
              onClick={() => onEnd(session)}
            >
              Sign out
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
