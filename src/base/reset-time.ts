const DATE_AND_TIME =
  /try again at ([A-Z][a-z]{2} \d{1,2})(?:st|nd|rd|th), (\d{4}) (\d{1,2}:\d{2} [AP]M)/i;
const TIME_TODAY = /try again at (\d{1,2}:\d{2} [AP]M)/i;

/** "try again at Mar 17th, 2030 5:46 PM", or only the time if it is today; in local time. */
export function resetTimeIn(text: string, now: number): number | null {
  const [, day, year, time] = DATE_AND_TIME.exec(text) ?? [];
  if (day !== undefined) return timeOf(`${day}, ${year} ${time}`);
  const [, today] = TIME_TODAY.exec(text) ?? [];
  return today === undefined ? null : timeOf(`${new Date(now).toDateString()} ${today}`);
}

function timeOf(words: string): number | null {
  const at = Date.parse(words);
  return Number.isNaN(at) ? null : at;
}
