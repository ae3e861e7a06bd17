/** Names of functions as people type them: one to a line, or with commas or spaces between. */
export const functionsIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((name) => name !== ""),
  ),
];

/** Whether each could be the name of a function, alone or after its schema. */
export const areFunctionNames = (text: string): boolean =>
  functionsIn(text).every((name) => /^[^.;()"'`[\]]+(\.[^.;()"'`[\]]+)?$/.test(name));
