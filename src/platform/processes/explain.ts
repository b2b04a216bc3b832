/* oxlint-disable no-console -- It speaks to a terminal. */
/** One clear line for what the person at the keyboard can mend; the stack for what they cannot. */
export function explainStart(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') console.error('tributary: the port is taken by another program; stop that one, or set PORT to another number');
  else if (code === 'EACCES')
    console.error('tributary: this port or folder is not ours to use; set PORT above 1023, or DATA_DIR to a folder of your own');
  else console.error(`tributary: ${error instanceof Error ? error.message : String(error)}`);
}
