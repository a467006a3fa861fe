const KEY = "kuromajutsu.session";

/**
 * The key of the sign-in. The cookie alone is worthless, because browsers send it to every server on
 * this host name; localStorage belongs to this origin, port included, and all its tabs.
 */
export function sessionKey(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** False in a browser that stores nothing for this site: signing in is impossible there. */
export function canKeepSessionKey(): boolean {
  const probe = `${KEY}.probe`;
  try {
    localStorage.setItem(probe, "1");
    localStorage.removeItem(probe);
    return true;
  } catch {
    return false;
  }
}

export function keepSessionKey(key: string): void {
  localStorage.setItem(KEY, key);
}

export function forgetSessionKey(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}

/** Calls back when another tab of this origin signs in (true) or out (false). */
export function watchSessionKey(onChanged: (isSignedIn: boolean) => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    if (key === KEY || key === null) onChanged(newValue !== null);
  };
  window.addEventListener("storage", listen);
  return () => window.removeEventListener("storage", listen);
}
