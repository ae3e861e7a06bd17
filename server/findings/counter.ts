/**
 * Whether texts that have more digits than usual, or fewer, only count on: after `A-999` comes `A-1000`, and that is no
 * fault. Pure.
 */

/** What is known of one run of digits, over the texts that are of a usual shape. */
type Run = { lengths: Set<number>; numbers: Set<number>; least: number; greatest: number; isPadded: boolean };

export type Counters = Map<string, Run[]>;

const runsOf = (text: string) => text.match(/\d+/g) ?? [];

/** By their shape without lengths, from `[shape, text]`. */
export function countersOf(usual: Iterable<readonly [shape: string, text: string]>): Counters {
  const counters: Counters = new Map();
  for (const [shape, text] of usual) {
    const runs = counters.get(shape) ?? [];
    counters.set(shape, runs);
    for (const [position, digits] of runsOf(text).entries()) {
      const number = Number(digits);
      runs[position] ??= {
        lengths: new Set(),
        numbers: new Set(),
        least: number,
        greatest: number,
        isPadded: false,
      };
      const run = runs[position];
      run.lengths.add(digits.length);
      run.numbers.add(number);
      run.least = Math.min(run.least, number);
      run.greatest = Math.max(run.greatest, number);
      if (digits.length > 1 && digits.startsWith("0")) run.isPadded = true;
    }
  }
  return counters;
}

/** Those of the texts that only count on. They count as dense as the usual ones do, or go on right where these end. */
export function countedOn(
  counters: Counters,
  rare: readonly (readonly [shape: string, text: string])[],
): Set<string> {
  const groups = new Map<string, { run: Run; length: number; members: Map<string, number> }>();
  for (const [shape, text] of rare) {
    const runs = counters.get(shape);
    const own = runsOf(text);
    const differing = own.flatMap((digits, position) =>
      runs?.[position]?.lengths.has(digits.length) ? [] : [position],
    );
    const [position = -1, ...more] = differing;
    const run = runs?.[position];
    // What is padded does not count on: after 999999 comes no 0000001.
    if (!run || more.length > 0 || /^0\d/.test(own[position] ?? "")) continue;
    const length = own[position]?.length ?? 0;
    const key = `${shape} ${position} ${length}`;
    const group = groups.get(key) ?? { run, length, members: new Map() };
    group.members.set(text, Number(own[position]));
    groups.set(key, group);
  }
  const found = new Set<string>();
  for (const { run, length, members } of groups.values())
    if (goesOn(run, length, new Set(members.values()))) for (const text of members.keys()) found.add(text);
  return found;
}

function goesOn(run: Run, length: number, numbers: ReadonlySet<number>): boolean {
  const isLonger = length > Math.max(...run.lengths);
  if (!isLonger && run.isPadded) return false;
  // The numbers of this length that a counter had the chance to reach.
  const low = 10 ** (length - 1);
  const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
  const high = isLonger ? greatest : 10 ** length - 1;
  if (!isLonger && least >= high * 0.9 && run.least <= high * 1.5) return true;
  // As many as on the other side of the border, nearly: sizes thin out, and codes of one length do not.
  const mirrored = isLonger ? run.greatest - (greatest - run.greatest) : run.least + (run.least - least);
  let beside = 0;
  for (const number of run.numbers) if (isLonger ? number >= mirrored : number <= mirrored) beside++;
  const usual = run.numbers.size / (run.greatest - run.least + 1);
  return numbers.size >= beside * 0.2 || numbers.size / (high - low + 1) >= usual * 0.2;
}
