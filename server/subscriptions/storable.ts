/** Text from a data source, short enough to show and without characters that PostgreSQL cannot store. */
export const storable = (text: string): string => text.replaceAll("\u0000", "").toWellFormed().slice(0, 2000);
