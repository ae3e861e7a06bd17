"use client";
import Link from "next/link";
import { trpc } from "@/components/trpc/client.tsx";
import { Code } from "@/components/ui/code.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { PendingChanges } from "./pending-changes.tsx";
import { SettingSwitch } from "./setting-switch.tsx";
import { useSettings } from "./use-settings.ts";

/** What holds for the whole service; each switch counts at once. */
export function SettingsPage() {
  const { settings, change } = useSettings();
  return (
    <>
      <PageHeader title="Settings" />
      <section aria-labelledby="settings-approvals" className="max-w-3xl border-t pt-4">
        <h2 id="settings-approvals" className="text-base font-semibold tracking-tight">
          Changes of queries
        </h2>
        <Origin />
        <div className="divide-y border-y">
          <SettingSwitch
            label="Approval workflow"
            checked={settings.approvalWorkflow}
            onChange={(approvalWorkflow) => change("approvalWorkflow", approvalWorkflow)}
          >
            {settings.approvalWorkflow
              ? "An edit of a query's SQL waits until an Admin approves it, and the query runs on unchanged; names, descriptions and folders change at once."
              : "An edit of a query's SQL runs at once; on, it waits until an Admin approves it, and the query runs on unchanged."}
            <PendingChanges isOn={settings.approvalWorkflow} />
          </SettingSwitch>
          <SettingSwitch
            label="Four eyes"
            checked={settings.fourEyes}
            onChange={(fourEyes) => change("fourEyes", fourEyes)}
          >
            {settings.fourEyes
              ? "Nobody approves a change of their own, Admins included; they can reject it, which takes it back."
              : "An Admin may approve a change of their own; on, somebody else has to, so it takes two Admins."}
            {settings.fourEyes &&
              !settings.approvalWorkflow &&
              " It counts while the approval workflow is on."}
          </SettingSwitch>
        </div>
      </section>
    </>
  );
}

/** Whose choice it is that holds. */
function Origin() {
  const [{ setAt }] = trpc.settings.origin.useSuspenseQuery();
  return (
    <p className="pt-1 pb-3 text-ink-2">
      {setAt ? (
        <>
          Set here by an Admin, the last time <Moment at={setAt} />: it holds whatever the configuration says.{" "}
          <Link href="/audit?action=settings.update" className="text-accent underline">
            Who did, and when
          </Link>
        </>
      ) : (
        <>
          As the service is configured, by <Code>APPROVAL_WORKFLOW</Code> and <Code>APPROVAL_FOUR_EYES</Code>.
          From the first change here on, what is set here holds.
        </>
      )}
    </p>
  );
}
