import * as z from "zod";
import { MAX_LABELS } from "../../../domain/workers/labels.ts";
import { defaultConfig } from "../defaults.ts";
import { label, list, wholeNumber } from "../fields.ts";

const BIND_RULE = "an IP address such as 127.0.0.1 or 0.0.0.0";

const isAddress = (value: string): boolean =>
  value === "localhost" || z.ipv4().safeParse(value).success || z.ipv6().safeParse(value).success;

const PROXY_RULE = "an IP address or a range such as 10.0.0.0/8";

const isAddressOrRange = (value: string): boolean =>
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()].some((rule) => rule.safeParse(value).success);

export const serverSection = z.strictObject(
  {
    bind: z
      .string({ error: BIND_RULE })
      .refine(isAddress, { error: BIND_RULE })
      .default(defaultConfig().server.bind)
      .describe(
        "Address to listen on. Any address other than the loopback needs people who sign in (`auth.users`). `0.0.0.0`: every address of this machine.",
      ),
    trustedProxies: list(
      z.string({ error: PROXY_RULE }).refine(isAddressOrRange, { error: PROXY_RULE }),
      "a list of IP addresses and ranges",
    ).describe(
      "Addresses or ranges (`10.0.0.0/8`) of load balancers in front of the daemon. Only from them `X-Forwarded-For` is believed: the limit of wrong tokens and the audit then use the client's address, not the balancer's.",
    ),
    slots: wholeNumber(0, 10_000)
      .exactOptional()
      .describe(
        "How many agents this server runs itself. Orchestrators and drafts are not counted. 0: none at all, workers run them. Left out: as many as `agent.maxConcurrent` allows.",
      ),
    labels: list(label, "a list of labels")
      .refine((labels) => labels.length <= MAX_LABELS, {
        error: `at most ${MAX_LABELS} labels`,
      })
      .describe("The [labels](scale.md#labels) of this server: agents that need one may run here."),
  },
  { error: "a map with the keys bind, trustedProxies, slots and labels" },
);
