import type { Canvas, Color, Point } from "./canvas.ts";

/** Figures drawn as lines: a server may have no fonts. Each on a grid 4 wide and 6 high, from the top left. */
const strokes: Record<string, readonly (readonly Point[])[]> = {
  "0": [
    [
      [0, 1],
      [1, 0],
      [3, 0],
      [4, 1],
      [4, 5],
      [3, 6],
      [1, 6],
      [0, 5],
      [0, 1],
    ],
  ],
  "1": [
    [
      [0.5, 1.5],
      [2, 0],
      [2, 6],
    ],
  ],
  "2": [
    [
      [0, 1],
      [1, 0],
      [3, 0],
      [4, 1],
      [4, 2],
      [0, 6],
      [4, 6],
    ],
  ],
  "3": [
    [
      [0, 1],
      [1, 0],
      [3, 0],
      [4, 1],
      [4, 2],
      [3, 3],
      [4, 4],
      [4, 5],
      [3, 6],
      [1, 6],
      [0, 5],
    ],
    [
      [1.5, 3],
      [3, 3],
    ],
  ],
  "4": [
    [
      [3, 6],
      [3, 0],
      [0, 4],
      [4, 4],
    ],
  ],
  "5": [
    [
      [4, 0],
      [0.5, 0],
      [0, 2.5],
      [3, 2.5],
      [4, 3.5],
      [4, 5],
      [3, 6],
      [1, 6],
      [0, 5],
    ],
  ],
  "6": [
    [
      [4, 1],
      [3, 0],
      [1, 0],
      [0, 1],
      [0, 5],
      [1, 6],
      [3, 6],
      [4, 5],
      [4, 3.5],
      [3, 2.5],
      [0, 2.5],
    ],
  ],
  "7": [
    [
      [0, 0],
      [4, 0],
      [1.5, 6],
    ],
  ],
  "8": [
    [
      [1, 3],
      [0, 2],
      [0, 1],
      [1, 0],
      [3, 0],
      [4, 1],
      [4, 2],
      [3, 3],
      [1, 3],
      [0, 4],
      [0, 5],
      [1, 6],
      [3, 6],
      [4, 5],
      [4, 4],
      [3, 3],
    ],
  ],
  "9": [
    [
      [0, 5],
      [1, 6],
      [3, 6],
      [4, 5],
      [4, 1],
      [3, 0],
      [1, 0],
      [0, 1],
      [0, 2.5],
      [1, 3.5],
      [4, 3.5],
    ],
  ],
  ".": [
    [
      [2, 5.8],
      [2, 6],
    ],
  ],
  ",": [
    [
      [2, 5.5],
      [1.4, 7],
    ],
  ],
  "-": [
    [
      [0.5, 3],
      [3.5, 3],
    ],
  ],
  k: [
    [
      [0, 0],
      [0, 6],
    ],
    [
      [3.5, 2],
      [0, 4.3],
    ],
    [
      [1.2, 3.6],
      [3.8, 6],
    ],
  ],
  M: [
    [
      [0, 6],
      [0, 0],
      [2, 3],
      [4, 0],
      [4, 6],
    ],
  ],
};

/** From the left of one sign to that of the next. */
const advanceOf = (sign: string) => (sign === "." || sign === "," ? 4 : 6);

/** `12.5k` with its left edge and middle at a point, `size` high. */
export function drawFigure(
  canvas: Canvas,
  text: string,
  [left, middle]: Point,
  size: number,
  color: Color,
): void {
  const unit = size / 6;
  let start = left;
  for (const sign of text) {
    const shift = advanceOf(sign) === 4 ? -1 : 0;
    for (const stroke of strokes[sign] ?? [])
      canvas.line(
        stroke.map(([x, y]): Point => [start + (x + shift) * unit, middle + (y - 3) * unit]),
        size / 8,
        color,
      );
    start += advanceOf(sign) * unit;
  }
}

/** A number in few signs: 22, 98.25, 12.5k, 3M. */
export function shortFigure(value: number): string {
  const size = Math.abs(value);
  const cut = (divided: number, digits: number) => String(Number(divided.toFixed(digits)));
  if (size >= 1_000_000) return `${cut(value / 1_000_000, 1)}M`;
  if (size >= 10_000) return `${cut(value / 1000, 1)}k`;
  return cut(value, 2);
}
