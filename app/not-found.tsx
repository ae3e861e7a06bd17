import type { Metadata } from "next";
import { Mark } from "@/components/shell/mark.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";

export const metadata: Metadata = { title: "Not found" };

/** An address that leads nowhere. */
export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-88 flex-col items-start justify-center gap-4 px-4 sm:pb-[20vh]">
      <Mark className="size-6" />
      <div>
        <h1 className="text-base font-semibold">There is no page at this address</h1>
        <p className="mt-1 text-ink-2">Check it for a slip of the pen, or begin at the start page.</p>
      </div>
      <ButtonLink href="/">To the start page</ButtonLink>
    </main>
  );
}
