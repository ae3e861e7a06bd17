/**
 * How long something took, as clocks write it: `58.790`, `1:50.800`, `+4:00:01.150`, or `-0.3` beside the winner's time.
 * What takes a minute more is written with a colon more, and is no other kind of value. Pure.
 */

/** Minutes and seconds have two digits behind a colon, and stay below sixty. */
const duration = /^([+-])?(\d{1,4}(?::[0-5]\d){0,3})([.,]\d{1,6})?$/;

const signs = { values: 500, alike: 0.95 };

type Written = { sign: string; colons: number; decimals: number };

function writtenAs(text: string): Written | null {
  const found = duration.exec(text.trim());
  if (!found) return null;
  const [, sign = "", whole = "", fraction = "."] = found;
  return { sign, colons: whole.split(":").length - 1, decimals: fraction.length - 1 };
}

/**
 * Whether a text is a duration like the usual ones, however long: with as many decimals as nearly all of them have, and a
 * sign if all of them have one. Never where the usual ones are plain whole numbers or where neither they nor the text
 * have a colon: these are numbers. `usual` are the values besides those in doubt.
 */
export function durationsLike(usual: readonly string[]): (text: string) => boolean {
  const step = Math.max(1, Math.floor(usual.length / signs.values));
  const some = usual.filter((_, index) => index % step === 0);
  const written = some.flatMap((text) => writtenAs(text) ?? []);
  const [first] = written;
  if (!first || written.length < some.length * signs.alike) return () => false;
  const decimals = mostFrequent(written.map((each) => each.decimals));
  const haveColons = written.some(({ colons }) => colons > 0);
  const alike = written.filter((each) => each.decimals === decimals && (decimals > 0 || each.colons > 0));
  if (alike.length < written.length * signs.alike) return () => false;
  const isSigned = alike.every(({ sign }) => sign !== "");
  return (text) => {
    const own = writtenAs(text);
    return (
      own !== null &&
      own.decimals === decimals &&
      (own.colons > 0 || (haveColons && decimals > 0)) &&
      (!isSigned || own.sign !== "")
    );
  };
}

function mostFrequent(numbers: readonly number[]): number {
  const [[most = 0] = []] = [...Map.groupBy(numbers, (number) => number)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  return most;
}
