"use client";
import { X } from "@/components/ui/icons.tsx";
import { trpc } from "../trpc/client.tsx";
import { Button } from "../ui/button.tsx";
import { Combobox } from "../ui/combobox.tsx";
import { DayInput } from "../ui/day-input.tsx";
import { startOfDay } from "../ui/days.ts";
import type { ListFilters } from "../ui/use-list-filters.ts";
import { useZone } from "../ui/zone.tsx";
import { type auditParameters, principalOf } from "./audit-filter.ts";
import { principalLooks } from "./principal-looks.ts";
import { actionWords, kindWords } from "./words.ts";

const any = "any";

export function AuditFilters({ list: { filters, set } }: { list: ListFilters<typeof auditParameters> }) {
  const [choices] = trpc.auditLog.choices.useSuspenseQuery();
  const { action, kind, object, from, to } = filters;
  const zone = useZone();
  return (
    <>
      <WhoFilter who={filters.who} onWhoChange={(who) => set({ who })} />
      <Combobox
        aria-label="Action"
        className="w-[calc(50%-0.25rem)] sm:w-44"
        value={action ?? any}
        onValueChange={(value) => set({ action: value === any ? null : value })}
        searchPlaceholder="Search actions"
        groups={[
          { items: [{ value: any, label: "Any action" }] },
          {
            items: withChosen(choices.actions, action).map((value) => ({ value, label: actionWords(value) })),
          },
        ]}
      />
      <Combobox
        aria-label="Kind of object"
        className="w-[calc(50%-0.25rem)] sm:w-36"
        value={kind ?? any}
        onValueChange={(value) => set({ kind: value === any ? null : value, object: null })}
        searchPlaceholder="Search kinds"
        groups={[
          { items: [{ value: any, label: "Any object" }] },
          {
            items: withChosen(choices.objectKinds, kind).map((value) => ({ value, label: kindWords(value) })),
          },
        ]}
      />
      {object !== null && (
        <Button
          aria-label={`Only ${kind ? kindWords(kind) : "object"} ${object}: show others too`}
          onClick={() => set({ object: null })}
        >
          #{object}
          <X aria-hidden className="size-4 text-ink-3" />
        </Button>
      )}
      <div className="flex w-full items-center gap-2 sm:w-auto">
        <DayInput
          aria-label="From"
          title="From this day"
          className="sm:w-34"
          value={from}
          onDayChange={(day) => set({ from: day === null ? null : startOfDay(day, zone) })}
        />
        <span aria-hidden className="text-ink-3">
          –
        </span>
        <DayInput
          aria-label="To"
          title="Through this day"
          className="sm:w-34"
          value={to && new Date(to.getTime() - 1)}
          onDayChange={(day) => set({ to: day === null ? null : startOfDay(day, zone, 1) })}
        />
      </div>
    </>
  );
}

/** A value from the URL stays selected even if the log has no such entries. */
function withChosen(choices: readonly string[], chosen: string | null): readonly string[] {
  return chosen === null || choices.includes(chosen) ? choices : [chosen, ...choices];
}

function WhoFilter({ who, onWhoChange }: { who: string | null; onWhoChange: (who: string | null) => void }) {
  const [{ items: users }] = trpc.users.list.useSuspenseQuery();
  const [{ items: keys }] = trpc.apiKeys.list.useSuspenseQuery();
  const iconOf = (kind: keyof typeof principalLooks) => {
    const Icon = principalLooks[kind].icon;
    return <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />;
  };
  const kinds = ["ApiKey", "Jwt", "System", "Anonymous"] as const;
  return (
    <Combobox
      aria-label="Who"
      className="w-full sm:w-40"
      value={principalOf(who) ? (who ?? any) : any}
      onValueChange={(value) => onWhoChange(value === any ? null : value)}
      searchPlaceholder="Search people and keys"
      groups={[
        { items: [{ value: any, label: "Anybody" }] },
        {
          label: "People",
          items: users.map(({ id, name, email }) => ({
            value: `User-${id}`,
            label: name,
            hint: email,
            icon: iconOf("User"),
          })),
        },
        {
          label: "API keys",
          items: keys.map(({ id, name, user }) => ({
            value: `ApiKey-${id}`,
            label: name,
            hint: user.name,
            icon: iconOf("ApiKey"),
          })),
        },
        {
          label: "All of a kind",
          items: kinds.map((kind) => ({
            value: kind,
            label:
              kind === "ApiKey" ? "Any API key" : kind === "Jwt" ? "Any token" : principalLooks[kind].word,
            icon: iconOf(kind),
          })),
        },
      ]}
    />
  );
}
