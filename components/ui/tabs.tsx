"use client";
/** Tabs: views of one thing. `Tabs > TabsList > TabsTrigger` and one `TabsContent` per value. */
import { Tabs as Radix } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names.ts";

export const Tabs = Radix.Root;

export function TabsList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return <Radix.List {...rest} className={cn("flex gap-4 overflow-x-auto border-b", className)} />;
}

export function TabsTrigger({
  value,
  count,
  children,
}: {
  value: string;
  count?: number;
  children: ReactNode;
}) {
  return (
    <Radix.Trigger
      value={value}
      className="-mb-px flex h-8 items-center gap-1.5 border-b-2 border-transparent text-sm whitespace-nowrap text-ink-2 hover:text-ink focus-visible:outline-offset-[-2px] data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
    >
      {children}
      {count !== undefined && <span className="text-xs text-ink-3 tabular-nums">{count}</span>}
    </Radix.Trigger>
  );
}

export function TabsContent({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content {...rest} className={cn("pt-4 outline-none", className)} />;
}
