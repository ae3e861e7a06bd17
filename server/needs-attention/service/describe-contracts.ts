import { sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { evaluations } from "../../data-quality/evaluations/tables.ts";
import { contracts } from "../../data-quality/tables.ts";
import { db } from "../../db/client.ts";
import { belowThresholdWords, notEvaluatedWords } from "../../incidents/in-words.ts";
import { neverEvaluatedWords } from "../in-words.ts";
import type { Concern } from "../schema.ts";
import { type Described, idsOf, mayDoTo, type Needing } from "./described.ts";

/** How many of a contract's latest evaluations are looked at to say since when it is as it is. */
const latestEvaluations = 100;

type Row = {
  id: number;
  name: string;
  owner_id: number | null;
  threshold: string;
  score: string | null;
  because: string | null;
  since: string | null;
};

/** An evaluation that could measure nothing neither begins nor ends a time below the threshold. */
export async function describeContracts({ principal }: SignedIn, needing: readonly Needing[]) {
  if (needing.length === 0) return new Map<number, Described>();
  const rows = await db.execute<Row>(sql`
    select contract.id, contract.name, contract.owner_id, contract.failure_threshold as threshold, streak.score, streak.because, streak.since
    from ${contracts} as contract
    left join lateral (
      select min(score) filter (where place = 1) as score, min(because) filter (where place = 1) as because,
        min(evaluated_at) as since
      from (
        select *, bool_and(result = first_result) over (order by place) as is_same from (
          select latest.overall_score as score, latest.not_evaluated_because as because, latest.evaluated_at, result,
            row_number() over newest as place, first_value(result) over newest as first_result
          from (
            select *, case when not_evaluated_because is not null then 'unmeasured'
              when overall_score < contract.failure_threshold then 'below' else 'fine' end as result
            from ${evaluations} as evaluation
            where evaluation.contract_id = contract.id and evaluation.evaluated_at is not null
            order by evaluation.evaluated_at desc, evaluation.id desc limit ${latestEvaluations}
          ) as latest
          window newest as (order by latest.evaluated_at desc, latest.id desc)
        ) as placed
        where result <> 'unmeasured' or first_result = 'unmeasured'
      ) as run
      where is_same
    ) as streak on true
    where contract.id = ${idsOf(needing)}`);
  const found = new Map(needing.map(({ id, concern, at }) => [id, { concern, at }]));
  const owners = await namesOfUsers([...rows].map(({ owner_id }) => owner_id));
  const mayEvaluate = mayDoTo("evaluations:run", principal, needing);
  const items = [...rows].flatMap((row): [number, Described][] => {
    const { concern, at } = found.get(row.id) ?? {};
    if (!concern || !at) return [];
    return [
      [
        row.id,
        {
          title: row.name,
          reason: reasonOf(concern, row),
          since: row.since === null ? at : new Date(row.since),
          owner: owners.get(row.owner_id ?? 0) ?? null,
          path: `/data-quality/contracts/${row.id}`,
          action: { kind: mayEvaluate(row.id) ? "Evaluate" : "Open", ids: [row.id] },
        },
      ],
    ];
  });
  return new Map(items);
}

function reasonOf(concern: Concern, { score, threshold, because }: Row): string {
  if (concern === "NeverEvaluated") return neverEvaluatedWords;
  if (concern === "NotEvaluated") return notEvaluatedWords(because ?? "");
  return belowThresholdWords(Number(score), Number(threshold));
}
