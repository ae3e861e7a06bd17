import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { Unsubscribe } from "@/components/notifications/unsubscribe.tsx";
import { api } from "@/components/trpc/server.tsx";
import { pageServices } from "@/server/process/page-services.ts";

export const metadata: Metadata = { title: "Unsubscribe" };

/** Where the link in a daily digest leads. Opening it changes nothing. */
export default async function UnsubscribePage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { token } = await searchParams;
  const text = typeof token === "string" ? token.slice(0, 100) : "";
  return <Unsubscribe token={text} isOn={await isOn(text)} />;
}

/** Whether the digest is on; null for a token that is not ours. */
async function isOn(token: string): Promise<boolean | null> {
  try {
    return (await api.notifications.isSubscribed({ token })).isOn;
  } catch (error) {
    if (pageServices().failureOf(error) === "not-found") return null;
    throw error;
  }
}
