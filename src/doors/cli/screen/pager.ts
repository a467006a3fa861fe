import { spawn } from "node:child_process";

/** Long lines are not wrapped, a short text does not wait for a key, and colours are shown. */
const LESS = "FRSX";

/** Shows a text in PAGER or less. Returns false if there is none. */
export async function openPager(text: string): Promise<boolean> {
  const command = process.env["PAGER"] || "less";
  const child = spawn(command, {
    shell: true,
    stdio: ["pipe", "inherit", "ignore"],
    env: { LESS, LESSCHARSET: "utf-8", ...process.env },
  });
  // A person who quits early closes the pipe.
  child.stdin.on("error", () => {});
  child.stdin.end(text);
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(NOT_FOUND));
    child.once("exit", resolve);
  });
  return code !== NOT_FOUND;
}

/** What a shell answers for a command that does not exist. */
const NOT_FOUND = 127;
