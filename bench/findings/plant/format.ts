import { Random } from "../../../faults/random.ts";
import { isContainerNumber, isEan13, isIban } from "../corpora/codes.ts";
import {
  type CleanColumn,
  change,
  isNumeric,
  isOfMoments,
  isOfWords,
  isProse,
  type Place,
  type Planter,
  shapeOf,
} from "./place.ts";

/** Values that are not written as the others are. */
export const plantFormat: Planter = ({ cells }) =>
  cells
    .filter(
      ({ isDeclared, kind, observed }) => !isDeclared && kind === "text" && observed.values.length >= 10,
    )
    .flatMap((column) =>
      isOfMoments(column) ? dates(column) : [...checks(column), ...addresses(column), ...shapes(column)],
    );

const dates = (column: CleanColumn): Place[] => [
  {
    columns: [column.name],
    how: "day first",
    apply: change(column, (value) => value.replace(/^(\d{4})-(\d\d)-(\d\d)/, "$3.$2.$1")),
  },
  {
    columns: [column.name],
    how: "month first",
    apply: change(column, (value) => value.replace(/^(\d{4})-(\d\d)-(\d\d)/, "$2/$3/$1")),
  },
];

function checks(column: CleanColumn): Place[] {
  const passes = [isIban, isEan13, isContainerNumber].find((check) => column.observed.values.every(check));
  if (!passes) return [];
  const known = new Set(column.observed.values);
  const slip = (value: string, random: Random) => {
    const at = random.between(5, value.length - 1);
    const other = `${value.slice(0, at)}${value.charAt(at).replace(/\d/, (digit) => String((Number(digit) + random.between(1, 9)) % 10))}${value.slice(at + 1)}`;
    return passes(other) || known.has(other) ? undefined : other;
  };
  return [{ columns: [column.name], how: "the check digit fails", apply: change(column, slip) }];
}

function addresses(column: CleanColumn): Place[] {
  const { values } = column.observed;
  const ways: [string, (value: string) => string][] = [];
  if (values.every((value) => /^\S+@\S+\.\S+$/.test(value)))
    ways.push(
      ["no @", (value) => value.replace("@", "")],
      ["no domain", (value) => value.replace(/@.*/, "@")],
      ["a space in it", (value) => value.replace("@", " @")],
    );
  if (values.every((value) => /^https?:\/\//.test(value)))
    ways.push(["no scheme", (value) => value.replace(/^https?:\/\//, "")]);
  return ways.map(([how, to]) => ({ columns: [column.name], how, apply: change(column, to) }));
}

/** A few shapes that nearly all have, with digits in them: codes, phones, ZIPs. */
function shapes(column: CleanColumn): Place[] {
  const { values } = column.observed;
  const known = new Set(values.map(shapeOf));
  const isCode =
    values.every((value) => /\d/.test(value)) && known.size <= 12 && values.length >= known.size * 8;
  if (!(isCode && (isOfWords(column) || isNumeric(column))) || isProse(column)) return [];
  // Short numbers that happen to have one length are no codes.
  const isOfOneLength =
    new Set(values.map((value) => value.length)).size === 1 && (values[0]?.length ?? 0) >= 3;
  const ways: [string, (value: string, random: Random) => string][] = [
    ["a letter for a digit", (value, random) => value.replace(/\d(?=\D*$)/, random.pick(["O", "l", "x"]))],
    ["a separator lost", (value) => value.replace(/[-. /](?!.*[-. /])/, "")],
    ["another separator", (value) => value.replace(/[-. /](?!.*[-. /])/, "_")],
    ...(isOfOneLength
      ? ([
          ["a character lost", (value) => value.slice(0, -1)],
          ["a character more", (value, random) => `${value}${random.between(0, 9)}`],
        ] as [string, (value: string, random: Random) => string][])
      : []),
  ];
  // In a column of numbers a letter is the other kind of fault.
  return ways
    .filter(([how]) => !isNumeric(column) || (isOfOneLength && how.startsWith("a character")))
    .filter(([, to]) => values.slice(0, 20).every((value) => to(value, new Random(1)) !== value))
    .map(([how, to]) => ({
      columns: [column.name],
      how,
      apply: change(column, (value, random) => {
        const other = to(value, random);
        return known.has(shapeOf(other)) ? undefined : other;
      }),
    }));
}
