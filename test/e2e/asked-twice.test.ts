import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { aDaemon, aPlace } from "../kit/daemon.ts";
import { rounds } from "../kit/rounds.ts";

const ROUNDS = rounds({ all: 12, few: 2 });
const LATEST_KILL_MS = 24;

const made = z.object({ groupId: z.string() });
const listed = z.object({
  groups: z.array(z.object({ groupId: z.string(), description: z.string() })),
});

test("a request that is repeated with its idempotency key after the daemon was killed is carried out once", async () => {
  const place = aPlace();
  let daemon = await aDaemon(place);

  const answers = new Map<string, string | undefined>();
  for (let round = 0; round < ROUNDS; round++) {
    const description = `round ${round}`;
    const lost = ask(daemon.url, description).catch(() => undefined);
    await sleep((round * LATEST_KILL_MS) / ROUNDS);
    await daemon.kill("SIGKILL");
    const heard = (await lost)?.groupId;
    daemon = await aDaemon(place);
    const again = (await ask(daemon.url, description))?.groupId;
    // A client that got an answer gets the same one again.
    expect([again, undefined]).toContain(heard);
    answers.set(description, again);
  }

  const { groups } = listed.parse(await (await fetch(`${daemon.url}/api/groups?limit=100`)).json());
  expect(groups.map(({ description }) => description).toSorted()).toEqual(
    [...answers.keys()].toSorted(),
  );
  for (const { groupId, description } of groups) {
    expect([groupId, undefined]).toContain(answers.get(description));
  }
});

/** undefined: the request was carried out and its answer is lost. */
async function ask(url: string, description: string): Promise<z.infer<typeof made> | undefined> {
  const answer = await fetch(`${url}/api/groups`, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": description },
    body: JSON.stringify({ description }),
  });
  const body: unknown = await answer.json();
  if (answer.status !== 409) return made.parse(body);
  expect(body).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  return undefined;
}
