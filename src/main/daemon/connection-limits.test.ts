import { expect, test } from "vitest";
import { connectionLimits } from "./connection-limits.ts";

test.each([40, 64, 256, 1_024, 20_000, 1_048_576])(
  "with %d open files allowed, connections leave room for everything else",
  (openFiles) => {
    const { http, webSockets, socket } = connectionLimits(openFiles);

    expect(http + socket).toBeLessThanOrEqual(openFiles * 0.7);
    expect(openFiles - http - socket).toBeGreaterThanOrEqual(24);
    expect(webSockets).toBeLessThan(http);
    expect(Math.min(webSockets, socket)).toBeGreaterThan(0);
  },
);

test("an ordinary machine serves hundreds of clients", () => {
  expect(connectionLimits(1_024)).toEqual({ http: 384, webSockets: 192, socket: 288 });
});
