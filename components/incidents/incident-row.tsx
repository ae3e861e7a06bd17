"use client";
import type { ComponentProps } from "react";
import { isSilenced } from "@/components/silences/silence-words.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { Incident } from "@/server/incidents/schema.ts";
import { IncidentStatus } from "./incident-status.tsx";
import { Lasted } from "./lasted.tsx";

/** One incident: how bad it is, what happened, since when, and whose it is. */
export function IncidentRow({
  incident,
  href,
  ...row
}: { incident: Incident; href: string } & Omit<ComponentProps<"tr">, "children">) {
  const { title, state, openedAt, assignee, problemCount, currentCount } = incident;
  const isOver = state === "Resolved";
  const silenced = isSilenced(incident, useNow());
  return (
    <Tr {...row} className={cn(isOver && "text-ink-3")}>
      <Td className="whitespace-nowrap">
        <IncidentStatus incident={incident} />
      </Td>
      <Td className="w-full max-w-0 md:min-w-64">
        <span className="flex flex-wrap items-baseline gap-x-2 md:flex-nowrap">
          <Link
            href={href}
            className={cn("max-w-full truncate hover:underline", !isOver && "font-medium")}
            title={title}
          >
            {title}
          </Link>
          {state === "Acknowledged" && <Badge>acknowledged</Badge>}
          {silenced && !isOver && <Badge>silenced</Badge>}
        </span>
        <span className="block truncate text-xs text-ink-3">
          {incident.dataSources.map(({ name }) => name).join(", ")}
          <span className="md:hidden">
            {" "}
            · <Moment at={openedAt} />
          </span>
        </span>
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-2 md:table-cell">
        {isOver || currentCount === problemCount
          ? plural(problemCount, "problem")
          : `${currentCount} of ${plural(problemCount, "problem")}`}
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-2 md:table-cell">
        <Moment at={openedAt} />
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-2 lg:table-cell">
        <Lasted incident={incident} />
      </Td>
      <Td className="hidden whitespace-nowrap md:table-cell">
        {assignee?.name ?? <span className="text-ink-3">nobody</span>}
      </Td>
    </Tr>
  );
}
