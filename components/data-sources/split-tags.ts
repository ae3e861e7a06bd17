/** Tags as typed, separated by commas. */
export const splitTags = (text: string): string[] => [
  ...new Set(text.split(",").flatMap((tag) => tag.trim().toLowerCase() || [])),
];
