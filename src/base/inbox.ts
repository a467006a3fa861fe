import { closeSync, openSync, readSync, watch, type FSWatcher } from "node:fs";
import { dirname } from "node:path";
import { createLineSplitter } from "./lines.ts";
import { fieldsOf, parseJson, textOf } from "./narrow.ts";

/** A watch may miss a change, for example on a network file system. */
const LOOK_EVERY_MS = 500;
const CHUNK_BYTES = 64 * 1024;

/**
 * Reads the messages that the daemon appends to a file, each once and whole, until it is closed. The
 * file need not exist yet.
 */
export function watchInbox(path: string, onMessage: (id: string, text: string) => void) {
  let offset = 0;
  let isClosed = false;
  const lines = createLineSplitter((line) => {
    const message = fieldsOf(parseJson(line));
    const [id, text] = [textOf(message.id), textOf(message.text)];
    if (id !== undefined && text !== undefined && !isClosed) onMessage(id, text);
  });

  function look(): void {
    if (isClosed) return;
    for (const chunk of newBytes(path, offset)) {
      offset += chunk.length;
      lines.push(chunk);
    }
  }

  const timer = setInterval(look, LOOK_EVERY_MS);
  const watcher = watchFolder(dirname(path), look);
  return {
    close(): void {
      isClosed = true;
      clearInterval(timer);
      watcher?.close();
    },
  };
}

function* newBytes(path: string, from: number): Generator<Buffer> {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    // No message has been sent yet.
    return;
  }
  try {
    for (let at = from; ;) {
      const buffer = Buffer.alloc(CHUNK_BYTES);
      const size = readSync(fd, buffer, 0, buffer.length, at);
      if (size === 0) return;
      at += size;
      yield buffer.subarray(0, size);
    }
  } finally {
    closeSync(fd);
  }
}

/** undefined: it cannot be watched, so the timer has to do. */
function watchFolder(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(folder, onChange).on("error", () => undefined);
  } catch {
    return undefined;
  }
}
