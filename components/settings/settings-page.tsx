"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { Code } from "@/components/ui/code.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { PendingChange } from "./pending-change.tsx";
import { PendingChanges } from "./pending-changes.tsx";
import { SettingSwitch } from "./setting-switch.tsx";
import { SignInPolicy } from "./sign-in-policy.tsx";
import { useSettings } from "./use-settings.ts";

/** Service-wide settings. A switch takes effect at once unless another Admin must approve it. */
export function SettingsPage() {
  const { settings, change, decide, isDeciding } = useSettings();
  const { pendingChange } = settings;
  return (
    <>
      <PageHeader title="Settings" />
      <section aria-labelledby="settings-approvals" className="max-w-3xl border-t pt-4">
        <h2 id="settings-approvals" className="text-base font-semibold tracking-tight">
          Query changes
        </h2>
        <Origin />
        {pendingChange && (
          <PendingChange
            settings={settings}
            change={pendingChange}
            isDeciding={isDeciding}
            onDecide={(decision) => decide(pendingChange.id, decision)}
          />
        )}
        <div className="divide-y border-y">
          <SettingSwitch
            label="Approval workflow"
            checked={settings.approvalWorkflow}
            onChange={(approvalWorkflow) => change("approvalWorkflow", approvalWorkflow)}
          >
            {settings.approvalWorkflow
              ? "Edits of a query's SQL, the first subscription of a new query, and archiving a query with subscriptions wait until an Admin approves them. Names, descriptions and folders change at once."
              : "Edits of a query's SQL take effect right away. Turn this on to make them wait until an Admin approves them."}
            <PendingChanges isOn={settings.approvalWorkflow} />
          </SettingSwitch>
          <SettingSwitch
            label="Four eyes"
            checked={settings.fourEyes}
            onChange={(fourEyes) => change("fourEyes", fourEyes)}
          >
            {settings.fourEyes
              ? "Nobody can approve their own change, including Admins; they can reject it to withdraw it. Turning either setting off also needs another Admin."
              : "An Admin may approve their own change. Turn this on to require a second Admin."}
            {settings.fourEyes && !settings.approvalWorkflow && " Applies while the approval workflow is on."}
          </SettingSwitch>
        </div>
      </section>
      <div className="pt-8">
        <SignInPolicy />
      </div>
    </>
  );
}

/** Where the current setting comes from. */
function Origin() {
  const [{ setAt }] = trpc.settings.origin.useSuspenseQuery();
  return (
    <p className="pt-1 pb-3 text-ink-2">
      {setAt ? (
        <>
          Set here by an Admin, last <Moment at={setAt} />. This overrides the configuration.{" "}
          <Link href="/audit?action=settings.update" className="text-accent underline">
            Who and when
          </Link>
        </>
      ) : (
        <>
          Set by the service's configuration, <Code>APPROVAL_WORKFLOW</Code> and{" "}
          <Code>APPROVAL_FOUR_EYES</Code>. A change here overrides it.
        </>
      )}
    </p>
  );
}
