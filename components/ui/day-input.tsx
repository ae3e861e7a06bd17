"use client";
/**
 * DayInput: a date, typed or picked, in the browser's time zone. `value` is any time on that day;
 * `onDayChange` receives yyyy-mm-dd, or null when the field is cleared.
 */
import { type ComponentProps, useState } from "react";
import { dayOf, startOfDay } from "./days.ts";
import { Input } from "./input.tsx";
import { useNow } from "./moment.tsx";

export function DayInput({
  value,
  onDayChange,
  ...rest
}: Omit<ComponentProps<typeof Input>, "type" | "value" | "onChange" | "onBlur"> & {
  value: Date | null;
  onDayChange: (day: string | null) => void;
}) {
  // The server and the first client render use UTC, as in Moment.
  const isHydrated = useNow() !== null;
  /** The field's text while it has focus: a partly typed year ("0202") must be kept but not reported. */
  const [typed, setTyped] = useState<string | null>(null);
  const day = value && (isHydrated ? dayOf(value) : value.toISOString().slice(0, 10));
  return (
    <Input
      {...rest}
      type="date"
      value={typed ?? day ?? ""}
      onBlur={() => setTyped(null)}
      onChange={({ target }) => {
        setTyped(target.value);
        if (target.value === "") onDayChange(null);
        else if (startOfDay(target.value)) onDayChange(target.value);
      }}
    />
  );
}
