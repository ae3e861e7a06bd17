"use client";
import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button.tsx";
import { X } from "@/components/ui/icons.tsx";
import { isTypingElsewhere } from "@/components/ui/keyboard.ts";
import { Sheet } from "@/components/ui/sheet.tsx";
import { useFits } from "@/components/ui/use-fits.ts";
import type { HealthRow } from "@/server/control-tower/schema.ts";
import { PanelContent } from "./panel-content.tsx";
import { HealthPill } from "./tower-row.tsx";
import { usePanelData } from "./use-panel-data.ts";

type PanelProps = {
  subscriptionId: number;
  /** Its row, if it is on the page. */
  health: HealthRow | undefined;
  timeRangeDays: number;
  onClose: () => void;
};

/** A subscription's health in detail, with actions: next to the rows, or on top of them on small screens. */
export function Panel({ subscriptionId, health, timeRangeDays, onClose }: PanelProps) {
  const data = usePanelData(subscriptionId, timeRangeDays);
  const name = health?.subscriptionName ?? data.detail.data?.subscriptionName ?? "Subscription";
  const content = <PanelContent data={data} health={health} timeRangeDays={timeRangeDays} />;
  return useFits(wide) ? (
    <Beside title={name} health={health} onClose={onClose}>
      {content}
    </Beside>
  ) : (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        <span className="flex min-w-0 items-center gap-2">
          {health && <HealthPill health={health} />}
          <span className="truncate">{name}</span>
        </span>
      }
    >
      {content}
    </Sheet>
  );
}

/** The rows stay accessible: j and k move between them while it is open. Escape closes it. */
function Beside({
  title,
  health,
  onClose,
  children,
}: {
  title: string;
  health: HealthRow | undefined;
  onClose: () => void;
  children: React.ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || isTypingElsewhere(event)) return;
      event.preventDefault();
      onClose();
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [onClose]);
  return (
    <aside
      aria-labelledby="panel-title"
      className="sticky top-0 max-h-dvh animate-appear self-start overflow-y-auto border-l pb-6 pl-6"
    >
      <header className="sticky top-0 z-10 flex items-center gap-2 bg-canvas py-2">
        <h2
          id="panel-title"
          ref={heading}
          tabIndex={-1}
          title={title}
          className="min-w-0 flex-1 truncate text-base font-semibold outline-none"
        >
          {title}
        </h2>
        {health && <HealthPill health={health} />}
        <Button
          variant="ghost"
          size="icon-sm"
          icon={X}
          aria-label="Close the panel"
          aria-keyshortcuts="Escape"
          onClick={onClose}
        />
      </header>
      {children}
    </aside>
  );
}

const wide = "(min-width: 64rem)";
