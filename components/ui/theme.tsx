"use client";
/** ThemeProvider: follows the system until the user picks a theme; use `useTheme` from next-themes. */
import { ThemeProvider as NextThemes } from "next-themes";
import { type ReactNode, useEffect, useState } from "react";
import { setScrollLockNonce } from "./style-nonce.ts";

export { useTheme } from "next-themes";

/** `nonce` lets its script and style run under the page's content security policy. */
export function ThemeProvider({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  // Later renders bring a newer nonce, but the document keeps the policy it was loaded with.
  const [documentNonce] = useState(nonce);
  useEffect(setScrollLockNonce, []);
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
