import { createInterface, type Interface } from "node:readline/promises";

/** Asking was given up: Ctrl-C, or what was asked about is decided. */
export class Interrupted extends Error {}

export type Console = {
  /** Somebody can be asked. */
  readonly isInteractive: boolean;
  print(text: string): void;
  /** One line of a person; rejects with Interrupted when the signal is aborted or input ends. */
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
    // readline takes Ctrl-C from the terminal and would end silently.
    lines.on("SIGINT", onInterrupt);
    return lines;
  };
  return {
    isInteractive: input.isTTY === true,
    print: (text) => void output.write(`${text}\n`),
    async ask(question, signal) {
      try {
        return (await reader().question(question, { signal })).trim();
      } catch (error) {
        throw new Interrupted("Nobody answered.", { cause: error });
      }
    },
    close: () => lines?.close(),
  };
}
