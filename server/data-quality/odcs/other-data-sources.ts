import type { WrittenRule } from "./check-of.ts";
import type { ReadRule } from "./rule-of.ts";
import type { UnmappedParts } from "./unmapped.ts";

/**
 * The other data source of a rule that compares two: a file names it, since its id differs from one installation to the
 * next.
 */

export type NamedSource = { id: number; name: string };

const [byId, byName] = ["otherDataSourceId", "otherDataSource"] as const;

/** The rule with its other data source by name. One that is not among them is left out by whoever reads the file. */
export function withSourceName(rule: WrittenRule, sources: readonly NamedSource[]): WrittenRule {
  const { [byId]: id, ...configuration } = rule.configuration;
  if (id === undefined) return rule;
  const name = sources.find((source) => source.id === id)?.name ?? `Data source ${id}`;
  return { ...rule, configuration: { ...configuration, [byName]: name } };
}

/** The inverse, in the data source's project; null for a name that it does not have. */
export function withSourceId(
  read: ReadRule,
  sources: readonly NamedSource[],
  unmapped: UnmappedParts,
): ReadRule | null {
  const written = { ...(read.rule.configuration as Record<string, unknown> | undefined) };
  const { [byName]: name, ...configuration } = written;
  if (name === undefined) return read;
  const [source, ...others] = sources.filter((each) => each.name === name);
  const shown = String(name).slice(0, 200);
  if (!source) unmapped.add(read.path, `The project has no data source "${shown}"`);
  if (others.length > 0)
    unmapped.add(read.path, `The project has several data sources "${shown}"; the first is used`);
  if (!source) return null;
  return { ...read, rule: { ...read.rule, configuration: { ...configuration, [byId]: source.id } } };
}
