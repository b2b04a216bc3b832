type ScriptTag = {
  readonly src: URL;
  readonly nonce: string | null;
  readonly integrity: string | null;
};

/** The directive that blocks a script, or null. Several policies must all allow it. */
export function blockedBy(policies: readonly string[], page: URL, script: ScriptTag): string | null {
  for (const policy of policies) {
    const directives = directivesOf(policy);
    const name = ['script-src-elem', 'script-src', 'default-src'].find((candidate) => directives.has(candidate));
    const sources = name === undefined ? undefined : directives.get(name);
    if (name !== undefined && sources !== undefined && !allows(sources, page, script)) return `${name} ${sources.join(' ')}`.trim();
  }
  return null;
}

/** The first of repeated directives applies. */
function directivesOf(policy: string): ReadonlyMap<string, readonly string[]> {
  const directives = new Map<string, readonly string[]>();
  for (const part of policy.split(';')) {
    const [name = '', ...sources] = part.trim().split(/\s+/);
    if (name !== '' && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  return directives;
}

function allows(sources: readonly string[], page: URL, { src, nonce, integrity }: ScriptTag): boolean {
  if (nonce !== null && nonce !== '' && sources.includes(`'nonce-${nonce}'`)) return true;
  const hashes = (integrity ?? '').split(/\s+/).filter((hash) => hash !== '');
  if (hashes.length > 0 && hashes.every((hash) => sources.includes(`'${hash}'`))) return true;
  // With it, browsers ignore host sources.
  if (sources.some((source) => source.toLowerCase() === "'strict-dynamic'")) return false;
  return sources.some((source) => matches(source, page, src));
}

const hostSource = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::(\d+|\*))?(\/.*)?$/i;

function matches(source: string, page: URL, src: URL): boolean {
  if (source.toLowerCase() === "'self'") return src.origin === page.origin;
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return isScheme(source.slice(0, -1), src);
  const [all, scheme, host = '', port, path] = hostSource.exec(source) ?? [];
  if (all === undefined) return false;
  if (source === '*') return src.protocol === 'http:' || src.protocol === 'https:';
  // Without a scheme, the page's scheme applies; an http page may also load https.
  if (!isScheme(scheme ?? page.protocol.slice(0, -1), src)) return false;
  return isHost(host.toLowerCase(), src.hostname) && isPort(port, src) && isPath(path, src.pathname);
}

function isScheme(scheme: string, { protocol }: URL): boolean {
  const wanted = `${scheme.toLowerCase()}:`;
  return wanted === protocol || (wanted === 'http:' && protocol === 'https:');
}

const isHost = (host: string, name: string): boolean =>
  host.startsWith('*') ? host === '*' || name.endsWith(host.slice(1)) : host === name;

function isPort(port: string | undefined, { port: given, protocol }: URL): boolean {
  if (port === '*') return true;
  const usual = protocol === 'https:' ? '443' : '80';
  const actual = given === '' ? usual : given;
  return port === undefined ? actual === usual : port === actual || (port === '80' && actual === '443');
}

const isPath = (path: string | undefined, name: string): boolean =>
  path === undefined || path === '/' || (path.endsWith('/') ? name.startsWith(path) : name === path);
