"use client";
/** CopyButton: puts `text` on the clipboard and says that it did. */
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";

export function CopyButton({
  text,
  label = "Copy",
  hideLabel = false,
  ...rest
}: Omit<ButtonProps, "onClick" | "icon"> & { text: string; label?: string; hideLabel?: boolean }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
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
