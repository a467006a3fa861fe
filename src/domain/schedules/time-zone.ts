import { Refusal } from "../refusal.ts";

const SUGGESTIONS = 3;
const MAX_ZONE_CHARS = 60;

/** Returns the name as the IANA database writes it; refuses an unknown one with similar names. */
export function requireTimeZone(given: string): string {
  const zone = findTimeZone(given.trim());
  if (zone !== undefined) return zone;
  const shown = given.trim().slice(0, MAX_ZONE_CHARS);
  const similar = similarZones(shown);
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [
      `There is no time zone "${shown}".`,
      similar.length > 0
        ? `Did you mean ${similar.join(", ")}?`
        : "Give a name of the IANA database, such as Asia/Tokyo, Europe/Berlin or UTC.",
    ],
    ja: [
      `タイムゾーン「${shown}」はありません。`,
      similar.length > 0
        ? `もしかして: ${similar.join("、")}`
        : "Asia/Tokyo、Europe/Berlin、UTC のような IANA の名前を指定してください。",
    ],
  });
}

export function findTimeZone(name: string): string | undefined {
  // An offset such as +09:00 knows no daylight saving time.
  if (!/^[a-z]/i.test(name) || name.length > MAX_ZONE_CHARS) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The time zone of the machine. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function similarZones(given: string): string[] {
  const wanted = plain(given);
  if (wanted.length < 2) return [];
  return Intl.supportedValuesOf("timeZone")
    .map((zone) => ({ zone, distance: distanceTo(wanted, zone) }))
    .filter(({ distance }) => distance <= Math.max(2, wanted.length / 4))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, SUGGESTIONS)
    .map(({ zone }) => zone);
}

/** People write the city only, or mistype a letter. */
function distanceTo(wanted: string, zone: string): number {
  const [whole, city] = [plain(zone), plain(zone.split("/").at(-1) ?? "")];
  return Math.min(editDistance(wanted, whole), editDistance(wanted, city));
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, "");
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
