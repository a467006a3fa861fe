import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { type Draw, eraseLines, replaceLines, type Size } from "../screen/live-block.ts";
import { openPager } from "../screen/pager.ts";
import { abilitiesOf, createStyle, type Style } from "../screen/style.ts";
import { wrapText } from "../screen/wrap-text.ts";

/** The question got no answer: Ctrl-C, the end of the input, or it was decided elsewhere. */
export class Interrupted extends Error {}

export type Console = {
  /** The input is a terminal, so a person can be asked. */
  readonly isInteractive: boolean;
  /** The output is a terminal, so what is there can be drawn again. */
  readonly canRedraw: boolean;
  readonly style: Style;
  size(): Size;
  /** Prose: wrapped at the width of a terminal. */
  print(text: string): void;
  /** As it is, for programs. */
  write(text: string): void;
  /** Draws lines below everything that is printed, again and again; undefined removes them. */
  live(draw: Draw | undefined): void;
  /** Reads one line; rejects with Interrupted when the signal is aborted or the input ends. */
  ask(question: string, signal: AbortSignal): Promise<string>;
  /** Shows a long text in a pager on a terminal; prints it elsewhere. */
  page(text: string): Promise<void>;
  /** A pager has the terminal, and Ctrl-C is its key. */
  isPaging(): boolean;
  close(): void;
};

export type ConsoleStreams = {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly rows?: number;
  };
};

const REDRAW_MS = 125;
const DEFAULT_SIZE: Size = { columns: 80, rows: 24 };

export function createConsole({ input, output }: ConsoleStreams, onInterrupt: () => void): Console {
  const canRedraw = output.isTTY === true;
  const size = () => ({
    columns: output.columns || DEFAULT_SIZE.columns,
    rows: output.rows || DEFAULT_SIZE.rows,
  });
  const block = createBlock(output, size);
  let asking: { readonly question: string; readonly signal: AbortSignal } | undefined;
  let isPaging = false;
  let lines: Interface | undefined;
  const reader = () => {
    if (lines) return lines;
    // Keys that are pressed while nothing is asked must not be echoed into the live block.
    const echo = canRedraw ? mutedWhen(output, () => !asking) : output;
    lines = createInterface({ input, output: echo, terminal: canRedraw });
    // readline intercepts Ctrl-C and would end silently.
    lines.on("SIGINT", onInterrupt);
    return lines;
  };
  return {
    isInteractive: input.isTTY === true,
    canRedraw,
    style: createStyle(abilitiesOf(process.env, canRedraw)),
    size,
    print(text) {
      const isOpen = canRedraw && asking?.signal.aborted === false;
      // The question and what is already typed stay at the end.
      const again = isOpen ? `${asking?.question ?? ""}${lines?.line ?? ""}` : "";
      const wrapped = canRedraw ? wrapText(text, size().columns) : text;
      block.above(`${isOpen ? "\n" : ""}${wrapped}\n${again}`);
    },
    write: (text) => block.above(`${text}\n`),
    live(draw) {
      if (!canRedraw) return;
      if (draw && input.isTTY === true) reader();
      block.show(draw);
    },
    async ask(question, signal) {
      block.show(undefined);
      const ended = new AbortController();
      const end = () => ended.abort();
      // readline leaves a question open forever when the input ends.
      reader().once("close", end);
      // What was typed before the question is not an answer to it.
      if (canRedraw) reader().write(null, { ctrl: true, name: "u" });
      const either = AbortSignal.any([signal, ended.signal]);
      asking = { question, signal: either };
      try {
        return (await reader().question(question, { signal: either })).trim();
      } catch (error) {
        throw new Interrupted("The question was not answered.", { cause: error });
      } finally {
        asking = undefined;
        lines?.off("close", end);
      }
    },
    async page(text) {
      const canPage = canRedraw && input.isTTY === true;
      // The pager needs the keys.
      if (canPage) lines?.close();
      if (canPage) lines = undefined;
      isPaging = canPage;
      const isShown = canPage && (await openPager(`${text}\n`));
      isPaging = false;
      if (!isShown) block.above(`${text}\n`);
    },
    isPaging: () => isPaging,
    close() {
      block.show(undefined);
      lines?.close();
    },
  };
}

function createBlock(output: ConsoleStreams["output"], size: () => Size) {
  let draw: Draw | undefined;
  let drawn: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;

  function redraw(): void {
    const next = replaceLines(drawn, draw?.(size()) ?? [], size());
    // Bytes that change nothing would only make the screen flicker.
    if (next.drawn.length === drawn.length && next.drawn.every((line, at) => line === drawn[at])) {
      return;
    }
    output.write(next.bytes);
    drawn = next.drawn;
  }
  return {
    show(next: Draw | undefined): void {
      draw = next;
      redraw();
      if (!next) {
        clearInterval(timer);
        timer = undefined;
        output.off("resize", redraw);
      } else if (!timer) {
        timer = setInterval(redraw, REDRAW_MS);
        output.on("resize", redraw);
      }
    },
    /** Writes above the block, which is then drawn again. */
    above(text: string): void {
      output.write(eraseLines(drawn, size().columns) + text);
      drawn = [];
      if (draw) redraw();
    },
  };
}

/** readline needs the width of the terminal to place the cursor. */
function mutedWhen(output: ConsoleStreams["output"], isMuted: () => boolean): Writable {
  const echo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isMuted()) output.write(chunk);
      done();
    },
  });
  Object.defineProperty(echo, "columns", { get: () => output.columns });
  Object.defineProperty(echo, "isTTY", { value: true });
  output.on("resize", () => echo.emit("resize"));
  return echo;
}
