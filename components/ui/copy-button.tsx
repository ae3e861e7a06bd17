"use client";
/** CopyButton: puts `text` on the clipboard and says that it did. */
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";
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
      // Over plain HTTP there is no clipboard, and a browser may refuse it.
      toast.error("The browser does not let this page copy. Select the text and copy it by hand.");
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
