import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { type AgentSpec, aGroup, runAll, statusOf } from "../agents.ts";
import {
  aDaemon,
  anHttpClient,
  type Daemon,
  type Place,
  type TestClient,
  until,
} from "../daemon.ts";
import { processesWith } from "../processes.ts";
import { aPlaceOn } from "./daemon-place.ts";

/** Short enough to wait for its end, long enough for a busy machine. */
export const LEASE_MS = 3_000;

/** Settings of servers in tests: rehearsal agents that end soon, and a short lease. */
export const SETTINGS = {
  agent: { runner: "rehearsal", lingerAfterEnd_ms: 300, hardKillAfter_ms: 500 },
  healthCheck: { enabled: false },
  store: { lease_ms: LEASE_MS },
};

export type TestServer = {
  readonly place: Place;
  readonly daemon: Daemon;
  readonly url: string;
  /** The main agent, connected to this server. */
  readonly main: TestClient;
  readonly id: string;
};

/** Starts `serve` in a data directory of its own, on a database that others use, too. */
export async function aServer(
  database: string,
  config: Record<string, unknown> = SETTINGS,
): Promise<TestServer> {
  const place = aPlaceOn(database);
  // JSON is YAML.
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), JSON.stringify(config));
  return startAgain(place);
}

/** The next process of the same server. */
export async function startAgain(place: Place): Promise<TestServer> {
  const daemon = await aDaemon(place);
  return {
    place,
    daemon,
    url: daemon.url,
    main: await anHttpClient(daemon.url),
    id: serverId(place),
  };
}

export function serverId({ dataDir }: Place): string {
  return readFileSync(join(dataDir, "server-id"), "utf8").trim();
}

const STARTED: readonly unknown[] = ["running", "resultReported"];

/** Starts agents through this server, and waits until all of them run; short ones may have ended. */
export async function running(
  { main }: Pick<TestServer, "main">,
  specs: readonly AgentSpec[],
): Promise<{ readonly groupId: string; readonly agentIds: readonly string[] }> {
  const groupId = await aGroup(main);
  const agentIds = await runAll(main, groupId, specs);
  for (const agentId of agentIds) {
    await until(async () => STARTED.includes((await statusOf(main, agentId)).status));
  }
  return { groupId, agentIds };
}

const body = z.record(z.string(), z.unknown());

export async function ask(
  { url }: Pick<TestServer, "url">,
  method: string,
  path: string,
  { json, headers = {} }: { json?: unknown; headers?: Record<string, string> } = {},
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      "x-kuromajutsu": "1",
      ...(json !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  return { status: response.status, body: body.parse(await response.json()) };
}

/** The name of the connections of tests, which faults spare. */
export const TEST_CONNECTION = "kuromajutsu test";

/** One connection to each database: tests look many times, and each connection is a process. */
const kept = new Map<string, Promise<Client>>();

function keptConnection(url: string): Promise<Client> {
  const known = kept.get(url);
  if (known) return known;
  const forget = () => void (kept.get(url) === opening && kept.delete(url));
  const opening = connected(url, forget).catch((error: unknown) => {
    forget();
    throw error;
  });
  kept.set(url, opening);
  return opening;
}

async function connected(url: string, whenEnded: () => void = () => {}): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: TEST_CONNECTION });
  client.on("error", whenEnded);
  client.on("end", whenEnded);
  await client.connect();
  return client;
}

/** Rows of a query. Its connection is used again, and ends with the database. */
export async function rowsOf(
  url: string,
  sql: string,
): Promise<readonly Record<string, unknown>[]> {
  // The server may be back since another query could not connect. A statement is never run again: the
  // connection may have ended after its commit.
  const client = await keptConnection(url).catch(() => keptConnection(url));
  return (await client.query(sql)).rows;
}

/** A connection for many queries; it ends with the test. */
export async function aConnection(url: string): Promise<Client> {
  const client = await connected(url);
  onTestFinished(() => client.end().catch(() => {}));
  return client;
}

/** The agents with the server that runs each of them. */
export async function agentRows(url: string) {
  const rows = await rowsOf(
    url,
    "select id, status, process, worker_id, attempt from agents order by seq",
  );
  return z
    .array(
      z.object({
        id: z.string(),
        status: z.string(),
        process: z.string(),
        worker_id: z.string().nullable(),
        attempt: z.coerce.number(),
      }),
    )
    .parse(rows);
}

export function isAlive(agentId: string): boolean {
  return processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`).length > 0;
}
