import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { rounds } from "../../../test/kit/rounds.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { loadConfig } from "./load-config.ts";
import { writeWholeFile } from "./write-whole-file.ts";

const ROUNDS = rounds({ all: 15, few: 3 });
const LATEST_KILL_MS = 100;

const yes = async () => true;

test("after kill -9 at any moment the file is the old one or the new one, never a part", async () => {
  const path = join(aTempDir(), "kuromajutsu.config.yaml");
  writeFileSync(path, "# kept\nroles:\n  - id: research\n    name: x\n    systemPrompt: x\n");
  const writer = fileURLToPath(new URL("../../../test/kit/keep-writing.ts", import.meta.url));
  const seen = new Set<string>();

  for (let round = 0; round < ROUNDS; round++) {
    const child = spawn(process.execPath, [writer, path], { stdio: ["ignore", "pipe", "inherit"] });
    // Some are killed during their first edit, some during a later one.
    for (let edits = 0; edits <= round % 3; edits++) await once(child.stdout, "data");
    await sleep(5 + (round * LATEST_KILL_MS) / ROUNDS);
    child.kill("SIGKILL");
    await once(child, "exit");

    const { roles } = await loadConfig({ path, explicit: true, env: {} });
    const role = roles.find(({ id }) => id === "research");
    expect(role?.systemPrompt).toMatch(/^(?:x|(\d+)\n(?:行 ){20000}\n)$/);
    // Name and prompt belong to the same edit.
    expect(role?.systemPrompt.split("\n")[0]).toBe(role?.name);
    expect(readFileSync(path, "utf8")).toMatch(/^# kept\nroles:\n/);
    seen.add(role?.name ?? "");
  }
  expect(seen.size).toBeGreaterThan(1);
});

test("leftovers of a killed process are removed later; a file that another process is writing is not", async () => {
  const folder = aTempDir();
  const path = join(folder, "a.yaml");
  const [old, young, other] = [
    ".a.yaml.0123456789ab.tmp",
    ".a.yaml.ba9876543210.tmp",
    ".a.yaml.mine",
  ];
  for (const name of [old, young, other]) writeFileSync(join(folder, name), "");
  utimesSync(join(folder, old), 1, 1);
  utimesSync(join(folder, other), 1, 1);

  await writeWholeFile(path, "new", yes);

  expect(readdirSync(folder).sort()).toEqual([other, young, "a.yaml"].sort());
});

test("when isStill returns false, nothing is replaced and nothing is left behind", async () => {
  const folder = aTempDir();
  const path = join(folder, "a.yaml");
  writeFileSync(path, "old");

  expect(await writeWholeFile(path, "new", async () => false)).toBe(false);

  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["a.yaml"]);
});

test("a new file has the user's usual permissions", async () => {
  const path = join(aTempDir(), "a.yaml");

  await writeWholeFile(path, "new", yes);

  expect(statSync(path).mode & 0o777).toBe(0o644 & ~process.umask());
});
