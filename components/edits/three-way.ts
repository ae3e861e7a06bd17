/**
 * A three-way merge of the common base, my version, and theirs. Changes made by one side are applied; different changes
 * to the same value are a conflict that the user decides. Pure.
 */

export type Side = "mine" | "theirs";

/** How conflicts were decided, by path. Undecided ones use mine. */
export type Choices = Readonly<Record<string, Side>>;

export type Sides<Value> = { base: Value; mine: Value; theirs: Value };

/** A changed value; undefined where it doesn't exist. */
export type Difference = Sides<unknown> & {
  path: string;
  changedBy: Side | "both";
  /** Whether only one of the two values can be kept. */
  isConflict: boolean;
};

export type Merged<Value> = { value: Value; differences: Difference[] };

export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [ofA, ofB] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  const keys = new Set([...Object.keys(ofA), ...Object.keys(ofB)]);
  return [...keys].every((key) => isSame(ofA[key], ofB[key]));
}

/** A value that is kept from one side as a whole. */
export function mergeValue<Value>(path: string, sides: Sides<Value>, choices: Choices): Merged<Value> {
  const { base, mine, theirs } = sides;
  if (isSame(mine, theirs)) return { value: mine, differences: [] };
  const difference = (changedBy: Difference["changedBy"], isConflict: boolean): Difference => ({
    ...{ path, changedBy, isConflict },
    ...{ base, mine, theirs },
  });
  if (isSame(base, mine)) return { value: theirs, differences: [difference("theirs", false)] };
  if (isSame(base, theirs)) return { value: mine, differences: [difference("mine", false)] };
  return { value: choices[path] === "theirs" ? theirs : mine, differences: [difference("both", true)] };
}

/** A set: both sides' additions and removals apply, so there are never conflicts. Their order first, then mine. */
export function mergeSet<Member>(path: string, sides: Sides<readonly Member[]>): Merged<Member[]> {
  const { base, mine, theirs } = sides;
  const kept = theirs.filter((each) => mine.includes(each) || !base.includes(each));
  const added = mine.filter((each) => !theirs.includes(each) && !base.includes(each));
  const value = [...kept, ...added];
  const differs = (a: readonly Member[], b: readonly Member[]) =>
    a.length !== b.length || a.some((each) => !b.includes(each));
  if (!differs(mine, theirs)) return { value, differences: [] };
  const changedBy = differs(base, mine) ? (differs(base, theirs) ? "both" : "mine") : "theirs";
  return { value, differences: [{ path, changedBy, isConflict: false, ...sides }] };
}

/** An object's properties, one by one. Properties that only make sense together must be merged as one value. */
export function mergeFields<Fields extends object>(
  pathOf: (name: string) => string,
  { base, mine, theirs }: Sides<Fields>,
  choices: Choices,
): Merged<Fields> {
  const names = [...new Set([base, mine, theirs].flatMap((side) => Object.keys(side)))] as (keyof Fields &
    string)[];
  const merged = names.map((name) => {
    const sides = { base: base[name], mine: mine[name], theirs: theirs[name] };
    return { name, ...mergeValue(pathOf(name), sides, choices) };
  });
  return {
    value: Object.fromEntries(
      merged.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]),
    ) as Fields,
    differences: merged.flatMap(({ differences }) => differences),
  };
}

type Lists<Item> = {
  path: string;
  sides: Sides<readonly Item[]>;
  /** The item's identity; undefined for an unsaved one, which only one side can have. */
  keyOf: (item: Item) => string | undefined;
  mergeItem: (path: string, sides: Sides<Item>) => Merged<Item>;
};

/**
 * A list of keyed items. An item on both sides is merged; an item on one side was added there or removed on the other.
 * Removed on one side and changed on the other is a conflict.
 */
export function mergeKeyed<Item>(
  { path, sides, keyOf, mergeItem }: Lists<Item>,
  choices: Choices,
): Merged<Item[]> {
  const keyed = (items: readonly Item[], prefix: string) =>
    new Map(items.map((item, index) => [keyOf(item) ?? `${prefix}${index}`, item]));
  const base = keyed(sides.base, "base-");
  const mine = keyed(sides.mine, "new-");
  const theirs = keyed(sides.theirs, "theirs-");
  const order = mergedOrder(path, {
    base: [...base.keys()],
    mine: [...mine.keys()],
    theirs: [...theirs.keys()],
  });
  const merged = order.value.map((key): Merged<Item | undefined> => {
    const each = { base: base.get(key), mine: mine.get(key), theirs: theirs.get(key) };
    const at = `${path}.${key}`;
    return each.base !== undefined && each.mine !== undefined && each.theirs !== undefined
      ? mergeItem(at, each as Sides<Item>)
      : mergeValue(at, each, choices);
  });
  return {
    value: merged.flatMap(({ value }) => (value === undefined ? [] : [value])),
    differences: [...order.differences, ...merged.flatMap(({ differences }) => differences)],
  };
}

/**
 * The keys of both sides, in my order if I changed it, otherwise in theirs. The other side's additional keys follow
 * the key they follow on that side.
 */
function mergedOrder(path: string, sides: Sides<readonly string[]>): Merged<string[]> {
  const { base, mine, theirs } = sides;
  const common = (keys: readonly string[], others: readonly string[]) =>
    keys.filter((key) => others.includes(key));
  const isMoved = (side: readonly string[]) => !isSame(common(side, base), common(base, side));
  const [first, second] = isMoved(mine) ? [mine, theirs] : [theirs, mine];
  const value = [...first];
  second.forEach((key, index) => {
    if (value.includes(key)) return;
    const before = second.slice(0, index).findLast((each) => value.includes(each));
    value.splice(before === undefined ? 0 : value.indexOf(before) + 1, 0, key);
  });
  const isAlike = isSame(common(mine, theirs), common(theirs, mine));
  const changedBy = isMoved(mine) ? (isMoved(theirs) ? "both" : "mine") : "theirs";
  return {
    value,
    differences: isAlike ? [] : [{ path, changedBy, isConflict: false, ...sides }],
  };
}
