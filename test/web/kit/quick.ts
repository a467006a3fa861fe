/** In the environment of a run that has little time: `node test/web/run.ts --quick`. */
export const QUICK_KEY = "KUROMAJUTSU_WEB_QUICK";
