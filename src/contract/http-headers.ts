/**
 * Sent with every change. A page of another origin cannot send it: the browser would first ask the
 * daemon for permission (a CORS preflight), and the daemon grants none.
 */
export const CHANGE_HEADER = "x-kuromajutsu";

/**
 * Carries the key of a sign-in. Browsers send the cookie to every server on the same host name,
 * whatever its port; the key is in localStorage, which belongs to one origin.
 */
export const SESSION_HEADER = "x-kuromajutsu-session";

/** Carries the ticket for the vendor keys that a command has lent over the socket. */
export const KEYS_HEADER = "x-kuromajutsu-keys";

/**
 * The language that a person has chosen in the dashboard or the terminal. It is stronger than the
 * configuration, which these clients have already asked.
 */
export const LANGUAGE_HEADER = "x-kuromajutsu-language";

/** A browser cannot set headers of a WebSocket, so the dashboard offers the key as a subprotocol. */
export const LIVE_PROTOCOL = "kuromajutsu";
export const SESSION_PROTOCOL_PREFIX = "kuromajutsu.session.";
