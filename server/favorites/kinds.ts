/** What can be a favorite. A table is named by its data source's id, its schema, and its name. Pages load this file without Zod. */
export const favoriteKinds = ["Query", "Subscription", "Contract", "Actor", "DataSource", "Table"] as const;
export type FavoriteKind = (typeof favoriteKinds)[number];
