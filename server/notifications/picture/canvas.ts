/** A color, as red, green, and blue from 0 to 255. */
export type Color = readonly [number, number, number];
export type Point = readonly [number, number];

/** Left, top, right, and bottom, the latter two not included. */
type Box = readonly [number, number, number, number];

/** Lines, areas, and dots with smooth edges, on a white ground: all that a small chart needs. */
export class Canvas {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height * 3).fill(255);
  }

  area([left, top]: Point, [right, bottom]: Point, color: Color): void {
    const box = this.#within(Math.round(left), Math.round(top), Math.round(right), Math.round(bottom));
    for (let y = box[1]; y < box[3]; y += 1)
      for (let x = box[0]; x < box[2]; x += 1) this.#blend(x, y, 1, color);
  }

  dot(center: Point, radius: number, color: Color): void {
    this.line([center, center], radius * 2, color);
  }

  /** A line through all points, with round ends and corners. */
  line(points: readonly Point[], width: number, color: Color): void {
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const reach = width / 2 + 1;
    const [left, top, right, bottom] = this.#around(
      [Math.min(...xs), Math.min(...ys)],
      [Math.max(...xs), Math.max(...ys)],
      reach,
    );
    // How much of each pixel is covered: where segments meet, the most that one of them covers.
    const covered = new Float32Array(Math.max(0, right - left) * Math.max(0, bottom - top));
    for (let at = 1; at < points.length; at += 1) {
      const [from, to] = [points[at - 1] as Point, points[at] as Point];
      const box = this.#around(
        [Math.min(from[0], to[0]), Math.min(from[1], to[1])],
        [Math.max(from[0], to[0]), Math.max(from[1], to[1])],
        reach,
      );
      for (let y = box[1]; y < box[3]; y += 1)
        for (let x = box[0]; x < box[2]; x += 1) {
          const share = width / 2 + 0.5 - distance(x + 0.5, y + 0.5, from, to);
          const place = (y - top) * (right - left) + x - left;
          if (share > (covered[place] ?? 0)) covered[place] = Math.min(1, share);
        }
    }
    for (let y = top; y < bottom; y += 1)
      for (let x = left; x < right; x += 1) {
        const share = covered[(y - top) * (right - left) + x - left] ?? 0;
        if (share > 0) this.#blend(x, y, share, color);
      }
  }

  #around([left, top]: Point, [right, bottom]: Point, reach: number): Box {
    return this.#within(
      Math.floor(left - reach),
      Math.floor(top - reach),
      Math.ceil(right + reach),
      Math.ceil(bottom + reach),
    );
  }

  #within(left: number, top: number, right: number, bottom: number): Box {
    return [Math.max(0, left), Math.max(0, top), Math.min(this.width, right), Math.min(this.height, bottom)];
  }

  #blend(x: number, y: number, share: number, color: Color): void {
    const at = (y * this.width + x) * 3;
    for (let channel = 0; channel < 3; channel += 1) {
      const from = this.pixels[at + channel] ?? 255;
      this.pixels[at + channel] = Math.round(from + ((color[channel] ?? 0) - from) * share);
    }
  }
}

/** From a point to the nearest one of a segment. */
function distance(x: number, y: number, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}
