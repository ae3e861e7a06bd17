import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { measureProcess, metrics } from "./metrics.ts";

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

const root = join(import.meta.dirname, "../..");
const rules = parse(readFileSync(join(root, "deploy/prometheus/plumbline.yaml"), "utf8")).groups.flatMap(
  (group: { rules: object[] }) => group.rules,
) as { alert: string; expr: string; annotations: Record<string, string> }[];
type Panel = { title: string; targets?: { expr: string; legendFormat: string }[] };
const dashboard = JSON.parse(readFileSync(join(root, "deploy/grafana/plumbline.json"), "utf8")) as {
  panels: Panel[];
};
const targets = dashboard.panels.flatMap((panel) => panel.targets ?? []);

/** The labels of an expression: those that it selects by, and those that it groups by. */
function labelsIn(expr: string): string[] {
  const selected = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, text = ""]) =>
    [...text.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)].map(([, name = ""]) => name),
  );
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(/,\s*/));
  return [...selected, ...grouped];
}
const shownLabels = (text: string) =>
  [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, name = ""]) => name);

/** What Prometheus adds to every series, and what it calls ours of the same name. */
const byPrometheus = ["job", "instance", "le"];

test("the alerts and the dashboard use metrics and labels that /metrics has", () => {
  measureProcess();
  const used = [
    ...rules.map(({ alert, expr, annotations }) => ({
      ...{ where: alert, expr, shown: shownLabels(JSON.stringify(annotations)) },
    })),
    ...dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr, legendFormat }) => ({
        ...{ where: title, expr, shown: shownLabels(legendFormat) },
      })),
    ),
  ];
  expect(used.length).toBeGreaterThan(30);
  for (const { where, expr, shown } of used) {
    const names = [...expr.matchAll(/\b(?:plumbline|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name);
    const isOfPrometheus = expr.startsWith("up{") || expr.startsWith("sum(up{");
    expect(names.length > 0 || isOfPrometheus, where).toBe(true);
    for (const name of names) {
      const metric = metrics.registry.getSingleMetric(name) ?? metrics.registry.getSingleMetric(nameOf(name));
      expect(metric, `${where}: ${name}`).toBeDefined();
      const { labelNames } = metric as unknown as { labelNames: string[] };
      const known = [
        ...byPrometheus,
        ...labelNames.map((label) => (label === "job" ? "exported_job" : label)),
      ];
      expect(known, where).toEqual(expect.arrayContaining([...labelsIn(expr), ...shown]));
    }
  }
});

test("every metric of ours is on the dashboard", () => {
  const shown = targets.map(({ expr }) => expr).join();
  const missing = metrics.registry
    .getMetricsAsArray()
    .map(({ name }) => name)
    .filter((name) => name.startsWith("plumbline_") && !shown.includes(name));
  expect(missing).toEqual([]);
});

test("alerts have names of their own, a severity, and words for whoever is called", () => {
  expect(rules.length).toBeGreaterThan(5);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const rule of rules)
    expect(rule, rule.alert).toMatchObject({
      labels: { severity: expect.stringMatching(/^(critical|warning)$/) },
      annotations: { summary: expect.stringMatching(/Plumbline|data/) },
    });
});
