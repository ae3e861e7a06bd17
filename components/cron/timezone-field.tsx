"use client";
import { useMemo } from "react";
import { Combobox } from "@/components/ui/combobox.tsx";
import { Field, type FieldProblem } from "@/components/ui/field.tsx";
import { useNow } from "@/components/ui/moment.tsx";

/** A schedule's time zone: UTC and the browser's own first, then every zone the browser knows. */
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
  const groups = useMemo(() => {
    const own = isAlive ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC";
    const near = [...new Set(["UTC", own, value])].filter(Boolean);
    const others = Intl.supportedValuesOf("timeZone").filter((zone) => !near.includes(zone));
    return [
      {
        items: near.map((zone) => ({ value: zone, ...(zone === own && isAlive && { hint: "yours" }) })),
      },
      { label: "All zones", items: others.map((zone) => ({ value: zone })) },
    ];
  }, [isAlive, value]);
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
