"use client";
import { useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";
/** CopyButton: copies `text` to the clipboard and confirms it. */
import { Check, Copy } from "./icons.tsx";
import { toast } from "./toaster.tsx";

export function CopyButton({
  text,
  label = "Copy",
  hideLabel = false,
  ...rest
}: Omit<ButtonProps, "onClick" | "icon"> & { text: string; label?: string; hideLabel?: boolean }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // There is no clipboard over plain HTTP, and a browser may block it.
      toast.error("The browser blocked copying. Select the text and copy it manually.");
      return;
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <Button
      variant="ghost"
      size={hideLabel ? "icon-sm" : "sm"}
      {...rest}
      icon={copied ? Check : Copy}
      aria-label={copied ? "Copied" : label}
      onClick={copy}
    >
      {!hideLabel && <span aria-hidden>{copied ? "Copied" : label}</span>}
    </Button>
  );
}
