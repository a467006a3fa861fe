import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { aGroup, runAll, statusOf, waitForAll } from "../kit/agents.ts";
import { aPlace, aStdioClient, type Place, readDaemonFile, until } from "../kit/daemon.ts";
import { aFreePort } from "../kit/free-port.ts";
import { aGate } from "../kit/gate.ts";
import { HAS_ALL_ROUNDS } from "../kit/rounds.ts";
import { sharedByTests, whenDone } from "../kit/when-done.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Each test starts several daemons from source, some also Vite. */
const WITHIN_MS = 60_000;

vi.setConfig({ testTimeout: 3 * WITHIN_MS });

/** `npm run dev` in a copy of the sources, which a test may change. */
function aDev(place: Place) {
  const checkout = join(place.dir, "checkout");
  mkdirSync(checkout);
  for (const name of ["src", "web", "scripts", "package.json", "tsconfig.json"]) {
    cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
  }
  linkPackages(checkout);
  const env = { ...place.env, KUROMAJUTSU_DEV_PORT: "0" };
  const child = spawn(process.execPath, ["scripts/dev.ts"], { cwd: checkout, env });
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  whenDone(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const broken = () => (child.exitCode === null ? undefined : `dev ended: ${said}`);
  return {
    place,
    child,
    ended,
    /** The address of the dashboard from source. */
    async page(): Promise<string> {
      let page: string | undefined;
      await until(
        () => {
          page = /dashboard from source: (\S+)/.exec(said)?.[1];
          return page !== undefined;
        },
        broken,
        WITHIN_MS,
      );
      return page ?? "";
    },
    file: (path: string) => join(checkout, path),
    says: (text: string, times = 1) =>
      until(() => said.split(text).length > times, broken, WITHIN_MS).catch(() => {
        throw new Error(`It has not said "${text}" but: ${said}`);
      }),
    /** The pid of a ready daemon other than the one before. */
    async daemonAfter(before?: number): Promise<number> {
      let pid: number | undefined;
      await until(
        () => {
          pid = readDaemonFile(place)?.pid;
          return pid !== undefined && pid !== before;
        },
        broken,
        WITHIN_MS,
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${said}`);
      });
      return pid ?? 0;
    },
  };
}

/** A separate folder, because Vite writes its cache into it. */
function linkPackages(checkout: string): void {
  const packages = join(checkout, "node_modules");
  mkdirSync(packages);
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (name === ".vite" || name === ".cache") continue;
    symlinkSync(join(ROOT, "node_modules", name), join(packages, name));
  }
}

/** Saves like many editors: a new file replaces the old one by rename. */
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

/** For tests that leave it with a daemon and good sources, because a start takes long. */
const aSharedDev = sharedByTests(async () =>
  aDev(aPlace({ KUROMAJUTSU_PORT: String(await aFreePort()) })),
);

test("npm run dev restarts the daemon after a saved source file; agent and client continue, and the result arrives", async () => {
  const dev = await aSharedDev();
  const { place } = dev;
  const first = await dev.daemonAfter();
  const client = await aStdioClient(place);
  const gate = aGate(place);
  const prompt = `#rehearsal ${gate.waits}`;
  const ids = await runAll(client, await aGroup(client), [{ prompt }]);
  await until(
    async () => (await statusOf(client, ids[0] ?? "")).status === "running",
    undefined,
    WITHIN_MS,
  );
  const waiting = waitForAll(client, ids);

  const source = dev.file("src/main/version.ts");
  writeFileSync(source, readFileSync(source));

  const second = await dev.daemonAfter(first);
  expect(isAlive(first)).toBe(false);
  gate.open();
  expect(await waiting).toMatchObject({ pending: [], timedOut: false });
  expect((await statusOf(client, ids[0] ?? "")).result).toMatchObject({
    status: "success",
    exitCode: 0,
  });
  expect(readDaemonFile(place)?.pid).toBe(second);
});

test.runIf(HAS_ALL_ROUNDS)(
  "npm run dev reports a source that does not compile or an invalid configuration, and starts again once it is mended",
  async () => {
    const place = aPlace();
    const dev = aDev(place);
    const first = await dev.daemonAfter();
    const source = dev.file("src/main/daemon/serve.ts");
    const good = readFileSync(source, "utf8");

    writeFileSync(source, `${good}\nconst = ;\n`);
    await dev.says("started again at the next change");
    await dev.says("serve.ts");
    expect(isAlive(first)).toBe(false);
    saveByRenaming(source, good);
    const again = await dev.daemonAfter(first);
    // A file that was saved by renaming has a new inode and must still be watched.
    saveByRenaming(source, good);
    const second = await dev.daemonAfter(again);

    const config = dev.file("kuromajutsu.config.yaml");
    writeFileSync(config, "agent: { maxConcurrent: many }\n");
    await dev.says("agent.maxConcurrent");
    await dev.says("started again at the next change", 2);
    saveByRenaming(config, "agent: { maxConcurrent: 2 }\n");
    const third = await dev.daemonAfter(second);

    dev.child.kill("SIGINT");
    expect(await dev.ended).toBe(0);
    expect(isAlive(third)).toBe(false);
  },
);

test("a client that calls while npm run dev has no daemon does not start another one", async () => {
  const dev = await aSharedDev();
  const { place } = dev;
  const first = await dev.daemonAfter();
  const client = await aStdioClient(place);
  const source = dev.file("src/main/daemon/serve.ts");
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

test("npm run dev replaces a saved module of the dashboard in the open page without restarting the daemon", async () => {
  const dev = await aSharedDev();
  const first = await dev.daemonAfter();
  const page = await dev.page();
  const html = await (await fetch(page, { headers: { accept: "text/html" } })).text();
  expect(html).toContain("/@vite/client");
  const changes = await aSocket(`${page.replace("http", "ws")}/`, "vite-hmr");
  // Vite watches only modules that a page has requested.
  await fetch(`${page}/src/ui/cx.ts`);

  const source = dev.file("web/src/ui/cx.ts");
  saveByRenaming(source, `${readFileSync(source, "utf8")}\nexport const saved = 1;\n`);

  await changes.hears(/"type":"(?:update|full-reload)"/);
  expect(await (await fetch(`${page}/src/ui/cx.ts`)).text()).toContain("saved");
  expect(await pidBehind(page)).toBe(first);
});

test("the development page reaches the daemon, also after a restart; pages of other origins do not", async () => {
  const dev = await aSharedDev();
  const first = await dev.daemonAfter();
  const page = await dev.page();
  const live = await aSocket(`${page.replace("http", "ws")}/ws`, undefined, page);
  live.send({ t: "hello" });
  await live.hears(/"t":"snapshot"/);
  expect(await pidBehind(page)).toBe(first);

  const source = dev.file("src/main/version.ts");
  writeFileSync(source, readFileSync(source));
  await live.ended;

  // Sent while the daemon is down: the request waits for the next one.
  expect(await pidBehind(page)).not.toBe(first);
  const again = await aSocket(`${page.replace("http", "ws")}/ws`, undefined, page);
  again.send({ t: "hello" });
  await again.hears(/"t":"snapshot"/);

  expect(await statusFor(page, page)).toBe(200);
  expect(await statusFor(page, "http://evil.example")).toBe(403);
});

async function statusFor(page: string, origin: string): Promise<number> {
  return (await fetch(`${page}/api/tasks`, { headers: { origin } })).status;
}

async function pidBehind(page: string): Promise<unknown> {
  const answer = await fetch(`${page}/api/health`, { headers: { origin: page } });
  const { pid } = z.looseObject({ pid: z.number() }).parse(await answer.json());
  return pid;
}

async function aSocket(url: string, protocol: string | undefined, origin?: string) {
  const socket = new WebSocket(url, protocol, origin === undefined ? {} : { origin });
  onTestFinished(() => socket.terminate());
  let said = "";
  socket.on("message", (data) => (said += Buffer.isBuffer(data) ? data.toString() : ""));
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  return {
    ended,
    send: (message: unknown) => socket.send(JSON.stringify(message)),
    hears: (what: RegExp) => until(() => what.test(said), undefined, WITHIN_MS),
  };
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}
