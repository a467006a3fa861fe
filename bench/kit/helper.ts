import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Context } from "./bench.ts";

export type Helper = {
  readonly pid: number;
  /** Sends one line and resolves with one line. */
  ask(line: string): Promise<string>;
};

/** A bare Node process for a floor, without the memory of our code or of the benchmark. */
export function aHelper({ ends }: Pick<Context, "ends">, program: URL): Helper {
  const child = spawn(process.execPath, [fileURLToPath(program)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  ends.defer(async () => {
    child.stdin.end();
    await exited;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    async ask(line) {
      child.stdin.write(`${line}\n`);
      const answer = await lines.next();
      if (answer.done) throw new Error(`${program.pathname} has ended.`);
      return answer.value;
    },
  };
}
