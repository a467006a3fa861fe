import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aGroup, runAll, statusOf, waitForAll } from "../kit/agents.ts";
import { aPlace, aStdioClient, type Place, readDaemonFile, until } from "../kit/daemon.ts";
import { aFreePort } from "../kit/free-port.ts";

const ROOT = join(import.meta.dirname, "../..");

/** `npm run dev` in a copy of the sources, which a test may spoil. */
function aDev(place: Place) {
  const checkout = join(place.dir, "checkout");
  mkdirSync(checkout);
  for (const name of ["src", "scripts", "package.json"]) {
    cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"));

  const child = spawn(process.execPath, ["scripts/dev.ts"], { cwd: checkout, env: place.env });
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const broken = () => (child.exitCode === null ? undefined : `dev ended: ${said}`);
  return {
    child,
    ended,
    file: (path: string) => join(checkout, path),
    says: (text: string, times = 1) =>
      until(() => said.split(text).length > times, broken).catch(() => {
        throw new Error(`It has not said "${text}" but: ${said}`);
      }),
    /** The pid of a daemon that is ready, and is not the one before. */
    async daemonAfter(before?: number): Promise<number> {
      let pid: number | undefined;
      await until(() => {
        pid = readDaemonFile(place)?.pid;
        return pid !== undefined && pid !== before;
      }, broken).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${said}`);
      });
      return pid ?? 0;
    },
  };
}

/** As editors save: another file takes the place of the old one. */
function saveByRenaming(path: string, text: string): void {
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a saved source brings a new daemon; the agent goes on, its client too, and the result arrives", async () => {
  const place = aPlace({ KUROMAJUTSU_PORT: String(await aFreePort()) });
  const dev = aDev(place);
  const first = await dev.daemonAfter();
  const client = await aStdioClient(place);
  const ids = await runAll(client, await aGroup(client), [{ prompt: "#rehearsal sleep 3000" }]);
  await until(async () => (await statusOf(client, ids[0] ?? "")).status === "running");
  const waiting = waitForAll(client, ids);

  const source = dev.file("src/main/help.ts");
  writeFileSync(source, readFileSync(source));

  const second = await dev.daemonAfter(first);
  expect(isAlive(first)).toBe(false);
  expect(await waiting).toMatchObject({ pending: [], timedOut: false });
  expect((await statusOf(client, ids[0] ?? "")).result).toMatchObject({
    status: "success",
    exitCode: 0,
  });
  expect(readDaemonFile(place)?.pid).toBe(second);
});

test("a source that does not compile says so and waits, and so does a wrong configuration; both are up again once mended", async () => {
  const place = aPlace();
  const dev = aDev(place);
  const first = await dev.daemonAfter();
  const source = dev.file("src/main/serve.ts");
  const good = readFileSync(source, "utf8");

  writeFileSync(source, `${good}\nconst = ;\n`);
  await dev.says("started again at the next change");
  await dev.says("serve.ts");
  expect(isAlive(first)).toBe(false);
  saveByRenaming(source, good);
  const again = await dev.daemonAfter(first);
  // A file that was saved by renaming is another file from then on: it must still be watched.
  saveByRenaming(source, good);
  const second = await dev.daemonAfter(again);

  const config = dev.file("kuromajutsu.config.yaml");
  writeFileSync(config, "agent: { maxConcurrent: many }\n");
  await dev.says("whole number");
  await dev.says("started again at the next change", 2);
  saveByRenaming(config, "agent: { maxConcurrent: 2 }\n");
  const third = await dev.daemonAfter(second);

  dev.child.kill("SIGINT");
  expect(await dev.ended).toBe(0);
  expect(isAlive(third)).toBe(false);
});

test("a client that calls while the daemon is broken does not get another one in its place", async () => {
  const place = aPlace();
  const dev = aDev(place);
  const first = await dev.daemonAfter();
  const client = await aStdioClient(place);
  const source = dev.file("src/main/serve.ts");
  const good = readFileSync(source, "utf8");
  writeFileSync(source, "const = ;\n");
  await dev.says("started again at the next change");

  const answer = client.call("list_roles");
  saveByRenaming(source, good);

  expect(await answer).toHaveProperty("roles");
  const second = await dev.daemonAfter(first);
  expect(parentOf(second)).toBe(dev.child.pid);
  expect(existsSync(join(place.dataDir, "daemon.log")), "a client has started one").toBe(false);
});

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}
