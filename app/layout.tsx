import "@fontsource-variable/inter";
import "@fontsource-variable/jetbrains-mono";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { Unreachable } from "@/components/shell/unreachable.tsx";
import { ThemeProvider } from "@/components/ui/theme.tsx";
import { Toaster } from "@/components/ui/toaster.tsx";
import { nonceHeader } from "@/server/request-headers.ts";

export const metadata: Metadata = {
  title: { default: "Plumbline", template: "%s · Plumbline" },
  description: "Shows at a glance whether your data stands true.",
  robots: { index: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#141513" },
  ],
};

/** Every page is rendered per request: a static page could not carry the request's nonce. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get(nonceHeader) ?? undefined;
  return (
    // next-themes sets the theme on this element before React hydrates it.
    <html lang="en" suppressHydrationWarning>
      <body className="antialiased">
        <ThemeProvider nonce={nonce}>
          <NuqsAdapter>{children}</NuqsAdapter>
          <Toaster />
          <Unreachable />
        </ThemeProvider>
      </body>
    </html>
  );
}
