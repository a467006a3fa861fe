import { findConfigFile, dataDirFor, socketPathFor } from "../../adapters/config/locate.ts";
import { vendorKeysIn, type McpHello } from "../../contract/hello.ts";
import { localeOfVariables } from "../../domain/locale.ts";
import { earlyHello } from "../../doors/stdio/early-hello.ts";
import { runPipe } from "../../doors/stdio/pipe.ts";
import { VERSION } from "../version.ts";
import { environmentOfAgentAbove, type Environment } from "./agent-above.ts";
import { connectOrStart, type DaemonPlace } from "./connect-or-start.ts";

/**
 * `kuromajutsu mcp`, which MCP clients start. The client waits for it, so it loads neither the SDK nor
 * the configuration: it finds the daemon's socket, starts a daemon if none runs, and pipes.
 */
export async function runShim(): Promise<void> {
  const env = process.env;
  // Some agent CLIs start MCP servers with a scrubbed environment.
  const ofAgent = env["KUROMAJUTSU_SOCKET"] ? env : environmentOfAgentAbove(process.ppid);
  const place = findDaemon(ofAgent);
  const hello: McpHello = {
    kind: "mcp",
    version: VERSION,
    pid: process.pid,
    cwd: process.cwd(),
    token: env["KUROMAJUTSU_AGENT_TOKEN"] ?? ofAgent?.["KUROMAJUTSU_AGENT_TOKEN"] ?? null,
    personToken: env["KUROMAJUTSU_TOKEN"] ?? null,
    keys: vendorKeysIn(env),
    locale: localeOfVariables(env),
  };
  await runPipe({
    input: process.stdin,
    output: process.stdout,
    hello,
    connect: (wanted, onStarting) => connectOrStart(place, wanted, onStarting),
    earlyHello: (line) => (namesPort() ? undefined : earlyHello(line, VERSION)),
  });
}

/** A named port may be taken: then the daemon does not start, and `initialize` is answered with why. */
function namesPort(): boolean {
  return Number(process.env["KUROMAJUTSU_PORT"] ?? 0) !== 0;
}

/** KUROMAJUTSU_SOCKET, else the daemon of the agent we run in, else that of the nearest configuration. */
function findDaemon(ofAgent: Environment | undefined): DaemonPlace {
  const env = process.env;
  const socketPath = ofAgent?.["KUROMAJUTSU_SOCKET"];
  if (socketPath) {
    const insideAgent = Boolean(ofAgent["KUROMAJUTSU_AGENT_ID"]);
    return { socketPath, insideAgent, config: undefined, dataDir: undefined };
  }
  const config = findConfigFile(process.cwd(), env);
  const dataDir = dataDirFor(config?.path, env);
  return {
    socketPath: socketPathFor(dataDir, env),
    insideAgent: false,
    config,
    dataDir,
  };
}
