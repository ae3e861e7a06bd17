"use client";
import { TimezoneField } from "../cron/timezone-field.tsx";
import { PersonalNotifications } from "../notifications/personal-notifications.tsx";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { formatExact } from "../ui/format.ts";
import { useNow } from "../ui/moment.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { toast } from "../ui/toaster.tsx";
import { browserZone, useZone } from "../ui/zone.tsx";
import { ChatAccountsSection } from "./chat-accounts-section.tsx";
import { SecondFactorSection } from "./second-factor/second-factor-section.tsx";
import { useMe } from "./use-me.ts";

/** What users set for themselves. */
export function ProfilePage() {
  const { user } = useMe();
  return (
    <>
      <PageHeader title="Profile" description={`${user.name}, ${user.email}, ${user.role}`} />
      <TimeZoneSection />
      <SecondFactorSection />
      <ChatAccountsSection />
      <PersonalNotifications />
    </>
  );
}

/** Takes effect when one is chosen, on this page too. */
function TimeZoneSection() {
  const zone = useZone();
  const now = useNow();
  const browser = now === null ? zone : browserZone();
  const utils = trpc.useUtils();
  const update = trpc.session.updateMe.useMutation();
  const choose = async (timeZone: string) => {
    try {
      utils.session.me.setData(undefined, await update.mutateAsync({ timeZone }));
      toast.success(`Times are shown in ${timeZone}`);
    } catch (error) {
      toast.error("The time zone could not be changed", { description: messageOf(error) });
    }
  };
  return (
    <section aria-labelledby="profile-zone" className="max-w-3xl border-t pt-4 pb-8">
      <h2 id="profile-zone" className="text-base font-semibold tracking-tight">
        Time zone
      </h2>
      <p className="pt-1 pb-3 text-ink-2">
        All times in the console are shown in this zone, and your quiet hours are in it. A schedule keeps its
        own, which is shown beside yours where they differ.
      </p>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <div className="w-full sm:w-80">
          <TimezoneField value={zone} onChange={(chosen) => chosen !== zone && void choose(chosen)} />
        </div>
        {now !== null && (
          <span className="pb-1.5 tabular-nums text-ink-2">It is {formatExact(new Date(now), zone)}.</span>
        )}
      </div>
      {browser !== zone && (
        <p className="flex flex-wrap items-center gap-2 pt-3 text-ink-2">
          This browser is in {browser}.
          <Button size="sm" pending={update.isPending} onClick={() => void choose(browser)}>
            Use {browser}
          </Button>
        </p>
      )}
    </section>
  );
}
