import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Context } from "./bench.ts";

export type Helper = {
  readonly pid: number;
  /** One line to it, one line back. */
  ask(line: string): Promise<string>;
};

/** A bare Node process for a floor: with none of our memory and none of the benchmark's. */
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
