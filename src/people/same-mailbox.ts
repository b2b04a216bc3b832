/**
 * One spelling of a mailbox: case does not matter, nor what follows a plus. For finding one person behind two accounts, never for
 * sending.
 */
export function mailboxOf(email: string): string {
  const [local = '', host = ''] = email.trim().toLowerCase().split('@');
  return `${local.split('+')[0]}@${host}`;
}
