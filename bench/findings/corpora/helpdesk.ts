import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dayMs, heavyTailed, maybe, mostlyFirst, some, timeText, weighted } from "../draw.ts";
import { hourMs } from "./calendar.ts";
import { firstName, lastName, plain, sentence } from "./names.ts";

const now = Date.parse("2025-10-08T11:00:00Z");

/** Requests of customers: open ones have no end, new ones nobody who works on them, and hardly any is a disaster. */
export function helpdesk(seed: number): CorpusDatabase {
  const random = new Random(seed * 29 + 11);
  const agents = agentsOf(random);
  const tickets = ticketsOf(random, agents.rows);
  return { name: "helpdesk", now, tables: [agents, tickets, changesOf(random, tickets.rows, agents.rows)] };
}

function agentsOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 70 }, (_, index): Row => {
    const [first, last] = [firstName(random), lastName(random)];
    return [
      String(index + 1),
      `${plain(first).slice(0, 2)}${plain(last).slice(0, 4)}${index}`,
      `${first} ${last}`,
      weighted(random, { first_line: 60, second_line: 30, billing: 10 }),
      weighted(random, { "Europe/Berlin": 60, "America/Chicago": 25, "Asia/Manila": 15 }),
      random.chance(0.85) ? "true" : "false",
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    login: "text",
    name: "text",
    team: "text",
    timezone: "text",
    active: "other",
  });
  return { name: "agents", columns, rows };
}

const queues = { ACC: "Accounts", BIL: "Billing", NET: "Network", SHP: "Shipping", RET: "Returns" } as const;

function ticketsOf(random: Random, agents: readonly Row[]): CorpusTable {
  const rows = Array.from({ length: 4800 }, (_, index): Row => {
    const at = now - (1 - index / 4800) * 420 * dayMs + random.next() * hourMs;
    const queue = mostlyFirst(random, Object.keys(queues) as (keyof typeof queues)[], 1.6);
    const first = at + heavyTailed(random, 2, 1.1) * hourMs;
    const closed = first + heavyTailed(random, 30, 1.4) * hourMs;
    const isClosed = closed < now;
    return [
      `${queue}-${10_000 + index}`,
      queue,
      queues[queue],
      timeText(at),
      first < now ? timeText(first) : null,
      isClosed ? timeText(closed) : null,
      isClosed ? "closed" : first < now ? weighted(random, { pending: 60, open: 40 }) : "new",
      weighted(random, { low: 30, normal: 55, high: 14.7, disaster: 0.3 }),
      weighted(random, { mail: 50, form: 30, phone: 15, chat: 5 }),
      `${plain(lastName(random))}${random.between(1, 900)}@customer.example`,
      first < now ? (mostlyFirst(random, agents, 1.4)[0] ?? null) : null,
      sentence(random, random.between(2, 8)),
      isClosed
        ? maybe(random, 0.24, () => weighted(random, { "5": 50, "4": 25, "3": 10, "2": 5, "1": 10 }))
        : null,
      maybe(random, 0.05, () => `${random.pick(["bug", "vip", "refund", "spam"])}`),
    ];
  });
  const columns = columnsOf({
    ticket_no: "text",
    queue: "text",
    queue_name: "text",
    opened_at: "time",
    first_answer_at: "time",
    closed_at: "time",
    status: "text",
    priority: "text",
    channel: "text",
    requester: "text",
    agent_id: "integer in agents.id",
    subject: "text",
    satisfaction: "integer",
    tag: "text",
  });
  return { name: "tickets", columns, rows };
}

function changesOf(random: Random, tickets: readonly Row[], agents: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const ticket of some(random, tickets, 1500))
    for (const [field, to] of [
      ["status", weighted(random, { open: 50, pending: 50 })],
      ["priority", weighted(random, { high: 60, normal: 40 })],
      ["agent", random.pick(agents)[1] ?? ""],
    ] as const)
      if (random.chance(0.6))
        rows.push([
          String(rows.length + 1),
          ticket[0] ?? null,
          timeText(
            Date.parse((ticket[3] ?? "").replace(" ", "T").replace("+00", "Z")) + random.next() * 40 * hourMs,
          ),
          field,
          maybe(random, 0.7, () => (field === "agent" ? (random.pick(agents)[1] ?? "") : "new")),
          to,
        ]);
  const columns = columnsOf({
    id: "integer key",
    ticket_no: "text in tickets.ticket_no",
    changed_at: "time",
    field: "text",
    old_value: "text",
    new_value: "text",
  });
  return { name: "changes", columns, rows };
}
