/**
 * What the overview's page asks for, besides the project. The histories of many tables would be most of the page, so then
 * each drawn row asks for its own.
 */
export const overviewQuery = { historiesUpTo: 500 };
