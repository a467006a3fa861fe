const FORMAT = new Intl.DateTimeFormat("sv-SE", {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
});

/** 2026-11-17 13:32, in the time zone of the terminal; the same in both languages. */
export function localTime(at: string | null): string {
  return at === null ? "—" : FORMAT.format(new Date(at));
}
