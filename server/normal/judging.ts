export const directions = ["Both", "Above", "Below"] as const;
export type Direction = (typeof directions)[number];

export type Judging = {
  /** How many spreads away from what is expected a value is still usual. */
  width: number;
  /** On which side a value can be unusual. */
  direction: Direction;
};

/** How many spreads are usual where nobody says otherwise. */
export const standardWidth = 4;
