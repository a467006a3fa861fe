import { readdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { aPlace, type Place, run, until } from "./daemon.ts";
import { processesWith } from "./processes.ts";

/** A home and a temporary directory of their own, so that a test sees everything that is left. */
export function aDemoPlace(over: Record<string, string> = {}): Place & { readonly tmp: string } {
  const place = aPlace();
  const tmp = place.dir;
  const { PATH = "", LANG = "" } = place.env;
  return { ...place, tmp, env: { PATH, LANG, HOME: place.dir, TMPDIR: tmp, ...over } };
}

/** Starts `kuromajutsu demo` and waits for its address. */
export async function aDemo(place: Place, args: readonly string[] = []) {
  const child = run(place, ["demo", "--no-open", ...args]);
  let said = "";
  child.stderr?.on("data", (chunk) => (said += String(chunk)));
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const address = /http:\/\/127\.0\.0\.1:\d+/;
  await until(
    () => address.test(said),
    () => (child.exitCode === null ? undefined : `the demo ended: ${said}`),
  );
  return {
    url: address.exec(said)?.[0] ?? "",
    said: () => said,
    async end(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      return exited;
    },
  };
}

export function demosIn(tmp: string): readonly string[] {
  return readdirSync(tmp).filter((name) => name.startsWith("kuromajutsu-demo-"));
}

/** Processes of demos in this directory: agents, launchers and servers. */
export function processesOf(tmp: string) {
  return processesWith(`HOME=${join(tmp, "kuromajutsu-demo-")}`);
}
