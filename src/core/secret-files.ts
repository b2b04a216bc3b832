import { readFileSync } from 'node:fs';

/** Settings that contain a secret. Each may be given as the path of a file in NAME_FILE instead. */
export const secretSettings = [
  'DATABASE_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SHOPIFY_CLIENT_SECRET',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;
export type EnvironmentWithSecrets = { readonly environment: Environment; readonly errors: readonly string[] };

const bytesMax = 10_000;

/**
 * Many tools can read and display a process's environment; a file has a mode and an owner. Reads the secrets that a container
 * runtime or systemd provides as files. Errors contain the path, never the contents.
 */
export function readSecretFiles(environment: Environment): EnvironmentWithSecrets {
  const found: Record<string, string> = {};
  const errors: string[] = [];
  for (const name of secretSettings) {
    const path = environment[`${name}_FILE`]?.trim() ?? '';
    if (path === '') continue;
    if ((environment[name]?.trim() ?? '') !== '') {
      errors.push(`${name} and ${name}_FILE are both set; set one of them`);
      continue;
    }
    const text = readText(path);
    if (text === null) errors.push(`${name}_FILE names a file that cannot be read: ${path}`);
    else if (text === '' || text.length > bytesMax) errors.push(`${name}_FILE names a file that is empty or too large: ${path}`);
    else found[name] = text;
  }
  return { environment: { ...environment, ...found }, errors };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}
