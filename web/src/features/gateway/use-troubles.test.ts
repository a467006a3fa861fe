import { expect, test } from "vitest";
import type { WireGatewayServer } from "../../../../src/contract/shapes/gateway.ts";
import { troublesOf } from "./use-troubles.ts";

const server: WireGatewayServer = {
  name: "hr",
  transport: "stdio",
  status: "ready",
  error: null,
  restarts: 0,
  tools: [],
};
const tool: WireGatewayServer["tools"][number] = {
  name: "list",
  title: null,
  description: "",
  isReadOnly: true,
  humanCheck: "as-planned",
  isCheckedOutsideTask: false,
  hash: "",
  definition: {},
  isQuarantined: false,
  accepted: null,
};

test("failed servers and quarantined tools need attention, others do not", () => {
  const troubles = troublesOf([
    { ...server, tools: [tool, { ...tool, name: "send", isQuarantined: true }] },
    { ...server, name: "web", status: "failed" },
    { ...server, name: "off", status: "stopped" },
    { ...server, name: "new", status: "starting" },
  ]);
  expect(troubles.count).toBe(2);
  expect(troubles.quarantined).toEqual([{ server: "hr", tool: "send" }]);
  expect(troubles.failed.map(({ name }) => name)).toEqual(["web"]);
});
