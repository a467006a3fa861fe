import { LOCAL_PERSON, type Person } from "../domain/person.ts";
import { Refusal } from "../domain/refusal.ts";
import type { Core } from "./core.ts";
import { findPersonByCookie } from "./sign-in.ts";

export function findPersonByToken(
  { people, tokens }: Pick<Core, "people" | "tokens">,
  token: string,
): Person | undefined {
  return people.isEnabled ? people.findByTokenHash(tokens.hash(token)) : undefined;
}

/** What a browser or a request made by hand shows of who sends it. */
export type Shown = { readonly token: string | undefined; readonly cookie: string | undefined };

export async function identifyPerson(core: Core, { token, cookie }: Shown): Promise<Person> {
  if (!core.people.isEnabled) return LOCAL_PERSON;
  const person = await findPerson(core, { token, cookie });
  if (person) return person;
  throw notSignedIn(token === undefined ? "You are not signed in." : "This token is nobody's.");
}

/** A token that is wrong stays wrong, whatever else came with it. */
async function findPerson(core: Core, { token, cookie }: Shown): Promise<Person | undefined> {
  if (token !== undefined) return findPersonByToken(core, token);
  return cookie === undefined ? undefined : findPersonByCookie(core, cookie);
}

export function notSignedIn(message: string): Refusal {
  return new Refusal(
    "NOT_SIGNED_IN",
    message,
    "Send `Authorization: Bearer <token>` with a token from `kuromajutsu user add`, or sign in with POST /api/login.",
  );
}
