import type { Texts } from "../../domain/locale.ts";
import { LOCAL_PERSON, type Person } from "../../domain/people/person.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import { findPersonBySession } from "./sign-in.ts";

export function findPersonByToken(
  { people, tokens }: Pick<Core, "people" | "tokens">,
  token: string,
): Person | undefined {
  return people.isEnabled ? people.findByTokenHash(tokens.hash(token)) : undefined;
}

/** What a request of a browser or script contains to identify its sender. */
export type Shown = {
  readonly token: string | undefined;
  readonly cookies: readonly string[];
  readonly sessionKey: string | undefined;
};

export async function identifyPerson(core: Core, shown: Shown): Promise<Person> {
  const { token } = shown;
  if (!core.people.isEnabled && token === undefined) return LOCAL_PERSON;
  const person = await findPerson(core, shown);
  if (person) return person;
  throw notSignedIn(token === undefined ? NOT_SIGNED_IN : UNKNOWN_TOKEN);
}

/** A wrong token is refused even with a valid cookie. A cookie counts only with its session key. */
async function findPerson(
  core: Core,
  { token, cookies, sessionKey }: Shown,
): Promise<Person | undefined> {
  if (token !== undefined) return findPersonByToken(core, token);
  if (sessionKey === undefined) return undefined;
  for (const cookie of cookies) {
    const person = await findPersonBySession(core, { cookie, key: sessionKey });
    if (person) return person;
  }
  return undefined;
}

const NOT_SIGNED_IN: Texts = { en: "You are not signed in.", ja: "サインインしていません。" };
const UNKNOWN_TOKEN: Texts = {
  en: "This token is unknown.",
  ja: "このトークンは登録されていません。",
};

export function notSignedIn(message: Texts): Refusal {
  return new Refusal("NOT_SIGNED_IN", {
    en: [
      message.en,
      "Send `Authorization: Bearer <token>` with a token from `kuromajutsu user add`, or sign in with POST /api/login.",
    ],
    ja: [
      message.ja,
      "`kuromajutsu user add` のトークンを `Authorization: Bearer <token>` で送るか、POST /api/login でサインインしてください。",
    ],
  });
}
