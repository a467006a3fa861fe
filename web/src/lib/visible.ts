/** Characters that turn the direction of what follows: with them a text can be shown as another one. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

/** The text with such characters made visible: what people decide on must read as it is. */
export function visible(text: string): string {
  return text.replace(TURNING, (sign) => `⟨U+${sign.charCodeAt(0).toString(16).toUpperCase()}⟩`);
}
