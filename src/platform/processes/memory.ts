/**
 * What the start needed and nobody needs again (sources that were read, compiled and linked) goes back to the system before the
 * first request comes. That is done once, before the door opens. The space for what is young grows again with the first load. Node has this
 * function only when it is started with `--expose-gc`; else nothing is given back.
 */
export function giveBackMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
