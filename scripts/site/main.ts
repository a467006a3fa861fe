import { readFile } from "node:fs/promises";
// `npm run site` writes the documents as a static site into site/. `npm run site -- --serve` also
// shows it on a port of this machine.
import { createServer, type ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSite } from "./build-site.ts";

const FOLDER = fileURLToPath(new URL("../../site", import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".gif": "image/gif",
};

const pages = await buildSite(FOLDER);
process.stdout.write(`${pages.length} pages in ${FOLDER}\n`);
if (process.argv.includes("--serve")) serve();

function serve(): void {
  const server = createServer((request, response) => void answer(request.url ?? "/", response));
  server.listen(Number(process.env["PORT"] ?? 0), "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : "";
    process.stdout.write(`http://127.0.0.1:${port}/index.html\n`);
  });
}

async function answer(url: string, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(url, "http://127.0.0.1");
  const path = normalize(decodeURIComponent(pathname)).replace(/\/$/, "/index.html");
  try {
    const content = await readFile(join(FOLDER, path));
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type }).end(content);
  } catch {
    response.writeHead(404).end("Not found. The pages start at /index.html.\n");
  }
}
