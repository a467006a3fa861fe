import { randomBytes } from "node:crypto";
import { inject, onTestFinished } from "vitest";
import { whenDone } from "../when-done.ts";
import type { Programs } from "./programs.ts";
import { startServer, type Server } from "./server.ts";
import { asAdmin, buildOnce } from "./templates.ts";
import { type Address, partsOf, passwordUrl, socketUrl } from "./urls.ts";

/** The URL of a new empty database. It is dropped after the test, or after its file. */
export function aDatabase(): Promise<string> {
  return aClone("template0");
}

/**
 * The URL of a new database that is like the template. The first call of a run builds the template:
 * `build` gets the URL of an empty database, and must close its connections before it resolves.
 */
export async function aDatabaseLike(
  template: string,
  build: (url: string) => Promise<void>,
): Promise<string> {
  return aClone(await buildOnce(serverOfRun().address, template, build));
}

/** The same database over 127.0.0.1, where the server wants a password (SCRAM). */
export function tcpUrl(url: string): string {
  const { port, database } = partsOf(url);
  return passwordUrl(port, database);
}

/** A server for one test, which may kill it and start it again. `url` is an empty database. */
export async function aPostgres(
  programs: Programs = serverOfRun().programs,
): Promise<Server & { readonly url: string }> {
  const server = await startServer(programs);
  onTestFinished(() => server.remove());
  const database = "private";
  await asAdmin(server, (client) => client.query(`create database ${database}`));
  return { ...server, url: socketUrl(server, database) };
}

async function aClone(template: string): Promise<string> {
  const { address } = serverOfRun();
  const name = `test_${randomBytes(8).toString("hex")}`;
  whenDone(() => dropLater(address, name));
  await asAdmin(address, (client) => client.query(`create database ${name} template ${template}`));
  return socketUrl(address, name);
}

/** Each takes about 8 MB, often of memory. */
const MAX_LEFT = 20;
const dropping = new Set<Promise<unknown>>();

/**
 * The next test does not wait for the end of it: PostgreSQL drops a database only after each of its
 * processes has answered, and one whose client is stalled by another test does not. The server of the
 * run takes with it what is left.
 */
async function dropLater(address: Address, name: string): Promise<void> {
  while (dropping.size >= MAX_LEFT) await Promise.race(dropping);
  // `force` ends the connections that the test has left open.
  const drop = `drop database if exists ${name} with (force)`;
  const dropped: Promise<unknown> = asAdmin(address, (client) => client.query(drop))
    .catch(() => undefined)
    .finally(() => dropping.delete(dropped));
  dropping.add(dropped);
}

function serverOfRun() {
  const postgres = inject("postgres");
  // A configuration without the global setup provides nothing.
  if (!postgres || "missing" in postgres) {
    throw new Error(
      "This run has no PostgreSQL. Use the project postgres of vitest.config.ts, or its globalSetup and setupFiles.",
    );
  }
  return postgres;
}
