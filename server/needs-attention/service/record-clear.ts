import { sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { projects } from "../../projects/tables.ts";
import { clearProjects } from "../tables.ts";
import { whatNeedsAttention } from "./needing.ts";

/**
 * Records of each project whether anything needs attention in it, and when the last of it ended. Doing it twice at once
 * or again changes nothing.
 */
export async function recordClearProjects(): Promise<void> {
  await db.execute(sql`
    with ${whatNeedsAttention({ principal: null }, { projectId: undefined, hasFourEyes: false })},
    busy as (select distinct project_id from needing),
    unclear as (delete from ${clearProjects} where ${clearProjects.projectId} in (select project_id from busy))
    insert into ${clearProjects} (project_id)
    select ${projects.id} from ${projects} where ${projects.id} not in (select project_id from busy)
    on conflict do nothing`);
}
