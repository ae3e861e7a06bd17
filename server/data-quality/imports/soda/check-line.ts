import { unquoted } from "../destination.ts";
import { type Limit, limitBetween, limitBy } from "../limit.ts";
import { NotCarriedOver } from "./check.ts";
import type { ReferenceSettings } from "./rules-of.ts";

/** The first line of one of SodaCL's checks: `invalid_percent(city) <= 2%`. */
export type CheckLine = {
  metric: string;
  columns: string[];
  limit: Limit | null;
  /** What the line says besides. */
  settings: Record<string, unknown>;
  /** Without the limit: by this it is recognized again. */
  subject: string;
};

const number = String.raw`([+-]?(?:\d+\.?\d*|\.\d+))\s*%?`;
const age = String.raw`((?:\d+(?:\.\d+)?\s*[dhms]\s*)+)`;
const comparison = new RegExp(`^(<=|>=|!=|<>|==?|<|>)\\s*(?:${number}|${age})$`);
const between = new RegExp(`^(not\\s+)?between\\s+(?:${number}|${age})\\s+and\\s+(?:${number}|${age})$`, "i");
const isUnsupported =
  /^(change (?!_)|distribution_difference|group evolution|reconciliation|automated monitoring)\b/;
const anomaly = /^anomaly (?:detection|score) for (\w+)\s*(?:\(([^()]*)\))?\s*(?:<\s*[\w.]+)?$/;

/** Throws NotCarriedOver. */
export function readLine(text: string): CheckLine {
  const line = text.replace(/\s+/g, " ").trim().replace(/:$/, "");
  if (isUnsupported.test(line) || /\bchange\b.* for /.test(line))
    throw new NotCarriedOver("Compares with earlier scans or with distributions, which no kind of rule does");
  const unusual = anomaly.exec(line);
  if (unusual) {
    const columns = unusual[2] === undefined ? [] : [unquoted(unusual[2])];
    return { ...bare("anomaly detection"), columns, settings: { of: unusual[1] }, subject: line };
  }
  if (line.startsWith("anomaly ")) throw new NotCarriedOver("Is not written as Soda writes a check");
  if (line === "schema") return { ...bare("schema"), subject: line };
  if (line === "failed rows") return { ...bare("failed rows"), subject: line };
  const same = /^row_count same as (.{1,300})$/.exec(line);
  if (same) {
    const [table = ""] = (same[1] ?? "").split(/ in (?=\S+$)/);
    if (/ in \S+$/.test(same[1] ?? ""))
      throw new NotCarriedOver("Compares with a table of another data source");
    return { ...bare("row_count same as"), settings: { table }, subject: line };
  }
  if (line.startsWith("values in ")) return readReference(line);
  const using = /^freshness using ("?[\w.]+"?)(?: with \S+)?(?: (.*))?$/.exec(line);
  if (using) return measured("freshness", [unquoted(using[1] ?? "")], using[2] ?? "");
  const [, metric = "", inside, rest = ""] = /^([\w.-]+)\s*(?:\(([^()]*)\))?\s*(.*)$/.exec(line) ?? [];
  const columns = inside === undefined ? [] : inside.split(",").map((each) => unquoted(each));
  if (metric === "") throw new NotCarriedOver("Is not written as Soda writes a check");
  return measured(metric, columns, rest);
}

const bare = (metric: string) => ({ metric, columns: [], limit: null, settings: {} });

function measured(metric: string, columns: string[], rest: string): CheckLine {
  const subject = columns.length === 0 ? metric : `${metric}(${columns.join(", ")})`;
  return { metric, columns, limit: rest === "" ? null : readLimit(rest), settings: {}, subject };
}

function readReference(line: string): CheckLine {
  const found =
    /^values in \(?([^()]{1,500}?)\)? must( not)? exist in ([^()\s]{1,300}) \(?([^()]{1,500}?)\)?$/.exec(
      line,
    );
  if (!found) throw new NotCarriedOver("Is not written as Soda writes a reference check");
  const [, columns = "", not, table = "", fields = ""] = found;
  const listed = (text: string) => text.split(",").map((each) => unquoted(each));
  const settings: ReferenceSettings = { table, columns: listed(fields), isForbidden: not !== undefined };
  return { metric: "values in", columns: listed(columns), limit: null, settings, subject: line };
}

/** `< 5`, `between 1 and 2%`, `< 3d`; an age is in minutes. Throws NotCarriedOver. */
export function readLimit(text: string): Limit {
  const given = text.replace(/\s+/g, " ").trim();
  const one = comparison.exec(given);
  if (one) {
    const limit = limitBy(one[1] ?? "", one[2] ?? minutesIn(one[3] ?? ""));
    if (limit) return limit;
  }
  const two = between.exec(given);
  if (two) {
    const [, not, a, aAge, b, bAge] = two;
    const [min, max] = [a ?? minutesIn(aAge ?? ""), b ?? minutesIn(bAge ?? "")];
    return limitBetween(min, max, { isOutside: not !== undefined });
  }
  throw new NotCarriedOver(`Its limit cannot be read: ${given.slice(0, 100)}`);
}

const minutesOf: Readonly<Record<string, number>> = { d: 1440, h: 60, m: 1, s: 1 / 60 };

function minutesIn(text: string): string {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/g)];
  const minutes = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * (minutesOf[unit ?? ""] ?? 0),
    0,
  );
  return String(Number(minutes.toFixed(6)));
}
