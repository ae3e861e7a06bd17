"use client";
import { usePathname } from "next/navigation";
import { useEffect, useId, useRef } from "react";
import { ChevronDown, ChevronRight } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { PendingPlanCount } from "../actors/pending-plan-count.tsx";
import { PendingCount } from "../approvals/pending-count.tsx";
import { useMe } from "../auth/use-me.ts";
import { FailedCount } from "../jobs/failed-count.tsx";
import { AttentionCount } from "../needs-attention/attention-count.tsx";
import { FailingCount } from "../notifications/failing-count.tsx";
import { useProject } from "../projects/use-project.ts";
import { cn } from "../ui/class-names.ts";
import { Tooltip } from "../ui/tooltip.tsx";
import { currentPage, type Page, pageGroupsFor } from "./pages.ts";

/** The pages the user has access to, in groups that can be closed; `narrow` shows icons with tooltips. */
export function Navigation({
  narrow = false,
  closed,
  onToggle,
  onChoose,
}: {
  narrow?: boolean;
  /** The labels of the closed groups. They show only the current page, if it is theirs. */
  closed: readonly string[];
  onToggle: (label: string) => void;
  onChoose?: () => void;
}) {
  const id = useId();
  const me = useMe();
  const current = currentPage(usePathname());
  const pages = useRef<HTMLElement>(null);
  // On low screens the list scrolls: keep the current page visible.
  useEffect(() => {
    if (current) pages.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <nav ref={pages} aria-label="Pages" className="flex flex-col gap-2">
      {pageGroupsFor(me).map(({ label, pages }) => {
        const isClosed = !narrow && closed.includes(label);
        const shown = isClosed ? pages.filter(({ href }) => href === current) : pages;
        return (
          <div key={label} className="flex flex-col gap-px">
            {!narrow && (
              <GroupHeading
                label={label}
                isClosed={isClosed}
                controls={`${id}-${label}`}
                onToggle={() => onToggle(label)}
              />
            )}
            <ul id={`${id}-${label}`} aria-label={label} className="flex flex-col gap-px">
              {shown.map((page) => (
                <li key={page.href}>
                  <PageLink
                    page={page}
                    isCurrent={page.href === current}
                    narrow={narrow}
                    {...(onChoose && { onChoose })}
                  />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

function GroupHeading({
  label,
  isClosed,
  controls,
  onToggle,
}: {
  label: string;
  isClosed: boolean;
  controls: string;
  onToggle: () => void;
}) {
  const Chevron = isClosed ? ChevronRight : ChevronDown;
  return (
    <button
      type="button"
      // "Admin" alone could also be the person's name, whose button is below.
      aria-label={`${label} pages`}
      aria-expanded={!isClosed}
      aria-controls={controls}
      onClick={onToggle}
      className="flex h-6 items-center gap-1 rounded-md px-2 text-left text-xs text-ink-3 hover:bg-hover hover:text-ink"
    >
      <span className="flex-1">{label}</span>
      <Chevron aria-hidden className="size-3.5" />
    </button>
  );
}

function PageLink({
  page: { href, label, icon: Icon },
  isCurrent,
  narrow,
  onChoose,
}: {
  page: Page;
  isCurrent: boolean;
  narrow: boolean;
  onChoose?: () => void;
}) {
  const { href: keepingProject } = useProject();
  const link = (
    <Link
      href={keepingProject(href)}
      aria-current={isCurrent ? "page" : undefined}
      aria-label={narrow ? label : undefined}
      onClick={onChoose}
      className={cn(
        "relative flex h-8 items-center gap-2 rounded-md px-2 text-ink-2 hover:bg-hover hover:text-ink",
        narrow && "w-8 justify-center px-0",
        isCurrent && "bg-accent-soft font-medium text-accent hover:bg-accent-soft hover:text-accent",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {!narrow && <span className="truncate">{label}</span>}
      {href === "/home" && <AttentionCount narrow={narrow} />}
      {href === "/approvals" && <PendingCount narrow={narrow} />}
      {href === "/notifications" && <FailingCount narrow={narrow} />}
      {href === "/jobs" && <FailedCount narrow={narrow} />}
      {href === "/ai-actors" && <PendingPlanCount narrow={narrow} />}
    </Link>
  );
  return narrow ? (
    <Tooltip content={label} side="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
}
