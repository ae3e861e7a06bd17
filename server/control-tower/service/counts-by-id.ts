import type { Counts } from "./counts.ts";

/** Counts by subscription, and in one list, so that going through all of them copies nothing. */
export class CountsById {
  readonly #all: Counts[] = [];
  readonly #places = new Map<number, number>();

  /** In no order. What is set or deleted later changes this list. */
  get all(): readonly Counts[] {
    return this.#all;
  }

  get(id: number): Counts | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#all[place];
  }

  set(counts: Counts): void {
    const place = this.#places.get(counts.id) ?? this.#all.length;
    this.#all[place] = counts;
    this.#places.set(counts.id, place);
  }

  /** The last one takes its place. */
  delete(id: number): void {
    const place = this.#places.get(id);
    const last = this.#all.at(-1);
    if (place === undefined || !last) return;
    this.#all[place] = last;
    this.#places.set(last.id, place);
    this.#all.pop();
    this.#places.delete(id);
  }
}
