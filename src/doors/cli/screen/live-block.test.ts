import headless from "@xterm/headless";
import { expect, test } from "vitest";
import { replaceLines } from "./live-block.ts";

async function shown(terminal: InstanceType<typeof headless.Terminal>, bytes: string) {
  await new Promise<void>((done) => terminal.write(bytes.replaceAll("\n", "\r\n"), done));
  const { active } = terminal.buffer;
  return Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true))
    .join("\n")
    .trimEnd();
}

const aTerminal = (cols: number, rows: number) =>
  new headless.Terminal({ cols, rows, allowProposedApi: true });

test("a block replaces itself and keeps what was printed above it", async () => {
  const terminal = aTerminal(20, 6);
  const size = { columns: 20, rows: 6 };
  await shown(terminal, "printed\n");
  const first = replaceLines([], ["one", "two", "three"], size);
  await shown(terminal, first.bytes);
  const second = replaceLines(first.drawn, ["ONE"], size);

  expect(await shown(terminal, second.bytes)).toBe("printed\nONE");
});

test("a block that a narrower terminal has wrapped is erased as a whole", async () => {
  const terminal = aTerminal(30, 8);
  const wide = { columns: 30, rows: 8 };
  await shown(terminal, "printed\n");
  const first = replaceLines([], ["残業時間を集計しています", "second line of it"], wide);
  await shown(terminal, first.bytes);
  terminal.resize(14, 8);
  const second = replaceLines(first.drawn, ["short"], { columns: 14, rows: 8 });

  expect(await shown(terminal, second.bytes)).toBe("printed\nshort");
});

test("a block is never higher than the terminal, so that its top can be reached again", () => {
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);

  expect(replaceLines([], lines, { columns: 20, rows: 10 }).drawn).toHaveLength(9);
});
