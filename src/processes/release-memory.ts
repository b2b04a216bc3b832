/**
 * Returns memory that only the start needed (parsed and compiled sources) to the operating system, once, before the server listens.
 * The young generation grows again under load. Does nothing unless Node runs with `--expose-gc`.
 */
export function releaseMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
