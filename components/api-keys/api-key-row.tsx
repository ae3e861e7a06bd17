"use client";
import type { ComponentProps } from "react";
import { keyStateOf, mayRotate } from "@/server/api-keys/state.ts";
import { OwnerName } from "../service-accounts/owner-name.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cn } from "../ui/class-names.ts";
import { Moment, useNow } from "../ui/moment.tsx";
import { StatusIcon } from "../ui/status.tsx";
import { Td, Tr } from "../ui/table.tsx";
import { endsSoon } from "./key-state.ts";
import { KeyStatus } from "./key-status.tsx";
import type { ApiKey } from "./use-api-keys.ts";

/** One key. Inactive keys stay listed, muted. */
export function ApiKeyRow({
  apiKey,
  isOwn,
  maySeeNew,
  showsWhose,
  projectNames,
  onRotate,
  onRevoke,
  ...row
}: {
  apiKey: ApiKey;
  isOwn: boolean;
  /** Whether the user may get the key that replaces it. */
  maySeeNew: boolean;
  showsWhose: boolean;
  /** null if the key is not limited to projects. */
  projectNames: readonly string[] | null;
  onRotate: () => void;
  onRevoke: () => void;
} & ComponentProps<typeof Tr>) {
  const now = useNow();
  const { name, prefix, madeBy, scopes, lastUsedAt, lastUsedAddress, expiresAt, createdAt, user } = apiKey;
  const state = keyStateOf(apiKey);
  const isMuted = state !== "Active";
  return (
    <Tr {...row} className={cn(isMuted && "text-ink-3")}>
      <Td className="w-full min-w-32 lg:min-w-40">
        <span className={cn("break-words", !isMuted && "font-medium")}>{name}</span>
        {madeBy !== null && (
          <span className="block text-xs break-words text-ink-3">made with “{madeBy}”</span>
        )}
        {apiKey.replacedById !== null && !isMuted && (
          <span className="block text-xs text-ink-3">
            replaced, expires <Moment at={expiresAt} />
          </span>
        )}
        <span className="block font-mono text-xs text-ink-3 lg:hidden">{prefix}…</span>
        <span className="block pb-1 text-xs text-ink-3 sm:hidden">
          {scopes.join(", ")} · used <Moment at={lastUsedAt} />
          {showsWhose && !isOwn && ` · ${user.name}`}
        </span>
      </Td>
      <Td
        className={cn("hidden font-mono text-xs whitespace-nowrap lg:table-cell", !isMuted && "text-ink-2")}
      >
        {prefix}…
      </Td>
      <Td className="hidden sm:table-cell">
        <span className="flex gap-1">
          {scopes.map((scope) => (
            <Badge key={scope} className={cn(isMuted && "text-ink-3")}>
              {scope}
            </Badge>
          ))}
        </span>
      </Td>
      <Td className={cn("hidden max-w-44 truncate lg:table-cell", !isMuted && "text-ink-2")}>
        {projectNames ? (
          <span title={projectNames.join(", ")}>{projectNames.join(", ")}</span>
        ) : (
          "All projects"
        )}
      </Td>
      <Td>
        <KeyStatus state={state} />
      </Td>
      <Td className={cn("hidden sm:table-cell", !isMuted && "text-ink-2")}>
        <Moment at={lastUsedAt} fallback="Never" />
        {lastUsedAddress !== null && <span className="block text-xs text-ink-3">{lastUsedAddress}</span>}
      </Td>
      <Td className={cn("hidden md:table-cell", !isMuted && "text-ink-2")}>
        <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap">
          {now !== null && endsSoon(apiKey, now) && <StatusIcon kind="warning" />}
          <Moment at={expiresAt} fallback="Never" />
        </span>
      </Td>
      <Td className={cn("hidden xl:table-cell", !isMuted && "text-ink-2")}>
        <Moment at={createdAt} />
      </Td>
      {showsWhose && (
        <Td className={cn("hidden max-w-32 min-w-20 md:table-cell", !isMuted && "text-ink-2")}>
          {isOwn ? "you" : <OwnerName name={user.name} kind={apiKey.ownerKind} />}
        </Td>
      )}
      <Td className="w-8">
        <span className="flex flex-col items-end sm:flex-row sm:justify-end">
          {maySeeNew && mayRotate(apiKey) && (
            <Button variant="ghost" size="sm" aria-label={`Rotate ${name}`} onClick={onRotate}>
              Rotate
            </Button>
          )}
          {state !== "Revoked" && (
            <Button
              variant="ghost"
              size="sm"
              className="hover:text-critical"
              aria-label={`Revoke ${name}`}
              onClick={onRevoke}
            >
              Revoke
            </Button>
          )}
        </span>
      </Td>
    </Tr>
  );
}
