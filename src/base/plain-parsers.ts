import { config } from "zod";

/**
 * Turns off zod's compiled parsers: most schemas parse a few messages, and compiling one takes longer
 * than a thousand messages save. Import this before the first schema is created.
 */
config({ jitless: true });
