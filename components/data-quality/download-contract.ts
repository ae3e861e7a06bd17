/** Downloads a text as a file. */
export function downloadText(text: string, fileName: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  // After the browser has started reading it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The file name of an exported contract: "Orders: daily load" becomes orders-daily-load.odcs.yaml. */
export function contractFileName(contractName: string): string {
  const words = contractName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  return `${words.replace(/^-+|-+$/g, "").slice(0, 80) || "contract"}.odcs.yaml`;
}
