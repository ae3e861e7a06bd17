import type { z } from "zod";
import { byId } from "../db/schema-parts.ts";
import { procedureFor, router } from "../trpc.ts";
import {
  alertSchema,
  listWatchedInput,
  setWatchInput,
  watchedDetailSchema,
  watchedPageSchema,
  watchedTableInput,
  watchSchema,
} from "./schema.ts";
import { getWatched, listWatched } from "./service/load-watched.ts";
import { expectAlert, getWatch, setWatch } from "./service/watch.ts";

const tag = "Watching";

/** Every table watched, without rules. */
export const watchRouter = router({
  get: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-sources/{id}/watch",
        tag,
        summary: "Whether every table of a data source is watched, and what that costs",
      },
    })
    .input(byId)
    .output(watchSchema)
    .query(({ ctx, input }) => getWatch(ctx, input.id)),

  set: procedureFor("data-sources:manage")
    .meta({
      audit: "dataSource",
      auditDetail: ({ dataSourceName, enabled }: { dataSourceName: string; enabled: boolean }) =>
        `${dataSourceName}: ${enabled ? "on" : "off"}`,
      rest: {
        method: "PUT",
        path: "/data-sources/{id}/watch",
        tag,
        summary: "Watch every table of a data source, or stop doing so",
        description:
          "Every quarter of an hour it looks at what the server knows anyway: its statistics, its catalog, and the newest value of indexed columns. Once a day it profiles each table, within a budget. What differs from what is usual leads to an incident.",
        problems: ["rejected"],
      },
    })
    .input(setWatchInput)
    .output(watchSchema)
    .mutation(({ ctx, input }) => setWatch(ctx, input)),

  list: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/watched-tables",
        tag,
        summary: "List watched tables, those with something unusual first",
      },
    })
    .input(listWatchedInput)
    .output(watchedPageSchema)
    .query(({ ctx, input }) => listWatched(ctx, input)),

  table: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/watched-table",
        tag,
        summary: "One watched table with its numbers over time, and what was usual",
        problems: ["not_found"],
      },
    })
    .input(watchedTableInput)
    .output(watchedDetailSchema)
    .query(({ ctx, input }) => getWatched(ctx, input)),

  expect: procedureFor("incidents:work")
    .meta({
      audit: "tableAlert",
      // Never its sentence: that may contain values.
      auditDetail: ({ kind, columnName }: z.output<typeof alertSchema>) =>
        columnName === null ? kind : `${kind}, ${columnName}`,
      rest: {
        method: "POST",
        path: "/table-alerts/{id}/expect",
        tag,
        summary: "Say that what is unusual about a table is as it should be",
        description: "It is no problem anymore, and ends once it is usual again or has become so.",
        problems: ["conflict"],
      },
    })
    .input(byId)
    .output(alertSchema)
    .mutation(({ ctx, input }) => expectAlert(ctx, input.id)),
});
