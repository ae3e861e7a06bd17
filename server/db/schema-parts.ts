import { z } from "zod";

/** Values that every domain's `schema.ts` is made of. The browser loads this file too. */

// Zod compiles its parsers, and tries whether it may. A page may not, by the content security policy.
if (typeof window !== "undefined") z.config({ jitless: true });

/** PostgreSQL cannot store NUL, and half a surrogate pair is not text. */
const storable = (value: string) => !value.includes("\u0000") && value.isWellFormed();
const storableMessage = "must not contain NUL or unpaired surrogates";

export const text = (max: number) => z.string().max(max).refine(storable, storableMessage);

export const name = z.string().trim().min(1, "is required").max(200).refine(storable, storableMessage);

export const description = text(4000);

export const email = z.string().trim().max(200).pipe(z.email("must be an e-mail address"));

/** An integer that PostgreSQL assigned. */
export const identifier = z.int().min(1).max(2_147_483_647);

/** In the path or query of a REST call, or the input of a tRPC call. */
export const byId = z.strictObject({ id: identifier });

/** A moment as ISO 8601 with its zone. */
export const momentIn = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** A Date of the service, which every door writes as ISO 8601 in UTC. */
export const momentOut = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(z.iso.datetime());

/** `{ items: [...] }`, how every list answers. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item) });

/** Which page of a paged list; to be spread into its input. The first page is 0. */
export const paging = {
  page: z.int().min(0).default(0),
  pageSize: z.int().min(1).max(500).default(100),
};

/** `{ items, page, pageSize, totalCount }`, how every paged list answers. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), page: z.int(), pageSize: z.int(), totalCount: z.int() });

/** The schema, table or column of somebody else's database, quoted before use. */
export const databaseName = z.string().min(1, "is required").max(128).refine(storable, storableMessage);

/** Any names with values. Zod drops __proto__ from a record in silence; here it is refused like what is unknown. */
export const record = <Key extends z.ZodType<string, string>, Value extends z.ZodType>(
  key: Key,
  value: Value,
) =>
  z.preprocess(
    (given, context) => {
      if (typeof given === "object" && given !== null && Object.hasOwn(given, "__proto__"))
        context.addIssue({ code: "unrecognized_keys", keys: ["__proto__"], input: {} });
      return given;
    },
    z.record(key, value),
  );

const startedSchema = z.object({ executionId: identifier }).meta({ id: "Started" });

/** What work answers that goes on in the background: at once which it is, or with `Prefer: wait` its result. */
export const startedOr = <Result extends z.ZodType>(result: Result) => z.union([startedSchema, result]);
