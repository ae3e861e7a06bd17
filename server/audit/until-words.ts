/** An object that something lasts for, with the minute when that ends: `Late orders, until 2030-01-31 12:00 UTC`. */
export const untilWords = (thing: string, until: string | null): string =>
  until === null ? thing : `${thing}, until ${until.slice(0, 16).replace("T", " ")} UTC`;
