"use client";
import { type ComponentProps, useState } from "react";
import { Button } from "./button.tsx";
/** PasswordInput: a secret with a button to show it. Spread `{...register("password")}`. */
import { Eye, EyeOff } from "./icons.tsx";
import { Input } from "./input.tsx";

export function PasswordInput({
  className,
  initiallyShown = false,
  ...rest
}: ComponentProps<"input"> & {
  /** What is in it at first is no secret. */
  initiallyShown?: boolean;
}) {
  const [shown, setShown] = useState(initiallyShown);
  return (
    <div className="relative">
      <Input {...rest} type={shown ? "text" : "password"} spellCheck={false} className="pr-9" />
      <Button
        variant="ghost"
        size="icon-sm"
        icon={shown ? EyeOff : Eye}
        aria-label={shown ? "Hide the password" : "Show the password"}
        className="absolute top-0.5 right-0.5"
        onClick={() => setShown(!shown)}
      />
    </div>
  );
}
