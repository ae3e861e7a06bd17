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
  House,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MailCheck,
  Plug,
  Radar,
  ScanSearch,
  ScrollText,
  Send,
  Settings,
  ShieldCheck,
  TriangleAlert,
  UserCog,
  UserRound,
  Users,
} from "@/components/ui/icons.tsx";
import { grants, type Holder, type Permission } from "@/server/auth/permissions.ts";

export type Page = {
  href: string;
  label: string;
  icon: LucideIcon;
  /** The permission required to see the page; none if omitted. */
  permission?: Permission;
};

/** The console's pages in navigation order, in groups. */
export const pageGroups: readonly { label: string; pages: readonly Page[] }[] = [
  {
    label: "Watch",
    pages: [
      { href: "/home", label: "Home", icon: House },
      { href: "/control-tower", label: "Control Tower", icon: Radar },
      { href: "/incidents", label: "Incidents", icon: TriangleAlert },
      { href: "/findings", label: "Findings", icon: ScanSearch },
      { href: "/tasks", label: "Tasks", icon: ListChecks },
    ],
  },
  {
    label: "Data",
    pages: [
      { href: "/catalog", label: "Catalog", icon: BookText },
      { href: "/data-quality", label: "Data quality", icon: ShieldCheck },
      { href: "/data-quality/contracts", label: "Contracts", icon: FileCheck2 },
      { href: "/data-sources", label: "Data sources", icon: Database },
    ],
  },
  {
    label: "Automate",
    pages: [
      { href: "/queries", label: "Queries", icon: FileCode2 },
      { href: "/subscriptions", label: "Subscriptions", icon: BellRing },
      { href: "/ai-actors", label: "AI actors", icon: Bot },
      { href: "/approvals", label: "Approvals", icon: GitPullRequestArrow },
    ],
  },
  {
    label: "Admin",
    pages: [
      { href: "/recipients", label: "Recipients", icon: Send },
      { href: "/notifications", label: "Deliveries", icon: MailCheck },
      { href: "/projects", label: "Projects", icon: Boxes },
      { href: "/users", label: "Users", icon: Users, permission: "users:manage" },
      { href: "/service-accounts", label: "Service accounts", icon: UserCog, permission: "users:manage" },
      { href: "/api-keys", label: "API keys", icon: KeyRound, permission: "own-keys:manage" },
      { href: "/jobs", label: "Jobs", icon: Cog, permission: "jobs:manage" },
      { href: "/audit", label: "Audit", icon: ScrollText, permission: "audit:read" },
      { href: "/settings", label: "Settings", icon: Settings, permission: "settings:manage" },
      { href: "/docs/api", label: "REST API", icon: BookOpen },
    ],
  },
];

/** Lists linked from other pages; also in the command palette. */
export const furtherPages: readonly Page[] = [
  { href: "/anomalies", label: "Anomalies", icon: ChartSpline },
  { href: "/incidents/maintenance", label: "Maintenance", icon: Cog },
  { href: "/incidents/policies", label: "Incident policies", icon: BellRing },
  { href: "/getting-started", label: "Getting started", icon: ListChecks },
  { href: "/connect", label: "Connect an assistant", icon: Plug },
  { href: "/profile", label: "Profile", icon: UserRound },
];

/** The pages a user has access to, without empty groups. */
export function pageGroupsFor(holder: Holder): typeof pageGroups {
  return pageGroups
    .map(({ label, pages }) => ({
      label,
      pages: pages.filter(({ permission }) => !permission || grants(permission, holder)),
    }))
    .filter(({ pages }) => pages.length > 0);
}

const hrefs = pageGroups.flatMap((group) => group.pages.map((page) => page.href));

/** The page a path belongs to: the deepest one that the path equals or lies below. */
export function currentPage(path: string): string | undefined {
  return hrefs
    .filter((href) => path === href || path.startsWith(`${href}/`))
    .sort((a, b) => b.length - a.length)[0];
}
