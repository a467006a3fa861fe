import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { FileTrust } from "../../../contract/shapes/trust.ts";
import { askTrust } from "./ask-trust.ts";
import { createConsole } from "./console.ts";

const TRUST: FileTrust = {
  path: "/clone/\u001B[2Jkuromajutsu.config.yaml",
  hash: "h",
  powers: [
    { kind: "server", name: "x", lines: ["$ sh -c true", "env.A: b"], isTrusted: false },
    { kind: "variable", name: "TOKEN", lines: [], isTrusted: true },
  ],
  rules: ["tasks.approval: anyone"],
  inUse: "u",
  problem: null,
  command: "kuromajutsu trust /clone",
};

async function ask(answers: readonly string[], { isTTY = true, yes = false } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  let said = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    // One answer to each question.
    if (text.endsWith("[y/n] ")) input.write(`${left.shift() ?? ""}\n`);
  });
  const left = [...answers];
  const console = createConsole({ input, output }, () => {});
  const isTrusted = await askTrust(console, {
    trust: TRUST,
    locale: "en",
    weakened: ["people"],
    yes,
  });
  console.close();
  return { isTrusted, said };
}

test("askTrust shows all powers and rules, and repeats the question until the answer is clear", async () => {
  const { isTrusted, said } = await ask(["perhaps", "", "y"]);

  expect(isTrusted).toBe(true);
  expect(said).toContain("+ MCP server: x (new)\n        $ sh -c true\n        env.A: b\n");
  expect(said).toContain("environment variable handed to agents: TOKEN (trusted)");
  expect(said).toContain("With it you agree to these rules:\n        tasks.approval: anyone\n");
  expect(said).toContain("! People no longer have to sign in");
  expect(said).not.toContain("\u001B[2J");
});

test("after a no the file is not trusted, and the command to trust it later is shown", async () => {
  const { isTrusted, said } = await ask(["n"]);

  expect(isTrusted).toBe(false);
  expect(said).toContain("To trust it later: kuromajutsu trust /clone");
});

test("without a terminal the file is not trusted, unless --yes was given", async () => {
  const { isTrusted, said } = await ask([], { isTTY: false });

  expect(isTrusted).toBe(false);
  expect(said).toContain("in a terminal: kuromajutsu trust /clone");
  expect(said).not.toContain("--yes");
  expect((await ask([], { isTTY: false, yes: true })).isTrusted).toBe(true);
});
