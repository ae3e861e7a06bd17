/** What the tour shows of the demo, by the names that the demo gives. */
export const demoSourceName = "Demo warehouse";
export const demoContractName = "Airports: reference data";
