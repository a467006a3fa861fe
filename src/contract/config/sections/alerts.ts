import * as z from "zod";
import { ALERT_KINDS } from "../../../domain/alerts/alert.ts";
import { isTimeZone, WEEKDAYS } from "../../../domain/alerts/quiet-hours.ts";
import { LOCALES } from "../../../domain/locale.ts";
import { ID_PATTERN, ID_RULE, list, MAX_TIMER_MS, oneOf, wholeNumber, yesOrNo } from "../fields.ts";
import { people } from "./people.ts";

const TARGET_RULE =
  "browser, webhook:<name of alerts.webhooks>, slack:requester or slack:<channel>, such as slack:#ops";
const TARGET_PATTERN = /^(?:browser|webhook:[a-z0-9][a-z0-9-]{0,39}|slack:[^\s:]{1,80})$/;
const target = z.string({ error: TARGET_RULE }).regex(TARGET_PATTERN, { error: TARGET_RULE });

function timeOfDay(pattern: RegExp, error: string) {
  return z.string({ error }).regex(pattern, { error });
}

const QUIET_RULE = 'a map such as {from: "22:00", to: "07:00"}, or a list of them';
const ZONE_RULE = "the name of a time zone, such as Asia/Tokyo";

export const quietHoursSection = z.strictObject(
  {
    from: timeOfDay(
      /^(?:[01]\d|2[0-3]):[0-5]\d$/,
      'a time of day in quotes, from "00:00" to "23:59"',
    ).describe('Begin, such as `"22:00"`. A time after `to` is on the day before.'),
    to: timeOfDay(
      /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/,
      'a time of day in quotes, from "00:00" to "24:00"',
    ).describe('End, such as `"07:00"`.'),
    timeZone: z
      .string({ error: ZONE_RULE })
      .refine(isTimeZone, { error: ZONE_RULE })
      .exactOptional()
      .describe("Time zone, such as `Asia/Tokyo`. Left out: that of the daemon's machine."),
    days: z
      .array(oneOf(WEEKDAYS), { error: "a list of days, such as [sat, sun]" })
      .min(1, { error: "a list of days, not empty" })
      .exactOptional()
      .describe("Days on which they begin. Left out: every day."),
  },
  { error: QUIET_RULE },
);

export const alertRuleSection = z.strictObject(
  {
    on: z
      .array(oneOf(ALERT_KINDS), { error: "a list of kinds, such as [task.waiting]" })
      .min(1, { error: "a list of kinds, not empty" })
      .describe("What to alert to."),
    to: z
      .array(target, { error: `a list of targets: ${TARGET_RULE}` })
      .min(1, { error: "a list of targets, not empty" })
      .describe("Where to: `browser`, `webhook:<name>`, `slack:requester` or `slack:<channel>`."),
    for: z
      .union([oneOf(["requester", "all"]), people], {
        error: "requester, all, or a list of people",
      })
      .default("requester")
      .describe(
        "The people: the requester, all, or those in the list. The admins stand for a requester who is not known.",
      ),
    quietHours: z
      .union([quietHoursSection, z.array(quietHoursSection)], { error: QUIET_RULE })
      .exactOptional()
      .describe("When to hold alerts back: one map, or a list. They are sent together at the end."),
    digest_ms: wholeNumber(0, MAX_TIMER_MS)
      .default(0)
      .describe("Collects the alerts of this time and sends them together. 0: sends each at once."),
    urgent: yesOrNo()
      .default(false)
      .describe(
        "`true`: what waits for a person is sent at once, also in quiet hours and without `digest_ms`.",
      ),
  },
  { error: "a map that describes one rule" },
);

const VARIABLE_RULE = "the name of an environment variable, not its value";
const variable = z
  .string({ error: VARIABLE_RULE })
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, { error: VARIABLE_RULE });
const ADDRESS_RULE = "an IP address";

export const webhookSection = z
  .strictObject(
    {
      url: z
        .url({ protocol: /^https?$/, error: "an http or https address" })
        .exactOptional()
        .describe("Its address."),
      urlEnv: variable
        .exactOptional()
        .describe("The variable with its address, instead of `url`, if the address is a secret."),
      secretEnv: variable.describe(
        "The variable with the secret that signs every message, such as `whsec_…`; at least 16 bytes.",
      ),
      allowAddresses: list(
        z.union([z.ipv4({ error: ADDRESS_RULE }), z.ipv6({ error: ADDRESS_RULE })], {
          error: ADDRESS_RULE,
        }),
        "a list of IP addresses",
      ).describe(
        "Link-local and cloud metadata addresses that it may have; otherwise they are refused.",
      ),
    },
    { error: "a map with the keys url (or urlEnv) and secretEnv" },
  )
  .refine(({ url, urlEnv }) => (url === undefined) !== (urlEnv === undefined), {
    error: "a map with either url or urlEnv, and secretEnv",
  });

export const alertsSection = z.strictObject(
  {
    locale: oneOf(LOCALES)
      .exactOptional()
      .describe("Language of the texts. Left out: `locale` of the file."),
    dashboardUrl: z
      .url({ protocol: /^https?$/, error: "an http or https address" })
      .exactOptional()
      .describe("Address of the dashboard for the links in alerts. Left out: no links."),
    rules: list(alertRuleSection, "a list of rules").describe(
      "Which alerts go where, and for which people. Empty: there are no alerts.",
    ),
    webhooks: z
      .preprocess(
        (value) => value ?? {},
        z.record(
          z.string({ error: ID_RULE }).regex(ID_PATTERN, { error: ID_RULE }),
          webhookSection,
          {
            error: "a map from name to webhook",
          },
        ),
      )
      .prefault({})
      .describe("Receivers of `webhook:<name>`."),
  },
  { error: "a map with the keys rules and webhooks" },
);
