import type { PullRequestSpec } from "../../app/ports/workspace-tools.ts";
import { fieldsOf, parseJson, textOf } from "../../base/narrow.ts";
import { findOnPath } from "../runners/find-on-path.ts";
import { findRemote, pushBranch, withoutSecrets } from "./push-branch.ts";
import { noRemote, toolFailed, toolMissing } from "./refusals.ts";
import { runProgram, type ProgramEnd } from "./run-program.ts";

type Tool = "gh" | "glab";
type Environment = Readonly<Record<string, string>>;

const TOOLS: readonly Tool[] = ["gh", "glab"];
const TOOL_TIMEOUT_MS = 120_000;

/** The tools keep their sign-in in the user's files; these variables replace it. */
export const TOOL_VARIABLES = [
  "GH_TOKEN",
  "GITHUB_TOKEN",
  "GH_ENTERPRISE_TOKEN",
  "GITHUB_ENTERPRISE_TOKEN",
  "GH_HOST",
  "GH_CONFIG_DIR",
  "GITLAB_TOKEN",
  "GITLAB_HOST",
  "GLAB_CONFIG_DIR",
  // Where the sign-in is in the keyring of the desktop.
  "DBUS_SESSION_BUS_ADDRESS",
];

const WITHOUT_QUESTIONS = {
  GH_PROMPT_DISABLED: "1",
  GH_NO_UPDATE_NOTIFIER: "1",
  NO_PROMPT: "true",
  GLAB_NO_PROMPT: "true",
  GLAB_CHECK_UPDATE: "false",
  NO_COLOR: "1",
};

export async function pullRequestTool(repository: string, env: Environment): Promise<Tool | null> {
  const remote = await findRemote(repository, env);
  if (!remote) return null;
  const host = hostOf(remote.url);
  const fitting = TOOLS.filter((tool) => fits(tool, host));
  for (const tool of fitting) {
    if (await findOnPath([tool], env["PATH"])) return tool;
  }
  return null;
}

/** A host whose name says nothing may be an own server of either kind. */
function fits(tool: Tool, host: string): boolean {
  const [isGitHub, isGitLab] = [host.includes("github"), host.includes("gitlab")];
  return isGitHub === isGitLab || (tool === "gh" ? isGitHub : isGitLab);
}

/** Reads `https://host/…`, `ssh://user@host:22/…` and `user@host:path`; empty: a path. */
function hostOf(url: string): string {
  const match = /^(?:\w+:\/\/(?:[^@/]*@)?([^/:]+)|(?:[^@/]*@)?([^/:]+):)/.exec(url);
  return (match?.[1] ?? match?.[2] ?? "").toLowerCase();
}

export async function openPullRequest(
  tool: Tool,
  spec: PullRequestSpec,
  env: Environment,
): Promise<{ readonly url: string }> {
  const program = await findOnPath([tool], env["PATH"]);
  if (program === undefined) throw toolMissing(tool);
  const remote = await findRemote(spec.repository, env);
  if (!remote) throw noRemote();
  await pushBranch(spec.repository, spec.branch, remote, env);
  const run = (args: readonly string[], stdin = ""): Promise<ProgramEnd> =>
    runProgram({
      argv: [program, ...args],
      cwd: spec.repository,
      env: { ...env, ...WITHOUT_QUESTIONS },
      stdin,
      timeoutMs: TOOL_TIMEOUT_MS,
    });
  const created = tool === "gh" ? await createWithGh(run, spec) : await createWithGlab(run, spec);
  const url = created.isOk ? urlIn(created.stdout) : await existing(tool, run, spec, created);
  if (url !== undefined) return { url };
  const said = created.isOk ? `it named no address. ${created.stdout}` : created.problem;
  throw toolFailed(tool, withoutSecrets(said.trim()));
}

type Run = (args: readonly string[], stdin?: string) => Promise<ProgramEnd>;

/** `=` keeps a text that begins with a hyphen from becoming an option. */
function createWithGh(run: Run, { branch, target, title, body }: PullRequestSpec) {
  const which = [`--head=${branch}`, `--base=${target}`, `--title=${title}`];
  return run(["pr", "create", ...which, "--body-file=-"], body);
}

function createWithGlab(run: Run, { branch, target, title, body }: PullRequestSpec) {
  const which = [`--source-branch=${branch}`, `--target-branch=${target}`, `--title=${title}`];
  // A hyphen alone would open an editor, and no text a question.
  const description = /^-?$/.test(body.trim()) ? title : body;
  return run(["mr", "create", ...which, `--description=${description}`, "--yes"]);
}

/** Opened before a crash, or by a person: that is what was asked for. */
async function existing(
  tool: Tool,
  run: Run,
  { branch }: PullRequestSpec,
  { problem }: ProgramEnd,
): Promise<string | undefined> {
  if (!/already exists/i.test(problem)) return undefined;
  if (tool === "gh") return urlIn(problem);
  const { stdout } = await run(["mr", "view", branch, "--output=json"]);
  return textOf(fieldsOf(parseJson(stdout))["web_url"]);
}

function urlIn(text: string): string | undefined {
  return text.match(/https?:\/\/[^\s"'<>]+/g)?.at(-1);
}
