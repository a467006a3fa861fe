/** A time that Slack shows in the reader's time zone. Old clients show the text after the bar. */
export function dateText(at: number): string {
  const iso = new Date(at).toISOString();
  const fallback = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
  return `<!date^${Math.floor(at / 1_000)}^{date_short_pretty} {time_secs}|${fallback}>`;
}
