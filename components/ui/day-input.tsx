"use client";
/**
 * DayInput: a date, typed or picked, in the reader's time zone. `value` is any time on that day;
 * `onDayChange` receives yyyy-mm-dd, or null when the field is cleared.
 */
import { type ComponentProps, useState } from "react";
import { dayIn } from "@/server/zoned-time.ts";
import { startOfDay } from "./days.ts";
import { Input } from "./input.tsx";
import { useZone } from "./zone.tsx";

export function DayInput({
  value,
  onDayChange,
  ...rest
}: Omit<ComponentProps<typeof Input>, "type" | "value" | "onChange" | "onBlur"> & {
  value: Date | null;
  onDayChange: (day: string | null) => void;
}) {
  const zone = useZone();
  /** The field's text while it has focus: a partly typed year ("0202") must be kept but not reported. */
  const [typed, setTyped] = useState<string | null>(null);
  const day = value && dayIn(value, zone);
  return (
    <Input
      {...rest}
      type="date"
      value={typed ?? day ?? ""}
      onBlur={() => setTyped(null)}
      onChange={({ target }) => {
        setTyped(target.value);
        if (target.value === "") onDayChange(null);
        else if (startOfDay(target.value, zone)) onDayChange(target.value);
      }}
    />
  );
}
