/** A constant, so that the shim reads no file for it; a test compares it with package.json. */
export const VERSION = "0.1.0";
