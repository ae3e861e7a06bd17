"use client";
import { formatDuration } from "@/components/ui/format.ts";
import { useNow } from "@/components/ui/moment.tsx";
import type { Incident } from "@/server/incidents/schema.ts";
import { lastedMs } from "./incident-looks.ts";

/** How long an incident lasted, or has lasted until now. */
export function Lasted({ incident }: { incident: Pick<Incident, "openedAt" | "resolvedAt"> }) {
  const lasted = lastedMs(incident, useNow());
  return lasted === null ? null : formatDuration(lasted);
}
