"use client";
import type { ReactNode } from "react";
import { Switch } from "@/components/ui/switch.tsx";

/** One switch, with the effect of its current state. */
export function SettingSwitch({
  label,
  checked,
  onChange,
  children,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <Switch
      className="py-3"
      checked={checked}
      onCheckedChange={onChange}
      label={
        <span className="font-medium">
          {label}
          <span className="pl-2 font-normal text-ink-3">{checked ? "on" : "off"}</span>
        </span>
      }
      hint={<span className="text-sm text-ink-2">{children}</span>}
    />
  );
}
