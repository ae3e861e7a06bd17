"use client";
/** MomentInput: a date and time in the browser's time zone; null while empty or incomplete. */
import { type ComponentProps, useState } from "react";
import { Input } from "./input.tsx";
import { localText, momentOfText } from "./later.ts";
import { useNow } from "./moment.tsx";

export function MomentInput({
  value,
  onMomentChange,
  ...rest
}: Omit<ComponentProps<typeof Input>, "type" | "value" | "onChange" | "onBlur"> & {
  value: Date | null;
  onMomentChange: (moment: Date | null) => void;
}) {
  // The server and the first client render use UTC, as in Moment.
  const isHydrated = useNow() !== null;
  const [typed, setTyped] = useState<string | null>(null);
  const stored = value && (isHydrated ? localText(value) : value.toISOString().slice(0, 16));
  return (
    <Input
      {...rest}
      type="datetime-local"
      value={typed ?? stored ?? ""}
      onBlur={() => setTyped(null)}
      onChange={({ target }) => {
        setTyped(target.value);
        onMomentChange(momentOfText(target.value));
      }}
    />
  );
}
