import { readFileSync } from 'node:fs';

/** Settings that hold a secret. Each may be given as a file instead, whose name stands in NAME_FILE. */
export const secretSettings = [
  'DATABASE_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;
export type WithSecrets = { readonly environment: Environment; readonly faults: readonly string[] };

const bytesMax = 10_000;

/**
 * An environment can be read by whoever may look at the process, and is shown by many tools; a file has a mode and an owner. What
 * a container or systemd hands over as files is read here. A fault names the file, never what stands in it.
 */
export function readSecretFiles(environment: Environment): WithSecrets {
  const found: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of secretSettings) {
    const path = environment[`${name}_FILE`]?.trim() ?? '';
    if (path === '') continue;
    if ((environment[name]?.trim() ?? '') !== '') {
      faults.push(`${name} and ${name}_FILE are both set; set one of them`);
      continue;
    }
    const text = readText(path);
    if (text === null) faults.push(`${name}_FILE names a file that cannot be read: ${path}`);
    else if (text === '' || text.length > bytesMax) faults.push(`${name}_FILE names a file that is empty or too large: ${path}`);
    else found[name] = text;
  }
  return { environment: { ...environment, ...found }, faults };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
