import { setTimeout as delay } from "node:timers/promises";
import { type Answer, type Client, isSuccess } from "./client.ts";
import type { Asked, Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

type Around = {
  client: Client;
  world: World;
  ledger: Ledger;
  random: Random;
  whenUp: () => Promise<void>;
  /** Called when a request that changes something was answered. */
  answered: () => void;
};

/** People and pipelines that send requests continuously, whatever happens to the service, until they are stopped. */
export function startLoad(around: Around) {
  let isStopping = false;
  const people: [name: string, restMs: [number, number], act: (around: Around) => Promise<void>][] = [
    ["an evaluation", [100, 500], evaluate],
    ["an evaluation", [100, 500], evaluate],
    ["an execution", [400, 1200], execute],
    ["changes of queries", [100, 500], editQuery],
    ["decisions about changes", [100, 500], decideChange],
    ["actors", [2000, 4000], createActor],
    ["decisions about plans", [100, 500], decidePlan],
    ["what actors watch", [1500, 3000], executeForActor],
    ["thoughts", [2000, 4000], think],
  ];
  const stopped = people.map(async ([, [min, max], act]) => {
    const own = { ...around, random: around.random.fork() };
    while (!isStopping) {
      await Promise.race([own.whenUp(), delay(1000, undefined, { ref: false })]);
      if (isStopping) break;
      await act(own);
      await delay(own.random.between(min, max));
    }
  });
  return {
    async stop() {
      isStopping = true;
      await Promise.all(stopped);
    },
  };
}

/** Records a request and its outcome. A request that never reached the service does not count. */
function note({ ledger, answered }: Around, asked: Asked, answer: Answer, id: number | null = null): void {
  if (answer.kind === "unsent") return;
  const isDone = isSuccess(answer);
  if (isDone) answered();
  const outcome = isDone ? "done" : answer.kind === "unknown" ? "unknown" : "rejected";
  ledger.add({ ...asked, outcome, id: isDone ? id : null });
}

const idIn = (answer: Answer, name: string) =>
  answer.kind === "answered" && typeof answer.body[name] === "number" ? (answer.body[name] as number) : null;

/** The items of a list; none if it could not be read. */
async function list<Item>(client: Client, path: string): Promise<Item[]> {
  const answer = await client("GET", path);
  return isSuccess(answer) ? (answer.body.items as Item[]) : [];
}

async function evaluate(around: Around): Promise<void> {
  const contractId = around.random.pick(around.world.contractIds);
  const headers = { prefer: "respond-async" };
  const answer = await around.client(
    "POST",
    `/data-quality/contracts/${contractId}/evaluate`,
    undefined,
    headers,
  );
  note(around, { kind: "evaluate", contractId }, answer, idIn(answer, "id"));
}

async function execute(around: Around): Promise<void> {
  await executeOne(around, around.random.pick(around.world.subscriptionIds));
}

async function executeOne(around: Around, subscriptionId: number): Promise<void> {
  const answer = await around.client("POST", `/subscriptions/${subscriptionId}/execute`);
  note(around, { kind: "execute", subscriptionId }, answer, idIn(answer, "executionId"));
}

let lastEdit = 0;

async function editQuery(around: Around): Promise<void> {
  const { client, world, random } = around;
  const queryId = random.pick(world.queryIds);
  lastEdit += 1;
  const edit = lastEdit;
  const answer = await client("PUT", `/queries/${queryId}`, {
    name: `Changing ${queryId}`,
    steps: [{ dataSourceId: world.warehouseId, sql: `select ${edit} as edit` }],
  });
  note(around, { kind: "editQuery", queryId, edit }, answer);
}

/** Sometimes two people decide at the same time. */
async function decideChange(around: Around): Promise<void> {
  const { client, random } = around;
  const pending = await list<{ id: number }>(client, "/approvals/pending");
  if (pending.length === 0) return;
  const { id: approvalId } = random.pick(pending);
  const decide = async (decision: "approve" | "reject") =>
    note(
      around,
      { kind: "decideChange", approvalId, decision },
      await client("POST", `/approvals/${approvalId}/${decision}`, {}),
    );
  const decisions = (random.chance(0.3) ? [0, 0] : [0]).map(() =>
    random.chance(0.7) ? ("approve" as const) : ("reject" as const),
  );
  await Promise.all(decisions.map(decide));
}

let lastActor = 0;

async function createActor(around: Around): Promise<void> {
  const { client, world, random } = around;
  lastActor += 1;
  const name = `Actor ${lastActor}`;
  const table = random.pick(["orders", "customers", "payments", "products"]);
  const answer = await client("POST", "/ai-actors", {
    ...{ name, instructions: `Watch ${table}`, dataSourceId: world.warehouseId },
    ...{ maxQueries: random.between(2, 4), defaultRecipientIds: [world.actorRecipientId] },
  });
  note(around, { kind: "createActor", name }, answer, idIn(answer, "id"));
}

const schedules = ["5 */2 * * *", "5 */3 * * *", "0 6 * * *"];

async function decidePlan(around: Around): Promise<void> {
  const { client, random } = around;
  const actors = await list<{ id: number; pendingPlanCount: number }>(client, "/ai-actors");
  const waiting = actors.filter(({ pendingPlanCount }) => pendingPlanCount > 0);
  if (waiting.length === 0) return;
  const [plan] = await list<{ id: number }>(client, `/ai-actors/${random.pick(waiting).id}/pending-plans`);
  if (!plan) return;
  const bodies = {
    approve: {},
    reject: { reason: "Not now" },
    "request-revision": {
      feedback: "At other times",
      wishes: { schedule: { cronExpression: random.pick(schedules), timezone: "UTC" } },
    },
  };
  const decide = async (decision: keyof typeof bodies) =>
    note(
      around,
      { kind: "decidePlan", planId: plan.id, decision },
      await client("POST", `/ai-actors/plans/${plan.id}/${decision}`, bodies[decision]),
    );
  const any = ["approve", "approve", "approve", "reject", "request-revision"] as const;
  await Promise.all((random.chance(0.3) ? [0, 0] : [0]).map(() => decide(random.pick(any))));
}

/** Runs a subscription of an actor, which wakes the actor. */
async function executeForActor(around: Around): Promise<void> {
  const { client, random, world } = around;
  const all = await list<{ id: number; aiActorId: number | null }>(
    client,
    `/subscriptions?projectId=${world.projectId}&pageSize=500`,
  );
  const own = all.filter(({ aiActorId }) => aiActorId !== null);
  if (own.length > 0) await executeOne(around, random.pick(own).id);
}

async function think(around: Around): Promise<void> {
  const { client, random } = around;
  const actors = await list<{ id: number; status: string }>(client, "/ai-actors");
  if (actors.length === 0) return;
  const { id: actorId, status } = random.pick(actors);
  // An actor whose think cycle was given up is resumed, as a user would.
  if (status === "Failed") await client("POST", `/ai-actors/${actorId}/resume`);
  const answer = await client("POST", `/ai-actors/${actorId}/think`);
  note(around, { kind: "think", actorId }, answer, idIn(answer, "executionId"));
}
