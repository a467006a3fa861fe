import { setTimeout as sleep } from "node:timers/promises";
import { getAgent, getTranscript } from "../../../contract/routes/agents.ts";
import { createStreamReader } from "../../../contract/transcript/read-stream.ts";
import { findingAgent } from "./agent-commands.ts";
import { FLEET_TEXTS } from "./fleet-texts.ts";
import type { Face } from "./session.ts";
import { entryLines } from "./transcript-lines.ts";

export type ShowTranscript = {
  readonly id: string;
  readonly follow: boolean;
  readonly lines: number;
  /** The output of the CLI as it is. */
  readonly raw: boolean;
};

const PAGE_BYTES = 1_048_576;
/** Only the end of a longer transcript is read. */
const TAIL_BYTES = 8 * PAGE_BYTES;
const POLL_MS = 500;

/** `kuromajutsu logs AGENT` */
export async function showTranscript(face: Face, input: ShowTranscript): Promise<number> {
  const { api, console } = face;
  const texts = FLEET_TEXTS[face.texts.locale];
  const read = (offset: number) =>
    findingAgent(face, input.id, () =>
      api.call(getTranscript, {
        params: { id: input.id },
        query: { offset, maxBytes: PAGE_BYTES },
      }),
    );
  const { size } = await read(0);
  const print = createPrinter(face, input);
  let offset = Math.max(0, size - TAIL_BYTES);
  for (let isFirst = true; ; isFirst = false) {
    const isOver = await hasEnded(face, input.id);
    const page = await readOn(read, offset);
    offset = page.offset;
    print(page.lines, isFirst ? input.lines : Infinity, isOver || !input.follow);
    if (isFirst && size === 0 && !input.follow) console.print(texts.noTranscript);
    if (!input.follow) return 0;
    if (isOver) {
      console.print(console.style.dim(texts.ended));
      return 0;
    }
    await sleep(POLL_MS);
  }
}

type Read = (
  offset: number,
) => Promise<{ readonly lines: readonly string[]; readonly nextOffset: number }>;

async function readOn(read: Read, from: number) {
  const lines: string[] = [];
  let offset = from;
  for (;;) {
    const page = await read(offset);
    lines.push(...page.lines);
    if (page.nextOffset === offset) return { lines, offset };
    offset = page.nextOffset;
  }
}

async function hasEnded({ api }: Face, id: string): Promise<boolean> {
  const { endedAt } = await api.call(getAgent, { params: { id } });
  return endedAt !== null;
}

/** An entry that still changes, such as a message that is being written, is printed once it is done. */
function createPrinter({ console, texts }: Face, { raw }: ShowTranscript) {
  const reader = createStreamReader("");
  let printed = 0;
  return (lines: readonly string[], most: number, isLast: boolean): void => {
    if (raw) {
      for (const line of lines.slice(-most)) console.write(line);
      return;
    }
    reader.push(lines);
    const open = isLast ? reader.entries.length : lastDone(reader.entries);
    const shown = reader.entries
      .slice(printed, open)
      .flatMap((entry) => entryLines(entry, { style: console.style, locale: texts.locale }));
    printed = Math.max(printed, open);
    for (const line of shown.slice(-most)) console.print(line);
  };
}

function lastDone(entries: ReturnType<typeof createStreamReader>["entries"]): number {
  const open = entries.findIndex(
    (entry, index) =>
      (entry.kind === "tool" && entry.state === "running") ||
      (index === entries.length - 1 && (entry.kind === "text" || entry.kind === "thought")),
  );
  return open === -1 ? entries.length : open;
}
