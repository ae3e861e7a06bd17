"use client";
import { useMemo } from "react";
import { Combobox } from "@/components/ui/combobox.tsx";
import { Field, type FieldProblem } from "@/components/ui/field.tsx";
import { useNow } from "@/components/ui/moment.tsx";
import { browserZone, useZone } from "@/components/ui/zone.tsx";

/** A time zone: UTC, the reader's, and the browser's first, then every zone the browser knows. */
export function TimezoneField({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (timezone: string) => void;
  error?: FieldProblem;
}) {
  const isAlive = useNow() !== null;
  const own = useZone();
  const groups = useMemo(() => {
    const browser = isAlive ? browserZone() : own;
    const hint = (zone: string) => (zone === own ? "yours" : zone === browser ? "this browser's" : undefined);
    const near = [...new Set(["UTC", own, browser, value])].filter(Boolean);
    const others = Intl.supportedValuesOf("timeZone").filter((zone) => !near.includes(zone));
    return [
      {
        items: near.map((zone) => ({ value: zone, hint: hint(zone) })),
      },
      { label: "All zones", items: others.map((zone) => ({ value: zone })) },
    ];
  }, [isAlive, own, value]);
  return (
    <Field label="Time zone" error={error}>
      <Combobox
        value={value}
        onValueChange={onChange}
        groups={groups}
        freeText
        searchPlaceholder="Search zones…"
      />
    </Field>
  );
}
