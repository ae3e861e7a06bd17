"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { SilenceNote } from "@/components/silences/silence-note.tsx";
import { isSilenced, type Silenced } from "@/components/silences/silence-words.ts";
import type { SilenceSpan } from "@/server/notifications/message-actions.ts";
import { trpc } from "../trpc/client.tsx";
import { BellOff } from "../ui/icons.tsx";
import { suggestedTimes } from "../ui/later.ts";
import { useNow } from "../ui/moment.tsx";
import { useZone } from "../ui/zone.tsx";
import { ConfirmPage } from "./confirm-page.tsx";

type OfOne = { id: number; span: SilenceSpan };

export function SilenceSubscriptionPage({ id, span }: OfOne) {
  const { href } = useProject();
  const utils = trpc.useUtils();
  const [subscription] = trpc.subscriptions.get.useSuspenseQuery({ id }, { refetchInterval: 30_000 });
  const silence = trpc.subscriptions.silence.useMutation();
  return (
    <SilencePage
      span={span}
      name={subscription.title}
      silenced={subscription}
      goesOn="It keeps running, and its task and anomalies are kept, but nobody is notified."
      permission="subscriptions:run"
      open={{ href: href(`/subscriptions/${id}`), label: "Open the subscription" }}
      silence={(until) => silence.mutateAsync({ id, until, unlessSilenced: true })}
      refresh={() => Promise.all([utils.subscriptions.invalidate(), utils.needsAttention.invalidate()])}
    />
  );
}

export function SilenceContractPage({ id, span }: OfOne) {
  const { href } = useProject();
  const utils = trpc.useUtils();
  const [contract] = trpc.dataQuality.contract.useSuspenseQuery({ id }, { refetchInterval: 30_000 });
  const silence = trpc.dataQuality.silence.useMutation();
  return (
    <SilencePage
      span={span}
      name={contract.name}
      silenced={contract}
      goesOn="It is still evaluated, and its task is kept, but nobody is notified."
      permission="evaluations:run"
      open={{ href: href(`/data-quality/contracts/${id}`), label: "Open the contract" }}
      silence={(until) => silence.mutateAsync({ id, until, unlessSilenced: true })}
      refresh={() => Promise.all([utils.dataQuality.invalidate(), utils.needsAttention.invalidate()])}
    />
  );
}

/** Silences something that is not silenced yet. The time is that of the press, not of the message. */
function SilencePage({
  span,
  name,
  silenced,
  goesOn,
  silence,
  ...rest
}: {
  span: SilenceSpan;
  name: string;
  silenced: Silenced;
  goesOn: string;
  silence: (until: string) => Promise<unknown>;
} & Pick<Parameters<typeof ConfirmPage>[0], "permission" | "open" | "refresh">) {
  const zone = useZone();
  const now = useNow();
  const chosen = () => suggestedTimes(new Date(), zone)[span === "hour" ? 0 : 1];
  const words = span === "hour" ? "for 1 hour" : "until tomorrow, 09:00";
  return (
    <ConfirmPage
      {...rest}
      title={`Silence “${name}”`}
      about={<p>{goesOn}</p>}
      consequence={`It is silenced ${words}${span === "hour" ? "" : ` in your time zone, ${zone}`}.`}
      confirm={`Silence ${words}`}
      icon={BellOff}
      done={isSilenced(silenced, now) ? <SilenceNote {...silenced} /> : null}
      act={async () => {
        const until = chosen()?.until;
        if (until) await silence(until.toISOString());
      }}
    />
  );
}
