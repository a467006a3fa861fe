import { z } from "zod";
import { isRecord } from "../../../src/base/narrow.ts";
import { createNormalizer } from "../../compat/normalize.ts";
import { aTranscript, type Exchange } from "../../compat/recording.ts";
import {
  type Json,
  overHttp,
  type Over,
  type World,
  worldOf,
  writeConfig,
} from "../../compat/world.ts";
import { aDaemon, aPlace, type Daemon, type Place } from "../daemon.ts";
import { aMigratedUrl, aPlaceOn } from "./daemon-place.ts";

/** A way to run the product, with everything that was asked and answered, normalized. */
export type Deployment = {
  readonly world: World;
  readonly over: Over;
  exchanges(): readonly Exchange[];
};
type Options = { readonly listens: boolean };

/** One daemon with its database in its data directory. */
export function onSqlite(config: Json = {}, options: Options): Promise<Deployment> {
  return deploymentOf([aPlace()], config, options);
}

/** Two servers on one PostgreSQL. Each request goes to another server than the one before. */
export async function onPostgres(config: Json = {}, options: Options): Promise<Deployment> {
  const url = await aMigratedUrl();
  // The language of the places is the same.
  const places = [aPlaceOn(url, LANGUAGE), aPlaceOn(url, LANGUAGE)];
  return deploymentOf(places, config, options);
}

const LANGUAGE = { LANG: "ja_JP.UTF-8" };

async function deploymentOf(
  places: readonly Place[],
  config: Json,
  options: Options,
): Promise<Deployment> {
  const daemons: Daemon[] = [];
  for (const place of places) {
    writeConfig(place, config);
    daemons.push(await aDaemon(place));
  }
  const [place] = places;
  const [daemon] = daemons;
  if (!place || !daemon) throw new Error("There is no server.");
  let requests = 0;
  const nextUrl = () => daemons[requests++ % daemons.length]?.url ?? daemon.url;
  const directories = Object.fromEntries(places.map(({ dir }) => [dir, "<dir>"]));
  const transcript = aTranscript(createNormalizer(directories, options));
  return {
    world: worldOf(place, daemon, transcript, nextUrl),
    over: (headers) => overHttp(nextUrl, headers),
    exchanges: () => transcript.exchanges().map(comparable),
  };
}

/** Events of progress are not stored, and a dashboard on another server may miss the last one. */
function withoutProgress(subjects: Json): Json {
  return Object.fromEntries(
    Object.entries(subjects).map(([subject, events]) => [
      subject,
      Array.isArray(events) ? events.filter((event) => !isProgress(event)) : events,
    ]),
  );
}

function isProgress(event: unknown): boolean {
  return isRecord(event) && event["type"] === "agent:status_update";
}

const auditShape = z.looseObject({
  body: z.looseObject({
    entries: z.array(z.looseObject({ action: z.string(), subject: z.string() })),
  }),
});

/** Leaves out what two servers do twice, and the order of what different actors do at once. */
function comparable({ request, answer }: Exchange): Exchange {
  if (request === "live events" && isRecord(answer)) {
    // Each server starts its own copy of the upstream server, before the dashboard connects or after.
    const { "gateway ": _starts, ...events } = answer;
    return { request, answer: withoutProgress(events) };
  }
  // Each server has a head of its own of the one audit, and says so in it.
  if (request === "GET /api/audit/verify" && isRecord(answer)) {
    const body = isRecord(answer["body"]) ? answer["body"] : {};
    return { request, answer: { ...answer, body: { ok: body["ok"] } } };
  }
  if (request !== "GET /api/audit") return { request, answer };
  const { body, ...rest } = auditShape.parse(answer);
  const entries = body.entries
    .filter(({ action }) => action !== "audit.anchored")
    .toSorted((a, b) => a.subject.localeCompare(b.subject));
  return { request, answer: { ...rest, body: { ...body, entries } } };
}
