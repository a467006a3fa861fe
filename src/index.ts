/**
 * The MCP server of a checkout, for clients whose entry names this file:
 * `npx tsx /path/to/kuromajutsu/src/index.ts`, or `node` with the same path.
 */
import { fileURLToPath } from "node:url";

const SOURCES_NEED = 24;

/** An older Node cannot run the sources; the program in `bin` starts a newer one. */
const program =
  Number.parseInt(process.versions.node, 10) >= SOURCES_NEED
    ? "./main/main.ts"
    : "../bin/kuromajutsu.js";

// The program reads its command from here, and starts the daemon with the same script.
process.argv.splice(
  1,
  process.argv.length,
  fileURLToPath(new URL(program, import.meta.url)),
  "mcp",
);
await import(program);
