// `node test/clis/record-streams.ts [cli…] [case…]` runs the installed CLIs alone against the mock
// LLM and writes what they print to test/kit/streams. The tests of the runners parse these files.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { CLIS, type Action, type Script } from "../kit/mock-llm/script.ts";
import { startMockLlm } from "../kit/mock-llm/server.ts";
import { commandOf, hostedCodex } from "./bare-command.ts";
import { aHome } from "./home.ts";
import { CACHE } from "./installed.ts";

const STREAMS = fileURLToPath(new URL("../kit/streams", import.meta.url));
const SERVER = fileURLToPath(new URL("../kit/mock-llm/report-server.ts", import.meta.url));
const GIVE_UP_MS = 40_000;
/** The CLIs alone, and Codex with our host, which writes the events of a runner. */
const RECORDED = [...CLIS, "codex-host"] as const;
type Recorded = (typeof RECORDED)[number];

type Case = {
  readonly script: (directory: string) => Script;
  readonly mcp?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Continues this conversation, or the one of the case before. */
  readonly resumes?: string | true;
};

/** Takes the steps in their order, one per request. */
function steps(...each: readonly (readonly Action[])[]): Script {
  let next = 0;
  return () => each[next++] ?? [{ say: "The work is done." }];
}

const always = (action: Action) => (): Script => () => [action];

const CASES: Readonly<Record<string, Case>> = {
  "whole-run": {
    script: (at) =>
      steps(
        [
          { say: "I change the old file first." },
          { edit: `${at}/old.txt`, from: "beta", to: "gamma" },
        ],
        [{ write: `${at}/new.txt`, content: "one\ntwo\n" }],
        [{ edit: `${at}/old.txt`, from: "not in the file", to: "anything" }],
        [{ shell: "echo from the shell" }],
        [
          {
            call: "report_result",
            input: { status: "success", summary: "The files are written." },
          },
        ],
      ),
  },
  resume: {
    resumes: true,
    script: (at) => steps([{ edit: `${at}/new.txt`, from: "two", to: "three" }]),
  },
  "session-lost": { resumes: "00000000-0000-4000-8000-000000000000", script: () => steps() },
  "retry-429": { script: () => steps([{ fail: 429 }]) },
  "retry-529": { script: () => steps([{ fail: 529 }]) },
  "retry-cut": { script: () => steps([{ fail: "cut" }]) },
  "signed-out": { script: always({ fail: 401 }) },
  "rate-limited": { script: always({ fail: 429 }) },
  overloaded: { script: always({ fail: 529 }) },
  quota: {
    script: always({ fail: "quota" }),
    // Claude Code knows plan limits only of a person's own account.
    env: { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "mock-key" },
  },
  "mcp-down": { script: () => steps(), mcp: ["/bin/false"] },
};

const names = process.argv.slice(2);
const root = join(CACHE, "recording");
mkdirSync(root, { recursive: true });
for (const cli of RECORDED.filter((each) => isWanted(each, RECORDED))) await record(cli);

function isWanted(name: string, among: readonly string[]): boolean {
  return !names.some((each) => among.includes(each)) || names.includes(name);
}

async function record(cli: Recorded): Promise<void> {
  const home = mkdtempSync(join(root, `${cli}-`));
  const directory = join(home, "app");
  mkdirSync(directory);
  writeFileSync(join(directory, "old.txt"), "alpha\nbeta\n");
  let session: string | undefined;
  for (const [name, each] of Object.entries(CASES)) {
    const isWritten = isWanted(name, Object.keys(CASES));
    // A resumed conversation needs the run before it.
    if (!isWritten && !(name === "whole-run" && names.includes("resume"))) continue;
    const resume = each.resumes === true ? session : each.resumes;
    const { stdout, ...ended } = await run(cli, home, directory, each, resume);
    session ??= sessionIn(stdout);
    if (!isWritten) continue;
    const at = (type: string) => join(STREAMS, `${cli}-${name}.${type}`);
    writeFileSync(at("ndjson"), neutral(stdout, home));
    if (cli === "codex-host" && name === "whole-run") {
      const printed = readFileSync(join(home, "app-server.ndjson"), "utf8");
      writeFileSync(join(STREAMS, "codex-app-server.ndjson"), neutral(printed, home));
    }
    say(`${cli} ${name}: ${stdout.split("\n").length - 1} lines, ${ended.end}`);
    if (!ended.isOk && ended.stderr !== "")
      writeFileSync(at("stderr.txt"), neutral(ended.stderr, home));
  }
  rmSync(home, { recursive: true, force: true });
}

async function run(cli: Recorded, home: string, directory: string, each: Case, resume?: string) {
  const llm = await startMockLlm(each.script(directory));
  const bare = { mcp: each.mcp ?? [process.execPath, SERVER], resume, folder: home };
  const { argv, env, files } = cli === "codex-host" ? hostedCodex(bare) : commandOf(cli, bare);
  for (const { path, content } of files) writeFileSync(path, content);
  const [file = "", ...args] = argv;
  const child = spawn(file, args, {
    cwd: directory,
    env: { ...aHome(home, llm.url), ...env, ...each.env },
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), GIVE_UP_MS);
  child.stdin.end("Please change the files and report.");
  const started = Date.now();
  const [stdout, stderr, end] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<string>((resolve) => {
      child.once("close", (code, signal) => resolve(`exit ${code ?? signal}`));
    }),
  ]);
  clearTimeout(timer);
  await llm.close();
  const took = `${end} after ${((Date.now() - started) / 1_000).toFixed(1)} s`;
  const requests = `${llm.turns.length} requests`;
  return { stdout, stderr, isOk: end === "exit 0", end: `${took}, ${requests}` };
}

/** The first id of a conversation in a stream, under the name that the CLI gives it. */
function sessionIn(stdout: string): string | undefined {
  return /"(?:session_id|thread_id|sessionID|sessionId)":"([^"]+)"/.exec(stdout)?.[1];
}

/** A recording must not depend on the machine it was made on. */
function neutral(output: string, home: string): string {
  return (
    output
      .replaceAll(join(home, "app"), "/srv/app")
      .replaceAll(home, "/home/someone")
      // OpenCode shows paths relative to the root.
      .replaceAll(join(home, "app").slice(1), "srv/app")
      .replaceAll(join(home, "app").replaceAll(/[^A-Za-z0-9]/g, "-"), "-srv-app")
      .replaceAll(CACHE, "/opt/kuromajutsu")
      .replaceAll(homedir(), "/home/someone")
      .replaceAll(process.execPath, "/usr/bin/node")
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:9999")
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
