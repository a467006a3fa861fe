import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { brokenCli } from "../kit/broken-clis.ts";
import { aDaemon, aPlace, BIN, command, run, until, type Place } from "../kit/daemon.ts";
import { processesWith } from "../kit/processes.ts";

const SPEAKS_MCP = join(import.meta.dirname, "../kit/bin-mcp");

/** Health checks at the start would run the CLI too. */
function aPlaceWith(cli: string | null): Place {
  const path = [...(cli === null ? [] : [cli]), dirname(process.execPath), "/usr/bin", "/bin"];
  const place = aPlace({ PATH: path.join(":") });
  writeFileSync(
    join(place.dir, "kuromajutsu.config.yaml"),
    "locale: en\nagent:\n  env: [FAKE_AGENT_LOG, FAKE_AGENT_NEEDS_KEY]\nhealthCheck:\n  enabled: false\n",
  );
  return { ...place, env: { ...place.env, FAKE_AGENT_LOG: join(place.dir, "offered") } };
}

function addEntry(place: Place): void {
  mkdirSync(join(place.dir, ".cursor"));
  const kuromajutsu = { command: process.execPath, args: [BIN, "mcp"] };
  writeFileSync(
    join(place.dir, ".cursor/mcp.json"),
    JSON.stringify({ mcpServers: { kuromajutsu } }),
  );
}

const KEY = "key-of-this-terminal";

const withKey = (place: Place): Place => ({ ...place, env: { ...place.env, CURSOR_API_KEY: KEY } });

const withNeedOfKey = (place: Place): Place => ({
  ...place,
  env: { ...place.env, FAKE_AGENT_NEEDS_KEY: "yes" },
});

/** The files below the place, logs and the database included, that contain this text. */
function filesWith({ dir }: Place, text: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => isIn(path, text));
}

/** The files of an agent that has ended may be removed between listing and reading them. */
function isIn(path: string, text: string): boolean {
  try {
    return readFileSync(path).includes(text);
  } catch (error) {
    if (existsSync(path)) throw error;
    return false;
  }
}

const logged = (place: Place) => {
  const path = place.env["FAKE_AGENT_LOG"] ?? "";
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
};

test("doctor runs a CLI that connects with its one-run token, even with a scrubbed environment, and calls the only tool it sees", async () => {
  const place = aPlaceWith(SPEAKS_MCP);
  addEntry(place);

  const { code, stdout, stderr } = await command(place, ["doctor", "--runner", "cursor", "--json"]);

  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    runners: [
      {
        runner: "cursor",
        status: "works",
        command: join(SPEAKS_MCP, "agent"),
        version: "2026.09.18-fake",
        signedIn: true,
        connected: true,
        calledTool: true,
        findings: [],
      },
    ],
  });
  expect(logged(place)).toEqual(["check_connection"]);
  await command(place, ["stop"]);
});

test("doctor prints a row for each CLI with the command that repairs it, and exits with 1 if none works", async () => {
  const place = aPlaceWith(brokenCli("fails"));
  const signedOut = await command(withKey(place), ["doctor"]);
  expect(signedOut.code).toBe(1);
  expect(signedOut.stdout).toMatch(/✗ cursor +\? +✗ /);
  expect(signedOut.stdout).toContain("Not signed in\n      → Run: agent login\n");
  expect(signedOut.stdout).toContain("Used CURSOR_API_KEY of this terminal");
  expect(signedOut.stdout).toMatch(/0 of \d+ CLIs work\./);
  expect(signedOut.stdout).not.toContain(KEY);
  await command(place, ["stop"]);

  const missing = await command(aPlaceWith(null), ["doctor", "--runner", "cursor"]);
  expect(missing.code).toBe(1);
  expect(missing.stdout).toContain("✗ cursor     not found\n    Not installed\n      → Run: curl");
  expect(missing.stdout).toContain("Rehearsal only: no agent CLI was found");
});

test("doctor counts a CLI whose own settings have no entry as working, and says how to add it", async () => {
  const place = aPlaceWith(SPEAKS_MCP);
  const { code, stdout } = await command(place, ["doctor"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/! cursor +2026\.09\.18-fake +✓ +✗ +✗ +\d/);
  expect(stdout).toContain("→ Run: kuromajutsu init");
  await command(place, ["stop"]);
});

test("doctor uses the key of its terminal, which the daemon lacks, and leaves no trace of it", async () => {
  const place = withNeedOfKey(aPlaceWith(SPEAKS_MCP));
  addEntry(place);
  const { url } = await aDaemon(place);
  const cursor = ["doctor", "--runner", "cursor", "--json"];

  const without = await command(place, cursor);
  expect(JSON.parse(without.stdout)).toMatchObject({ runners: [{ signedIn: false }] });

  const { code, stdout } = await command(withKey(place), cursor);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    runners: [{ status: "works", signedIn: true, clientKeys: ["CURSOR_API_KEY"] }],
  });
  // The daemon still lacks the key, so the dashboard keeps the result without it.
  const known: unknown = await (await fetch(`${url}/api/runners`)).json();
  expect(known).toMatchObject({
    runners: expect.arrayContaining([
      expect.objectContaining({ check: expect.objectContaining({ signedIn: false }) }),
    ]),
  });
  expect(filesWith(place, KEY)).toEqual([]);
});

test("a task requested with `kuromajutsu run` has the key of its terminal, and leaves no trace of it", async () => {
  const place = withNeedOfKey(aPlaceWith(SPEAKS_MCP));
  addEntry(place);
  const { code } = await command(withKey(place), ["run", "Tidy up", "--detach"]);
  expect(code).toBe(0);

  await until(() => logged(place).some((tools) => tools.includes("report_result")));
  expect(filesWith(place, KEY)).toEqual([]);
  await command(place, ["stop"]);
});

test("doctor refuses an unknown CLI with the known ones", async () => {
  const { code, stderr } = await command(aPlaceWith(null), ["doctor", "--runner", "nobody"]);
  expect(code).toBe(2);
  expect(stderr).toContain("cursor");
});

test("a daemon that is killed during a check leaves no CLI behind after its next start", async () => {
  const place = aPlaceWith(brokenCli("hangs"));
  const first = await aDaemon(place);
  const mark = `KUROMAJUTSU_PROBE_ID=${first.pid}.`;
  run(place, ["doctor"]);
  await until(() => processesWith(mark).length > 0);
  await first.kill("SIGKILL");

  const next = await aDaemon({
    ...place,
    env: { ...place.env, PATH: `${brokenCli("counts")}:/usr/bin:/bin` },
  });
  const checked = await fetch(`${next.url}/api/runners/cursor/check`, {
    method: "POST",
    headers: { "x-kuromajutsu": "1" },
  });
  expect(await checked.json()).toMatchObject({ answered: true });
  expect(processesWith(mark)).toEqual([]);
});
