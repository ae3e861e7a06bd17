"use client";
/**
 * DayInput: a day, by the keyboard or the browser's calendar, in the reader's own time zone. `value` is any moment
 * of the day; `onDayChange` answers the day as yyyy-mm-dd, or null when it was emptied.
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
  // Server and first client render speak of UTC, as Moment does.
  const isHydrated = useNow() !== null;
  /** What stands in the field while it has the focus: half a year ("0202") is nobody's wish, and must stay. */
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
