/** Downloads a file made of `parts`. */
export function saveFile(name: string, type: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Free the blob once the download has started.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** `history-2026-11-15-1432.csv` */
export function fileName(what: string, extension: string): string {
  const now = new Date();
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `${what}-${day}-${two(now.getHours())}${two(now.getMinutes())}.${extension}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
