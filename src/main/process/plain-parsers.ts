import { config } from "zod";

/**
 * No compiled parsers: most schemas of a daemon see a few messages in its life, and compiling one
 * takes as long as a thousand messages save. To be loaded before the first schema is made.
 */
config({ jitless: true });
