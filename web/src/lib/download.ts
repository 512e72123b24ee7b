/** Give the browser a file to keep. */
export function downloadFile(file: File): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  // The browser has begun to read it by then.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
