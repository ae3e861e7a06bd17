"use client";
import type { ComponentProps } from "react";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { AttentionItem } from "@/server/needs-attention/schema.ts";
import { AttentionActionButton } from "./attention-action.tsx";
import { lookOf } from "./attention-looks.ts";

/** One item: what it is, why it is listed and since when, and the one thing to do. */
export function AttentionRow({
  item,
  href,
  showProject,
  ...row
}: {
  item: AttentionItem;
  href: string;
  showProject: boolean;
} & Omit<ComponentProps<"tr">, "children">) {
  const { kind, icon, word } = lookOf(item);
  const { title, reason, since, owner, projectName } = item;
  const state = (
    <Status kind={kind} {...(icon && { icon })}>
      {word}
    </Status>
  );
  return (
    <Tr {...row} className="align-top">
      <Td className="hidden py-1.5 align-top sm:table-cell">{state}</Td>
      <Td className="w-full max-w-0 py-1.5 align-top">
        <span className="flex items-baseline gap-2 text-xs sm:hidden">
          {state}
          <Moment at={since} className="ml-auto shrink-0 text-ink-3" />
        </span>
        <Link href={href} className="block truncate font-medium hover:underline" title={title}>
          {title}
        </Link>
        <span className="line-clamp-2 text-xs leading-5 break-words text-ink-2" title={reason}>
          {reason}
        </span>
        <span className="flex items-center gap-2 pt-1 text-xs text-ink-3 sm:hidden">
          {owner && <Name>{owner.name}</Name>}
          {showProject && <Name>{projectName}</Name>}
          <span className="ml-auto">
            <AttentionActionButton item={item} href={href} />
          </span>
        </span>
      </Td>
      <Td className="hidden py-1.5 align-top text-ink-2 sm:table-cell">
        <Moment at={since} />
      </Td>
      <Td className="hidden max-w-40 truncate py-1.5 align-top text-ink-2 lg:table-cell">
        {owner ? <Name>{owner.name}</Name> : <span className="text-ink-3">–</span>}
      </Td>
      {showProject && (
        <Td className="hidden max-w-40 truncate py-1.5 align-top text-ink-2 xl:table-cell">
          <Name>{projectName}</Name>
        </Td>
      )}
      <Td className="hidden w-0 py-1 text-right align-top whitespace-nowrap sm:table-cell">
        <AttentionActionButton item={item} href={href} />
      </Td>
    </Tr>
  );
}
