import { createInterface, type Interface } from "node:readline/promises";

/** The question got no answer: Ctrl-C, the end of the input, or it was decided elsewhere. */
export class Interrupted extends Error {}

export type Console = {
  /** The input is a terminal, so a person can be asked. */
  readonly isInteractive: boolean;
  print(text: string): void;
  /** Reads one line; rejects with Interrupted when the signal is aborted or the input ends. */
  ask(question: string, signal: AbortSignal): Promise<string>;
  close(): void;
};

export type ConsoleStreams = {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
};

export function createConsole({ input, output }: ConsoleStreams, onInterrupt: () => void): Console {
  let lines: Interface | undefined;
  const reader = () => {
    if (lines) return lines;
    lines = createInterface({ input, output, terminal: output.isTTY === true });
    // readline intercepts Ctrl-C and would end silently.
    lines.on("SIGINT", onInterrupt);
    return lines;
  };
  return {
    isInteractive: input.isTTY === true,
    print: (text) => void output.write(`${text}\n`),
    async ask(question, signal) {
      const ended = new AbortController();
      const end = () => ended.abort();
      // readline leaves a question open forever when the input ends.
      reader().once("close", end);
      try {
        const either = AbortSignal.any([signal, ended.signal]);
        return (await reader().question(question, { signal: either })).trim();
      } catch (error) {
        throw new Interrupted("The question was not answered.", { cause: error });
      } finally {
        lines?.off("close", end);
      }
    },
    close: () => lines?.close(),
  };
}
