"use client";
/** ThemeProvider: follows the system until a person chooses; `useTheme` from next-themes reads and sets it. */
import { ThemeProvider as NextThemes } from "next-themes";
import { type ReactNode, useEffect, useState } from "react";
import { tellScrollLock } from "./style-nonce.ts";

export { useTheme } from "next-themes";

/** `nonce` lets its script and style run under the content security policy of the page's own request. */
export function ThemeProvider({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  // A later render brings a later request's nonce; the document keeps the policy with which it came.
  const [documentNonce] = useState(nonce);
  useEffect(tellScrollLock, []);
  return (
    <NextThemes
      attribute="data-theme"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      {...(documentNonce && { nonce: documentNonce })}
    >
      {children}
    </NextThemes>
  );
}
