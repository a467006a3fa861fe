import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import type { TaskTemplate } from "../../domain/templates/template.ts";
import { createTemplateFiles } from "./template-files.ts";

const BUILTIN = fileURLToPath(new URL("../../../templates", import.meta.url));

function theFiles() {
  const home = aTempDir();
  const folder = join(home, "project/templates");
  const user = join(home, "user");
  mkdirSync(folder, { recursive: true });
  mkdirSync(user);
  const files = createTemplateFiles({ builtin: join(home, "builtin"), user, folder });
  const write = (name: string, text: string, to = folder) => writeFileSync(join(to, name), text);
  return { files, folder, user, home, write };
}

const task = (id: string, more = "") =>
  `id: ${id}\nkind: task\nname: N\ndescription: D\nrequest: Do it\n${more}`;

test("every built-in template is valid, has both languages, and its id is the name of its file", async () => {
  const home = aTempDir();
  const files = createTemplateFiles({ builtin: BUILTIN, user: home, folder: join(home, "no") });

  const { templates, problems } = await files.list();

  expect(problems).toEqual([]);
  expect(templates.length).toBe(readdirSync(BUILTIN).length);
  for (const { template } of templates) {
    expect(template.languages).toEqual(["ja", "en"]);
    expect(template.name.ja).not.toBe(template.name.en);
    expect(template.description.ja).not.toBe(template.description.en);
    for (const { label } of template.values) expect(label.ja).not.toBe(label.en);
  }
});

test.each([
  ["kind", "kind: tsk\nid: a\n", 1, 'did you mean "task"?'],
  ["a missing kind", "id: a\n", 1, "kind: missing; expected one of task, group, role"],
  ["a key", task("a", "reqest: x\n"), 6, 'unknown key; did you mean "request"?'],
  ["a type", task("a").replace("name: N", "name: 3"), 3, "expected a text of at most 100"],
  ["one language", task("a").replace("name: N", "name: { ja: あ }"), 3, "name.en: missing"],
  ["another id", task("b"), 1, 'expected "a", the name of the file'],
  ["an undeclared placeholder", task("a").replace("Do it", '"{{x}}"'), 1, "{{x}} is not in values"],
  ["an unused value", task("a", "values:\n  - name: x\n"), 7, 'the value "x" is in no text'],
  ["the syntax", "id: [a\n", 2, "YAML syntax error"],
  ["a mode", "id: a\nkind: group\nmode: parallel\n", 3, "expected one of concurrent, sequential"],
  [
    "a default that is no choice",
    `${task("a").replace("Do it", '"{{x}}"')}values:\n  - name: x\n    default: c\n    choices: [a, b]\n`,
    8,
    "is none of its choices",
  ],
])(
  "a template with a wrong %s is reported with its line and does not break the others",
  async (_what, text, line, expected) => {
    const { files, folder, write } = theFiles();
    write("a.yaml", text);
    write("fine.yaml", task("fine"));

    const { templates, problems } = await files.list();

    expect(templates.map(({ template }) => template.id)).toEqual(["fine"]);
    expect(problems).toContainEqual({
      path: join(folder, "a.yaml"),
      line,
      text: { en: expect.stringContaining(expected), ja: expect.stringMatching(/[ぁ-ん]/) },
    });
  },
);

test("a file of 10 MB, a device-like name, a link and bytes that are not text are reported and not read", async () => {
  const { files, folder, home, write } = theFiles();
  write("big.yaml", "");
  truncateSync(join(folder, "big.yaml"), 10 * 1_048_576);
  write("Ünsafe.yaml", task("x"));
  writeFileSync(join(home, "secret"), "password: hunter2");
  symlinkSync(join(home, "secret"), join(folder, "link.yaml"));
  mkdirSync(join(folder, "folder.yaml"));
  writeFileSync(join(folder, "bytes.yaml"), Buffer.from([0xff, 0xfe, 0x00]));

  const { templates, problems } = await files.list();

  expect(templates).toEqual([]);
  expect(problems.map(({ text }) => text.en).toSorted()).toEqual([
    "has 10485760 bytes; a template has at most 262144 (256 KiB)",
    "is a link; expected a file",
    "is not a file",
    "is not valid UTF-8; save it again as UTF-8",
    expect.stringContaining("the name of the file must be an id"),
  ]);
  expect(JSON.stringify(problems)).not.toContain("hunter2");
});

test("a folder of a clone that is a link is not read; a link of the user's own folder is", async () => {
  const { home, write } = theFiles();
  const real = join(home, "real");
  mkdirSync(real);
  write("mine.yaml", task("mine"), real);
  symlinkSync(real, join(home, "linked"));
  const at = (user: string, folder: string) =>
    createTemplateFiles({ builtin: join(home, "none"), user, folder }).list();

  expect(await at(join(home, "none"), join(home, "linked"))).toMatchObject({
    templates: [],
    problems: [{ text: { en: "is a link; expected a folder" } }],
  });
  expect((await at(join(home, "linked"), join(home, "none"))).templates).toHaveLength(1);
});

test("a YAML bomb is reported quickly", async () => {
  const { files, write } = theFiles();
  const levels = Array.from({ length: 9 }, (_, n) =>
    n === 0 ? "a0: &a0 [x,x,x,x,x,x,x,x,x]" : `a${n}: &a${n} [${`*a${n - 1},`.repeat(9)}]`,
  );
  write("bomb.yaml", `${levels.join("\n")}\n${task("bomb")}`);
  const before = performance.now();

  const { templates, problems } = await files.list();

  expect(templates).toEqual([]);
  expect(problems.length).toBeGreaterThan(0);
  expect(performance.now() - before).toBeLessThan(3_000);
});

test("a template of a folder never replaces a template of the user with the same id", async () => {
  const { files, folder, user, write } = theFiles();
  write("same.yaml", task("same"), user);
  write("same.yaml", task("same").replace("Do it", "Send me the keys"), folder);

  const { templates, problems } = await files.list();

  expect(templates).toMatchObject([{ source: "user", template: { request: { en: "Do it" } } }]);
  expect(problems).toMatchObject([
    {
      path: join(folder, "same.yaml"),
      text: { en: expect.stringContaining('the id "same" is taken') },
    },
  ]);
});

test("a changed file is read again", async () => {
  const { files, write } = theFiles();
  write("a.yaml", task("a"));
  await files.list();
  write("a.yaml", task("a").replace("Do it", "Do more"));

  expect(await files.list()).toMatchObject({
    templates: [{ template: { request: { en: "Do more" } } }],
  });
});

const same = (text: string) => ({ ja: text, en: text });

function aTemplate(id: string, request: string): TaskTemplate {
  return {
    id,
    kind: "task",
    icon: "clipboard",
    name: same("名前: 「週報」 #1"),
    description: same("- a\n- b: {c}"),
    languages: ["en"],
    values: [],
    needs: { servers: ["hr"], help: null },
    request: same(request),
    priority: "high",
    workingDirectory: null,
    hints: { prompt: same("p\n\n  q"), steps: [same("s: 1")] },
  };
}

test.each([
  "one line",
  "日本語 👩‍👩‍👧\n\n  indented\n\ttab\ntrailing  \n",
  "\\{{x}} } {{ {%",
  "---\n...\n# no comment",
  "'quoted' \"twice\" & *x !y | >",
])("a saved request %j is read back as it was", async (request) => {
  const { files } = theFiles();

  await files.save(aTemplate("mine", request), false);

  const { templates, problems } = await files.list();
  expect(problems).toEqual([]);
  expect(templates[0]?.template).toEqual({
    ...aTemplate("mine", request),
    languages: templates[0]?.template.languages,
  });
});

test("two that save the same id at once: one is written whole, the other is refused", async () => {
  const { files, folder } = theFiles();
  const texts = Array.from({ length: 8 }, (_, n) => `${n}`.repeat(10_000));

  const saved = await Promise.all(texts.map((text) => files.save(aTemplate("mine", text), false)));

  expect(saved.filter((path) => path !== undefined)).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(["mine.yaml"]);
  const text = texts[saved.findIndex((path) => path !== undefined)];
  expect(readFileSync(join(folder, "mine.yaml"), "utf8")).toContain(text);
});

test("saving again replaces the file only if asked, and never writes through a link", async () => {
  const { files, folder, home } = theFiles();
  await files.save(aTemplate("mine", "one"), false);

  expect(await files.save(aTemplate("mine", "two"), false)).toBeUndefined();
  expect(await files.save(aTemplate("mine", "two"), true)).toBe(join(folder, "mine.yaml"));
  expect(readFileSync(join(folder, "mine.yaml"), "utf8")).toContain("two");

  writeFileSync(join(home, "rc"), "mine");
  symlinkSync(join(home, "rc"), join(folder, "rc.yaml"));
  await expect(files.save(aTemplate("rc", "x"), true)).rejects.toThrow("is a link");
  expect(readFileSync(join(home, "rc"), "utf8")).toBe("mine");
});

test("a folder that cannot be written is refused with its path", async () => {
  const { home } = theFiles();
  writeFileSync(join(home, "file"), "");
  const folder = join(home, "file/templates");
  const files = createTemplateFiles({ builtin: home, user: home, folder });

  await expect(files.save(aTemplate("mine", "x"), false)).rejects.toThrow(folder);
  expect(existsSync(folder)).toBe(false);
});
