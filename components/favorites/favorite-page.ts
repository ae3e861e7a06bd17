import {
  BellRing,
  Bot,
  Database,
  FileCheck2,
  FileCode2,
  type LucideIcon,
  Table2,
} from "@/components/ui/icons.tsx";
import type { FavoriteKind } from "@/server/favorites/kinds.ts";
import { tableHref } from "../catalog/table-href.ts";

/** Something with a page of its own that can be starred and found again. */
export type Thing = {
  kind: FavoriteKind;
  id: number;
  name: string;
  schemaName?: string | null;
  tableName?: string | null;
};

const folders: Record<Exclude<FavoriteKind, "Table">, string> = {
  Query: "queries",
  Subscription: "subscriptions",
  Contract: "data-quality/contracts",
  Actor: "ai-actors",
  DataSource: "data-sources",
};

export function pathOfThing({ kind, id, schemaName, tableName }: Omit<Thing, "name">): string {
  if (kind !== "Table") return `/${folders[kind]}/${id}`;
  return tableHref(id, { schemaName: schemaName ?? "", tableName: tableName ?? "" });
}

export const thingLooks: Record<FavoriteKind, { word: string; icon: LucideIcon }> = {
  Query: { word: "Query", icon: FileCode2 },
  Subscription: { word: "Subscription", icon: BellRing },
  Contract: { word: "Contract", icon: FileCheck2 },
  Actor: { word: "AI actor", icon: Bot },
  DataSource: { word: "Data source", icon: Database },
  Table: { word: "Table", icon: Table2 },
};
