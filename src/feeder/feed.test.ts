import { appendFileSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { aTempDir } from "../../test/kit/tmp-dir.ts";
import { feed } from "./feed.ts";

const CLI = [process.execPath, resolve("test/kit/fed-cli.mjs")];

function aFeed(prompt: string) {
  const folder = join(aTempDir(), "run");
  let output = "";
  const done = feed({
    command: CLI,
    prompt,
    inbox: join(folder, "inbox.ndjson"),
    write: (lines) => {
      output += lines;
    },
  });
  return {
    done,
    lines: () => output.trimEnd().split("\n"),
    async saw(line: string): Promise<void> {
      await vi.waitUntil(() => output.includes(line), { timeout: 60_000 });
    },
    send(text: string): void {
      mkdirSync(folder, { recursive: true });
      appendFileSync(join(folder, "inbox.ndjson"), text);
    },
  };
}

const message = (id: string, text: string) => `${JSON.stringify({ id, text })}\n`;

test("a message of the inbox reaches the CLI while it works, once, and is reported", async () => {
  const fed = aFeed("begin");
  await fed.saw('"begin"');

  fed.send(message("ntf-1", "change"));
  await fed.saw('"change"');
  fed.send(message("ntf-2", "finish"));

  // The CLI exits with 7 when its input is closed.
  expect(await fed.done).toBe(7);
  expect(fed.lines().filter((line) => line.includes("steered"))).toEqual([
    '{"type":"steered","id":"ntf-1"}',
    '{"type":"steered","id":"ntf-2"}',
  ]);
  expect(fed.lines().filter((line) => line.includes('"text":"change"'))).toHaveLength(1);
});

test("half a line waits for its end, and a line that is no message is skipped", async () => {
  const fed = aFeed("begin");
  await fed.saw('"begin"');

  const whole = message("ntf-1", "日本語");
  fed.send(`null\n[]\n{"id":1}\n${whole.slice(0, 20)}`);
  fed.send(`${whole.slice(20)}${message("ntf-2", "finish")}`);

  expect(await fed.done).toBe(7);
  expect(fed.lines()).toContain('{"type":"assistant","text":"日本語"}');
});

test("the input of the CLI is closed after its result, without any message", async () => {
  const fed = aFeed("finish");

  expect(await fed.done).toBe(7);
  expect(fed.lines().at(-1)).toBe('{"result":"finish","type":"result"}');
});

test("a CLI that a signal ended gives the exit code of a shell", async () => {
  expect(await aFeed("die").done).toBe(137);
});

test("a CLI that cannot be started rejects", async () => {
  const inbox = join(aTempDir(), "inbox.ndjson");
  await expect(
    feed({ command: ["/nowhere/claude"], prompt: "", inbox, write: () => undefined }),
  ).rejects.toThrow("ENOENT");
});
