/**
 * A proxy in front of a daemon: the dashboard comes from the daemon, but the live events and one agent
 * with a long transcript come from here. Two pages are floors: an empty one, and one with only the lines
 * of the transcript.
 *   node stand-in.ts <address of the daemon>
 */
import { createServer, request, type ServerResponse } from "node:http";
import { WebSocketServer, type WebSocket } from "ws";
import { frameOf, FRAME_MS, snapshot } from "./fleet-frames.ts";
import { AGENT, agentDetail, bareList, transcriptPage } from "./long-transcript.ts";

const [daemon = ""] = process.argv.slice(2);
const target = new URL(daemon);

const server = createServer((asked, answer) => {
  const { pathname, searchParams } = new URL(asked.url ?? "/", "http://here");
  if (pathname === "/empty")
    return send(answer, "text/html", "<!doctype html><title>0</title><p>0");
  if (pathname === "/bare-list") return send(answer, "text/html", bareList());
  if (pathname === `/api/agents/${AGENT}`) return json(answer, agentDetail());
  if (pathname === `/api/agents/${AGENT}/transcript`) {
    const offset = Number(searchParams.get("offset") ?? 0);
    return json(answer, transcriptPage(offset, Number(searchParams.get("maxBytes") ?? 65_536)));
  }
  const passed = request(
    {
      host: target.hostname,
      port: target.port,
      path: asked.url,
      method: asked.method,
      headers: { ...asked.headers, host: target.host, origin: target.origin },
    },
    (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      came.pipe(answer);
    },
  );
  passed.on("error", () => answer.writeHead(502).end());
  asked.pipe(passed);
});

function send(answer: ServerResponse, type: string, body: string): void {
  answer.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(body);
}

function json(answer: ServerResponse, body: unknown): void {
  send(answer, "application/json", JSON.stringify(body));
}

const sockets = new WebSocketServer({ server, path: "/ws", perMessageDeflate: false });
sockets.on("connection", (socket) => {
  socket.once("message", () => tell(socket));
});

/** A snapshot, then 2,000 updates a second, in frames like the daemon's. */
function tell(socket: WebSocket): void {
  socket.send(JSON.stringify(snapshot()));
  let seq = 0;
  const began = performance.now();
  const timer = setInterval(() => {
    // A late timer sends more at once, so that the rate stays the same.
    const due = Math.floor((performance.now() - began) / FRAME_MS);
    for (; seq < due; seq++) socket.send(JSON.stringify(frameOf(seq)));
  }, FRAME_MS);
  socket.on("close", () => clearInterval(timer));
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : address;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
// It ends when its parent process closes stdin.
process.stdin.on("end", () => process.exit()).resume();
