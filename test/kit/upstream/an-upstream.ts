import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { DEFAULT_LIMITS, type UpstreamLimits } from "../../../src/adapters/upstream-mcp/limits.ts";
import {
  createUpstream,
  type StartableUpstream,
} from "../../../src/adapters/upstream-mcp/upstream.ts";
import type {
  UpstreamAnswer,
  UpstreamCall,
  UpstreamServer,
} from "../../../src/app/ports/upstream.ts";
import type { UpstreamSettings } from "../../../src/contract/config/schema.ts";
import { upstreamSection } from "../../../src/contract/config/sections/upstream.ts";

export const STDIO_SERVER = fileURLToPath(new URL("./stdio-server.ts", import.meta.url));
export const RAW_SERVER = fileURLToPath(new URL("./raw-server.ts", import.meta.url));

/** Short delays for tests; otherwise the real settings. */
export const TEST_LIMITS: UpstreamLimits = {
  ...DEFAULT_LIMITS,
  startMs: 15_000,
  firstPauseMs: 20,
  longestPauseMs: 100,
  graceMs: 300,
};

/** An entry of `mcpServers`, with the defaults of the configuration. */
export function settingsOf(over: Record<string, unknown>): UpstreamSettings {
  return upstreamSection.parse(over);
}

export function stdioSettings(
  args: readonly string[] = [],
  over: Record<string, unknown> = {},
): UpstreamSettings {
  return settingsOf({ command: process.execPath, args: [STDIO_SERVER, ...args], ...over });
}

export type AnUpstream = StartableUpstream & {
  /** Everything that was logged, as JSON lines. */
  log(): string;
  server(name: string): UpstreamServer;
  ask(server: string, tool: string, over?: Partial<UpstreamCall>): Promise<UpstreamAnswer>;
};

/** Real servers behind a real client, stopped when the test ends. */
export function anUpstream(
  servers: Readonly<Record<string, UpstreamSettings>>,
  over: { limits?: Partial<UpstreamLimits>; variables?: NodeJS.ProcessEnv } = {},
): AnUpstream {
  let logged = "";
  const note = (message: string, fields: object = {}): void => {
    logged += `${message} ${JSON.stringify(fields)}\n`;
  };
  const upstream = createUpstream({
    servers,
    directory: process.cwd(),
    variables: over.variables ?? { PATH: process.env["PATH"], HOME: process.env["HOME"] },
    version: "1",
    log: { debug: note, info: note, warn: note, error: note },
    limits: { ...TEST_LIMITS, ...over.limits },
  });
  upstream.start();
  onTestFinished(() => upstream.close());
  return {
    ...upstream,
    log: () => logged,
    server(name) {
      const found = upstream.servers().find((each) => each.name === name);
      if (!found) throw new Error(`no server ${name}`);
      return found;
    },
    ask: (server, tool, call = {}) =>
      upstream.call({
        server,
        tool,
        args: {},
        signal: new AbortController().signal,
        idempotencyKey: "key-1",
        maySend: () => true,
        onProgress: () => {},
        ...call,
      }),
  };
}

export function textOf({ content }: UpstreamAnswer): string {
  const [block] = content;
  return typeof block?.["text"] === "string" ? block["text"] : "";
}

export async function pidOf(upstream: AnUpstream, server: string): Promise<{ answered: number }> {
  return { answered: Number(textOf(await upstream.ask(server, "pid"))) };
}
