/** Only this machine can reach a program that listens on this address. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || address.startsWith("127.");
}
