import {
  BellRing,
  BookOpen,
  BookText,
  Bot,
  Boxes,
  ChartSpline,
  Cog,
  Database,
  FileCheck2,
  FileCode2,
  GitPullRequestArrow,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MailCheck,
  Plug,
  Radar,
  ScrollText,
  Send,
  Settings,
  ShieldCheck,
  Users,
} from "lucide-react";
import { grants, type Holder, type Permission } from "@/server/auth/permissions.ts";

export type Page = {
  href: string;
  label: string;
  icon: LucideIcon;
  /** What it takes to see the page; everybody sees the others. */
  permission?: Permission;
};

/** The console's pages in the order of the navigation, in groups. */
export const pageGroups: readonly { label: string; pages: readonly Page[] }[] = [
  {
    label: "Watch",
    pages: [
      { href: "/control-tower", label: "Control Tower", icon: Radar },
      { href: "/data-quality", label: "Data quality", icon: ShieldCheck },
      { href: "/data-quality/contracts", label: "Contracts", icon: FileCheck2 },
      { href: "/queries", label: "Queries", icon: FileCode2 },
      { href: "/subscriptions", label: "Subscriptions", icon: BellRing },
      { href: "/tasks", label: "Tasks", icon: ListChecks },
      { href: "/ai-actors", label: "AI actors", icon: Bot },
      { href: "/approvals", label: "Approvals", icon: GitPullRequestArrow },
    ],
  },
  {
    label: "Connect",
    pages: [
      { href: "/catalogue", label: "Catalogue", icon: BookText },
      { href: "/data-sources", label: "Data sources", icon: Database },
      { href: "/recipients", label: "Recipients", icon: Send },
      { href: "/notifications", label: "Deliveries", icon: MailCheck },
    ],
  },
  {
    label: "Manage",
    pages: [
      { href: "/projects", label: "Projects", icon: Boxes },
      { href: "/jobs", label: "Jobs", icon: Cog, permission: "jobs:manage" },
      { href: "/audit", label: "Audit", icon: ScrollText, permission: "audit:read" },
      { href: "/api-keys", label: "API keys", icon: KeyRound, permission: "own-keys:manage" },
      { href: "/users", label: "Users", icon: Users, permission: "users:manage" },
      { href: "/settings", label: "Settings", icon: Settings, permission: "settings:manage" },
      { href: "/docs/api", label: "REST API", icon: BookOpen },
    ],
  },
];

/** Lists that other pages lead to; the palette has them, too. */
export const furtherPages: readonly Page[] = [
  { href: "/anomalies", label: "Anomalies", icon: ChartSpline },
  { href: "/connect", label: "Connect an assistant", icon: Plug },
];

/** The pages that somebody may see, without groups that would be empty. */
export function pageGroupsFor(holder: Holder): typeof pageGroups {
  return pageGroups
    .map(({ label, pages }) => ({
      label,
      pages: pages.filter(({ permission }) => !permission || grants(permission, holder)),
    }))
    .filter(({ pages }) => pages.length > 0);
}

const hrefs = pageGroups.flatMap((group) => group.pages.map((page) => page.href));

/** The page that a path belongs to: the longest that it lies at or below. */
export function currentPage(path: string): string | undefined {
  return hrefs
    .filter((href) => path === href || path.startsWith(`${href}/`))
    .sort((a, b) => b.length - a.length)[0];
}
