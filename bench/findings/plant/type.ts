import { change, isNumeric, isOfMoments, type Planter } from "./place.ts";

/** Words in a text column of numbers or dates. */
export const plantType: Planter = ({ cells }) =>
  cells
    .filter(({ kind, isDeclared, observed }) => kind === "text" && !isDeclared && observed.values.length >= 5)
    .flatMap((column) => {
      const wrong = isNumeric(column)
        ? ["ten", "abc", "12 kg", "#REF!", "error", "1.2.3", "approx. 5", "twelve"]
        : isOfMoments(column)
          ? ["next week", "yesterday", "Q3", "Monday", "see mail"]
          : [];
      return wrong.map((word) => ({
        columns: [column.name],
        how: `“${word}”`,
        apply: change(column, () => word),
      }));
    });
