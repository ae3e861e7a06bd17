import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { LinkChat } from "@/components/auth/link-chat.tsx";
import { api } from "@/components/trpc/server.tsx";
import { pageServices } from "@/server/process/page-services.ts";

export const metadata: Metadata = { title: "Link a chat account" };

/** Where the link in a chat message leads. Opening it changes nothing. */
export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { token } = await searchParams;
  const text = typeof token === "string" ? token.slice(0, 2000) : "";
  return <LinkChat token={text} account={await accountOf(text)} />;
}

/** null for a link that has expired, was used, or is not ours. */
async function accountOf(token: string) {
  try {
    return await api.session.chatLink({ token });
  } catch (error) {
    if (pageServices().failureOf(error) === "not-found") return null;
    throw error;
  }
}
