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
