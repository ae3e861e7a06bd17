import { expect, test } from "vitest";
import { headersIn } from "../../components/data-sources/header-lines.ts";
import { checkIn } from "../actors/planner/written-check.ts";
import { plain } from "../catalog/markdown.ts";
import { typedWords } from "../catalog/search-words.ts";
import { contractsOf } from "../data-quality/odcs/contracts-of.ts";
import { odcsDocument } from "../data-quality/odcs/document.ts";
import { shapeOf } from "../data-quality/suggest/text-shape.ts";
import { cronProblem } from "../jobs/cron.ts";
import { maskRows } from "../masking.ts";
import { emailHtml, emailText } from "../notifications/channels/email-body.ts";
import { storableContent } from "../notifications/content.ts";
import { csvCell } from "../notifications/csv.ts";
import { hiddenWrite } from "../queries/hidden-write.ts";
import { namesTable } from "../queries/named-in-sql.ts";
import { bindParameters } from "../queries/placeholders.ts";
import { bindRequest } from "../queries/request-placeholders.ts";
import { parametersOf } from "../queries/step-parameters.ts";
import { resultsReadBy, withTablesFor } from "../queries/step-results.ts";
import { databaseAddress } from "./database-address.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { dialects } from "./dialects/dialects.ts";
import { partsOf } from "./dialects/scan.ts";
import { rejectCalls } from "./engines/bigquery/functions.ts";
import { requireReadOnly as bigqueryGate } from "./engines/bigquery/gate.ts";
import { serviceAccountIn } from "./engines/bigquery/service-account.ts";
import { FunctionRules as ClickHouseFunctionRules } from "./engines/clickhouse/functions.ts";
import { requireReadOnly as clickhouseGate } from "./engines/clickhouse/gate.ts";
import { rejectOtherFunctions } from "./engines/mysql/functions.ts";
import { requireReadOnly as mysqlGate } from "./engines/mysql/gate.ts";
import { callsOf } from "./engines/postgresql/calls.ts";
import { FunctionRules } from "./engines/postgresql/functions.ts";
import { requireReadOnly as postgresqlGate } from "./engines/postgresql/gate.ts";
import { pathFault } from "./engines/rest-api/path.ts";
import { FunctionRules as SnowflakeFunctionRules } from "./engines/snowflake/functions.ts";
import { requireReadOnly as snowflakeGate } from "./engines/snowflake/gate.ts";
import { requireReadOnly as sqlserverGate } from "./engines/sqlserver/gate.ts";
import { FunctionRules as TrinoFunctionRules } from "./engines/trino/functions.ts";
import { requireReadOnly as trinoGate } from "./engines/trino/gate.ts";
import { sentAs } from "./engines/trino/statement.ts";

/**
 * Everything that scans users' text, on texts designed to take long. No text may block a process that serves everyone,
 * so time must be linear in the length: twice the text takes about twice as long, and never seconds.
 */

/** More characters than a statement may have. */
const body = 200_000;
/** About as many as a request body can hold. */
const wholeBody = 1_000_000;

const forEachDialect = (name: string, scan: (text: string, dialect: Dialect) => unknown) =>
  Object.values(dialects).map(
    (dialect): Scanner => [`${name}, ${dialect.name}`, body, (text) => scan(text, dialect)],
  );

type Scanner = [name: string, longest: number, scan: (text: string) => unknown];
const scanners: Scanner[] = [
  ["the PostgreSQL gate", body, postgresqlGate],
  ["the BigQuery gate", body, bigqueryGate],
  ["the calls of a BigQuery statement", body, (text) => rejectCalls(text)],
  ["a service account key", body, serviceAccountIn],
  ["the ClickHouse gate", body, clickhouseGate],
  ["the Snowflake gate", body, snowflakeGate],
  ["the calls of a Snowflake statement", body, (text) => new SnowflakeFunctionRules().requireSafe(text)],
  ["the calls of a ClickHouse statement", body, (text) => new ClickHouseFunctionRules().inquiryOn(text)],
  ["the calls of a PostgreSQL statement", body, callsOf],
  ["the functions of a PostgreSQL statement", body, (text) => new FunctionRules().inquiryOn(text)],
  ["the MySQL gate", body, mysqlGate],
  [
    "the functions of a MySQL statement",
    body,
    (text) => rejectOtherFunctions(text, { allowed: ["a", "shop.b"], defaultSchema: "shop" }),
  ],
  ["the Trino gate", body, trinoGate],
  ["the calls of a Trino statement", body, (text) => new TrinoFunctionRules().requireSafe(text)],
  ["a Trino statement with its values", body, (sql) => sentAs({ sql, parameters: [1] })],
  ["the SQL Server gate", body, (text) => sqlserverGate(text)],
  ["hidden writes", body, (text) => hiddenWrite(text, dialects.postgresql)],
  ...forEachDialect("the parts of SQL", partsOf),
  ...forEachDialect("placeholders", (text, dialect) => bindParameters(text, {}, dialect)),
  ...forEachDialect("results of steps", (text, dialect) => [
    resultsReadBy(text, dialect),
    withTablesFor(text, dialect, (number) => `t${number}`),
  ]),
  ...forEachDialect("tables in SQL", (text, dialect) =>
    namesTable(text, dialect, { schemaName: "s", tableName: "t" }),
  ),
  ["parameters of steps", body, (sql) => parametersOf([{ sql }])],
  [
    "placeholders of requests",
    body,
    (text) => bindRequest({ method: "POST", path: text, query: { q: text }, body: { text } }, {}),
  ],
  ["paths of requests", body, pathFault],
  ["imported contracts", body, importedContract],
  ["a check that the planner wrote", body, (text) => checkIn(`-- Volume of "${text}`)],
  ["figures of a check that the planner wrote", body, (text) => checkIn(`-- Volume of "a"."b": ${text}`)],
  ["searches", body, typedWords],
  ["cron expressions", 10_000, cronProblem],
  ["notifications", body, notification],
  ["cells of CSV", body, csvCell],
  ["documentation", body, (text) => plain(text)],
  ["masking", 4_000, (text) => maskRows({ columns: [{ name: "note" }], rows: [[text]] })],
  ["shapes of texts", 4_000, (text) => shapeOf(Array.from({ length: 20 }, () => text))],
  ["pasted addresses", body, databaseAddress],
  ["pasted headers", 100_000, headersIn],
];

function importedContract(query: string) {
  const document = odcsDocument.parse({
    apiVersion: "v3.1.0",
    kind: "DataContract",
    id: "shop",
    name: "Shop",
    version: "1.0.0",
    status: "active",
    schema: [
      { name: "orders", quality: [{ type: "sql", query, mustBe: 0, description: query, name: query }] },
    ],
  });
  return contractsOf(document, {
    dataSourceId: 1,
    dialect: dialects.postgresql,
    defaultSchema: "public",
    recipients: [],
    dataSources: [],
  });
}

function notification(text: string) {
  const content = storableContent({
    title: text,
    tone: "Info",
    summary: text,
    facts: [{ label: text, value: text }],
  });
  const around = { recipientName: text, attachmentName: null };
  return [emailHtml(content, around), emailText(content, around)];
}

/** The repeated unit, with a start and an end; most never finish what they start. */
const units = [
  ..." \t\n.,;:-+*/\\|&%#@!?$=<>~^_(){}[]'\"`a0é\u00a0\u2028",
  ..."-- |--\n|/*|*/|/**/|/*!|''|\"\"|``|\\'|\\\"|]]|$$|$a$|$a |a.a.|a,|a b |'a' |\"a\".|1.|.1|::a".split(
    "|",
  ),
  ..."{{|{{a|{{a}}|{{ }}|@@|@@result1 |<!--|[a](|![|**|~~|# |\r\n|\ud83d\ude00|a@|a@a.|https://".split("|"),
  ..."select |with a as (|insert |for |for update |into |leave |and |every |(update |(update a.|(update a as ".split(
    "|",
  ),
  ..."x' |e'\\|E'\\'|u&\"|N'|a(|a()|a (|.a(| as a(|not ".split("|"),
];
const beginnings = [
  "select ",
  "select '",
  'select "',
  "select [",
  "select `",
  "select /*",
  "select $a$",
  "select e'",
];

const texts: Text[] = [
  ...units.map((unit) => ({ begin: "", unit, end: "x" })),
  ...[" ", "a", "\\", "'", '"', "''", '""', "``", "]]", "\\'", '\\"', "/*", "$a"].flatMap((unit) =>
    beginnings.map((begin) => ({ begin, unit, end: "\\" })),
  ),
  // Everything at once, and texts that used to take seconds.
  { begin: "select ", unit: "'/*'\"--\n$a$[]`;(", end: "" },
  { begin: "select (update a insert", unit: " ", end: "x" },
  { begin: "select for no key", unit: "\n", end: "x" },
  { begin: "select a", unit: " ", end: ".b" },
];
type Text = { begin: string; unit: string; end: string };

const ofLength = ({ begin, unit, end }: Text, length: number) =>
  begin + unit.repeat(Math.ceil(length / unit.length)) + end;
const nameOf = ({ begin, unit, end }: Text) => JSON.stringify(`${begin}${unit}${unit}…${end}`);

/** In milliseconds of CPU time, so that the machine's other work does not count; the better of two tries. */
function timeOf(scan: (text: string) => unknown, text: string, quick: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 2 && best > quick; tries++) {
    const before = process.cpuUsage();
    try {
      scan(text);
    } catch {
      // A rejection is fine; only the time counts.
    }
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

test.each(scanners)("%s: time grows linearly with the text", { timeout: 300_000 }, (_, longest, scan) => {
  // Short texts first, so that quadratic time is detected before it takes minutes.
  const slowest = texts
    .map((text) => ({ text, time: timeOf(scan, ofLength(text, Math.min(longest, 5_000)), 20) }))
    .sort((a, b) => b.time - a.time)
    .slice(0, 2);
  for (const { text, time } of slowest) expect(time, nameOf(text)).toBeLessThan(400);
  for (const { text } of slowest) {
    const quarter = timeOf(scan, ofLength(text, longest / 4), 25);
    const half = timeOf(scan, ofLength(text, longest / 2), 50);
    expect(half, `${nameOf(text)}: ${quarter} ms for half as much`).toBeLessThan(3 * quarter + 150);
  }
  if (longest < body) return;
  const third = (unit: string) => unit.repeat(wholeBody / 3 / unit.length);
  expect(timeOf(scan, `select a${third(" ")}${third("(")}${third("/*")}`, 1000)).toBeLessThan(8000);
});
