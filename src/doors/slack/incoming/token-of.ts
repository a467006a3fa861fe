/** The bot token of a workspace; undefined: the app is not installed there. Never log it. */
export type TokenOf = (team: string) => Promise<string | undefined>;
