/** The worker of @pierre/diffs as a module of ours, so that the build gives it a file of its own. */
import "@pierre/diffs/worker/worker.js";
