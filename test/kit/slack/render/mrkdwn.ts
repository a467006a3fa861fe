import type { Locale } from "../../../../src/domain/locale.ts";

/** Slack's mrkdwn as HTML, so that pictures show what Slack makes of our texts. */

export type Look = {
  readonly locale: Locale;
  /** Names of Slack users by id. */
  readonly people: Readonly<Record<string, string>>;
};

/** mrkdwn needs a boundary on both sides of a mark. */
const MARKS = [
  { mark: /(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]+?)(?<=\S)\*(?![\p{L}\p{N}*])/gu, tag: "b" },
  { mark: /(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]+?)(?<=\S)_(?![\p{L}\p{N}_])/gu, tag: "i" },
  { mark: /(?<![\p{L}\p{N}~])~(?=[^\s~])([^~\n]+?)(?<=\S)~(?![\p{L}\p{N}~])/gu, tag: "s" },
] as const;

/** Stands for a token or code while marks are replaced; our texts have no private characters. */
const PLACE = /\ue000(\d+)\ue001/g;

export function mrkdwnHtml(text: string, look: Look): string {
  const kept: string[] = [];
  const keep = (html: string) => `\ue000${kept.push(html) - 1}\ue001`;
  const marked = text
    .replaceAll(/```\n?([\s\S]*?)\n?```\n?/g, (_, code: string) => keep(`<pre>${code}</pre>`))
    .replaceAll(/`([^`\n]+)`/g, (_, code: string) => keep(`<code>${code}</code>`))
    .replaceAll(/<([^<>]*)>/g, (_, token: string) => keep(tokenHtml(token, look)));
  const formatted = MARKS.reduce(
    (html, { mark, tag }) => html.replaceAll(mark, `<${tag}>$1</${tag}>`),
    marked.replaceAll(/^(?:&gt;|>) ?(.*)$/gm, "<blockquote>$1</blockquote>"),
  );
  const lines = formatted.replaceAll(/<\/blockquote>\n/g, "</blockquote>").replaceAll("\n", "<br>");
  return withEmoji(lines.replaceAll(PLACE, (_, index: string) => kept[Number(index)] ?? ""));
}

/** A plain text; Slack decodes the three entities in it. */
export function plainHtml(text: string): string {
  return withEmoji(text);
}

/** Emoji get a colour font, whatever the fonts of the text contain. */
function withEmoji(html: string): string {
  return html.replaceAll(/\p{RGI_Emoji}/gv, (emoji) => `<span class="emoji">${emoji}</span>`);
}

function tokenHtml(token: string, { locale, people }: Look): string {
  if (token.startsWith("@")) {
    const id = token.slice(1);
    return `<span class="mention">@${people[id] ?? id}</span>`;
  }
  const date = /^!date\^(\d+)\^[^|]*/.exec(token)?.[1];
  if (date !== undefined) return dateHtml(Number(date) * 1_000, locale);
  const [address, label = address] = token.split("|");
  return `<a>${label}</a>`;
}

/** `{date_short_pretty} {time_secs}` for a reader in Tokyo. */
function dateHtml(at: number, locale: Locale): string {
  const tag = locale === "ja" ? "ja-JP" : "en-US";
  const day = { dateStyle: "medium", timeZone: "Asia/Tokyo" } as const;
  const time = { timeStyle: "medium", timeZone: "Asia/Tokyo" } as const;
  return `${new Intl.DateTimeFormat(tag, day).format(at)} ${new Intl.DateTimeFormat(tag, time).format(at)}`;
}
