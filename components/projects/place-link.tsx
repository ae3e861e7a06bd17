import type { ReactNode } from "react";
import { ExternalLink } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { useProject } from "./use-project.ts";

/** A link to a page of this service, or to one elsewhere that was reported with it; only the words where there is neither. */
export function PlaceLink({
  place: { path, url },
  children,
}: {
  place: { path: string | null; url: string | null };
  children: ReactNode;
}) {
  const { href } = useProject();
  if (path !== null)
    return (
      <Link href={href(path)} className="hover:underline">
        {children}
      </Link>
    );
  if (url === null) return children;
  return (
    <a href={url} target="_blank" rel="noreferrer" className="hover:underline">
      {children} <ExternalLink aria-hidden className="inline size-3 align-baseline text-ink-3" />
    </a>
  );
}
