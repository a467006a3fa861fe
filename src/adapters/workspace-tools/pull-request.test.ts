import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { pullRequestTools } from "../../../test/kit/pull-requests/stand-in.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { createWorkspaceTools } from "./create-workspace-tools.ts";
import { withoutSecrets } from "./push-branch.ts";

beforeEach(() => {
  vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
  return () => vi.unstubAllEnvs();
});

function git(cwd: string, ...args: string[]): string {
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  return execFileSync("git", [...who, ...args], { cwd, encoding: "utf8" }).trim();
}

/** A checkout with `main` pushed to a bare repository, and an agent's branch that is not. */
function aRepository() {
  const home = aTempDir();
  const [repository, remote] = [join(home, "work"), join(home, "remote.git")];
  git(home, "init", "-q", "--bare", "-b", "main", remote);
  git(home, "init", "-q", "-b", "main", repository);
  git(repository, "commit", "-q", "--allow-empty", "-m", "first");
  git(repository, "remote", "add", "origin", remote);
  git(repository, "push", "-q", "origin", "main");
  git(repository, "checkout", "-q", "-b", "kuromajutsu/grp-1/agent-1");
  writeFileSync(join(repository, "a.txt"), "change\n");
  git(repository, "add", "a.txt");
  git(repository, "commit", "-q", "-m", "change");
  git(repository, "checkout", "-q", "main");
  return { repository, remote, commit: git(repository, "rev-parse", "kuromajutsu/grp-1/agent-1") };
}

function aSpec(repository: string) {
  return {
    repository,
    branch: "kuromajutsu/grp-1/agent-1",
    target: "main",
    title: "--web: 変更\u3000を追加",
    body: "一行目\n`$(touch x)` の説明\n",
  };
}

function toolsWith(path: string, more: Readonly<Record<string, string>> = {}) {
  const variables = { PATH: path, HOME: "/nonexistent", SLACK_BOT_TOKEN: "xoxb-1", ...more };
  return createWorkspaceTools({ variables, extraNames: [] });
}

test.each([["gh"], ["glab"]] as const)(
  "%s opens a pull request for the pushed branch, and finds it the second time",
  async (tool) => {
    const { repository, remote, commit } = aRepository();
    const standIn = pullRequestTools(tool);
    const tools = toolsWith(standIn.path);
    const spec = aSpec(repository);
    expect(await tools.pullRequestTool(repository)).toBe(tool);

    const first = await tools.openPullRequest(tool, spec);
    const again = await tools.openPullRequest(tool, spec);

    expect(first.url).toMatch(/^https:\/\/git(hub|lab)\.example\/.*\/1$/);
    expect(again).toEqual(first);
    expect(git(remote, "rev-parse", spec.branch)).toBe(commit);
    const [made, ...others] = standIn.opened(tool);
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      branch: spec.branch,
      target: "main",
      title: spec.title,
      body: spec.body,
    });
    expect(made?.environment).not.toContain("SLACK_BOT_TOKEN");
  },
);

test("the host of the remote chooses the tool, and without a remote there is none", async () => {
  const { repository } = aRepository();
  const both = toolsWith(pullRequestTools("gh", "glab").path);
  const onlyGh = toolsWith(pullRequestTools("gh").path);
  const none = toolsWith(pullRequestTools().path);
  const setUrl = (url: string) => git(repository, "remote", "set-url", "origin", url);

  setUrl("git@gitlab.com:o/r.git");
  expect(await both.pullRequestTool(repository)).toBe("glab");
  expect(await onlyGh.pullRequestTool(repository)).toBeNull();
  setUrl("https://github.com/gitlab/r");
  expect(await both.pullRequestTool(repository)).toBe("gh");
  setUrl("ssh://git@code.example.com:22/github/r");
  expect(await both.pullRequestTool(repository)).toBe("gh");
  expect(await none.pullRequestTool(repository)).toBeNull();
  git(repository, "remote", "remove", "origin");
  expect(await both.pullRequestTool(repository)).toBeNull();
  expect(await both.pullRequestTool("/nonexistent")).toBeNull();
});

test("hooks and commands that an agent planted in the repository do not run", async () => {
  const { repository } = aRepository();
  const trap = join(aTempDir(), "ran");
  // A builtin: the `PATH` of the test has no other programs.
  const plant = `: > ${trap};:`;
  mkdirSync(join(repository, ".git", "hooks"), { recursive: true });
  for (const hook of ["pre-push", "reference-transaction"]) {
    writeFileSync(join(repository, ".git", "hooks", hook), `#!/bin/sh\n${plant}\n`, {
      mode: 0o755,
    });
  }
  git(repository, "config", "core.fsmonitor", plant);
  git(repository, "config", "core.sshCommand", plant);
  git(repository, "config", "remote.origin.receivepack", plant);
  git(repository, "config", "credential.helper", `!${plant}`);
  const standIn = pullRequestTools("gh");

  await toolsWith(standIn.path).openPullRequest("gh", aSpec(repository));
  git(repository, "remote", "set-url", "origin", "ssh://git@localhost:1/o/r");
  await expect(
    toolsWith(standIn.path).openPullRequest("gh", aSpec(repository)),
  ).rejects.toMatchObject({ code: "MERGE_NOT_POSSIBLE" });

  expect(standIn.opened("gh")).toHaveLength(1);
  expect(existsSync(trap)).toBe(false);
});

test("a refused push and a signed-out tool are refusals in their own words", async () => {
  const { repository, remote } = aRepository();
  const standIn = pullRequestTools("gh");
  const tools = toolsWith(standIn.path);
  const spec = aSpec(repository);
  git(remote, "branch", spec.branch, "main");
  git(remote, "symbolic-ref", "HEAD", `refs/heads/${spec.branch}`);
  git(repository, "checkout", "-q", "--orphan", "other");
  git(repository, "commit", "-q", "--allow-empty", "-m", "unrelated");
  git(repository, "branch", "-f", spec.branch, "other");
  await expect(tools.openPullRequest("gh", spec)).rejects.toMatchObject({
    code: "MERGE_NOT_POSSIBLE",
    message: expect.stringContaining("rejected"),
  });

  git(repository, "branch", "-f", spec.branch, "main");
  standIn.signOut();
  await expect(tools.openPullRequest("gh", spec)).rejects.toMatchObject({
    message: expect.stringContaining("gh auth login"),
  });
  await expect(tools.openPullRequest("glab", spec)).rejects.toMatchObject({
    message: "glab is not installed.",
  });
  await expect(tools.openPullRequest("gh", { ...spec, branch: "gone" })).rejects.toMatchObject({
    message: "The repository has no branch gone to push.",
  });
});

test("a password in the address of the remote is not shown, and nothing is left behind", async () => {
  const { repository } = aRepository();
  git(repository, "remote", "set-url", "origin", "http://me:hunter2@127.0.0.1:1/o/r");
  const { path } = pullRequestTools("gh");
  const temporary = aTempDir();
  vi.stubEnv("TMPDIR", temporary);

  const refused = await toolsWith(path)
    .openPullRequest("gh", aSpec(repository))
    .catch((error: unknown) => error);

  expect(refused).toMatchObject({ code: "MERGE_NOT_POSSIBLE" });
  expect(String(refused)).not.toContain("hunter2");
  expect(readdirSync(temporary)).toEqual([]);
  expect(withoutSecrets("fatal: https://me:hunter2@a.example/r: no")).toBe(
    "fatal: https://***@a.example/r: no",
  );
});
