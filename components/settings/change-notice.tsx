"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Hourglass } from "@/components/ui/icons.tsx";
import { changeWords } from "./change-words.ts";

/** A notice among pending approvals that a settings change is pending too. */
export function SettingsChangeNotice() {
  const maySet = useMay("settings:manage");
  const { data: settings } = trpc.settings.get.useQuery(undefined, {
    enabled: maySet,
    refetchInterval: 30_000,
  });
  if (!settings?.pendingChange) return null;
  const { requester } = settings.pendingChange;
  return (
    <section
      aria-label="A settings change is waiting"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-warning/50 bg-warning-soft px-3 py-2"
    >
      <Hourglass aria-hidden className="size-4 shrink-0 text-warning" />
      <p className="min-w-0 flex-1 basis-64">
        {requester.name} wants to {changeWords(settings, settings.pendingChange)}.
      </p>
      <ButtonLink size="sm" href="/settings">
        Review in settings
      </ButtonLink>
    </section>
  );
}
