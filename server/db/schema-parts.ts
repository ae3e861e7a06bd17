import { z } from "zod";
import { isTimeZone } from "../zoned-time.ts";

/** Building blocks of every domain's `schema.ts`. The browser loads this file too. */

/** PostgreSQL cannot store NUL, and a lone surrogate is not text. */
const storable = (value: string) => !value.includes("\u0000") && value.isWellFormed();
const storableMessage = "must not contain NUL or unpaired surrogates";

export const text = (max: number) => z.string().max(max).refine(storable, storableMessage);

export const name = z.string().trim().min(1, "is required").max(200).refine(storable, storableMessage);

export const description = text(4000);

export const email = z.string().trim().max(200).pipe(z.email("must be an email address"));

/** An integer that PostgreSQL assigned. */
export const identifier = z.int().min(1).max(2_147_483_647);

/** The path or query of a REST call, or the input of a tRPC call. */
export const byId = z.strictObject({ id: identifier });

/** An IANA zone: `UTC`, `Europe/Berlin`. */
export const timezone = z.string().max(100).refine(isTimeZone, "is not an IANA time zone");

/** An ISO 8601 timestamp with a zone. */
export const momentIn = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** A Date, serialized as ISO 8601 in UTC. */
export const momentOut = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(z.iso.datetime());

/** The mask for `schema.pick(only("id", "name"))`. A name that the schema lacks is a compile error. */
export const only = <const Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((each) => [each, true])) as Record<Name, true>;

/** `{ items: [...] }`, the shape of every list. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item) });

/** The page of a paged list, to spread into its input. The first page is 0. */
export const paging = {
  page: z.int().min(0).default(0),
  pageSize: z.int().min(1).max(500).default(100),
};

/** A list's search text, to spread into its input. `where` names what is searched. */
export const searching = (where: string) => ({
  search: text(200)
    .optional()
    .meta({
      description: `Each word must be in ${where}. \`%\` and \`_\` match themselves`,
    }),
});

/** A list's order, to spread into its input. Each order has a natural direction, which Desc or Asc may change. */
export const sorting = <const Sorts extends readonly [string, ...string[]]>(
  sorts: Sorts,
  initial: NoInfer<Sorts[number]>,
  { description }: { description: string },
) => ({
  sortBy: z
    .enum(sorts)
    .default(initial as never)
    .meta({ description }),
  sortDirection: z.enum(["Asc", "Desc"]).optional().meta({
    description: "Overrides the order's own direction; missing values stay last",
  }),
});

/** `{ items, page, pageSize, totalCount }`, the shape of every paged list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), page: z.int(), pageSize: z.int(), totalCount: z.int() });

/** The name of a schema, table, or column in a data source, quoted before use. */
export const databaseName = z.string().min(1, "is required").max(128).refine(storable, storableMessage);

/** A record with any keys. Zod silently drops __proto__; here it is rejected like an unknown key. */
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

/** The response of background work: its id immediately, or with `Prefer: wait` its result. */
export const startedOr = <Result extends z.ZodType>(result: Result) => z.union([startedSchema, result]);
