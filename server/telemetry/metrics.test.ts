import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { metrics } from "./metrics.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/operating.md"), "utf8");

/** The name of a metric: a histogram is queried by its parts. */
const nameOf = (used: string) => used.replace(/_(bucket|sum|count)$/, "");

test("docs/operating.md lists each metric with its labels, and no others", async () => {
  const own = await metrics.registry.getMetricsAsJSON();
  const rows = [...page.matchAll(/^\| `(plumbline_[a-z_]+)`(?: \*all\*)? \| (.*?) \|/gm)];
  expect(rows.map(([, name]) => name).toSorted()).toEqual(own.map(({ name }) => name).toSorted());
  for (const [, name = "", labels = ""] of rows) {
    const metric = metrics.registry.getSingleMetric(name) as unknown as { labelNames: string[] };
    expect(
      [...labels.matchAll(/`([a-z]+)`/g)].map(([, label]) => label),
      name,
    ).toEqual(metric.labelNames);
  }
});

test("its alerting rules are valid YAML, and only use existing metrics", () => {
  const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => parse(text));
  const rules = blocks.flatMap((block) => block.groups?.[0].rules ?? []) as { alert: string; expr: string }[];
  expect(rules.length).toBeGreaterThan(5);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  const used = rules.flatMap(({ expr }) => [...expr.matchAll(/\bplumbline_[a-z_]+/g)].map(([name]) => name));
  expect(used.filter((name) => !metrics.registry.getSingleMetric(nameOf(name)))).toEqual([]);
});
