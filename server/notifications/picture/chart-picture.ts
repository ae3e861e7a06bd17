import { figure } from "../../text.ts";
import type { NotificationChart } from "../content.ts";
import { Canvas, type Color, type Point } from "./canvas.ts";
import { drawFigure, shortFigure } from "./figures.ts";
import { pngOf } from "./png.ts";

/** Twice as large as shown, for screens with fine pixels. */
export const shownSize = { width: 560, height: 150 };
const [width, height] = [shownSize.width * 2, shownSize.height * 2];
const edge = { left: 24, right: 150, top: 36, bottom: 36 };
const textSize = 22;

const ink: Color = [55, 60, 70];
const faint: Color = [205, 209, 216];
const blue: Color = [53, 103, 201];
const pale: Color = [226, 236, 250];
const amber: Color = [185, 122, 0];
const red: Color = [214, 69, 69];

/** The judged number of the latest runs with what was expected of it, as a PNG. The last one is marked with its value. */
export function chartPicture({ values, from, to, limit, usual }: NotificationChart): Buffer {
  const canvas = new Canvas(width, height);
  const known = values.flatMap((value) => value ?? []);
  const expected = [...(limit ? [limit.value] : []), ...(usual ? [usual.low, usual.high] : [])];
  const low = from ?? Math.min(0, ...known, ...expected);
  const high = to ?? Math.max(...known, ...expected);
  const span = high - low || 1;
  const right = width - edge.right;
  const x = (place: number) =>
    values.length < 2 ? right : edge.left + ((right - edge.left) * place) / (values.length - 1);
  const y = (value: number) => {
    const share = (Math.min(high, Math.max(low, value)) - low) / span;
    return height - edge.bottom - (height - edge.top - edge.bottom) * share;
  };

  if (usual) canvas.area([edge.left, y(usual.high)], [right, y(usual.low)], pale);
  canvas.line(
    [
      [edge.left, y(low)],
      [right, y(low)],
    ],
    2,
    faint,
  );
  // A limit where the scale begins is seen without a line.
  const hasLine = limit !== undefined && limit.value > low;
  if (hasLine)
    for (let at = edge.left; at < right; at += 20)
      canvas.line(
        [
          [at, y(limit.value)],
          [Math.min(at + 10, right), y(limit.value)],
        ],
        2,
        amber,
      );
  for (const stretch of stretches(values)) {
    const points = stretch.map(({ place, value }): Point => [x(place), y(value)]);
    canvas.line(points.length === 1 ? [...points, ...points] : points, 4, blue);
  }

  const last = values.at(-1);
  if (last === null || last === undefined) return pngOf(canvas);
  const isOut = isOutside(last, { limit, usual });
  const [lastX, lastY] = [x(values.length - 1), y(last)];
  canvas.dot([lastX, lastY], 8, isOut ? red : blue);
  drawFigure(canvas, shortFigure(last), [lastX + 20, lastY], textSize, isOut ? red : ink);
  // Beside the line, unless the last value is written there.
  if (hasLine && Math.abs(y(limit.value) - lastY) > textSize * 1.4)
    drawFigure(canvas, shortFigure(limit.value), [right + 20, y(limit.value)], textSize, amber);
  return pngOf(canvas);
}

/** Runs without a number are gaps. */
function stretches(values: NotificationChart["values"]): { place: number; value: number }[][] {
  const all: { place: number; value: number }[][] = [];
  values.forEach((value, place) => {
    if (value === null) return;
    const open = all.at(-1);
    if (open?.at(-1)?.place === place - 1) open.push({ place, value });
    else all.push([{ place, value }]);
  });
  return all;
}

function isOutside(value: number, { limit, usual }: Pick<NotificationChart, "limit" | "usual">): boolean {
  if (usual && (value < usual.low || value > usual.high)) return true;
  if (!limit) return false;
  return limit.is === "AtLeast" ? value < limit.value : value > limit.value;
}

/** The same in words: "Score of the last 30 evaluations: 64.29 to 100, now 64.29. At least 80 is expected." */
export function chartWords({ name, values, limit, usual }: NotificationChart): string {
  const known = values.flatMap((value) => value ?? []);
  const last = values.at(-1);
  const range =
    known.length === 0 ? "none" : `${figure(Math.min(...known))} to ${figure(Math.max(...known))}`;
  return [
    `${name}: ${range}, ${last === null || last === undefined ? "none at last" : `now ${figure(last)}`}.`,
    usual && `Usual: ${figure(usual.low)} to ${figure(usual.high)}.`,
    limit && `${limit.is === "AtLeast" ? "At least" : "At most"} ${figure(limit.value)} is expected.`,
  ]
    .filter(Boolean)
    .join(" ");
}
