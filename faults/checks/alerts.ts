import { type Check, never } from "./check.ts";

const notificationsOf = (kind: string, id: string) =>
  `(select count(*) from notifications n where n.cause_kind = '${kind}' and n.cause_id = ${id})`;

/** An address is stored encrypted: of it, its last four characters are shown. */
const isTo = (shown: string, address: string) =>
  shown.endsWith(shown.includes("…") ? address.slice(-4) : address);

export const alertChecks: Check[] = [
  // A contract's evaluations are sequential, so their ids give the order, however the clock was set.
  never(
    "a contract's alert is sent once when it opens and once when it recovers, and nothing else is sent",
    `select id, trigger, overall_score, told,
       case when not alerts then 0 when is_below <> was_below then 1 when is_below then null else 0 end as due
     from (
       select e.id, e.trigger, e.overall_score, ${notificationsOf("Evaluation", "e.id")} as told,
         e.trigger = 'Scheduled' and c.alert_on_failure
           and exists (select from contract_recipients r where r.contract_id = c.id) as alerts,
         e.overall_score < c.failure_threshold as is_below,
         coalesce(lag(e.overall_score < c.failure_threshold)
           over (partition by e.contract_id, e.trigger order by e.id), false) as was_below
       from evaluations e join contracts c on c.id = e.contract_id where e.status = 'Completed') as told`,
    // While it stays open, a worse state may be reported too.
    "told <> coalesce(due, least(told, 1))",
  ),
  never(
    "an execution notifies once if its condition is met, and otherwise not at all",
    `select e.id, e.status, ${notificationsOf("Execution", "e.id")} as told,
       (e.status = 'NotificationSent'
         and exists (select from subscription_recipients r where r.subscription_id = s.id))::int as due
     from executions e join subscriptions s on s.id = e.subscription_id where e.status <> 'Created'`,
    "told <> due",
  ),
  never(
    "a failing subscription is reported once, and so is its recovery",
    `select i.id, i.kind, i.closed_at, ${notificationsOf("Monitor", "i.id")} as told
     from subscription_incidents i`,
    "told <> case when closed_at is null then 1 else 2 end",
  ),
  // People have deliveries of their own. Monitoring notifies only them: here, the one Admin.
  never(
    "each notification goes to each of its recipients once",
    `select n.id, n.cause_kind,
       case n.cause_kind when 'Monitor' then count(d.user_id) else count(d.recipient_id) end as deliveries, case n.cause_kind
       when 'Evaluation' then (select count(*) from contract_recipients r
         join evaluations e on e.contract_id = r.contract_id where e.id = n.cause_id)
       when 'Execution' then (select count(*) from subscription_recipients r
         join executions e on e.subscription_id = r.subscription_id where e.id = n.cause_id)
       when 'Monitor' then 1 end as recipients
     from notifications n left join deliveries d on d.notification_id = n.id group by n.id`,
    "deliveries <> recipients",
  ),
  never(
    "each delivery was made",
    "select id, status, attempts, last_error from deliveries",
    "status <> 'Sent'",
  ),
  // If a process is killed between a message's last byte and recording it, the message is sent again.
  async ({ sql, received }) => {
    const deliveries = await sql`
      select 'dlv_' || d.id as id, d.attempts, n.subject as title, coalesce(r.destination, u.email) as destination
      from deliveries d join notifications n on n.id = d.notification_id
      left join recipients r on r.id = d.recipient_id left join users u on u.id = d.user_id
      where d.status = 'Sent'`;
    const byDelivery = Map.groupBy(received, ({ id }) => id.replace(/_[a-z0-9]+$/, ""));
    return {
      what: "each message has arrived at the right place, at most as often as it was attempted, always with the same id",
      looked: deliveries.length,
      wrong: deliveries.filter(({ id, attempts, title, destination }) => {
        const copies = byDelivery.get(id) ?? [];
        const isRight = copies.every(
          (copy) => copy.title === title && isTo(destination, copy.to) && copy.id === copies[0]?.id,
        );
        return copies.length < 1 || copies.length > attempts || !isRight;
      }),
    };
  },
  async ({ sql, received }) => {
    const rows = await sql`select 'dlv_' || id as id from deliveries`;
    const known = new Set(rows.map(({ id }) => id));
    return {
      what: "nothing has arrived that is not in the ledger",
      looked: received.length,
      wrong: received.filter(({ id }) => !known.has(id.replace(/_[a-z0-9]+$/, ""))),
    };
  },
];
