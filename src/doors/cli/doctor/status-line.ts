const CLEAR_LINE = "\r\u001b[2K";

export type StatusLine = {
  add(name: string): void;
  remove(name: string): void;
  /** Prints something else where the line is; the line then follows below. */
  above(print: () => void): void;
};

/** One line that says what is under way; nothing if the stream is no terminal. */
export function createStatusLine(
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean },
  text: (names: string) => string,
): StatusLine {
  const names = new Set<string>();
  const write = (what: string): void => {
    if (stream.isTTY) stream.write(what);
  };
  const show = (): void => write(CLEAR_LINE + (names.size > 0 ? text([...names].join(", ")) : ""));
  return {
    add(name) {
      names.add(name);
      show();
    },
    remove(name) {
      names.delete(name);
      show();
    },
    above(print) {
      write(CLEAR_LINE);
      print();
      show();
    },
  };
}
