import { eq } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { chartPicture } from "../picture/chart-picture.ts";
import { notificationOfPicture } from "../signed-pictures.ts";
import { notifications } from "../tables.ts";

/** The chart at a signed address, as PNG. Throws not_found for any other, and once it has ended. */
export async function showPicture(address: URL): Promise<Buffer> {
  const id = notificationOfPicture(address);
  const [row] =
    id === null
      ? []
      : await db
          .select({ content: notifications.content })
          .from(notifications)
          .where(eq(notifications.id, id));
  if (!row?.content.chart) throw new Problem("not_found", "There is no such picture");
  return chartPicture(row.content.chart);
}
