/** Set in the environment of the short run: `node test/web/run.ts --quick`. */
export const QUICK_KEY = "KUROMAJUTSU_WEB_QUICK";
