import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import type { CheckCommand, RoleToolCheck } from "../app/ports/check-command.ts";
import { isCode } from "../base/error-code.ts";
import { explainExhausted } from "./exhausted.ts";

const LIMIT_MS = 10_000;
const MAX_OUTPUT = 2_000;
/** Time for the last output to arrive after the exit. */
const DRAIN_MS = 200;

/**
 * Runs the command in its own process group, so that all it started ends with it. The exit counts
 * and not the end of the output, which a process left behind may hold open.
 */
export function createCheckCommand(
  env: () => Readonly<Record<string, string | undefined>>,
  limitMs: number = LIMIT_MS,
): CheckCommand {
  return ([command = "", ...args], cwd) =>
    new Promise((resolve) => {
      let output = "";
      const failed = (error: unknown): void =>
        resolve({ ok: false, detail: describe(error, command, cwd) });
      const child = trySpawn(command, args, { cwd, env: { ...env() } }, failed);
      if (!child) return;
      const end = (outcome: RoleToolCheck): void => {
        clearTimeout(timer);
        killGroup(child.pid);
        child.stdout.destroy();
        child.stderr.destroy();
        resolve(outcome);
      };
      const timer = setTimeout(
        () => end({ ok: false, detail: `no answer within ${limitMs / 1_000} s` }),
        limitMs,
      );
      const keep = (chunk: string): void =>
        void (output += chunk.slice(0, MAX_OUTPUT - output.length));
      child.stdout.setEncoding("utf8").on("data", keep);
      child.stderr.setEncoding("utf8").on("data", keep);
      child.on("error", (error) => end({ ok: false, detail: describe(error, command, cwd) }));
      child.once("exit", (code, signal) => {
        const ended = () =>
          end({ ok: code === 0, detail: firstLine(output) || ending(code, signal) });
        child.once("close", ended);
        setTimeout(ended, DRAIN_MS);
      });
    });
}

/** Undefined if it could not be started; then `failed` is called with the reason. */
function trySpawn(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  failed: (error: unknown) => void,
) {
  try {
    const child = spawn(command, args, {
      ...options,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (child.pid !== undefined) return child;
    child.once("error", failed);
  } catch (error) {
    failed(error);
  }
  return undefined;
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
}

function describe(error: unknown, command: string, cwd: string): string {
  return isCode(error, "ENOENT") ? `${command} was not found (in ${cwd})` : explainExhausted(error);
}

function firstLine(output: string): string {
  const lines = stripVTControlCharacters(output).split("\n");
  return (lines.find((line) => line.trim() !== "") ?? "").trim().slice(0, 200);
}

function ending(code: number | null, signal: string | null): string {
  return signal === null ? `ended with ${code}` : `ended by ${signal}`;
}
