import * as z from "zod";
import { defaultConfig } from "../defaults.ts";
import { isOrigin, wholeNumber, list } from "../fields.ts";

const DEFAULTS = defaultConfig();

const HOST_RULE = "a host name or an address, without a port";
const hostName = z
  .string({ error: HOST_RULE })
  .regex(/^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])$/, {
    error: HOST_RULE,
  });

const ORIGIN_RULE = "an origin as a browser shows it, such as https://kuro.example.com";
const origin = z.string({ error: ORIGIN_RULE }).refine(isOrigin, { error: ORIGIN_RULE });

export const dashboardSection = z.strictObject(
  {
    port: wholeNumber(0, 65_535)
      .default(DEFAULTS.dashboard.port)
      .describe("Port of everything over HTTP: the dashboard and `/mcp`. 0 takes any free port."),
    hosts: list(hostName, "a list of host names").describe(
      "Further names people reach it by, such as that of a proxy in front of it. Used where people sign in.",
    ),
    origins: list(origin, "a list of origins").describe(
      "Further origins whose pages may use the daemon, each with scheme and port. The daemon's own address and `https://` with each of `hosts` need no entry.",
    ),
  },
  { error: "a map with the keys port, hosts and origins" },
);
