"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { tableHref } from "@/components/catalog/table-href.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { formatCount, formatDuration, formatNumber, plural } from "@/components/ui/format.ts";
import { Settings } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import type { Watch } from "@/server/watch/schema.ts";
import { WatchDialog } from "./watch-dialog.tsx";

const most = 8;

/** Whether every table of a data source is watched, what that costs, and what is unusual now. */
export function WatchPanel({ id }: { id: number }) {
  const utils = trpc.useUtils();
  const zone = useZone();
  const mayManage = useMay("data-sources:manage");
  const [isOpen, setOpen] = useState(false);
  const { data: watch } = trpc.watch.get.useQuery({ id }, { refetchInterval: 30_000 });
  const set = trpc.watch.set.useMutation({
    onSuccess: () => Promise.all([utils.watch.invalidate(), utils.incidents.invalidate()]),
    onError: (error) => toast.error(messageOf(error)),
  });
  if (!watch) return null;
  const change = (enabled: boolean) =>
    set.mutate({
      ...{ id, enabled, nightHour: watch.nightHour, budgetSeconds: watch.budgetSeconds },
      timezone: watch.enabledBy || watch.enabled ? watch.timezone : zone,
    });
  return (
    <section aria-labelledby="watch" className="border-b py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 id="watch" className="sr-only">
            Watching
          </h2>
          <Switch
            label="Watch every table"
            hint="Notices late loads, unusual numbers of rows, and columns that change, without any rule"
            checked={watch.enabled}
            disabled={!mayManage || set.isPending}
            onCheckedChange={change}
          />
        </div>
        {watch.enabled && mayManage && (
          <Button size="sm" icon={Settings} onClick={() => setOpen(true)}>
            Hours and budget
          </Button>
        )}
      </div>
      <div className="pt-2 pl-9">
        {watch.enabled ? <Watching watch={watch} /> : <Expected watch={watch} />}
      </div>
      {isOpen && <WatchDialog watch={watch} open onOpenChange={setOpen} />}
    </section>
  );
}

/** What it would cost. */
function Expected({ watch: { expected, tableCount } }: { watch: Watch }) {
  if (tableCount === 0) return null;
  return (
    <p className="text-xs text-ink-3">
      For {plural(tableCount, "table")}: at most {plural(expected.statementsPerLook, "statement")} each
      quarter of an hour, over the server’s own statistics and indexes; and once a day up to{" "}
      {plural(expected.statementsPerProfile, "statement")} over about {formatCount(expected.rowsPerProfile)}{" "}
      rows, within a budget of time.
    </p>
  );
}

function Watching({ watch }: { watch: Watch }) {
  const { tableCount, unusualCount, lastLookAt, lastProfileAt, nextProfileAt, problem } = watch;
  return (
    <>
      {problem !== null && (
        <p className="pb-1">
          <Status kind="critical" className="items-start whitespace-normal">
            It could not be looked at: {problem}. The next look tries again.
          </Status>
        </p>
      )}
      <p className="text-xs text-ink-3">
        {plural(tableCount, "table")}; looked at <Moment at={lastLookAt} />, profiled{" "}
        <Moment at={lastProfileAt} />
        {nextProfileAt !== null && (
          <>
            , next <Moment at={nextProfileAt} exact />
          </>
        )}
      </p>
      <Cost watch={watch} />
      {tableCount > 0 && lastProfileAt !== null && unusualCount === 0 && (
        <p className="pt-2">
          <Status kind="ok">Nothing is unusual so far</Status>
        </p>
      )}
      {unusualCount > 0 && <UnusualTables watch={watch} />}
    </>
  );
}

/** What it does cost. */
function Cost({ watch: { look, profile } }: { watch: Watch }) {
  if (look === null) return null;
  const seconds = (value: number) => formatDuration(1000 * value);
  return (
    <p className="text-xs text-ink-3">
      A look takes {seconds(look.seconds)} of the data source’s time and{" "}
      {plural(formatNumber(Math.round(look.statements)), "statement")}
      {profile !== null && (
        <>
          ; the latest profile {seconds(profile.seconds)}, {plural(profile.statements, "statement")} over{" "}
          {formatCount(profile.rowsRead)} rows
          {profile.tablesLeft > 0 &&
            `; its budget left ${plural(profile.tablesLeft, "table")} for the next day`}
        </>
      )}
      .
    </p>
  );
}

function UnusualTables({ watch: { dataSourceId, unusualCount } }: { watch: Watch }) {
  const { href } = useProject();
  const { data } = trpc.watch.list.useQuery({ dataSourceId, unusual: true, page: 0, pageSize: most });
  if (!data) return null;
  return (
    <div className="pt-3">
      <h3 className="pb-1 text-xs font-semibold text-ink-2">
        Unusual now in {plural(unusualCount, "table")}
      </h3>
      <ul aria-label="Unusual tables" className="border-t">
        {data.items.map(({ id, schemaName, tableName, alerts }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 border-b py-1.5">
            <Link
              href={href(tableHref(dataSourceId, { schemaName, tableName }))}
              className="font-mono text-[13px] hover:underline"
            >
              {schemaName}.{tableName}
            </Link>
            <span className="min-w-0 break-words text-ink-2">
              {alerts[0]?.sentence}
              {alerts.length > 1 && `, and ${alerts.length - 1} more`}
            </span>
          </li>
        ))}
      </ul>
      {unusualCount > most && (
        <p className="pt-1 text-xs text-ink-3">The first {most} by name. All lead to incidents.</p>
      )}
    </div>
  );
}
