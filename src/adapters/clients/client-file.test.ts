import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import type { PlannedFile } from "../../app/ports/setup.ts";
import { planClientFile, writePlanned } from "./client-file.ts";

const COMMAND = ["/node", "/k.js", "mcp"];
const NAMES = [".cursor", "mcp.json"];

function aPlace() {
  const base = aTempDir();
  const place = { base, names: NAMES, scope: "project" } as const;
  return { base, place, path: join(base, ...NAMES) };
}

function requireChange(file: PlannedFile) {
  if (file.kind === "create" || file.kind === "add" || file.kind === "change") return file;
  throw new Error(JSON.stringify(file));
}

test("a planned file is written with its folder and this mode, and the next plan finds it", async () => {
  const { place, path } = aPlace();

  const file = requireChange(planClientFile("cursor", place, COMMAND));
  expect(file).toMatchObject({ kind: "create", before: undefined, path });
  expect(existsSync(path)).toBe(false);
  expect(await writePlanned(file, place, 0o600)).toBeUndefined();

  expect(readFileSync(path, "utf8")).toBe(file.after);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(planClientFile("cursor", place, COMMAND)).toEqual({ owner: "cursor", path, kind: "same" });
});

test("an existing file keeps its mode and its byte order mark", async () => {
  const { base, place, path } = aPlace();
  mkdirSync(join(base, ".cursor"));
  writeFileSync(path, `\uFEFF{"a": 1}\n`, { mode: 0o640 });

  const file = requireChange(planClientFile("cursor", place, COMMAND));
  await writePlanned(file, place, 0o600);

  expect(file.kind).toBe("add");
  expect(readFileSync(path, "utf8")).toMatch(/^\uFEFF\{"a": 1, "mcpServers"/);
  expect(statSync(path).mode & 0o777).toBe(0o640);
});

test("a file that has changed since the plan is not written", async () => {
  const { base, place, path } = aPlace();
  const file = requireChange(planClientFile("cursor", place, COMMAND));
  mkdirSync(join(base, ".cursor"));
  writeFileSync(path, "{}");

  expect(await writePlanned(file, place, 0o600)).toEqual({ kind: "changed" });

  expect(readFileSync(path, "utf8")).toBe("{}");
  expect(readdirSync(join(base, ".cursor"))).toEqual(["mcp.json"]);
});

test("a link is refused, also one that a folder was replaced by after the plan", async () => {
  const { base, place, path } = aPlace();
  const elsewhere = aTempDir();
  writeFileSync(join(elsewhere, "mcp.json"), "{}");
  const file = requireChange(planClientFile("cursor", place, COMMAND));

  symlinkSync(elsewhere, join(base, ".cursor"));
  const problem = { kind: "link", place: join(base, ".cursor") };
  expect(planClientFile("cursor", place, COMMAND)).toMatchObject({ kind: "refused", problem });
  expect(await writePlanned(file, place, 0o600)).toEqual(problem);
  expect(readFileSync(path, "utf8")).toBe("{}");
});

test("a link instead of the file is refused, even if it points to nothing", () => {
  const { base, place, path } = aPlace();
  mkdirSync(join(base, ".cursor"));
  symlinkSync("/nowhere", path);

  expect(planClientFile("cursor", place, COMMAND)).toMatchObject({
    kind: "refused",
    problem: { kind: "link", place: path },
    entry: expect.stringContaining('"/k.js"'),
  });
});

test("a read-only file, a folder instead of a file and a text that is not UTF-8 are refused", () => {
  const [readOnly, folder, binary] = [aPlace(), aPlace(), aPlace()];
  for (const { base } of [readOnly, folder, binary]) mkdirSync(join(base, ".cursor"));
  writeFileSync(readOnly.path, "{}");
  chmodSync(readOnly.path, 0o444);
  mkdirSync(folder.path);
  writeFileSync(binary.path, Buffer.from([0x7b, 0xff, 0x7d]));

  const problemOf = ({ place }: typeof folder) => planClientFile("cursor", place, COMMAND);
  expect(problemOf(readOnly)).toMatchObject({ problem: { kind: "read-only", mode: 0o444 } });
  expect(problemOf(folder)).toMatchObject({ problem: { kind: "not-a-file" } });
  expect(problemOf(binary)).toMatchObject({ problem: { kind: "io", detail: "not UTF-8" } });
});

test.runIf(process.getuid?.() === 0)("a file of another user is refused, also for root", () => {
  const { base, place, path } = aPlace();
  mkdirSync(join(base, ".cursor"));
  writeFileSync(path, "{}");
  chownSync(path, 12345, 12345);

  expect(planClientFile("cursor", place, COMMAND)).toMatchObject({
    kind: "refused",
    problem: { kind: "foreign", place: path, uid: 12345 },
  });
});

test("a file with an error is refused with its line", () => {
  const { base, place, path } = aPlace();
  mkdirSync(join(base, ".cursor"));
  writeFileSync(path, `{\n  "a": \n}`);

  expect(planClientFile("cursor", place, COMMAND)).toMatchObject({
    problem: { kind: "syntax", line: 3, column: 1 },
  });
});
