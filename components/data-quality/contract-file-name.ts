/** The file name of an exported contract: "Orders: daily load" becomes orders-daily-load.odcs.yaml. */
export function contractFileName(contractName: string): string {
  const words = contractName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  return `${words.replace(/^-+|-+$/g, "").slice(0, 80) || "contract"}.odcs.yaml`;
}
