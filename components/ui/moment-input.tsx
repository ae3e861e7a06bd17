"use client";
/** MomentInput: a date and time in the reader's time zone; null while empty or incomplete. */
import { type ComponentProps, useState } from "react";
import { Input } from "./input.tsx";
import { fieldText, momentOfText } from "./later.ts";
import { useZone } from "./zone.tsx";

export function MomentInput({
  value,
  onMomentChange,
  ...rest
}: Omit<ComponentProps<typeof Input>, "type" | "value" | "onChange" | "onBlur"> & {
  value: Date | null;
  onMomentChange: (moment: Date | null) => void;
}) {
  const zone = useZone();
  const [typed, setTyped] = useState<string | null>(null);
  const stored = value && fieldText(value, zone);
  return (
    <Input
      {...rest}
      type="datetime-local"
      value={typed ?? stored ?? ""}
      onBlur={() => setTyped(null)}
      onChange={({ target }) => {
        setTyped(target.value);
        onMomentChange(momentOfText(target.value, zone));
      }}
    />
  );
}
