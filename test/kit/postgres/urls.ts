export type Address = {
  /** The folder of the socket. */
  readonly folder: string;
  readonly port: number;
};

export const USER = "kuromajutsu";
/** It has characters that must be escaped in a URL, so that tests find code that forgets to. */
export const PASSWORD = "p@ss:word/100%";

const OVER_SOCKET = /^postgres:\/\/[^/]+@\/(?<database>\w+)\?host=[^&]+&port=(?<port>\d+)$/;
const OVER_TCP = /^postgres:\/\/[^/]+@127\.0\.0\.1:(?<port>\d+)\/(?<database>\w+)$/;

/** A URL as `pg` understands it. `new URL` refuses it: it has a user, but no host. */
export function socketUrl({ folder, port }: Address, database: string): string {
  return `postgres://${USER}@/${database}?host=${folder}&port=${port}`;
}

export function passwordUrl(port: number, database: string): string {
  return `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;
}

/** Reads the URLs that this file makes. */
export function partsOf(url: string): { readonly database: string; readonly port: number } {
  const parts = (OVER_SOCKET.exec(url) ?? OVER_TCP.exec(url))?.groups;
  const [database, port] = [parts?.["database"], parts?.["port"]];
  if (database && port) return { database, port: Number(port) };
  throw new Error(`This is not a URL of the PostgreSQL of the tests: ${url}`);
}
