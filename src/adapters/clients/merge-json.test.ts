import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { clientEntry } from "./client-entry.ts";
import { mergeJson } from "./merge-json.ts";

const COMMAND = ["/node", "/k.js", "mcp"];
const CLAUDE = clientEntry("claude", COMMAND);
const VSCODE = clientEntry("vscode", COMMAND);

function merged(text: string, entry = CLAUDE): string {
  const result = mergeJson(text, entry);
  if (!("text" in result)) throw new Error(JSON.stringify(result));
  return result.text;
}

test.each(["cursor", "claude", "gemini", "vscode", "opencode"] as const)(
  "mergeJson adds the entry of %s to an empty file, and a second time changes nothing",
  (client) => {
    const entry = clientEntry(client, COMMAND);
    const [section, name] = entry.keys;

    const text = merged("", entry);

    expect(JSON.parse(text)).toEqual({ [section]: { [name]: entry.entry } });
    expect(text).toMatch(/^\{\n {2}"/);
    expect(mergeJson(text, entry)).toEqual({ kind: "same" });
  },
);

test("mergeJson keeps comments, order, indents and every other byte", () => {
  const before = `// mine
{
\t"a": 1, // one
\t"mcpServers": {
\t\t/* other */
\t\t"other": { "command": "x", "env": { "KEY": "secret" } } // last
\t\t// end
\t},
\t"z": [1,2] // no comma
}
`;

  const after = merged(before);

  const added = `\t\t"kuromajutsu": ${JSON.stringify(CLAUDE.entry, null, "\t").replaceAll("\n", "\n\t\t")}\n`;
  expect(after).toBe(
    before
      .replace('"secret" } } // last', '"secret" } }, // last')
      .replace("\t\t// end\n", `\t\t// end\n${added}`),
  );
});

test("mergeJson adds its section after the last one, whose comment stays where it is", () => {
  const after = merged(`{\n    "a": 1 // one\n}`);

  expect(after).toMatch(
    /^\{\n {4}"a": 1, \/\/ one\n {4}"mcpServers": \{\n {8}"kuromajutsu": \{\n {12}"type"/,
  );
  expect(after.endsWith("\n    }\n}")).toBe(true);
});

test.each([
  ["{}", "an empty object"],
  ["{ }\n", "an empty object with a space"],
  [`{"a":1,"mcpServers":{}}`, "one line"],
  [`{"mcpServers":{"x":{"command":"y"}}}`, "one line with a server"],
  [`{ "a": 1, }`, "a trailing comma in one line"],
  [`{\n  "a": 1,\n}\n`, "a trailing comma"],
  [`{\n  "mcpServers": {\n    // none yet\n  }\n}\n`, "an object with only a comment"],
  [`{\n  "mcpServers": {"x": {}\n}}\n`, "braces on one line"],
])("mergeJson merges into %j (%s)", (before) => {
  const after = merged(before);

  const old = parse(before, [], { allowTrailingComma: true });
  const now = parse(after, [], { allowTrailingComma: true });
  expect(now).toEqual({
    ...old,
    mcpServers: { ...old.mcpServers, kuromajutsu: CLAUDE.entry },
  });
  for (const [comment] of before.matchAll(/\/\/.*/g)) expect(after).toContain(comment);
  expect(mergeJson(after, CLAUDE)).toEqual({ kind: "same" });
});

test("mergeJson uses the line ends of the file", () => {
  const after = merged(`{\r\n  "servers": {\r\n    "a": {}\r\n  }\r\n}\r\n`, VSCODE);

  expect(after.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(after).toContain(`"a": {},\r\n    "kuromajutsu": {\r\n      "type": "stdio",\r\n`);
});

test("mergeJson changes only the command of an existing entry and keeps what a person has added", () => {
  const before = `{
  "mcpServers": {
    "kuromajutsu": {
      "command": "npx", // from the manual
      "args": ["tsx", "src/index.ts"],
      "env": { "CURSOR_API_KEY": "secret" },
      "disabled": true
    }
  }
}
`;
  const result = mergeJson(before, clientEntry("cursor", COMMAND));

  expect(result).toMatchObject({ kind: "change" });
  const after = merged(before, clientEntry("cursor", COMMAND));
  expect(after).toContain(`"command": "/node", // from the manual`);
  expect(parse(after).mcpServers.kuromajutsu).toEqual({
    command: "/node",
    args: ["/k.js", "mcp"],
    env: {
      CURSOR_API_KEY: "secret",
      KUROMAJUTSU_AGENT_TOKEN: "${env:KUROMAJUTSU_AGENT_TOKEN}",
    },
    disabled: true,
  });
});

test("mergeJson leaves an entry that uses HTTP as it is", () => {
  const text = `{"mcpServers":{"kuromajutsu":{"url":"http://127.0.0.1:9696/mcp"}}}`;

  expect(mergeJson(text, CLAUDE)).toEqual({ kind: "same" });
});

test.each([
  [`{\n  "a": 1\n  "b": 2\n}`, 3, 3],
  [`{\n  "a": tru\n}`, 2, 8],
  [`{\n  "mcpServers": {`, 2, 18],
  ["# no JSON\n", 1, 1],
])("mergeJson names the line of the error in %j", (text, line, column) => {
  expect(mergeJson(text, CLAUDE)).toMatchObject({ problem: { kind: "syntax", line, column } });
});

test.each([
  ["[]", "{ … }"],
  [`{"mcpServers": []}`, "mcpServers"],
  [`{"mcpServers": null}`, "mcpServers"],
  [`{"mcpServers": {"kuromajutsu": "x"}}`, "kuromajutsu"],
])("mergeJson refuses %s, where a map is needed", (text, key) => {
  expect(mergeJson(text, CLAUDE)).toEqual({ problem: { kind: "not-a-map", key } });
});

test("mergeJson refuses a file in which its section occurs twice", () => {
  expect(mergeJson(`{"mcpServers":{},"mcpServers":{}}`, CLAUDE)).toEqual({
    problem: { kind: "by-hand" },
  });
});
