import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { editListText, type ListEdit } from "./edit-list-text.ts";

const example = readFileSync(
  new URL("../../../kuromajutsu.config.example.yaml", import.meta.url),
  "utf8",
);

function editRolesText(text: string, edit: ListEdit): string {
  return editListText(text, ["roles"], edit);
}

/** The difference line by line: `-` is removed, `+` is added. */
function changes(before: string, after: string): readonly string[] {
  const old = before.split("\n");
  const now = after.split("\n");
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
  ];
}

function set(text: string, id: string, fields: Readonly<Record<string, unknown>>): string {
  return editRolesText(text, { kind: "set", id, fields });
}

function remove(text: string, id: string): string {
  return editRolesText(text, { kind: "remove", id });
}

describe("editListText keeps every line of the example file but the changed one", () => {
  test("a model", () => {
    expect(changes(example, set(example, "research", { model: "gpt-5.2" }))).toEqual([
      "-    model: composer-1.5",
      "+    model: gpt-5.2",
    ]);
  });

  test("a text in quotes stays in quotes", () => {
    expect(changes(example, set(example, "research", { healthCheckPrompt: "Say: yes" }))).toEqual([
      '-    healthCheckPrompt: "Hello, respond with exactly: OK"',
      '+    healthCheckPrompt: "Say: yes"',
    ]);
  });

  test("a Japanese prompt of several lines stays a block", () => {
    const systemPrompt = "あなたは調査の専門家です。\n\n  - 字下げ: そのまま\n# 見出し\n";

    expect(changes(example, set(example, "research", { systemPrompt }))).toEqual([
      "-      あなたは調査・情報収集の専門家です。",
      "-      与えられたテーマやトピックについて、Web検索やローカルファイルの検索を駆使して",
      "-      情報を収集し、整理された調査レポートとして報告してください。",
      "-      調査が完了したら、必ず kuromajutsu MCP の `report_result` ツールを呼び出して結果を報告してください。",
      "+      あなたは調査の専門家です。",
      "+",
      "+        - 字下げ: そのまま",
      "+      # 見出し",
    ]);
  });

  test("tools between brackets", () => {
    expect(changes(example, set(example, "text-review", { tools: ["textlint"] }))).toEqual([
      "-    tools: []",
      "+    tools: [textlint]",
    ]);
  });

  test("a model per runner", () => {
    const model = { cursor: "composer-1.5", claude: "sonnet" };

    expect(changes(example, set(example, "research", { model }))).toEqual([
      "-    model: composer-1.5",
      "+    model:",
      "+      cursor: composer-1.5",
      "+      claude: sonnet",
    ]);
  });

  test("a new field is added at the end of its entry", () => {
    expect(changes(example, set(example, "impl-test", { access: "read-only" }))).toEqual([
      "+    access: read-only",
    ]);
  });

  test("a new role is added after the last one, with the given fields only", () => {
    expect(changes(example, set(example, "orchestrator", { model: "opus" }))).toEqual([
      "+  - id: orchestrator",
      "+    model: opus",
      "+",
    ]);
  });

  test("several fields at once", () => {
    const edited = set(example, "code-review", {
      name: "査読者",
      tools: null,
      access: "read-write",
    });

    expect(edited).toContain("  - id: code-review\n    name: 査読者\n    description:");
    expect(edited).toContain(
      '    healthCheckPrompt: "Hello, respond with exactly: OK"\n    access: read-write\n\n  - id: text-review',
    );
  });

  test("adding and removing a role leaves the text unchanged", () => {
    const fields = { name: "n", description: "d", model: "m", systemPrompt: "一行\n二行\n" };

    expect(remove(set(example, "mine", fields), "mine")).toBe(example);
  });

  test("a role is removed with its lines and one blank line", () => {
    const edited = remove(example, "text-review");

    expect(changes(example, edited)).toHaveLength(11);
    expect(edited).toContain("    tools: []\n\n  - id: research");
  });
});

describe("comments and spaces", () => {
  test("a comment beside a value stays in its column", () => {
    const text = "roles:\n  - id: research\n    model: a         # why\n";

    expect(set(text, "research", { model: "b" })).toBe(
      "roles:\n  - id: research\n    model: b         # why\n",
    );
  });

  test("a comment beside a value stays beside the key when the value becomes a block", () => {
    const text = "roles:\n  - id: research\n    systemPrompt: a # why\n    name: x\n";

    expect(set(text, "research", { systemPrompt: "b\nc\n" })).toBe(
      "roles:\n  - id: research\n    systemPrompt: | # why\n      b\n      c\n    name: x\n",
    );
  });

  test("list items that stay keep their comments and the lines between them", () => {
    const text =
      "roles:\n  - id: research\n    tools: # all\n      # the first\n      - a   # A\n      - b # B\n    # model: off\n";

    expect(set(text, "research", { tools: ["b", "c"] })).toBe(
      "roles:\n  - id: research\n    tools: # all\n      # the first\n      - b # B\n      - c\n    # model: off\n",
    );
  });

  test("a comment beside a key without a value stays", () => {
    const text = "roles:\n  - id: a\n    tools:   # none yet\n";

    expect(set(text, "a", { tools: ["x"] })).toBe(
      "roles:\n  - id: a\n    tools:   # none yet\n      - x\n",
    );
  });

  test("lines commented out in a role are removed with it, and a new role is added after them", () => {
    const text = "roles:\n  - id: a\n    name: x\n    # model: y\n\n# the end\n";

    expect(set(text, "b", { name: "z" })).toBe(
      "roles:\n  - id: a\n    name: x\n    # model: y\n\n  - id: b\n    name: z\n\n# the end\n",
    );
    expect(remove(text, "a")).toBe("roles: []\n# the end\n");
  });

  test("blank lines after a block belong to the file, not to the prompt", () => {
    const text = "roles:\n  - id: a\n    systemPrompt: |\n      one\n\n\nlog:\n  level: info\n";

    expect(set(text, "a", { systemPrompt: "two\n" })).toBe(text.replace("one", "two"));
  });

  test("a prompt that ends with blank lines does not include those of the file", () => {
    const text = "roles:\n  - id: a\n    name: x\n\nlog:\n  level: info\n";

    expect(set(text, "a", { systemPrompt: "two\n\n\n" })).toBe(
      'roles:\n  - id: a\n    name: x\n    systemPrompt: "two\\n\\n\\n"\n\nlog:\n  level: info\n',
    );
  });
});

describe("files of every kind", () => {
  test("Windows line ends stay, and new lines have them too", () => {
    const windows = example.replaceAll("\n", "\r\n");

    const edited = set(windows, "research", { systemPrompt: "一\n二\n", access: "read-write" });

    expect(edited.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(edited).toContain(
      "    systemPrompt: |\r\n      一\r\n      二\r\n    healthCheckPrompt",
    );
    expect(changes(example, edited.replaceAll("\r\n", "\n"))).not.toContain("-# ログ設定");
  });

  test("a byte order mark stays", () => {
    expect(set("\u{FEFF}roles: []\n", "a", { name: "x" })).toBe(
      "\u{FEFF}roles:\n  - id: a\n    name: x\n",
    );
  });

  test.each([
    ["", "roles:\n  - id: a\n    name: x\n"],
    ["# nothing yet\n", "# nothing yet\n\nroles:\n  - id: a\n    name: x\n"],
    ["locale: ja", "locale: ja\n\nroles:\n  - id: a\n    name: x\n"],
    ["---\n", "---\n\nroles:\n  - id: a\n    name: x\n"],
    ["roles: # none\nlocale: ja\n", "roles: # none\n  - id: a\n    name: x\nlocale: ja\n"],
    ["roles: []  # none\n", "roles:  # none\n  - id: a\n    name: x\n"],
    ["roles: null\n", "roles:\n  - id: a\n    name: x\n"],
    ["roles:\n- id: b\n", "roles:\n- id: b\n\n- id: a\n  name: x\n"],
    ["roles:\n- id: b\n- id: c\n", "roles:\n- id: b\n- id: c\n- id: a\n  name: x\n"],
    ["{locale: ja}\n", "{locale: ja, roles: [{id: a, name: x}]}\n"],
    ["roles: [{id: b}] # one\n", "roles: [{id: b}, {id: a, name: x}] # one\n"],
    ["roles:\n  - { id: a } # one\n", "roles:\n  - { id: a, name: x } # one\n"],
    ["roles:\n  - name: y\n    id: a\n", "roles:\n  - name: x\n    id: a\n"],
    ['roles:\n  - "id": "a"\n    "name" : y\n', 'roles:\n  - "id": "a"\n    "name" : x\n'],
  ])("%j", (before, after) => {
    expect(set(before, "a", { name: "x" })).toBe(after);
  });

  test("anchors and aliases elsewhere are kept", () => {
    const text = "roles:\n  - id: a\n    name: &n x\n  - id: b\n    name: *n\n    model: m\n";

    expect(set(text, "b", { model: "k" })).toBe(text.replace("model: m", "model: k"));
    expect(set(text, "b", { name: "own" })).toBe(text.replace("*n", "own"));
  });
});
