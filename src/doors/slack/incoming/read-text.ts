/**
 * The text of a Slack message as a person sees it: links, mentions and special characters are
 * written out. `self` is our own user, whose mention at the beginning is left out.
 */
export function readText(text: string, self: string | undefined): string {
  const addressed = self === undefined ? text : withoutAddress(text, self);
  const readable = addressed.replaceAll(/<([^<>\n]+)>/g, (_, entity: string) => readEntity(entity));
  return unescape(readable).trim();
}

function withoutAddress(text: string, self: string): string {
  const mention = new RegExp(`^\\s*(?:<@${self}(?:\\|[^<>]*)?>[\\s:,、]*)+`);
  return text.replace(mention, "");
}

function readEntity(entity: string): string {
  const [target, label] = splitAtBar(entity);
  if (target.startsWith("@") || target.startsWith("#")) {
    return label === undefined || label === "" ? target : `${target.slice(0, 1)}${label}`;
  }
  if (target.startsWith("!")) return label ?? `@${target.slice(1).split("^", 1)[0] ?? ""}`;
  const url = target.replace(/^mailto:|^tel:/, "");
  return label === undefined || label === url || target.endsWith(label) ? url : `${label} (${url})`;
}

function splitAtBar(entity: string): readonly [string, string?] {
  const at = entity.indexOf("|");
  return at < 0 ? [entity] : [entity.slice(0, at), entity.slice(at + 1).replace(/^[@#]/, "")];
}

/** `&amp;` comes last: `&amp;lt;` is the text `&lt;`. */
function unescape(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
