import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { rounds } from "../../test/kit/rounds.ts";
import { aTempDir } from "../../test/kit/tmp-dir.ts";
import { openLogFile } from "./log-file.ts";

function aLogFile(over: { readonly maxBytes?: number; readonly keep?: number } = {}) {
  const dir = aTempDir();
  const path = join(dir, "a.log");
  const log = openLogFile({ path, maxBytes: 100, keep: 2, ...over });
  onTestFinished(() => log.close());
  const read = (name: string) => readFileSync(join(dir, name), "utf8");
  return { dir, path, log, read };
}

const line = (n: number): string => `${String(n).padStart(39, "0")}\n`;

test("a log file is rotated by size, and only the newest files stay", () => {
  const { dir, log, read } = aLogFile();
  for (let n = 1; n <= 8; n++) log.write(line(n));

  expect(readdirSync(dir).toSorted()).toEqual(["a.log", "a.log.1", "a.log.2"]);
  expect(read("a.log")).toBe(line(7) + line(8));
  expect(read("a.log.1")).toBe(line(5) + line(6));
  expect(read("a.log.2")).toBe(line(3) + line(4));
  expect(statSync(join(dir, "a.log.1")).mode & 0o777).toBe(0o600);
});

test("with keep 0 a log file is emptied, and a line longer than the limit is written whole", () => {
  const { dir, log, read } = aLogFile({ keep: 0 });

  log.write("a\n");
  log.write(`${"x".repeat(500)}\n`);

  expect(readdirSync(dir)).toEqual(["a.log"]);
  expect(read("a.log")).toBe(`${"x".repeat(500)}\n`);
});

test("another descriptor of a log file goes on writing to the newest file after a rotation", () => {
  const { path, log, read } = aLogFile({ maxBytes: 10 });
  const stderr = openSync(path, "a");
  log.write("0123456789\n");
  log.write("after\n");

  writeSync(stderr, "crash\n");
  closeSync(stderr);

  expect(read("a.log")).toBe("after\ncrash\n");
});

test("a log file that was moved away is created again within a second", async () => {
  const { path, log, read } = aLogFile();
  log.write("one\n");
  renameSync(path, `${path}.moved`);

  await sleep(1_100);
  log.write("two\n");

  expect(read("a.log")).toBe("two\n");
});

test("a log on a full disk drops lines without an error, and says so once there is space", (context) => {
  const disk = join(aTempDir(), "disk");
  mkdirSync(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]);
  if (mounted.status !== 0) return context.skip("mount needs root");
  onTestFinished(() => void spawnSync("umount", ["-l", disk]));
  const path = join(disk, "a.log");
  const log = openLogFile({ path, maxBytes: 1_000_000, keep: 2 });
  const filler = join(disk, "filler");
  writeFileSync(filler, Buffer.alloc(32_768));

  for (let n = 0; n < 40; n++) log.write(`${"x".repeat(2_000)}\n`);
  rmSync(filler);
  log.write("space again\n");
  log.close();

  const text = readFileSync(path, "utf8");
  expect(text).toMatch(
    /\n\S+ WARN {2}\d+ lines of this log could not be written\.\nspace again\n$/,
  );
});

// It is killed long before its last line, unless the machine is so busy that its files would fill it.
const WRITER = `
import { openLogFile } from ${JSON.stringify(new URL("./log-file.ts", import.meta.url).href)};
const log = openLogFile({ path: process.argv[1], maxBytes: 2000, keep: 100000 });
for (let n = 0; n < 40_000; n++) log.write(String(n).padStart(20, "0") + "\\n");
`;

test("a process that is killed while it rotates loses no line", async () => {
  for (let round = 0; round < rounds({ all: 30, few: 2 }); round++) {
    const dir = aTempDir();
    const path = join(dir, "a.log");
    const child = spawn(process.execPath, ["--input-type=module", "-e", WRITER, path]);
    const ended = new Promise((resolve) => child.once("close", resolve));
    while (!existsSync(`${path}.5`)) await sleep(5);
    child.kill("SIGKILL");
    await ended;

    const files = readdirSync(dir).filter((name) => !name.endsWith(".tmp"));
    const text = files.map((name) => readFileSync(join(dir, name), "utf8")).join("");
    const seen = new Set(
      text
        .split("\n")
        .filter((each) => each.length === 20)
        .map(Number),
    );
    const last = Math.max(...seen);
    expect(seen.size).toBe(last + 1);
  }
});
