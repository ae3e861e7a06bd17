/** Function names as typed: separated by lines, commas, or spaces. */
export const functionsIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((name) => name !== ""),
  ),
];

/** Whether each is a valid function name, optionally qualified by a schema. */
export const areFunctionNames = (text: string): boolean =>
  functionsIn(text).every((name) => /^[^.;()"'`[\]]+(\.[^.;()"'`[\]]+)?$/.test(name));
