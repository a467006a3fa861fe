import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunRequest } from "../../../app/ports/runner.ts";
import { createCodexRunner } from "./runner.ts";

const REQUEST: RunRequest = {
  agentId: "impl-code-1794733200-a3f2",
  model: "gpt-5.5",
  prompt: "依頼",
  workingDirectory: "/srv/app",
  access: "read-write",
  runDirectory: "/data/run",
  mcp: {
    name: "kuromajutsu",
    command: ["/usr/bin/node", '/opt/a "b"/kuromajutsu.js', "mcp"],
    variables: ["KUROMAJUTSU_AGENT_ID", "KUROMAJUTSU_SOCKET"],
  },
};
const SERVER = String.raw`{command="/usr/bin/node",args=["/opt/a \"b\"/kuromajutsu.js","mcp"],env_vars=["KUROMAJUTSU_AGENT_ID","KUROMAJUTSU_SOCKET"],required=true,startup_timeout_sec=60,tool_timeout_sec=3600,default_tools_approval_mode="approve"}`;
const UNTRUSTED = ["-c", 'projects={"/srv/app"={trust_level="untrusted"}}'];

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "codex-home-")));
});
afterEach(() => rmSync(home, { recursive: true }));

function argvOf(over: Partial<RunRequest>): readonly string[] {
  return createCodexRunner({ home: () => home }).command({ ...REQUEST, ...over }, "/bin/codex")
    .argv;
}

test("the Codex command of a writing role skips the sandbox and names our server", () => {
  expect(argvOf({})).toEqual([
    "/bin/codex",
    "exec",
    "--json",
    "--skip-git-repo-check",
    "--dangerously-bypass-approvals-and-sandbox",
    ...UNTRUSTED,
    "-c",
    `mcp_servers={kuromajutsu=${SERVER}}`,
    "-m",
    "gpt-5.5",
    "-",
  ]);
});

test("a read-only role of Codex is confined to reading and continues its conversation so", () => {
  expect(argvOf({ access: "read-only", resumeSession: "t-1", model: null, mcp: null })).toEqual([
    "/bin/codex",
    "exec",
    "resume",
    "--json",
    "--skip-git-repo-check",
    "-c",
    'sandbox_mode="read-only"',
    "-c",
    'approval_policy="never"',
    ...UNTRUSTED,
    "t-1",
    "-",
  ]);
});

const HOST = ["/usr/bin/node", "/opt/app/codex-host.js"];

function hostedArgv(over: Partial<RunRequest>): readonly string[] {
  const runner = createCodexRunner({ home: () => home, host: HOST });
  return runner.command({ ...REQUEST, ...over }, "/bin/codex").argv;
}

test("our host starts the app server of Codex with the same settings as `codex exec`", () => {
  expect(hostedArgv({ resumeSession: "t-1" })).toEqual([
    ...HOST,
    "--access=read-write",
    "--server=kuromajutsu",
    "--inbox=/data/run/inbox.ndjson",
    "--model=gpt-5.5",
    "--resume=t-1",
    "--",
    "/bin/codex",
    "app-server",
    ...UNTRUSTED,
    "-c",
    `mcp_servers={kuromajutsu=${SERVER}}`,
  ]);
});

test("a health check of Codex needs no host", () => {
  expect(hostedArgv({ purpose: "health-check" }).slice(0, 2)).toEqual(["/bin/codex", "exec"]);
});

test("a health check of Codex is confined to reading for a writing role too, and has our server", () => {
  const argv = argvOf({ purpose: "health-check", model: null });

  expect(argv).toContain('sandbox_mode="read-only"');
  expect(argv).toContain("--ephemeral");
  expect(argv).toContain(`mcp_servers={kuromajutsu=${SERVER}}`);
});

test("the servers of the user are disabled, and ours gets another name than theirs", () => {
  writeFileSync(
    join(home, "config.toml"),
    [
      'mcp_servers."my files" = { command = "files" }',
      "# [mcp_servers.comment]",
      "[mcp_servers.kuromajutsu]",
      'url = "http://127.0.0.1:9696/mcp"',
      "[model_providers.mcp_servers]",
    ].join("\n"),
  );

  expect(argvOf({})).toContain(
    `mcp_servers={"my files"={enabled=false},"kuromajutsu"={enabled=false},kuro_agent=${SERVER}}`,
  );
  expect(createCodexRunner({ home: () => home }).toolName("report_result")).toBe(
    "mcp__kuro_agent__report_result",
  );
});

test("Codex decides about a repository only where the user has not", () => {
  const repository = join(home, "repository");
  const folder = join(repository, "packages", "one");
  mkdirSync(join(repository, ".git"), { recursive: true });
  mkdirSync(folder, { recursive: true });
  const link = join(home, "link");
  symlinkSync(folder, link);
  const trustOf = () =>
    argvOf({ workingDirectory: link }).filter((argument) => argument.startsWith("projects="));

  expect(trustOf()).toEqual([`projects={"${folder}"={trust_level="untrusted"}}`]);
  writeFileSync(join(home, "config.toml"), `[projects."${repository}"]\ntrust_level = "trusted"\n`);
  expect(trustOf()).toEqual([]);
});

test("a config.toml with errors is left to Codex itself", () => {
  writeFileSync(join(home, "config.toml"), "[mcp_servers.broken\n");

  expect(argvOf({ mcp: null }).join(" ")).not.toContain("mcp_servers");
});

test("without a server of the user, Codex shows our tools under our name", () => {
  const runner = createCodexRunner({ home: () => home });

  expect(runner.toolName("report_result")).toBe("mcp__kuromajutsu__report_result");
});
