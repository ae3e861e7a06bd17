import type { Metadata } from "next";
import { Mark } from "@/components/shell/mark.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";

export const metadata: Metadata = { title: "Not found" };

/** Shown for URLs that don't exist. */
export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-88 flex-col items-start justify-center gap-4 px-4 sm:pb-[20vh]">
      <Mark className="size-6" />
      <div>
        <h1 className="text-base font-semibold">Page not found</h1>
        <p className="mt-1 text-ink-2">Check the address for typos, or start from the home page.</p>
      </div>
      <ButtonLink href="/">Go to the home page</ButtonLink>
    </main>
  );
}
