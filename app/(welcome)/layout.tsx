import type { ReactNode } from "react";
import { BrowserZone } from "@/components/auth/user-zone.tsx";
import { Mark } from "@/components/shell/mark.tsx";
import { TrpcProvider } from "@/components/trpc/client.tsx";

/** Pages shown before sign-in: one narrow column. */
export default function WelcomeLayout({ children }: { children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-88 flex-col justify-center gap-6 px-4 py-12 sm:pb-[20vh]">
      <div className="flex items-center gap-2">
        <Mark className="size-6" />
        <span className="text-lg font-semibold tracking-tight">Plumbline</span>
      </div>
      <BrowserZone />
      <TrpcProvider>{children}</TrpcProvider>
    </main>
  );
}
