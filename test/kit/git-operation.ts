import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Git } from "../../src/app/ports/git.ts";
import type { TestRepository } from "./repository.ts";

const ADAPTER = new URL("../../src/adapters/git/create-git.ts", import.meta.url).href;
const PROGRAM = `
import { createGit } from ${JSON.stringify(ADAPTER)};
const [directory, method, args] = JSON.parse(process.argv[1]);
const git = createGit({ directory, environment: process.env });
process.stdout.write("ready");
await git[method](...args);
`;

/** Another process that calls one method of the adapter, as a daemon would. */
export function startOperation(
  { adapterDirectory }: TestRepository,
  method: keyof Git,
  args: readonly unknown[],
): ChildProcess {
  const job = JSON.stringify([adapterDirectory, method, args]);
  const child = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM, job], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Kills the process that many milliseconds after it has begun its method; its children live on. */
export async function killAfter(child: ChildProcess, ms: number): Promise<void> {
  const exited = once(child, "exit");
  if (child.stdout) await Promise.race([once(child.stdout, "data"), exited]);
  await Promise.race([sleep(ms), exited]);
  child.kill("SIGKILL");
  await exited;
}
