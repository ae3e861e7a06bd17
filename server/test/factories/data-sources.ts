import { eq } from "drizzle-orm";
import type { DatabaseConnection } from "../../data-sources/connections/database-server.ts";
import type { Kind } from "../../data-sources/kinds.ts";
import { dataSources } from "../../data-sources/tables.ts";
import { db } from "../../db/client.ts";
import { encrypt } from "../../db/encryption.ts";
import { projects } from "../../projects/tables.ts";

export async function aProject(project: { name?: string } = {}) {
  const [row] = await db
    .insert(projects)
    .values({ name: project.name ?? "Flights" })
    .returning();
  if (!row) throw new Error("The insert returned no project");
  return row;
}

/** A connection to the test file's own database, used as a watched database. */
export function ownConnection(): DatabaseConnection & { password: string } {
  const url = new URL(process.env.DATABASE_URL ?? "");
  return {
    host: url.hostname,
    port: Number(url.port || 5432),
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    ssl: false,
  };
}

/** A stored data source; by default the test file's own database, in a new project. */
export async function aDataSource(
  source: {
    projectId?: number;
    name?: string;
    kind?: Kind;
    connection?: Partial<DatabaseConnection & { password: string }>;
    canWrite?: boolean | null;
    allowedFunctions?: string[];
  } = {},
) {
  const { password, ...connection } = { ...ownConnection(), ...source.connection };
  const [row] = await db
    .insert(dataSources)
    .values({
      projectId: source.projectId ?? (await aProject()).id,
      name: source.name ?? "Warehouse",
      kind: source.kind ?? "PostgreSql",
      connection,
      canWrite: source.canWrite ?? null,
      allowedFunctions: source.allowedFunctions ?? [],
    })
    .returning();
  if (!row) throw new Error("The insert returned no data source");
  if (password) {
    const secret = encrypt(password, `data-source:${row.id}`);
    await db.update(dataSources).set({ secret }).where(eq(dataSources.id, row.id));
    row.secret = secret;
  }
  return row;
}
