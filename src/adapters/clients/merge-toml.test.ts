import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { clientEntry } from "./client-entry.ts";
import { mergeToml } from "./merge-toml.ts";

const CODEX = clientEntry("codex", ["/node", "/k.js", "mcp"]);

function merged(text: string): string {
  const result = mergeToml(text, CODEX);
  if (!("text" in result)) throw new Error(JSON.stringify(result));
  return result.text;
}

test("mergeToml appends a table, and a second time changes nothing", () => {
  const before = `# mine
model = "gpt"   # fast
when = 2026-01-02T03:04:05Z
big = 9223372036854775807

[mcp_servers.other]
command = 'x'
[projects."/a b"]
trust_level = "trusted"`;

  const after = merged(before);

  expect(after.startsWith(`${before}\n\n[mcp_servers.kuromajutsu]\ncommand = "/node"\n`)).toBe(
    true,
  );
  expect(parse(after, { integersAsBigInt: "asNeeded" })).toMatchObject({
    mcp_servers: { other: { command: "x" }, kuromajutsu: CODEX.entry },
  });
  expect(mergeToml(after, CODEX)).toEqual({ kind: "same" });
});

test("mergeToml begins a new file with the table", () => {
  expect(merged("")).toMatch(/^\[mcp_servers\.kuromajutsu\]\n/);
});

test("mergeToml uses the line ends of the file", () => {
  const after = merged(`model = "x"\r\n`);

  expect(after.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(after).toContain(`\r\n\r\n[mcp_servers.kuromajutsu]\r\n`);
});

test("mergeToml changes only the command of an existing table and keeps what a person has added", () => {
  const before = `[a]
command = "not this"

[ mcp_servers . "kuromajutsu" ] # ours
# how it is started
command = "npx"
args = [
  "tsx", # slow
  "src/index.ts",
]
tool_timeout_sec = 60.0
[mcp_servers.kuromajutsu.env]
KEY = "secret"
[b]
args = []
`;
  const after = merged(before);

  expect(mergeToml(before, CODEX)).toMatchObject({ kind: "change" });
  expect(parse(after)).toEqual({
    a: { command: "not this" },
    mcp_servers: {
      kuromajutsu: { ...CODEX.entry, tool_timeout_sec: 60, env: { KEY: "secret" } },
    },
    b: { args: [] },
  });
  expect(after).toContain(
    `# how it is started\ncommand = "/node"\nargs = [ "/k.js", "mcp" ]\ntool_`,
  );
  expect(mergeToml(after, CODEX)).toEqual({ kind: "same" });
});

test("mergeToml counts a number that Codex has written with a decimal point as equal", () => {
  const after = merged("").replace("tool_timeout_sec = 3600", "tool_timeout_sec = 3600.0");

  expect(after).toContain("3600.0");
  expect(mergeToml(after, CODEX)).toEqual({ kind: "same" });
});

test("mergeToml leaves an entry that uses HTTP as it is", () => {
  const text = `[mcp_servers.kuromajutsu]\nurl = "http://127.0.0.1:9696/mcp"\n`;

  expect(mergeToml(text, CODEX)).toEqual({ kind: "same" });
});

test.each([
  ["an inline table of servers", `mcp_servers = { other = { command = "x" } }\n`],
  ["an inline entry", `[mcp_servers]\nkuromajutsu = { command = "x" }\n`],
  ["dotted keys", `mcp_servers.kuromajutsu.command = "x"\n`],
  [
    "a table in a string",
    `text = """\n[mcp_servers.kuromajutsu]\ncommand = "x"\n"""\nmcp_servers.kuromajutsu.command = "x"\n`,
  ],
])("mergeToml refuses to change %s", (_what, text) => {
  expect(mergeToml(text, CODEX)).toEqual({ problem: { kind: "by-hand" } });
});

test("mergeToml names the line of an error and shows nothing of the file", () => {
  const result = mergeToml(`a = 1\nb = \nkey = "secret"\n`, CODEX);

  expect(result).toMatchObject({ problem: { kind: "syntax", line: 2 } });
  expect(JSON.stringify(result)).not.toContain("secret");
});

test.each([
  [`mcp_servers = 1\n`, "mcp_servers"],
  [`[mcp_servers]\nkuromajutsu = "x"\n`, "kuromajutsu"],
])("mergeToml refuses %j, where a table is needed", (text, key) => {
  expect(mergeToml(text, CODEX)).toEqual({ problem: { kind: "not-a-map", key } });
});
