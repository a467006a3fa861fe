import { z } from "zod";
import { PERSON_ROLES } from "../../domain/people/person.ts";

/** The signed-in person. */
export const meShape = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(PERSON_ROLES),
  signIn: z.boolean().describe("false: there is no sign-in here, everyone is `local`"),
  slack: z.literal(true).optional().describe("The person can link their Slack account"),
});
export type WireMe = z.infer<typeof meShape>;

export const loginShape = meShape.extend({
  sessionKey: z
    .string()
    .describe("Send it in x-kuromajutsu-session, with the cookie; keep it secret"),
});
export type WireLogin = z.infer<typeof loginShape>;
