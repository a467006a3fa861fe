import {
  chmodSync,
  lstatSync,
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
import { Refusal } from "../../domain/refusal.ts";
import { createConfigFile } from "./edit-config.ts";
import { hashOf } from "./hash-of.ts";
import { loadConfig } from "./load-config.ts";

const TEXT = "# mine\nroles:\n  - id: research\n    model: old # why\n";

function aFile(text: string | undefined = TEXT) {
  const path = join(aTempDir(), "kuromajutsu.config.yaml");
  if (text !== undefined) writeFileSync(path, text);
  return { path, file: createConfigFile({ path }), hash: hashOf(text ?? "") };
}

const newModel = { kind: "set", id: "research", fields: { model: "new" } } as const;

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Refusal)) throw new Error(`not a refusal: ${String(error)}`);
  return error;
}

test("an edit is written, and its answer has the text before and after", async () => {
  const { path, file, hash } = aFile();

  const edited = await file.editRoles(newModel, hash);

  const after = TEXT.replace("old", "new");
  expect(readFileSync(path, "utf8")).toBe(after);
  expect(edited).toEqual({ path, before: TEXT, after, hash: hashOf(after), created: false });
  expect(readdirSync(join(path, ".."))).toEqual(["kuromajutsu.config.yaml"]);
});

test("a preview writes nothing", async () => {
  const { path, file, hash } = aFile();

  expect((await file.preview(newModel, hash)).after).toContain("new");
  expect(readFileSync(path, "utf8")).toBe(TEXT);
});

test("without a file the first edit creates one, and its answer says so", async () => {
  const path = join(aTempDir(), "kuromajutsu.config.yaml");

  const edited = await createConfigFile({ path }).editRoles(newModel, hashOf(""));

  expect(edited.created).toBe(true);
  expect(readFileSync(path, "utf8")).toBe("roles:\n  - id: research\n    model: new\n");
  const loaded = await loadConfig({ path, explicit: true, env: {} });
  expect(loaded.hash).toBe(edited.hash);
});

test("an edit that changes nothing does not touch the file", async () => {
  const { path, file, hash } = aFile();
  chmodSync(path, 0o640);
  const { ino, mtimeMs } = statSync(path);

  await file.editRoles({ ...newModel, fields: { model: "old", name: null } }, hash);
  await file.editRoles({ kind: "remove", id: "nobody" }, hash);

  expect(statSync(path)).toMatchObject({ ino, mtimeMs });
});

test("an edit keeps the file's mode and a symbolic link", async () => {
  const { path, hash } = aFile();
  chmodSync(path, 0o640);
  const link = join(aTempDir(), "link.yaml");
  symlinkSync(path, link);

  await createConfigFile({ path: link }).editRoles(newModel, hash);

  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(path, "utf8")).toContain("new");
  expect(statSync(path).mode & 0o777).toBe(0o640);
});

test("a file that has changed since it was read is not overwritten", async () => {
  const { path, file, hash } = aFile();
  writeFileSync(path, `${TEXT}locale: en\n`);

  expect(await refusalOf(file.editRoles(newModel, hash))).toMatchObject({
    code: "CONFIG_CHANGED",
    message: expect.stringContaining(path),
  });
  expect(readFileSync(path, "utf8")).toBe(`${TEXT}locale: en\n`);
});

test("an edit that would make the file invalid is refused with every problem, and not written", async () => {
  const { path, file, hash } = aFile();

  const refusal = await refusalOf(
    file.editRoles({ kind: "set", id: "mine", fields: { tools: ["textlnt"] } }, hash),
  );

  expect(refusal.code).toBe("CONFIG_INVALID");
  expect(refusal.message).toContain("it needs name, description, model, systemPrompt");
  expect(refusal.message).toContain('did you mean "textlint"?');
  expect(readFileSync(path, "utf8")).toBe(TEXT);
});

test("a file that is already invalid is not edited", async () => {
  const broken = `${TEXT}agnet: {}\n`;
  const { file, hash } = aFile(broken);

  expect(await refusalOf(file.editRoles(newModel, hash))).toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining('did you mean "agent"?'),
  });
});

test("an anchored value that other entries share is not changed", async () => {
  const text = "roles:\n  - id: research\n    model: &m a\n  - id: impl-code\n    model: *m\n";
  const { path, file, hash } = aFile(text);

  expect((await refusalOf(file.editRoles(newModel, hash))).code).toBe("CONFIG_NOT_EDITABLE");
  expect(readFileSync(path, "utf8")).toBe(text);

  await file.editRoles({ kind: "set", id: "impl-code", fields: { model: "b" } }, hash);
  expect(readFileSync(path, "utf8")).toBe(text.replace("*m", "b"));
});

test.skipIf(process.getuid?.() === 0)("a file that is not writable stays unchanged", async () => {
  const { path, file, hash } = aFile();
  chmodSync(path, 0o444);

  expect(await refusalOf(file.editRoles(newModel, hash))).toMatchObject({
    code: "CONFIG_NOT_WRITABLE",
    message: expect.stringContaining("permission denied"),
  });
  expect(readFileSync(path, "utf8")).toBe(TEXT);
});

test("a directory that cannot hold the file is named with the reason", async () => {
  // Root may write everywhere, but not below a regular file and not in a missing directory.
  const folder = aTempDir();
  writeFileSync(join(folder, "file"), "");
  const below = join(folder, "file", "kuromajutsu.config.yaml");
  const nowhere = join(folder, "gone", "kuromajutsu.config.yaml");

  for (const [path, reason] of [
    [below, "a part of the path is not a directory"],
    [nowhere, "its directory does not exist"],
  ] as const) {
    const refusal = await refusalOf(createConfigFile({ path }).editRoles(newModel, hashOf("")));
    expect(refusal.code).toBe("CONFIG_NOT_WRITABLE");
    expect(refusal.message).toBe(`${path} could not be written: ${reason}. Nothing was changed.`);
  }
});

test("a directory in the place of the file is refused", async () => {
  const path = join(aTempDir(), "kuromajutsu.config.yaml");
  mkdirSync(path);

  expect(await refusalOf(createConfigFile({ path }).editRoles(newModel, hashOf("")))).toMatchObject(
    {
      code: "CONFIG_INVALID",
      message: expect.stringContaining("is a directory"),
    },
  );
});

test("a prompt of a million characters is saved and read back", async () => {
  const { path, file, hash } = aFile();
  const systemPrompt = "長い文 ".repeat(80_000) + "x".repeat(199_990);
  expect(Buffer.byteLength(systemPrompt)).toBe(999_990);

  await file.editRoles({ kind: "set", id: "research", fields: { systemPrompt } }, hash);

  const { roles } = await loadConfig({ path, explicit: true, env: {} });
  expect(roles.find(({ id }) => id === "research")?.systemPrompt).toBe(systemPrompt);
  expect(readFileSync(path, "utf8")).toContain("model: old # why");
});

test("an edit that would make the file too large for the next start is not written", async () => {
  const { path, file, hash } = aFile();
  const systemPrompt = "x".repeat(1_048_576);

  expect(
    await refusalOf(
      file.editRoles({ kind: "set", id: "research", fields: { systemPrompt } }, hash),
    ),
  ).toMatchObject({ code: "CONFIG_INVALID", message: expect.stringContaining("at most 1048576") });
  expect(readFileSync(path, "utf8")).toBe(TEXT);
});

test.each([
  "a: b # c",
  "- x\n- y\n",
  "  leading\nlines\n",
  "trailing  \nspaces \n",
  "\ttab\n",
  "---\n...\n",
  "\u001b[31mred\u001b[0m\n\u0000",
  "\u0085\u2028\u{FEFF}",
  '"quotes" and \\ back\n',
  "ends with blank lines\n\n\n",
  "emoji 👩‍👩‍👧 と日本語\n",
  "*alias &anchor !tag %dir @at `tick`",
  "lone \ud800 half",
])("a prompt like %j is read back unchanged", async (systemPrompt) => {
  const { path, file, hash } = aFile();

  await file.editRoles({ kind: "set", id: "research", fields: { systemPrompt } }, hash);

  const { roles } = await loadConfig({ path, explicit: true, env: {} });
  expect(roles.find(({ id }) => id === "research")).toMatchObject({ systemPrompt, model: "old" });
});
