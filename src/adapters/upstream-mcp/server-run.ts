import type { Log } from "../../app/ports/world.ts";
import { runCoalesced } from "../../base/run-coalesced.ts";
import type { UpstreamSettings } from "../../contract/config/schema.ts";
import type { UpstreamLimits } from "./limits.ts";
// Only the type: the SDK is loaded when the first server is started.
import type { OpenClient, OpenedClient } from "./sdk-client.ts";
import { WrongSettings } from "./server-environment.ts";
import type { ToolList } from "./tool-list.ts";

export type ServerRunOptions = Pick<OpenClient, "directory" | "variables" | "version"> & {
  readonly name: string;
  readonly settings: UpstreamSettings;
  readonly log: Log;
  readonly limits: UpstreamLimits;
  /** Replaces secrets in a text. */
  readonly redact: (text: string) => string;
  readonly onChange: () => void;
};

type Ended = { readonly why: string; readonly wasReady: boolean; readonly ended?: Promise<void> };

/** Runs a server and keeps the list of its tools up to date meanwhile. */
export function createServerRun(
  options: ServerRunOptions,
  list: ToolList,
  signal: AbortSignal,
  onReady: () => void,
) {
  let client: OpenedClient | undefined;
  let isModern = false;
  /** The server announced changed tools, and they were not listed since. */
  let isStale = false;

  function onToolsChanged(): void {
    isStale = true;
    void look();
  }

  async function open(): Promise<OpenedClient> {
    const { openClient, HandshakeRefused } = await import("./sdk-client.ts");
    try {
      return await openClient(clientOptions(options, { signal, isModern, onToolsChanged }));
    } catch (failure) {
      if (failure instanceof HandshakeRefused) isModern = !isModern;
      throw failure;
    }
  }

  function refresh(from: OpenedClient): Promise<boolean> {
    isStale = false;
    return list.refresh(from);
  }

  const look = runCoalesced(async () => {
    const asked = client;
    if (!asked) return;
    try {
      if (await refresh(asked)) options.onChange();
    } catch {
      await asked.close();
    }
  });

  return {
    /** Undefined while the server is not ready. */
    client: () => client,
    /** Lists the tools again; if that fails, the connection is closed and opened again. */
    look,
    /** Runs the server once, from start to end; answers how it ended. */
    async run(): Promise<Ended> {
      let opened: OpenedClient | undefined;
      let timer: NodeJS.Timeout | undefined;
      try {
        opened = await open();
        await refresh(opened);
        client = opened;
        if (isStale) void look();
        onReady();
        if (options.settings.command === undefined) {
          timer = setInterval(() => void look(), options.limits.lookEveryMs).unref();
        }
        const why = await opened.closed;
        return { why, wasReady: true, ended: opened.close() };
      } catch (failure) {
        if (failure instanceof WrongSettings) throw failure;
        const why = messageOf(failure);
        return { why, wasReady: false, ...(opened && { ended: opened.close() }) };
      } finally {
        clearInterval(timer);
        client = undefined;
      }
    },
  };
}

function clientOptions(
  { name, settings, directory, variables, version, limits, log, redact }: ServerRunOptions,
  own: Pick<OpenClient, "signal" | "isModern" | "onToolsChanged">,
): OpenClient {
  const { startMs, graceMs } = limits;
  return {
    ...own,
    settings,
    directory,
    variables,
    version,
    startMs,
    graceMs,
    onGarbage: (beginning) =>
      log.warn("An upstream server wrote something else than messages to stdout.", {
        server: name,
        beginning: redact(beginning),
      }),
  };
}

export function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
