import { open, stat, type FileHandle } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const TAIL_BYTES = 1_048_576;
const POLL_MS = 300;

export type ShowLog = {
  readonly path: string;
  readonly lines: number;
  readonly follow: boolean;
  readonly print: (line: string) => void;
};

/** The end of a log file, and with `follow` what is added. Returns false if there is no such file. */
export async function showLog({ path, lines, follow, print }: ShowLog): Promise<boolean> {
  const size = await sizeOf(path);
  if (size === undefined) return false;
  const from = Math.max(0, size - TAIL_BYTES);
  const text = await readFrom(path, from, size);
  const found = text.split("\n").filter(Boolean);
  for (const line of found.slice(-lines)) print(line);
  if (follow) await printAdded(path, size, print);
  return true;
}

async function printAdded(path: string, from: number, print: ShowLog["print"]): Promise<never> {
  let offset = from;
  let rest = "";
  for (;;) {
    await sleep(POLL_MS);
    const now = (await sizeOf(path)) ?? 0;
    // The file was rotated.
    if (now < offset) offset = 0;
    if (now === offset) continue;
    const added = rest + (await readFrom(path, offset, now));
    offset = now;
    const whole = added.split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) print(line);
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

async function readFrom(path: string, from: number, to: number): Promise<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { buffer, bytesRead } = await file.read({
      buffer: Buffer.alloc(to - from),
      position: from,
    });
    return buffer.subarray(0, bytesRead).toString();
  } finally {
    await file?.close();
  }
}
