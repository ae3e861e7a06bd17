/** The least confidence of what is shown unless somebody asks for more. */
export const shownFrom = 0.7;
