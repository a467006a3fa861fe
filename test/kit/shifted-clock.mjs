// `node --import shifted-clock.mjs` runs a program on a machine whose clock is wrong by
// SHIFTED_CLOCK_MS. Timers are not affected: they use the monotonic clock.
const shiftMs = Number(process.env.SHIFTED_CLOCK_MS);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shiftMs);
    else super(...args);
  }
  static now() {
    return RealDate.now() + shiftMs;
  }
};
