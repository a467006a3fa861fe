import * as z from "zod";
import { defaultConfig } from "../defaults.ts";

const BIND_RULE = "an IP address such as 127.0.0.1 or 0.0.0.0";

const isAddress = (value: string): boolean =>
  value === "localhost" || z.ipv4().safeParse(value).success || z.ipv6().safeParse(value).success;

export const serverSection = z.strictObject(
  {
    bind: z
      .string({ error: BIND_RULE })
      .refine(isAddress, { error: BIND_RULE })
      .default(defaultConfig().server.bind)
      .describe(
        "Address to listen on. Any address other than the loopback needs people who sign in (`auth.users`). `0.0.0.0`: every address of this machine.",
      ),
  },
  { error: "a map with the key bind" },
);
