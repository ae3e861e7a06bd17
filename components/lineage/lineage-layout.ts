import type { Lineage, LineageNode } from "@/server/lineage/schema.ts";

/** Where tables stand in the picture: a column for each step, upstream on the left. Pure. */

export const boxSize = { width: 200, height: 44 };
const gap = { x: 64, y: 12 };

export type Placed = { node: LineageNode; x: number; y: number };
export type Drawn = { placed: Placed[]; width: number; height: number };

/** Tables of a step stand next to those that they are connected to, one step nearer; columns are centered on the tallest. */
export function layoutOf({ nodes, edges }: Pick<Lineage, "nodes" | "edges">): Drawn {
  const steps = [...new Set(nodes.map(({ step }) => step))].sort((a, b) => a - b);
  const height = Math.max(
    ...steps.map((step) => heightOf(nodes.filter((node) => node.step === step).length)),
    0,
  );
  const placed = new Map<string, Placed>();
  for (const step of steps.toSorted((a, b) => Math.abs(a) - Math.abs(b))) {
    const own = nodes.filter((node) => node.step === step);
    const ordered = own
      .map((node) => ({
        node,
        at: meanOf(neighborsOf(node, edges).flatMap((key) => placed.get(key)?.y ?? [])),
      }))
      .sort((a, b) => a.at - b.at || a.node.name.localeCompare(b.node.name, "en"));
    const top = (height - heightOf(own.length)) / 2;
    for (const [place, { node }] of ordered.entries())
      placed.set(node.key, {
        node,
        x: steps.indexOf(step) * (boxSize.width + gap.x),
        y: top + place * (boxSize.height + gap.y),
      });
  }
  return {
    placed: nodes.flatMap(({ key }) => placed.get(key) ?? []),
    width: Math.max(0, steps.length * (boxSize.width + gap.x) - gap.x),
    height,
  };
}

const heightOf = (count: number) => Math.max(0, count * (boxSize.height + gap.y) - gap.y);
const meanOf = (values: readonly number[]) =>
  values.length === 0
    ? Number.MAX_SAFE_INTEGER
    : values.reduce((sum, value) => sum + value, 0) / values.length;

export function neighborsOf({ key }: LineageNode, edges: Lineage["edges"]): string[] {
  return edges.flatMap(({ from, to }) => (from === key ? to : to === key ? from : []));
}

/** A curve from the right side of one table to the left side of another; around, if it goes back. */
export function curveOf(from: Placed, to: Placed): string {
  const [x1, y1] = [from.x + boxSize.width, from.y + boxSize.height / 2];
  const [x2, y2] = [to.x, to.y + boxSize.height / 2];
  const bend = x2 > x1 ? (x2 - x1) / 2 : 48;
  return `M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}`;
}

/** The table that an arrow key leads to: the nearest one in that direction; null if there is none. */
export function nextOf(placed: readonly Placed[], key: string, arrow: string): string | null {
  const here = placed.find(({ node }) => node.key === key);
  if (!here) return null;
  const ahead = placed.filter(({ x, y }) => {
    if (arrow === "ArrowLeft") return x < here.x;
    if (arrow === "ArrowRight") return x > here.x;
    if (x !== here.x) return false;
    return arrow === "ArrowUp" ? y < here.y : y > here.y;
  });
  const [nearest] = ahead.sort(
    (a, b) =>
      Math.abs(a.x - here.x) - Math.abs(b.x - here.x) ||
      Math.abs(a.y - here.y) - Math.abs(b.y - here.y) ||
      a.y - b.y,
  );
  return nearest?.node.key ?? null;
}
