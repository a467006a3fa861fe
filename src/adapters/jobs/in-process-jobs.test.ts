import { jobsContract } from "../../../test/contract/jobs-contract.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { openStore } from "../store/open-store.ts";
import { createInProcessJobs } from "./in-process-jobs.ts";

jobsContract("a daemon with SQLite", async () => ({
  store: await openStore({ dataDir: aTempDir() }),
  jobs: createInProcessJobs({ error() {} }),
}));
