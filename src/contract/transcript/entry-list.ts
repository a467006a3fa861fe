import type { Entry } from "./entries.ts";
import type { Call } from "./tool-calls.ts";

/** Long texts are split into rows of about this size, so that no row is taller than a few screens. */
const PIECE_CHARS = 2_400;

type NewEntry = Entry extends infer One ? (One extends Entry ? Omit<One, "key"> : never) : never;

/** The entries of a transcript, built from messages, thoughts and tool calls. */
export class EntryList {
  readonly entries: Entry[] = [];
  readonly #prefix: string;
  readonly #calls = new Map<string, number>();
  #lastKey = 0;
  /** The message in progress: its first entry and its text so far. */
  #open: { readonly from: number; text: string } | undefined;
  #lastMessage = "";

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  add(entry: NewEntry): void {
    this.entries.push({ ...entry, key: this.#newKey() });
  }

  appendMessage(text: string, at: number | null): void {
    const { entries } = this;
    const open = (this.#open ??= { from: entries.length, text: "" });
    open.text += text;
    let rest = text;
    const last = entries.at(-1);
    if (last?.kind === "text" && entries.length > open.from && last.text.length < PIECE_CHARS) {
      const room = splitAt(last.text.length, rest);
      entries[entries.length - 1] = { ...last, text: last.text + rest.slice(0, room) };
      rest = rest.slice(room);
    }
    while (rest !== "") {
      const size = splitAt(0, rest);
      const isContinued = entries.length > open.from;
      this.add({ kind: "text", at, text: rest.slice(0, size), isContinued });
      rest = rest.slice(size);
    }
  }

  /** The complete message; replaces the text collected from partial messages if it differs. */
  setMessage(text: string, at: number | null): void {
    if (text === (this.#open?.text ?? this.#lastMessage)) return this.closeMessage();
    if (this.#open) {
      const { from } = this.#open;
      const others = this.entries.slice(from).filter(({ kind }) => kind !== "text");
      this.entries.splice(from, this.entries.length, ...others);
      this.#open = undefined;
    }
    this.appendMessage(text, at);
    this.closeMessage();
  }

  closeMessage(): void {
    if (!this.#open) return;
    this.#lastMessage = this.#open.text;
    this.#open = undefined;
  }

  appendThought(text: string, at: number | null): void {
    const last = this.entries.at(-1);
    if (last?.kind === "thought" && last.text.length < PIECE_CHARS) {
      this.entries[this.entries.length - 1] = { ...last, text: last.text + text };
    } else if (text !== "") {
      this.add({ kind: "thought", at, text });
    }
  }

  startCall(call: Call): void {
    this.closeMessage();
    this.#lastMessage = "";
    this.#calls.set(call.callId, this.entries.length);
    this.add({ kind: "tool", ...call });
  }

  endCall(call: Call): void {
    const index = this.#calls.get(call.callId);
    const begun = index === undefined ? undefined : this.entries[index];
    // Its start may lie before the part that was read.
    if (index === undefined || begun?.kind !== "tool") return this.startCall(call);
    this.#calls.delete(call.callId);
    this.entries[index] = {
      ...call,
      kind: "tool",
      key: begun.key,
      at: begun.at,
      args: call.args ?? begun.args,
      tool: call.tool || begun.tool,
      server: call.server ?? begun.server,
    };
  }

  #newKey(): string {
    return `${this.#prefix}${this.#lastKey++}`;
  }
}

/** How many characters fit into a piece of this length, preferably up to a line end. */
function splitAt(has: number, text: string): number {
  const room = PIECE_CHARS - has;
  if (text.length <= room) return text.length;
  const newline = text.lastIndexOf("\n", room);
  if (newline > 0) return newline + 1;
  // Don't split a surrogate pair.
  const isHalf = /[\ud800-\udbff]/.test(text[room - 1] ?? "");
  return Math.max(1, isHalf ? room - 1 : room);
}
