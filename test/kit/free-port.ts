import { createServer } from "node:net";

/** Below the range from which the kernel draws ports for outgoing connections. */
const [FIRST, COUNT] = [20_000, 10_000];

/**
 * A port that is free now and that no outgoing connection takes before the test does. A port that
 * the kernel chose could be drawn again for any connection while its daemon is down.
 */
export async function aFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
