/** What a number is, which decides on what scale two of them are compared. */
export const numberKinds = ["Count", "Share", "Duration", "Number"] as const;
export type NumberKind = (typeof numberKinds)[number];

type Scale = {
  /** A strictly increasing function; values outside the kind's range are taken as its end. */
  to: (value: number) => number;
  from: (scaled: number) => number;
  /** The least spread around a value, on the scale: what is noise however steady the series has been. */
  floor: (scaled: number) => number;
};

/** The smallest share told apart from none. */
const epsilon = 0.0005;

/**
 * Counts and durations grow and fall by factors, shares near 0 and 1 too; plain numbers by amounts. A count has at
 * least the spread of independent arrivals, so that 8 rows instead of the usual 7 are nothing.
 */
export const scales: Record<NumberKind, Scale> = {
  Count: {
    to: (value) => Math.log1p(Math.max(0, value)),
    from: (scaled) => Math.max(0, Math.expm1(scaled)),
    floor: (scaled) => Math.max(0.0001, Math.exp(-Math.max(0, scaled) / 2)),
  },
  Share: {
    to: (value) => {
      const share = Math.min(1, Math.max(0, value));
      return Math.log((share + epsilon) / (1 - share + epsilon));
    },
    from: (scaled) => {
      const odds = Math.exp(scaled);
      return Math.min(1, Math.max(0, (odds * (1 + epsilon) - epsilon) / (1 + odds)));
    },
    floor: () => 0.15,
  },
  Duration: {
    to: (value) => Math.log1p(Math.max(0, value)),
    from: (scaled) => Math.max(0, Math.expm1(scaled)),
    floor: () => 0.02,
  },
  Number: {
    to: (value) => value,
    from: (scaled) => scaled,
    floor: (scaled) => Math.max(1e-9, Math.abs(scaled) * 1e-6),
  },
};
