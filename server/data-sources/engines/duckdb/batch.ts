/** DuckDB's vector size; small enough that neither side of a message blocks long on it. */
export const rowsInMessage = 2048;
