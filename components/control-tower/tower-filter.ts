import {
  createLoader,
  parseAsBoolean,
  parseAsInteger,
  parseAsNumberLiteral,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import type { HealthSort, HealthStatus } from "@/server/control-tower/schema.ts";

/** Control Tower's filters, in the URL. Repeats what it needs of the schema, to keep Zod out of the page. */

export const rowsPerPage = 50;

export const windows = [1, 7, 30, 90] as const;
export type Days = (typeof windows)[number];

const statuses = ["Green", "Amber", "Red", "Stalled"] as const satisfies readonly HealthStatus[];
const directions = ["asc", "desc"] as const;

/** The server's order and its default direction for each column. */
export const sorts = {
  status: { by: "Status", natural: "desc" },
  name: { by: "Name", natural: "asc" },
  success: { by: "SuccessRate", natural: "asc" },
  runs: { by: "Executions", natural: "desc" },
  tasks: { by: "OpenTasks", natural: "desc" },
  anomalies: { by: "Anomalies", natural: "desc" },
  last: { by: "LastExecution", natural: "desc" },
} as const satisfies Record<string, { by: HealthSort; natural: (typeof directions)[number] }>;
export type TowerSort = keyof typeof sorts;

export const towerParameters = {
  days: parseAsNumberLiteral(windows).withDefault(30),
  folder: parseAsInteger,
  source: parseAsInteger,
  status: parseAsStringLiteral(statuses),
  tasks: parseAsBoolean.withDefault(false),
  q: parseAsString.withDefault(""),
  sort: parseAsStringLiteral(Object.keys(sorts) as TowerSort[]).withDefault("status"),
  /** The direction, if not the default. */
  direction: parseAsStringLiteral(directions),
  /** Counts from 1 in the URL. */
  page: parseAsInteger.withDefault(1),
};

/** The subscription whose panel is open. */
export const panelParameter = { subscription: parseAsInteger };

export const loadTower = createLoader(towerParameters);

export type TowerFilters = {
  days: Days;
  folder: number | null;
  source: number | null;
  status: HealthStatus | null;
  tasks: boolean;
  q: string;
  sort: TowerSort;
  direction: "asc" | "desc" | null;
  page: number;
};

/** Whether a number from the URL can be an ID. */
export const isIdentifier = (id: number | null): id is number =>
  id !== null && id >= 1 && id <= 2_147_483_647;

/** The procedures' inputs: figures, rows, and figures without the cards' own filters. */
export function towerInputs(project: { projectId?: number }, filters: TowerFilters) {
  const { days, folder, source, status, tasks, sort, direction, page } = filters;
  const search = filters.q.trim().slice(0, 200);
  const whole = {
    ...project,
    timeRangeDays: days,
    ...(isIdentifier(folder) && { folderId: folder }),
    ...(isIdentifier(source) && { dataSourceId: source }),
    ...(search !== "" && { searchKeyword: search }),
  };
  const statistics = {
    ...whole,
    ...(status !== null && { healthStatus: status }),
    ...(tasks && { hasUnresolvedTasks: true }),
  };
  const health = {
    ...statistics,
    page: Math.min(Math.max(page, 1), 1_000_000_000) - 1,
    pageSize: rowsPerPage,
    sortBy: sorts[sort].by,
    ...(direction !== null && { sortDirection: direction === "asc" ? ("Asc" as const) : ("Desc" as const) }),
  };
  return { whole, statistics, health };
}

/** Whether any filter other than the time range is set. */
export const isFiltered = ({ folder, source, status, tasks, q }: TowerFilters): boolean =>
  folder !== null || source !== null || status !== null || tasks || q.trim() !== "";
