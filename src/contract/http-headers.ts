/**
 * Sent with every change. A page of another origin cannot send it: the browser would first ask the
 * daemon for permission (a CORS preflight), and the daemon grants none.
 */
export const CHANGE_HEADER = "x-kuromajutsu";
