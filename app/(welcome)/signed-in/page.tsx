import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { isSignedIn } from "@/components/trpc/server.tsx";
import { Link } from "@/components/ui/link.tsx";

export const metadata: Metadata = { title: "Signed in" };

/** Where a tab ends up that was opened only to sign in again, for a page whose session had expired. */
export default async function SignedInPage() {
  if (!(await isSignedIn())) redirect("/sign-in");
  return (
    <div className="flex flex-col gap-1">
      <h1 className="text-base font-semibold">You are signed in</h1>
      <p className="text-ink-2">You can close this tab and continue in the one you came from.</p>
      <Link href="/" className="mt-2 self-start text-accent hover:underline">
        Continue here instead
      </Link>
    </div>
  );
}
