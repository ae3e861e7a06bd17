import type { GroupResults } from "./evaluations/schema.ts";

/** A failing group, as known failures name it: `country = PT, city = NULL`. Pure. */
export const groupWords = (
  columns: GroupResults["columns"],
  values: GroupResults["worst"][number]["values"],
): string => columns.map(({ name }, place) => `${name} = ${values[place] ?? "NULL"}`).join(", ");
