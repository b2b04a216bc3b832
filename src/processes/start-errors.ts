/* oxlint-disable no-console -- It speaks to a terminal. */
/** Prints one clear line for errors that the operator can fix, and the message of any other error. */
export function printStartError(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE')
    console.error('tributary: the port is in use by another program; stop that program, or set PORT to another number');
  else if (code === 'EACCES')
    console.error('tributary: no permission for this port or folder; set PORT above 1023, or DATA_DIR to a folder of your own');
  else console.error(`tributary: ${error instanceof Error ? error.message : String(error)}`);
}
