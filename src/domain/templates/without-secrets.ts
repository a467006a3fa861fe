const REMOVED = "***";

/**
 * Texts in the form of a key or a token of a known service, and values that are named as secrets. Spaces
 * are limited: a lookbehind runs at every position, so a long row of them would take seconds.
 */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g,
  /\bxox[abceoprs]-[A-Za-z0-9-]{10,}|\bxapp-[A-Za-z0-9-]{10,}/g,
  /\bAKIA[0-9A-Z]{16}\b|\bAIza[0-9A-Za-z_-]{30,}/g,
  /\bkmj_[A-Za-z0-9_-]{16,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /(?<=\bBearer\s{1,20})[A-Za-z0-9._~+/=-]{12,}/gi,
  // user:password@host
  /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]{1,100}:)[^\s:/@]{1,200}(?=@)/gi,
  /(?<=(?:password|passwd|passphrase|secret|token|api[-_ ]?key|access[-_ ]?key|パスワード|秘密鍵|トークン|合言葉)["']?\s{0,20}(?:[:=：＝]|は|is)\s{0,20}["'「]?)[^\s"'」,;、。]{6,}/gi,
];

export type Cleaned = { readonly text: string; readonly removed: readonly string[] };

/** A text that is safe to keep in a file, and the secrets that it had. It can only know common forms. */
export function withoutSecrets(text: string): Cleaned {
  const removed: string[] = [];
  const clean = SECRETS.reduce(
    (done, pattern) =>
      done.replaceAll(pattern, (found) => {
        if (found === REMOVED) return found;
        removed.push(found);
        return REMOVED;
      }),
    text,
  );
  return { text: clean, removed };
}
