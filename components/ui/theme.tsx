"use client";
/** ThemeProvider: follows the system until a person chooses; `useTheme` from next-themes reads and sets it. */
import { ThemeProvider as NextThemes } from "next-themes";
import type { ReactNode } from "react";

export { useTheme } from "next-themes";

export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <NextThemes attribute="data-theme" defaultTheme="system" enableSystem disableTransitionOnChange>
      {children}
    </NextThemes>
  );
}
