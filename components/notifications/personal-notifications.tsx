"use client";
import { type FormEvent, useState } from "react";
import type { NotificationPreferences } from "@/server/notifications/personal.ts";
import {
  approvalTimes,
  type PersonalTopic,
  personalTimes,
  personalTopics,
} from "@/server/notifications/personal-kinds.ts";
import { useMay, useMe } from "../auth/use-me.ts";
import { trpc } from "../trpc/client.tsx";
import { factsOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";
import { Switch } from "../ui/switch.tsx";
import { toast } from "../ui/toaster.tsx";
import { useZone } from "../ui/zone.tsx";
import { DigestField } from "./digest-field.tsx";
import { MailNotice } from "./mail-notice.tsx";

const topicWords: Record<PersonalTopic, { label: string; hint: string }> = {
  Incidents: {
    label: "Incidents",
    hint: "Subscriptions and contracts that you own fail, score too low, or recover. For Admins, all subscriptions.",
  },
  Tasks: { label: "Tasks", hint: "Someone assigns you a task." },
  Mentions: { label: "Mentions", hint: "A comment on a query change mentions you." },
  Decisions: {
    label: "Decisions",
    hint: "Someone decides about a change you requested, or a plan of your AI actor.",
  },
  Approvals: {
    label: "Approvals",
    hint: "A query change or a plan waits for a decision that you may make. Yours are those of your queries and AI actors, plans that you asked for, and what would otherwise reach nobody.",
  },
};

const timeWords = { Now: "Email at once", Never: "Never" } as const;
const times = personalTimes.map((value) => ({ value, label: timeWords[value] }));
const approvalWords = { Mine: "Email if mine", Now: "Email all", Never: "Never" } as const;
const approvals = approvalTimes.map((value) => ({ value, label: approvalWords[value] }));
const usualNight = { from: "22:00", until: "07:00" };

/** What the user is notified about at their own address, and their quiet hours. */
export function PersonalNotifications() {
  const [stored] = trpc.notifications.preferences.useSuspenseQuery();
  const [wanted, setWanted] = useState<NotificationPreferences>(stored);
  const [failure, setFailure] = useState<string | null>(null);
  const { user } = useMe();
  const zone = useZone();
  const utils = trpc.useUtils();
  const save = trpc.notifications.setPreferences.useMutation();
  const { topics, quietHours } = wanted;
  const mayDecide = useMay("plans:decide");
  const shownTopics = personalTopics.filter((topic) => topic !== "Approvals" || mayDecide);
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(stored);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    setFailure(null);
    try {
      const saved = await save.mutateAsync(wanted);
      utils.notifications.preferences.setData(undefined, saved);
      setWanted(saved);
      toast.success("Your notifications are saved");
    } catch (error) {
      const { message, errors } = factsOf(error);
      setFailure(errors.map((each) => `${each.path} ${each.message}`).join("; ") || message);
    }
  };

  return (
    <form onSubmit={submit} aria-labelledby="profile-notifications" className="max-w-3xl border-t pt-4">
      <h2 id="profile-notifications" className="text-base font-semibold tracking-tight">
        Notifications
      </h2>
      <p className="pt-1 pb-3 text-ink-2">
        Sent to {user.email}. What a project's recipients receive is set by each subscription and contract.
      </p>
      <MailNotice className="mb-3" />
      <div className="divide-y border-y">
        {shownTopics.map((topic) => (
          <div
            key={topic}
            className="flex flex-col gap-2 py-3 sm:flex-row sm:items-center sm:justify-between sm:gap-6"
          >
            <div className="min-w-0">
              <div className="font-medium">{topicWords[topic].label}</div>
              <div className="text-ink-2">{topicWords[topic].hint}</div>
            </div>
            <Select
              aria-label={`When to email about ${topicWords[topic].label.toLowerCase()}`}
              className="w-full shrink-0 sm:w-40"
              value={topics[topic]}
              options={topic === "Approvals" ? approvals : times}
              onValueChange={(time) => setWanted({ ...wanted, topics: { ...topics, [topic]: time } })}
            />
          </div>
        ))}
        <DigestField
          zone={zone}
          value={wanted.digest}
          onChange={(digest) => setWanted({ ...wanted, digest })}
        />
        <div className="flex flex-col gap-3 py-3">
          <Switch
            label={<span className="font-medium">Quiet hours</span>}
            hint={`What comes then is held back and sent when they end. In your time zone, ${zone}.`}
            checked={quietHours !== null}
            onCheckedChange={(on) => setWanted({ ...wanted, quietHours: on ? usualNight : null })}
          />
          {quietHours && (
            <div className="flex flex-col gap-3 pl-9">
              <div className="flex flex-wrap gap-4">
                {(["from", "until"] as const).map((end) => (
                  <div key={end} className="w-32">
                    <Field label={end === "from" ? "From" : "Until"}>
                      <Input
                        type="time"
                        required
                        value={quietHours[end]}
                        onChange={({ target }) =>
                          setWanted({ ...wanted, quietHours: { ...quietHours, [end]: target.value } })
                        }
                      />
                    </Field>
                  </div>
                ))}
              </div>
              <Switch
                label="Send what is critical anyway"
                checked={wanted.urgentInQuietHours}
                onCheckedChange={(urgentInQuietHours) => setWanted({ ...wanted, urgentInQuietHours })}
              />
            </div>
          )}
        </div>
      </div>
      <FormError>{failure}</FormError>
      <div className="flex items-center gap-3 pt-4">
        <Button type="submit" variant="primary" disabled={!isChanged} pending={save.isPending}>
          Save notifications
        </Button>
        {isChanged && <span className="text-ink-3">You have unsaved changes.</span>}
      </div>
    </form>
  );
}
