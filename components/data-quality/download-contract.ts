/** Saves a text as a file on the reader's machine. */
export function downloadText(text: string, fileName: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  // Once the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** What an exported contract is called as a file: "Orders: daily load" is orders-daily-load.odcs.yaml. */
export function contractFileName(contractName: string): string {
  const words = contractName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  return `${words.replace(/^-+|-+$/g, "").slice(0, 80) || "contract"}.odcs.yaml`;
}
