/** A host that was taken for dead is back, so its agents are not lost. */
export class HostIsBack extends Error {
  constructor(hostId: string) {
    super(`${hostId} is back.`);
    this.name = "HostIsBack";
  }
}
