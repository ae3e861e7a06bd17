"use client";
/**
 * Link: Next's, except that a page's loading state is fetched once the pointer is on the link, not for every link in
 * view. Each of those is a request that the service renders, and a page shows dozens: they took more of the service's
 * processor time than the pages themselves.
 */
import NextLink from "next/link";
import { type ComponentProps, useState } from "react";

type Props = Omit<ComponentProps<typeof NextLink>, "prefetch" | "onPointerEnter">;

export function Link(props: Props) {
  const [prefetch, setPrefetch] = useState<false | null>(false);
  return <NextLink {...props} prefetch={prefetch} onPointerEnter={() => setPrefetch(null)} />;
}
