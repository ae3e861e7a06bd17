"use client";
import { useState } from "react";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { SilenceDialog } from "@/components/silences/silence-dialog.tsx";
import { SilenceItems } from "@/components/silences/silence-items.tsx";
import { ResolveForm } from "@/components/tasks/resolve-form.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Combobox } from "@/components/ui/combobox.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Menu, MenuContent, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { BellOff, CircleCheck, Eye } from "@/components/ui/icons.tsx";
import type { IncidentDetail } from "@/server/incidents/schema.ts";
import { useIncidentActions } from "./use-incident-actions.ts";

const nobody = "nobody";

/** A current incident's assignee, with buttons to acknowledge, silence, and resolve it. */
export function IncidentControls({
  incident,
  isSilenced,
}: {
  incident: IncidentDetail;
  isSilenced: boolean;
}) {
  const mayWork = useMay("incidents:work");
  const { user } = useMe();
  const actions = useIncidentActions(incident);
  const [asking, setAsking] = useState<"silence" | "resolve" | null>(null);
  const isWorkable = mayWork && incident.state !== "Resolved";
  const people = trpc.incidents.assignees.useQuery(undefined, { enabled: isWorkable, staleTime: 60_000 });
  if (!isWorkable) return null;
  const { assignee } = incident;
  const others = (people.data?.items ?? []).filter(({ id }) => id !== user.id);
  const isGone = assignee !== null && assignee.id !== user.id && !others.some(({ id }) => id === assignee.id);
  return (
    <>
      <Combobox
        aria-label="Assignee"
        className="w-44"
        value={assignee === null ? nobody : String(assignee.id)}
        onValueChange={(value) => void actions.assignTo(value === nobody ? null : Number(value))}
        loading={people.isLoading}
        searchPlaceholder="Search people…"
        groups={[
          {
            items: [
              { value: nobody, label: "Nobody" },
              { value: String(user.id), label: user.name, hint: "you" },
              ...(isGone ? [{ value: String(assignee.id), label: assignee.name, disabled: true }] : []),
            ],
          },
          { items: others.map(({ id, name }) => ({ value: String(id), label: name })) },
        ]}
      />
      <Menu>
        <MenuTrigger>
          <Button icon={BellOff}>{isSilenced ? "Silenced" : "Silence"}</Button>
        </MenuTrigger>
        <MenuContent>
          <SilenceItems silenced={isSilenced} actions={actions} onAskUntil={() => setAsking("silence")} />
        </MenuContent>
      </Menu>
      <Button
        variant={incident.state === "Open" ? "secondary" : "primary"}
        icon={CircleCheck}
        onClick={() => setAsking("resolve")}
      >
        Resolve
      </Button>
      {incident.state === "Open" && (
        <Button
          variant="primary"
          icon={Eye}
          pending={actions.isAcknowledging}
          onClick={() => void actions.acknowledge()}
        >
          Acknowledge
        </Button>
      )}
      <SilenceDialog
        name={incident.title}
        of="incident"
        actions={actions}
        open={asking === "silence"}
        onOpenChange={(open) => setAsking(open ? "silence" : null)}
      />
      <Dialog
        open={asking === "resolve"}
        onOpenChange={(open) => setAsking(open ? "resolve" : null)}
        title="Resolve the incident"
        description={
          incident.currentCount > 0
            ? "Problems that go on open no other incident until they have ended and come back."
            : "All its problems are over."
        }
        size="sm"
      >
        <ResolveForm onResolve={actions.resolve} onDone={() => setAsking(null)} />
      </Dialog>
    </>
  );
}
