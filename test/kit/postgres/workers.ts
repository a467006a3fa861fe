import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { aPlace, command, type Place, run, until } from "../daemon.ts";
import { whenDone } from "../when-done.ts";
import { ask, type TestServer } from "./servers.ts";

export type TestWorker = {
  readonly name: string;
  readonly id: string;
  readonly place: Place;
  readonly process: ChildProcess;
  readonly pid: number;
  readonly exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): Promise<void>;
};

export type WorkerOptions = {
  readonly name: string;
  readonly labels?: readonly string[];
  readonly slots?: number;
  readonly drain?: string;
  /** Further servers that it may connect to. */
  readonly others?: readonly Pick<TestServer, "url">[];
};

/** While servers and the database fail at random, it takes a few attempts. */
const CONNECTED_WITHIN_MS = 60_000;

const added = z.object({ workerId: z.string(), token: z.string() });

/** Makes a token, and a place whose worker has it. */
export async function aWorkerPlace(
  server: Pick<TestServer, "url">,
  name: string,
): Promise<{ readonly id: string; readonly place: Place }> {
  const { body } = await ask(server, "POST", "/api/workers", { json: { name } });
  const { workerId, token } = added.parse(body);
  const place = aPlace({ LANG: "en_US.UTF-8" });
  writeFileSync(join(place.dir, "token"), `${token}\n`, { mode: 0o600 });
  return { id: workerId, place };
}

/** Starts `kuromajutsu worker`, and waits until it is connected. */
export async function aWorker(
  server: Pick<TestServer, "url">,
  options: WorkerOptions,
): Promise<TestWorker> {
  const { id, place } = await aWorkerPlace(server, options.name);
  return startWorker(server, place, id, options);
}

/** The next process of the same worker. */
export async function startWorker(
  server: Pick<TestServer, "url">,
  place: Place,
  id: string,
  options: WorkerOptions,
): Promise<TestWorker> {
  const child = run(place, workerArguments(server, place, options));
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += String(chunk);
    writeFileSync(join(place.dir, "log"), String(chunk), { flag: "a" });
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  whenDone(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  await until(
    () => said.includes("Connected."),
    () => (child.exitCode === null ? undefined : `the worker ended: ${said}`),
    CONNECTED_WITHIN_MS,
  ).catch((error: unknown) => {
    throw new Error(`The worker did not connect: ${said}`, { cause: error });
  });
  return {
    name: options.name,
    id,
    place,
    process: child,
    pid: child.pid ?? 0,
    exited,
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

export function workerArguments(
  { url }: Pick<TestServer, "url">,
  place: Place,
  { labels = [], slots = 10, drain, others = [] }: Omit<WorkerOptions, "name">,
): readonly string[] {
  return [
    "worker",
    ...[{ url }, ...others].flatMap((server) => ["--server", server.url]),
    "--token-file",
    join(place.dir, "token"),
    "--data",
    join(place.dir, "worker"),
    "--slots",
    String(slots),
    ...labels.flatMap((label) => ["--label", label]),
    ...(drain === undefined ? [] : ["--drain", drain]),
  ];
}

/** A worker that is refused ends by itself. */
export function refusedWorker(
  server: Pick<TestServer, "url">,
  place: Place,
  options: Omit<WorkerOptions, "name"> = {},
) {
  return command(place, workerArguments(server, place, options));
}
