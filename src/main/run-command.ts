import { parseArgs } from "node:util";
import { HELP } from "../doors/cli/help.ts";
import { ALREADY_RUNNING } from "./client/connect-or-start.ts";
import { runReload, runStatus, runStop } from "./remote-commands.ts";
import { VERSION } from "./version.ts";

const OPTIONS = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
  port: { type: "string" },
  config: { type: "string" },
  background: { type: "boolean" },
  conformance: { type: "boolean" },
  "found-config": { type: "string" },
  "no-found-config": { type: "boolean" },
  json: { type: "boolean" },
  "stop-agents": { type: "boolean" },
  yes: { type: "boolean", short: "y" },
  detach: { type: "boolean" },
  priority: { type: "string" },
  reason: { type: "string" },
  answer: { type: "string" },
  status: { type: "string" },
  skip: { type: "boolean" },
  "any-arguments": { type: "boolean" },
  name: { type: "string" },
  role: { type: "string" },
  list: { type: "boolean" },
  revoke: { type: "boolean" },
} as const;

/** Every command but `mcp`. Answers the exit code. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parse(argv);
  const [command = "serve", ...rest] = positionals;
  if (values.help || command === "help") return print(HELP);
  if (values.version || command === "version") return print(`${VERSION}\n`);
  if (values.config !== undefined) process.env["KUROMAJUTSU_CONFIG"] = values.config;
  if (command === "trust") {
    const { runTrust } = await import("./trust-command.ts");
    return runTrust(rest, values);
  }
  if (command === "run") await offerTrust();
  if (command === "run" || command === "tasks" || command === "approvals") {
    const { runTerminal } = await import("./terminal-commands.ts");
    return runTerminal(command, rest, values);
  }
  if (command === "user") {
    const { runUser } = await import("./user-commands.ts");
    return runUser(rest, values);
  }
  if (command === "audit") {
    const [word = "", ...more] = rest;
    if (more.length > 0 || (word !== "verify" && word !== "anchor")) {
      throw usage("`audit` takes one word: verify or anchor.");
    }
    const { runAuditAnchor, runAuditVerify } = await import("./audit-command.ts");
    return word === "anchor" ? runAuditAnchor() : runAuditVerify(values.json ?? false);
  }
  if (rest.length > 0) throw usage(`Unexpected: ${rest.join(" ")}.`);
  switch (command) {
    case "serve":
      return runServe(values);
    case "mcp":
      throw usage("`mcp` takes no options.");
    case "status":
      return runStatus(values.json ?? false);
    case "reload":
      return runReload();
    case "stop":
      return runStop(values["stop-agents"] ?? false);
    default:
      throw usage(`There is no command "${command}".`);
  }
}

/** Loaded only where it is needed: it reads the file, and the shim has no time for that. */
async function offerTrust(): Promise<void> {
  const trust = await import("./trust-command.ts");
  await trust.offerTrust();
}

async function runServe(values: ReturnType<typeof parse>["values"]): Promise<number> {
  if (!values.background && process.stdin.isTTY) await offerTrust();
  await import("./process/plain-parsers.ts");
  const { AlreadyRunning, serve } = await import("./daemon/serve.ts");
  const daemon = await serve({
    background: values.background ?? false,
    port: portOf(values.port),
    foundConfig: values["no-found-config"] ? null : values["found-config"],
    conformance: values.conformance ?? false,
  }).catch((error: unknown) => {
    // A half-started daemon must not stay: its doors may already be open.
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(values.background && error instanceof AlreadyRunning ? ALREADY_RUNNING : 1);
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => void daemon.stop().then(() => process.exit(0)));
  }
  if (!values.background) {
    const { welcome } = await import("./daemon/welcome.ts");
    process.stderr.write(welcome(await daemon.status(), await daemon.rehearsal()));
  }
  return 0;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw usage(`--port: found "${text}"; expected a number from 0 to 65535.`);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function usage(problem: string): Error {
  return new Error(`${problem}\nRun \`kuromajutsu --help\` to see what there is.`);
}
