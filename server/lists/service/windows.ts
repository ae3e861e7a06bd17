import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { listWindows } from "../../maintenance/service.ts";
import { type Listed, pageOfRows } from "../page-of-rows.ts";
import type { windowsPageInput } from "../schema.ts";
import type { SortOf } from "../sorts.ts";

type Window = Awaited<ReturnType<typeof listWindows>>["items"][number];

const listed: Listed<Window, SortOf<"windows">> = {
  text: ({ name, reason, dataSources, tags }) =>
    [name, reason ?? "", ...(dataSources ?? []).map((source) => source.name), ...(tags ?? [])].join(" "),
  sorts: {
    // What lasts now comes first, then what begins next; what is over has no time.
    Time: { by: ({ activeUntil, nextStart }) => (activeUntil ? 0 : nextStart) },
    Name: { by: ({ name }) => name },
  },
};

/** A page of the maintenance windows visible to the caller: now, to come, and over for less than a month. */
export async function windowsPage(ctx: SignedIn, { projectId, ...asked }: z.output<typeof windowsPageInput>) {
  return pageOfRows((await listWindows(ctx, { projectId })).items, asked, listed);
}
