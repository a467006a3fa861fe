import { z } from "zod";
import { ALERT_KINDS, ALERT_STATUSES } from "../../domain/alerts/alert.ts";
import { defineEvent } from "./define-event.ts";
import { error, text } from "./fields.ts";

export const ALERT_EVENTS = [
  defineEvent("alert:raised", "any", "transient", "The dashboard shows people an alert.", {
    messageId: text,
    isTest: z.boolean(),
    alerts: z
      .array(
        z.object({
          alertId: text,
          kind: z.enum(ALERT_KINDS),
          title: text,
          detail: text.nullable(),
          recipients: z.array(text).readonly().nullable().describe("Ids of people; null: everyone"),
          approvalId: text.nullable(),
          path: text.describe("The page about it"),
        }),
      )
      .readonly(),
  }),
  defineEvent("alert:delivery", "any", "transient", "A message to a target was sent or failed.", {
    target: text,
    status: z.enum(ALERT_STATUSES).describe("`pending`: it is tried again later"),
    error,
  }),
] as const;
