/** The floor of an HTTP answer: echoes JSON. It answers its first line of stdin with its port. */
import { once } from "node:events";
import { createServer } from "node:http";

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.once("end", () => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString("utf8"))));
  });
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
await once(process.stdin, "data");
process.stdout.write(`${typeof address === "object" ? address?.port : address}\n`);
process.stdin.once("end", () => process.exit(0));
