"use client";
import type { ComponentProps } from "react";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "../ui/moment.tsx";
import { Td, Tr } from "../ui/table.tsx";
import { objectHref } from "./object-href.ts";
import { principalLooks } from "./principal-looks.ts";
import type { AuditEntry } from "./use-audit-log.ts";
import { actionWords, kindWords } from "./words.ts";

/** One entry: when, who, what, which object, from where. */
export function AuditRow({ entry, ...row }: { entry: AuditEntry } & ComponentProps<typeof Tr>) {
  const { at, action, detail, address } = entry;
  return (
    <Tr {...row}>
      <Td className="hidden text-ink-2 sm:table-cell">
        <Moment at={at} />
      </Td>
      <Td className="hidden max-w-64 sm:table-cell">
        <Who entry={entry} />
      </Td>
      <Td className="w-full sm:w-auto">
        <span title={action} className="sm:whitespace-nowrap">
          {actionWords(action)}
        </span>
        <span className="flex items-center gap-2 text-xs text-ink-3 sm:hidden">
          <Who entry={entry} />
          <Moment at={at} className="ml-auto shrink-0" />
        </span>
        <span className="block pb-1 text-xs break-words text-ink-2 sm:hidden">
          <ObjectOf entry={entry} />
          {detail && ` · ${detail}`}
        </span>
      </Td>
      <Td className="hidden whitespace-nowrap md:table-cell">
        <ObjectOf entry={entry} />
      </Td>
      <Td truncate className="hidden w-full text-ink-2 sm:table-cell" title={detail ?? undefined}>
        {detail}
      </Td>
      <Td className="hidden font-mono text-xs whitespace-nowrap text-ink-3 lg:table-cell">{address}</Td>
    </Tr>
  );
}

function Who({ entry: { principal } }: { entry: AuditEntry }) {
  const { icon: Icon, word } = principalLooks[principal.kind];
  return (
    <span
      className="inline-flex max-w-full items-center gap-1.5 align-middle"
      title={`${word}: ${principal.name}`}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
      <span className="sr-only">{word}</span>
      <span className="truncate">{principal.name}</span>
    </span>
  );
}

function ObjectOf({ entry }: { entry: AuditEntry }) {
  const { objectKind, objectId } = entry;
  const text = `${kindWords(objectKind)}${objectId === null ? "" : ` ${objectId}`}`;
  const href = objectHref(entry);
  return href ? (
    <Link href={href} className="text-accent underline-offset-2 hover:underline">
      {text}
    </Link>
  ) : (
    <span className="text-ink-2">{text}</span>
  );
}
