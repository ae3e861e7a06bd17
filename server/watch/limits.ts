/** How often a watched data source is looked at. */
export const lookMinutes = 15;
/** Columns of a wider table are profiled up to here. */
export const maxColumns = 60;
/** How long looks and profiles are kept, for what they cost. */
export const runDays = 30;
/** Intervals and hours are kept one by one for so long, and then one a day. */
export const detailDays = 62;
/** How long the history of tables is kept. */
export const historyDays = 400;
