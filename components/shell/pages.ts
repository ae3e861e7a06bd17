import { BookOpen, Boxes, Database, FileCheck2, type LucideIcon, Send, ShieldCheck } from "lucide-react";

export type Page = { href: string; label: string; icon: LucideIcon };

/** The console's pages in the order of the navigation, in groups. */
export const pageGroups: readonly { label: string; pages: readonly Page[] }[] = [
  {
    label: "Watch",
    pages: [
      { href: "/data-quality", label: "Data quality", icon: ShieldCheck },
      { href: "/data-quality/contracts", label: "Contracts", icon: FileCheck2 },
    ],
  },
  {
    label: "Connect",
    pages: [
      { href: "/data-sources", label: "Data sources", icon: Database },
      { href: "/recipients", label: "Recipients", icon: Send },
    ],
  },
  {
    label: "Manage",
    pages: [
      { href: "/projects", label: "Projects", icon: Boxes },
      { href: "/docs/api", label: "API", icon: BookOpen },
    ],
  },
];

const hrefs = pageGroups.flatMap((group) => group.pages.map((page) => page.href));

/** The page that a path belongs to: the longest that it lies at or below. */
export function currentPage(path: string): string | undefined {
  return hrefs
    .filter((href) => path === href || path.startsWith(`${href}/`))
    .sort((a, b) => b.length - a.length)[0];
}
